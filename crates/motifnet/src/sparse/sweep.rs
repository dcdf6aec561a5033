//! The fused sweeps of a graph convolution: all operators in one pass over the rows.
//!
//! For operators A_1 … A_K, each a list of [`Gather`]s, and one weight α a operator and column:
//!
//! - forward: y = Σ_k α_k ∘ (A_k x);
//! - backward, on the transposed operators, t_k = A_kᵀ g: dx = Σ_k α_k ∘ t_k and dα_k = Σ_rows x ∘ t_k,
//!   since ⟨g, A_k x⟩ = ⟨A_kᵀ g, x⟩.
//!
//! A row's t_k live in registers, a tile of columns at a time; nothing of size K × rows is kept. All
//! blocks are padded to whole cache lines, and the tiles run over the padding: reading rows that
//! straddle lines, and a rest of two columns on its own, cost a third of the time. Every number is added up by one thread in the order of the entries, and sums over rows go by parts
//! that do not depend on the threads, so neither do the bits. Products and sums are not
//! contracted: all instruction sets agree as well.

use std::ops::Range;

use rayon::prelude::*;

use super::rows::split;
use super::{CsrMatrix, Scalar};
use crate::dense::{Kernel, LANES, Rows, RowsMut, Update, dispatch};

/// Rows of a sparse matrix to be multiplied with a block of vectors.
#[derive(Clone, Copy)]
pub(crate) struct Gather<'a, T> {
    pub(crate) matrix: &'a CsrMatrix<T>,
    /// As many rows as the matrix has columns, or fewer: columns beyond them are left out.
    pub(crate) source: Rows<'a, T>,
}

impl<'a, T> Gather<'a, T> {
    #[inline(always)]
    fn row(&self, row: usize) -> (&'a [u32], &'a [T]) {
        let (columns, values) = self.matrix.row(row);
        let n_columns = self.source.n_rows();
        if columns.last().is_none_or(|&last| (last as usize) < n_columns) {
            return (columns, values);
        }
        let end = columns.partition_point(|&column| (column as usize) < n_columns);
        (&columns[..end], &values[..end])
    }
}

