//! The instances of a motif behind one entry of its matrix.

use super::dyad::DyadWeights;
use super::spec::{Instances, Support, Weights};
use super::triad::TriadCode;
use super::{MotifKind, MotifSpec, Relation, Shape};
use crate::graph::DiGraph;

/// What makes the entry of a pair of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairInstances {
    /// The nodes that play the vertices 0, 1 and 2 of the motif, by the third node; two of the three
    /// are the pair. Of `Mcoll` they are those of M10, of `Mexpa` those of M8; motifs of two
    /// vertices have none.
    pub triads: Vec<[u32; 3]>,
    /// How many instances there are, shown or not: the entry of the matrix, if `weights` is `count`.
    pub total: u64,
}

/// The instances of `kind` that count for the entry (i, j) of its matrix, of which at most `limit`
/// are shown.
///
/// What an instance is and which pairs it counts for is said by `spec`; what it weighs plays no part, but
/// that under `scaled` no pair without an arc has any. Time O((dᵢ + dⱼ) log d) for degrees d, memory
/// O(dᵢ + dⱼ).
///
/// ```
/// use motifnet::graph::{DiGraph, EdgeList};
/// use motifnet::motif::{MotifKind, MotifSpec, instances};
///
/// // 1 and 2 both point at 0 and at 3.
/// let arcs = EdgeList::from_pairs(4, [(1, 0), (2, 0), (1, 3), (2, 3)]);
/// let (graph, _) = DiGraph::build(arcs, &Default::default())?;
/// let found = instances(&graph, MotifKind::M10, &MotifSpec::default(), [1, 2], 10);
/// assert_eq!(found.triads, [[0, 1, 2], [3, 1, 2]]);
/// # Ok::<(), motifnet::graph::BuildError>(())
/// ```
///
/// # Panics
/// If i or j is not a node.
pub fn instances(
    graph: &DiGraph,
    kind: MotifKind,
    spec: &MotifSpec,
    [i, j]: [u32; 2],
    limit: usize,
) -> PairInstances {
    let relation = match (graph.has_arc(i, j), graph.has_arc(j, i)) {
        (true, true) => Some(Relation::Both),
        (true, false) => Some(Relation::Out),
        (false, true) => Some(Relation::In),
        (false, false) => None,
    };
    let needs_arc = spec.support == Support::Edges || spec.weights == Weights::Scaled;
    if i == j || (needs_arc && relation.is_none()) {
        return PairInstances::default();
    }
    let (motif, of_leaves) = match kind.shape() {
        Shape::Pair => {
            let total = relation.map_or(0, |relation| n_of_pair(kind, spec, relation));
            return PairInstances { triads: Vec::new(), total };
        }
        Shape::Leaves(Relation::Out) => (MotifKind::M8, true),
        Shape::Leaves(_) => (MotifKind::M10, true),
        Shape::Triangle | Shape::Wedge(..) => (kind, false),
    };
    let mut placements = TriadCode::placements(motif);
    if of_leaves {
        // The centre is the vertex 0, and must be the third node.
        placements.retain(|(places, _)| places[0] == 2);
    }
    let mut found = PairInstances::default();
    for third in thirds(graph, [i, j]) {
        let nodes = [i, j, third];
        let present = TriadCode::of_arcs(|source, target| match (source, target) {
            (0, 1) => matches!(relation, Some(Relation::Out | Relation::Both)),
            (1, 0) => matches!(relation, Some(Relation::In | Relation::Both)),
            _ => graph.has_arc(nodes[source], nodes[target]),
        });
        for (places, arcs) in &placements {
            let is_instance = match spec.instances {
                Instances::Induced => *arcs == present,
                Instances::Subgraph => present.contains(*arcs),
            };
            if is_instance {
                found.total += 1;
                if found.triads.len() < limit {
                    found.triads.push(places.map(|place| nodes[place]));
                }
            }
        }
    }
    found
}

/// Instances of a motif of two vertices on a pair that is so related.
fn n_of_pair(kind: MotifKind, spec: &MotifSpec, relation: Relation) -> u64 {
    match kind {
        MotifKind::Out => u64::from(relation != Relation::In),
        MotifKind::In => u64::from(relation != Relation::Out),
        _ => {
            let counted = MotifSpec { weights: Weights::Count, ..*spec };
            DyadWeights::new(relation, 1.0, 1.0).pair_value(kind, &counted) as u64
        }
    }
}

/// The nodes with an arc to or from one of the pair, ascending: all that a joined triad can have.
fn thirds(graph: &DiGraph, pair: [u32; 2]) -> Vec<u32> {
    let of = |node| graph.out_neighbors(node).iter().chain(graph.in_neighbors(node));
    let mut thirds: Vec<u32> = pair.into_iter().flat_map(of).copied().collect();
    thirds.sort_unstable();
    thirds.dedup();
    thirds.retain(|third| !pair.contains(third));
    thirds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::EdgeList;

    fn found(arcs: &[(u32, u32)], kind: MotifKind, spec: MotifSpec) -> PairInstances {
        let list = EdgeList::from_pairs(4, arcs.iter().copied());
        let (graph, _) = DiGraph::build(list, &Default::default()).unwrap();
        instances(&graph, kind, &spec, [0, 1], 2)
    }

    #[test]
    fn a_mutual_triangle_holds_two_cycles_of_the_same_nodes() {
        let triangle = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)];
        let subgraph = MotifSpec { instances: Instances::Subgraph, ..MotifSpec::default() };
        let cycles = found(&triangle, MotifKind::M1, subgraph);
        assert_eq!(cycles, PairInstances { triads: vec![[0, 1, 2], [0, 2, 1]], total: 2 });
        assert_eq!(found(&triangle, MotifKind::M1, MotifSpec::default()).total, 0);
        assert_eq!(found(&triangle, MotifKind::M4, MotifSpec::default()).triads, [[0, 1, 2]]);
    }

    #[test]
    fn leaves_have_the_centre_first_and_need_no_arc() {
        let wedge = [(0, 3), (1, 3)];
        assert_eq!(found(&wedge, MotifKind::Colliders, MotifSpec::default()).triads, [[3, 0, 1]]);
        let edges = MotifSpec { support: Support::Edges, ..MotifSpec::default() };
        assert_eq!(found(&wedge, MotifKind::Colliders, edges), PairInstances::default());
    }

    #[test]
    fn what_is_past_the_limit_is_counted() {
        let list = EdgeList::from_pairs(9, (2..9).flat_map(|leaf| [(leaf, 0), (leaf, 1)]));
        let (graph, _) = DiGraph::build(list, &Default::default()).unwrap();
        let found = instances(&graph, MotifKind::M8, &MotifSpec::default(), [1, 0], 3);
        assert_eq!(found.triads, [[2, 1, 0], [3, 1, 0], [4, 1, 0]]);
        assert_eq!(found.total, 7);
    }
}
