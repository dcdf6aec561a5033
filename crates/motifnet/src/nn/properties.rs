//! The fused, pruned networks against dense algebra on all rows, and against finite differences.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;

use super::oracle::{self, Dense, DenseGraph};
use super::{Activation, ConvKind, GraphView, LossTarget, Network, NetworkConfig, Pass, Purpose};
use crate::graph::generate::rmat::{self, RmatConfig};
use crate::graph::{DiGraph, EdgeList};
use crate::motif::{MotifEngine, MotifKind, MotifSpec, Representation, Scaling};
use crate::progress::Stop;
use crate::sparse::{CsrMatrix, LinearOperator, OperatorParts};
use crate::spectral::Eigenbasis;

pub(super) const N_CLASSES: usize = 3;
const N_VECTORS: usize = 3;

/// Numbers in place of eigenvectors: the layers do not ask what they are.
fn basis_like(n_nodes: usize, k: usize) -> Eigenbasis<f64> {
    let vectors = (0..n_nodes * k).map(|at| ((at * 53 + 7) % 29) as f64 / 20.0 - 0.7).collect();
    Eigenbasis { values: (0..k).map(|at| 2.0 * at as f64 / k as f64).collect(), vectors }
}

/// Some number for every node and out-neighbour.
fn coordinate(graph: &DiGraph, salt: usize) -> OperatorParts<f64> {
    let row = |node: u32| {
        let mut columns = graph.out_neighbors(node).to_vec();
        columns.push(node);
        columns.sort_unstable();
        let value =
            |column: u32| ((node * 7 + column * 3) as usize + salt * 5) as f64 % 11.0 / 11.0;
        columns.into_iter().map(|column| (column, value(column))).collect()
    };
    let rows = (0..graph.n_nodes() as u32).map(row).collect();
    OperatorParts::explicit(CsrMatrix::from_rows(graph.n_nodes(), rows), false)
}

/// −D^-½ W D^-½ of a motif, factored or not.
pub(super) fn operator(
    engine: &MotifEngine<'_>,
    kind: MotifKind,
    form: Representation,
) -> OperatorParts<f64> {
    let operator = engine.operators(&[kind], &MotifSpec::default(), form).remove(0);
    let roots = |sums: Vec<f64>| -> Vec<f64> {
        sums.iter().map(|&sum| if sum > 0.0 { 1.0 / sum.sqrt() } else { 0.0 }).collect()
    };
    let rows = roots(operator.row_sums());
    let columns = roots(operator.transposed().row_sums());
    let diagonal = vec![0.0; rows.len()];
    let scaling = Scaling { scale: -1.0, rows: &rows, columns: &columns, diagonal: &diagonal };
    operator.scaled_parts(&scaling, kind.is_symmetric())
}

#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) arcs: Vec<(u32, u32)>,
    pub(super) n_nodes: usize,
    pub(super) conv: ConvKind,
    pub(super) n_operators: usize,
    pub(super) activation: Activation,
    pub(super) dropout: Vec<f64>,
    pub(super) n_convs: usize,
    pub(super) seed: u64,
}

pub(super) fn cases() -> impl Strategy<Value = Case> {
    let conv = prop_oneof![
        (0usize..4, 1usize..4).prop_map(|(order, heads)| ConvKind::Motif { order, heads }),
        (0usize..3).prop_map(|order| ConvKind::Polynomial { order }),
        (0usize..5).prop_map(|order| ConvKind::Chebyshev { order }),
        Just(ConvKind::Gcn),
        (0usize..3, 0usize..4)
            .prop_map(|(order, iterations)| ConvKind::Cayley { order, iterations }),
        Just(ConvKind::Spectral { eigenvectors: N_VECTORS }),
        (1usize..7).prop_map(|coefficients| {
            ConvKind::Spline { eigenvectors: N_VECTORS, coefficients }
        }),
        (1usize..4).prop_map(|kernels| ConvKind::Monet { kernels }),
        Just(ConvKind::Dense),
    ];
    let graph = (3usize..14)
        .prop_flat_map(|n| (Just(n), prop::collection::vec((0..n as u32, 0..n as u32), 0..40)));
    let dropout = prop_oneof![Just(vec![0.0]), Just(vec![0.5]), Just(vec![0.0, 0.3, 0.5]),];
    let activation = prop::sample::select(&Activation::ALL[..]);
    (graph, conv, 1usize..4, activation, dropout, 1usize..3, 0u64..1000).prop_map(
        |((n_nodes, arcs), conv, n_operators, activation, dropout, n_convs, seed)| {
            let n_operators = match conv {
                ConvKind::Chebyshev { .. } | ConvKind::Gcn | ConvKind::Cayley { .. } => 1,
                ConvKind::Spectral { .. } | ConvKind::Spline { .. } => 0,
                _ => n_operators,
            };
            // Rates for as many layers as there are: two or three.
            let dropout = if dropout.len() > 1 { dropout[..n_convs + 1].to_vec() } else { dropout };
            Case { arcs, n_nodes, conv, n_operators, activation, dropout, n_convs, seed }
        },
    )
}

