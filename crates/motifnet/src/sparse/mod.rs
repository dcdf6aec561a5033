//! Sparse matrices and the kernels that multiply by them.

mod csr;

pub use csr::CsrMatrix;
