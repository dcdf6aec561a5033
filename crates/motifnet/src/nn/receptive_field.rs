//! Which nodes a loss sees, layer by layer.

use crate::sparse::OperatorParts;

/// The nodes within 0, 1, 2, … hops of those whose outputs are wanted.
///
/// The nodes are put in an order in which every such set is a prefix: first those wanted, then the
/// ones a hop away, and so on. Whatever a layer computes is then the first rows of a matrix, and
/// leaving out the rest changes no number.
#[derive(Clone, Debug)]
pub struct ReceptiveField {
    /// The nodes, nearest first.
    nodes: Vec<u32>,
    /// By number of hops: how many of the nodes are that near.
    sizes: Vec<usize>,
}

impl ReceptiveField {
    /// The nodes that `targets` depend on through up to `n_hops` products with any of `operators`.
    /// Time O(entries), each visited once.
    ///
    /// # Panics
    /// If a target is not a node, or is named twice.
    pub fn new<T>(
        targets: &[u32],
        n_hops: usize,
        operators: &[&OperatorParts<T>],
        n_nodes: usize,
    ) -> Self {
        let mut seen = vec![false; n_nodes];
        let mut nodes = Vec::new();
        for &target in targets {
            assert!(!std::mem::replace(&mut seen[target as usize], true), "a target named twice");
            nodes.push(target);
        }
        // A node between the factors of a product is gone through once, whoever leads to it.
        let n_products = operators.iter().map(|parts| parts.products.len());
        let mut between: Vec<Vec<bool>> = n_products.map(|n| vec![false; n * n_nodes]).collect();
        let mut sizes = vec![nodes.len()];
        let mut start = 0;
        for _ in 0..n_hops {
            let end = nodes.len();
            for at in start..end {
                let node = nodes[at] as usize;
                for (parts, between) in operators.iter().zip(&mut between) {
                    add_new(parts.direct.row(node).0, &mut seen, &mut nodes);
                    for (number, [left, right]) in parts.products.iter().enumerate() {
                        for &middle in left.row(node).0 {
                            let gone = &mut between[number * n_nodes + middle as usize];
                            if !std::mem::replace(gone, true) {
                                add_new(right.row(middle as usize).0, &mut seen, &mut nodes);
                            }
                        }
                    }
                }
            }
            start = end;
            sizes.push(nodes.len());
        }
        Self { nodes, sizes }
    }

    /// All nodes as targets, in their own order: nothing is left out.
    pub fn whole(n_nodes: usize, n_hops: usize) -> Self {
        Self { nodes: (0..n_nodes as u32).collect(), sizes: vec![n_nodes; n_hops + 1] }
    }

    /// The nodes of the field, nearest first.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// How many nodes are within `hops`.
    pub fn size(&self, hops: usize) -> usize {
        self.sizes[hops]
    }

    /// How many hops the field reaches.
    pub fn n_hops(&self) -> usize {
        self.sizes.len() - 1
    }
}

fn add_new(found: &[u32], seen: &mut [bool], nodes: &mut Vec<u32>) {
    for &node in found {
        if !std::mem::replace(&mut seen[node as usize], true) {
            nodes.push(node);
        }
    }
}
