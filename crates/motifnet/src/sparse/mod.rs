//! Sparse matrices, the kernels that multiply by them, and their files.

mod csr;
mod operator;
mod parts;
pub(crate) mod rows;
pub(crate) mod sweep;
mod write;

pub use crate::dense::Scalar;
pub use csr::CsrMatrix;
pub use operator::LinearOperator;
pub(crate) use operator::add_scaled;
pub use parts::OperatorParts;
pub use write::{MatrixFormat, write_csr};
