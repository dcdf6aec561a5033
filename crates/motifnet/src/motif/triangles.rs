//! One pass over the triangles of S that counts, for every edge, its common neighbours by kind.
//!
//! Nodes are ranked by degree and every edge points up the ranking, so that no node has more
//! than √(2·edges) upward neighbours. For a node x and each of its downward neighbours u, the
//! upward neighbours of u are looked up among the neighbours of x: every triangle u < v < w is
//! found from x = v and from x = w. All counters touched belong to the one edge {u, x}, held in
//! registers, or to the upward edges of x, held in cache; each is added to memory once. Finding
//! a triangle twice this way is cheaper than the scattered third write of finding it once, and
//! leaves next to nothing for threads to contend for.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::Pattern;
use crate::progress::{Progress, Unit};
use crate::sparse::rows::{balanced_ranges, fill_rows, running_total, split};

/// How an edge's common neighbours are related to its two ends.
///
/// For the edge {i, j} with i < j, `[3·a + b]` is the number of nodes k that i sees as relation
/// number `a` and j sees as `b` (see [`super::Relation`]).
pub type CommonNeighbors = [u32; 9];

/// The common neighbours of every edge, by edge number.
///
/// Atomic, since threads add to them together; counting over, they are only read.
#[derive(Debug)]
pub struct EdgeCounters(Vec<[AtomicU32; 9]>);

impl EdgeCounters {
    /// The common neighbours of an edge.
    pub fn get(&self, edge: u32) -> CommonNeighbors {
        self.0[edge as usize].each_ref().map(|counter| counter.load(Ordering::Relaxed))
    }
}

/// The degree ranking of S and its upward edges.
pub struct Ranking {
    /// Node of each rank.
    nodes: Vec<u32>,
    /// Rank of each node.
    ranks: Vec<u32>,
    /// Where the upward edges of each rank begin.
    offsets: Vec<usize>,
    /// The higher ends (as ranks), ascending for each rank.
    heads: Vec<u32>,
    /// How the lower end sees the higher one.
    relations: Vec<u8>,
    /// Running total of the look-ups each rank takes.
    steps: Vec<usize>,
}

impl Ranking {
    /// Ranks the nodes by degree, then by number. Time O(edges · log degree).
    pub fn new(pattern: &Pattern) -> Self {
        let n_nodes = pattern.n_nodes();
        let nodes = nodes_by_degree(pattern);
        let mut ranks = vec![0; n_nodes];
        for (rank, &node) in nodes.iter().enumerate() {
            ranks[node as usize] = rank as u32;
        }
        let ranks_around = |rank: usize| {
            let row = pattern.neighbors_of(nodes[rank] as usize).iter();
            row.map(|&node| ranks[node as usize])
        };

        let degrees = running_total(nodes.iter().map(|&node| pattern.degree(node as usize)));
        let mut n_upward = vec![0; n_nodes];
        fill_rows(&degrees, 1, &mut n_upward, |rank, count| {
            count[0] = ranks_around(rank).filter(|&other| other as usize > rank).count();
        });
        let offsets = running_total(n_upward);
        let mut heads = vec![0; offsets[n_nodes]];
        let mut relations = vec![0; offsets[n_nodes]];
        let ranges = balanced_ranges(&degrees);
        let head_parts = split(ranges.clone(), &mut heads, |rank| offsets[rank]);
        let relation_parts = split(ranges, &mut relations, |rank| offsets[rank]);
        head_parts.into_par_iter().zip(relation_parts).for_each(
            |((ranks, heads), (_, relations))| {
                let mut slots = heads.iter_mut().zip(relations);
                let mut row: Vec<u64> = Vec::new();
                for rank in ranks {
                    let relations = pattern.relations_of(nodes[rank] as usize);
                    let around = ranks_around(rank).zip(relations);
                    let upward = around.filter(|&(other, _)| other as usize > rank);
                    row.clear();
                    row.extend(upward.map(|(head, &seen)| u64::from(head) << 2 | seen as u64));
                    row.sort_unstable();
                    for (&packed, (head, relation)) in row.iter().zip(&mut slots) {
                        *head = (packed >> 2) as u32;
                        *relation = (packed & 3) as u8;
                    }
                }
            },
        );

        let mut steps = vec![0; n_nodes];
        fill_rows(&degrees, 1, &mut steps, |rank, steps| {
            let below = ranks_around(rank).map(|u| u as usize).filter(|&u| u < rank);
            steps[0] = below.map(|u| offsets[u + 1] - offsets[u]).sum();
        });
        let steps = running_total(steps);
        Self { nodes, ranks, offsets, heads, relations, steps }
    }

