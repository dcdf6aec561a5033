//! Matrices laid out for the cache.

use super::zeroed::Zeroed;
use super::{Rows, RowsMut, Scalar};

/// Rows are padded to a multiple of this many numbers: whole cache lines, and no rest for wide vectors.
pub(crate) const LANES: usize = 16;

/// A matrix by rows that begin on cache lines, with zeros between the end of one and the next.
///
/// A kernel may run over the padding as long as it leaves zeros there.
#[derive(Debug)]
pub struct Block<T> {
    values: Zeroed<T>,
    n_rows: usize,
    width: usize,
}

impl<T: Scalar> Block<T> {
    /// A matrix of zeros.
    pub fn zeros(n_rows: usize, width: usize) -> Self {
        let values = Zeroed::new(n_rows * width.next_multiple_of(LANES));
        Self { values, n_rows, width }
    }

    /// As many zeros as `other` has numbers.
    pub fn zeros_like(other: &Self) -> Self {
        Self::zeros(other.n_rows, other.width)
    }

    /// The numbers of `rows`, laid out anew.
    pub fn copy_of(rows: Rows<'_, T>) -> Self {
        let mut block = Self::zeros(rows.n_rows(), rows.width());
        for (to, from) in block.as_mut().iter_mut().zip(rows.iter()) {
            to.copy_from_slice(from);
        }
        block
    }

    /// A matrix of one value.
    pub fn filled(n_rows: usize, width: usize, value: T) -> Self {
        let mut block = Self::zeros(n_rows, width);
        block.as_mut().iter_mut().for_each(|row| row.fill(value));
        block
    }

    /// Number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many bytes a matrix takes.
    pub fn n_bytes(n_rows: usize, width: usize) -> usize {
        n_rows * width.next_multiple_of(LANES) * size_of::<T>()
    }

    fn stride(&self) -> usize {
        self.width.next_multiple_of(LANES)
    }

    /// Its rows.
    pub fn as_rows(&self) -> Rows<'_, T> {
        Rows::padded(self.values.as_slice(), [self.n_rows, self.width], self.stride())
    }

    /// Its rows, to write on.
    pub fn as_mut(&mut self) -> RowsMut<'_, T> {
        let stride = self.stride();
        RowsMut::padded(self.values.as_mut_slice(), [self.n_rows, self.width], stride)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::zeroed::ALIGNMENT;

    #[test]
    fn rows_begin_on_cache_lines_and_the_padding_is_zero() {
        for width in [1, 15, 16, 17, 130] {
            let block = Block::filled(3, width, 2.0f32);
            let rows = block.as_rows();
            assert_eq!([rows.n_rows(), rows.width(), rows.stride() % LANES], [3, width, 0]);
            for (at, row) in rows.iter().enumerate() {
                assert_eq!(row, vec![2.0; width]);
                assert_eq!(row.as_ptr() as usize % ALIGNMENT, 0);
                assert_eq!(
                    rows.slice(at..at + 1).values()[width..],
                    vec![0.0; rows.stride() - width]
                );
            }
        }
        assert_eq!(Block::<f64>::zeros(0, 3).as_rows().iter().count(), 0);
        assert_eq!(Block::<f64>::zeros(3, 0).as_rows().n_rows(), 3);
    }
}
