//! The samples so far.

use super::class::ClassCounts;
use super::node::NodeSums;

/// The samples so far, chain by chain.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Samples {
    pub(super) chains: Vec<Chain>,
    /// Sums over all of them, if nodes are compared.
    pub(super) nodes: Option<NodeSums>,
}

/// The samples of one chain so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chain {
    pub(super) counts: Vec<ClassCounts>,
    /// Switches that changed the graph on the way to the last of them.
    pub(super) n_done: u64,
}

impl Samples {
    pub(super) fn none(n_chains: usize, nodes: Option<NodeSums>) -> Self {
        Self { chains: vec![Chain::default(); n_chains], nodes }
    }

    pub(super) fn len(&self) -> usize {
        self.chains.iter().map(|chain| chain.counts.len()).sum()
    }
}