    /// Number of look-ups that the pass over the triangles makes.
    pub fn n_steps(&self) -> usize {
        self.steps[self.nodes.len()]
    }

    fn upward(&self, rank: usize) -> std::ops::Range<usize> {
        self.offsets[rank]..self.offsets[rank + 1]
    }
}

/// The nodes by ascending degree, those of equal degree by number.
fn nodes_by_degree(pattern: &Pattern) -> Vec<u32> {
    let n_nodes = pattern.n_nodes();
    let max_degree = (0..n_nodes).map(|node| pattern.degree(node)).max().unwrap_or(0);
    let mut counts = vec![0; max_degree + 1];
    for node in 0..n_nodes {
        counts[pattern.degree(node)] += 1;
    }
    let mut next = running_total(counts);
    let mut nodes = vec![0; n_nodes];
    for node in 0..n_nodes {
        let slot = &mut next[pattern.degree(node)];
        nodes[*slot] = node as u32;
        *slot += 1;
    }
    nodes
}

/// Counts the common neighbours of every edge, by edge number.
///
/// Time O(Σ over edges of the upward degree of the lower end) ⊂ O(edges^1.5), memory 36 bytes an
/// edge and 5 bytes a node for every thread. The counts do not depend on the number of threads.
pub fn count_common_neighbors(
    pattern: &Pattern,
    ranking: &Ranking,
    progress: &dyn Progress,
) -> EdgeCounters {
    let counters: Vec<[AtomicU32; 9]> =
        (0..pattern.n_edges()).into_par_iter().map(|_| Default::default()).collect();
    let alone = rayon::current_num_threads() == 1;
    progress.begin("counting triangles", Some(ranking.n_steps() as u64), Unit::Steps);
    balanced_ranges(&ranking.steps).into_par_iter().for_each_init(
        || Pass::new(pattern, ranking, &counters, alone),
        |pass, ranks| {
            let steps = ranking.steps[ranks.end] - ranking.steps[ranks.start];
            ranks.for_each(|rank| pass.visit(rank));
            progress.advance(steps as u64);
        },
    );
    progress.end();
    EdgeCounters(counters)
}

/// The scratch space of one thread.
struct Pass<'a> {
    pattern: &'a Pattern,
    ranking: &'a Ranking,
    counters: &'a [[AtomicU32; 9]],
    /// Whether no other thread writes to the counters.
    alone: bool,
    /// How x sees each rank, plus one; 0 where it is no neighbour.
    mark: Vec<u8>,
    /// Place of each rank among the upward neighbours of x, where it is one.
    place: Vec<u32>,
    /// The neighbours of x below and above it in rank.
    below: Vec<Neighbor>,
    above: Vec<Neighbor>,
    /// Counters of the edges to the neighbours above.
    above_counts: Vec<CommonNeighbors>,
    /// Where in the row of u the neighbours of x stand, and x's mark of each, packed.
    found: Vec<u32>,
}

/// A neighbour of x.
struct Neighbor {
    rank: u32,
    /// How x sees it, by number.
    seen_as: u8,
    /// Whether x has the lower node number of the two.
    x_is_lower_node: bool,
    edge: u32,
}

/// [`super::Relation::reversed`] by number.
const REVERSED: [usize; 4] = [1, 0, 2, 3];

