//! Sums of blocks.

use rayon::prelude::*;

use super::{Kernel, Real, Rows, RowsMut, dispatch};

/// Numbers that one thread adds at a time.
const CHUNK: usize = 1 << 14;

/// y += factor · x on as many rows as the one with fewer has.
///
/// # Panics
/// If the rows are not laid out alike.
pub(crate) fn add<T: Real>(y: RowsMut<'_, T>, factor: T, x: Rows<'_, T>) {
    assert_eq!([y.width(), y.stride()], [x.width(), x.stride()], "rows of one layout");
    let (y, x) = (y.into_values().par_chunks_mut(CHUNK), x.values().par_chunks(CHUNK));
    y.zip(x).for_each(|(y, x)| dispatch(Add { y, factor, x }));
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