/// All that a case needs, in f64.
pub(super) struct Setting {
    pub(super) network: Arc<Network>,
    operators: Vec<OperatorParts<f64>>,
    eigenbasis: Option<Eigenbasis<f64>>,
    pub(super) features: Vec<f64>,
    targets: Vec<u32>,
    target: LossTarget,
    pub(super) parameters: Vec<f64>,
}

impl Setting {
    pub(super) fn new(case: &Case) -> Self {
        let list = EdgeList::from_pairs(case.n_nodes, case.arcs.iter().copied());
        let (graph, _) = DiGraph::build(list, &Default::default()).unwrap();
        let engine = MotifEngine::new(&graph);
        let kinds = [
            (MotifKind::M10, Representation::Factored),
            (MotifKind::Out, Representation::Auto),
            (MotifKind::M9, Representation::Explicit),
        ];
        let first = case.seed as usize;
        let operators = (0..case.n_operators).map(|at| match case.conv {
            ConvKind::Monet { .. } => coordinate(&graph, at),
            // One that is its own transpose.
            ConvKind::Cayley { .. } if first.is_multiple_of(3) => {
                operator(&engine, MotifKind::Undirected, Representation::Auto)
            }
            ConvKind::Cayley { .. } => {
                let (kind, form) = kinds[2 * (first % 2)];
                operator(&engine, kind, form)
            }
            _ => {
                let (kind, form) = kinds[(first + at) % kinds.len()];
                operator(&engine, kind, form)
            }
        });
        let operators: Vec<_> = operators.collect();
        let eigenbasis = case.conv.n_eigenvectors().map(|k| basis_like(case.n_nodes, k));
        let config = NetworkConfig {
            n_convs: case.n_convs,
            n_dense: 1,
            width: 4,
            activation: case.activation,
            dropout: case.dropout.clone(),
            ..NetworkConfig::paper(case.conv)
        };
        let n_features = 3;
        let network =
            Arc::new(Network::new(&config, n_features, N_CLASSES, operators.len()).unwrap());
        let mut parameters: Vec<f64> = network.layout().initial(case.seed);
        // Zero biases and scores would hide mistakes.
        for (at, value) in parameters.iter_mut().enumerate() {
            *value += 0.3 * ((at * 37 + 11) % 17) as f64 / 17.0 - 0.1;
        }
        let number = |at: usize| ((at * 7919 + 5) % 97) as f64 / 40.0 - 1.2;
        let targets: Vec<u32> =
            (0..case.n_nodes as u32).rev().filter(|node| node % 3 != 1).collect();
        let classes = targets.iter().map(|&node| (node * 5 + 1) % N_CLASSES as u32).collect();
        Self {
            network,
            operators,
            eigenbasis,
            features: (0..case.n_nodes * n_features).map(number).collect(),
            target: LossTarget::new(classes, vec![1.0, 2.0, 0.5]),
            targets,
            parameters,
        }
    }

