//! Sparse matrices and the kernels that multiply by them.

mod csr;
mod operator;
pub(crate) mod rows;

pub use csr::CsrMatrix;
pub(crate) use operator::add_scaled;
pub use operator::{LinearOperator, Scalar};
