//! Switches of pairs of nodes: every node keeps its numbers of neighbours by relation.

use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use super::quads::{PAIRS, QuadCode, Quads};
use super::switching::{RARE_ONE_IN, Switching, are_apart, draw, turned};
use crate::graph::generate::stream::{below, unit};
use crate::graph::{DiGraph, EdgeList};

/// Two one-way arcs a→b, c→d become a→d, c→b, or two mutual ones likewise, where a and d, c and b have no arc
/// between them (Milo et al. 2002). Now and then three are turned round like that, or four nodes are dealt their
/// arcs anew: a mutual pair may have to go where one-way arcs are, and those elsewhere. All graphs that can be reached
/// are as likely as each other; that all can be, no set of such moves is known to give (see the tests).
///
/// Memory about 40 bytes an edge.
#[derive(Clone)]
pub(super) struct PairSwitching {
    n_nodes: usize,
    edges: Vec<Edge>,
    /// The number of the edge between two nodes.
    numbers: FxHashMap<u64, u32>,
}

/// Two nodes with arcs between them. A one-way arc goes from the first to the second.
#[derive(Clone, Copy)]
struct Edge {
    ends: (u32, u32),
    is_mutual: bool,
}

impl PairSwitching {
    pub(super) fn new(graph: &DiGraph) -> Self {
        let edge = |(source, target, _): (u32, u32, f32)| {
            let is_mutual = graph.has_arc(target, source);
            // A mutual pair stands once.
            let is_first = !is_mutual || source < target;
            is_first.then_some(Edge { ends: (source, target), is_mutual })
        };
        let edges: Vec<Edge> = graph.arcs().filter_map(edge).collect();
        let numbered = edges.iter().zip(0..);
        let numbers = numbered.map(|(edge, number)| (key(edge.ends), number)).collect();
        Self { n_nodes: graph.n_nodes(), edges, numbers }
    }

    fn remove(&mut self, number: usize) {
        self.numbers.remove(&key(self.edges[number].ends));
    }

    fn put(&mut self, number: usize, edge: Edge) {
        self.edges[number] = edge;
        self.numbers.insert(key(edge.ends), number as u32);
    }

    fn turn<const K: usize>(&mut self, entries: [usize; K], rng: &mut ChaCha8Rng) -> bool {
        let is_mutual = self.edges[entries[0]].is_mutual;
        if entries.iter().any(|&entry| self.edges[entry].is_mutual != is_mutual) {
            return false;
        }
        // A mutual pair has no direction: either end may be the source.
        let old = entries.map(|entry| {
            let (here, there) = self.edges[entry].ends;
            if is_mutual && below(rng, 2) == 1 { (there, here) } else { (here, there) }
        });
        let new = turned(&old);
        // An arc may come to where another of the three was, the other way round.
        let is_free = |&ends: &(u32, u32)| {
            let taken = self.numbers.get(&key(ends)).map(|&number| number as usize);
            ends.0 != ends.1 && taken.is_none_or(|number| entries.contains(&number))
        };
        if !are_apart(&old) || !new.iter().all(is_free) || (is_mutual && is_same(&old, &new)) {
            return false;
        }
        entries.iter().for_each(|&entry| self.remove(entry));
        for (entry, ends) in entries.into_iter().zip(new) {
            self.put(entry, Edge { ends, is_mutual });
        }
        true
    }

    /// Deals the ends of two edges all the arcs among them anew.
    fn deal(&mut self, entries: [usize; 2], rng: &mut ChaCha8Rng) -> bool {
        let [(a, b), (c, d)] = entries.map(|entry| self.edges[entry].ends);
        if [c, d].contains(&a) || [c, d].contains(&b) {
            return false;
        }
        // In the order of their numbers: a code is then of the nodes, however they came to be drawn.
        let mut nodes = [a, b, c, d];
        nodes.sort_unstable();
        let (code, numbers) = self.code(&nodes);
        let alike = Quads::get().alike(code);
        let other = alike[below(rng, alike.len() as u64) as usize];
        // Four nodes are drawn the more often the more of their edges lie apart.
        let chance = other.n_matchings() as f64 / code.n_matchings() as f64;
        if other == code || unit(rng) > chance {
            return false;
        }
        let mut numbers = numbers.into_iter().flatten().collect::<Vec<usize>>().into_iter();
        numbers.clone().for_each(|number| self.remove(number));
        for (pair, (low, high)) in PAIRS.into_iter().enumerate() {
            let (low, high) = (nodes[low], nodes[high]);
            let edge = match other.relation(pair) {
                0b01 => Edge { ends: (low, high), is_mutual: false },
                0b10 => Edge { ends: (high, low), is_mutual: false },
                0b11 => Edge { ends: (low, high), is_mutual: true },
                _ => continue,
            };
            // Degrees by relation are the same, so there are as many edges.
            if let Some(number) = numbers.next() {
                self.put(number, edge);
            }
        }
        true
    }

    /// The arcs among four nodes, and the numbers of the edges that they are.
    fn code(&self, nodes: &[u32; 4]) -> (QuadCode, [Option<usize>; 6]) {
        let numbers = PAIRS.map(|(low, high)| {
            self.numbers.get(&key((nodes[low], nodes[high]))).map(|&number| number as usize)
        });
        let relations = std::array::from_fn(|pair| {
            let Some(number) = numbers[pair] else { return 0 };
            let edge = self.edges[number];
            match (edge.is_mutual, edge.ends.0 == nodes[PAIRS[pair].0]) {
                (true, _) => 0b11,
                (false, true) => 0b01,
                (false, false) => 0b10,
            }
        });
        (QuadCode::new(relations), numbers)
    }
}

/// The same for both orders of the ends.
fn key((a, b): (u32, u32)) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// Whether these are the same pairs of nodes: a triangle of mutual pairs turned round is the same.
fn is_same<const K: usize>(old: &[(u32, u32); K], new: &[(u32, u32); K]) -> bool {
    new.iter().all(|&ends| old.iter().any(|&other| key(other) == key(ends)))
}

impl Switching for PairSwitching {
    fn try_one(&mut self, rng: &mut ChaCha8Rng) -> bool {
        let n_edges = self.edges.len();
        match below(rng, RARE_ONE_IN) {
            _ if n_edges == 0 => false,
            0 => self.turn::<3>(draw(n_edges, rng), rng),
            1 => self.deal(draw(n_edges, rng), rng),
            _ => self.turn::<2>(draw(n_edges, rng), rng),
        }
    }

    fn arcs(&self) -> EdgeList {
        let arcs = self.edges.iter().flat_map(|&Edge { ends: (a, b), is_mutual }| {
            [Some((a, b)), is_mutual.then_some((b, a))].into_iter().flatten()
        });
        EdgeList::from_pairs(self.n_nodes, arcs)
    }
}
