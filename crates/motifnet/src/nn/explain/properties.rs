//! Explanations against finite differences of the dense networks, and what must add up.

use std::sync::Arc;

use proptest::prelude::*;

use super::integral::Curve;
use super::trace::Trace;
use super::{ExplainConfig, ExplainError, Explainer, GraphSplit};
use crate::graph::DiGraph;
use crate::graph::generate::rmat::{self, RmatConfig};
use crate::motif::{MotifEngine, MotifKind, Representation};
use crate::nn::oracle::DenseGraph;
use crate::nn::properties::{Case, N_CLASSES, Setting, cases, operator};
use crate::nn::{Activation, ConvKind, GraphView, Network, NetworkConfig, NoSplit};
use crate::progress::Silent;
use crate::sparse::OperatorParts;

fn explainer<'a>(setting: &'a Setting, view: &'a GraphView<'a, f64>) -> Explainer<'a> {
    Explainer::new(&setting.network, view, &setting.features, &setting.parameters).unwrap()
}

/// Some node and class of a case.
fn question(case: &Case) -> (u32, usize) {
    ((case.seed % case.n_nodes as u64) as u32, case.seed as usize % N_CLASSES)
}

/// Cases whose networks multiply with operators.
fn split_cases() -> impl Strategy<Value = Case> {
    cases().prop_filter("a polynomial of operators", |case| {
        let is_split = |conv: ConvKind| {
            conv.n_eigenvectors().is_none()
                && !matches!(conv, ConvKind::Monet { .. } | ConvKind::Dense)
        };
        is_split(case.conv)
    })
}

/// The logit in question on a graph whose operators are changed, by the dense network.
fn dense_logit(setting: &Setting, case: &Case, change: impl Fn(&mut DenseGraph)) -> f64 {
    let mut graph = setting.dense_graph();
    change(&mut graph);
    let (node, class) = question(case);
    setting.oracle_on(&graph, None).values[node as usize * N_CLASSES + class]
}

fn gate(graph: &mut DenseGraph, by: f64) {
    graph.operators.iter_mut().for_each(|of| of.values.iter_mut().for_each(|value| *value *= by));
}

