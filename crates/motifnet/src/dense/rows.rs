//! Matrices by rows, as they lie in memory.

use std::ops::Range;

use rayon::prelude::*;

/// A matrix, row after row in a slice, each row followed by padding or not.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a, T> {
    values: &'a [T],
    n_rows: usize,
    width: usize,
    stride: usize,
}

impl<'a, T> Rows<'a, T> {
    /// `n_rows` × `width` numbers without padding.
    ///
    /// # Panics
    /// If there are more or fewer.
    pub fn new(values: &'a [T], [n_rows, width]: [usize; 2]) -> Self {
        Self::padded(values, [n_rows, width], width)
    }

    /// The same with rows that begin every `stride` numbers.
    pub(super) fn padded(values: &'a [T], [n_rows, width]: [usize; 2], stride: usize) -> Self {
        assert!(values.len() == n_rows * stride && width <= stride, "{n_rows} rows of {width}");
        Self { values, n_rows, width, stride }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How far the beginnings of two rows are apart.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// All numbers, and the padding between them.
    #[inline(always)]
    pub fn values(&self) -> &'a [T] {
        self.values
    }

    /// One row after the other, without the padding.
    #[inline(always)]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [T]> + use<'a, T> {
        let width = self.width;
        self.values.chunks_exact(self.stride.max(1)).map(move |row| &row[..width])
    }

    /// One row, without the padding.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn row(&self, row: usize) -> &'a [T] {
        &self.values[row * self.stride..][..self.width]
    }

    /// Some of the rows.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn slice(&self, rows: Range<usize>) -> Self {
        let values = &self.values[rows.start * self.stride..rows.end * self.stride];
        Self { values, n_rows: rows.len(), ..*self }
    }

    /// The first rows.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn first(&self, n_rows: usize) -> Self {
        self.slice(0..n_rows)
    }
}

impl<'a, T: Sync> Rows<'a, T> {
    /// Blocks of `n_rows` rows, the last perhaps of fewer.
    pub(crate) fn par_blocks(
        &self,
        n_rows: usize,
    ) -> impl IndexedParallelIterator<Item = Rows<'a, T>> + use<'a, T> {
        let (width, stride) = (self.width, self.stride);
        self.values.par_chunks((n_rows * stride).max(1)).map(move |values| {
            let n_rows = values.len() / stride;
            Rows { values, n_rows, width, stride }
        })
    }
}

/// [`Rows`] to write on.
#[derive(Debug)]
pub struct RowsMut<'a, T> {
    values: &'a mut [T],
    n_rows: usize,
    width: usize,
    stride: usize,
}

impl<'a, T> RowsMut<'a, T> {
    /// `n_rows` × `width` numbers without padding.
    ///
    /// # Panics
    /// If there are more or fewer.
    pub fn new(values: &'a mut [T], [n_rows, width]: [usize; 2]) -> Self {
        Self::padded(values, [n_rows, width], width)
    }

    pub(super) fn padded(values: &'a mut [T], [n_rows, width]: [usize; 2], stride: usize) -> Self {
        assert!(values.len() == n_rows * stride && width <= stride, "{n_rows} rows of {width}");
        Self { values, n_rows, width, stride }
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How far the beginnings of two rows are apart.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The same rows to read.
    pub fn as_rows(&self) -> Rows<'_, T> {
        let Self { values, n_rows, width, stride } = self;
        Rows { values, n_rows: *n_rows, width: *width, stride: *stride }
    }

    /// The same rows, for a while.
    pub fn reborrow(&mut self) -> RowsMut<'_, T> {
        self.first(self.n_rows)
    }

    /// The first rows, for a while.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn first(&mut self, n_rows: usize) -> RowsMut<'_, T> {
        let values = &mut self.values[..n_rows * self.stride];
        RowsMut { values, n_rows, width: self.width, stride: self.stride }
    }

    /// One row, without the padding.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.values[row * self.stride..][..self.width]
    }

    /// Some of the rows.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn into_slice(self, rows: Range<usize>) -> Self {
        let values = &mut self.values[rows.start * self.stride..rows.end * self.stride];
        Self { values, n_rows: rows.len(), ..self }
    }

    /// All numbers, and the padding between them.
    #[inline(always)]
    pub fn into_values(self) -> &'a mut [T] {
        self.values
    }

    /// One row after the other, without the padding.
    #[inline(always)]
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut [T]> {
        let width = self.width;
        self.values.chunks_exact_mut(self.stride.max(1)).map(move |row| &mut row[..width])
    }
}

impl<'a, T: Send> RowsMut<'a, T> {
    /// Blocks of `n_rows` rows, the last perhaps of fewer.
    pub(crate) fn into_par_blocks(
        self,
        n_rows: usize,
    ) -> impl IndexedParallelIterator<Item = RowsMut<'a, T>> + use<'a, T> {
        let Self { values, width, stride, .. } = self;
        values.par_chunks_mut((n_rows * stride).max(1)).map(move |values| {
            let n_rows = values.len() / stride;
            RowsMut { values, n_rows, width, stride }
        })
    }
}
