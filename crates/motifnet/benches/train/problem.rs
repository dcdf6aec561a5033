//! What both sides train on, and the folder that hands it to the other side.

use std::fs;
use std::io::BufWriter;
use std::path::Path;

use motifnet::data::{Labels, Split, SplitFractions, read_dataset};
use motifnet::graph::generate::rmat;
use motifnet::graph::{BuildOptions, DiGraph};
use motifnet::io::NpzWriter;
use motifnet::motif::{MotifEngine, MotifKind, MotifSpec, Representation};
use motifnet::nn::{AdamConfig, LossTarget, Network, NetworkConfig};
use motifnet::progress::Silent;
use motifnet::sparse::CsrMatrix;
use motifnet::spectral::{LaplacianConfig, MotifLaplacian};
use motifnet::train::{
    DEFAULT_MOTIFS, ModelConfig, ModelKind, OperatorConfig, OperatorSet, build_operators,
};
use npyz::{AutoSerialize, WriterBuilder};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::{Value, json};

use crate::Failure;

/// What everything random comes from.
pub(crate) const SEED: u64 = 1;
const N_FEATURES: usize = 130;
const N_CLASSES: usize = 70;

/// What is measured together.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Suite {
    /// ChebNet and MotifNet-m, beside PyTorch and PyG.
    Paper,
    /// Every sort of convolution, ChebNet and MoNet beside PyG.
    Family,
}

/// A model and its order, or how many kernels it has.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    kind: ModelKind,
    order: usize,
    /// Whether the other side can do it, too.
    has_peer: bool,
}

/// By the names of `train_problem.py`.
const PAPER: [Case; 6] = [
    Case { name: "chebnet-1", kind: ModelKind::Chebnet, order: 1, has_peer: true },
    Case { name: "chebnet-2", kind: ModelKind::Chebnet, order: 2, has_peer: true },
    Case { name: "chebnet-4", kind: ModelKind::Chebnet, order: 4, has_peer: true },
    Case { name: "motifnet-m-1", kind: ModelKind::MotifnetM, order: 1, has_peer: true },
    Case { name: "motifnet-m-2", kind: ModelKind::MotifnetM, order: 2, has_peer: true },
    Case { name: "motifnet-m-4", kind: ModelKind::MotifnetM, order: 4, has_peer: true },
];

const FAMILY: [Case; 10] = [
    Case { name: "chebnet-1", kind: ModelKind::Chebnet, order: 1, has_peer: true },
    Case { name: "chebnet-2", kind: ModelKind::Chebnet, order: 2, has_peer: true },
    Case { name: "monet-4", kind: ModelKind::Monet, order: 4, has_peer: true },
    Case { name: "gcn", kind: ModelKind::Gcn, order: 1, has_peer: false },
    Case { name: "cayley-1", kind: ModelKind::Cayley, order: 1, has_peer: false },
    Case { name: "cayley-2", kind: ModelKind::Cayley, order: 2, has_peer: false },
    Case { name: "spectral", kind: ModelKind::Spectral, order: 1, has_peer: false },
    Case { name: "spline", kind: ModelKind::Spline, order: 1, has_peer: false },
    Case { name: "motifnet-d-1", kind: ModelKind::MotifnetD, order: 1, has_peer: false },
    Case { name: "motifnet-m-1", kind: ModelKind::MotifnetM, order: 1, has_peer: false },
];

impl Suite {
    pub(crate) fn cases(self) -> &'static [Case] {
        match self {
            Self::Paper => &PAPER,
            Self::Family => &FAMILY,
        }
    }
}

impl Case {
    fn model(self) -> ModelConfig {
        let model = ModelConfig::paper(self.kind);
        match self.kind {
            ModelKind::Monet => ModelConfig { kernels: self.order, ..model },
            _ => ModelConfig { order: self.order, ..model },
        }
    }

    pub(crate) fn config(self) -> NetworkConfig {
        self.model().network().expect("a network")
    }
}

/// A graph with random features, labels and a split.
pub(crate) struct Problem {
    name: String,
    graph: DiGraph,
    pub(crate) n_features: usize,
    pub(crate) features: Vec<f32>,
    labels: Labels,
    pub(crate) n_classes: usize,
    pub(crate) split: Split,
}

