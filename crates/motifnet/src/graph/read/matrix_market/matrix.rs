//! MatrixMarket files as matrices of numbers, one row a node.

use std::path::Path;

use super::{Entry, Form, Header, Lines, Size, Symmetry, is_empty};
use crate::graph::ReadError;
use crate::graph::read::error::quote;
use crate::graph::read::{is_plausible, plausible_columns};
use crate::io::Reading;

/// A matrix as it stands in a file, not yet sorted.
#[derive(Debug, PartialEq)]
pub(crate) enum RawMatrix {
    /// Entries that are not zero, each with its row and column from 0, in the order of the file.
    Sparse { n_rows: usize, n_columns: usize, entries: Vec<(u32, u32, f32)> },
    /// All numbers, row after row.
    Dense { n_rows: usize, n_columns: usize, values: Vec<f32> },
}

/// Reads a matrix that need not be square, in coordinate or array format. A declared size never
/// takes more memory than the entries that are there.
pub(crate) fn read_matrix(path: &Path, reading: Reading<'_>) -> Result<RawMatrix, ReadError> {
    let mut lines = Lines::new(reading.open(path)?);
    let header = Header::read(&mut lines)?;
    let whole = |message: &str| ReadError::line(path, 1, message);
    if header.form == Form::Array && !header.has_values {
        return Err(whole("an array of a pattern has no values; write real or integer entries"));
    }
    let size = Size::read(&mut lines, header.form)?;
    if header.symmetry != Symmetry::General {
        return Err(whole("a symmetric matrix; write all its entries, as a general one"));
    }
    let length = |length: u64| {
        u32::try_from(length).map(|length| length as usize).map_err(|_| {
            let message = format!("{length} rows or columns; a matrix has at most {}", u32::MAX);
            ReadError::line(path, lines.number(), message)
        })
    };
    let (n_rows, n_columns) = (length(size.n_rows)?, length(size.n_columns)?);
    let mut entries = Vec::new();
    let mut numbers: Vec<f32> = Vec::new();
    let mut found = 0;
    while let Some((number, line)) = lines.next()? {
        if is_empty(line) {
            continue;
        }
        let bad = |message| ReadError::line(path, number, message);
        if found == size.n_entries {
            let declared = size.n_entries;
            let message =
                format!("entry {} of {declared} declared; correct the size line", found + 1);
            return Err(bad(message));
        }
        found += 1;
        match header.form {
            Form::Coordinate => {
                let entry = Entry::parse(line, &header, &size).map_err(bad)?;
                entries.push((entry.row, entry.column, entry.value));
            }
            Form::Array => numbers.push(parse_number(line).map_err(bad)?),
        }
    }
    if found < size.n_entries {
        let message = format!(
            "the size line declares {} entries, but only {found} are there; the file may be cut \
             short",
            size.n_entries
        );
        return Err(ReadError::line(path, lines.number(), message));
    }
    // Rows without entries are nothing odd, but rows by the million for a handful of entries are.
    if !is_plausible(n_rows, found) {
        let message = format!("declares {n_rows} rows for {found} entries, which seems a mistake");
        return Err(ReadError::file(path, message));
    }
    plausible_columns(n_columns, found).map_err(|message| ReadError::file(path, message))?;
    if header.form == Form::Array {
        let place = |at: usize| numbers[at % n_columns * n_rows + at / n_columns];
        let values = (0..numbers.len()).map(place).collect();
        return Ok(RawMatrix::Dense { n_rows, n_columns, values });
    }
    Ok(RawMatrix::Sparse { n_rows, n_columns, entries })
}

