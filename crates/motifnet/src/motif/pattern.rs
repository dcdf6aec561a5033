//! The undirected graph S under a directed one, with the relation of every pair.

use std::ops::Range;

use rayon::prelude::*;

use super::Relation;
use crate::graph::DiGraph;
use crate::sparse::rows::{balanced_ranges, running_total, split};

/// S = [A + Aᵀ > 0] with the arcs behind every entry: what all motif matrices are laid out on.
///
/// Every edge {i, j} stands twice, in row i and in row j; both entries know its number. Edges are
/// numbered by their lower node, then by their higher one. Memory: 11 bytes an entry.
#[derive(Debug)]
pub struct Pattern {
    offsets: Vec<usize>,
    neighbors: Vec<u32>,
    relations: Vec<Relation>,
    edges: Vec<u32>,
    degrees: Vec<Degrees>,
    /// Number of the first edge whose lower node is `i`; one longer than the nodes.
    first_edge: Vec<usize>,
    /// By edge: which entry of the row of its higher node it is.
    place_in_higher: Vec<u32>,
}

/// Neighbours of a node by relation.
pub type Degrees = [u32; 3];

/// An entry of a row of the [`Pattern`].
#[derive(Clone, Copy, Debug)]
pub struct PatternEntry {
    /// The other node.
    pub neighbor: u32,
    /// How the row's node sees it.
    pub relation: Relation,
    /// The number of the edge.
    pub edge: u32,
    /// Where the entry stands in the arrays of the pattern.
    pub position: usize,
}

impl Pattern {
    /// The pattern of `graph`. Time and memory O(nodes + arcs).
    ///
    /// # Panics
    /// If the graph has more than 2³² − 1 edges.
    pub fn new(graph: &DiGraph) -> Self {
        let n_nodes = graph.n_nodes();
        let n_arcs_at = running_total(
            (0..n_nodes as u32)
                .map(|node| graph.out_neighbors(node).len() + graph.in_neighbors(node).len()),
        );
        let parts: Vec<Rows> = balanced_ranges(&n_arcs_at)
            .into_par_iter()
            .map(|nodes| {
                let mut rows = Rows::with_capacity(n_arcs_at[nodes.end] - n_arcs_at[nodes.start]);
                for node in nodes {
                    let mut degrees = [0; 3];
                    merge(graph, node as u32, |neighbor, relation| {
                        rows.neighbors.push(neighbor);
                        rows.relations.push(relation);
                        degrees[relation as usize] += 1;
                    });
                    rows.degrees.push(degrees);
                }
                rows
            })
            .collect();
        let n_entries = parts.iter().map(|rows| rows.neighbors.len()).sum();
        let mut degrees = Vec::with_capacity(n_nodes);
        let mut neighbors = Vec::with_capacity(n_entries);
        let mut relations = Vec::with_capacity(n_entries);
        for rows in parts {
            degrees.extend_from_slice(&rows.degrees);
            neighbors.extend_from_slice(&rows.neighbors);
            relations.extend_from_slice(&rows.relations);
        }
        let offsets =
            running_total(degrees.iter().map(|d: &Degrees| d.iter().sum::<u32>() as usize));

        let numbers = EdgeNumbers::new(&offsets, &neighbors);
        let EdgeNumbers { edges, first_edge, place_in_higher } = numbers;
        Self { offsets, neighbors, relations, edges, degrees, first_edge, place_in_higher }
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of edges: half the entries.
    pub fn n_edges(&self) -> usize {
        self.neighbors.len() / 2
    }

    /// Memory that the pattern takes.
    pub fn n_bytes(&self) -> usize {
        size_of_val(&*self.offsets)
            + size_of_val(&*self.neighbors)
            + size_of_val(&*self.relations)
            + size_of_val(&*self.edges)
            + size_of_val(&*self.degrees)
            + size_of_val(&*self.first_edge)
            + size_of_val(&*self.place_in_higher)
    }

    /// Where each row begins; one longer than the nodes.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The neighbours of all nodes, ascending within a row.
    pub fn neighbors(&self) -> &[u32] {
        &self.neighbors
    }

    /// How the row's node sees the neighbour, for every entry.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// The edge number of every entry.
    pub fn edges(&self) -> &[u32] {
        &self.edges
    }

    /// Neighbours of every node by relation.
    pub fn degrees(&self) -> &[Degrees] {
        &self.degrees
    }

    /// Number of neighbours of `node`.
    pub fn degree(&self, node: usize) -> usize {
        self.offsets[node + 1] - self.offsets[node]
    }

    /// The neighbours of `node`, ascending.
    pub fn neighbors_of(&self, node: usize) -> &[u32] {
        &self.neighbors[self.offsets[node]..self.offsets[node + 1]]
    }

    /// How `node` sees each of its neighbours.
    pub fn relations_of(&self, node: usize) -> &[Relation] {
        &self.relations[self.offsets[node]..self.offsets[node + 1]]
    }

    /// The entries of row `node`, ascending by neighbour.
    pub fn row(&self, node: usize) -> impl ExactSizeIterator<Item = PatternEntry> + Clone + '_ {
        (self.offsets[node]..self.offsets[node + 1]).map(|position| self.entry(position))
    }

