//! What both sides train on, and the folder that hands it to the other side.

use std::fs;
use std::io::BufWriter;
use std::path::Path;

use motifnet::data::{Labels, Split, SplitFractions, read_dataset};
use motifnet::graph::generate::rmat;
use motifnet::graph::{BuildOptions, DiGraph};
use motifnet::io::NpzWriter;
use motifnet::motif::{MotifEngine, MotifSpec, Representation};
use motifnet::nn::{AdamConfig, ConvKind, LossTarget, Network, NetworkConfig};
use motifnet::progress::Silent;
use motifnet::sparse::OperatorParts;
use motifnet::spectral::{LaplacianConfig, MotifLaplacian};
use motifnet::train::{DEFAULT_MOTIFS, ModelConfig, ModelKind, build_operators};
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

/// A model and its order.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) conv: ConvKind,
}

/// By the names of `train_problem.py`.
pub(crate) const CASES: [Case; 6] = [
    Case { name: "chebnet-1", conv: ConvKind::Chebyshev { order: 1 } },
    Case { name: "chebnet-2", conv: ConvKind::Chebyshev { order: 2 } },
    Case { name: "chebnet-4", conv: ConvKind::Chebyshev { order: 4 } },
    Case { name: "motifnet-m-1", conv: ConvKind::Motif { order: 1, heads: 1 } },
    Case { name: "motifnet-m-2", conv: ConvKind::Motif { order: 2, heads: 1 } },
    Case { name: "motifnet-m-4", conv: ConvKind::Motif { order: 4, heads: 1 } },
];

impl Case {
    pub(crate) fn config(self) -> NetworkConfig {
        NetworkConfig::paper(self.conv)
    }

    fn is_motif(self) -> bool {
        matches!(self.conv, ConvKind::Motif { .. })
    }
}

/// A graph with random features, labels and a split.
pub(crate) struct Problem {
    name: &'static str,
    graph: DiGraph,
    pub(crate) n_features: usize,
    pub(crate) features: Vec<f32>,
    labels: Labels,
    pub(crate) n_classes: usize,
    pub(crate) split: Split,
}

impl Problem {
    /// CORA-full where `MOTIFNET_DATA` has it, else an R-MAT of about its size.
    pub(crate) fn new() -> Result<Self, Failure> {
        let data = std::env::var_os("MOTIFNET_DATA").map(|data| Path::new(&data).join("cora-full"));
        let (name, graph, labels) = match data.filter(|folder| folder.is_dir()) {
            Some(folder) => {
                let dataset = read_dataset(&folder, &Silent)?;
                ("CORA-full", dataset.graph, dataset.labels)
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
        name: &'static str,
        graph: DiGraph,
        labels: Labels,
        n_features: usize,
    ) -> Result<Self, Failure> {
        let features = random(graph.n_nodes() * n_features, SEED);
        let split = Split::random(&labels, &SplitFractions::new(10.0, 10.0, 0.0)?, SEED)?;
        let n_classes = labels.n_classes();
        Ok(Self { name, graph, n_features, features, labels, n_classes, split })
    }

    pub(crate) fn graph(&self) -> &DiGraph {
        &self.graph
    }

    /// What the outputs for `nodes` should be.
    pub(crate) fn target(&self, nodes: &[u32]) -> LossTarget {
        let classes = nodes.iter().filter_map(|&node| self.labels.of(node)).collect();
        LossTarget::new(classes, vec![1.0; self.n_classes])
    }

    /// The operators as the library makes them, some of them perhaps factored.
    pub(crate) fn operators(&self) -> Result<Operators, Failure> {
        let model = ModelConfig::paper(ModelKind::MotifnetM);
        let laplacian = LaplacianConfig::default();
        let spec = MotifSpec::default();
        Ok(Operators(build_operators(&self.graph, &model, &spec, &laplacian, None, &Silent)?.parts))
    }

    pub(crate) fn facts(&self, operators: &Operators) -> Value {
        let of = |parts: &OperatorParts<f32>| json!({ "entries": parts.n_entries(), "products": parts.products.len() });
        let names = DEFAULT_MOTIFS.map(|kind| kind.name());
        json!({
            "graph": self.name,
            "nodes": self.graph.n_nodes(),
            "arcs": self.graph.n_arcs(),
            "features": self.n_features,
            "classes": self.n_classes,
            "train": self.split.train().len(),
            "validation": self.split.validation().len(),
            "operators": names.iter().zip(operators.0.iter().map(of)).collect::<Vec<_>>(),
        })
    }

    /// Writes the folder, as `benches/peers/train_problem.py` says.
    pub(crate) fn export(&self, folder: &Path, threads: usize) -> Result<Value, Failure> {
        fs::create_dir_all(folder)?;
        let n_nodes = self.graph.n_nodes() as u64;
        let config = CASES[0].config();
        let adam = AdamConfig::default();
        let problem = json!({
            "n_nodes": n_nodes,
            "operators": DEFAULT_MOTIFS.map(|kind| kind.name()),
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
        self.write_operators(&folder.join("operators.npz"))?;
        for case in CASES {
            self.write_weights(case, &folder.join(format!("weights-{}.npz", case.name)))?;
        }
        Ok(problem)
    }

    /// The rescaled Laplacians, every entry stored: what there is for PyTorch to multiply with.
    fn write_operators(&self, path: &Path) -> Result<(), Failure> {
        let engine = MotifEngine::new(&self.graph);
        let spec = MotifSpec::default();
        let mut npz = NpzWriter::create(path)?;
        for operator in engine.operators(&DEFAULT_MOTIFS, &spec, Representation::Auto) {
            let name = operator.kind().name();
            let laplacian = MotifLaplacian::new(operator, LaplacianConfig::default())?;
            let matrix = laplacian.to_csr(u64::MAX)?;
            let (n_offsets, n_entries) = (matrix.offsets().len() as u64, matrix.n_entries() as u64);
            let offsets = matrix.offsets().iter().map(|&offset| offset as i64);
            npz.array(&format!("{name}.offsets"), &[n_offsets], offsets)?;
            let columns = matrix.columns().iter().map(|&column| i64::from(column));
            npz.array(&format!("{name}.columns"), &[n_entries], columns)?;
            let values = matrix.values().iter().map(|&value| value as f32);
            npz.array(&format!("{name}.values"), &[n_entries], values)?;
        }
        Ok(npz.commit()?)
    }

    fn write_weights(&self, case: Case, path: &Path) -> Result<(), Failure> {
        let n_operators = if case.is_motif() { DEFAULT_MOTIFS.len() } else { 1 };
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

/// The operators of MotifNet-m; ChebNet's is the first.
pub(crate) struct Operators(Vec<OperatorParts<f32>>);

impl Operators {
    pub(crate) fn of(&self, case: Case) -> Vec<&OperatorParts<f32>> {
        self.0.iter().take(if case.is_motif() { self.0.len() } else { 1 }).collect()
    }
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