/// y ← Σ_k α_k ∘ (A_k x), or y += the same, with a row of α for every operator; `parts` are
/// consecutive ranges of the rows of y.
pub(crate) fn sweep<T: Scalar>(
    operators: &[Vec<Gather<'_, T>>],
    alpha: Rows<'_, T>,
    parts: &[Range<usize>],
    update: Update,
    y: RowsMut<'_, T>,
) {
    let stride = checked_stride(operators, alpha, [y.width(), y.stride()]);
    let parts = split(parts.to_vec(), y.into_values(), |row| row * stride);
    parts.into_par_iter().for_each(|(rows, y)| {
        dispatch(Forward { operators, alpha: alpha.values(), stride, rows, update, y });
    });
}

/// dx ← or += Σ_k α_k ∘ t_k where it is wanted, and dα_k ← Σ_rows x ∘ t_k, with t_k = A_k g.
pub(crate) fn sweep_back<T: Scalar>(
    operators: &[Vec<Gather<'_, T>>],
    alpha: Rows<'_, T>,
    x: Rows<'_, T>,
    parts: &[Range<usize>],
    dx: Option<(Update, RowsMut<'_, T>)>,
    d_alpha: RowsMut<'_, T>,
) {
    let stride = checked_stride(operators, alpha, [x.width(), x.stride()]);
    let (x, alpha, d_alpha) = (x.values(), alpha.values(), d_alpha.into_values());
    assert_eq!(d_alpha.len(), alpha.len(), "a gradient for every weight");
    let mut partial = vec![T::default(); parts.len() * d_alpha.len()];
    let sums = partial.par_chunks_exact_mut(d_alpha.len().max(1));
    match dx {
        Some((update, dx)) => {
            assert_eq!(dx.stride(), stride, "a gradient as wide as its block");
            let parts = split(parts.to_vec(), dx.into_values(), |row| row * stride);
            parts.into_par_iter().zip(sums).for_each(|((rows, dx), d_alpha)| {
                let forward = Forward { operators, alpha, stride, rows, update, y: dx };
                dispatch(Backward { forward, x, d_alpha });
            });
        }
        None => parts.par_iter().zip(sums).for_each(|(rows, d_alpha)| {
            let (rows, update) = (rows.clone(), Update::Replace);
            let forward = Forward { operators, alpha, stride, rows, update, y: &mut [] };
            dispatch(Backward { forward, x, d_alpha });
        }),
    }
    d_alpha.fill(T::default());
    for part in partial.chunks_exact(d_alpha.len().max(1)) {
        for (sum, &part) in d_alpha.iter_mut().zip(part) {
            *sum += part;
        }
    }
}

/// How far the rows of all blocks are apart.
fn checked_stride<T: Scalar>(
    operators: &[Vec<Gather<'_, T>>],
    alpha: Rows<'_, T>,
    [width, stride]: [usize; 2],
) -> usize {
    assert_eq!(alpha.n_rows(), operators.len(), "weights for every operator");
    assert_eq!(stride % LANES, 0, "padded rows");
    let sources = operators.iter().flatten().map(|gather| gather.source);
    for rows in sources.chain([alpha]) {
        assert_eq!([rows.width(), rows.stride()], [width, stride], "blocks of one width");
    }
    stride
}

struct Forward<'a, T> {
    operators: &'a [Vec<Gather<'a, T>>],
    alpha: &'a [T],
    stride: usize,
    rows: Range<usize>,
    update: Update,
    /// Empty if it is not wanted.
    y: &'a mut [T],
}

impl<T: Scalar> Forward<'_, T> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, row: usize, start: usize, sum: [T; N]) {
        if self.y.is_empty() {
            return;
        }
        let at = (row - self.rows.start) * self.stride + start;
        let y = &mut self.y[at..at + N];
        match self.update {
            Update::Replace => y.copy_from_slice(&sum),
            Update::Add => y.iter_mut().zip(sum).for_each(|(y, sum)| *y += sum),
        }
    }
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
    fn stride(&self) -> usize {
        self.stride
    }

    #[inline(always)]
    fn tile<const N: usize>(&mut self, row: usize, start: usize) {
        let mut sum = [T::default(); N];
        for (gathers, alpha) in self.operators.iter().zip(self.alpha.chunks_exact(self.stride)) {
            let product = gather::<T, N>(gathers, row, self.stride, start);
            let alpha = lanes::<T, N>(&alpha[start..]);
            for lane in 0..N {
                sum[lane] += alpha[lane] * product[lane];
            }
        }
        self.put(row, start, sum);
    }
}

struct Backward<'a, T> {
    forward: Forward<'a, T>,
    x: &'a [T],
    d_alpha: &'a mut [T],
}

impl<T: Scalar> Kernel for Backward<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        for row in self.forward.rows.clone() {
            for_tiles(&mut self, row);
        }
    }
}

impl<T: Scalar> Tiles for Backward<'_, T> {
    fn stride(&self) -> usize {
        self.forward.stride
    }

    #[inline(always)]
    fn tile<const N: usize>(&mut self, row: usize, start: usize) {
        let stride = self.forward.stride;
        let x = lanes::<T, N>(&self.x[row * stride + start..]);
        let mut sum = [T::default(); N];
        for (k, gathers) in self.forward.operators.iter().enumerate() {
            let product = gather::<T, N>(gathers, row, stride, start);
            let at = k * stride + start;
            let alpha = lanes::<T, N>(&self.forward.alpha[at..]);
            let d_alpha = &mut self.d_alpha[at..at + N];
            for lane in 0..N {
                sum[lane] += alpha[lane] * product[lane];
                d_alpha[lane] += x[lane] * product[lane];
            }
        }
        self.forward.put(row, start, sum);
    }
}

/// A row cut into tiles of columns, each small enough for the registers.
trait Tiles {
    fn stride(&self) -> usize;
    fn tile<const N: usize>(&mut self, row: usize, start: usize);
}

