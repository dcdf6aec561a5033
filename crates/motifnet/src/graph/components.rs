//! Which nodes hang together.

use super::DiGraph;

/// A partition of the nodes into components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The component of every node; component 0 is the largest. Components of one size are
    /// numbered in the order of their smallest nodes.
    pub labels: Vec<u32>,
    /// Number of nodes of each component, descending.
    pub sizes: Vec<usize>,
}

impl Components {
    /// Components from labels that any one node of a component may have given it; labels are
    /// below the number of nodes.
    fn from_representatives(mut labels: Vec<u32>) -> Self {
        let mut sizes = vec![0_usize; labels.len()];
        for &label in &labels {
            sizes[label as usize] += 1;
        }
        // In the order of their smallest nodes; the sort by size is stable.
        let mut seen = vec![false; labels.len()];
        let mut order: Vec<u32> = Vec::new();
        for &label in &labels {
            if !std::mem::replace(&mut seen[label as usize], true) {
                order.push(label);
            }
        }
        order.sort_by_key(|&label| std::cmp::Reverse(sizes[label as usize]));
        let mut rank = vec![0_u32; labels.len()];
        for (position, &label) in order.iter().enumerate() {
            rank[label as usize] = position as u32;
        }
        for label in &mut labels {
            *label = rank[*label as usize];
        }
        let sizes = order.iter().map(|&label| sizes[label as usize]).collect();
        Self { labels, sizes }
    }

    /// Number of components.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there is no component, since there is no node.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Number of nodes of the largest component.
    pub fn largest(&self) -> usize {
        self.sizes.first().copied().unwrap_or(0)
    }
}

impl DiGraph {
    /// The weak components: nodes joined by arcs in whatever direction.
    ///
    /// Union–find with path halving; time O((nodes + arcs) · α(nodes)), memory O(nodes).
    pub fn weak_components(&self) -> Components {
        let mut sets = UnionFind::new(self.n_nodes());
        for source in 0..self.n_nodes() as u32 {
            for &target in self.out_neighbors(source) {
                sets.join(source, target);
            }
        }
        sets.into_components()
    }

    /// The strong components: nodes that reach each other along arcs.
    ///
    /// Tarjan (1972), with a stack of its own in place of recursion, so that long paths do not
    /// overflow the thread's. Time O(nodes + arcs), memory O(nodes).
    ///
    /// ```
    /// use motifnet::graph::{BuildOptions, DiGraph, EdgeList};
    ///
    /// let arcs = EdgeList::from_pairs(4, [(3, 0), (0, 1), (1, 2), (2, 0)]);
    /// let (graph, _) = DiGraph::build(arcs, &BuildOptions::default())?;
    /// assert_eq!(graph.strong_components().labels, [0, 0, 0, 1]);
    /// assert_eq!(graph.weak_components().sizes, [4]);
    /// # Ok::<(), motifnet::graph::BuildError>(())
    /// ```
    pub fn strong_components(&self) -> Components {
        let mut search = Tarjan::new(self.n_nodes());
        for root in 0..self.n_nodes() as u32 {
            if search.index[root as usize] == UNSEEN {
                search.explore(self, root);
            }
        }
        Components::from_representatives(search.labels)
    }
}

/// Nodes that are joined pair by pair: union–find with path halving.
pub(crate) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// Every node by itself.
    pub(crate) fn new(n_nodes: usize) -> Self {
        Self { parent: (0..n_nodes as u32).collect() }
    }

    /// The root of `node`'s tree; halves the path to it on the way.
    pub(crate) fn find(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let grandparent = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = grandparent;
            node = grandparent;
        }
        node
    }

    /// Puts the two nodes into one component.
    pub(crate) fn join(&mut self, first: u32, second: u32) {
        let (first, second) = (self.find(first), self.find(second));
        // The smaller node is the root, so a node's parent is never above it.
        self.parent[first.max(second) as usize] = first.min(second);
    }

    /// What was joined.
    pub(crate) fn into_components(mut self) -> Components {
        let labels = (0..self.parent.len() as u32).map(|node| self.find(node)).collect();
        Components::from_representatives(labels)
    }
}

/// The index of a node not met yet; there are fewer than 2³² − 1 others.
const UNSEEN: u32 = u32::MAX;

struct Tarjan {
    /// When a node was first met.
    index: Vec<u32>,
    /// The earliest node met that is known to be reachable and still open.
    low: Vec<u32>,
    /// The node that first met its component; meaningful once the component is closed.
    labels: Vec<u32>,
    is_open: Vec<bool>,
    open: Vec<u32>,
    /// The path from the root: nodes, and how many of their arcs have been followed.
    path: Vec<(u32, usize)>,
    n_met: u32,
}

impl Tarjan {
    fn new(n_nodes: usize) -> Self {
        Self {
            index: vec![UNSEEN; n_nodes],
            low: vec![0; n_nodes],
            labels: vec![0; n_nodes],
            is_open: vec![false; n_nodes],
            open: Vec::new(),
            path: Vec::new(),
            n_met: 0,
        }
    }