impl<'a> Pass<'a> {
    fn new(
        pattern: &'a Pattern,
        ranking: &'a Ranking,
        counters: &'a [[AtomicU32; 9]],
        alone: bool,
    ) -> Self {
        let n_nodes = pattern.n_nodes();
        Self {
            pattern,
            ranking,
            counters,
            alone,
            mark: vec![0; n_nodes],
            place: vec![0; n_nodes],
            below: Vec::new(),
            above: Vec::new(),
            above_counts: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Counts the triangles in which the node of rank `x` is not the lowest.
    fn visit(&mut self, x: usize) {
        self.take_neighbors(x);
        for neighbor in &self.below {
            let upward = self.ranking.upward(neighbor.rank as usize);
            let row = UpwardRow {
                heads: &self.ranking.heads[upward.clone()],
                relations: &self.ranking.relations[upward],
            };
            if self.found.len() < row.heads.len() {
                self.found.resize(row.heads.len(), 0);
            }
            let n_found = row.find(&self.mark, &mut self.found);
            if n_found > 0 {
                let found = &self.found[..n_found];
                let above = Above { x, place: &self.place, counts: &mut self.above_counts };
                let counts = row.count(found, neighbor.seen_as as usize, above);
                self.add(neighbor, &counts);
            }
        }
        for (neighbor, counts) in self.above.iter().zip(&self.above_counts) {
            self.add(neighbor, counts);
        }
        for neighbor in self.below.iter().chain(&self.above) {
            self.mark[neighbor.rank as usize] = 0;
        }
    }

    /// Sorts the neighbours of x into those below and above, and marks them.
    fn take_neighbors(&mut self, x: usize) {
        let node = self.ranking.nodes[x];
        self.below.clear();
        self.above.clear();
        self.above_counts.clear();
        for entry in self.pattern.row(node as usize) {
            let rank = self.ranking.ranks[entry.neighbor as usize];
            let seen_as = entry.relation as u8;
            let x_is_lower_node = node < entry.neighbor;
            self.mark[rank as usize] = seen_as + 1;
            let neighbor = Neighbor { rank, seen_as, x_is_lower_node, edge: entry.edge };
            if (rank as usize) < x {
                self.below.push(neighbor);
            } else {
                self.place[rank as usize] = self.above.len() as u32;
                self.above.push(neighbor);
            }
        }
        self.above_counts.resize(self.above.len(), [0; 9]);
    }

    /// Adds counts seen from x to those of an edge, which are seen from its lower node.
    fn add(&self, neighbor: &Neighbor, counts: &CommonNeighbors) {
        let counters = &self.counters[neighbor.edge as usize];
        let mut counts = *counts;
        if !neighbor.x_is_lower_node {
            counts = std::array::from_fn(|cell| counts[cell % 3 * 3 + cell / 3]);
        }
        if self.alone {
            for (counter, count) in counters.iter().zip(counts) {
                counter.store(counter.load(Ordering::Relaxed) + count, Ordering::Relaxed);
            }
        } else {
            for (counter, count) in counters.iter().zip(counts).filter(|&(_, count)| count != 0) {
                counter.fetch_add(count, Ordering::Relaxed);
            }
        }
    }
}

/// What the scan adds to above x.
struct Above<'a> {
    x: usize,
    place: &'a [u32],
    counts: &'a mut [CommonNeighbors],
}

/// The upward edges of a node u below x.
struct UpwardRow<'a> {
    heads: &'a [u32],
    relations: &'a [u8],
}

impl UpwardRow<'_> {
    /// Writes down which heads are marked and how; returns how many.
    fn find(&self, mark: &[u8], found: &mut [u32]) -> usize {
        let found = &mut found[..self.heads.len()];
        let mut n_found = 0;
        // Whether a head is a neighbour cannot be predicted: every one is written down, and the
        // next overwrites it if it was none.
        for (position, &head) in self.heads.iter().enumerate() {
            let mark = mark[head as usize];
            found[n_found] = (position as u32) << 2 | u32::from(mark);
            n_found += usize::from(mark != 0);
        }
        n_found
    }

    /// Counts the common neighbours `found` of the edge {x, u}, as seen from x first, and adds u
    /// to those of the edges from x to the ones above it.
    fn count(&self, found: &[u32], x_sees_u: usize, above: Above<'_>) -> CommonNeighbors {
        let heads = self.heads;
        let n_below = found.partition_point(|&hit| (heads[(hit >> 2) as usize] as usize) < above.x);
        // Sixteen slots so that every index, made of two pairs of bits, is in range.
        let mut counts = [0; 16];
        for &hit in &found[..n_below] {
            let u_sees = self.relations[(hit >> 2) as usize] & 3;
            counts[((hit & 3) << 2) as usize | u_sees as usize] += 1;
        }
        for &hit in &found[n_below..] {
            let position = (hit >> 2) as usize;
            let u_sees = (self.relations[position] & 3) as usize;
            counts[((hit & 3) << 2) as usize | u_sees] += 1;
            let place = above.place[heads[position] as usize] as usize;
            above.counts[place][3 * x_sees_u + REVERSED[u_sees]] += 1;
        }
        std::array::from_fn(|cell| counts[(cell / 3 + 1) << 2 | (cell % 3)])
    }
}
