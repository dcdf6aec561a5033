//! Motif Laplacians.
