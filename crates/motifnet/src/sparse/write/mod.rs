//! From a sparse matrix to a file that SciPy, MatrixMarket or Parquet readers open.

mod matrix_market;

use std::path::Path;

use super::CsrMatrix;
use crate::io::text::is_safe_integer;
use crate::io::{CsrArrays, NpzWriter, Place, WriteError};

/// What a sparse matrix can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixFormat {
    /// `.npz`, as `scipy.sparse.save_npz` writes it and `load_npz` reads it.
    Npz,
    /// `.mtx`, MatrixMarket coordinates.
    Mtx,
    /// `.parquet`, columns `row`, `column` and `value`.
    Parquet,
}

impl MatrixFormat {
    /// The endings that are known.
    pub const ENDINGS: &'static str = ".npz, .mtx (also with .gz or .zst after it) or .parquet";

    /// The format that the ending of `path` says.
    ///
    /// # Errors
    /// If the ending is none of [`MatrixFormat::ENDINGS`].
    pub fn of_path(path: &Path) -> Result<Self, WriteError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        match name.as_str() {
            name if name.ends_with(".npz") => Ok(Self::Npz),
            name if [".mtx", ".mtx.gz", ".mtx.zst"].iter().any(|end| name.ends_with(end)) => {
                Ok(Self::Mtx)
            }
            name if name.ends_with(".parquet") => Ok(Self::Parquet),
            _ => Err(WriteError::UnknownEnding { path: path.into(), allowed: Self::ENDINGS }),
        }
    }
}

/// Writes a matrix, whole or not at all.
///
/// Values become integers where all of them are (up to 2⁵³ in size). With `symmetric`, MatrixMarket
/// holds the lower triangle only; the other formats have no such form and hold every entry.
///
/// Time O(entries), with `symmetric` O(entries · log(entries of a row)).
///
/// # Errors
/// If `symmetric` is asked for and the matrix is not, and whatever keeps the file from being
/// written.
pub fn write_csr(
    place: impl Into<Place>,
    matrix: &CsrMatrix<f64>,
    format: MatrixFormat,
    symmetric: bool,
) -> Result<(), WriteError> {
    let place = &place.into();
    match format {
        MatrixFormat::Npz => write_npz(place, matrix),
        MatrixFormat::Mtx => matrix_market::write(place, matrix, symmetric),
        #[cfg(feature = "parquet")]
        MatrixFormat::Parquet => write_parquet(place, matrix),
        #[cfg(not(feature = "parquet"))]
        MatrixFormat::Parquet => {
            let (format, feature) = ("Parquet", "parquet");
            Err(WriteError::FormatLeftOut { path: place.path().into(), format, feature })
        }
    }
}

fn is_integral(matrix: &CsrMatrix<f64>) -> bool {
    matrix.values().iter().all(|&value| is_safe_integer(value))
}

fn write_npz(place: &Place, matrix: &CsrMatrix<f64>) -> Result<(), WriteError> {
    let arrays = CsrArrays {
        n_columns: matrix.n_columns(),
        offsets: matrix.offsets(),
        columns: matrix.columns(),
    };
    let mut npz = NpzWriter::create(place)?;
    let values = matrix.values().iter();
    if is_integral(matrix) {
        arrays.write(&mut npz, values.map(|&value| value as i64))?;
    } else {
        arrays.write(&mut npz, values.copied())?;
    }
    npz.commit()
}

#[cfg(feature = "parquet")]
fn write_parquet(place: &Place, matrix: &CsrMatrix<f64>) -> Result<(), WriteError> {
    use crate::io::parquet_write::{Column, ParquetTable};
    use crate::io::text::for_each_entry;

    let integral = is_integral(matrix);
    let value = if integral { "integer" } else { "double" };
    let columns = [("row", "integer"), ("column", "integer"), ("value", value)];
    let mut table = ParquetTable::create(place, &columns)?;
    table.write_rows(matrix.n_entries(), |column, entries| match column {
        0 => {
            let mut rows = Vec::with_capacity(entries.len());
            for_each_entry(matrix.offsets(), entries, |row, _| rows.push(row as i64));
            Column::Integer(rows)
        }
        1 => Column::Integer(matrix.columns()[entries].iter().map(|&c| i64::from(c)).collect()),
        _ if integral => {
            Column::Integer(matrix.values()[entries].iter().map(|&v| v as i64).collect())
        }
        _ => Column::Double(matrix.values()[entries].to_vec()),
    })?;
    table.commit()
}

#[cfg(test)]
mod tests;
