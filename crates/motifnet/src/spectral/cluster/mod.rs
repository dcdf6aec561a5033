//! Higher-order clustering: sets of nodes that few instances of a motif are cut between.
//!
//! ```text
//! MotifEngine + MotifSum → MotifGraph (one or all components) → Spectrum → sweep | bisection | k-means
//!     → Clustering
//! ```
//!
//! The graph that is cut is W = Σ w_k W_k, a weighted sum of motif matrices. With cut(S) = Σ_{i∈S, j∉S} W_ij
//! and vol(S) = Σ_{i∈S} d_i, d = W 1, the conductance of a set of nodes is
//! φ(S) = cut(S) / min(vol(S), vol(rest)). For a motif of three nodes and support `pairs` it is the motif
//! conductance of Benson, Gleich and Leskovec (2016): the instances with nodes on both sides, over the
//! ends of instances on the lesser side.

mod clustering;
mod conductance;
mod connectivity;
mod embedding;
mod error;
mod kmeans;
mod motif_graph;
mod motif_sum;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod properties;
mod recursive;
mod spectrum;
mod sweep;

pub use clustering::{
    ClusterConfig, ClusterMethod, Clustering, ComponentChoice, LeftOut, Stop, cluster,
};
pub use conductance::ClusterFacts;
pub use error::ClusterError;
pub use kmeans::{KMeans, k_means};
pub use motif_graph::MotifGraph;
pub use motif_sum::{MotifSum, MotifSumError};
pub use recursive::Bisection;
pub use spectrum::{ClusterLaplacian, Spectrum};
pub use sweep::SweepCurve;
