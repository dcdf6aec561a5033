//! Dense matrices by rows, their products, and kernels for the machine's widest vectors.

mod add;
mod block;
mod dot;
mod product;
mod real;
mod rows;
mod simd;
mod zeroed;

pub(crate) use add::{add, combine};
pub use block::Block;
pub(crate) use block::LANES;
pub(crate) use dot::dot;
pub use product::{Update, multiply, multiply_by_transpose, multiply_transposed};
pub use real::{Real, Scalar};
pub use rows::{Rows, RowsMut};
pub(crate) use simd::{Kernel, dispatch};