    /// The entry at `position` of the arrays.
    pub fn entry(&self, position: usize) -> PatternEntry {
        PatternEntry {
            neighbor: self.neighbors[position],
            relation: self.relations[position],
            edge: self.edges[position],
            position,
        }
    }

    /// The entries of row `node` whose neighbour is higher: each edge once, in edge order.
    pub fn upper_row(
        &self,
        node: usize,
    ) -> impl ExactSizeIterator<Item = PatternEntry> + Clone + '_ {
        let n_upper = self.first_edge[node + 1] - self.first_edge[node];
        let end = self.offsets[node + 1];
        (end - n_upper..end).map(|position| self.entry(position))
    }

    /// Where the entry of an edge stands in the row of its higher node, given its entry in the
    /// row of the lower one.
    pub(super) fn mirror(&self, entry: &PatternEntry) -> usize {
        let place = self.place_in_higher[entry.edge as usize];
        self.offsets[entry.neighbor as usize] + place as usize
    }

    /// Number of the first edge whose lower node is each node; one longer than the nodes.
    pub fn first_edges(&self) -> &[usize] {
        &self.first_edge
    }

    /// Calls `value(lower node, entry)` for every edge, in parallel, and collects by edge number.
    pub fn map_edges<T: Copy + Default + Send>(
        &self,
        value: impl Fn(usize, PatternEntry) -> T + Sync,
    ) -> Vec<T> {
        let values = self.map_edges_many(1, |node, entry, slots| slots[0] = value(node, entry));
        values.into_iter().next().unwrap_or_default()
    }

    /// Like [`Pattern::map_edges`] for `n_values` values of every edge: an array for each.
    pub fn map_edges_many<T: Copy + Default + Send>(
        &self,
        n_values: usize,
        fill: impl Fn(usize, PatternEntry, &mut [T]) + Sync,
    ) -> Vec<Vec<T>> {
        // Not `vec![vec![…]; n]`, which would copy zeros around.
        let mut arrays: Vec<Vec<T>> =
            (0..n_values).map(|_| vec![T::default(); self.n_edges()]).collect();
        let ranges = balanced_ranges(&self.first_edge);
        let mut parts: Vec<(Range<usize>, Vec<&mut [T]>)> =
            ranges.iter().map(|range| (range.clone(), Vec::with_capacity(n_values))).collect();
        for array in &mut arrays {
            let slices = split(ranges.clone(), array, |row| self.first_edge[row]);
            for (part, (_, slice)) in parts.iter_mut().zip(slices) {
                part.1.push(slice);
            }
        }
        parts.into_par_iter().for_each(|(rows, mut slices)| {
            let mut values = vec![T::default(); n_values];
            let entries =
                rows.flat_map(|node| self.upper_row(node).map(move |entry| (node, entry)));
            for (position, (node, entry)) in entries.enumerate() {
                fill(node, entry, &mut values);
                for (slice, &value) in slices.iter_mut().zip(&values) {
                    slice[position] = value;
                }
            }
        });
        arrays
    }

    /// Calls `visit` with the places, in the arrays, of every common neighbour in the rows of two
    /// nodes, ascending. Time O(d·log(D / d)) for degrees d ≤ D.
    pub(super) fn for_each_common(
        &self,
        first: usize,
        second: usize,
        mut visit: impl FnMut(usize, usize),
    ) {
        let swapped = self.degree(first) > self.degree(second);
        let (small, large) = if swapped { (second, first) } else { (first, second) };
        let end = self.offsets[large + 1];
        let mut place = self.offsets[large];
        for position in self.offsets[small]..self.offsets[small + 1] {
            let neighbor = self.neighbors[position];
            place = gallop(&self.neighbors[..end], place, neighbor);
            if place == end {
                return;
            }
            if self.neighbors[place] == neighbor {
                if swapped {
                    visit(place, position);
                } else {
                    visit(position, place);
                }
            }
        }
    }
}

/// The first place from `start` on whose value is not below `value`, in an ascending slice.
fn gallop(values: &[u32], start: usize, value: u32) -> usize {
    let mut step = 1;
    let mut low = start;
    while low + step <= values.len() && values[low + step - 1] < value {
        low += step;
        step *= 2;
    }
    let high = (low + step).min(values.len());
    low + values[low..high].partition_point(|&v| v < value)
}

/// Some rows of a pattern in the making.
struct Rows {
    degrees: Vec<Degrees>,
    neighbors: Vec<u32>,
    relations: Vec<Relation>,
}

