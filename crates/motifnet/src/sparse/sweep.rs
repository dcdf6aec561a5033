//! The fused sweeps of a graph convolution: all operators in one pass over the rows.
//!
//! For operators A_1 … A_K, each a list of [`Gather`]s, and one weight α a operator and column:
//!
//! - forward: y = Σ_k α_k ∘ (A_k x);
//! - backward, on the transposed operators, t_k = A_kᵀ g: dx = Σ_k α_k ∘ t_k and dα_k = Σ_rows x ∘ t_k,
//!   since ⟨g, A_k x⟩ = ⟨A_kᵀ g, x⟩.
//!
//! A row's t_k live in registers, a tile of columns at a time; nothing of size K × rows is kept. Every
//! number is added up by one thread in the order of the entries, and sums over rows go by parts
//! that do not depend on the threads, so neither do the bits. Products and sums are not
//! contracted: all instruction sets agree as well.

use std::ops::Range;

use rayon::prelude::*;

use super::rows::split;
use super::{CsrMatrix, Scalar};
use crate::dense::{Kernel, dispatch};

/// Rows of a sparse matrix to be multiplied with a block of vectors.
#[derive(Clone, Copy)]
pub(crate) struct Gather<'a, T> {
    pub(crate) matrix: &'a CsrMatrix<T>,
    /// Columns from here on are left out.
    pub(crate) n_columns: usize,
    /// At least `n_columns` rows of `width` numbers.
    pub(crate) source: &'a [T],
}

impl<'a, T> Gather<'a, T> {
    #[inline(always)]
    fn row(&self, row: usize) -> (&'a [u32], &'a [T]) {
        let (columns, values) = self.matrix.row(row);
        if columns.last().is_none_or(|&last| (last as usize) < self.n_columns) {
            return (columns, values);
        }
        let end = columns.partition_point(|&column| (column as usize) < self.n_columns);
        (&columns[..end], &values[..end])
    }
}

/// y ← Σ_k α_k ∘ (A_k x), with α K × width; `parts` are consecutive ranges of the rows of y.
pub(crate) fn sweep<T: Scalar>(
    operators: &[Vec<Gather<'_, T>>],
    alpha: &[T],
    width: usize,
    parts: &[Range<usize>],
    y: &mut [T],
) {
    let parts = split(parts.to_vec(), y, |row| row * width);
    parts.into_par_iter().for_each(|(rows, y)| {
        dispatch(Forward { operators, alpha, width, rows, y });
    });
}

/// dx ← Σ_k α_k ∘ t_k where it is wanted, and dα_k ← Σ_rows x ∘ t_k, with t_k = A_k g.
pub(crate) fn sweep_back<T: Scalar>(
    operators: &[Vec<Gather<'_, T>>],
    alpha: &[T],
    x: &[T],
    width: usize,
    parts: &[Range<usize>],
    dx: Option<&mut [T]>,
    d_alpha: &mut [T],
) {
    let mut partial = vec![T::default(); parts.len() * d_alpha.len()];
    let sums = partial.par_chunks_exact_mut(d_alpha.len().max(1));
    match dx {
        Some(dx) => {
            let parts = split(parts.to_vec(), dx, |row| row * width);
            parts.into_par_iter().zip(sums).for_each(|((rows, dx), d_alpha)| {
                dispatch(Backward { operators, alpha, x, width, rows, dx, d_alpha });
            });
        }
        None => parts.par_iter().zip(sums).for_each(|(rows, d_alpha)| {
            let rows = rows.clone();
            dispatch(Backward { operators, alpha, x, width, rows, dx: &mut [], d_alpha });
        }),
    }
    d_alpha.fill(T::default());
    for part in partial.chunks_exact(d_alpha.len().max(1)) {
        for (sum, &part) in d_alpha.iter_mut().zip(part) {
            *sum += part;
        }
    }
}

struct Forward<'a, T> {
    operators: &'a [Vec<Gather<'a, T>>],
    alpha: &'a [T],
    width: usize,
    rows: Range<usize>,
    y: &'a mut [T],
}

impl<T: Scalar> Kernel for Forward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        for row in self.rows.clone() {
            for_tiles(&mut self, row);
        }
    }
}

impl<T: Scalar> Tiles for Forward<'_, T> {
    fn width(&self) -> usize {
        self.width
    }

    #[inline(always)]
    fn tile<const N: usize>(&mut self, row: usize, start: usize) {
        let mut sum = [T::default(); N];
        for (gathers, alpha) in self.operators.iter().zip(self.alpha.chunks_exact(self.width)) {
            let product = gather::<T, N>(gathers, row, self.width, start);
            let alpha = lanes::<T, N>(&alpha[start..]);
            for lane in 0..N {
                sum[lane] += alpha[lane] * product[lane];
            }
        }
        let at = (row - self.rows.start) * self.width + start;
        self.y[at..at + N].copy_from_slice(&sum);
    }
}

struct Backward<'a, T> {
    operators: &'a [Vec<Gather<'a, T>>],
    alpha: &'a [T],
    x: &'a [T],
    width: usize,
    rows: Range<usize>,
    /// Empty if it is not wanted.
    dx: &'a mut [T],
    d_alpha: &'a mut [T],
}

impl<T: Scalar> Kernel for Backward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        for row in self.rows.clone() {
            for_tiles(&mut self, row);
        }
    }
}

