//! Compressed sparse rows.

use rayon::prelude::*;

use super::operator::{LinearOperator, add_scaled};
use super::rows::{fill_rows, running_total};
use crate::dense::Scalar;

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
        offsets.par_windows(2).with_min_len(1024).for_each(|row| {
            let row = &columns[row[0]..row[1]];
            assert!(row.is_sorted_by(|a, b| a < b), "columns ascend within a row");
            assert!(row.last().is_none_or(|&c| (c as usize) < n_columns), "columns lie inside");
        });
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

    /// Memory that the matrix takes.
    pub fn n_bytes(&self) -> usize {
        size_of_val(&*self.offsets) + size_of_val(&*self.columns) + size_of_val(&*self.values)
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

    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The offsets, columns and values alone, to be handed on without a copy.
    pub fn into_arrays(self) -> (Vec<usize>, Vec<u32>, Vec<T>) {
        (self.offsets, self.columns, self.values)
    }

    /// Every entry as (row, column, value), in order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, u32, &T)> + '_ {
        (0..self.n_rows()).flat_map(|row| {
            let (columns, values) = self.row(row);
            columns.iter().zip(values).map(move |(&column, value)| (row, column, value))
        })
    }
}

impl<T: Copy> CsrMatrix<T> {
    /// A matrix from the entries of every row.
    ///
    /// # Panics
    /// If the columns do not ascend within a row, or lie outside.
    pub fn from_rows(n_columns: usize, rows: Vec<Vec<(u32, T)>>) -> Self {
        let offsets = running_total(rows.iter().map(Vec::len));
        let mut columns = Vec::with_capacity(offsets[rows.len()]);
        let mut values = Vec::with_capacity(offsets[rows.len()]);
        for row in rows {
            columns.extend(row.iter().map(|&(column, _)| column));
            values.extend(row.iter().map(|&(_, value)| value));
        }
        Self::new(n_columns, offsets, columns, values)
    }
}

impl<T: Copy> CsrMatrix<T> {
    /// Other values in the same places.
    ///
    /// # Panics
    /// If there are more or fewer.
    pub(crate) fn with_values<U>(&self, values: Vec<U>) -> CsrMatrix<U> {
        assert_eq!(values.len(), self.n_entries(), "one value an entry");
        let (offsets, columns) = (self.offsets.clone(), self.columns.clone());
        CsrMatrix { n_columns: self.n_columns, offsets, columns, values }
    }

    /// The first rows, all of whose entries are among the first columns.
    ///
    /// # Panics
    /// If an entry is not.
    pub(crate) fn first_rows(&self, n_rows: usize, n_columns: usize) -> Self {
        let offsets = self.offsets[..=n_rows].to_vec();
        let n_entries = offsets[n_rows];
        let (columns, values) = (&self.columns[..n_entries], &self.values[..n_entries]);
        Self::new(n_columns, offsets, columns.to_vec(), values.to_vec())
    }
}

impl<T: Copy + Default> CsrMatrix<T> {
    /// The matrix with rows and columns exchanged. Time and memory O(entries).
    pub fn transpose(&self) -> Self {
        let mut counts = vec![0; self.n_columns];
        for &column in &self.columns {
            counts[column as usize] += 1;
        }
        let offsets = running_total(counts);
        let mut next = offsets.clone();
        let mut columns = vec![0; self.n_entries()];
        let mut values = vec![T::default(); self.n_entries()];
        for (row, column, &value) in self.entries() {
            let slot = &mut next[column as usize];
            columns[*slot] = row as u32;
            values[*slot] = value;
            *slot += 1;
        }
        Self { n_columns: self.n_rows(), offsets, columns, values }
    }
}

impl<T: Copy + Default> CsrMatrix<T> {
    /// The symmetric matrix of which this is the part above the diagonal.
    ///
    /// # Panics
    /// If an entry is not above the diagonal.
    pub fn with_mirror(self) -> Self {
        let below = self.transpose();
        let n_rows = self.n_rows();
        let lengths = (0..n_rows).map(|row| self.row(row).0.len() + below.row(row).0.len());
        let offsets = running_total(lengths);
        let mut columns = Vec::with_capacity(2 * self.n_entries());
        let mut values = Vec::with_capacity(2 * self.n_entries());
        for row in 0..n_rows {
            for (row_columns, row_values) in [below.row(row), self.row(row)] {
                columns.extend_from_slice(row_columns);
                values.extend_from_slice(row_values);
            }
        }
        Self::new(self.n_columns, offsets, columns, values)
    }
}

impl<T: Scalar> LinearOperator<T> for CsrMatrix<f64> {
    fn n_rows(&self) -> usize {
        CsrMatrix::n_rows(self)
    }

    fn n_columns(&self) -> usize {
        self.n_columns
    }

    fn apply_into(&self, x: &[T], width: usize, y: &mut [T]) {
        assert_eq!(x.len(), self.n_columns * width, "a block of n_columns × width");
        fill_rows(&self.offsets, width, y, |row, y| {
            y.fill(T::default());
            let (columns, values) = self.row(row);
            for (&column, &value) in columns.iter().zip(values) {
                add_scaled(y, T::from_f64(value), &x[column as usize * width..][..width]);
            }
        });
    }

    /// Transposes the matrix first: keep the transpose where this is called more than once.
    fn apply_transpose_into(&self, x: &[T], width: usize, y: &mut [T]) {
        self.transpose().apply_into(x, width, y);
    }
}
