//! Bytes in and out: decompression, NumPy arrays and archives, tensors, files written whole or not at
//! all, event files, which grow, and claims on folders.

mod caught_panic;
mod csv;
mod descriptor;
mod event_file;
mod folder_claim;
mod hidden_file;
mod input;
mod leftovers;
mod links;
mod npy;
mod npz;
mod npz_write;
mod output;
#[cfg(feature = "parquet")]
pub(crate) mod parquet_write;
mod place;
mod reading;
mod stored_file_error;
mod table_file;
mod tensor_file;
pub(crate) mod text;
mod watched;
mod write_error;

#[cfg(feature = "parquet")]
pub(crate) use caught_panic::catch_panic;
pub use caught_panic::silence_caught_panics;
pub use csv::{CsvFile, CsvLine};
pub use event_file::EventFile;
pub use folder_claim::{ClaimError, FolderClaim};
pub use input::{
    Compression, DEFAULT_DECOMPRESSED_BYTES, Input, InputError, InputReader, LimitReached, SeekRead,
};
pub(crate) use leftovers::remove_leftovers;
#[cfg(feature = "fetch")]
pub(crate) use links::open_own;
pub use npy::{
    ElementType, NpyArray, NpyError, NpyHeader, read_npy_floats, read_npy_floats_f32,
    read_npy_header, read_npy_integers, read_npy_strings,
};
pub use npz::{NpzArchive, NpzError};
pub(crate) use npz_write::CsrArrays;
pub use npz_write::NpzWriter;
pub use output::{FinishedFile, WholeFile};
pub use place::Place;
pub(crate) use reading::Reading;
pub use stored_file_error::StoredFileError;
pub use table_file::{TableColumn, check_table_name, write_table};
pub use tensor_file::{Tensor, TensorFile, TensorValues};
pub use text::{grouped, plural};
#[cfg(feature = "parquet")]
pub(crate) use watched::STEP as GAUGE_STEP;
pub(crate) use watched::room_for;
pub use write_error::WriteError;

#[cfg(test)]
pub(crate) use npz::test_support as npz_test_support;
