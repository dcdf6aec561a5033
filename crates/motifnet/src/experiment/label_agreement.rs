//! How often nodes that belong together have the same label.

use serde::Serialize;

use crate::data::Labels;
use crate::graph::DiGraph;
use crate::motif::{MotifEngine, MotifKind, MotifSpec, Representation};
use crate::sparse::LinearOperator;

/// Classes multiplied at a time: 128 bytes a node.
const WIDTH: usize = 16;

/// How often labelled nodes agree with those that they are joined to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelAgreement {
    /// Share of the arcs whose ends agree.
    pub along_arcs: f64,
    /// Mean, over the nodes that point at any, of the share of those that agree with the node.
    pub with_targets: f64,
    /// Mean, over the nodes that any points at, of the share of those that agree with the node.
    pub with_sources: f64,
    /// Share of the pairs of each operator's matrix W (`pairs`, induced, counts) that agree, by
    /// weight: Σ w_ij [y_i = y_j] / Σ w_ij.
    pub of_pairs: Vec<(MotifKind, f64)>,
}

impl LabelAgreement {
    /// The operators that are looked at: pairs joined both ways, M1 to M13, and the leaves of M10
    /// and of M8.
    fn kinds() -> impl Iterator<Item = MotifKind> {
        let [both, leaves @ ..] = [MotifKind::Double, MotifKind::Colliders, MotifKind::Expanders];
        [both].into_iter().chain(MotifKind::triads()).chain(leaves)
    }

    /// The agreement on the graph of `engine`; a share of nothing is NaN.
    ///
    /// With 1_c the nodes of class c, Σ w_ij [y_i = y_j] = Σ_c 1_cᵀ W 1_c: one multiplication a
    /// class, O(arcs · classes) time an operator, and no pair is ever enumerated.
    pub fn of(engine: &MotifEngine<'_>, labels: &Labels) -> Self {
        let graph = engine.graph();
        let kinds: Vec<MotifKind> = Self::kinds().collect();
        let spec = MotifSpec::default();
        let operators = engine.operators(&kinds, &spec, Representation::Auto);
        let shares = operators.iter().map(|operator| share_of_pairs(operator, labels));
        Self {
            along_arcs: along_arcs(graph, labels),
            with_targets: mean_share(graph, labels, DiGraph::out_neighbors),
            with_sources: mean_share(graph, labels, DiGraph::in_neighbors),
            of_pairs: kinds.iter().copied().zip(shares).collect(),
        }
    }
}

fn along_arcs(graph: &DiGraph, labels: &Labels) -> f64 {
    let (mut agree, mut all) = (0.0, 0.0);
    for (source, target, _) in graph.arcs() {
        if let (Some(a), Some(b)) = (labels.of(source), labels.of(target)) {
            agree += f64::from(u8::from(a == b));
            all += 1.0;
        }
    }
    agree / all
}

fn mean_share(
    graph: &DiGraph,
    labels: &Labels,
    neighbors: impl for<'g> Fn(&'g DiGraph, u32) -> &'g [u32],
) -> f64 {
    let (mut sum, mut n_nodes) = (0.0, 0.0);
    for node in labels.labelled() {
        let others = neighbors(graph, node).iter().filter_map(|&other| labels.of(other));
        let (mut agree, mut all) = (0.0, 0.0);
        for class in others {
            agree += f64::from(u8::from(labels.of(node) == Some(class)));
            all += 1.0;
        }
        if all > 0.0 {
            sum += agree / all;
            n_nodes += 1.0;
        }
    }
    sum / n_nodes
}

/// Σ_c 1_cᵀ W 1_c / 1ᵀ W 1 over the labelled nodes.
fn share_of_pairs(operator: &impl LinearOperator<f64>, labels: &Labels) -> f64 {
    let n_nodes = operator.n_rows();
    let (mut agree, mut all) = (0.0, 0.0);
    for first in (0..labels.n_classes()).step_by(WIDTH) {
        let column = |node: u32| {
            let class = labels.of(node)? as usize;
            (first..first + WIDTH).contains(&class).then(|| class - first)
        };
        let mut members = vec![0.0; n_nodes * WIDTH];
        for node in labels.labelled() {
            if let Some(column) = column(node) {
                members[node as usize * WIDTH + column] = 1.0;
            }
        }
        let joined = operator.apply(&members, WIDTH);
        for node in labels.labelled() {
            let row = &joined[node as usize * WIDTH..][..WIDTH];
            all += row.iter().sum::<f64>();
            agree += column(node).map_or(0.0, |column| row[column]);
        }
    }
    agree / all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::{BuildOptions, EdgeList};
    use crate::sparse::CsrMatrix;

    fn graph(n_nodes: usize, arcs: &[(u32, u32)]) -> DiGraph {
        let arcs = EdgeList::from_pairs(n_nodes, arcs.iter().copied());
        DiGraph::build(arcs, &BuildOptions::default()).unwrap().0
    }

    #[test]
    fn a_small_graph_agrees_as_counted_by_hand() {
        // 0 → 1 → 2, 0 → 2 and 3 → 2; 0 and 1 are of one class, 2 of another, 3 of none.
        let graph = graph(4, &[(0, 1), (1, 2), (0, 2), (3, 2)]);
        let labels = Labels::from_names([Some("a"), Some("a"), Some("b"), None]);
        let agreement = LabelAgreement::of(&MotifEngine::new(&graph), &labels);
        assert_eq!(agreement.along_arcs, 1.0 / 3.0);
        assert_eq!((agreement.with_targets, agreement.with_sources), (0.25, 0.5));
        let of = |kind| agreement.of_pairs.iter().find(|of| of.0 == kind).unwrap().1;
        assert_eq!(of(MotifKind::M5), 1.0 / 3.0);
        // The wedges 0 → 2 ← 3 and 1 → 2 ← 3 count for their labelled pairs alone.
        assert_eq!(of(MotifKind::M10), 0.0);
        assert!(of(MotifKind::Double).is_nan());
    }

    proptest! {
        #[test]
        fn shares_are_those_of_all_entries(
            arcs in prop::collection::vec((0_u32..12, 0_u32..12), 0..60),
            classes in prop::collection::vec(prop::option::of(0_u32..20), 12),
        ) {
            let graph = graph(12, &arcs);
            let names = (0..20).map(|class| format!("{class:02}")).collect();
            let labels = Labels::new(names, classes).unwrap();
            let engine = MotifEngine::new(&graph);
            for (kind, share) in LabelAgreement::of(&engine, &labels).of_pairs {
                let operator = engine.operator(kind, &MotifSpec::default());
                let matrix: CsrMatrix = operator.to_csr(1000).unwrap();
                let (mut agree, mut all) = (0.0, 0.0);
                for row in 0..12 {
                    let (columns, values) = matrix.row(row);
                    for (&column, &value) in columns.iter().zip(values) {
                        if let (Some(a), Some(b)) = (labels.of(row as u32), labels.of(column)) {
                            all += value;
                            agree += if a == b { value } else { 0.0 };
                        }
                    }
                }
                prop_assert!(share == agree / all || share.is_nan() && all == 0.0, "{kind}: {share}");
            }
        }
    }
}
