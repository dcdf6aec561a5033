//! Eigenpairs at the end of a spectrum where many lie close together.

use super::krylov::{Eigenpairs, KrylovError, KrylovOptions, largest_eigenpairs};
use super::symmetric::SymmetricEigen;
use crate::dense::{Rows, RowsMut, Update, multiply, multiply_transposed};
use crate::progress::Progress;
use crate::sparse::LinearOperator;

/// The residual, as a share of ‖A‖, at which the first look is content.
const FIRST_LOOK: f64 = 1e-2;
/// A wanted end that is a larger share of the spectrum needs no filter.
const WIDE: f64 = 0.05;
/// The filter is at most so large at the top, as a power of e: rounding must not drown the rest.
const STRENGTH: f64 = 5.0;
const MOST_TERMS: f64 = 120.0;

/// The `k` largest eigenpairs of a symmetric operator whose eigenvalues lie between `low` and `top`.
///
/// A first look gives lower bounds of the wanted eigenvalues. Where they are at the very end of the spectrum, block
/// Lanczos works on T_d(t(A)) in place of A: the Chebyshev polynomial of the first kind with t taking [low, least
/// of the bounds] to [−1, 1], which is at most 1 there and grows fast beyond, so that what lies together is drawn
/// apart (Zhou and Saad 2007). The eigenvectors are the same; their eigenvalues, and residuals, are A's own.
///
/// # Errors
/// As [`largest_eigenpairs`].
pub(super) fn filtered_eigenpairs(
    operator: &dyn LinearOperator<f64>,
    [low, top]: [f64; 2],
    k: usize,
    options: &KrylovOptions,
    progress: &dyn Progress,
) -> Result<Eigenpairs, KrylovError> {
    let rough = KrylovOptions { tolerance: FIRST_LOOK.max(options.tolerance), ..*options };
    let first = largest_eigenpairs(operator, k, &rough, progress)?;
    if first.residual <= options.tolerance || k == 0 {
        return Ok(first);
    }
    let least = first.values[k - 1];
    // Below the least bound, so that the filter rises over all that is wanted.
    let edge = least - 0.5 * (top - least);
    if top - edge > WIDE * (top - low) || edge >= top {
        return largest_eigenpairs(operator, k, options, progress);
    }
    let steep = (1.0 + 2.0 * (top - edge) / (edge - low)).acosh();
    let n_terms = (STRENGTH / steep).clamp(4.0, MOST_TERMS).round() as usize;
    let filter = ChebyshevFilter { operator, low, edge, n_terms };
    let mut n_products = first.n_products;
    // What is left of a residual is divided by the slope of the filter; should that not do, once more.
    let mut tolerance = options.tolerance;
    loop {
        let max_products = (options.max_products / n_terms).max(1);
        let wanted = KrylovOptions { tolerance, max_products, ..*options };
        let found = largest_eigenpairs(&filter, k, &wanted, progress)?;
        n_products += found.n_products * n_terms;
        let own = rayleigh_ritz(operator, &found.vectors, k, n_products)?;
        let is_spent = n_products >= options.max_products;
        if own.residual <= options.tolerance || (is_spent && options.best_effort) {
            return Ok(own);
        }
        if is_spent || tolerance < 1e-3 * options.tolerance {
            let (residual, tolerance) = (own.residual, options.tolerance);
            return Err(KrylovError::NotConverged { k, residual, tolerance, n_products });
        }
        tolerance *= 0.1;
    }
}

