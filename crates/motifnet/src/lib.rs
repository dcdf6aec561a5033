//! Directed three-vertex motifs: exact counts, motif Laplacians, and learning on them.
//!
//! Data flows one way, and the modules stand in that order; each may use only those above it:
//!
//! ```text
//! progress   how long work tells its caller where it is
//! io         bytes in and out: decompression, npz archives, files written whole or not at all
//! graph      files → EdgeList + NodeNames → DiGraph (simple, sorted) + what was dropped
//! sparse     CSR matrices, the multiply kernels, LinearOperator
//! motif      the motif table, the triangle pass, census, roles, motif operators
//! spectral   motif Laplacians
//! data       features, labels and splits → NodeDataset
//! ```

pub mod data;
pub mod graph;
pub mod io;
pub mod motif;
pub mod progress;
pub mod sparse;
pub mod spectral;
