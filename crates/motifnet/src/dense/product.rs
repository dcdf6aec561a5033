//! Products of dense matrices, in parallel, to the same bits on any number of threads.
//!
//! faer multiplies blocks of rows on one thread each; where
//! the blocks are cut depends on the sizes alone, and sums over blocks are taken in their order.

use std::ops::Range;

use motifnet_linalg::{Accum, MatMut, MatRef};
use rayon::prelude::*;

use super::{Real, Rows, RowsMut};

/// What happens to the numbers that are already there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// They are replaced.
    Replace,
    /// The product is added to them.
    Add,
}

impl From<Update> for Accum {
    fn from(update: Update) -> Self {
        match update {
            Update::Replace => Self::Replace,
            Update::Add => Self::Add,
        }
    }
}

/// Rows that one thread multiplies at a time: enough that the smaller factor stays in its cache.
const BLOCK: usize = 256;
/// At most this many partial sums of a product over rows.
const MOST_PARTS: usize = 64;

/// C ← A B or C += A B.
///
/// # Panics
/// If the sizes do not fit.
pub fn multiply<T: Real>(a: Rows<'_, T>, b: Rows<'_, T>, update: Update, c: RowsMut<'_, T>) {
    by_row_blocks(a, view(b), update, c);
}

/// C ← A Bᵀ or C += A Bᵀ.
///
/// # Panics
/// If the sizes do not fit.
pub fn multiply_by_transpose<T: Real>(
    a: Rows<'_, T>,
    b: Rows<'_, T>,
    update: Update,
    c: RowsMut<'_, T>,
) {
    by_row_blocks(a, view(b).transpose(), update, c);
}

fn by_row_blocks<T: Real>(a: Rows<'_, T>, b: MatRef<'_, T>, update: Update, c: RowsMut<'_, T>) {
    assert_eq!([a.n_rows(), b.ncols()], [c.n_rows(), c.width()], "the size of a product");
    assert_eq!(a.width(), b.nrows(), "the inner size of a product");
    c.into_par_blocks(BLOCK).zip(a.par_blocks(BLOCK)).for_each(|(c, a)| {
        T::multiply(view_mut(c), update.into(), view(a), b, T::from_f64(1.0));
    });
}

/// C ← Aᵀ B or C += Aᵀ B: a sum over the rows of A and B.
///
/// # Panics
/// If the sizes do not fit.
pub fn multiply_transposed<T: Real>(
    a: Rows<'_, T>,
    b: Rows<'_, T>,
    update: Update,
    mut c: RowsMut<'_, T>,
) {
    assert_eq!([a.width(), b.width()], [c.n_rows(), c.width()], "the size of a product");
    assert_eq!(a.n_rows(), b.n_rows(), "the inner size of a product");
    let (k, n) = (a.width(), b.width());
    let part = |rows: Range<usize>| {
        let mut sum = vec![T::default(); k * n];
        let into = MatMut::from_row_major_slice_mut(&mut sum, k, n);
        let a = view(a.slice(rows.clone())).transpose();
        T::multiply(into, Accum::Replace, a, view(b.slice(rows)), T::from_f64(1.0));
        sum
    };
    let parts: Vec<Vec<T>> = row_parts(a.n_rows()).into_par_iter().map(part).collect();
    for (row, c) in c.iter_mut().enumerate() {
        if update == Update::Replace {
            c.fill(T::default());
        }
        for part in &parts {
            for (c, &part) in c.iter_mut().zip(&part[row * n..]) {
                *c += part;
            }
        }
    }
}

