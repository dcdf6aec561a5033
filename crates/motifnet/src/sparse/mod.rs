//! Sparse matrices and the kernels that multiply by them.

mod csr;
mod write;

pub use csr::CsrMatrix;
pub use write::{MatrixFormat, write_csr};
