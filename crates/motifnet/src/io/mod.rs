//! Bytes in and out: decompression, NumPy arrays and archives, tensors, files written whole or not at
//! all, and event files, which grow.

mod csv;
mod event_file;
mod input;
mod npy;
mod npz;
mod npz_write;
mod output;
#[cfg(feature = "parquet")]
pub(crate) mod parquet_write;
mod stored_file_error;
mod table_file;
mod tensor_file;
pub(crate) mod text;
mod watched;
mod write_error;

pub use csv::{CsvFile, CsvLine};
pub use event_file::EventFile;
pub use input::{Compression, Input, InputError, InputReader, SeekRead};
pub use npy::{
    ElementType, NpyArray, NpyError, NpyHeader, read_npy_floats, read_npy_floats_f32,
    read_npy_header, read_npy_integers, read_npy_strings,
};
pub use npz::{NpzArchive, NpzError};
pub(crate) use npz_write::CsrArrays;
pub use npz_write::NpzWriter;
pub use output::WholeFile;
pub use stored_file_error::StoredFileError;
pub use table_file::{TableColumn, check_table_name, write_table};
pub use tensor_file::{Tensor, TensorFile, TensorValues};
pub use text::{grouped, plural};
pub use write_error::WriteError;

#[cfg(test)]
pub(crate) use npz::test_support as npz_test_support;
