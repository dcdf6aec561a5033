//! CayleyNet's powers by the powers of its operator.

use crate::dense::Complex;

/// The coefficients of 1, Re q, Im q, Re q², Im q², …, Im qʳ by power of N, where
///
/// q(N) = ω Σ_{t ≤ iterations} (ωhN)ᵗ ((h − i) − hN),  ω = 1/(h + i),
///
/// is what the Jacobi iterations make of (hΔ − iI)(hΔ + iI)⁻¹. |ωh| < 1: they do not grow.
pub(super) fn coefficients(h: f64, [order, iterations]: [usize; 2]) -> Vec<Vec<f64>> {
    let zero = Complex::from(0.0);
    let omega = Complex::new(h, 1.0).inverse();
    let mut step = vec![zero; iterations + 2];
    let mut factor = omega;
    for power in 0..=iterations {
        add(&mut step[power], factor * Complex::new(h, -1.0));
        add(&mut step[power + 1], factor * Complex::from(-h));
        factor = factor * omega * Complex::from(h);
    }
    let mut power = vec![Complex::from(1.0)];
    let mut coefficients = vec![vec![1.0]];
    for _ in 0..order {
        let mut next = vec![zero; power.len() + step.len() - 1];
        for (i, &a) in power.iter().enumerate() {
            for (j, &b) in step.iter().enumerate() {
                add(&mut next[i + j], a * b);
            }
        }
        coefficients.push(next.iter().map(|value| value.re).collect());
        coefficients.push(next.iter().map(|value| value.im).collect());
        power = next;
    }
    coefficients
}

fn add(sum: &mut Complex, value: Complex) {
    *sum = Complex::new(sum.re + value.re, sum.im + value.im);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// N = x a number: with many iterations q is the unit number (hΔ − i)/(hΔ + i), Δ = 1 − x.
    #[test]
    fn the_series_nears_the_inverse() {
        let (h, x) = (0.8, -0.6f64);
        let found = coefficients(h, [2, 60]);
        let at = |of: &Vec<f64>| of.iter().rev().fold(0.0, |sum, value| sum * x + value);
        let (above, below) = (Complex::new(h * (1.0 - x), -1.0), Complex::new(h * (1.0 - x), 1.0));
        let q = above * below.inverse();
        let square = q * q;
        let expected = [1.0, q.re, q.im, square.re, square.im];
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((at(found) - expected).abs() < 1e-9, "{} {expected}", at(found));
        }
    }
}
