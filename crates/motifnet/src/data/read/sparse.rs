//! Sparse matrices of features from NumPy archives and lists of entries.

use crate::data::DataError;
use crate::graph::read::plausible_columns;
use crate::io::NpzArchive;
use crate::sparse::CsrMatrix;

/// Reads the matrix by rows whose arrays' names begin with `prefix`. Entries may stand in any order
/// within a row; those of the same column are added up, as scipy means them.
pub(super) fn read_sparse(
    archive: &mut NpzArchive<'_>,
    prefix: &str,
) -> Result<CsrMatrix<f32>, DataError> {
    let key = |name: &str| format!("{prefix}{name}");
    if prefix.is_empty() && archive.has("format") {
        let format = archive.strings("format")?.values.concat();
        if format != "csr" {
            let message = format!(
                "a sparse matrix in {format} format; convert it with .tocsr() before save_npz"
            );
            return Err(archive.problem("format", message).into());
        }
    }
    let (n_rows, n_columns) = shape(archive, &key("shape"))?;
    let starts = archive.row_starts(&key("indptr"), n_rows)?;
    let n_entries = starts[n_rows];
    let columns = columns(archive, &key("indices"), n_columns)?;
    let values = archive.floats_f32(&key("data"))?.values;
    for (name, found) in [("indices", columns.len()), ("data", values.len())] {
        if found != n_entries {
            let message = format!("{found} entries, but the rows have {n_entries}");
            return Err(archive.problem(&key(name), message).into());
        }
    }
    plausible_columns(n_columns, n_entries as u64)
        .map_err(|message| archive.problem(&key("shape"), message))?;
    Ok(sorted(n_columns, &starts, &columns, &values))
}

fn shape(archive: &mut NpzArchive<'_>, key: &str) -> Result<(usize, usize), DataError> {
    let shape = archive.integers(key)?.values;
    let length = |&length: &i64| u32::try_from(length).ok().map(|length| length as usize);
    match shape.iter().map(length).collect::<Option<Vec<_>>>().as_deref() {
        Some(&[n_rows, n_columns]) => Ok((n_rows, n_columns)),
        _ => {
            let message =
                format!("{shape:?}; a matrix of features has rows and columns, 2³² − 1 at most");
            Err(archive.problem(key, message).into())
        }
    }
}

fn columns(
    archive: &mut NpzArchive<'_>,
    key: &str,
    n_columns: usize,
) -> Result<Vec<u32>, DataError> {
    let values = archive.integers(key)?.values;
    let column = |(place, &value): (usize, &i64)| {
        u32::try_from(value).ok().filter(|&column| (column as usize) < n_columns).ok_or_else(|| {
            let message = format!(
                "entry {place} is {value}, but the columns go from 0 to {}",
                n_columns as i64 - 1
            );
            archive.problem(key, message).into()
        })
    };
    values.iter().enumerate().map(column).collect()
}

/// The matrix of `entries` (row, column, value) in any order, all of which lie inside; those of the
/// same place are added up.
pub(super) fn from_entries(
    n_rows: usize,
    n_columns: usize,
    entries: &[(u32, u32, f32)],
) -> CsrMatrix<f32> {
    let mut starts = vec![0; n_rows + 1];
    entries.iter().for_each(|&(row, ..)| starts[row as usize + 1] += 1);
    for row in 0..n_rows {
        starts[row + 1] += starts[row];
    }
    let mut next = starts.clone();
    let (mut columns, mut values) = (vec![0; entries.len()], vec![0.0; entries.len()]);
    for &(row, column, value) in entries {
        let place = &mut next[row as usize];
        (columns[*place], values[*place]) = (column, value);
        *place += 1;
    }
    sorted(n_columns, &starts, &columns, &values)
}

/// The matrix with the columns of every row ascending.
fn sorted(n_columns: usize, starts: &[usize], columns: &[u32], values: &[f32]) -> CsrMatrix<f32> {
    let mut offsets = Vec::with_capacity(starts.len());
    let mut sorted_columns = Vec::with_capacity(columns.len());
    let mut sorted_values: Vec<f32> = Vec::with_capacity(values.len());
    let mut row = Vec::new();
    offsets.push(0);
    for bounds in starts.windows(2) {
        let entries = bounds[0]..bounds[1];
        row.clear();
        row.extend(columns[entries.clone()].iter().copied().zip(values[entries].iter().copied()));
        row.sort_by_key(|&(column, _)| column);
        let start = sorted_columns.len();
        for &(column, value) in &row {
            if sorted_columns.len() > start && sorted_columns.last() == Some(&column) {
                let last = sorted_values.len() - 1;
                sorted_values[last] += value;
            } else {
                sorted_columns.push(column);
                sorted_values.push(value);
            }
        }
        offsets.push(sorted_columns.len());
    }
    CsrMatrix::new(n_columns, offsets, sorted_columns, sorted_values)
}
