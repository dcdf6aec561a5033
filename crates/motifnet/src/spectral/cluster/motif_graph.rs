//! The weighted undirected graph whose edges are pairs of nodes in common instances.

use super::super::NegativeWeights;
use super::{ClusterError, MotifSum};
use crate::graph::Components;
use crate::memory::Need;
use crate::motif::{MotifEngine, MotifKind, MotifSpec, Representation, Scaling, Support};
use crate::sparse::rows::running_total;
use crate::sparse::{CsrMatrix, LinearOperator};

/// The graph W = Σ w_k W_k of a sum of motifs, or a part of it: symmetric, no entry below zero, and never
/// multiplied out: W = direct + Σ left · right, at O(arcs) memory.
///
/// ```
/// use motifnet::graph::{DiGraph, EdgeList};
/// use motifnet::motif::{MotifEngine, MotifSpec};
/// use motifnet::spectral::cluster::MotifGraph;
///
/// // 0 → 1, 2, 3 and 1 → 2: one feed-forward loop, and the out-stars {0, 1, 3} and {0, 2, 3}.
/// let arcs = EdgeList::from_pairs(4, [(0, 1), (0, 2), (0, 3), (1, 2)]);
/// let (graph, _) = DiGraph::build(arcs, &Default::default())?;
/// let engine = MotifEngine::new(&graph);
/// let of = |sum: &str| MotifGraph::new(&engine, &sum.parse().unwrap(), &MotifSpec::default());
/// assert_eq!(of("M5")?.degrees(), [2.0, 2.0, 2.0, 0.0]);
/// assert_eq!(of("2*M8")?.degrees(), [8.0, 4.0, 4.0, 8.0]);
/// assert_eq!(of("M5")?.components().sizes, [3, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MotifGraph {
    /// By node of this graph, ascending: which node of the directed graph it is.
    nodes: Vec<u32>,
    pub(super) direct: CsrMatrix,
    /// Pairs of factors, nodes × centres and centres × nodes.
    pub(super) products: Vec<[CsrMatrix; 2]>,
    /// Pairs with an arc between them, and whether W has an entry there; only with products, since else
    /// the direct part is all of W.
    pub(super) adjacent: Option<CsrMatrix<bool>>,
    degrees: Vec<f64>,
}

/// What the graph of a sum of motifs takes: their operators, the parts of all of them with their sum, a copy of
/// what is clustered, and of every node its degree, its component, and its place in a sweep and on the page.
fn need(engine: &MotifEngine<'_>, n_motifs: usize) -> Need {
    let (n_edges, n_motifs) = (engine.pattern().n_edges() as u64, n_motifs as u64);
    let n_bytes = engine.operators_need(n_motifs as usize).n_bytes + 120 * n_motifs * n_edges;
    let n_bytes = n_bytes + 160 * engine.graph().n_nodes() as u64;
    Need { what: "joining nodes by motifs", n_bytes, remedy: "cluster by fewer motifs" }
}

impl MotifGraph {
    /// The graph of all nodes. Time and memory O(arcs) a motif, after the triangle pass.
    ///
    /// # Errors
    /// If negative arc weights would go into it, or weights that add up to more than `f64` holds.
    pub fn new(
        engine: &MotifEngine<'_>,
        motifs: &MotifSum,
        spec: &MotifSpec,
    ) -> Result<Self, ClusterError> {
        let n_nodes = engine.graph().n_nodes();
        let kinds: Vec<MotifKind> = motifs.terms().iter().map(|term| term.0).collect();
        need(engine, kinds.len()).check()?;
        let operators = engine.operators(&kinds, spec, Representation::Factored);
        if let Some(operator) = operators.iter().find(|operator| operator.has_negative_weights()) {
            return Err(NegativeWeights { kind: operator.kind() }.into());
        }
        let (ones, zeros) = (vec![1.0; n_nodes], vec![0.0; n_nodes]);
        let (mut direct, mut products) = (Vec::new(), Vec::new());
        for (operator, &(_, weight)) in operators.iter().zip(motifs.terms()) {
            let scaling = Scaling { scale: weight, rows: &ones, columns: &ones, diagonal: &zeros };
            let parts = operator.scaled_parts::<f64>(&scaling, true);
            direct.push(parts.direct);
            products.extend(parts.products);
        }
        let direct = sum(direct, n_nodes);
        let adjacent = (!products.is_empty()).then(|| joined_edges(engine, &kinds, spec));
        let nodes = (0..n_nodes as u32).collect();
        let graph = Self { nodes, direct, products, adjacent, degrees: Vec::new() }.with_degrees();
        // Eigenvalues of D − W are up to twice the largest degree.
        if !(4.0 * graph.volume()).is_finite() {
            return Err(ClusterError::WeightsTooLarge { motifs: motifs.to_string() });
        }
        Ok(graph)
    }

