//! How many of the triangles that a node could be in are there: directed clustering coefficients.

use super::{MotifEngine, Relation};
use crate::choice::words;
use crate::sparse::rows::fill_rows;

/// A sort of directed triangle at a node i, after Fagiolo (2007); arc weights are ignored.
///
/// With A the arcs, d_in, d_out the degrees, d_tot their sum and d_both the pairs joined both ways:
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClusteringKind {
    /// i → j → k → i: (A³)_ii / (d_in d_out − d_both).
    Cycle,
    /// i → j ← k → i, the way round that i stands in the middle of: (A Aᵀ A)_ii / (d_in d_out − d_both).
    Middleman,
    /// j → i ← k, with an arc between: (Aᵀ A²)_ii / (d_in (d_in − 1)).
    In,
    /// j ← i → k, with an arc between: (A² Aᵀ)_ii / (d_out (d_out − 1)).
    Out,
    /// All of them: ((A + Aᵀ)³)_ii / (2 (d_tot (d_tot − 1) − 2 d_both)).
    Total,
}

words!(
    ClusteringKind,
    "clustering",
    Cycle = "cycle",
    Middleman = "middleman",
    In = "in",
    Out = "out",
    Total = "total",
);

/// Triangles of each kind at a node, in the order of [`ClusteringKind::ALL`]: those that are there, and those
/// that its degrees leave room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeClustering {
    triangles: [u64; 5],
    possible: [u64; 5],
}

impl NodeClustering {
    /// The share of the possible triangles that is there; none where none is possible.
    pub fn coefficient(&self, kind: ClusteringKind) -> Option<f64> {
        let possible = self.possible[kind as usize];
        (possible > 0).then(|| self.triangles[kind as usize] as f64 / possible as f64)
    }
}

/// The mean coefficient of the nodes that have one, and how many have; summed in the order of the nodes.
pub fn mean_clustering(nodes: &[NodeClustering], kind: ClusteringKind) -> (Option<f64>, usize) {
    let (mut sum, mut n_nodes) = (0.0, 0);
    for coefficient in nodes.iter().filter_map(|node| node.coefficient(kind)) {
        sum += coefficient;
        n_nodes += 1;
    }
    ((n_nodes > 0).then(|| sum / n_nodes as f64), n_nodes)
}