/// As few tiles as the registers allow, of about equal width: every one goes through all entries.
#[inline(always)]
fn for_tiles(tiles: &mut impl Tiles, row: usize) {
    const MOST: usize = 5;
    let n_units = tiles.stride() / LANES;
    let n_tiles = n_units.div_ceil(MOST);
    let mut start = 0;
    for tile in 0..n_tiles {
        let end = n_units * (tile + 1) / n_tiles * LANES;
        match (end - start) / LANES {
            1 => tiles.tile::<LANES>(row, start),
            2 => tiles.tile::<{ 2 * LANES }>(row, start),
            3 => tiles.tile::<{ 3 * LANES }>(row, start),
            4 => tiles.tile::<{ 4 * LANES }>(row, start),
            _ => tiles.tile::<{ MOST * LANES }>(row, start),
        }
        start = end;
    }
}

/// Σ over the entries of one row of value · source, for a tile of the columns of the source.
#[inline(always)]
fn gather<T: Scalar, const N: usize>(
    gathers: &[Gather<'_, T>],
    row: usize,
    stride: usize,
    start: usize,
) -> [T; N] {
    let mut sum = [T::default(); N];
    for gather in gathers {
        let (columns, values) = gather.row(row);
        let source = gather.source.values();
        for (&column, &value) in columns.iter().zip(values) {
            let source = lanes::<T, N>(&source[column as usize * stride + start..]);
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
    use crate::dense::Block;

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
            n in 1usize..40, m in 1usize..40, width in 1usize..240, cut in 0usize..40,
        ) {
            let cut = cut.min(m);
            let matrices: Vec<_> = (0..3).map(|salt| matrix(n, m, salt)).collect();
            let (g, x) = (numbers(m * width, 5), numbers(n * width, 6));
            let alpha = numbers(2 * width, 7);
            let laid_out = |values: &[f64], n_rows| Block::copy_of(Rows::new(values, [n_rows, width]));
            let [source, input] = [laid_out(&g, m), laid_out(&x, n)];
            let weights = laid_out(&alpha, 2);
            let gather =
                |k: usize| Gather { matrix: &matrices[k], source: source.as_rows().first(cut) };
            let operators = [vec![gather(0)], vec![gather(1), gather(2)]];
            let dense = |k: usize| product(&matrices[k], cut, &g, width);
            let both: Vec<f64> = dense(1).iter().zip(dense(2)).map(|(a, b)| a + b).collect();
            let t = [dense(0), both];
            let parts = [0..n / 2, n / 2..n];

            let (weights, input) = (weights.as_rows(), input.as_rows());
            let blocks = || [Block::filled(n, width, f64::NAN), Block::filled(n, width, 1.0)];
            let [mut y, mut more] = blocks();
            sweep(&operators, weights, &parts, Update::Replace, y.as_mut());
            sweep(&operators, weights, &parts, Update::Add, more.as_mut());
            let sums = || Block::filled(2, width, f64::NAN);
            let ([mut dx, mut dx_more], [mut d_alpha, mut again, mut alone]) =
                (blocks(), [sums(), sums(), sums()]);
            let into = Some((Update::Replace, dx.as_mut()));
            sweep_back(&operators, weights, input, &parts, into, d_alpha.as_mut());
            let into = Some((Update::Add, dx_more.as_mut()));
            sweep_back(&operators, weights, input, &parts, into, again.as_mut());
            sweep_back(&operators, weights, input, &parts, None, alone.as_mut());
            let bits = |block: &Block<f64>| {
                block.as_rows().values().iter().map(|value| value.to_bits()).collect::<Vec<_>>()
            };
            prop_assert!(bits(&again) == bits(&d_alpha) && bits(&alone) == bits(&d_alpha));
            prop_assert!(bits(&dx) == bits(&y) && bits(&dx_more) == bits(&more));
            let rows = y.as_rows().iter().zip(more.as_rows().iter());
            for (row, (y, more)) in rows.enumerate() {
                for f in 0..width {
                    let at = row * width + f;
                    let expected = alpha[f] * t[0][at] + alpha[width + f] * t[1][at];
                    prop_assert!((y[f] - expected).abs() < 1e-12);
                    prop_assert!((more[f] - 1.0 - expected).abs() < 1e-12);
                }
            }
            for (k, d_alpha) in d_alpha.as_rows().iter().enumerate() {
                for (f, found) in d_alpha.iter().enumerate() {
                    let places = (0..n).map(|row| row * width + f);
                    let expected: f64 = places.map(|at| x[at] * t[k][at]).sum();
                    prop_assert!((found - expected).abs() < 1e-10);
                }
            }
        }
    }
}
