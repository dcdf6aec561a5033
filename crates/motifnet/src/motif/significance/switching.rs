//! A graph that is changed by switches, each as likely as the one that undoes it.

use rand_chacha::ChaCha8Rng;

use crate::graph::generate::stream::below;
use crate::graph::{DiGraph, EdgeList};

/// One switch in so many is of a rare kind: most do with the plain one, but some graphs cannot be reached
/// from each other by it.
pub(super) const RARE_ONE_IN: u64 = 8;

/// Switches between one look and the next at whether it is enough: some milliseconds.
const BLOCK: u64 = 1 << 16;

/// A graph that switches are tried on.
///
/// What is not allowed leaves the graph as it is, and counts as a switch, too: only so is every graph as likely
/// as any other in the end.
pub(super) trait Switching {
    /// Tries one switch; whether it changed the graph.
    fn try_one(&mut self, rng: &mut ChaCha8Rng) -> bool;

    /// The arcs as they are now.
    fn arcs(&self) -> EdgeList;

    /// Tries so many switches; the number of those that changed the graph. `None` if it was to stop on the way.
    fn switch(
        &mut self,
        n_switches: u64,
        rng: &mut ChaCha8Rng,
        is_to_stop: &dyn Fn() -> bool,
    ) -> Option<u64> {
        let (mut n_left, mut n_done) = (n_switches, 0);
        while n_left > 0 {
            if is_to_stop() {
                return None;
            }
            let block = n_left.min(BLOCK);
            n_done += (0..block).map(|_| u64::from(self.try_one(rng))).sum::<u64>();
            n_left -= block;
        }
        Some(n_done)
    }

    /// The graph as it is now.
    fn graph(&self) -> DiGraph {
        let built = DiGraph::build_planned(self.arcs(), &Default::default());
        built.expect("the nodes are those of a graph").0
    }
}

/// K numbers below `bound`.
pub(super) fn draw<const K: usize>(bound: usize, rng: &mut ChaCha8Rng) -> [usize; K] {
    std::array::from_fn(|_| below(rng, bound as u64) as usize)
}

/// Whether the sources of all arcs differ, and their targets. Then no arc that turning makes is among those
/// that it takes away.
pub(super) fn are_apart<const K: usize>(arcs: &[(u32, u32); K]) -> bool {
    let mut pairs = (0..K).flat_map(|first| (first + 1..K).map(move |second| (first, second)));
    pairs.all(|(a, b)| arcs[a].0 != arcs[b].0 && arcs[a].1 != arcs[b].1)
}

/// Every source with the target of the next arc.
pub(super) fn turned<const K: usize>(arcs: &[(u32, u32); K]) -> [(u32, u32); K] {
    std::array::from_fn(|at| (arcs[at].0, arcs[(at + 1) % K].1))
}