impl Problem {
    /// The graph of a data set where `MOTIFNET_DATA` has it, else an R-MAT of about CORA-full's size.
    pub(crate) fn new(name: &str) -> Result<Self, Failure> {
        let data = std::env::var_os("MOTIFNET_DATA").map(|data| Path::new(&data).join(name));
        let (name, graph, labels) = match data.filter(|folder| folder.is_dir()) {
            Some(folder) => {
                let dataset = read_dataset(&folder, &Silent)?;
                (name, dataset.graph, dataset.labels)
            }
            None => {
                let graph = rmat_graph(32_768, 65_311)?;
                let labels = random_labels(graph.n_nodes(), N_CLASSES)?;
                ("R-MAT", graph, labels)
            }
        };
        Self::on(name, graph, labels, N_FEATURES)
    }

    /// Random features on a graph with labels; a tenth to train on, a tenth to validate with.
    pub(crate) fn on(
        name: &str,
        graph: DiGraph,
        labels: Labels,
        n_features: usize,
    ) -> Result<Self, Failure> {
        let features = random(graph.n_nodes() * n_features, SEED);
        let split = Split::random(&labels, &SplitFractions::new(10.0, 10.0, 0.0)?, SEED)?;
        let n_classes = labels.n_classes();
        Ok(Self { name: name.to_owned(), graph, n_features, features, labels, n_classes, split })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn graph(&self) -> &DiGraph {
        &self.graph
    }

    /// What the outputs for `nodes` should be.
    pub(crate) fn target(&self, nodes: &[u32]) -> LossTarget {
        let classes = nodes.iter().filter_map(|&node| self.labels.of(node)).collect();
        LossTarget::new(classes, vec![1.0; self.n_classes])
    }

    /// What a case works on, as the library makes it.
    pub(crate) fn operators(&self, case: Case) -> Result<OperatorSet, Failure> {
        let config = OperatorConfig::default();
        Ok(build_operators(&self.graph, &case.model(), &config, None, &Silent)?)
    }

    pub(crate) fn facts(&self) -> Value {
        json!({
            "graph": self.name,
            "nodes": self.graph.n_nodes(),
            "arcs": self.graph.n_arcs(),
            "features": self.n_features,
            "classes": self.n_classes,
            "train": self.split.train().len(),
            "validation": self.split.validation().len(),
        })
    }

    /// Writes the folder, as `benches/peers/train_problem.py` says.
    pub(crate) fn export(
        &self,
        suite: Suite,
        folder: &Path,
        threads: usize,
    ) -> Result<Value, Failure> {
        fs::create_dir_all(folder)?;
        let n_nodes = self.graph.n_nodes() as u64;
        let config = suite.cases()[0].config();
        let operators = self.peer_operators(suite)?;
        let adam = AdamConfig::default();
        let problem = json!({
            "n_nodes": n_nodes,
            "operators": operators.iter().map(|operator| &operator.0).collect::<Vec<_>>(),
            "n_classes": self.n_classes,
            "width": config.width,
            "dropout": config.dropout[0],
            "lr": adam.rate,
            "weight_decay": adam.decay,
            "epsilon": adam.epsilon,
            "threads": threads,
        });
        fs::write(folder.join("problem.json"), problem.to_string())?;

        let shape = [n_nodes, self.n_features as u64];
        write_npy(&folder.join("features.npy"), &shape, self.features.iter().copied())?;
        let label = |class: &Option<u32>| class.map_or(-1, i64::from);
        let labels = self.labels.of_nodes().iter().map(label);
        write_npy(&folder.join("labels.npy"), &[n_nodes], labels)?;
        for (name, nodes) in
            [("train.npy", self.split.train()), ("validation.npy", self.split.validation())]
        {
            let shape = [nodes.len() as u64];
            write_npy(&folder.join(name), &shape, nodes.iter().map(|&node| i64::from(node)))?;
        }
        write_operators(&folder.join("operators.npz"), &operators)?;
        for case in suite.cases().iter().filter(|case| case.has_peer) {
            self.write_weights(*case, &folder.join(format!("weights-{}.npz", case.name)))?;
        }
        Ok(problem)
    }

    /// What the other side multiplies with, every entry stored: the rescaled Laplacians, and MoNet's
    /// coordinates.
    fn peer_operators(&self, suite: Suite) -> Result<Vec<(String, CsrMatrix<f32>)>, Failure> {
        let kinds = match suite {
            Suite::Paper => &DEFAULT_MOTIFS[..],
            Suite::Family => &[MotifKind::Undirected],
        };
        let engine = MotifEngine::new(&self.graph);
        let mut operators = Vec::new();
        for operator in engine.operators(kinds, &MotifSpec::default(), Representation::Auto) {
            let name = operator.kind().name().to_owned();
            let laplacian = MotifLaplacian::new(operator, LaplacianConfig::default())?;
            let matrix = laplacian.to_csr(u64::MAX)?;
            let values = matrix.values().iter().map(|&value| value as f32).collect();
            let (offsets, columns) = (matrix.offsets().to_vec(), matrix.columns().to_vec());
            operators.push((name, CsrMatrix::new(matrix.n_columns(), offsets, columns, values)));
        }
        if let Some(monet) = suite.cases().iter().find(|case| case.kind == ModelKind::Monet) {
            let coordinates = self.operators(*monet)?.parts.into_iter().enumerate();
            let named = coordinates.map(|(at, parts)| (format!("coordinate-{at}"), parts.direct));
            operators.extend(named);
        }
        Ok(operators)
    }

    fn write_weights(&self, case: Case, path: &Path) -> Result<(), Failure> {
        let n_operators = self.operators(case)?.parts.len();
        let network = Network::new(&case.config(), self.n_features, self.n_classes, n_operators)?;
        let values: Vec<f32> = network.layout().initial(SEED);
        let mut npz = NpzWriter::create(path)?;
        for tensor in network.layout().tensors() {
            let mut shape: Vec<u64> = tensor.shape().iter().map(|&length| length as u64).collect();
            // The one head is nothing that the other side knows of.
            if tensor.name().ends_with(".scores") {
                shape.remove(0);
            }
            npz.array(tensor.name(), &shape, values[tensor.range()].iter().copied())?;
        }
        Ok(npz.commit()?)
    }
}

fn write_operators(path: &Path, operators: &[(String, CsrMatrix<f32>)]) -> Result<(), Failure> {
    let mut npz = NpzWriter::create(path)?;
    for (name, matrix) in operators {
        let (n_offsets, n_entries) = (matrix.offsets().len() as u64, matrix.n_entries() as u64);
        let offsets = matrix.offsets().iter().map(|&offset| offset as i64);
        npz.array(&format!("{name}.offsets"), &[n_offsets], offsets)?;
        let columns = matrix.columns().iter().map(|&column| i64::from(column));
        npz.array(&format!("{name}.columns"), &[n_entries], columns)?;
        npz.array(&format!("{name}.values"), &[n_entries], matrix.values().iter().copied())?;
    }
    Ok(npz.commit()?)
}

/// An R-MAT graph.
pub(crate) fn rmat_graph(n_nodes: usize, n_arcs: u64) -> Result<DiGraph, Failure> {
    let config = rmat::RmatConfig { n_nodes, n_arcs, ..Default::default() };
    Ok(DiGraph::build(rmat::generate(&config, SEED)?, &BuildOptions::default())?.0)
}

/// A class for every node.
pub(crate) fn random_labels(n_nodes: usize, n_classes: usize) -> Result<Labels, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED + 1);
    let class = |_| Some((rng.next_u64() % n_classes as u64) as u32);
    let of_node = (0..n_nodes).map(class).collect();
    Ok(Labels::new((0..n_classes).map(|class| class.to_string()).collect(), of_node)?)
}

/// Uniform on ±√3, that is of variance 1.
pub(crate) fn random(n: usize, seed: u64) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let unit = |bits: u32| bits as f64 / f64::from(u32::MAX);
    (0..n).map(|_| ((2.0 * unit(rng.next_u32()) - 1.0) * 3f64.sqrt()) as f32).collect()
}

fn write_npy<T: AutoSerialize>(
    path: &Path,
    shape: &[u64],
    values: impl IntoIterator<Item = T>,
) -> Result<(), Failure> {
    let file = BufWriter::new(fs::File::create(path)?);
    let mut array =
        npyz::WriteOptions::new().default_dtype().shape(shape).writer(file).begin_nd()?;
    array.extend(values)?;
    Ok(array.finish()?)
}
