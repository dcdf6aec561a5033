//! One pass over the triangles of S that counts, for every edge, its common neighbours by kind.
//!
//! Nodes are ranked by degree and every edge points up the ranking, so that no node has more
//! than √(2·edges) upward neighbours. For a node x and each of its downward neighbours u, the
//! upward neighbours of u are looked up among the neighbours of x: every triangle u < v < w is
//! found from x = v and from x = w. Both times x counts only for entries of its own row: for
//! {x, u}, and from x = v also for {v, w}. Rows belong to one thread each, so nothing is shared
//! and no write is scattered; finding a triangle twice this way is cheaper than the scattered
//! write of finding it once. In the end the two entries of every edge are added up.

use std::ops::Range;

use rayon::prelude::*;

use super::{Pattern, Relation};
use crate::progress::{Progress, Unit};
use crate::sparse::rows::{balanced_ranges, fill_rows, running_total, split};

/// How an edge's common neighbours are related to its two ends.
///
/// For the edge {i, j} with i < j, `[3·a + b]` is the number of nodes k that i sees as relation
/// number `a` and j sees as `b` (see [`super::Relation`]).
pub type CommonNeighbors = [u32; 9];

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
    /// Running total of the look-ups each node (not rank) takes.
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
        fill_rows(pattern.offsets(), 1, &mut steps, |node, steps| {
            let rank = ranks[node] as usize;
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

    fn upward(&self, rank: usize) -> Range<usize> {
        self.offsets[rank]..self.offsets[rank + 1]
    }

    /// Brings the row that begins at `start` near; what it returns says nothing.
    fn touch(&self, start: usize) -> u32 {
        // Two lines of the cache hold half of all rows, and one their relations.
        let head = |at: usize| self.heads.get(at).copied().unwrap_or(0);
        head(start) ^ head(start + 16) ^ u32::from(self.relations[start])
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

/// Most memory that the pass takes for an edge: nine counters for each of its two entries, then
/// nine for the edge.
pub const PASS_BYTES_AN_EDGE: usize = 3 * size_of::<CommonNeighbors>();

/// Counts the common neighbours of every edge, by edge number.
///
/// Time O(Σ over edges of the upward degree of the lower end) ⊂ O(edges^1.5), memory 108 bytes an
/// edge, of which 36 are the result, and 5 bytes a node for every thread. The counts do not
/// depend on the number of threads.
pub fn count_common_neighbors(
    pattern: &Pattern,
    ranking: &Ranking,
    progress: &dyn Progress,
) -> Vec<CommonNeighbors> {
    progress.begin("counting triangles", Some(ranking.n_steps() as u64), Unit::Steps);
    let mut by_entry: Vec<CommonNeighbors> = vec![[0; 9]; pattern.neighbors().len()];
    let offsets = pattern.offsets();
    let parts = split(balanced_ranges(&ranking.steps), &mut by_entry, |node| offsets[node]);
    parts.into_par_iter().for_each_init(
        || Pass::new(pattern, ranking),
        |pass, (nodes, mut counts)| {
            // Whoever wants the work to stop unwinds from a report; rayon still begins the parts that
            // are left, and they should then end at once.
            progress.advance(0);
            let steps = ranking.steps[nodes.end] - ranking.steps[nodes.start];
            for node in nodes {
                let (row, rest) = std::mem::take(&mut counts).split_at_mut(pattern.degree(node));
                pass.visit(node, row);
                counts = rest;
            }
            progress.advance(steps as u64);
        },
    );
    progress.end();
    pattern.map_edges(|_, entry| {
        let (lower, higher) = (&by_entry[entry.position], &by_entry[pattern.mirror(&entry)]);
        std::array::from_fn(|cell| lower[cell] + higher[cell % 3 * 3 + cell / 3])
    })
}

/// The scratch space of one thread.
struct Pass<'a> {
    pattern: &'a Pattern,
    ranking: &'a Ranking,
    /// How x sees each rank, plus one; 0 where it is no neighbour.
    mark: Vec<u8>,
    /// Place of each rank in the row of x, where it is a neighbour.
    place: Vec<u32>,
    /// The neighbours of x below it.
    below: Vec<Below>,
    /// Where in the row of u the neighbours of x stand, and x's mark of each, packed.
    found: Vec<u32>,
}

/// A neighbour u of x below it.
struct Below {
    /// Its place in the row of x.
    place: usize,
    /// How x sees it.
    seen_as: Relation,
    /// Its upward edges.
    upward: Range<usize>,
}

/// How many rows ahead are asked for: they lie anywhere in memory, and waiting for each in turn
/// would take a third of the pass.
const ROWS_AHEAD: usize = 3;

impl<'a> Pass<'a> {
    fn new(pattern: &'a Pattern, ranking: &'a Ranking) -> Self {
        let n_nodes = pattern.n_nodes();
        let (mark, place) = (vec![0; n_nodes], vec![0; n_nodes]);
        Self { pattern, ranking, mark, place, below: Vec::new(), found: Vec::new() }
    }

    /// Counts the triangles in which x, the node `node`, is not the lowest in rank.
    fn visit(&mut self, node: usize, row_counts: &mut [CommonNeighbors]) {
        let ranking = self.ranking;
        let x = ranking.ranks[node] as usize;
        self.take_neighbors(node, x);
        let mut touched = 0;
        for (number, neighbor) in self.below.iter().enumerate() {
            if let Some(next) = self.below.get(number + ROWS_AHEAD) {
                touched ^= ranking.touch(next.upward.start);
            }
            let row = UpwardRow {
                heads: &ranking.heads[neighbor.upward.clone()],
                relations: &ranking.relations[neighbor.upward.clone()],
            };
            let n_found = row.find(&self.mark, &mut self.found);
            if n_found > 0 {
                let found = &self.found[..n_found];
                let above = Above { x, place: &self.place, counts: row_counts };
                row_counts[neighbor.place] = row.count(found, neighbor.seen_as, above);
            }
        }
        std::hint::black_box(touched);
        for &neighbor in self.pattern.neighbors_of(node) {
            self.mark[ranking.ranks[neighbor as usize] as usize] = 0;
        }
    }

    /// Marks the neighbours of x and writes down those below it that can be in a triangle.
    fn take_neighbors(&mut self, node: usize, x: usize) {
        let neighbors = self.pattern.neighbors_of(node);
        let relations = self.pattern.relations_of(node);
        self.below.clear();
        for (place, (&neighbor, &seen_as)) in neighbors.iter().zip(relations).enumerate() {
            let rank = self.ranking.ranks[neighbor as usize] as usize;
            self.mark[rank] = seen_as as u8 + 1;
            self.place[rank] = place as u32;
            if rank < x {
                let upward = self.ranking.upward(rank);
                // One of its upward edges is that to x.
                if upward.len() > 1 {
                    if self.found.len() < upward.len() {
                        self.found.resize(upward.len(), 0);
                    }
                    self.below.push(Below { place, seen_as, upward });
                }
            }
        }
    }
}

/// Where the scan counts for the neighbours above x.
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
    fn count(&self, found: &[u32], x_sees_u: Relation, above: Above<'_>) -> CommonNeighbors {
        const REVERSED: [usize; 4] = [1, 0, 2, 3];
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
            above.counts[place][3 * x_sees_u as usize + REVERSED[u_sees]] += 1;
        }
        std::array::from_fn(|cell| counts[(cell / 3 + 1) << 2 | (cell % 3)])
    }
}
