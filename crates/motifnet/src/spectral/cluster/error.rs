//! Why there are no clusters.

use super::super::{KrylovError, NegativeWeights};
use crate::memory::MemoryError;
use crate::motif::MotifKind;

/// Why a graph was not clustered.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum ClusterError {
    /// A matrix that is not symmetric has no cuts.
    #[error(
        "the matrix of `{0}` is not symmetric, and a cut counts what joins two sets whichever way it \
         points; use U, which ignores directions, or a motif such as M5 or M8, which has them within"
    )]
    NotSymmetric(MotifKind),
    /// A cut of negative weight means nothing.
    #[error(transparent)]
    NegativeWeights(#[from] NegativeWeights),
    /// No two nodes are joined.
    #[error(
        "the graph has no instance of {motifs}, so there is nothing to cluster by; choose a motif that \
         it has, which its census tells, or count `subgraph` instances in place of induced ones"
    )]
    NoInstances {
        /// The motifs that were looked for.
        motifs: String,
    },
    /// Sums of weights that are infinite.
    #[error(
        "the weights of {motifs} add up to more than 64-bit numbers hold; scale them down, or those of the \
         arcs"
    )]
    WeightsTooLarge {
        /// The motifs.
        motifs: String,
    },
    /// Weights that are rounded to nothing.
    #[error(
        "the weights of {motifs} are less than 64-bit numbers hold; scale them up, or those of the arcs"
    )]
    WeightsTooSmall {
        /// The motifs.
        motifs: String,
    },
    /// One cluster is no clustering.
    #[error("{0} clusters: there must be at least 2")]
    TooFewClusters(usize),
    /// A number that cannot be meant.
    #[error("{name} = {found}: it must be {wanted}")]
    OutOfBounds {
        /// What it is called.
        name: &'static str,
        /// The number.
        found: f64,
        /// What can be meant.
        wanted: &'static str,
    },
    /// There are not so many nodes.
    #[error(
        "{n_clusters} clusters of {n_nodes} nodes: so many nodes are joined by instances of {motifs}; ask \
         for fewer clusters"
    )]
    TooManyClusters {
        /// Clusters wanted.
        n_clusters: usize,
        /// Nodes that can be in one.
        n_nodes: usize,
        /// The motifs that join them.
        motifs: String,
    },
    /// A sweep has two sides.
    #[error(
        "a sweep makes two clusters, not {0}; use the method `recursive` or `embedding` to have more"
    )]
    SweepMakesTwo(usize),
    /// A sweep over several components would only part them.
    #[error(
        "a sweep over all components would only tell one from the others; use the component that is \
         the largest, or another method"
    )]
    SweepOfAllComponents,
    /// Components are clusters already.
    #[error(
        "the graph of {motifs} has {n_components} components, more than the {n_clusters} clusters that \
         are wanted; ask for more clusters, or cluster the largest component alone"
    )]
    MoreComponents {
        /// Components with instances.
        n_components: usize,
        /// Clusters wanted.
        n_clusters: usize,
        /// The motifs.
        motifs: String,
    },
    /// No cut leaves enough nodes on both sides.
    #[error("no cut of {n_nodes} nodes leaves {min_size} on either side; allow smaller clusters")]
    NoCut {
        /// Nodes to be cut.
        n_nodes: usize,
        /// The least that a side must have.
        min_size: usize,
    },
    /// More memory than there is.
    #[error("{0}")]
    Memory(#[from] MemoryError),
    /// The eigenvectors were not found.
    #[error("the eigenvectors of the motif Laplacian: {0}")]
    Krylov(#[from] KrylovError),
}
