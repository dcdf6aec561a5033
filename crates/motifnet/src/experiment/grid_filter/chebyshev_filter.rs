//! A polynomial filter, written in Chebyshev polynomials.

use std::f64::consts::PI;

use crate::sparse::LinearOperator;

/// Points at which a response is looked at when it is fitted, far more than any degree in use.
const N_SAMPLES: usize = 256;

/// The filter p(Δ̃) = Σ_j c_j T_j(Δ̃) of a rescaled Laplacian, whose spectrum is in [−1, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct ChebyshevFilter {
    coefficients: Vec<f64>,
}

impl ChebyshevFilter {
    /// The filter with the coefficients c_0, c_1, …; none of them is the filter that gives zero.
    pub fn new(coefficients: Vec<f64>) -> Self {
        Self { coefficients }
    }

    /// The Chebyshev series of `response`, cut off after `degree`; a response is a function of the
    /// eigenvalues λ in [0, 2] of the plain Laplacian.
    ///
    /// c_j = (2 − [j = 0])/m Σ_i g(1 + cos θ_i) cos jθ_i at θ_i = (i + ½)π/m, m = 256.
    ///
    /// # Panics
    /// If `degree` is 256 or more, which those points cannot tell apart.
    pub fn fit(degree: usize, response: impl Fn(f64) -> f64) -> Self {
        assert!(degree < N_SAMPLES, "degree {degree}, and {N_SAMPLES} points to fit it to");
        let coefficient = |order: usize| {
            let terms = (0..N_SAMPLES).map(|sample| {
                let angle = (sample as f64 + 0.5) * PI / N_SAMPLES as f64;
                response(1.0 + libm::cos(angle)) * libm::cos(order as f64 * angle)
            });
            terms.sum::<f64>() * if order == 0 { 1.0 } else { 2.0 } / N_SAMPLES as f64
        };
        Self { coefficients: (0..=degree).map(coefficient).collect() }
    }

    /// A band-pass of degree 7: the response [`mexican_hat_response`], off by at most 0.007.
    pub fn mexican_hat() -> Self {
        Self::fit(7, mexican_hat_response)
    }

    /// The coefficients c_0, c_1, ….
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// How many multiplications the filter takes; a last coefficient of zero counts too.
    pub fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    /// p(λ − 1): what the filter multiplies an eigenvector by, λ its eigenvalue in [0, 2] of the
    /// plain Laplacian.
    pub fn response(&self, lambda: f64) -> f64 {
        let angle = libm::acos((lambda - 1.0).clamp(-1.0, 1.0));
        let term = |(order, c): (usize, &f64)| c * libm::cos(order as f64 * angle);
        self.coefficients.iter().enumerate().map(term).sum()
    }

    /// p(Δ̃) x by T_j = 2Δ̃T_{j−1} − T_{j−2}: as many multiplications as the degree.
    pub fn apply(&self, laplacian: &impl LinearOperator<f64>, x: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; x.len()];
        let mut before = vec![0.0; x.len()];
        let mut term = x.to_vec();
        for (order, &coefficient) in self.coefficients.iter().enumerate() {
            if order > 0 {
                // T_1 = Δ̃T_0, and twice that less what was before from then on.
                let factor = if order == 1 { 1.0 } else { 2.0 };
                let mut next = laplacian.apply(&term, 1);
                for (next, before) in next.iter_mut().zip(&before) {
                    *next = factor * *next - before;
                }
                before = std::mem::replace(&mut term, next);
            }
            for (sum, term) in sum.iter_mut().zip(&term) {
                *sum += coefficient * term;
            }
        }
        sum
    }
}

/// 4λ e^(1 − 4λ): nothing at λ = 0, one at λ = ¼. On a plane it is a Mexican hat: a peak in a
/// trough, which together add up to nothing.
pub fn mexican_hat_response(lambda: f64) -> f64 {
    4.0 * lambda * libm::exp(1.0 - 4.0 * lambda)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::CsrMatrix;

    #[test]
    fn a_fitted_polynomial_is_itself() {
        let filter = ChebyshevFilter::new(vec![0.5, -1.0, 0.0, 0.25]);
        let again = ChebyshevFilter::fit(5, |lambda| filter.response(lambda));
        let expected = [0.5, -1.0, 0.0, 0.25, 0.0, 0.0];
        for (found, expected) in again.coefficients().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-14, "{:?}", again.coefficients());
        }
    }

    #[test]
    fn seven_degrees_are_enough_for_a_mexican_hat() {
        let filter = ChebyshevFilter::mexican_hat();
        assert_eq!(filter.degree(), 7);
        let off = |step: i32| {
            let lambda = 2.0 * f64::from(step) / 1000.0;
            (filter.response(lambda) - mexican_hat_response(lambda)).abs()
        };
        let most = (0..=1000).map(off).fold(0.0, f64::max);
        assert!(most < 0.007, "{most}");
        assert!(most > 0.005, "the documents say 0.007, not {most}");
    }

    #[test]
    fn on_a_diagonal_matrix_it_multiplies_by_its_response() {
        let eigenvalues = [-1.0, -0.3, 0.2, 1.0];
        let matrix = CsrMatrix::new(4, vec![0, 1, 2, 3, 4], vec![0, 1, 2, 3], eigenvalues.to_vec());
        for filter in [ChebyshevFilter::new(vec![]), ChebyshevFilter::mexican_hat()] {
            let filtered = filter.apply(&matrix, &[1.0; 4]);
            for (found, eigenvalue) in filtered.iter().zip(eigenvalues) {
                assert!((found - filter.response(1.0 + eigenvalue)).abs() < 1e-12);
            }
        }
    }
}
