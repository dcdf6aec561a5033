//! The sixteen classes of triads and how many there are of each.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::kind::N_TRIADS;
use super::{MotifEngine, MotifKind};

/// The names of the sixteen triad classes in the order of Holland and Leinhardt (1976): the
/// numbers of mutual, asymmetric and null pairs, then up, down, cyclic or transitive.
pub const TRIAD_NAMES: [&str; 16] = [
    "003", "012", "102", "021D", "021U", "021C", "111D", "111U", "030T", "030C", "201", "120D",
    "120U", "120C", "210", "300",
];

/// How many of the triples of nodes fall into each of the sixteen triad classes.
///
/// All arithmetic is in 128 bits: 2³² − 1 nodes have some 10²⁸ triples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriadCensus {
    counts: [u128; 16],
}

impl TriadCensus {
    /// The census of a graph with `n_nodes` nodes, `mutual` pairs joined both ways, `single` pairs
    /// joined one way, and the given numbers of induced instances of M1 to M13.
    pub fn new(n_nodes: u64, mutual: u64, single: u64, motifs: &[u128; N_TRIADS]) -> Self {
        let n = u128::from(n_nodes);
        let third_nodes = n.saturating_sub(2);
        let mut counts = [0; 16];
        // A pair and any third node make a triad; those with a second joined pair are known.
        let (mut with_mutual, mut with_single) = (0, 0);
        for (motif, &count) in MotifKind::triads().into_iter().zip(motifs) {
            let (n_mutual, n_single) = joined_pairs(motif);
            with_mutual += n_mutual * count;
            with_single += n_single * count;
            counts[class_of(motif)] = count;
        }
        counts[1] = u128::from(single) * third_nodes - with_single;
        counts[2] = u128::from(mutual) * third_nodes - with_mutual;
        let joined: u128 = counts.iter().sum();
        counts[0] = triples(n) - joined;
        Self { counts }
    }

    /// The counts in the order of [`TRIAD_NAMES`].
    pub fn counts(&self) -> &[u128; 16] {
        &self.counts
    }

    /// The number of triads of the class called `name`.
    pub fn count(&self, name: &str) -> Option<u128> {
        let class = TRIAD_NAMES.iter().position(|&known| known == name)?;
        Some(self.counts[class])
    }

    /// The number of induced instances of one of M1 to M13; `None` for the others.
    pub fn motif(&self, motif: MotifKind) -> Option<u128> {
        self.count(motif.holland_leinhardt()?)
    }

    /// Every class with its count.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u128)> + '_ {
        TRIAD_NAMES.into_iter().zip(self.counts)
    }
}

impl Serialize for TriadCensus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(TRIAD_NAMES.len()))?;
        for (name, count) in self.iter() {
            map.serialize_entry(name, &count)?;
        }
        map.end()
    }
}

/// n choose 3 without leaving 128 bits: one factor is divided by two and one by three first.
fn triples(n: u128) -> u128 {
    if n < 3 {
        return 0;
    }
    n * (n - 1) / 2 * (n - 2) / 3
}

/// Numbers of mutual and of single pairs in an instance.
fn joined_pairs(motif: MotifKind) -> (u128, u128) {
    let arcs = motif.arcs();
    let mutual = arcs.iter().filter(|&&(s, t)| s < t && arcs.contains(&(t, s))).count();
    (mutual as u128, (arcs.len() - 2 * mutual) as u128)
}

fn class_of(motif: MotifKind) -> usize {
    let name = motif.holland_leinhardt();
    TRIAD_NAMES.iter().position(|&known| Some(known) == name).expect("M1 to M13 are triads")
}

impl MotifEngine<'_> {
    /// The triad census. Time O(edges) after the triangle pass.
    pub fn census(&self) -> TriadCensus {
        let mut thrice = [0u128; N_TRIADS];
        for counts in self.node_counts() {
            for (total, count) in thrice.iter_mut().zip(counts) {
                *total += u128::from(count);
            }
        }
        let mutual = self.graph().n_reciprocated_arcs() as u64 / 2;
        let single = self.pattern().n_edges() as u64 - mutual;
        let n_nodes = self.graph().n_nodes() as u64;
        TriadCensus::new(n_nodes, mutual, single, &thrice.map(|count| count / 3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{DiGraph, EdgeList};

    fn check_census(arcs: &str, expected: &str) {
        let pairs = arcs.split_whitespace().map(|arc| {
            let (source, target) = arc.split_once('>').unwrap();
            (source.parse().unwrap(), target.parse().unwrap())
        });
        let (graph, _) =
            DiGraph::build(EdgeList::from_pairs(4, pairs), &Default::default()).unwrap();
        let census = MotifEngine::new(&graph).census();
        let found: Vec<String> = census
            .iter()
            .filter(|&(_, count)| count > 0)
            .map(|(name, count)| format!("{name}: {count}"))
            .collect();
        assert_eq!(found.join(", "), expected);
    }

    #[test]
    fn a_mutual_arc_is_not_a_cycle() {
        check_census("0>1 1>0 1>2 2>0", "012: 2, 102: 1, 120C: 1");
    }

    #[test]
    fn no_arcs_are_all_empty_triads() {
        check_census("", "003: 4");
    }

    #[test]
    fn a_star_is_wedges() {
        check_census("0>1 0>2 3>0", "003: 1, 021D: 1, 021C: 2");
    }

    #[test]
    fn the_arithmetic_holds_for_the_largest_graph() {
        let n = u64::from(u32::MAX);
        // Pairs that share no node: no triad holds two of them.
        let arcs = (1 << 31) - 10;
        let census = TriadCensus::new(n, 5, arcs, &[0; N_TRIADS]);
        let n = u128::from(n);
        assert_eq!(census.count("102"), Some(5 * (n - 2)));
        assert_eq!(census.count("012"), Some(u128::from(arcs) * (n - 2)));
        let total: u128 = census.counts().iter().sum();
        assert_eq!(total, 13_204_693_733_930_645_533_088_546_815);
    }
}
