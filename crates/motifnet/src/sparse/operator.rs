//! What can be multiplied by.

use crate::dense::Scalar;

/// A matrix known by what it does to vectors.
///
/// A block of `width` vectors of length n is one slice of n·width numbers, row after row. The
/// result does not depend on the number of threads: every row is summed by one thread, in order.
pub trait LinearOperator<T: Scalar>: Sync {
    /// Number of rows.
    fn n_rows(&self) -> usize;

    /// Number of columns.
    fn n_columns(&self) -> usize;

    /// y ← A x for a block x of n_columns × `width` and y of n_rows × `width`.
    ///
    /// # Panics
    /// If a slice has another length.
    fn apply_into(&self, x: &[T], width: usize, y: &mut [T]);

    /// y ← Aᵀ x for a block x of n_rows × `width` and y of n_columns × `width`.
    ///
    /// # Panics
    /// If a slice has another length.
    fn apply_transpose_into(&self, x: &[T], width: usize, y: &mut [T]);

    /// A x.
    fn apply(&self, x: &[T], width: usize) -> Vec<T> {
        let mut y = vec![T::default(); self.n_rows() * width];
        self.apply_into(x, width, &mut y);
        y
    }

    /// The sum of every row.
    fn row_sums(&self) -> Vec<T> {
        self.apply(&vec![T::from_f64(1.0); self.n_columns()], 1)
    }
}

/// y += a·x, the inner loop of every product.
#[inline(always)]
pub(crate) fn add_scaled<T: Scalar>(y: &mut [T], a: T, x: &[T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}