    fn explore(&mut self, graph: &DiGraph, root: u32) {
        self.meet(root);
        while let Some((node, followed)) = self.path.last_mut() {
            let node = *node;
            if let Some(&target) = graph.out_neighbors(node).get(*followed) {
                *followed += 1;
                if self.index[target as usize] == UNSEEN {
                    self.meet(target);
                } else if self.is_open[target as usize] {
                    self.lower(node, self.index[target as usize]);
                }
            } else {
                self.path.pop();
                self.leave(node);
            }
        }
    }

    fn meet(&mut self, node: u32) {
        self.index[node as usize] = self.n_met;
        self.low[node as usize] = self.n_met;
        self.n_met += 1;
        self.is_open[node as usize] = true;
        self.open.push(node);
        self.path.push((node, 0));
    }

    /// All arcs of `node` have been followed: closes the component that it met first, if it did.
    fn leave(&mut self, node: u32) {
        let low = self.low[node as usize];
        if let Some(&(parent, _)) = self.path.last() {
            self.lower(parent, low);
        }
        if low != self.index[node as usize] {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.is_open[member as usize] = false;
            self.labels[member as usize] = node;
            if member == node {
                break;
            }
        }
    }

    fn lower(&mut self, node: u32, low: u32) {
        let slot = &mut self.low[node as usize];
        *slot = (*slot).min(low);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph::{BuildOptions, EdgeList};

    fn graph(n_nodes: usize, arcs: impl IntoIterator<Item = (u32, u32)>) -> DiGraph {
        let arcs = EdgeList::from_pairs(n_nodes, arcs);
        DiGraph::build(arcs, &BuildOptions::default()).unwrap().0
    }

    /// `[i][j]`: whether j can be reached from i, by breadth-first search from every node.
    fn reachability(n_nodes: usize, next: impl Fn(u32) -> Vec<u32>) -> Vec<Vec<bool>> {
        let from = |start: usize| {
            let mut reached = vec![false; n_nodes];
            reached[start] = true;
            let mut queue = std::collections::VecDeque::from([start as u32]);
            while let Some(node) = queue.pop_front() {
                for target in next(node) {
                    if !std::mem::replace(&mut reached[target as usize], true) {
                        queue.push_back(target);
                    }
                }
            }
            reached
        };
        (0..n_nodes).map(from).collect()
    }

    fn assert_partition(components: &Components, together: impl Fn(usize, usize) -> bool) {
        let n = components.labels.len();
        for i in 0..n {
            for j in 0..n {
                let same = components.labels[i] == components.labels[j];
                assert_eq!(same, together(i, j), "{i} and {j}");
            }
        }
        assert!(components.sizes.is_sorted_by(|a, b| a >= b));
        for (label, &size) in components.sizes.iter().enumerate() {
            let members = components.labels.iter().filter(|&&l| l as usize == label).count();
            assert_eq!(members, size);
        }
        assert_eq!(components.sizes.iter().sum::<usize>(), n);
    }

    proptest! {
        #[test]
        fn components_are_what_reachability_says(
            n_nodes in 1_usize..25,
            pairs in prop::collection::vec((0_u32..25, 0_u32..25), 0..60),
        ) {
            let n = n_nodes as u32;
            let graph = graph(n_nodes, pairs.into_iter().map(|(s, t)| (s % n, t % n)));
            let along = reachability(n_nodes, |node| graph.out_neighbors(node).to_vec());
            let either = reachability(n_nodes, |node| {
                [graph.out_neighbors(node), graph.in_neighbors(node)].concat()
            });
            assert_partition(&graph.strong_components(), |i, j| along[i][j] && along[j][i]);
            assert_partition(&graph.weak_components(), |i, j| either[i][j]);
        }
    }

    #[test]
    fn the_largest_component_comes_first_and_ties_go_by_node() {
        let graph = graph(7, [(1, 2), (6, 5), (5, 4)]);
        assert_eq!(graph.weak_components().labels, [2, 1, 1, 3, 0, 0, 0]);
        assert_eq!(graph.weak_components().sizes, [3, 2, 1, 1]);
        assert_eq!(graph.strong_components().labels, [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_long_path_and_a_long_cycle_do_not_overflow_the_stack() {
        let n = 400_000;
        let path = graph(n, (1..n as u32).map(|node| (node - 1, node)));
        assert_eq!(path.strong_components().len(), n);
        assert_eq!(path.weak_components().largest(), n);
        let cycle = graph(n, (0..n as u32).map(|node| (node, (node + 1) % n as u32)));
        assert_eq!(cycle.strong_components().sizes, [n]);
    }

    #[test]
    fn no_nodes_no_components() {
        let empty = graph(0, []);
        assert!(empty.weak_components().is_empty());
        assert_eq!(empty.strong_components().largest(), 0);
    }
}
