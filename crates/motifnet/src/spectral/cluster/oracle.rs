//! Cuts and conductances by brute force, in dense matrices and by counting instances.

use crate::graph::{DiGraph, UnionFind};
use crate::motif::oracle::{self, Dense, for_each_instance};
use crate::motif::{MotifKind, MotifSpec};

use super::MotifSum;

/// Σ w_k W_k.
pub(super) fn matrix(graph: &DiGraph, motifs: &MotifSum, spec: &MotifSpec) -> Dense {
    let n = graph.n_nodes();
    let mut sum = vec![vec![0.0; n]; n];
    for &(kind, weight) in motifs.terms() {
        let matrix = oracle::matrix(graph, kind, spec);
        for (row, more) in sum.iter_mut().zip(matrix) {
            row.iter_mut().zip(more).for_each(|(entry, more)| *entry += weight * more);
        }
    }
    sum
}

/// The rows and columns of some nodes.
pub(super) fn part(matrix: &Dense, nodes: &[u32]) -> Dense {
    let row = |&i: &u32| nodes.iter().map(|&j| matrix[i as usize][j as usize]).collect();
    nodes.iter().map(row).collect()
}

/// The component of every node, largest first.
pub(super) fn components(matrix: &Dense) -> Vec<u32> {
    let mut sets = UnionFind::new(matrix.len());
    for (i, row) in matrix.iter().enumerate() {
        for (j, _) in row.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
            sets.join(i as u32, j as u32);
        }
    }
    sets.into_components().labels
}

/// The conductance of the nodes for which `is_inside`.
pub(super) fn conductance(matrix: &Dense, is_inside: &[bool]) -> f64 {
    let (mut cut, mut volumes) = (0.0, [0.0; 2]);
    for (i, row) in matrix.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            volumes[usize::from(is_inside[i])] += entry;
            if is_inside[i] && !is_inside[j] {
                cut += entry;
            }
        }
    }
    let least = volumes[0].min(volumes[1]);
    if least > 0.0 { cut / least } else { 1.0 }
}

/// The least conductance of any set of nodes.
pub(super) fn least_conductance(matrix: &Dense) -> f64 {
    let n = matrix.len();
    // The last node is outside: a set and its complement have the same cut.
    let sets = (1_u32..1 << (n - 1)).map(|set| {
        let is_inside: Vec<bool> = (0..n).map(|i| set >> i & 1 == 1).collect();
        conductance(matrix, &is_inside)
    });
    sets.fold(f64::INFINITY, f64::min)
}

/// The motif conductance of Benson et al.: instances with nodes on both sides, over the lesser number of ends
/// of instances on a side.
pub(super) fn motif_conductance(
    graph: &DiGraph,
    kind: MotifKind,
    spec: &MotifSpec,
    is_inside: &[bool],
) -> f64 {
    let n = graph.n_nodes();
    let mut arcs = vec![vec![0.0; n]; n];
    graph.arcs().for_each(|(s, t, _)| arcs[s as usize][t as usize] = 1.0);
    let (mut n_cut, mut ends) = (0.0, [0.0; 2]);
    for_each_instance(&arcs, kind, spec, |nodes, _| {
        let inside = nodes.iter().filter(|&&node| is_inside[node]).count();
        ends[1] += inside as f64;
        ends[0] += 3.0 - inside as f64;
        n_cut += f64::from(u8::from(inside == 1 || inside == 2));
    });
    let least: f64 = ends[0].min(ends[1]);
    if least > 0.0 { n_cut / least } else { 1.0 }
}
