//! The figures that describe a graph at a glance.

use super::DiGraph;
use crate::memory::{MemoryError, Need};

/// What `motifnet` tells of a graph before anything is computed from it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct GraphSummary {
    /// Number of nodes.
    pub n_nodes: usize,
    /// Number of arcs.
    pub n_arcs: usize,
    /// Number of arcs whose reverse is an arc too.
    pub n_reciprocated_arcs: usize,
    /// Share of the arcs whose reverse is an arc too; `None` without arcs.
    pub reciprocity: Option<f64>,
    /// Number of nodes without arcs.
    pub n_isolated_nodes: usize,
    /// Whether the arcs have weights.
    pub is_weighted: bool,
    /// Facts about the weights; `None` without weights or without arcs.
    pub weights: Option<WeightSummary>,
    /// Arcs that leave a node.
    pub out_degree: DegreeSummary,
    /// Arcs that enter a node.
    pub in_degree: DegreeSummary,
    /// Arcs that leave or enter a node.
    pub total_degree: DegreeSummary,
    /// Components with directions ignored.
    pub weak_components: ComponentSummary,
    /// Components of nodes that reach each other.
    pub strong_components: ComponentSummary,
}

/// Facts about the weights of the arcs.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct WeightSummary {
    /// The smallest.
    pub min: f32,
    /// The largest.
    pub max: f32,
    /// Their sum.
    pub sum: f64,
}

/// Facts about one kind of degree; all 0 without nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct DegreeSummary {
    /// The smallest.
    pub min: usize,
    /// The middle one, or the mean of the middle two.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The largest.
    pub max: usize,
}

/// Facts about one kind of component.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct ComponentSummary {
    /// How many there are.
    pub n_components: usize,
    /// Number of nodes of the largest.
    pub largest: usize,
}

impl GraphSummary {
    /// What describing a graph takes: the strong components, for whom a node has what the search and the sizes know
    /// of it; the degrees have gone by then.
    pub fn need(n_nodes: usize) -> Need {
        Need {
            what: "describing the graph",
            n_bytes: 46 * n_nodes as u64,
            remedy: "take a smaller graph",
        }
    }

    /// Describes `graph`, if there is memory for it.
    ///
    /// # Errors
    /// If there is not, as far as can be told.
    pub fn planned(graph: &DiGraph) -> Result<Self, MemoryError> {
        Self::need(graph.n_nodes()).check()?;
        Ok(Self::of(graph))
    }

    /// Describes `graph`. Time O(nodes + arcs), memory O(nodes).
    pub fn of(graph: &DiGraph) -> Self {
        let (n_nodes, n_arcs) = (graph.n_nodes(), graph.n_arcs());
        let nodes = 0..n_nodes as u32;
        let out_degrees: Vec<usize> =
            nodes.clone().map(|node| graph.out_neighbors(node).len()).collect();
        let in_degrees: Vec<usize> = nodes.map(|node| graph.in_neighbors(node).len()).collect();
        let totals: Vec<usize> =
            out_degrees.iter().zip(&in_degrees).map(|(out, into)| out + into).collect();
        let n_reciprocated_arcs = graph.n_reciprocated_arcs();
        let summary = |components: super::Components| ComponentSummary {
            n_components: components.len(),
            largest: components.largest(),
        };
        Self {
            n_nodes,
            n_arcs,
            n_reciprocated_arcs,
            reciprocity: (n_arcs > 0).then(|| n_reciprocated_arcs as f64 / n_arcs as f64),
            n_isolated_nodes: totals.iter().filter(|&&degree| degree == 0).count(),
            is_weighted: graph.is_weighted(),
            weights: graph.outgoing().weights().and_then(WeightSummary::of),
            out_degree: DegreeSummary::of(out_degrees),
            in_degree: DegreeSummary::of(in_degrees),
            total_degree: DegreeSummary::of(totals),
            weak_components: summary(graph.weak_components()),
            strong_components: summary(graph.strong_components()),
        }
    }
}

impl WeightSummary {
    fn of(weights: &[f32]) -> Option<Self> {
        let first = *weights.first()?;
        Some(Self {
            min: weights.iter().copied().fold(first, f32::min),
            max: weights.iter().copied().fold(first, f32::max),
            sum: weights.iter().copied().map(f64::from).sum(),
        })
    }
}

impl DegreeSummary {
    fn of(mut degrees: Vec<usize>) -> Self {
        if degrees.is_empty() {
            return Self::default();
        }
        let n = degrees.len();
        let mean = degrees.iter().sum::<usize>() as f64 / n as f64;
        let max = degrees.iter().copied().fold(0, usize::max);
        let min = degrees.iter().copied().fold(max, usize::min);
        let (below, &mut upper, _) = degrees.select_nth_unstable(n / 2);
        let lower = match below.iter().max() {
            Some(&lower) if n.is_multiple_of(2) => lower,
            _ => upper,
        };
        Self { min, median: (lower as f64 + upper as f64) / 2.0, mean, max }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::{BuildOptions, EdgeList};

    fn summary(arcs: EdgeList) -> GraphSummary {
        GraphSummary::of(&DiGraph::build(arcs, &BuildOptions::default()).unwrap().0)
    }

    #[test]
    fn a_small_graph_is_described() {
        let arcs = [(0, 1, 2.0), (1, 0, -0.5), (1, 2, 1.0), (1, 3, 4.0)];
        let summary = summary(EdgeList::from_triples(5, arcs));
        insta::assert_snapshot!(serde_json::to_string_pretty(&summary).unwrap(), @r#"
        {
          "n_nodes": 5,
          "n_arcs": 4,
          "n_reciprocated_arcs": 2,
          "reciprocity": 0.5,
          "n_isolated_nodes": 1,
          "is_weighted": true,
          "weights": {
            "min": -0.5,
            "max": 4.0,
            "sum": 6.5
          },
          "out_degree": {
            "min": 0,
            "median": 0.0,
            "mean": 0.8,
            "max": 3
          },
          "in_degree": {
            "min": 0,
            "median": 1.0,
            "mean": 0.8,
            "max": 1
          },
          "total_degree": {
            "min": 0,
            "median": 1.0,
            "mean": 1.6,
            "max": 4
          },
          "weak_components": {
            "n_components": 2,
            "largest": 4
          },
          "strong_components": {
            "n_components": 4,
            "largest": 2
          }
        }
        "#);
    }

    #[test]
    fn no_nodes_and_no_arcs_are_described_too() {
        let nothing = summary(EdgeList::default());
        assert_eq!((nothing.n_nodes, nothing.reciprocity, nothing.weights), (0, None, None));
        assert_eq!(nothing.total_degree, DegreeSummary::default());
        let lonely = summary(EdgeList::from_triples(3, []));
        assert_eq!((lonely.n_isolated_nodes, lonely.is_weighted), (3, true));
        assert_eq!(lonely.weights, None);
        assert_eq!(lonely.weak_components, ComponentSummary { n_components: 3, largest: 1 });
    }

    proptest! {
        #[test]
        fn degrees_are_those_of_a_sorted_list(degrees in prop::collection::vec(0_usize..50, 1..40)) {
            let mut sorted = degrees.clone();
            sorted.sort_unstable();
            let n = sorted.len();
            let expected = DegreeSummary {
                min: sorted[0],
                median: (sorted[(n - 1) / 2] + sorted[n / 2]) as f64 / 2.0,
                mean: sorted.iter().sum::<usize>() as f64 / n as f64,
                max: sorted[n - 1],
            };
            prop_assert_eq!(DegreeSummary::of(degrees), expected);
        }
    }
}
