//! The MatrixMarket coordinate format.

use std::io::{self, Write};

use rayon::prelude::*;

use super::{CsrMatrix, is_integral};
use crate::io::text::{for_each_entry, push_f64, push_integer, write_chunks};
use crate::io::{Place, WholeFile, WriteError};

pub(super) fn write(
    place: &Place,
    matrix: &CsrMatrix<f64>,
    symmetric: bool,
) -> Result<(), WriteError> {
    if symmetric && let Some((row, column)) = asymmetry(matrix) {
        return Err(WriteError::NotSymmetric { path: place.path().into(), row, column });
    }
    let mut file = WholeFile::create(place)?;
    write_text(&mut file, matrix, symmetric)
        .map_err(|source| WriteError::io(place.path(), source))?;
    file.commit()
}

fn write_text(file: &mut WholeFile, matrix: &CsrMatrix<f64>, symmetric: bool) -> io::Result<()> {
    let columns = matrix.columns();
    let keep = |row: usize, entry: usize| !symmetric || columns[entry] as usize <= row;
    let mut n_kept = matrix.n_entries();
    if symmetric {
        n_kept = 0;
        for_each_entry(matrix.offsets(), 0..matrix.n_entries(), |row, entry| {
            n_kept += usize::from(keep(row, entry));
        });
    }
    let field = if is_integral(matrix) { "integer" } else { "real" };
    let form = if symmetric { "symmetric" } else { "general" };
    let (n_rows, n_columns) = (matrix.n_rows(), matrix.n_columns());
    writeln!(file, "%%MatrixMarket matrix coordinate {field} {form}")?;
    writeln!(file, "{n_rows} {n_columns} {n_kept}")?;
    write_chunks(file, matrix.n_entries(), |entries, text| {
        for_each_entry(matrix.offsets(), entries, |row, entry| {
            if keep(row, entry) {
                push_integer(text, row + 1);
                text.push(b' ');
                push_integer(text, u64::from(columns[entry]) + 1);
                text.push(b' ');
                push_f64(text, matrix.values()[entry]);
                text.push(b'\n');
            }
        });
    })
}

/// The first entry without its equal across the diagonal.
fn asymmetry(matrix: &CsrMatrix<f64>) -> Option<(usize, usize)> {
    let has_equal = |row: usize, column: usize, value: f64| {
        if column >= matrix.n_rows() {
            return false;
        }
        let (columns, values) = matrix.row(column);
        columns
            .binary_search_by(|other| (*other as usize).cmp(&row))
            .is_ok_and(|entry| values[entry] == value || values[entry].is_nan() && value.is_nan())
    };
    (0..matrix.n_rows()).into_par_iter().find_map_first(|row| {
        let (columns, values) = matrix.row(row);
        let mut entries = columns.iter().zip(values);
        entries
            .find(|&(&column, &value)| !has_equal(row, column as usize, value))
            .map(|(&column, _)| (row, column as usize))
    })
}
