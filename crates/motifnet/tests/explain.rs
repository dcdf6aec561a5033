//! Explanations of a trained network on a real graph.
//!
//! Runs where `MOTIFNET_DATA` names a folder of data sets; elsewhere it says that it is skipped.

#![allow(clippy::unwrap_used)]

mod common;

use common::{data_folder, skip};
use motifnet::data::{FeatureConfig, prepare, read_dataset};
use motifnet::motif::{MotifKind, MotifSpec, instances};
use motifnet::nn::{ExplainConfig, Explainer, GraphView, attention};
use motifnet::progress::Silent;
use motifnet::sparse::OperatorParts;
use motifnet::spectral::LaplacianConfig;
use motifnet::train::{
    ModelConfig, ModelKind, Problem, Quiet, TrainConfig, build_operators, fit, predict,
};

#[test]
fn papers_are_explained_by_their_citations() {
    let Some(data) = data_folder() else { return skip() };
    let dataset = read_dataset(&data.join("cora-ml"), &Silent).unwrap();
    let features =
        prepare(&dataset.features, dataset.n_nodes(), &FeatureConfig::default(), &Silent).unwrap();
    let model = ModelConfig::paper(ModelKind::MotifnetM);
    let (spec, laplacian) = (MotifSpec::default(), LaplacianConfig::default());
    let operators =
        build_operators(&dataset.graph, &model, &spec, &laplacian, None, &Silent).unwrap();
    let split = dataset.split.as_ref().unwrap().split(&dataset.labels, 0, 1).unwrap();
    let problem = Problem {
        graph: &operators.view(),
        features: &features.values,
        n_features: features.width,
        labels: dataset.labels.of_nodes(),
        n_classes: dataset.labels.n_classes(),
        train: split.train(),
        validation: split.validation(),
        test: &[],
    };
    let config = TrainConfig { epochs: 20, ..TrainConfig::default() };
    let fitted = fit(&model.network().unwrap(), &config, &problem, &mut Quiet).unwrap();

    let parts: Vec<OperatorParts<f64>> =
        operators.parts.iter().map(OperatorParts::to_f64).collect();
    let graph = GraphView::of_operators(&parts.iter().collect::<Vec<_>>());
    let wide = |values: &[f32]| values.iter().copied().map(f64::from).collect::<Vec<_>>();
    let (values, parameters) = (wide(&features.values), wide(&fitted.parameters));
    let explainer = Explainer::new(&fitted.network, &graph, &values, &parameters).unwrap();
    let nodes = &split.test()[..6];
    let classes = predict(&fitted, &problem, nodes);
    for (&node, class) in nodes.iter().zip(classes) {
        let found = explainer.explain(node, class as usize, &ExplainConfig::default()).unwrap();
        let split = found.split.unwrap();
        let change = found.logit - split.logit_without_graph;
        assert!(split.gap <= 1.01e-3 * change.abs(), "{node}: {} of {change}", split.gap);
        for neighbour in split.neighbours.iter().filter(|neighbour| neighbour.node != node) {
            for (&kind, &part) in operators.kinds.iter().zip(&neighbour.by_operator) {
                let pair = [node, neighbour.node];
                let n_instances = instances(&dataset.graph, kind, &spec, pair, 0).total;
                assert!(part == 0.0 || n_instances > 0, "{kind} of {pair:?} did {part}");
            }
        }
    }
    let sums = attention(&fitted.network, &parameters);
    let total: f64 = sums.iter().map(|of| of.mean).sum();
    // Two layers of order 1 with one head.
    assert!(operators.kinds.contains(&MotifKind::Undirected) && (total - 2.0).abs() < 1e-9);
}