    pub(super) fn view(&self) -> GraphView<'_, f64> {
        GraphView {
            operators: self.operators.iter().collect(),
            eigenbasis: self.eigenbasis.as_ref(),
        }
    }

    fn pass(&self, purpose: Purpose) -> Pass<f64> {
        Pass::new(&self.network, &self.view(), &self.features, &self.targets, purpose)
    }

    fn oracle(&self, draw: Option<(u64, u64)>) -> Vec<f64> {
        let all = self.oracle_on(&self.dense_graph(), draw);
        let row = |&node: &u32| all.values[node as usize * N_CLASSES..][..N_CLASSES].to_vec();
        self.targets.iter().flat_map(row).collect()
    }

    /// The outputs at every node of a graph like this one's.
    pub(super) fn oracle_on(&self, graph: &DenseGraph, draw: Option<(u64, u64)>) -> Dense {
        let features = Dense::new(self.network.n_features(), self.features.clone());
        oracle::outputs(&self.network, graph, &self.parameters, &features, draw)
    }

    pub(super) fn dense_graph(&self) -> DenseGraph {
        let n = self.features.len() / self.network.n_features();
        let mut places = vec![false; n * n];
        for (row, column, _) in
            self.operators.first().iter().flat_map(|parts| parts.direct.entries())
        {
            places[row * n + column as usize] = true;
        }
        let basis = self.eigenbasis.clone();
        let basis = basis.unwrap_or(Eigenbasis { values: Vec::new(), vectors: Vec::new() });
        DenseGraph {
            operators: self.operators.iter().map(oracle::dense).collect(),
            places,
            eigenvectors: Dense::new(basis.len().max(1), basis.vectors),
            eigenvalues: basis.values,
        }
    }

    /// The loss of outputs by its definition.
    fn loss(&self, outputs: &[f64]) -> f64 {
        let weights = [1.0, 2.0, 0.5];
        let class = |node: u32| (node * 5 + 1) as usize % N_CLASSES;
        let total: f64 = self.targets.iter().map(|&node| weights[class(node)]).sum();
        let rows = self.targets.iter().zip(outputs.chunks_exact(N_CLASSES));
        let loss = rows.map(|(&node, row)| {
            let sum: f64 = row.iter().map(|x| x.exp()).sum();
            weights[class(node)] * (sum.ln() - row[class(node)])
        });
        loss.sum::<f64>() / total
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn pruned_and_fused_is_dense_on_all_rows(case in cases()) {
        let setting = Setting::new(&case);
        let found = setting.pass(Purpose::Evaluation).outputs(&setting.parameters).iter().flatten().copied().collect::<Vec<_>>();
        for (found, expected) in found.iter().zip(setting.oracle(None)) {
            prop_assert!((found - expected).abs() < 1e-10, "{found} {expected}");
        }
        let mut pass = setting.pass(Purpose::Training);
        for step in [1, 2] {
            let (scores, _) = pass.gradients(&setting.parameters, &setting.target, 9, step);
            let expected = setting.loss(&setting.oracle(Some((9, step))));
            prop_assert!((scores.loss - expected).abs() < 1e-10, "{} {expected}", scores.loss);
        }
    }

    /// What is trained in: the same to the rounding of 32 bits.
    #[test]
    fn pruned_and_fused_in_single_precision_is_dense_on_all_rows(case in cases()) {
        let setting = Setting::new(&case);
        let narrow = |values: &[f64]| values.iter().map(|&value| value as f32).collect::<Vec<_>>();
        let (features, parameters) = (narrow(&setting.features), narrow(&setting.parameters));
        let operators: Vec<_> = setting.operators.iter().map(single).collect();
        let eigenbasis = setting.eigenbasis.as_ref().map(|basis| Eigenbasis {
            values: narrow(&basis.values),
            vectors: narrow(&basis.vectors),
        });
        let graph =
            GraphView { operators: operators.iter().collect(), eigenbasis: eigenbasis.as_ref() };
        let network = &setting.network;
        let mut pass =
            Pass::new(network, &graph, &features, &setting.targets, Purpose::Training);
        let (scores, _) = pass.gradients(&parameters, &setting.target, 9, 1);
        let expected = setting.loss(&setting.oracle(Some((9, 1))));
        let bound = 2e-5 * (1.0 + expected);
        prop_assert!((scores.loss - expected).abs() < bound, "{} {expected}", scores.loss);
    }

    #[test]
    fn a_pass_that_is_stopped_gives_nothing(case in cases()) {
        let setting = Setting::new(&case);
        let flag = AtomicBool::new(false);
        let (stop, draw) = (Stop::when(&flag), [9, 1]);
        let (parameters, target) = (&setting.parameters, &setting.target);
        let mut pass = setting.pass(Purpose::Training);
        let found = pass.gradients_until(stop, parameters, target, draw).map(|found| found.0);
        let expected = setting.pass(Purpose::Training).gradients(parameters, target, 9, 1).0;
        prop_assert_eq!(found, Some(expected));
        flag.store(true, Ordering::Relaxed);
        let mut pass = setting.pass(Purpose::Training);
        prop_assert!(pass.gradients_until(stop, parameters, target, draw).is_none());
        let mut pass = setting.pass(Purpose::Evaluation);
        prop_assert!(pass.evaluate_until(stop, parameters, target).is_none());
    }

    #[test]
    fn gradients_are_finite_differences(case in cases()) {
        let setting = Setting::new(&case);
        let mut pass = setting.pass(Purpose::Training);
        let mut parameters = setting.parameters.clone();
        let gradients = pass.gradients(&parameters, &setting.target, 9, 1).1.to_vec();
        // Some numbers of the large tensors are moved, and all of the small ones.
        let tensors = setting.network.layout().tensors().iter();
        let places = tensors.flat_map(|tensor| {
            let is_small = tensor.range().len() <= 12;
            let is_chosen = |at: &usize| (at * 31 + case.seed as usize).is_multiple_of(7);
            tensor.range().filter(move |at| is_small || is_chosen(at))
        });
        for at in places.collect::<Vec<_>>() {
            let kept = parameters[at];
            let mut moved = |by: f64| {
                parameters[at] = kept + by;
                let loss = pass.gradients(&parameters, &setting.target, 9, 1).0.loss;
                parameters[at] = kept;
                loss
            };
            let slopes = [1e-5, 1e-6].map(|by| (moved(by) - moved(-by)) / (2.0 * by));
            // A kink of relu within reach shows as slopes that differ.
            if (slopes[0] - slopes[1]).abs() < 1e-6 {
                let error = (slopes[1] - gradients[at]).abs();
                prop_assert!(error < 1e-6, "{at}: {} {}", slopes[1], gradients[at]);
            }
        }
    }
}

