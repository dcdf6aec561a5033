//! The engine against brute force, and the laws that hold for any graph.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::oracle::{self, Dense};
use super::spec::{Instances, Support, Weights};
use super::{
    MotifEngine, MotifKind, MotifOperator, MotifSpec, N_TRIADS, ROLES, Representation,
    SUBGRAPHS_OF_INDUCED, Shape, instances,
};
use crate::graph::{BuildOptions, DiGraph, EdgeList};
use crate::sparse::{CsrMatrix, LinearOperator};

const NO_LIMIT: u64 = u64::MAX;

/// Graphs of any density, from lists with self-loops and repeated arcs.
fn graphs() -> impl Strategy<Value = DiGraph> {
    (1usize..14, 0.0f64..1.5).prop_flat_map(|(n, density)| {
        let n_arcs = (density * (n * n) as f64) as usize;
        let node = 0..n as u32;
        // Multiples of a quarter: sums and products of a few are exact.
        let arc = (node.clone(), node, (1i8..12).prop_map(|quarters| f32::from(quarters) / 4.0));
        prop::collection::vec(arc, 0..=n_arcs).prop_map(move |arcs| build(n, arcs))
    })
}

fn build(n_nodes: usize, arcs: impl IntoIterator<Item = (u32, u32, f32)>) -> DiGraph {
    let list = EdgeList::from_triples(n_nodes, arcs);
    DiGraph::build(list, &BuildOptions::default()).unwrap().0
}

fn specs() -> Vec<MotifSpec> {
    let mut specs = Vec::new();
    for support in Support::ALL {
        for instances in Instances::ALL {
            for weights in Weights::ALL {
                specs.push(MotifSpec { support, instances, weights });
            }
        }
    }
    specs
}

fn dense(matrix: &CsrMatrix) -> Dense {
    let mut dense = vec![vec![0.0; matrix.n_columns()]; matrix.n_rows()];
    for (row, column, &value) in matrix.entries() {
        dense[row][column as usize] = value;
    }
    dense
}

fn assert_close(found: &Dense, expected: &Dense, what: &str) {
    for (i, (found_row, expected_row)) in found.iter().zip(expected).enumerate() {
        for (j, (f, e)) in found_row.iter().zip(expected_row).enumerate() {
            assert!((f - e).abs() <= 1e-9 * e.abs().max(1.0), "{what} at ({i}, {j}): {f} for {e}");
            assert_eq!(*f == 0.0, *e == 0.0, "{what} at ({i}, {j}): {f} for {e}");
        }
    }
}