impl Rows {
    fn with_capacity(n_entries: usize) -> Self {
        Self {
            degrees: Vec::new(),
            neighbors: Vec::with_capacity(n_entries),
            relations: Vec::with_capacity(n_entries),
        }
    }
}

/// Calls `visit(neighbour, relation)` for every neighbour of `node`, ascending.
fn merge(graph: &DiGraph, node: u32, mut visit: impl FnMut(u32, Relation)) {
    let mut outgoing = graph.out_neighbors(node);
    let mut incoming = graph.in_neighbors(node);
    while let ([target, later_targets @ ..], [source, later_sources @ ..]) = (outgoing, incoming) {
        match target.cmp(source) {
            std::cmp::Ordering::Less => {
                visit(*target, Relation::Out);
                outgoing = later_targets;
            }
            std::cmp::Ordering::Greater => {
                visit(*source, Relation::In);
                incoming = later_sources;
            }
            std::cmp::Ordering::Equal => {
                visit(*target, Relation::Both);
                outgoing = later_targets;
                incoming = later_sources;
            }
        }
    }
    outgoing.iter().for_each(|&target| visit(target, Relation::Out));
    incoming.iter().for_each(|&source| visit(source, Relation::In));
}

/// The arrays of a [`Pattern`] that number its edges.
struct EdgeNumbers {
    edges: Vec<u32>,
    first_edge: Vec<usize>,
    place_in_higher: Vec<u32>,
}

impl EdgeNumbers {
    fn new(offsets: &[usize], neighbors: &[u32]) -> Self {
        let n_nodes = offsets.len() - 1;
        let n_edges = neighbors.len() / 2;
        assert!(n_edges <= u32::MAX as usize, "at most 2³² − 1 edges");
        let mut edges = vec![0; neighbors.len()];
        let mut first_edge = Vec::with_capacity(n_nodes + 1);
        let mut place_in_higher = Vec::with_capacity(n_edges);
        // Rows are met in ascending order, so the lower entries of each row fill from its front.
        let mut n_lower = vec![0; n_nodes];
        first_edge.push(0);
        for node in 0..n_nodes {
            let upper = offsets[node] + n_lower[node] as usize..offsets[node + 1];
            for position in upper {
                let neighbor = neighbors[position] as usize;
                let place = n_lower[neighbor];
                let edge = place_in_higher.len() as u32;
                edges[position] = edge;
                edges[offsets[neighbor] + place as usize] = edge;
                place_in_higher.push(place);
                n_lower[neighbor] += 1;
            }
            first_edge.push(place_in_higher.len());
        }
        Self { edges, first_edge, place_in_higher }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::{BuildOptions, EdgeList};

    proptest! {
        #[test]
        fn the_pattern_knows_every_pair_both_ways(
            pairs in prop::collection::vec((0u32..20, 0u32..20), 0..120),
        ) {
            let arcs = EdgeList::from_pairs(20, pairs);
            let (graph, _) = DiGraph::build(arcs, &BuildOptions::default()).unwrap();
            let pattern = Pattern::new(&graph);
            let mut edge_of = std::collections::BTreeMap::new();
            for i in 0..20u32 {
                let expected: Vec<u32> =
                    (0..20).filter(|&j| graph.has_arc(i, j) || graph.has_arc(j, i)).collect();
                prop_assert_eq!(pattern.neighbors_of(i as usize), &expected[..]);
                for entry in pattern.row(i as usize) {
                    let j = entry.neighbor;
                    prop_assert_eq!(entry.relation.bits() & 1 != 0, graph.has_arc(i, j));
                    prop_assert_eq!(entry.relation.bits() & 2 != 0, graph.has_arc(j, i));
                    let number = *edge_of.entry((i.min(j), i.max(j))).or_insert(entry.edge);
                    prop_assert_eq!(number, entry.edge);
                    if i < j {
                        let mirror = pattern.entry(pattern.mirror(&entry));
                        prop_assert_eq!((mirror.neighbor, mirror.edge), (i, entry.edge));
                    }
                }
            }
            for (i, j) in (0..20).flat_map(|i| (0..20).map(move |j| (i, j))) {
                let mut common = Vec::new();
                pattern.for_each_common(i, j, |a, b| {
                    common.push((pattern.entry(a).neighbor, pattern.entry(b).neighbor));
                });
                let of_j = pattern.neighbors_of(j);
                let of_i = pattern.neighbors_of(i).iter();
                let expected: Vec<_> =
                    of_i.filter(|k| of_j.contains(k)).map(|&k| (k, k)).collect();
                prop_assert_eq!(common, expected);
            }
            let numbers: Vec<u32> = edge_of.into_values().collect();
            prop_assert_eq!(numbers, (0..pattern.n_edges() as u32).collect::<Vec<_>>());
        }
    }
}