/// What a few steps of training in `f32` come to, on so many threads.
fn trained(conv: ConvKind, threads: usize) -> Vec<f32> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let list =
            rmat::generate(&RmatConfig { n_nodes: 2048, n_arcs: 9_000, ..Default::default() }, 5)
                .unwrap();
        let (graph, _) = DiGraph::build(list, &Default::default()).unwrap();
        let engine = MotifEngine::new(&graph);
        let kinds = [
            (MotifKind::M10, Representation::Factored),
            (MotifKind::Out, Representation::Auto),
            (MotifKind::Undirected, Representation::Auto),
        ];
        let n_operators = match conv {
            ConvKind::Chebyshev { .. } | ConvKind::Gcn | ConvKind::Cayley { .. } => 1,
            ConvKind::Spectral { .. } | ConvKind::Spline { .. } => 0,
            ConvKind::Monet { .. } => 2,
            _ => 3,
        };
        let operators: Vec<OperatorParts<f32>> = (0..n_operators)
            .map(|at| match conv {
                ConvKind::Monet { .. } => single(&coordinate(&graph, at)),
                _ => single(&operator(&engine, kinds[at].0, kinds[at].1)),
            })
            .collect();
        let n_nodes = graph.n_nodes();
        let config = NetworkConfig { width: 33, ..NetworkConfig::paper(conv) };
        let network = Arc::new(Network::new(&config, 19, 4, n_operators).unwrap());
        let features: Vec<f32> =
            (0..n_nodes * 19).map(|at| ((at * 31) % 23) as f32 / 11.0 - 1.0).collect();
        let targets: Vec<u32> = (0..n_nodes as u32).step_by(7).collect();
        let target = LossTarget::new(targets.iter().map(|node| node % 4).collect(), vec![1.0; 4]);
        let basis = conv.n_eigenvectors().map(|k| basis_like(n_nodes, k));
        let narrow = |values: Vec<f64>| values.into_iter().map(|value| value as f32).collect();
        let eigenbasis = basis.map(|basis| Eigenbasis {
            values: narrow(basis.values),
            vectors: narrow(basis.vectors),
        });
        let view =
            GraphView { operators: operators.iter().collect(), eigenbasis: eigenbasis.as_ref() };
        let mut pass = Pass::new(&network, &view, &features, &targets, Purpose::Training);
        let mut parameters: Vec<f32> = network.layout().initial(1);
        let mut adam = super::Adam::new(Default::default(), parameters.len());
        for step in 0..3 {
            let (_, gradients) = pass.gradients(&parameters, &target, 2, step);
            adam.update(&mut parameters, gradients);
        }
        parameters
    })
}

