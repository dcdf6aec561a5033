//! Sums of blocks.

use rayon::prelude::*;

use super::{Kernel, Real, Rows, RowsMut, Update, dispatch};

/// Numbers that one thread adds at a time: few enough to stay in the nearest cache while several
/// blocks are added to them.
const CHUNK: usize = 1 << 12;

/// y += factor · x on as many rows as the one with fewer has.
///
/// # Panics
/// If the rows are not laid out alike.
pub(crate) fn add<T: Real>(mut y: RowsMut<'_, T>, factor: T, x: Rows<'_, T>) {
    let n_rows = y.n_rows().min(x.n_rows());
    combine(&[(factor, x)], Update::Add, y.first(n_rows));
}

/// y ← or += Σ factor · x, of the first rows of every x.
///
/// # Panics
/// If the rows are not laid out alike, or an x has fewer than y.
pub(crate) fn combine<T: Real>(terms: &[(T, Rows<'_, T>)], update: Update, y: RowsMut<'_, T>) {
    let layout = [y.width(), y.stride()];
    assert!(terms.iter().all(|(_, x)| [x.width(), x.stride()] == layout), "rows of one layout");
    let terms: Vec<_> =
        terms.iter().map(|(factor, x)| (*factor, x.first(y.n_rows()).values())).collect();
    y.into_values().par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
        if update == Update::Replace {
            y.fill(T::from_f64(0.0));
        }
        for &(factor, x) in &terms {
            dispatch(Add { factor, x: &x[chunk * CHUNK..][..y.len()], y });
        }
    });
}

struct Add<'a, T> {
    y: &'a mut [T],
    factor: T,
    x: &'a [T],
}

impl<T: Real> Kernel for Add<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (y, &x) in self.y.iter_mut().zip(self.x) {
            *y += self.factor * x;
        }
    }
}