impl<T: Scalar> Tiles for Backward<'_, T> {
    fn width(&self) -> usize {
        self.width
    }

    #[inline(always)]
    fn tile<const N: usize>(&mut self, row: usize, start: usize) {
        let x = lanes::<T, N>(&self.x[row * self.width + start..]);
        let mut sum = [T::default(); N];
        for (k, gathers) in self.operators.iter().enumerate() {
            let product = gather::<T, N>(gathers, row, self.width, start);
            let at = k * self.width + start;
            let alpha = lanes::<T, N>(&self.alpha[at..]);
            let d_alpha = &mut self.d_alpha[at..at + N];
            for lane in 0..N {
                sum[lane] += alpha[lane] * product[lane];
                d_alpha[lane] += x[lane] * product[lane];
            }
        }
        if !self.dx.is_empty() {
            let at = (row - self.rows.start) * self.width + start;
            self.dx[at..at + N].copy_from_slice(&sum);
        }
    }
}

/// A row cut into tiles of columns, each small enough for the registers.
trait Tiles {
    fn width(&self) -> usize;
    fn tile<const N: usize>(&mut self, row: usize, start: usize);
}

/// Few sizes, since each is compiled for every instruction set.
#[inline(always)]
fn for_tiles(tiles: &mut impl Tiles, row: usize) {
    let width = tiles.width();
    let mut start = 0;
    while width - start >= 64 {
        tiles.tile::<64>(row, start);
        start += 64;
    }
    while width - start >= 16 {
        tiles.tile::<16>(row, start);
        start += 16;
    }
    while width - start >= 2 {
        tiles.tile::<2>(row, start);
        start += 2;
    }
    if start < width {
        tiles.tile::<1>(row, start);
    }
}

/// Σ over the entries of one row of value · source, for a tile of the columns of the source.
#[inline(always)]
fn gather<T: Scalar, const N: usize>(
    gathers: &[Gather<'_, T>],
    row: usize,
    width: usize,
    start: usize,
) -> [T; N] {
    let mut sum = [T::default(); N];
    for gather in gathers {
        let (columns, values) = gather.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            let source = lanes::<T, N>(&gather.source[column as usize * width + start..]);
            for lane in 0..N {
                sum[lane] += value * source[lane];
            }
        }
    }
    sum
}

#[inline(always)]
fn lanes<T, const N: usize>(slice: &[T]) -> &[T; N] {
    slice.first_chunk().expect("a tile inside the row")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matrix(n_rows: usize, n_columns: usize, salt: usize) -> CsrMatrix<f64> {
        let has = |i: usize, j: usize| (i * 31 + j * 17 + salt * 7).is_multiple_of(5);
        let mut offsets = vec![0];
        let mut columns = Vec::new();
        for i in 0..n_rows {
            columns.extend((0..n_columns as u32).filter(|&j| has(i, j as usize)));
            offsets.push(columns.len());
        }
        let values = numbers(columns.len(), salt);
        CsrMatrix::new(n_columns, offsets, columns, values)
    }

    fn numbers(n: usize, salt: usize) -> Vec<f64> {
        (0..n).map(|i| ((i * 7919 + salt * 131) % 101) as f64 / 50.0 - 1.0).collect()
    }

    /// A x with the columns from `n_columns` on left out, one term after the other.
    fn product(matrix: &CsrMatrix<f64>, n_columns: usize, x: &[f64], width: usize) -> Vec<f64> {
        let mut y = vec![0.0; matrix.n_rows() * width];
        for (row, column, value) in matrix.entries().filter(|e| (e.1 as usize) < n_columns) {
            for f in 0..width {
                y[row * width + f] += value * x[column as usize * width + f];
            }
        }
        y
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn sweeps_are_their_sums(
            n in 1usize..40, m in 1usize..40, width in 1usize..140, cut in 0usize..40,
        ) {
            let matrices: Vec<_> = (0..3).map(|salt| matrix(n, m, salt)).collect();
            let (g, x) = (numbers(m * width, 5), numbers(n * width, 6));
            let alpha = numbers(2 * width, 7);
            let gather = |k: usize| Gather { matrix: &matrices[k], n_columns: cut, source: &g[..] };
            let operators = [vec![gather(0)], vec![gather(1), gather(2)]];
            let dense = |k: usize| product(&matrices[k], cut, &g, width);
            let both: Vec<f64> = dense(1).iter().zip(dense(2)).map(|(a, b)| a + b).collect();
            let t = [dense(0), both];
            let parts = [0..n / 2, n / 2..n];

            let mut y = vec![f64::NAN; n * width];
            let mut dx = y.clone();
            let mut d_alpha = vec![f64::NAN; 2 * width];
            sweep(&operators, &alpha, width, &parts, &mut y);
            sweep_back(&operators, &alpha, &x, width, &parts, Some(&mut dx), &mut d_alpha);
            let mut alone = d_alpha.clone();
            sweep_back(&operators, &alpha, &x, width, &parts, None, &mut alone);
            prop_assert_eq!(&alone, &d_alpha);
            prop_assert_eq!(&dx, &y);
            for row in 0..n {
                for f in 0..width {
                    let at = row * width + f;
                    let expected = alpha[f] * t[0][at] + alpha[width + f] * t[1][at];
                    prop_assert!((y[at] - expected).abs() < 1e-12);
                }
            }
            for k in 0..2 {
                for f in 0..width {
                    let expected: f64 = (0..n).map(|row| row * width + f).map(|at| x[at] * t[k][at]).sum();
                    prop_assert!((d_alpha[k * width + f] - expected).abs() < 1e-10);
                }
            }
        }
    }
}