/// (f(by) − f(−by)) / 2by, or nothing where a kink of relu is within reach.
fn central_difference(f: impl Fn(f64) -> f64) -> Option<f64> {
    let slopes = [1e-5, 1e-6].map(|by| (f(by) - f(-by)) / (2.0 * by));
    ((slopes[0] - slopes[1]).abs() < 1e-6).then_some(slopes[1])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn slopes_are_finite_differences_of_the_dense_network(case in split_cases()) {
        let setting = Setting::new(&case);
        let view = setting.view();
        let explainer = explainer(&setting, &view);
        let (node, class) = question(&case);
        let terms = explainer.terms.as_ref().unwrap();
        let trace = Trace::new(&explainer, terms, node, class);
        let t = 0.25 + (case.seed % 8) as f64 / 10.0;
        let expected = dense_logit(&setting, &case, |graph| gate(graph, t));
        prop_assert!((trace.value(t) - expected).abs() < 1e-10);

        let slopes = trace.slopes(t);
        let graph = setting.dense_graph();
        let close = |found: f64, f: &dyn Fn(f64) -> f64| {
            central_difference(f).is_none_or(|slope| (slope - found).abs() < 1e-6)
        };
        for (k, operator) in graph.operators.iter().enumerate() {
            let moved = |by: f64| dense_logit(&setting, &case, |graph| {
                gate(graph, t);
                let values = graph.operators[k].values.iter_mut().zip(&operator.values);
                values.for_each(|(value, whole)| *value += by * whole);
            });
            prop_assert!(close(slopes[k], &moved), "operator {k}");

            let row = node as usize * case.n_nodes..(node as usize + 1) * case.n_nodes;
            let mut parts = vec![0.0; case.n_nodes];
            trace.neighbours(k).for_each(|(neighbour, at)| parts[neighbour as usize] = slopes[at]);
            for (neighbour, place) in row.enumerate() {
                let moved = |by: f64| dense_logit(&setting, &case, |graph| {
                    gate(graph, t);
                    graph.operators[k].values[place] += by * operator.values[place];
                });
                prop_assert!(close(parts[neighbour], &moved), "operator {k}, {neighbour}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn shares_add_up_to_what_the_graph_changed(case in split_cases()) {
        let setting = Setting::new(&case);
        let view = setting.view();
        let (node, class) = question(&case);
        let config = ExplainConfig { tolerance: 1e-6, most_points: 20_000, most_work: f64::MAX, ..Default::default() };
        let found = explainer(&setting, &view).explain(node, class, &config, &Silent).unwrap();
        let split = found.split.unwrap();
        let ends = [0.0, 1.0].map(|t| dense_logit(&setting, &case, |graph| gate(graph, t)));
        prop_assert!((split.logit_without_graph - ends[0]).abs() < 1e-10);
        prop_assert!((found.logit - ends[1]).abs() < 1e-10);
        let change = ends[1] - ends[0];
        let sum: f64 = split.shares.iter().sum();
        prop_assert!((sum - change).abs() <= 1.1e-6 * change.abs() + 1e-10, "{sum} {change}");
        prop_assert!(split.gap <= 1.1e-6 * change.abs() + 1e-10, "{}", split.gap);

        prop_assert!(split.neighbours.is_sorted_by(|a, b| a.total.abs() >= b.total.abs()));
        for neighbour in &split.neighbours {
            let total: f64 = neighbour.by_operator.iter().sum();
            prop_assert!((total - neighbour.total).abs() < 1e-12 * (1.0 + total.abs()));
        }
        for (k, share) in split.shares.iter().enumerate() {
            let near: f64 = split.neighbours.iter().map(|near| near.by_operator[k]).sum();
            prop_assert!((near + split.beyond[k] - share).abs() < 1e-12 * (1.0 + near.abs()));
        }
    }
}

fn small(conv: ConvKind, n_operators: usize, n_convs: usize) -> Case {
    Case {
        arcs: vec![(0, 1), (1, 2), (3, 2), (4, 2), (2, 5), (5, 0), (6, 1), (3, 1), (6, 2), (2, 3)],
        n_nodes: 8,
        conv,
        n_operators,
        activation: Activation::Tanh,
        dropout: vec![0.5],
        n_convs,
        seed: 2,
    }
}

fn split_of(case: &Case, config: &ExplainConfig) -> GraphSplit {
    let setting = Setting::new(case);
    let view = setting.view();
    let (node, class) = question(case);
    explainer(&setting, &view).explain(node, class, config, &Silent).unwrap().split.unwrap()
}

/// With one product between input and output nothing comes in through the rows of others.
#[test]
fn one_hop_sees_only_its_own_row() {
    let fine = ExplainConfig {
        tolerance: 1e-9,
        most_points: 20_000,
        most_work: f64::MAX,
        ..Default::default()
    };
    for (conv, n_operators) in [
        (ConvKind::Motif { order: 1, heads: 2 }, 3),
        (ConvKind::Polynomial { order: 1 }, 3),
        (ConvKind::Chebyshev { order: 1 }, 1),
        (ConvKind::Gcn, 1),
    ] {
        let near = split_of(&small(conv, n_operators, 1), &fine);
        assert!(near.beyond.iter().all(|part| part.abs() < 1e-12), "{conv:?} {near:?}");
        let far = split_of(&small(conv, n_operators, 2), &fine);
        assert!(far.beyond.iter().any(|part| part.abs() > 1e-6), "{conv:?} {far:?}");
    }
}

#[test]
fn a_coarse_split_tells_its_gap() {
    let case = small(ConvKind::Motif { order: 3, heads: 2 }, 3, 2);
    let case = Case { activation: Activation::Relu, ..case };
    let coarse =
        split_of(&case, &ExplainConfig { tolerance: 0.0, most_points: 0, ..Default::default() });
    let fine = split_of(
        &case,
        &ExplainConfig {
            tolerance: 1e-9,
            most_points: 20_000,
            most_work: f64::MAX,
            ..Default::default()
        },
    );
    assert!(fine.gap < coarse.gap && coarse.gap > 1e-9, "{} {}", fine.gap, coarse.gap);
    assert_eq!(fine.logit_without_graph, coarse.logit_without_graph);
}

#[test]
fn what_is_no_polynomial_of_operators_says_why() {
    for (conv, n_operators, expected) in [
        (ConvKind::Spectral { eigenvectors: 3 }, 0, NoSplit::Eigenvectors),
        (ConvKind::Spline { eigenvectors: 3, coefficients: 4 }, 0, NoSplit::Eigenvectors),
        (ConvKind::Monet { kernels: 2 }, 2, NoSplit::Coordinates),
    ] {
        let case = small(conv, n_operators, 2);
        let setting = Setting::new(&case);
        let view = setting.view();
        let (node, class) = question(&case);
        let found =
            explainer(&setting, &view).explain(node, class, &Default::default(), &Silent).unwrap();
        let logit = dense_logit(&setting, &case, |_| {});
        assert!((found.logit - logit).abs() < 1e-10);
        assert_eq!(found.split, Err(expected));
    }
}

#[test]
fn a_network_without_a_graph_has_no_shares() {
    let split = split_of(&small(ConvKind::Dense, 0, 2), &ExplainConfig::default());
    assert_eq!((split.shares.len(), split.neighbours.len(), split.gap), (0, 0, 0.0));
}

#[test]
fn wrong_questions_are_answered_with_what_is_there() {
    let case = small(ConvKind::Motif { order: 1, heads: 1 }, 3, 2);
    let setting = Setting::new(&case);
    let view = setting.view();
    let explainer = explainer(&setting, &view);
    let error = |node, class| {
        explainer.explain(node, class, &ExplainConfig::default(), &Silent).unwrap_err().to_string()
    };
    assert_eq!(error(8, 0), "there is no node 8: the graph has 8, numbered from 0");
    assert_eq!(error(7, 3), "there is no class 3: the network has 3, numbered from 0");

    let few = GraphView::of_operators(&view.operators[..2]);
    let new = |view, features, parameters: &[f64]| {
        Explainer::new(&setting.network, view, features, parameters).err()
    };
    let (features, parameters) = (&setting.features[..], &setting.parameters[..]);
    let size = |what, found, expected| Some(ExplainError::Size { what, found, expected });
    assert_eq!(new(&few, features, parameters), size("operators", 2, 3));
    assert_eq!(new(&view, &features[1..], parameters), size("numbers of features", 23, 21));
    assert_eq!(new(&view, &features[3..], parameters), size("nodes of an operator", 8, 7));
    let n = parameters.len();
    assert_eq!(new(&view, features, &parameters[1..]), size("parameters", n - 1, n));

    let broken = vec![f64::NAN; n];
    let explainer = Explainer::new(&setting.network, &view, features, &broken).unwrap();
    let message =
        explainer.explain(0, 1, &ExplainConfig::default(), &Silent).unwrap_err().to_string();
    assert_eq!(
        message,
        "the logit of class 1 at node 0 is NaN; look for infinite numbers among features and parameters"
    );
}

/// A network and a graph large enough for every thread to have work.
fn large(conv: ConvKind, threads: usize) -> GraphSplit {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let config = RmatConfig { n_nodes: 2048, n_arcs: 9_000, ..Default::default() };
        let list = rmat::generate(&config, 5).unwrap();
        let (graph, _) = DiGraph::build(list, &Default::default()).unwrap();
        let engine = MotifEngine::new(&graph);
        let operators: Vec<OperatorParts<f64>> = [
            (MotifKind::M10, Representation::Factored),
            (MotifKind::Out, Representation::Auto),
            (MotifKind::Undirected, Representation::Auto),
        ]
        .map(|(kind, form)| operator(&engine, kind, form))
        .into();
        let view = GraphView::of_operators(&operators.iter().collect::<Vec<_>>());
        let config = NetworkConfig { width: 17, ..NetworkConfig::paper(conv) };
        let network = Arc::new(Network::new(&config, 9, 4, operators.len()).unwrap());
        let number = |at: usize| ((at * 31) % 23) as f64 / 11.0 - 1.0;
        let features: Vec<f64> = (0..graph.n_nodes() * 9).map(number).collect();
        let parameters: Vec<f64> = network.layout().initial(1);
        let explainer = Explainer::new(&network, &view, &features, &parameters).unwrap();
        let hub = (0..graph.n_nodes() as u32).max_by_key(|&node| graph.in_neighbors(node).len());
        let config = ExplainConfig { most_points: 30, ..Default::default() };
        explainer.explain(hub.unwrap(), 1, &config, &Silent).unwrap().split.unwrap()
    })
}

#[test]
fn the_bits_of_a_split_do_not_depend_on_the_threads() {
    for conv in [ConvKind::Motif { order: 1, heads: 2 }, ConvKind::Polynomial { order: 1 }] {
        let one = large(conv, 1);
        assert!(one.neighbours.len() > 20 && one.shares.iter().all(|share| *share != 0.0));
        assert!(large(conv, 2) == one && large(conv, 4) == one, "{conv:?}");
    }
}
