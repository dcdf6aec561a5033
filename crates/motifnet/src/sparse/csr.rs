//! Compressed sparse rows.

/// A sparse matrix by rows: within a row the columns ascend and none occurs twice.
#[derive(Clone, Debug, PartialEq)]
pub struct CsrMatrix<T = f64> {
    n_columns: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<T>,
}

impl<T> CsrMatrix<T> {
    /// A matrix from its arrays.
    ///
    /// # Panics
    /// If the arrays do not make a matrix: offsets that do not ascend from 0 to the number of
    /// entries, columns that do not ascend within a row or lie outside, lengths that differ.
    pub fn new(n_columns: usize, offsets: Vec<usize>, columns: Vec<u32>, values: Vec<T>) -> Self {
        assert_eq!(columns.len(), values.len(), "one value an entry");
        assert_eq!(offsets.first(), Some(&0), "offsets begin at 0");
        assert_eq!(offsets.last(), Some(&columns.len()), "offsets end at the entries");
        for row in offsets.windows(2) {
            let row = &columns[row[0]..row[1]];
            assert!(row.is_sorted_by(|a, b| a < b), "columns ascend within a row");
            assert!(row.last().is_none_or(|&c| (c as usize) < n_columns), "columns lie inside");
        }
        Self { n_columns, offsets, columns, values }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of columns.
    pub fn n_columns(&self) -> usize {
        self.n_columns
    }

    /// Number of stored entries.
    pub fn n_entries(&self) -> usize {
        self.columns.len()
    }

    /// Where each row begins; one longer than the rows.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The column of every entry, row after row.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The value of every entry, row after row.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The columns and values of one row.
    pub fn row(&self, row: usize) -> (&[u32], &[T]) {
        let range = self.offsets[row]..self.offsets[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }
}
