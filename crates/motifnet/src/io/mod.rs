//! Bytes in and out.

mod npz_write;
mod output;
#[cfg(feature = "parquet")]
pub(crate) mod parquet_write;
pub(crate) mod text;
mod write_error;

pub(crate) use npz_write::CsrArrays;
pub use npz_write::NpzWriter;
pub use output::WholeFile;
pub use write_error::WriteError;
