//! Laplacians against dense algebra.

use proptest::prelude::*;

use super::super::symmetric::SymmetricEigen;
use super::*;
use crate::graph::{DiGraph, EdgeList};
use crate::motif::{MotifEngine, MotifSpec, Support, Weights};

fn graph(n_nodes: usize, arcs: impl IntoIterator<Item = (u32, u32, f32)>) -> DiGraph {
    DiGraph::build(EdgeList::from_triples(n_nodes, arcs), &Default::default()).unwrap().0
}

fn configs() -> impl Iterator<Item = LaplacianConfig> {
    let pairs = LaplacianForm::ALL
        .into_iter()
        .flat_map(|form| Normalization::ALL.map(|normalization| (form, normalization)));
    pairs.flat_map(|(form, normalization)| {
        LambdaMax::ALL.map(|lambda_max| LaplacianConfig { form, normalization, lambda_max })
    })
}

type Dense = Vec<Vec<f64>>;

fn dense(matrix: &CsrMatrix) -> Dense {
    let mut dense = vec![vec![0.0; matrix.n_columns()]; matrix.n_rows()];
    for (row, column, &value) in matrix.entries() {
        dense[row][column as usize] = value;
    }
    dense
}

/// The largest singular value, which for a symmetric positive matrix is the largest eigenvalue.
fn largest_singular_value(matrix: &Dense) -> f64 {
    let n = matrix.len();
    let squared: Vec<f64> = (0..n * n)
        .map(|at| (0..n).map(|row| matrix[row][at / n] * matrix[row][at % n]).sum())
        .collect();
    SymmetricEigen::new(&squared, n).unwrap().values[0].sqrt()
}

