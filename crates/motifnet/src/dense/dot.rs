//! Inner products of blocks.

use rayon::prelude::*;

use super::{Kernel, Real, Rows, dispatch};

/// Rows that are summed together, whatever the threads.
const BLOCK: usize = 256;

/// Σ x ∘ y over all rows and columns.
///
/// # Panics
/// If the rows are not laid out alike.
pub(crate) fn dot<T: Real>(x: Rows<'_, T>, y: Rows<'_, T>) -> f64 {
    assert_eq!([x.n_rows(), x.width()], [y.n_rows(), y.width()], "rows of one size");
    let parts = x.par_blocks(BLOCK).zip(y.par_blocks(BLOCK)).map(|(x, y)| dispatch(Dot { x, y }));
    parts.collect::<Vec<f64>>().into_iter().sum()
}

struct Dot<'a, T> {
    x: Rows<'a, T>,
    y: Rows<'a, T>,
}

impl<T: Real> Kernel for Dot<'_, T> {
    type Output = f64;

    #[inline(always)]
    fn run(self) -> f64 {
        const LANES: usize = 8;
        let mut sums = [0.0; LANES];
        for (x, y) in self.x.iter().zip(self.y.iter()) {
            for (x, y) in x.chunks(LANES).zip(y.chunks(LANES)) {
                for (sum, (&x, &y)) in sums.iter_mut().zip(x.iter().zip(y)) {
                    *sum += x.to_f64() * y.to_f64();
                }
            }
        }
        sums.iter().sum()
    }
}
