//! Motif Laplacians.

mod laplacian;

pub use laplacian::{LaplacianForm, MotifLaplacian, NegativeWeights, UnknownForm};
