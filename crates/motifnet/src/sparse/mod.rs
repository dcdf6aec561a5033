//! Sparse matrices, the kernels that multiply by them, and their files.

mod csr;
mod operator;
pub(crate) mod rows;
mod write;

pub use csr::CsrMatrix;
pub(crate) use operator::add_scaled;
pub use operator::{LinearOperator, Scalar};
pub use write::{MatrixFormat, write_csr};
