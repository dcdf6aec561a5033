//! Motif matrices by brute force: every triple of nodes against every motif, in dense matrices.
//!
//! Shares no table with the engine: an instance is recognised by trying all six placements of
//! the motif's arcs.

use std::collections::BTreeSet;

use super::spec::{Instances, Support, Weights};
use super::{MotifKind, MotifSpec, Shape};
use crate::graph::DiGraph;

pub(crate) type Dense = Vec<Vec<f64>>;

const PLACEMENTS: [[usize; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The matrix of `kind`.
pub(crate) fn matrix(graph: &DiGraph, kind: MotifKind, spec: &MotifSpec) -> Dense {
    let n = graph.n_nodes();
    let mut a = vec![vec![0.0; n]; n];
    for (source, target, weight) in graph.arcs() {
        a[source as usize][target as usize] = f64::from(weight);
    }
    let mut w = vec![vec![0.0; n]; n];
    match kind.shape() {
        Shape::Pair => {
            for i in 0..n {
                for j in (0..n).filter(|&j| j != i) {
                    w[i][j] = pair(kind, spec, a[i][j], a[j][i]);
                }
            }
            return w;
        }
        Shape::Triangle | Shape::Wedge(..) => {
            for_each_instance(&a, kind, spec, |nodes, weight| {
                for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                    w[nodes[i]][nodes[j]] += weight;
                    w[nodes[j]][nodes[i]] += weight;
                }
            });
        }
        Shape::Leaves(_) => {
            let wedge = if kind == MotifKind::Expanders { MotifKind::M8 } else { MotifKind::M10 };
            for_each_instance(&a, wedge, spec, |nodes, weight| {
                w[nodes[1]][nodes[2]] += weight;
                w[nodes[2]][nodes[1]] += weight;
            });
        }
    }
    for i in 0..n {
        for j in 0..n {
            let adjacent = a[i][j] != 0.0 || a[j][i] != 0.0;
            if spec.support == Support::Edges && !adjacent {
                w[i][j] = 0.0;
            }
            if spec.weights == Weights::Scaled {
                w[i][j] *= a[i][j] + a[j][i];
            }
        }
    }
    w
}

fn pair(kind: MotifKind, spec: &MotifSpec, to: f64, from: f64) -> f64 {
    let (has_to, has_from) = (to != 0.0, from != 0.0);
    let mutual = has_to && has_from;
    let unweighted = spec.weights == Weights::Count;
    let one_if = |condition: bool| if condition { 1.0 } else { 0.0 };
    match kind {
        MotifKind::Out => {
            if unweighted {
                one_if(has_to)
            } else {
                to
            }
        }
        MotifKind::In => {
            if unweighted {
                one_if(has_from)
            } else {
                from
            }
        }
        MotifKind::Undirected => {
            if unweighted {
                one_if(has_to || has_from)
            } else {
                to + from
            }
        }
        MotifKind::Single => {
            // An instance is one arc; an induced one has no arc back.
            let instances: Vec<f64> = match spec.instances {
                Instances::Induced if mutual => vec![],
                _ => [to, from].into_iter().filter(|&weight| weight != 0.0).collect(),
            };
            match spec.weights {
                Weights::Count => instances.len() as f64,
                Weights::Mean | Weights::Product => instances.iter().sum(),
                Weights::Scaled => instances.len() as f64 * (to + from),
            }
        }
        _ if !mutual => 0.0,
        _ => match spec.weights {
            Weights::Count => 1.0,
            Weights::Mean => (to + from) / 2.0,
            Weights::Product => to * from,
            Weights::Scaled => to + from,
        },
    }
}

/// Calls `visit` with the nodes that play 0, 1, 2 in every instance, and with its weight.
pub(crate) fn for_each_instance(
    a: &Dense,
    motif: MotifKind,
    spec: &MotifSpec,
    mut visit: impl FnMut([usize; 3], f64),
) {
    let n = a.len();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                let triple = [i, j, k];
                let present: BTreeSet<(usize, usize)> = PLACEMENTS
                    .into_iter()
                    .map(|p| (triple[p[0]], triple[p[1]]))
                    .filter(|&(s, t)| a[s][t] != 0.0)
                    .collect();
                let mut found = BTreeSet::new();
                for placement in PLACEMENTS {
                    let nodes = placement.map(|vertex| triple[vertex]);
                    let arcs: BTreeSet<(usize, usize)> =
                        motif.arcs().iter().map(|&(s, t)| (nodes[s], nodes[t])).collect();
                    let is_instance = match spec.instances {
                        Instances::Induced => arcs == present,
                        Instances::Subgraph => arcs.is_subset(&present),
                    };
                    // The symmetries of a motif place the same arcs again.
                    if is_instance && found.insert(arcs.clone()) {
                        let weights = arcs.iter().map(|&(s, t)| a[s][t]);
                        let weight = match spec.weights {
                            Weights::Count | Weights::Scaled => 1.0,
                            Weights::Mean => weights.sum::<f64>() / arcs.len() as f64,
                            Weights::Product => weights.product(),
                        };
                        visit(nodes, weight);
                    }
                }
            }
        }
    }
}

/// How often each node plays each vertex of `motif`, in induced instances; a symmetric place
/// counts for the first vertex it can be.
pub(super) fn role_counts(graph: &DiGraph, motif: MotifKind) -> Vec<[u64; 3]> {
    let n = graph.n_nodes();
    let mut counts = vec![[0; 3]; n];
    let code: BTreeSet<(usize, usize)> = motif.arcs().iter().copied().collect();
    let symmetries: Vec<[usize; 3]> = PLACEMENTS
        .into_iter()
        .filter(|p| {
            motif.arcs().iter().map(|&(s, t)| (p[s], p[t])).collect::<BTreeSet<_>>() == code
        })
        .collect();
    let mut a = vec![vec![0.0; n]; n];
    for (source, target, _) in graph.arcs() {
        a[source as usize][target as usize] = 1.0;
    }
    for_each_instance(&a, motif, &MotifSpec::default(), |nodes, _| {
        for vertex in 0..3 {
            let first = symmetries.iter().map(|p| p[vertex]).min().unwrap();
            counts[nodes[vertex]][first] += 1;
        }
    });
    counts
}