fn check_apply(operator: &MotifOperator, expected: &Dense, what: &str) {
    let n = expected.len();
    let width = 3;
    let x: Vec<f64> = (0..n * width).map(|i| ((i * 7 + 3) % 11) as f64 - 5.0).collect();
    let (y, transposed) = (operator.apply(&x, width), {
        let mut y = vec![f64::NAN; n * width];
        operator.apply_transpose_into(&x, width, &mut y);
        y
    });
    for (i, row) in expected.iter().enumerate() {
        for column in 0..width {
            let sum = |weight: &dyn Fn(usize) -> f64| -> f64 {
                (0..n).map(|j| weight(j) * x[j * width + column]).sum()
            };
            let scale: f64 = 1.0 + (0..n).map(|j| row[j].abs() + expected[j][i].abs()).sum::<f64>();
            let straight = sum(&|j| row[j]);
            let turned = sum(&|j| expected[j][i]);
            let place = i * width + column;
            assert!((y[place] - straight).abs() <= 1e-9 * scale * 40.0, "{what} row {i}");
            assert!((transposed[place] - turned).abs() <= 1e-9 * scale * 40.0, "{what}ᵀ row {i}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_operator_is_the_brute_force_matrix(graph in graphs()) {
        let engine = MotifEngine::new(&graph);
        for spec in specs() {
            for representation in [Representation::Factored, Representation::Explicit] {
                let operators = engine.operators(&MotifKind::ALL, &spec, representation);
                for operator in &operators {
                    let what = format!("{} {spec:?} {representation:?}", operator.kind());
                    let expected = oracle::matrix(&graph, operator.kind(), &spec);
                    assert_close(&dense(&operator.to_csr(NO_LIMIT).unwrap()), &expected, &what);
                    check_apply(operator, &expected, &what);
                    let entries = expected.iter().flatten().filter(|&&value| value != 0.0).count();
                    prop_assert_eq!(operator.size(u64::MAX).entries, entries as u64, "{}", what);
                    let sums: Vec<f64> = operator.row_sums();
                    for (row, sum) in expected.iter().zip(sums) {
                        let expected: f64 = row.iter().sum();
                        prop_assert!((sum - expected).abs() <= 1e-9 * expected.max(1.0));
                    }
                }
            }
        }
    }

    /// Every instance is shown once, has its arcs in the graph and the pair among its nodes.
    #[test]
    fn as_many_instances_are_shown_as_an_entry_counts(graph in graphs()) {
        let engine = MotifEngine::new(&graph);
        for spec in specs() {
            for operator in engine.operators(&MotifKind::ALL, &spec, Representation::Auto) {
                let kind = operator.kind();
                let matrix = dense(&operator.to_csr(NO_LIMIT).unwrap());
                let motif = match kind {
                    MotifKind::Expanders => MotifKind::M8,
                    MotifKind::Colliders => MotifKind::M10,
                    other => other,
                };
                for (i, row) in matrix.iter().enumerate() {
                    for (j, &entry) in row.iter().enumerate() {
                        let pair = [i as u32, j as u32];
                        let found = instances(&graph, kind, &spec, pair, usize::MAX);
                        match spec.weights {
                            Weights::Count => prop_assert_eq!(found.total as f64, entry),
                            _ => prop_assert_eq!(found.total == 0, entry == 0.0),
                        }
                        let mut seen = BTreeSet::new();
                        for nodes in &found.triads {
                            let arcs: BTreeSet<(u32, u32)> =
                                motif.arcs().iter().map(|&(s, t)| (nodes[s], nodes[t])).collect();
                            prop_assert!(arcs.iter().all(|&(s, t)| graph.has_arc(s, t)));
                            prop_assert!(pair.iter().all(|node| nodes.contains(node)));
                            prop_assert!(seen.insert(arcs));
                        }
                        let n_shown = if kind.shape() == Shape::Pair { 0 } else { found.total };
                        prop_assert_eq!(found.triads.len() as u64, n_shown);
                    }
                }
            }
        }
    }

    #[test]
    fn counts_roles_and_census_are_those_of_brute_force(graph in graphs()) {
        let engine = MotifEngine::new(&graph);
        let roles = engine.role_counts();
        let node_counts = engine.node_counts();
        let edge_counts = engine.edge_counts();
        let census = engine.census();
        let spec = MotifSpec::default();
        for motif in MotifKind::triads() {
            let expected_roles = oracle::role_counts(&graph, motif);
            for node in 0..graph.n_nodes() {
                for (role, &(of_motif, vertex)) in ROLES.iter().enumerate() {
                    if of_motif == motif {
                        prop_assert_eq!(roles[node][role], expected_roles[node][vertex]);
                    }
                }
                let expected: u64 = expected_roles[node].iter().sum();
                prop_assert_eq!(node_counts[node][motif as usize], expected);
            }
            let matrix = oracle::matrix(&graph, motif, &spec);
            for (node, row) in matrix.iter().enumerate() {
                for entry in engine.pattern().upper_row(node) {
                    let count = edge_counts[entry.edge as usize][motif as usize];
                    prop_assert_eq!(count as f64, row[entry.neighbor as usize]);
                }
            }
            let total: f64 = matrix.iter().flatten().sum();
            prop_assert_eq!(census.motif(motif), Some((total / 6.0) as u128));
        }
        let n = graph.n_nodes() as u128;
        prop_assert_eq!(census.counts().iter().sum::<u128>(), n * (n - 1) * n.saturating_sub(2) / 6);
    }

    #[test]
    fn subgraph_matrices_combine_induced_ones(graph in graphs()) {
        let engine = MotifEngine::new(&graph);
        let matrices = |instances| -> Vec<Dense> {
            let spec = MotifSpec { instances, ..MotifSpec::default() };
            let operators = engine.operators(&MotifKind::triads(), &spec, Representation::Auto);
            operators.iter().map(|operator| dense(&operator.to_csr(NO_LIMIT).unwrap())).collect()
        };
        let (induced, subgraph) = (matrices(Instances::Induced), matrices(Instances::Subgraph));
        let n = graph.n_nodes();
        for row in 0..N_TRIADS {
            for i in 0..n {
                for j in 0..n {
                    let expected: f64 = (0..N_TRIADS)
                        .map(|column| SUBGRAPHS_OF_INDUCED[row][column] as f64 * induced[column][i][j])
                        .sum();
                    prop_assert_eq!(subgraph[row][i][j], expected);
                }
            }
        }
    }

    #[test]
    fn relabelling_permutes_rows_and_columns(
        (graph, order) in graphs().prop_flat_map(|graph| {
            let nodes: Vec<u32> = (0..graph.n_nodes() as u32).collect();
            (Just(graph), Just(nodes).prop_shuffle())
        }),
    ) {
        let renamed = build(
            graph.n_nodes(),
            graph.arcs().map(|(s, t, w)| (order[s as usize], order[t as usize], w)),
        );
        let (engine, other) = (MotifEngine::new(&graph), MotifEngine::new(&renamed));
        prop_assert_eq!(engine.census(), other.census());
        let weights = Weights::Product;
        let spec = MotifSpec { weights, ..MotifSpec::default() };
        for kind in MotifKind::ALL {
            let matrix = dense(&engine.operator(kind, &spec).to_csr(NO_LIMIT).unwrap());
            let found = dense(&other.operator(kind, &spec).to_csr(NO_LIMIT).unwrap());
            let n = graph.n_nodes();
            let mut expected = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in 0..n {
                    expected[order[i] as usize][order[j] as usize] = matrix[i][j];
                }
            }
            assert_close(&found, &expected, kind.name());
        }
    }

    #[test]
    fn turning_every_arc_round_permutes_the_motifs(graph in graphs()) {
        let turned = graph.reversed();
        let (engine, other) = (MotifEngine::new(&graph), MotifEngine::new(&turned));
        for spec in specs() {
            for kind in MotifKind::ALL {
                let matrix = dense(&engine.operator(kind, &spec).to_csr(NO_LIMIT).unwrap());
                let found = other.operator(kind.reversed(), &spec).to_csr(NO_LIMIT).unwrap();
                assert_close(&dense(&found), &matrix, kind.name());
            }
        }
    }
}

/// A graph large enough for every thread to have work.
fn large() -> DiGraph {
    let mut state = 1u64;
    let mut next = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    // Squaring a random number makes hubs of the low nodes.
    let arcs: Vec<(u32, u32, f32)> = (0..20_000)
        .map(|_| {
            let (a, b) = (next(1000), next(1000));
            ((a * a / 1000) as u32, (b * b / 1000) as u32, 0.1 + next(100) as f32 / 7.0)
        })
        .collect();
    build(1000, arcs)
}

fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn one_thread_and_many_give_the_same_bits() {
    let graph = large();
    let everything = |threads| {
        on_threads(threads, || {
            let engine = MotifEngine::new(&graph);
            let mut bits: Vec<u64> = Vec::new();
            for spec in specs() {
                for operator in engine.operators(&MotifKind::ALL, &spec, Representation::Auto) {
                    let x: Vec<f64> =
                        (0..2 * graph.n_nodes()).map(|i| 1.0 / (i + 1) as f64).collect();
                    bits.extend(operator.apply(&x, 2).iter().map(|y| y.to_bits()));
                    let matrix = operator.to_csr(NO_LIMIT).unwrap();
                    bits.extend(matrix.values().iter().map(|value| value.to_bits()));
                    bits.extend(matrix.columns().iter().copied().map(u64::from));
                }
            }
            (bits, engine.role_counts(), engine.edge_counts(), engine.census())
        })
    };
    let alone = everything(1);
    for threads in [2, 4] {
        assert!(alone == everything(threads), "{threads} threads");
    }
}

#[test]
fn explicit_matrices_are_symmetric_to_the_bit() {
    let graph = large();
    let engine = MotifEngine::new(&graph);
    for spec in specs() {
        for operator in engine.operators(&MotifKind::ALL, &spec, Representation::Auto) {
            let matrix = operator.to_csr(NO_LIMIT).unwrap();
            let transposed = operator.transposed().to_csr(NO_LIMIT).unwrap();
            assert_eq!(matrix.transpose(), transposed, "{} {spec:?}", operator.kind());
        }
    }
}

#[test]
fn an_estimated_size_is_near_the_exact_one() {
    let graph = large();
    let engine = MotifEngine::new(&graph);
    for kind in [MotifKind::M8, MotifKind::M9, MotifKind::M10] {
        let spec = MotifSpec::default();
        let operator = engine.operators(&[kind], &spec, Representation::Factored).remove(0);
        let (exact, estimated) = (operator.size(u64::MAX), operator.size(0));
        assert!(exact.exact && !estimated.exact);
        let ratio = estimated.entries as f64 / exact.entries as f64;
        assert!((0.85..1.15).contains(&ratio), "{kind}: {ratio}");
    }
}

#[test]
fn a_matrix_past_the_limit_is_refused_with_its_size() {
    let star = build(40, (1..40).map(|leaf| (0, leaf, 1.0)));
    let engine = MotifEngine::new(&star);
    let operator = engine.operator(MotifKind::M8, &MotifSpec::default());
    let error = operator.to_csr(1000).unwrap_err();
    assert_eq!(error.size.entries, 39 * 40);
    assert!(
        error.to_string().starts_with("the matrix of M8 has 1560 entries, more than the limit")
    );
}
