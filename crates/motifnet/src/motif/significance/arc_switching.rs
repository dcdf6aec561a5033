//! Switches of arcs: every node keeps its numbers of arcs in and out.

use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use super::switching::{RARE_ONE_IN, Switching, are_apart, draw, turned};
use crate::graph::generate::stream::below;
use crate::graph::{DiGraph, EdgeList};

/// a→b, c→d become a→d, c→b; now and then three arcs are turned round like that, without which the two cycles on
/// three nodes, and graphs that contain such, could not be reached from each other (Rao, Jana, Bandyopadhyay 1996;
/// Erdős, Miklós, Toroczkai 2010). With it all graphs with these degrees can.
///
/// Memory about 26 bytes an arc.
#[derive(Clone)]
pub(super) struct ArcSwitching {
    n_nodes: usize,
    arcs: Vec<(u32, u32)>,
    present: FxHashSet<u64>,
}

impl ArcSwitching {
    pub(super) fn new(graph: &DiGraph) -> Self {
        let arcs: Vec<(u32, u32)> =
            graph.arcs().map(|(source, target, _)| (source, target)).collect();
        let present = arcs.iter().map(|&arc| key(arc)).collect();
        Self { n_nodes: graph.n_nodes(), arcs, present }
    }

    fn turn<const K: usize>(&mut self, entries: [usize; K]) -> bool {
        let old = entries.map(|entry| self.arcs[entry]);
        let new = turned(&old);
        let is_free = |&(source, target): &(u32, u32)| {
            source != target && !self.present.contains(&key((source, target)))
        };
        if !are_apart(&old) || !new.iter().all(is_free) {
            return false;
        }
        for at in 0..K {
            self.present.remove(&key(old[at]));
            self.present.insert(key(new[at]));
            self.arcs[entries[at]] = new[at];
        }
        true
    }
}

fn key((source, target): (u32, u32)) -> u64 {
    u64::from(source) << 32 | u64::from(target)
}

impl Switching for ArcSwitching {
    fn try_one(&mut self, rng: &mut ChaCha8Rng) -> bool {
        let n_arcs = self.arcs.len();
        match below(rng, RARE_ONE_IN) {
            _ if n_arcs == 0 => false,
            0 => self.turn::<3>(draw(n_arcs, rng)),
            _ => self.turn::<2>(draw(n_arcs, rng)),
        }
    }

    fn arcs(&self) -> EdgeList {
        EdgeList::from_pairs(self.n_nodes, self.arcs.iter().copied())
    }
}
