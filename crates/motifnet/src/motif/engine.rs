//! The engine: one triangle pass, and everything that follows from it.

use std::sync::Arc;

use super::edge_view::EdgeView;
use super::kind::N_TRIADS;
use super::triangles::{CommonNeighbors, PASS_BYTES_AN_EDGE, Ranking, count_common_neighbors};
use super::{Pattern, PatternEntry};
use crate::graph::DiGraph;
use crate::memory::{MemoryError, Need};
use crate::progress::{Progress, Silent};

/// What the triangle pass found out about a graph: the ground of census, counts, roles and
/// motif operators, none of which looks at a wedge.
///
/// Time O(edges^1.5) at worst, memory about 60 bytes an edge.
///
/// ```
/// use motifnet::graph::{DiGraph, EdgeList};
/// use motifnet::motif::MotifEngine;
///
/// let arcs = EdgeList::from_pairs(4, [(0, 1), (1, 2), (0, 2), (2, 3)]);
/// let (graph, _) = DiGraph::build(arcs, &Default::default())?;
/// let census = MotifEngine::new(&graph).census();
/// assert_eq!(census.count("030T"), Some(1));
/// # Ok::<(), motifnet::graph::BuildError>(())
/// ```
#[derive(Debug)]
pub struct MotifEngine<'g> {
    graph: &'g DiGraph,
    pattern: Arc<Pattern>,
    common: Vec<CommonNeighbors>,
    n_steps: usize,
}

/// What the pass over the triangles takes: the pattern, the ranking, the counters of entries and of edges,
/// and a mark and a place for every node and thread.
pub(crate) fn pass_need(n_nodes: usize, n_edges: usize) -> Need {
    let (bytes_an_edge, bytes_a_node) = (PASS_BYTES_AN_EDGE + 26 + 5, 36 + 28);
    let bytes_a_node = bytes_a_node + 5 * rayon::current_num_threads();
    Need {
        what: "counting triangles",
        n_bytes: (bytes_an_edge * n_edges + bytes_a_node * n_nodes) as u64,
        remedy: "take a smaller graph",
    }
}

impl<'g> MotifEngine<'g> {
    /// Runs the triangle pass over `graph`.
    pub fn new(graph: &'g DiGraph) -> Self {
        Self::with_progress(graph, &Silent)
    }

    /// Runs the triangle pass and reports on it.
    pub fn with_progress(graph: &'g DiGraph, progress: &dyn Progress) -> Self {
        let pattern = Pattern::new(graph);
        let ranking = Ranking::new(&pattern);
        Self::from_parts(graph, pattern, &ranking, progress)
    }

    /// Runs the triangle pass and reports on it, if there is memory for it.
    ///
    /// # Errors
    /// If there is not, as far as can be told.
    pub fn planned(graph: &'g DiGraph, progress: &dyn Progress) -> Result<Self, MemoryError> {
        Self::check_memory(graph)?;
        Ok(Self::with_progress(graph, progress))
    }

    /// Refuses a graph whose triangle pass would not fit in memory.
    ///
    /// # Errors
    /// If there is less than it takes, as far as can be told.
    pub fn check_memory(graph: &DiGraph) -> Result<(), MemoryError> {
        // Two arcs may be one edge; they are counted only where it matters.
        let fits = pass_need(graph.n_nodes(), graph.n_arcs()).check();
        fits.or_else(|_| Self::need(graph).check())
    }

    /// What the triangle pass over `graph` takes. Time O(arcs).
    pub fn need(graph: &DiGraph) -> Need {
        pass_need(graph.n_nodes(), graph.n_arcs() - graph.n_reciprocated_arcs() / 2)
    }

    /// What the operators of `n_kinds` motifs take: a number an edge each, two where arcs have weights, and the factors that
    /// they share.
    pub fn operators_need(&self, n_kinds: usize) -> Need {
        let (n_nodes, n_edges) = (self.graph.n_nodes() as u64, self.pattern.n_edges() as u64);
        let n_kinds = n_kinds as u64;
        let bytes_a_kind = if self.graph.is_weighted() { 16 } else { 8 };
        Need {
            what: "making the motif matrices",
            n_bytes: (bytes_a_kind * n_kinds + 72) * n_edges + (8 * n_kinds + 48) * n_nodes,
            remedy: "ask for fewer motifs at a time",
        }
    }

    /// What a table of counts takes: one row of `width` numbers for each of `n_rows`.
    pub fn counts_need(n_rows: usize, width: usize) -> Need {
        Need {
            what: "the table of counts",
            n_bytes: (n_rows * width * size_of::<u64>()) as u64,
            remedy: "ask for the counts of nodes in place of those of edges",
        }
    }

    /// Runs the triangle pass over a pattern and ranking of `graph` that are already there.
    pub fn from_parts(
        graph: &'g DiGraph,
        pattern: Pattern,
        ranking: &Ranking,
        progress: &dyn Progress,
    ) -> Self {
        let common = count_common_neighbors(&pattern, ranking, progress);
        let n_steps = ranking.n_steps();
        Self { graph, pattern: Arc::new(pattern), common, n_steps }
    }

    /// The graph.
    pub fn graph(&self) -> &'g DiGraph {
        self.graph
    }

    /// The undirected graph under it, which all motif matrices are laid out on.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Number of look-ups the triangle pass made.
    pub fn n_steps(&self) -> usize {
        self.n_steps
    }

    /// Number of triangles of the undirected graph.
    pub fn n_triangles(&self) -> u128 {
        let of_edge =
            |common: &CommonNeighbors| common.iter().map(|&n| u128::from(n)).sum::<u128>();
        self.common.iter().map(of_edge).sum::<u128>() / 3
    }

    /// Induced instances of M1 to M13 that contain both ends of an edge, by edge number.
    pub fn edge_counts(&self) -> Vec<[u64; N_TRIADS]> {
        self.pattern.map_edges(|node, entry| self.view(node, entry).counts())
    }

    /// The edge of `entry` as `node`, whose row it is in, sees it.
    pub(super) fn view(&self, node: usize, entry: PatternEntry) -> EdgeView {
        let common = self.common[entry.edge as usize];
        let neighbor = entry.neighbor as usize;
        let degrees = self.pattern.degrees();
        let (here, there) = (&degrees[node], &degrees[neighbor]);
        if node < neighbor {
            EdgeView::new(entry.relation, common, here, there)
        } else {
            EdgeView::new(entry.relation.reversed(), common, there, here).reversed()
        }
    }
}
