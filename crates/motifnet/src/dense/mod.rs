//! Dense matrices by rows, their products, and kernels for the machine's widest vectors.

mod add;
mod product;
mod real;
mod simd;

pub(crate) use add::add;
pub use product::{Update, multiply, multiply_by_transpose, multiply_transposed};
pub use real::{Real, Scalar};
pub(crate) use simd::{Kernel, dispatch};