fn parse_number(line: &[u8]) -> Result<f32, String> {
    let text = std::str::from_utf8(line).ok();
    let number = text.and_then(|text| text.trim().parse().ok());
    number.ok_or_else(|| format!("expected a number, found {}", quote(line)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::test_support::with_file;
    use super::*;
    use crate::progress::Silent;

    fn read(text: &str) -> Result<RawMatrix, String> {
        with_file("m.mtx", text.as_bytes(), |path| {
            read_matrix(path, Reading { limit: None, progress: &Silent })
        })
    }

    #[test]
    fn matrices_are_read_by_entries_or_whole() {
        let sparse = "%%MatrixMarket matrix coordinate real general\n% x\n2 3 2\n2 1 5\n1 3 -1\n";
        let entries = vec![(1, 0, 5.0), (0, 2, -1.0)];
        assert_eq!(read(sparse), Ok(RawMatrix::Sparse { n_rows: 2, n_columns: 3, entries }));
        let pattern = "%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 2\n";
        let entries = vec![(0, 1, 1.0)];
        assert_eq!(read(pattern), Ok(RawMatrix::Sparse { n_rows: 1, n_columns: 2, entries }));
        let dense = "%%MatrixMarket matrix array integer general\n2 3\n1\n2\n3\n4\n5\n6\n";
        let values = vec![1.0, 3.0, 5.0, 2.0, 4.0, 6.0];
        assert_eq!(read(dense), Ok(RawMatrix::Dense { n_rows: 2, n_columns: 3, values }));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let sparse = |rest: &str| format!("%%MatrixMarket matrix coordinate real general\n{rest}");
        let dense = |rest: &str| format!("%%MatrixMarket matrix array real general\n{rest}");
        for (text, expected) in [
            (
                "%%MatrixMarket matrix array pattern general\n1 1\n".into(),
                "m.mtx:1: an array of a pattern has no values; write real or integer entries",
            ),
            (
                "%%MatrixMarket matrix coordinate real symmetric\n1 1 0\n".into(),
                "m.mtx:1: a symmetric matrix; write all its entries, as a general one",
            ),
            (dense("2 2 4\n"), "m.mtx:2: expected rows and columns, found \"2 2 4\""),
            (dense("2 1\n1\nx\n"), "m.mtx:4: expected a number, found \"x\""),
            (
                dense("2 1\n1\n"),
                "m.mtx:3: the size line declares 2 entries, but only 1 are there; the file may be \
                 cut short",
            ),
            (dense("1 1\n1\n2\n"), "m.mtx:4: entry 2 of 1 declared; correct the size line"),
            (
                dense("9999999999 9999999999\n"),
                "m.mtx:2: a matrix of 9999999999 × 9999999999 is too large",
            ),
            (
                sparse("9999999999 1 0\n"),
                "m.mtx:2: 9999999999 rows or columns; a matrix has at most 4294967295",
            ),
            (
                sparse("2 3 1\n3 1 1\n"),
                "m.mtx:3: index 3 is outside the declared matrix; indices go from 1 to 2",
            ),
            (
                dense("4294967295 0\n"),
                "m.mtx: declares 4294967295 rows for 0 entries, which seems a mistake",
            ),
            (
                sparse("2000000 3 1\n3 1 1\n"),
                "m.mtx: declares 2000000 rows for 1 entries, which seems a mistake",
            ),
            (
                sparse("3 20000000 1\n3 1 1\n"),
                "m.mtx: declares 20000000 columns for 1 entries, which seems a mistake; leave out \
                 columns without entries, as by X[:, X.getnnz(axis=0) > 0] in SciPy",
            ),
            (
                dense("0 4294967295\n"),
                "m.mtx: declares 4294967295 columns for 0 entries, which seems a mistake; leave \
                 out columns without entries, as by X[:, X.getnnz(axis=0) > 0] in SciPy",
            ),
        ] {
            assert_eq!(read(&text), Err(expected.to_owned()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(
            form in "(array|coordinate)",
            size in "[0-9]{1,3} [0-9]{1,3}( [0-9]{1,20})?",
            body in "[0-9 .eE%a\\n\\r-]{0,60}",
        ) {
            let _ = read(&format!("%%MatrixMarket matrix {form} real general\n{size}\n{body}"));
        }
    }
}