    /// The graph on some of the nodes, given ascending by their places in this one: the entries of W
    /// between them, with degrees of its own. Time O(entries of this one).
    pub fn part(&self, places: &[u32]) -> Self {
        let mut place_of = vec![ABSENT; self.n_nodes()];
        for (new, &old) in places.iter().enumerate() {
            place_of[old as usize] = new as u32;
        }
        let rows = || places.iter().map(|&place| place as usize);
        let products = self.products.iter().map(|[left, right]| {
            // A centre needs a leaf on either side to make an entry.
            let left = selected(left, rows(), None, left.n_columns());
            let right = selected(right, 0..right.n_rows(), Some(&place_of), places.len());
            let mut is_used = vec![false; right.n_rows()];
            left.columns().iter().for_each(|&centre| is_used[centre as usize] = true);
            let mut centres: Vec<u32> = (0..right.n_rows() as u32).collect();
            centres.retain(|&m| is_used[m as usize] && !right.row(m as usize).0.is_empty());
            let mut centre_of = vec![ABSENT; right.n_rows()];
            for (new, &old) in centres.iter().enumerate() {
                centre_of[old as usize] = new as u32;
            }
            let left = selected(&left, 0..left.n_rows(), Some(&centre_of), centres.len());
            let rows = centres.iter().map(|&centre| centre as usize);
            [left, selected(&right, rows, None, places.len())]
        });
        let within =
            |matrix: &CsrMatrix<bool>| selected(matrix, rows(), Some(&place_of), places.len());
        let graph = Self {
            nodes: rows().map(|place| self.nodes[place]).collect(),
            direct: selected(&self.direct, rows(), Some(&place_of), places.len()),
            products: products.collect(),
            adjacent: self.adjacent.as_ref().map(within),
            degrees: Vec::new(),
        };
        graph.with_degrees()
    }

    /// d = W 1; zero, and not what rounding left, where the terms of a row cancel.
    fn with_degrees(mut self) -> Self {
        /// Errors of single roundings add up like their root, and rows are rarely so long.
        const ROUNDING: f64 = 1024.0 * f64::EPSILON;
        let mut degrees: Vec<f64> = self.row_sums();
        let mut magnitudes: Vec<f64> = (0..self.n_nodes())
            .map(|row| self.direct.row(row).1.iter().map(|value| value.abs()).sum())
            .collect();
        let ones = vec![1.0; self.n_nodes()];
        for [left, right] in &self.products {
            let of_product: Vec<f64> = left.apply(&right.apply(&ones, 1), 1);
            magnitudes.iter_mut().zip(of_product).for_each(|(sum, more)| *sum += more);
        }
        for (degree, magnitude) in degrees.iter_mut().zip(magnitudes) {
            if magnitude.is_finite() && *degree <= ROUNDING * magnitude {
                *degree = 0.0;
            }
        }
        self.degrees = degrees;
        self
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Which nodes of the directed graph its nodes are, ascending.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// d = W 1: for a motif of three nodes and support `pairs` twice the instances that a node is in.
    pub fn degrees(&self) -> &[f64] {
        &self.degrees
    }

    /// Σ d.
    pub fn volume(&self) -> f64 {
        self.degrees.iter().sum()
    }

    /// Entries that one multiplication visits.
    pub fn cost(&self) -> usize {
        let factors = self.products.iter().flatten();
        self.direct.n_entries() + factors.map(CsrMatrix::n_entries).sum::<usize>()
    }

    /// The nodes of each component, ascending, the largest component first; those with no instance are
    /// left out.
    pub(super) fn joined_components(&self) -> (Components, Vec<Vec<u32>>) {
        let components = self.components();
        let n_joined = components.sizes.partition_point(|&size| size > 1);
        let mut members = vec![Vec::new(); n_joined];
        for (node, &label) in components.labels.iter().enumerate() {
            if let Some(members) = members.get_mut(label as usize) {
                members.push(node as u32);
            }
        }
        (components, members)
    }
}

impl LinearOperator<f64> for MotifGraph {
    fn n_rows(&self) -> usize {
        self.nodes.len()
    }