fn single(parts: &OperatorParts<f64>) -> OperatorParts<f32> {
    let of = |matrix: &crate::sparse::CsrMatrix<f64>| {
        let values = matrix.values().iter().map(|&value| value as f32).collect();
        let (offsets, columns) = (matrix.offsets().to_vec(), matrix.columns().to_vec());
        crate::sparse::CsrMatrix::new(matrix.n_columns(), offsets, columns, values)
    };
    OperatorParts {
        direct: of(&parts.direct),
        products: parts.products.iter().map(|[left, right]| [of(left), of(right)]).collect(),
        is_symmetric: parts.is_symmetric,
    }
}

#[test]
fn the_bits_do_not_depend_on_the_threads() {
    for conv in [
        ConvKind::Motif { order: 2, heads: 2 },
        ConvKind::Polynomial { order: 1 },
        ConvKind::Chebyshev { order: 2 },
        ConvKind::Gcn,
        ConvKind::Cayley { order: 2, iterations: 3 },
        ConvKind::Spectral { eigenvectors: N_VECTORS },
        ConvKind::Spline { eigenvectors: N_VECTORS, coefficients: 5 },
        ConvKind::Monet { kernels: 3 },
    ] {
        let bits =
            |threads| trained(conv, threads).into_iter().map(f32::to_bits).collect::<Vec<_>>();
        let one = bits(1);
        assert!(bits(2) == one && bits(4) == one, "{conv:?}");
    }
}

/// At order 1 with one operator the attention is 1: the two layers are the same.
#[test]
fn chebnet_is_motifnet_with_one_operator() {
    let case = |conv| Case {
        arcs: vec![(0, 1), (1, 2), (3, 2), (4, 2), (2, 5), (5, 0), (6, 1)],
        n_nodes: 8,
        conv,
        n_operators: 1,
        activation: Activation::Relu,
        dropout: vec![0.5],
        n_convs: 2,
        seed: 0,
    };
    let (cheb, motif) = (
        Setting::new(&case(ConvKind::Chebyshev { order: 1 })),
        Setting::new(&case(ConvKind::Motif { order: 1, heads: 1 })),
    );
    let copied = copy_by_name(&cheb, &motif);
    let cheb_loss = cheb.pass(Purpose::Training).gradients(&cheb.parameters, &cheb.target, 3, 1).0;
    let motif_loss = motif.pass(Purpose::Training).gradients(&copied, &motif.target, 3, 1).0;
    assert!((cheb_loss.loss - motif_loss.loss).abs() < 1e-12);
}

/// For higher orders T_2 = 2Δ² − 1: Θ_0 of the powers is Θ_0 − Θ_2 of the polynomials, and Θ_2 twice it.
#[test]
fn chebnet_and_motifnet_span_the_same_filters() {
    let case = |conv| Case {
        arcs: vec![(0, 1), (1, 2), (3, 2), (4, 2), (2, 5), (5, 0), (6, 1)],
        n_nodes: 8,
        conv,
        n_operators: 1,
        activation: Activation::Tanh,
        dropout: vec![0.0],
        n_convs: 2,
        seed: 0,
    };
    let (cheb, motif) = (
        Setting::new(&case(ConvKind::Chebyshev { order: 2 })),
        Setting::new(&case(ConvKind::Motif { order: 2, heads: 1 })),
    );
    let mut copied = copy_by_name(&cheb, &motif);
    for name in ["conv1.theta", "conv2.theta"] {
        let theta = &mut copied[motif.network.layout().tensor(name).unwrap().range()];
        let n = theta.len() / 3;
        for at in 0..n {
            theta[at] -= theta[2 * n + at];
            theta[2 * n + at] *= 2.0;
        }
    }
    let (mut cheb_pass, mut motif_pass) =
        (cheb.pass(Purpose::Evaluation), motif.pass(Purpose::Evaluation));
    let rows = cheb_pass.outputs(&cheb.parameters).iter().flatten();
    let same_rows = motif_pass.outputs(&copied).iter().flatten();
    assert!(rows.zip(same_rows).all(|(a, b)| (a - b).abs() < 1e-12));
}

/// The parameters of one network put where another has tensors of the same name.
fn copy_by_name(from: &Setting, to: &Setting) -> Vec<f64> {
    let mut parameters = to.parameters.clone();
    for tensor in from.network.layout().tensors() {
        let place = to.network.layout().tensor(tensor.name()).unwrap().range();
        parameters[place].copy_from_slice(&from.parameters[tensor.range()]);
    }
    parameters
}
