//! Explanations of a trained network on a real graph.
//!
//! Runs where `MOTIFNET_DATA` names a folder of data sets; elsewhere it says that it is skipped.

#![allow(clippy::unwrap_used)]

mod common;

use std::sync::Arc;

use common::{data_folder, skip};
use motifnet::data::read_dataset;
use motifnet::motif::{MotifKind, instances};
use motifnet::nn::{ExplainConfig, Explainer, GraphView, attention};
use motifnet::progress::Silent;
use motifnet::sparse::OperatorParts;
use motifnet::train::{PreparedRun, Quiet, RunConfig, TrainConfig};

#[test]
fn papers_are_explained_by_their_citations() {
    let Some(data) = data_folder() else { return skip() };
    let dataset = read_dataset(&data.join("cora-ml"), &Silent).unwrap();
    let train = TrainConfig { epochs: 20, ..TrainConfig::default() };
    let config = RunConfig { train, ..RunConfig::default() };
    let run = PreparedRun::new(&dataset, &config, None, &Silent).unwrap();
    let split = dataset.split.as_ref().unwrap().split(&dataset.labels, 0, 1).unwrap();
    let trained = run.run(&split, 0, None, &mut Quiet).unwrap().unwrap();
    let network = Arc::new(run.network().unwrap().unwrap());
    let (features, operators) = (run.features(), run.operators());

    let parts: Vec<OperatorParts<f64>> =
        operators.parts.iter().map(OperatorParts::to_f64).collect();
    let graph = GraphView::of_operators(&parts.iter().collect::<Vec<_>>());
    let wide = |values: &[f32]| values.iter().copied().map(f64::from).collect::<Vec<_>>();
    let (values, parameters) = (wide(&features.values), wide(&trained.parameters));
    let explainer = Explainer::new(&network, &graph, &values, &parameters).unwrap();
    let nodes = &split.test()[..6];
    for &node in nodes {
        let logits = explainer.logits(node).unwrap();
        let class = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).unwrap();
        let found = explainer.explain(node, class, &ExplainConfig::default(), &Silent).unwrap();
        let split = found.split.unwrap();
        let change = found.logit - split.logit_without_graph;
        assert!(split.gap <= 1.01e-3 * change.abs(), "{node}: {} of {change}", split.gap);
        for neighbour in split.neighbours.iter().filter(|neighbour| neighbour.node != node) {
            for (&kind, &part) in operators.kinds.iter().zip(&neighbour.by_operator) {
                let pair = [node, neighbour.node];
                let n_instances =
                    instances(&dataset.graph, kind, &config.operators.spec, pair, 0).total;
                assert!(part == 0.0 || n_instances > 0, "{kind} of {pair:?} did {part}");
            }
        }
    }
    let sums = attention(&network, &parameters);
    let total: f64 = sums.iter().map(|of| of.mean).sum();
    // Two layers of order 1 with one head.
    assert!(operators.kinds.contains(&MotifKind::Undirected) && (total - 2.0).abs() < 1e-9);
}
