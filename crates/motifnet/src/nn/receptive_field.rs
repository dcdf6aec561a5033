//! Which nodes a loss sees, layer by layer.

use super::locality::locality_rank;
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
        // A sweep over a citation graph in random order takes half as long again. The targets stay
        // in the order that they came in.
        let rank = locality_rank(operators, n_nodes);
        for ring in sizes.windows(2) {
            nodes[ring[0]..ring[1]].sort_unstable_by_key(|&node| rank[node as usize]);
        }
        Self { nodes, sizes }
    }

    /// The same where every output depends on all nodes.
    ///
    /// # Panics
    /// If a target is not a node, or is named twice.
    pub fn of_all(targets: &[u32], n_hops: usize, n_nodes: usize) -> Self {
        let mut seen = vec![false; n_nodes];
        for &target in targets {
            assert!(!std::mem::replace(&mut seen[target as usize], true), "a target named twice");
        }
        let others = (0..n_nodes as u32).filter(|&node| !seen[node as usize]);
        let nodes = targets.iter().copied().chain(others).collect();
        let mut sizes = vec![n_nodes; n_hops + 1];
        sizes[0] = targets.len();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::CsrMatrix;

    /// 0 → 1 → 2 → 3, and a product that leads from 0 over 4 to 5.
    #[test]
    fn fields_grow_hop_by_hop_through_products_too() {
        let rows = |entries: [&[u32]; 6]| {
            let row = |columns: &[u32]| columns.iter().map(|&column| (column, 1.0f64)).collect();
            CsrMatrix::from_rows(6, entries.map(row).to_vec())
        };
        let path = rows([&[1], &[2], &[3], &[], &[], &[]]);
        let (left, right) =
            (rows([&[4], &[], &[], &[], &[], &[]]), rows([&[], &[], &[], &[], &[5], &[]]));
        let parts =
            OperatorParts { direct: path, products: vec![[left, right]], is_symmetric: false };
        let field = ReceptiveField::new(&[0], 3, &[&parts], 6);
        assert_eq!((0..=3).map(|hops| field.size(hops)).collect::<Vec<_>>(), [1, 3, 4, 5]);
        assert_eq!(field.nodes(), [0, 1, 5, 2, 3]);
        let field = ReceptiveField::new(&[3, 1], 1, &[&parts], 6);
        assert_eq!((field.nodes(), field.size(0)), (&[3, 1, 2][..], 2));
    }
}
