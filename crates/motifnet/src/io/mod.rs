//! Bytes in and out.

mod input;
mod npy;
mod npz;

pub use input::{Compression, Input, InputError, InputReader, SeekRead};
pub use npy::{ElementType, NpyArray, NpyError, NpyHeader, read_npy_floats, read_npy_integers};
pub use npz::{NpzArchive, NpzError};

#[cfg(test)]
pub(crate) use npz::test_support as npz_test_support;