/// The definition, on the dense motif matrix.
fn oracle(operator: &MotifOperator, config: LaplacianConfig) -> Dense {
    let w = dense(&operator.to_csr(u64::MAX).unwrap());
    let n = w.len();
    let divide = |value: f64, by: f64| if by > 0.0 { value / by } else { 0.0 };
    let out: Vec<f64> = w.iter().map(|row| row.iter().sum()).collect();
    let into: Vec<f64> = (0..n).map(|j| w.iter().map(|row| row[j]).sum()).collect();
    let plain = |normalization| -> Dense {
        let entry = |i: usize, j: usize| {
            let normalized = match normalization {
                Normalization::Symmetric => divide(w[i][j], (out[i] * into[j]).sqrt()),
                Normalization::RandomWalk => divide(w[i][j], out[i]),
            };
            f64::from(u8::from(i == j)) - normalized
        };
        (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
    };
    let mut delta = plain(config.normalization);
    if config.form == LaplacianForm::Rescaled {
        let lambda = match config.lambda_max {
            LambdaMax::Two => 2.0,
            LambdaMax::Exact if operator.kind().is_symmetric() => {
                largest_singular_value(&plain(Normalization::Symmetric))
            }
            LambdaMax::Exact => largest_singular_value(&delta),
        };
        for (i, row) in delta.iter_mut().enumerate() {
            row.iter_mut().for_each(|value| *value *= 2.0 / lambda);
            row[i] -= 1.0;
        }
    }
    delta
}

fn check(operator: &MotifOperator, config: LaplacianConfig) {
    let what = format!("{} {config:?}", operator.kind());
    let laplacian = MotifLaplacian::new(operator.clone(), config).unwrap();
    let expected = oracle(operator, config);
    let n = expected.len();
    let off = if config.lambda_max == LambdaMax::Exact { 1e-5 } else { 1e-10 };
    let close = |found: f64, expected: f64| {
        assert!((found - expected).abs() < off, "{what}: {found} is not {expected}");
    };
    let matrix = dense(&laplacian.to_csr(u64::MAX).unwrap());
    let mut identity = vec![0.0; n * n];
    identity.iter_mut().step_by(n + 1).for_each(|diagonal| *diagonal = 1.0);
    let applied = laplacian.apply(&identity, n);
    let mut turned = vec![0.0; n * n];
    laplacian.apply_transpose_into(&identity, n, &mut turned);
    let w = dense(&operator.to_csr(u64::MAX).unwrap());
    let [rows, columns] = [laplacian.row_scale(), laplacian.column_scale()];
    for (i, j) in (0..n * n).map(|at| (at / n, at % n)) {
        close(matrix[i][j], expected[i][j]);
        close(applied[i * n + j], expected[i][j]);
        close(turned[j * n + i], expected[i][j]);
        let diagonal = if i == j { laplacian.identity() } else { 0.0 };
        close(diagonal + laplacian.scale() * rows[i] * w[i][j] * columns[j], expected[i][j]);
        if laplacian.is_symmetric() {
            assert!((expected[i][j] - expected[j][i]).abs() < 1e-12, "{what}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn every_laplacian_is_its_definition(
        arcs in prop::collection::vec((0u32..12, 0u32..12, 1u8..9), 0..60),
    ) {
        let arcs = arcs.into_iter().map(|(from, to, weight)| (from, to, f32::from(weight) / 4.0));
        let graph = graph(12, arcs);
        let engine = MotifEngine::new(&graph);
        for kind in MotifKind::ALL {
            for weights in Weights::ALL {
                for support in Support::ALL {
                    let spec = MotifSpec { weights, support, ..MotifSpec::default() };
                    let operator = engine.operator(kind, &spec);
                    configs().for_each(|config| check(&operator, config));
                }
            }
        }
    }
}

/// Large enough that the largest eigenvalue is not found in a dense matrix.
#[test]
fn exact_lambda_of_long_cycles() {
    let exact = |lambda_max, kind, n: u32| {
        let graph = graph(n as usize, (0..n).map(|node| (node, (node + 1) % n, 1.0)));
        let operator = MotifEngine::new(&graph).operator(kind, &MotifSpec::default());
        let lambdas = Normalization::ALL.map(|normalization| {
            let config = LaplacianConfig { lambda_max, normalization, ..Default::default() };
            -2.0 / MotifLaplacian::new(operator.clone(), config).unwrap().scale()
        });
        assert_eq!(lambdas[0], lambdas[1]);
        lambdas[0]
    };
    // The eigenvalues of an undirected cycle are 1 − cos(2πj/n), those of I − P have modulus
    // 2|sin(πj/n)|.
    let angle = std::f64::consts::PI / 301.0;
    for kind in [MotifKind::Undirected, MotifKind::Out, MotifKind::In] {
        assert!((exact(LambdaMax::Exact, kind, 300) - 2.0).abs() < 2e-6);
        assert_eq!(exact(LambdaMax::Two, kind, 301), 2.0);
    }
    assert!((exact(LambdaMax::Exact, MotifKind::Undirected, 301) - 1.0 - angle.cos()).abs() < 2e-6);
    let modulus = 2.0 * (angle / 2.0).cos();
    assert!((exact(LambdaMax::Exact, MotifKind::Out, 301) - modulus).abs() < 2e-6);
}

#[test]
fn a_graph_without_arcs_has_lambda_one() {
    for n_nodes in [0, 1, 90] {
        let graph = graph(n_nodes, []);
        let operator = MotifEngine::new(&graph).operator(MotifKind::M5, &MotifSpec::default());
        let config = LaplacianConfig { lambda_max: LambdaMax::Exact, ..Default::default() };
        let laplacian = MotifLaplacian::new(operator, config).unwrap();
        assert_eq!((laplacian.identity(), laplacian.scale()), (1.0, -2.0));
    }
}

const ARCS: [(u32, u32, f32); 6] =
    [(0, 1, 1.0), (1, 2, 2.0), (2, 0, 1.5), (0, 2, 1.0), (2, 3, 0.5), (3, 0, 3.0)];

#[test]
fn roots_of_degrees_are_in_the_kernel_and_a_node_apart_keeps_its_one() {
    let graph = graph(5, ARCS);
    let engine = MotifEngine::new(&graph);
    let operator = engine.operator(MotifKind::Undirected, &MotifSpec::default());
    let roots: Vec<f64> = operator.row_sums().into_iter().map(f64::sqrt).collect();
    let laplacian = MotifLaplacian::new(operator, LaplacianForm::Plain).unwrap();
    assert!(laplacian.apply(&roots, 1).iter().all(|y| y.abs() < 1e-12));
    assert_eq!(laplacian.to_csr(u64::MAX).unwrap().row(4), (&[4u32][..], &[1.0][..]));
}

#[test]
fn negative_weights_are_refused_where_they_count() {
    let graph = graph(5, [(0, 1, 1.0), (1, 2, -2.0)]);
    let engine = MotifEngine::new(&graph);
    let weighted = MotifSpec { weights: Weights::Mean, ..MotifSpec::default() };
    for (spec, refused) in [(MotifSpec::default(), false), (weighted, true)] {
        let operator = engine.operator(MotifKind::M9, &spec);
        assert_eq!(MotifLaplacian::new(operator, LaplacianForm::Plain).is_err(), refused);
    }
}
