//! The engine: one triangle pass, and everything that follows from it.

use std::sync::Arc;

use super::edge_view::EdgeView;
use super::kind::N_TRIADS;
use super::triangles::{CommonNeighbors, Ranking, count_common_neighbors};
use super::{Pattern, PatternEntry};
use crate::graph::DiGraph;
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
