//! A labelled graph in figures that do not depend on its size, so that two can be compared.

use serde::Serialize;

use super::{ClassFlow, LabelAgreement};
use crate::data::Labels;
use crate::graph::{DiGraph, GraphSummary};
use crate::motif::{MotifEngine, MotifKind, N_TRIADS};

/// The shape of a labelled graph: degrees, components, motifs, and how labels go along with them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphProfile {
    /// Counts, reciprocity and components.
    pub summary: GraphSummary,
    /// Arcs that leave a node.
    pub out_degrees: DegreeProfile,
    /// Arcs that enter a node.
    pub in_degrees: DegreeProfile,
    /// Induced instances of M1 to M13 for each arc of the graph.
    pub motifs_per_arc: [f64; N_TRIADS],
    /// Labels along arcs and within motifs.
    pub agreement: LabelAgreement,
    /// Arcs between classes.
    pub flow: ClassFlow,
}

/// How degrees are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DegreeProfile {
    /// Share of the nodes with degree 0.
    pub zero: f64,
    /// Share of the nodes with degree 1.
    pub one: f64,
    /// The degree that 90 % of the nodes do not exceed.
    pub p90: usize,
    /// The degree that 99 % of the nodes do not exceed.
    pub p99: usize,
    /// The degree that 99.9 % of the nodes do not exceed.
    pub p999: usize,
    /// The largest.
    pub max: usize,
}

/// One figure of a profile, and how it is to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistic {
    /// What it is.
    pub name: String,
    /// The figure; NaN where it is a share of nothing.
    pub value: f64,
    /// Whether it is a share, of which differences tell, rather than an amount, of which ratios do.
    pub is_share: bool,
}

impl GraphProfile {
    /// The profile of a graph that has arcs. Time O(edges^1.5 + arcs · classes).
    pub fn of(graph: &DiGraph, labels: &Labels) -> Self {
        let engine = MotifEngine::new(graph);
        let census = engine.census();
        let per_arc =
            |kind: MotifKind| census.motif(kind).unwrap_or_default() as f64 / graph.n_arcs() as f64;
        let nodes = || 0..graph.n_nodes() as u32;
        Self {
            summary: GraphSummary::of(graph),
            out_degrees: DegreeProfile::of(
                nodes().map(|node| graph.out_neighbors(node).len()).collect(),
            ),
            in_degrees: DegreeProfile::of(
                nodes().map(|node| graph.in_neighbors(node).len()).collect(),
            ),
            motifs_per_arc: MotifKind::triads().map(per_arc),
            agreement: LabelAgreement::of(&engine, labels),
            flow: ClassFlow::of(graph, labels),
        }
    }

    /// Every figure with its name, in a fixed order.
    pub fn statistics(&self) -> Vec<Statistic> {
        let mut statistics = Vec::new();
        let mut tell = |name: &str, value: f64, is_share: bool| {
            statistics.push(Statistic { name: name.to_owned(), value, is_share });
        };
        let (summary, n_nodes) = (&self.summary, self.summary.n_nodes as f64);
        tell("arcs a node", summary.n_arcs as f64 / n_nodes, false);
        tell("reciprocated arcs", summary.reciprocity.unwrap_or(f64::NAN), true);
        for (kind, degrees) in [("out", &self.out_degrees), ("in", &self.in_degrees)] {
            tell(&format!("{kind}-degree 0"), degrees.zero, true);
            tell(&format!("{kind}-degree 1"), degrees.one, true);
            for (what, value) in [
                ("90 %", degrees.p90),
                ("99 %", degrees.p99),
                ("99.9 %", degrees.p999),
                ("largest", degrees.max),
            ] {
                tell(&format!("{kind}-degree, {what}"), value as f64, false);
            }
        }
        let isolated = summary.n_isolated_nodes as f64 / n_nodes;
        tell("isolated nodes", isolated, true);
        let largest = |n_nodes_of: usize| n_nodes_of as f64 / n_nodes;
        tell("largest weak component", largest(summary.weak_components.largest), true);
        tell("largest strong component", largest(summary.strong_components.largest), true);
        for (kind, per_arc) in MotifKind::triads().into_iter().zip(self.motifs_per_arc) {
            tell(&format!("{kind} an arc"), per_arc, false);
        }
        let agreement = &self.agreement;
        tell("agreement along arcs", agreement.along_arcs, true);
        tell("agreement with the cited, mean of nodes", agreement.with_targets, true);
        tell("agreement with the citing, mean of nodes", agreement.with_sources, true);
        for (kind, share) in &agreement.of_pairs {
            tell(&format!("agreement of {kind}'s pairs"), *share, true);
        }
        tell("asymmetry of arcs between classes", self.flow.asymmetry, true);
        tell("other classes that a class cites", self.flow.partners, false);
        statistics
    }
}

impl DegreeProfile {
    fn of(mut degrees: Vec<usize>) -> Self {
        degrees.sort_unstable();
        let n_nodes = degrees.len();
        let share = |degree: usize| {
            let below = |bound| degrees.partition_point(|&degree| degree < bound);
            (below(degree + 1) - below(degree)) as f64 / n_nodes.max(1) as f64
        };
        let quantile = |thousandths: usize| {
            let place = (n_nodes * thousandths).div_ceil(1000).max(1) - 1;
            degrees.get(place).copied().unwrap_or_default()
        };
        Self {
            zero: share(0),
            one: share(1),
            p90: quantile(900),
            p99: quantile(990),
            p999: quantile(999),
            max: quantile(1000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{BuildOptions, EdgeList};

    #[test]
    fn degrees_are_told_by_quantiles() {
        let degrees = (1..=1000).rev().collect();
        let expected =
            DegreeProfile { zero: 0.0, one: 0.001, p90: 900, p99: 990, p999: 999, max: 1000 };
        assert_eq!(DegreeProfile::of(degrees), expected);
        assert_eq!(DegreeProfile::of(vec![0, 0, 0, 4]).zero, 0.75);
        assert_eq!(DegreeProfile::of(Vec::new()).max, 0);
    }

    #[test]
    fn a_profile_is_told_figure_by_figure() {
        let arcs = EdgeList::from_pairs(4, [(0, 1), (1, 2), (0, 2), (2, 0)]);
        let (graph, _) = DiGraph::build(arcs, &BuildOptions::default()).unwrap();
        let labels = Labels::from_names([Some("a"), Some("a"), Some("b"), Some("b")]);
        let profile = GraphProfile::of(&graph, &labels);
        let statistics = profile.statistics();
        let of = |name: &str| statistics.iter().find(|known| known.name == name).unwrap().value;
        assert_eq!((of("arcs a node"), of("reciprocated arcs")), (1.0, 0.5));
        assert_eq!((of("isolated nodes"), of("largest weak component")), (0.25, 0.75));
        assert_eq!((of("M2 an arc"), of("M5 an arc")), (0.25, 0.0));
        assert_eq!((of("agreement along arcs"), of("agreement of Md's pairs")), (0.25, 0.0));
        assert_eq!(of("out-degree, largest"), 2.0);
    }
}
