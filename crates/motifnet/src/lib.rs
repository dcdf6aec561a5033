//! Directed three-vertex motifs: exact counts, motif Laplacians, and learning on them.
//!
//! Data flows one way, and the modules stand in that order; each may use only those above it:
//!
//! ```text
//! choice      enums whose values have a word, the same everywhere
//! progress    how long work tells its caller where it is
//! threads     tasks side by side
//! memory      how much there is, and whether what is planned fits
//! io          bytes in and out: decompression, npz archives, files written whole or not at all
//! graph       files → EdgeList + NodeNames → DiGraph (simple, sorted) + what was dropped
//! dense       dense products, the same bits on any number of threads
//! sparse      CSR matrices, the multiply kernels, LinearOperator
//! motif       the motif table, the triangle pass, census, roles, motif operators, significance
//! spectral    motif Laplacians, the ends of a spectrum, principal components
//! data        features, labels and splits → NodeDataset
//! nn          layers, networks, one optimisation step
//! train       models by name, the loop, early stopping, observers, evaluation
//! experiment  runs compared, the statistics of it, what to try next
//! ```

#![forbid(unsafe_code)]

pub mod choice;
pub mod data;
pub mod dense;
pub mod experiment;
pub mod graph;
pub mod io;
pub mod memory;
pub mod motif;
pub mod nn;
pub mod progress;
pub mod sparse;
pub mod spectral;
mod threads;
pub mod train;
