//! Which nodes instances join, without forming the matrix.

use super::MotifGraph;
use crate::graph::{Components, UnionFind};
use crate::sparse::CsrMatrix;

impl MotifGraph {
    /// The components of W; a node in no instance is one by itself.
    ///
    /// On pairs with an arc between them W is known. Any other pair has an entry if a factored product has
    /// one, that is if a centre has both as leaves: for every centre the leaves that are not adjacent are
    /// joined by a search in which whoever is met is taken off a list, so what is looked at in vain is
    /// an arc between leaves, a triangle. Time O((arcs + triangles) · log arcs), memory O(arcs).
    pub fn components(&self) -> Components {
        let mut sets = UnionFind::new(self.n_nodes());
        let Some(adjacent) = &self.adjacent else {
            for (row, column, _) in self.direct.entries().filter(|entry| *entry.2 > 0.0) {
                sets.join(row as u32, column);
            }
            return sets.into_components();
        };
        for (row, column, _) in adjacent.entries().filter(|entry| *entry.2) {
            sets.join(row as u32, column);
        }
        for [left, right] in &self.products {
            let leaves = left.transpose();
            for centre in 0..right.n_rows() {
                join_apart(&mut sets, leaves.row(centre).0, right.row(centre).0, adjacent);
            }
        }
        sets.into_components()
    }
}

/// Joins every node of `first` with every other of `second` that it is not adjacent to.
fn join_apart(sets: &mut UnionFind, first: &[u32], second: &[u32], adjacent: &CsrMatrix<bool>) {
    let (Some(&one), false) = (first.first(), second.is_empty()) else { return };
    let root = sets.find(one);
    // Mostly the centre itself has joined them.
    if first.iter().chain(second).all(|&leaf| sets.find(leaf) == root) {
        return;
    }
    let mut unmet = [first.to_vec(), second.to_vec()];
    while let Some(start) = unmet[0].pop() {
        let mut met = vec![(0, start)];
        while let Some((side, node)) = met.pop() {
            unmet[1 - side].retain(|&leaf| {
                let is_apart = leaf != node && !are_adjacent(adjacent, node, leaf);
                if is_apart {
                    sets.join(node, leaf);
                    met.push((1 - side, leaf));
                }
                !is_apart
            });
        }
    }
}

fn are_adjacent(adjacent: &CsrMatrix<bool>, first: u32, second: u32) -> bool {
    let [one, other] = [first, second].map(|node| adjacent.row(node as usize).0);
    match one.len() <= other.len() {
        true => one.binary_search(&second).is_ok(),
        false => other.binary_search(&first).is_ok(),
    }
}
