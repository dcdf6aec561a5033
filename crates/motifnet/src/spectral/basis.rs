//! A growing orthonormal basis of long vectors.

use std::ops::Range;

use motifnet_linalg::{Accum, MatMut, MatRef, Multiply};
use rayon::prelude::*;

/// Rows that one thread works on at a time. What is summed over rows is summed within such parts
/// and then over them in their order, so the bits do not depend on the number of threads.
const ROWS: usize = 512;
/// At most this many partial sums.
const MOST_PARTS: usize = 64;

/// Up to `capacity` vectors of length `n_rows`, kept row after row so that threads can share the
/// rows out and a block of vectors is multiplied at once.
pub(super) struct Basis {
    n_rows: usize,
    capacity: usize,
    len: usize,
    /// n_rows × capacity.
    values: Vec<f64>,
}

impl Basis {
    pub(super) fn new(n_rows: usize, capacity: usize) -> Self {
        Self { n_rows, capacity, len: 0, values: vec![0.0; n_rows * capacity] }
    }

    /// Number of vectors.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Vᵀ W for the vectors `columns` of the basis and a block W of n_rows × `width`:
    /// columns × `width`.
    pub(super) fn project(&self, columns: Range<usize>, block: &[f64], width: usize) -> Vec<f64> {
        let size = columns.len() * width;
        let length = self.n_rows.div_ceil(MOST_PARTS).next_multiple_of(ROWS).max(ROWS);
        let partial = |part: &[f64], rows: &[f64]| {
            let mut sum = vec![0.0; size];
            let mut into = MatMut::from_row_major_slice_mut(&mut sum, columns.len(), width);
            // In pieces that fit the cache.
            let pieces = part.chunks(ROWS * width).zip(rows.chunks(ROWS * self.capacity));
            for (block, rows) in pieces {
                let block = MatRef::from_row_major_slice(block, block.len() / width, width);
                let rows = self.view(rows, columns.clone());
                f64::multiply(into.as_mut(), Accum::Add, rows.transpose(), block, 1.0);
            }
            sum
        };
        let parts: Vec<Vec<f64>> = block
            .par_chunks((length * width).max(1))
            .zip(self.values.par_chunks((length * self.capacity).max(1)))
            .map(|(part, rows)| partial(part, rows))
            .collect();
        let mut total = vec![0.0; size];
        for part in parts {
            total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
        }
        total
    }

    /// W ← W − V H for the vectors `columns` of the basis, H columns × `width`.
    pub(super) fn subtract(
        &self,
        columns: Range<usize>,
        coefficients: &[f64],
        block: &mut [f64],
        width: usize,
    ) {
        if columns.is_empty() || width == 0 {
            return;
        }
        let coefficients = MatRef::from_row_major_slice(coefficients, columns.len(), width);
        self.by_rows(block, width, |rows, block| {
            let rows = self.view(rows, columns.clone());
            f64::multiply(block, Accum::Add, rows, coefficients, -1.0);
        });
    }

    /// V S for all the vectors and a block S of len × `n_vectors`, given vector after vector.
    pub(super) fn combine(&self, coefficients: &[f64], n_vectors: usize) -> Vec<f64> {
        let mut combined = vec![0.0; self.n_rows * n_vectors];
        let coefficients = MatRef::from_column_major_slice(coefficients, self.len, n_vectors);
        self.by_rows(&mut combined, n_vectors, |rows, combined| {
            let rows = self.view(rows, 0..self.len);
            f64::multiply(combined, Accum::Replace, rows, coefficients, 1.0);
        });
        combined
    }

    /// Replaces the vectors by these combinations of them, given as to [`Basis::combine`].
    pub(super) fn rotate(&mut self, coefficients: &[f64], n_vectors: usize) {
        let (len, capacity) = (self.len, self.capacity);
        let coefficients = MatRef::from_column_major_slice(coefficients, len, n_vectors);
        self.values.par_chunks_mut((ROWS * capacity).max(1)).for_each(|rows| {
            let n_rows = rows.len() / capacity;
            let mut combined = vec![0.0; n_rows * n_vectors];
            let old = MatRef::from_row_major_slice_with_stride(rows, n_rows, capacity, capacity);
            let into = MatMut::from_row_major_slice_mut(&mut combined, n_rows, n_vectors);
            f64::multiply(into, Accum::Replace, old.subcols(0, len), coefficients, 1.0);
            for (row, new) in rows.chunks_mut(capacity).zip(combined.chunks(n_vectors.max(1))) {
                row[..n_vectors].copy_from_slice(new);
            }
        });
        self.len = n_vectors;
    }

    /// Adds the `width` vectors of a block of n_rows × `width`.
    pub(super) fn push(&mut self, block: &[f64], width: usize) {
        let range = self.len..self.len + width;
        let rows = self.values.chunks_exact_mut(self.capacity).zip(block.chunks_exact(width));
        rows.for_each(|(row, new)| row[range.clone()].copy_from_slice(new));
        self.len += width;
    }

    fn view<'a>(&self, rows: &'a [f64], columns: Range<usize>) -> MatRef<'a, f64> {
        let n_rows = rows.len() / self.capacity;
        let all =
            MatRef::from_row_major_slice_with_stride(rows, n_rows, self.capacity, self.capacity);
        all.subcols(columns.start, columns.len())
    }

    /// Calls `work` with every part of the basis's rows and the same rows of `block`.
    fn by_rows(
        &self,
        block: &mut [f64],
        width: usize,
        work: impl Fn(&[f64], MatMut<'_, f64>) + Sync,
    ) {
        block
            .par_chunks_mut((ROWS * width).max(1))
            .zip(self.values.par_chunks((ROWS * self.capacity).max(1)))
            .for_each(|(block, rows)| {
                let n_rows = block.len() / width;
                work(rows, MatMut::from_row_major_slice_mut(block, n_rows, width));
            });
    }
}
