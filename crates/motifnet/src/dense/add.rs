//! Sums of blocks.

use rayon::prelude::*;

use super::{Kernel, Real, dispatch};

/// Numbers that one thread adds at a time.
const CHUNK: usize = 1 << 14;

/// y += factor · x on as many numbers as the shorter has.
pub(crate) fn add<T: Real>(y: &mut [T], factor: T, x: &[T]) {
    y.par_chunks_mut(CHUNK).zip(x.par_chunks(CHUNK)).for_each(|(y, x)| {
        dispatch(Add { y, factor, x });
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
