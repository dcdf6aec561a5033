//! Edge totals under the weights `mean` and `product`: one walk over the common neighbours of
//! every edge, in a fixed order, so that sums come out the same for any number of threads.

use super::dyad::Dyad;
use super::edge_totals::{Around, EdgeTotals, WeightedTotals};
use super::{MotifEngine, MotifSpec, Pattern, PatternEntry};
use crate::graph::DiGraph;
use crate::sparse::rows::fill_rows;

/// The weights of the arcs behind every entry of a [`Pattern`].
#[derive(Debug)]
pub(super) struct EntryWeights {
    /// Weight of the arc to the neighbour and of the arc back; 0 where there is none.
    both_ways: Vec<[f32; 2]>,
}

impl EntryWeights {
    pub(super) fn new(graph: &DiGraph, pattern: &Pattern) -> Self {
        let mut both_ways = Vec::with_capacity(2 * pattern.n_edges());
        let weight = |weights: Option<&[f32]>, position: usize| {
            weights.map_or(1.0, |weights| weights[position])
        };
        let (outgoing, incoming) = (graph.outgoing(), graph.incoming());
        for node in 0..graph.n_nodes() {
            let mut forward = outgoing.range(node as u32).peekable();
            let mut backward = incoming.range(node as u32).peekable();
            for &neighbor in pattern.neighbors_of(node) {
                let to = forward.next_if(|&at| outgoing.neighbors()[at] == neighbor);
                let from = backward.next_if(|&at| incoming.neighbors()[at] == neighbor);
                both_ways.push([
                    to.map_or(0.0, |at| weight(outgoing.weights(), at)),
                    from.map_or(0.0, |at| weight(incoming.weights(), at)),
                ]);
            }
        }
        Self { both_ways }
    }

    pub(super) fn dyad(&self, pattern: &Pattern, position: usize) -> Dyad {
        let [forward, backward] = self.both_ways[position];
        Dyad::new(pattern.entry(position).relation, forward.into(), backward.into())
    }
}

/// Everything the weighted totals of a graph are made of.
pub(super) struct WeightedEdges<'a> {
    pattern: &'a Pattern,
    weights: &'a EntryWeights,
    around: Vec<Around>,
    spec: &'a MotifSpec,
}

impl<'a> WeightedEdges<'a> {
    pub(super) fn new(
        engine: &'a MotifEngine<'_>,
        weights: &'a EntryWeights,
        spec: &'a MotifSpec,
    ) -> Self {
        let pattern = &**engine.pattern();
        let mut around = vec![Around::default(); pattern.n_nodes()];
        fill_rows(pattern.offsets(), 1, &mut around, |node, slot| {
            for position in pattern.offsets()[node]..pattern.offsets()[node + 1] {
                slot[0].add(&weights.dyad(pattern, position), spec.instances);
            }
        });
        Self { pattern, weights, around, spec }
    }

    /// The totals of the edge of `entry`, which is in the row of `node`.
    pub(super) fn totals(&self, node: usize, entry: PatternEntry) -> EdgeTotals {
        let edge = self.weights.dyad(self.pattern, entry.position);
        let other = entry.neighbor as usize;
        let mut totals = WeightedTotals::new(self.spec, edge);
        self.pattern.for_each_common(node, other, |here, there| {
            let dyad = |position| self.weights.dyad(self.pattern, position);
            totals.add(dyad(here), dyad(there));
        });
        totals.finish(&self.around[node], &self.around[other])
    }
}