impl MotifEngine<'_> {
    /// The directed clustering coefficients of every node (Fagiolo, "Clustering in complex directed networks",
    /// 2007), from the triangle pass: an edge knows its common neighbours by how both ends see them. Time
    /// O(edges), memory 80 bytes a node.
    ///
    /// ```
    /// use motifnet::graph::{DiGraph, EdgeList};
    /// use motifnet::motif::{ClusteringKind, MotifEngine};
    ///
    /// // 0 → 1 → 2 → 0, and 0 → 3.
    /// let arcs = EdgeList::from_pairs(4, [(0, 1), (1, 2), (2, 0), (0, 3)]);
    /// let (graph, _) = DiGraph::build(arcs, &Default::default())?;
    /// let nodes = MotifEngine::new(&graph).clustering();
    /// assert_eq!(nodes[0].coefficient(ClusteringKind::Cycle), Some(0.5));
    /// assert_eq!(nodes[0].coefficient(ClusteringKind::Out), Some(0.0));
    /// assert_eq!(nodes[3].coefficient(ClusteringKind::Total), None);
    /// # Ok::<(), motifnet::graph::BuildError>(())
    /// ```
    pub fn clustering(&self) -> Vec<NodeClustering> {
        let pattern = self.pattern();
        let mut nodes = vec![NodeClustering::default(); pattern.n_nodes()];
        fill_rows(pattern.offsets(), 1, &mut nodes, |node, slot| {
            slot[0] = self.clustering_of(node)
        });
        nodes
    }

    fn clustering_of(&self, node: usize) -> NodeClustering {
        let points_at = |relation: Relation| relation != Relation::In;
        let is_pointed_at = |relation: Relation| relation != Relation::Out;
        let [mut cycle, mut middleman, mut inwards, mut outwards] = [0; 4];
        for entry in self.pattern().row(node) {
            let view = self.view(node, entry);
            for (cell, &count) in view.common.iter().enumerate() {
                // The third node as this one and as the neighbour see it.
                let [third, across] = [Relation::ALL[cell / 3], Relation::ALL[cell % 3]];
                let count = u64::from(count);
                let add = |sum: &mut u64, is_there: bool| *sum += if is_there { count } else { 0 };
                let (to, from) = (points_at(view.relation), is_pointed_at(view.relation));
                let (on, back) = (points_at(across), is_pointed_at(across));
                add(&mut cycle, to && on && is_pointed_at(third));
                add(&mut middleman, to && back && is_pointed_at(third));
                add(&mut inwards, from && on && is_pointed_at(third));
                add(&mut outwards, to && on && points_at(third));
            }
        }
        let degrees = self.pattern().degrees()[node].map(u64::from);
        let of = |relation: Relation| degrees[relation as usize];
        let both = of(Relation::Both);
        let [d_in, d_out] = [of(Relation::In) + both, of(Relation::Out) + both];
        let ways = d_in * d_out - both;
        let pairs = |degree: u64| degree * degree.saturating_sub(1);
        NodeClustering {
            triangles: [
                cycle,
                middleman,
                inwards,
                outwards,
                cycle + middleman + inwards + outwards,
            ],
            possible: [ways, ways, pairs(d_in), pairs(d_out), pairs(d_in + d_out) - 2 * both],
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::{DiGraph, EdgeList};

    type Dense = Vec<Vec<f64>>;

    fn product(a: &Dense, b: &Dense) -> Dense {
        let n = a.len();
        let entry = |i: usize, j: usize| (0..n).map(|k| a[i][k] * b[k][j]).sum();
        (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
    }

    fn build(n_nodes: usize, arcs: &[(u32, u32)]) -> DiGraph {
        let arcs = EdgeList::from_pairs(n_nodes, arcs.iter().copied());
        DiGraph::build(arcs, &Default::default()).unwrap().0
    }

    proptest! {
        #[test]
        fn coefficients_are_those_of_dense_algebra(
            n in 1_usize..12,
            arcs in prop::collection::vec((0_u32..12, 0_u32..12), 0..120),
        ) {
            let arcs: Vec<_> =
                arcs.into_iter().map(|(s, t)| (s % n as u32, t % n as u32)).collect();
            let graph = build(n, &arcs);
            let mut a = vec![vec![0.0; n]; n];
            graph.arcs().for_each(|(s, t, _)| a[s as usize][t as usize] = 1.0);
            let turned: Dense = (0..n).map(|i| (0..n).map(|j| a[j][i]).collect()).collect();
            let both: Dense =
                (0..n).map(|i| (0..n).map(|j| a[i][j] + a[j][i]).collect()).collect();
            let closed = |x: &Dense, y: &Dense, z: &Dense| product(&product(x, y), z);
            let cubes = [
                closed(&a, &a, &a),
                closed(&a, &turned, &a),
                closed(&turned, &a, &a),
                closed(&a, &a, &turned),
                closed(&both, &both, &both),
            ];
            let found = MotifEngine::new(&graph).clustering();
            for i in 0..n {
                let out: f64 = a[i].iter().sum();
                let into: f64 = turned[i].iter().sum();
                let mutual: f64 = (0..n).map(|j| a[i][j] * a[j][i]).sum();
                let total = out + into;
                let room = [
                    into * out - mutual,
                    into * out - mutual,
                    into * (into - 1.0),
                    out * (out - 1.0),
                    2.0 * (total * (total - 1.0) - 2.0 * mutual),
                ];
                for ((kind, cube), room) in ClusteringKind::ALL.into_iter().zip(&cubes).zip(room) {
                    let expected = (room > 0.0).then(|| cube[i][i] / room);
                    prop_assert_eq!(found[i].coefficient(kind), expected, "{} at {}", kind, i);
                }
            }
        }
    }

    #[test]
    fn means_are_over_the_nodes_that_have_one() {
        let nodes = MotifEngine::new(&build(5, &[(0, 1), (1, 2), (0, 2), (0, 3)])).clustering();
        assert_eq!(mean_clustering(&nodes, ClusteringKind::Out), (Some(1.0 / 6.0), 1));
        assert_eq!(mean_clustering(&nodes, ClusteringKind::Middleman), (Some(1.0), 1));
        assert_eq!(mean_clustering(&[], ClusteringKind::Total), (None, 0));
    }
}
