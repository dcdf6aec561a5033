//! Blocks of complex numbers: the real parts of a row, then the imaginary ones.

use std::ops::Mul;

use rayon::prelude::*;

use super::{Kernel, Real, Rows, RowsMut, Update, dispatch};

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Complex {
    pub(crate) re: f64,
    pub(crate) im: f64,
}

impl Complex {
    pub(crate) fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    pub(crate) fn conjugate(self) -> Self {
        Self { im: -self.im, ..self }
    }

    /// 1 / z.
    pub(crate) fn inverse(self) -> Self {
        let square = self.re * self.re + self.im * self.im;
        Self { re: self.re / square, im: -self.im / square }
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

impl From<f64> for Complex {
    fn from(re: f64) -> Self {
        Self { re, im: 0.0 }
    }
}

/// Rows that one thread handles at a time.
const BLOCK: usize = 128;

/// y ← c x or y += c x on as many rows as the one with fewer has.
pub(crate) fn complex_scaled<T: Real>(
    c: Complex,
    x: Rows<'_, T>,
    update: Update,
    y: RowsMut<'_, T>,
) {
    assert_eq!(x.width(), y.width(), "rows of one width");
    let n_rows = x.n_rows().min(y.n_rows());
    let c = [T::from_f64(c.re), T::from_f64(c.im)];
    let mut y = y;
    let (y, x) = (y.first(n_rows), x.first(n_rows));
    let blocks = y.into_par_blocks(BLOCK).zip(x.par_blocks(BLOCK));
    blocks.for_each(|(y, x)| dispatch(Scaled { c, x, update, y }));
}

struct Scaled<'a, T> {
    c: [T; 2],
    x: Rows<'a, T>,
    update: Update,
    y: RowsMut<'a, T>,
}

impl<T: Real> Kernel for Scaled<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let [re, im] = self.c;
        let half = self.x.width() / 2;
        let is_new = self.update == Update::Replace;
        for (y, x) in self.y.iter_mut().zip(self.x.iter()) {
            let (y_re, y_im) = y.split_at_mut(half);
            let (x_re, x_im) = x.split_at(half);
            let numbers = y_re.iter_mut().zip(y_im).zip(x_re.iter().zip(x_im));
            for ((y_re, y_im), (&x_re, &x_im)) in numbers {
                let (new_re, new_im) = (re * x_re - im * x_im, re * x_im + im * x_re);
                *y_re = if is_new { new_re } else { *y_re + new_re };
                *y_im = if is_new { new_im } else { *y_im + new_im };
            }
        }
    }
}

/// y ← c y.
pub(crate) fn complex_scale<T: Real>(c: Complex, y: RowsMut<'_, T>) {
    let c = [T::from_f64(c.re), T::from_f64(c.im)];
    y.into_par_blocks(BLOCK).for_each(|y| dispatch(Scale { c, y }));
}

struct Scale<'a, T> {
    c: [T; 2],
    y: RowsMut<'a, T>,
}

impl<T: Real> Kernel for Scale<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let [re, im] = self.c;
        let half = self.y.width() / 2;
        for y in self.y.iter_mut() {
            let (y_re, y_im) = y.split_at_mut(half);
            for (y_re, y_im) in y_re.iter_mut().zip(y_im) {
                (*y_re, *y_im) = (re * *y_re - im * *y_im, re * *y_im + im * *y_re);
            }
        }
    }
}
