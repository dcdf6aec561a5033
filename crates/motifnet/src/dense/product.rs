//! Products of dense matrices, in parallel, to the same bits on any number of threads.
//!
//! A matrix is one slice, row after row. faer multiplies blocks of rows on one thread each; where
//! the blocks are cut depends on the sizes alone, and sums over blocks are taken in their order.

use std::ops::Range;

use motifnet_linalg::{Accum, MatMut, MatRef};
use rayon::prelude::*;

use super::Real;

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

/// C ← A B or C += A B, with A m × k, B k × n, C m × n.
///
/// # Panics
/// If the slices do not have those sizes.
pub fn multiply<T: Real>(a: &[T], b: &[T], [m, k, n]: [usize; 3], update: Update, c: &mut [T]) {
    assert_eq!([a.len(), b.len(), c.len()], [m * k, k * n, m * n], "A is m × k, B k × n, C m × n");
    let b = MatRef::from_row_major_slice(b, k, n);
    by_row_blocks(a, [m, k, n], c, |a, c| T::multiply(c, update.into(), a, b, T::from_f64(1.0)));
}

/// C ← A Bᵀ or C += A Bᵀ, with A m × k, B n × k, C m × n.
///
/// # Panics
/// If the slices do not have those sizes.
pub fn multiply_by_transpose<T: Real>(
    a: &[T],
    b: &[T],
    [m, k, n]: [usize; 3],
    update: Update,
    c: &mut [T],
) {
    assert_eq!([a.len(), b.len(), c.len()], [m * k, n * k, m * n], "A is m × k, B n × k, C m × n");
    let b = MatRef::from_column_major_slice(b, k, n);
    by_row_blocks(a, [m, k, n], c, |a, c| T::multiply(c, update.into(), a, b, T::from_f64(1.0)));
}

fn by_row_blocks<T: Real>(
    a: &[T],
    [m, k, n]: [usize; 3],
    c: &mut [T],
    multiply: impl Fn(MatRef<'_, T>, MatMut<'_, T>) + Sync,
) {
    if m * n == 0 {
        return;
    }
    c.par_chunks_mut(BLOCK * n).enumerate().for_each(|(block, c)| {
        let n_rows = c.len() / n;
        let a = &a[block * BLOCK * k..][..n_rows * k];
        multiply(
            MatRef::from_row_major_slice(a, n_rows, k),
            MatMut::from_row_major_slice_mut(c, n_rows, n),
        );
    });
}

/// C ← Aᵀ B or C += Aᵀ B, with A m × k, B m × n, C k × n: a sum over the m rows.
///
/// # Panics
/// If the slices do not have those sizes.
pub fn multiply_transposed<T: Real>(
    a: &[T],
    b: &[T],
    [m, k, n]: [usize; 3],
    update: Update,
    c: &mut [T],
) {
    assert_eq!([a.len(), b.len(), c.len()], [m * k, m * n, k * n], "A is m × k, B m × n, C k × n");
    if update == Update::Replace {
        c.fill(T::default());
    }
    let part = |rows: Range<usize>| {
        let mut sum = vec![T::default(); k * n];
        let a = MatRef::from_column_major_slice(&a[rows.start * k..rows.end * k], k, rows.len());
        let b = MatRef::from_row_major_slice(&b[rows.start * n..rows.end * n], rows.len(), n);
        let into = MatMut::from_row_major_slice_mut(&mut sum, k, n);
        T::multiply(into, Accum::Replace, a, b, T::from_f64(1.0));
        sum
    };
    let parts: Vec<Vec<T>> = row_parts(m).into_par_iter().map(part).collect();
    for part in parts {
        for (c, &part) in c.iter_mut().zip(&part) {
            *c += part;
        }
    }
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

    type Product = fn(&[f64], &[f64], [usize; 3], Update, &mut [f64]);

    /// The sum that defines the product, with the positions of its factors' entries.
    fn oracle(
        [m, n, depth]: [usize; 3],
        a: impl Fn(usize, usize) -> f64,
        b: impl Fn(usize, usize) -> f64,
    ) -> Vec<f64> {
        let entry = |i: usize, j: usize| (0..depth).map(|l| a(i, l) * b(l, j)).sum::<f64>();
        (0..m * n).map(|at| entry(at / n, at % n)).collect()
    }

    fn check(product: Product, sizes: [usize; 3], a: &[f64], b: &[f64], expected: &[f64]) {
        for (update, before) in [(Update::Replace, 0.0), (Update::Add, 2.5)] {
            let mut c = vec![if before == 0.0 { f64::NAN } else { before }; expected.len()];
            product(a, b, sizes, update, &mut c);
            for (found, expected) in c.iter().zip(expected) {
                assert!((found - before - expected).abs() < 1e-9, "{found} {expected}");
            }
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
            let expected = oracle([m, n, k], |i, l| a[i * k + l], |l, j| b[l * n + j]);
            check(multiply, [m, k, n], &a, &b, &expected);
            let turned = oracle([m, n, k], |i, l| a[i * k + l], |l, j| b[j * k + l]);
            check(multiply_by_transpose, [m, k, n], &a, &b, &turned);
            let tall = numbers(m * n);
            let over_rows = oracle([k, n, m], |i, l| a[l * k + i], |l, j| tall[l * n + j]);
            check(multiply_transposed, [m, k, n], &a, &tall, &over_rows);
        }
    }

    #[test]
    fn empty_products_are_zero() {
        let mut c = [1.0f32; 6];
        multiply_transposed(&[], &[], [0, 2, 3], Update::Replace, &mut c);
        assert_eq!(c, [0.0; 6]);
        multiply::<f32>(&[], &[], [0, 2, 0], Update::Replace, &mut []);
    }

    #[test]
    fn the_bits_do_not_depend_on_the_threads() {
        let [m, k, n] = [5000, 37, 21];
        let as_f32 = |values: Vec<f64>| values.into_iter().map(|x| x as f32).collect::<Vec<_>>();
        let (a, b, tall) = (numbers(m * k), numbers(k * n), numbers(m * n));
        let (a, b, tall) = (as_f32(a), as_f32(b), as_f32(tall));
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let (mut c, mut d) = (vec![0.0; m * n], vec![0.0; k * n]);
                multiply(&a, &b, [m, k, n], Update::Replace, &mut c);
                multiply_transposed(&a, &tall, [m, k, n], Update::Replace, &mut d);
                (c, d)
            })
        };
        let one = run(1);
        assert!(run(2) == one && run(4) == one);
    }
}