/// The eigenpairs of an operator within the space of `k` orthonormal vectors, and their residuals.
fn rayleigh_ritz(
    operator: &dyn LinearOperator<f64>,
    vectors: &[f64],
    k: usize,
    n_products: usize,
) -> Result<Eigenpairs, KrylovError> {
    let n = operator.n_rows();
    let images = operator.apply(vectors, k);
    let mut projected = vec![0.0; k * k];
    let into = RowsMut::new(&mut projected, [k; 2]);
    let (rows, others) = (Rows::new(vectors, [n, k]), Rows::new(&images, [n, k]));
    multiply_transposed(rows, others, Update::Replace, into);
    for row in 0..k {
        for column in 0..row {
            let mean = 0.5 * (projected[row * k + column] + projected[column * k + row]);
            (projected[row * k + column], projected[column * k + row]) = (mean, mean);
        }
    }
    let eigen = SymmetricEigen::new(&projected, k).ok_or(KrylovError::NotFinite)?;
    let mut turn = vec![0.0; k * k];
    for number in 0..k {
        let entries = turn[number..].iter_mut().step_by(k);
        entries.zip(eigen.vector(number)).for_each(|(into, &entry)| *into = entry);
    }
    let turned = |values: &[f64]| {
        let mut result = vec![0.0; n * k];
        let (rows, turn) = (Rows::new(values, [n, k]), Rows::new(&turn, [k; 2]));
        multiply(rows, turn, Update::Replace, RowsMut::new(&mut result, [n, k]));
        result
    };
    let (vectors, images) = (turned(vectors), turned(&images));
    let norm = eigen.values.iter().fold(f64::MIN_POSITIVE, |norm, value| norm.max(value.abs()));
    let mut squares = vec![0.0; k];
    for (vector, image) in vectors.chunks_exact(k).zip(images.chunks_exact(k)) {
        for (number, square) in squares.iter_mut().enumerate() {
            let rest = image[number] - eigen.values[number] * vector[number];
            *square += rest * rest;
        }
    }
    let residual = squares.into_iter().fold(0.0, f64::max).sqrt() / norm;
    Ok(Eigenpairs { values: eigen.values, vectors, residual, n_products })
}

/// T_d(t(A)), where t takes [low, edge] to [−1, 1].
struct ChebyshevFilter<'a> {
    operator: &'a dyn LinearOperator<f64>,
    low: f64,
    edge: f64,
    /// d.
    n_terms: usize,
}

impl LinearOperator<f64> for ChebyshevFilter<'_> {
    fn n_rows(&self) -> usize {
        self.operator.n_rows()
    }

    fn n_columns(&self) -> usize {
        self.operator.n_rows()
    }

    /// T_{j+1} = 2 t(A) T_j − T_{j−1}.
    fn apply_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        let (centre, half) = (0.5 * (self.edge + self.low), 0.5 * (self.edge - self.low));
        let mut before = x.to_vec();
        let mut now = self.operator.apply(x, width);
        now.iter_mut().zip(x).for_each(|(now, x)| *now = (*now - centre * x) / half);
        for _ in 1..self.n_terms {
            self.operator.apply_into(&now, width, y);
            for ((before, now), image) in before.iter_mut().zip(&now).zip(&*y) {
                *before = 2.0 * (image - centre * now) / half - *before;
            }
            std::mem::swap(&mut before, &mut now);
        }
        y.copy_from_slice(&now);
    }

    fn apply_transpose_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        self.apply_into(x, width, y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::sparse::CsrMatrix;

    /// Some eigenvalues next to 1, closer than they are to it, and a bulk below.
    fn crowded(n: usize) -> CsrMatrix {
        let value = |i: usize| match i {
            0..30 => 1.0 - 1e-3 - 2e-5 * i as f64,
            _ => 0.9 - 1.8 * (i as f64 / n as f64),
        };
        CsrMatrix::from_rows(n, (0..n).map(|i| vec![(i as u32, value(i))]).collect())
    }

    #[test]
    fn close_eigenvalues_are_drawn_apart_with_fewer_products() {
        let matrix = crowded(3000);
        let options = KrylovOptions { tolerance: 1e-8, ..KrylovOptions::default() };
        for k in [1, 3] {
            let found = filtered_eigenpairs(&matrix, [-1.0, 1.0], k, &options, &Silent).unwrap();
            for (i, value) in found.values.iter().enumerate() {
                assert!((value - (1.0 - 1e-3 - 2e-5 * i as f64)).abs() < 1e-10, "{k} {i}: {value}");
            }
            assert!(found.residual <= 1e-8);
            let plain = largest_eigenpairs(&matrix, k, &options, &Silent).unwrap();
            assert!(
                found.n_products < plain.n_products,
                "{} {}",
                found.n_products,
                plain.n_products
            );
        }
    }

    #[test]
    fn what_is_apart_needs_no_filter() {
        let rows = (0..500).map(|i| vec![(i, f64::from(i) / 500.0)]).collect();
        let matrix = CsrMatrix::from_rows(500, rows);
        let options = KrylovOptions::default();
        let found = filtered_eigenpairs(&matrix, [0.0, 2.0], 2, &options, &Silent).unwrap();
        assert!((found.values[0] - 0.998).abs() < 1e-9 && (found.values[1] - 0.996).abs() < 1e-9);
    }
}