fn view<T>(rows: Rows<'_, T>) -> MatRef<'_, T> {
    let (n_rows, width) = (rows.n_rows(), rows.width());
    MatRef::from_row_major_slice_with_stride(rows.values(), n_rows, width, rows.stride())
}

/// By the transpose, since faer's function for rows with a stride takes them for columns.
fn view_mut<T>(rows: RowsMut<'_, T>) -> MatMut<'_, T> {
    let (n_rows, width, stride) = (rows.n_rows(), rows.width(), rows.stride());
    let values = rows.into_values();
    MatMut::from_column_major_slice_with_stride_mut(values, width, n_rows, stride).transpose_mut()
}

/// `0..n_rows` in parts that depend on nothing but `n_rows`.
fn row_parts(n_rows: usize) -> Vec<Range<usize>> {
    let length = n_rows.div_ceil(MOST_PARTS).max(4 * BLOCK);
    (0..n_rows).step_by(length).map(|start| start..(start + length).min(n_rows)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dense::Block;

    type Product = fn(Rows<'_, f64>, Rows<'_, f64>, Update, RowsMut<'_, f64>);

    /// The sum that defines the product, with the positions of its factors' entries.
    fn oracle(
        [m, n, depth]: [usize; 3],
        a: impl Fn(usize, usize) -> f64,
        b: impl Fn(usize, usize) -> f64,
    ) -> Vec<f64> {
        let entry = |i: usize, j: usize| (0..depth).map(|l| a(i, l) * b(l, j)).sum::<f64>();
        (0..m * n).map(|at| entry(at / n, at % n)).collect()
    }

    /// With rows that are padded and such that are not.
    fn check(product: Product, a: Rows<'_, f64>, b: Rows<'_, f64>, n: usize, expected: &[f64]) {
        let size = [expected.len() / n, n];
        for (update, before) in [(Update::Replace, 0.0), (Update::Add, 2.5)] {
            let found = |c: Rows<'_, f64>| {
                for (found, expected) in c.iter().flatten().zip(expected) {
                    assert!((found - before - expected).abs() < 1e-9, "{found} {expected}");
                }
            };
            let start = if before == 0.0 { f64::NAN } else { before };
            let mut c = vec![start; expected.len()];
            product(a, b, update, RowsMut::new(&mut c, size));
            found(Rows::new(&c, size));
            let mut c = Block::filled(size[0], n, start);
            let (a, b) = (Block::copy_of(a), Block::copy_of(b));
            product(a.as_rows(), b.as_rows(), update, c.as_mut());
            found(c.as_rows());
        }
    }

    fn numbers(n: usize) -> Vec<f64> {
        (0..n).map(|i| ((i * 7919 + 13) % 101) as f64 / 50.0 - 1.0).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn products_are_their_sums(m in 1usize..700, k in 1usize..9, n in 1usize..9) {
            let (a, b) = (numbers(m * k), numbers(k * n));
            let left = Rows::new(&a, [m, k]);
            let expected = oracle([m, n, k], |i, l| a[i * k + l], |l, j| b[l * n + j]);
            check(multiply, left, Rows::new(&b, [k, n]), n, &expected);
            let turned = oracle([m, n, k], |i, l| a[i * k + l], |l, j| b[j * k + l]);
            check(multiply_by_transpose, left, Rows::new(&b, [n, k]), n, &turned);
            let tall = numbers(m * n);
            let over_rows = oracle([k, n, m], |i, l| a[l * k + i], |l, j| tall[l * n + j]);
            check(multiply_transposed, left, Rows::new(&tall, [m, n]), n, &over_rows);
        }
    }

    #[test]
    fn empty_products_are_zero() {
        let mut c = [1.0f32; 6];
        let (a, b) = (Rows::new(&[], [0, 2]), Rows::new(&[], [0, 3]));
        multiply_transposed(a, b, Update::Replace, RowsMut::new(&mut c, [2, 3]));
        assert_eq!(c, [0.0; 6]);
        let (a, b) = (Rows::<f32>::new(&[], [0, 2]), Rows::new(&[], [2, 0]));
        multiply(a, b, Update::Replace, RowsMut::new(&mut [], [0, 0]));
    }

    #[test]
    fn the_bits_do_not_depend_on_the_threads() {
        let [m, k, n] = [5000, 37, 21];
        let as_f32 = |values: Vec<f64>| values.into_iter().map(|x| x as f32).collect::<Vec<_>>();
        let (a, b, tall) = (numbers(m * k), numbers(k * n), numbers(m * n));
        let (a, b, tall) = (as_f32(a), as_f32(b), as_f32(tall));
        let (a, b, tall) = (Rows::new(&a, [m, k]), Rows::new(&b, [k, n]), Rows::new(&tall, [m, n]));
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (mut c, mut d) = (vec![0.0; m * n], vec![0.0; k * n]);
                multiply(a, b, Update::Replace, RowsMut::new(&mut c, [m, n]));
                multiply_transposed(a, tall, Update::Replace, RowsMut::new(&mut d, [k, n]));
                (c, d)
            })
        };
        let one = run(1);
        assert!(run(2) == one && run(4) == one);
    }
}
