//! Principal components of a sparse matrix.

use super::gram::{Centred, Gram, Side};
use super::krylov::{KrylovError, KrylovOptions, largest_eigenpairs, widest_block};
use crate::dense::LANES;
use crate::progress::Progress;
use crate::sparse::CsrMatrix;

/// The residual of the eigenpairs: what it adds to the captured variance is of its square.
const TOLERANCE: f64 = 1e-6;

/// The directions in which the rows of a matrix X vary most.
#[derive(Clone, Debug, PartialEq)]
pub struct PrincipalComponents {
    /// (X − 1μᵀ) Vᵀ with V the components: n_rows × k, row after row.
    pub scores: Vec<f64>,
    /// Orthonormal rows, k × n_columns, the one of most variance first. The entry of largest
    /// magnitude is positive (the first of them, if there are several).
    pub components: Vec<f64>,
    /// The mean μ of every column.
    pub mean: Vec<f64>,
    /// Number of components: what was asked for, or all rows or columns if there are fewer.
    /// Those beyond the rank of X − 1μᵀ are zero, and so are their scores.
    pub k: usize,
    /// The share of the total variance that the components have, from 0 to 1; 0 if there is none.
    pub captured_variance: f64,
}

/// The first `k` principal components of `matrix`.
///
/// Exact, not a sketch: eigenvectors, to a residual of 10⁻⁶, of the smaller of YYᵀ and YᵀY with
/// Y = X − 1μᵀ, of which only products with blocks of vectors are taken, so X stays sparse. The
/// result does not depend on the number of threads, and on `seed` only by that residual.
///
/// Memory O(entries + min(n_rows, n_columns)·k); a few hundred products with X and Xᵀ.
///
/// # Errors
/// If the matrix has numbers that are not finite, or the eigenvectors do not converge.
///
/// ```
/// use motifnet::progress::Silent;
/// use motifnet::sparse::CsrMatrix;
/// use motifnet::spectral::principal_components;
///
/// // The points (1, 0), (0, 1), (0, 0): most of their variance is along (1, −1)/√2.
/// let points = CsrMatrix::new(2, vec![0, 1, 2, 2], vec![0, 1], vec![1.0, 1.0]);
/// let pca = principal_components(&points, 1, 0, &Silent).unwrap();
/// assert!((pca.captured_variance - 0.75).abs() < 1e-12);
/// assert!((pca.components[0] + pca.components[1]).abs() < 1e-12);
/// ```
pub fn principal_components(
    matrix: &CsrMatrix<f64>,
    k: usize,
    seed: u64,
    progress: &dyn Progress,
) -> Result<PrincipalComponents, KrylovError> {
    let centred = Centred::new(matrix);
    let [n_rows, n_columns] = [matrix.n_rows(), matrix.n_columns()];
    let k = k.min(n_rows).min(n_columns);
    let (total, raw) = (centred.squares(), centred.raw_squares());
    if !raw.is_finite() {
        return Err(KrylovError::NotFinite);
    }
    // Products with Y are off by the rounding of those with X.
    let rounding = 16.0 * f64::EPSILON * raw.sqrt();
    if k == 0 || total.sqrt() <= rounding {
        return Ok(PrincipalComponents {
            scores: vec![0.0; n_rows * k],
            components: vec![0.0; k * n_columns],
            mean: centred.mean,
            k,
            captured_variance: 0.0,
        });
    }

    let side = if n_rows < n_columns { Side::Rows } else { Side::Columns };
    let options = KrylovOptions { tolerance: TOLERANCE, seed, ..KrylovOptions::default() };
    let gram = Gram { centred: &centred, side };
    let pairs = largest_eigenpairs(&gram, k, &options, progress)?;
    let mut axes = match side {
        Side::Rows => centred.transpose_times(&pairs.vectors, k),
        Side::Columns => pairs.vectors,
    };
    let floor = rounding * total.sqrt();
    let useful: Vec<bool> = pairs.values.iter().map(|&value| value > floor).collect();
    normalize(&mut axes, &useful);
    let scores = centred.times(&axes, k);
    let captured: f64 = scores.iter().map(|score| score * score).sum();
    let components = (0..k).flat_map(|i| axes[i..].iter().step_by(k)).copied().collect();
    let captured_variance = (captured / total).min(1.0);
    Ok(PrincipalComponents { scores, components, mean: centred.mean, k, captured_variance })
}