    fn n_columns(&self) -> usize {
        self.nodes.len()
    }

    fn apply_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        self.direct.apply_into(x, width, y);
        for [left, right] in &self.products {
            let product: Vec<f64> = left.apply(&right.apply(x, width), width);
            y.iter_mut().zip(product).for_each(|(y, more)| *y += more);
        }
    }

    fn apply_transpose_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        self.apply_into(x, width, y);
    }
}

const ABSENT: u32 = u32::MAX;

/// Some rows of a matrix, its columns renamed in the same order; those that are absent are left out.
fn selected<T: Copy>(
    matrix: &CsrMatrix<T>,
    rows: impl Iterator<Item = usize>,
    column_of: Option<&[u32]>,
    n_columns: usize,
) -> CsrMatrix<T> {
    let mut offsets = vec![0];
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for row in rows {
        let (row_columns, row_values) = matrix.row(row);
        for (&column, &value) in row_columns.iter().zip(row_values) {
            let column = column_of.map_or(column, |names| names[column as usize]);
            if column != ABSENT {
                columns.push(column);
                values.push(value);
            }
        }
        offsets.push(columns.len());
    }
    CsrMatrix::new(n_columns, offsets, columns, values)
}

/// The sum of square matrices.
fn sum(matrices: Vec<CsrMatrix>, n_nodes: usize) -> CsrMatrix {
    let mut matrices = matrices.into_iter();
    let first = matrices.next();
    let first = first.unwrap_or_else(|| CsrMatrix::from_rows(n_nodes, vec![Vec::new(); n_nodes]));
    matrices.fold(first, |total, matrix| {
        let row = |row: usize| {
            let entries = |matrix: &CsrMatrix| {
                let (columns, values) = matrix.row(row);
                columns.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>()
            };
            let mut terms = [entries(&total), entries(&matrix)].concat();
            terms.sort_by_key(|&(column, _)| column);
            let of_column = |terms: &[(u32, f64)]| {
                let sum: f64 = terms.iter().map(|term| term.1).sum();
                (sum != 0.0).then_some((terms[0].0, sum))
            };
            terms.chunk_by(|a, b| a.0 == b.0).filter_map(of_column).collect()
        };
        CsrMatrix::from_rows(n_nodes, (0..n_nodes).map(row).collect())
    })
}

/// Every pair with an arc between, and whether it is in an instance: whether W, which is positive or zero,
/// has an entry there. Operators with support `edges` have the same entries there, and nothing that cancels.
fn joined_edges(
    engine: &MotifEngine<'_>,
    kinds: &[MotifKind],
    spec: &MotifSpec,
) -> CsrMatrix<bool> {
    let spec = MotifSpec { support: Support::Edges, ..*spec };
    let pattern = engine.pattern();
    let n_nodes = pattern.n_nodes();
    let (ones, zeros) = (vec![1.0; n_nodes], vec![0.0; n_nodes]);
    let mut is_joined = vec![false; pattern.neighbors().len()];
    for operator in engine.operators(kinds, &spec, Representation::Factored) {
        let scaling = Scaling { scale: 1.0, rows: &ones, columns: &ones, diagonal: &zeros };
        let matrix = operator.scaled_parts::<f64>(&scaling, true).direct;
        for node in 0..n_nodes {
            let (columns, values) = matrix.row(node);
            let mut entries = columns.iter().zip(values).peekable();
            for entry in pattern.row(node) {
                while entries.next_if(|(column, _)| **column < entry.neighbor).is_some() {}
                if let Some((_, &value)) = entries.next_if(|(column, _)| **column == entry.neighbor)
                {
                    is_joined[entry.position] |= value > 0.0;
                }
            }
        }
    }
    let offsets = running_total((0..n_nodes).map(|node| pattern.degree(node)));
    CsrMatrix::new(n_nodes, offsets, pattern.neighbors().to_vec(), is_joined)
}
