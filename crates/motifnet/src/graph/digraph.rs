//! The graph everything else is computed from.

/// A directed graph, simple and sorted by construction: no self-loops, no repeated arcs, every
/// neighbour list ascending, every weight finite and not zero. Immutable.
///
/// Stored twice, by source and by target (CSR both ways): 8 bytes an arc, 16 with weights, and
/// 16 bytes a node.
///
/// ```
/// use motifnet::graph::{BuildOptions, DiGraph, EdgeList};
///
/// let arcs = EdgeList::from_pairs(3, [(0, 1), (1, 0), (1, 2), (2, 2), (0, 1)]);
/// let (graph, cleaning) = DiGraph::build(arcs, &BuildOptions::default())?;
/// assert_eq!(graph.n_arcs(), 3);
/// assert_eq!(graph.out_neighbors(1), [0, 2]);
/// assert_eq!(graph.in_neighbors(1), [0]);
/// assert_eq!((cleaning.self_loops, cleaning.repeated), (1, 1));
/// # Ok::<(), motifnet::graph::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DiGraph {
    outgoing: Adjacency,
    incoming: Adjacency,
}

/// One direction of a [`DiGraph`]: for every node its neighbours, ascending, and the arc weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Adjacency {
    pub(super) offsets: Vec<usize>,
    pub(super) neighbors: Vec<u32>,
    pub(super) weights: Option<Vec<f32>>,
}

impl Adjacency {
    /// See [`DiGraph::checksum`].
    fn checksum(&self) -> String {
        let degrees = self.offsets.windows(2).map(|ends| ends[1] - ends[0]);
        let degrees = degrees
            .fold(0, |sum, degree| crc32c::crc32c_append(sum, &(degree as u64).to_le_bytes()));
        let neighbors = crc32c::crc32c(bytemuck::cast_slice(&self.neighbors));
        let weights = self.weights.as_deref().unwrap_or_default();
        let weights = crc32c::crc32c(bytemuck::cast_slice(weights));
        format!("{degrees:08x}{neighbors:08x}{weights:08x}")
    }

    /// Where each node's neighbours begin in [`Adjacency::neighbors`]; one longer than the nodes.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The neighbours of all nodes, one node after another.
    pub fn neighbors(&self) -> &[u32] {
        &self.neighbors
    }

    /// The weights that go with [`Adjacency::neighbors`].
    pub fn weights(&self) -> Option<&[f32]> {
        self.weights.as_deref()
    }

    /// Where the neighbours of `node` stand in [`Adjacency::neighbors`].
    pub fn range(&self, node: u32) -> std::ops::Range<usize> {
        self.offsets[node as usize]..self.offsets[node as usize + 1]
    }

    /// The neighbours of `node`, ascending.
    pub fn row(&self, node: u32) -> &[u32] {
        &self.neighbors[self.range(node)]
    }
}

impl DiGraph {
    pub(super) fn from_adjacencies(outgoing: Adjacency, incoming: Adjacency) -> Self {
        debug_assert_eq!(outgoing.offsets.len(), incoming.offsets.len());
        debug_assert_eq!(outgoing.neighbors.len(), incoming.neighbors.len());
        Self { outgoing, incoming }
    }

    /// Number of nodes, those without arcs included.
    pub fn n_nodes(&self) -> usize {
        self.outgoing.offsets.len() - 1
    }

    /// Number of arcs.
    pub fn n_arcs(&self) -> usize {
        self.outgoing.neighbors.len()
    }

    /// The nodes that `node` points at, ascending.
    pub fn out_neighbors(&self, node: u32) -> &[u32] {
        self.outgoing.row(node)
    }

    /// The nodes that point at `node`, ascending.
    pub fn in_neighbors(&self, node: u32) -> &[u32] {
        self.incoming.row(node)
    }

    /// The arcs by source.
    pub fn outgoing(&self) -> &Adjacency {
        &self.outgoing
    }

    /// The arcs by target.
    pub fn incoming(&self) -> &Adjacency {
        &self.incoming
    }

    /// Memory that the graph takes.
    pub fn n_bytes(&self) -> usize {
        let of = |adjacency: &Adjacency| {
            size_of_val(adjacency.offsets())
                + size_of_val(adjacency.neighbors())
                + size_of_val(adjacency.weights().unwrap_or_default())
        };
        of(&self.outgoing) + of(&self.incoming)
    }

    /// A text that tells this graph from others: of its arcs and their weights, whatever its nodes are called.
    ///
    /// ```
    /// use motifnet::graph::{BuildOptions, DiGraph, EdgeList};
    ///
    /// let graph = |arcs| DiGraph::build(EdgeList::from_pairs(3, arcs), &BuildOptions::default());
    /// let (forth, back) = (graph([(0, 1), (1, 2)])?.0, graph([(1, 0), (1, 2)])?.0);
    /// assert_ne!(forth.checksum(), back.checksum());
    /// # Ok::<(), motifnet::graph::BuildError>(())
    /// ```
    pub fn checksum(&self) -> String {
        self.outgoing.checksum()
    }

    /// Whether the arcs have weights.
    pub fn is_weighted(&self) -> bool {
        self.outgoing.weights.is_some()
    }

    /// Whether there is an arc from `source` to `target`.
    pub fn has_arc(&self, source: u32, target: u32) -> bool {
        self.out_neighbors(source).binary_search(&target).is_ok()
    }

    /// Every arc with its weight (1 if the graph has none), ordered by source, then target.
    pub fn arcs(&self) -> impl Iterator<Item = (u32, u32, f32)> + '_ {
        let weights = self.outgoing.weights();
        (0..self.n_nodes() as u32).flat_map(move |source| {
            self.outgoing.range(source).map(move |position| {
                let weight = weights.map_or(1.0, |weights| weights[position]);
                (source, self.outgoing.neighbors[position], weight)
            })
        })
    }

    /// The graph with every arc turned round.
    pub fn reversed(&self) -> Self {
        Self { outgoing: self.incoming.clone(), incoming: self.outgoing.clone() }
    }

    /// Number of arcs whose reverse is an arc too (an even number).
    pub fn n_reciprocated_arcs(&self) -> usize {
        (0..self.n_nodes() as u32)
            .map(|node| count_common(self.out_neighbors(node), self.in_neighbors(node)))
            .sum()
    }
}

/// How many values two ascending slices share.
fn count_common(mut left: &[u32], mut right: &[u32]) -> usize {
    let mut common = 0;
    while let ([a, left_rest @ ..], [b, right_rest @ ..]) = (left, right) {
        common += usize::from(a == b);
        if a <= b {
            left = left_rest;
        }
        if b <= a {
            right = right_rest;
        }
    }
    common
}