/// Bytes that the first `k` components of a matrix of these lengths take beside its entries and what the eigenvectors
/// themselves do: blocks as long as its longer side on their way through the smaller Gram matrix, or the components, the
/// axes and a copy of these by lines of cache, whichever is more.
pub(crate) fn components_bytes([n_rows, n_columns]: [usize; 2], k: usize) -> u64 {
    let (n_rows, n_columns, k) = (n_rows as u64, n_columns as u64, k as u64);
    let padded = |width: u64| width.next_multiple_of(LANES as u64);
    let block = widest_block(n_rows.min(n_columns) as usize, k as usize) as u64;
    let blocks = n_rows.max(n_columns).saturating_mul(block + padded(block));
    let axes = n_columns.saturating_mul(2 * k + padded(k));
    blocks.max(axes).saturating_mul(size_of::<f64>() as u64)
}

/// Makes every column a unit vector whose entry of largest magnitude is positive, or zero if it
/// is not `useful`.
fn normalize(axes: &mut [f64], useful: &[bool]) {
    let k = useful.len();
    let (mut squares, mut largest) = (vec![0.0; k], vec![0.0_f64; k]);
    for row in axes.chunks_exact(k) {
        for (column, &entry) in row.iter().enumerate() {
            squares[column] += entry * entry;
            if entry.abs() > largest[column].abs() {
                largest[column] = entry;
            }
        }
    }
    let scale = |column: usize| match useful[column] {
        true => squares[column].sqrt().recip().copysign(largest[column]),
        false => 0.0,
    };
    let scales: Vec<f64> = (0..k).map(scale).collect();
    for row in axes.chunks_exact_mut(k) {
        row.iter_mut().zip(&scales).for_each(|(entry, scale)| *entry *= scale);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::symmetric::SymmetricEigen;
    use super::*;
    use crate::dense::{Rows, RowsMut, Update, multiply, multiply_transposed};
    use crate::progress::Silent;

    /// The sparse form of a dense matrix.
    fn sparse(dense: &[f64], n_columns: usize) -> CsrMatrix {
        let mut offsets = vec![0];
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for row in dense.chunks_exact(n_columns) {
            for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                columns.push(column as u32);
                values.push(value);
            }
            offsets.push(columns.len());
        }
        CsrMatrix::new(n_columns, offsets, columns, values)
    }

    /// Words in documents: few of many, some far more common; topics make it of low rank in part.
    fn words(n_rows: usize, n_columns: usize) -> Vec<f64> {
        let mut state = 12345_u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as usize
        };
        let mut dense = vec![0.0; n_rows * n_columns];
        for row in 0..n_rows {
            for _ in 0..12 {
                let word = (next() % n_columns) * (next() % n_columns) / n_columns;
                let word = (word + row % 5 * n_columns / 5) % n_columns;
                dense[row * n_columns + word] = 1.0 + (row % 3) as f64;
            }
        }
        dense
    }

    fn centred(dense: &[f64], n_columns: usize) -> Vec<f64> {
        let n_rows = dense.len() / n_columns;
        let mean =
            |column: usize| dense[column..].iter().step_by(n_columns).sum::<f64>() / n_rows as f64;
        let means: Vec<f64> = (0..n_columns).map(mean).collect();
        dense.iter().enumerate().map(|(at, value)| value - means[at % n_columns]).collect()
    }

    /// Compares with the eigenvalues of the dense covariance.
    fn check(dense: &[f64], n_columns: usize, k: usize) {
        let n_rows = dense.len() / n_columns;
        let pca = principal_components(&sparse(dense, n_columns), k, 3, &Silent).unwrap();
        let k = k.min(n_rows).min(n_columns);
        assert_eq!(pca.k, k);
        let y = centred(dense, n_columns);
        let mut gram = vec![0.0; n_columns * n_columns];
        let centred = Rows::new(&y, [n_rows, n_columns]);
        let into = RowsMut::new(&mut gram, [n_columns; 2]);
        multiply_transposed(centred, centred, Update::Replace, into);
        let values = SymmetricEigen::new(&gram, n_columns).unwrap().values;
        let total: f64 = values.iter().sum();
        let share = values[..k].iter().sum::<f64>() / total;
        assert!((pca.captured_variance - share).abs() < 1e-9, "{} {share}", pca.captured_variance);

        let axes: Vec<f64> =
            (0..n_columns * k).map(|at| pca.components[at % k * n_columns + at / k]).collect();
        let mut scores = vec![0.0; n_rows * k];
        let axes = Rows::new(&axes, [n_columns, k]);
        multiply(centred, axes, Update::Replace, RowsMut::new(&mut scores, [n_rows, k]));
        let scale = total.sqrt();
        assert!(pca.scores.iter().zip(&scores).all(|(a, b)| (a - b).abs() < 1e-10 * scale));
        let mut inner = vec![0.0; k * k];
        multiply_transposed(axes, axes, Update::Replace, RowsMut::new(&mut inner, [k; 2]));
        let mut variances = vec![0.0; k * k];
        let scores = Rows::new(&scores, [n_rows, k]);
        multiply_transposed(scores, scores, Update::Replace, RowsMut::new(&mut variances, [k; 2]));
        for at in 0..k * k {
            let (i, j) = (at / k, at % k);
            let useful = i == j && values[i] > 1e-11 * values[0];
            assert!((inner[at] - f64::from(u8::from(useful))).abs() < 1e-8, "{i} {j}");
            let expected = if i == j { values[i] } else { 0.0 };
            assert!((variances[at] - expected).abs() < 1e-6 * values[0], "{i} {j}");
        }
        for component in pca.components.chunks_exact(n_columns) {
            let largest =
                component.iter().fold(0.0_f64, |a, &b| if b.abs() > a.abs() { b } else { a });
            assert!(largest >= 0.0);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn components_are_those_of_the_dense_covariance(
            n_rows in 2usize..120,
            n_columns in 2usize..120,
            k in 1usize..12,
        ) {
            check(&words(n_rows, n_columns), n_columns, k);
        }
    }

    #[test]
    fn more_rows_more_columns_and_too_many_components() {
        check(&words(300, 200), 200, 16);
        check(&words(200, 300), 300, 16);
        check(&words(20, 30), 30, 100);
        let low_rank: Vec<f64> =
            (0..400 * 300).map(|at| ((at / 300 % 4) * (at % 300 % 3)) as f64).collect();
        check(&low_rank, 300, 10);
    }

    #[test]
    fn a_large_mean_does_not_drown_the_variance() {
        let shifted: Vec<f64> = words(90, 80).into_iter().map(|value| value + 1e4).collect();
        check(&shifted, 80, 7);
    }

    #[test]
    fn no_variance_gives_zeros() {
        for (dense, n_columns) in
            [(vec![0.1; 700], 7), (vec![0.0; 40], 4), (vec![2.5, 1.0, 3.0], 3)]
        {
            let pca = principal_components(&sparse(&dense, n_columns), 3, 0, &Silent).unwrap();
            assert_eq!(pca.captured_variance, 0.0);
            assert!(pca.scores.iter().chain(&pca.components).all(|&value| value == 0.0));
            assert!((pca.mean[0] - dense[0]).abs() < 1e-12);
        }
        let empty = CsrMatrix::new(4, vec![0], vec![], vec![]);
        assert_eq!(principal_components(&empty, 3, 0, &Silent).unwrap().k, 0);
    }

    #[test]
    fn one_hot_rows_share_their_variance_equally() {
        let n = 1500;
        let one_hot = CsrMatrix::new(n, (0..=n).collect(), (0..n as u32).collect(), vec![1.0; n]);
        let pca = principal_components(&one_hot, 130, 0, &Silent).unwrap();
        assert!((pca.captured_variance - 130.0 / 1499.0).abs() < 1e-12);
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused() {
        let matrix = sparse(&[1.0, f64::NAN, 2.0, 3.0], 2);
        assert_eq!(principal_components(&matrix, 1, 0, &Silent), Err(KrylovError::NotFinite));
    }

    #[test]
    fn the_bits_do_not_depend_on_the_threads() {
        let matrix = sparse(&words(1500, 700), 700);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| principal_components(&matrix, 30, 5, &Silent))
        };
        let one = run(1);
        assert!(one.is_ok() && run(2) == one && run(4) == one);
    }
}
