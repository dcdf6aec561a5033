//! CayleyNet's filters as polynomials of its operator, whose coefficients are the zoom's.

use std::ops::{AddAssign, Mul};

/// The polynomials 1, Re q, Im q, Re q², Im q², …, Im qʳ of N, where
///
/// q(N) = ω Σ_{t ≤ iterations} (ωhN)ᵗ ((h − i) − hN),  ω = 1/(h + i),
///
/// is what the Jacobi iterations make of (hΔ − iI)(hΔ + iI)⁻¹. |ωh| < 1: they do not grow.
pub(super) struct CayleyPolynomials {
    /// Their coefficients, by power of N.
    pub(super) coefficients: Vec<Vec<f64>>,
    /// How these change with h.
    pub(super) slopes: Vec<Vec<f64>>,
}

impl CayleyPolynomials {
    /// Time (r · iterations)², once a pass.
    pub(super) fn new(h: f64, [order, iterations]: [usize; 2]) -> Self {
        let q = one_power(h, iterations);
        let mut power = vec![Dual::from(Complex::from(1.0))];
        let mut coefficients = vec![vec![1.0]];
        let mut slopes = vec![vec![0.0]];
        for _ in 0..order {
            let mut next = vec![Dual::default(); power.len() + q.len() - 1];
            for (i, &a) in power.iter().enumerate() {
                for (j, &b) in q.iter().enumerate() {
                    next[i + j] += a * b;
                }
            }
            let parts: [fn(Complex) -> f64; 2] = [|number| number.re, |number| number.im];
            for part in parts {
                coefficients.push(next.iter().map(|number| part(number.value)).collect());
                slopes.push(next.iter().map(|number| part(number.slope)).collect());
            }
            power = next;
        }
        Self { coefficients, slopes }
    }
}

/// The coefficients of q.
fn one_power(h: f64, iterations: usize) -> Vec<Dual> {
    let h_plus_i = Dual { value: Complex::new(h, 1.0), slope: 1.0.into() };
    let h_minus_i = Dual { value: Complex::new(h, -1.0), slope: 1.0.into() };
    let minus_h = Dual { value: (-h).into(), slope: (-1.0).into() };
    let h = Dual { value: h.into(), slope: 1.0.into() };
    let omega = h_plus_i.inverse();
    let mut coefficients = vec![Dual::default(); iterations + 2];
    let mut factor = omega;
    for power in 0..=iterations {
        coefficients[power] += factor * h_minus_i;
        coefficients[power + 1] += factor * minus_h;
        factor = factor * omega * h;
    }
    coefficients
}

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    /// 1 / z.
    fn inverse(self) -> Self {
        let square = self.re * self.re + self.im * self.im;
        Self { re: self.re / square, im: -self.im / square }
    }
}

impl From<f64> for Complex {
    fn from(re: f64) -> Self {
        Self { re, im: 0.0 }
    }
}

impl AddAssign for Complex {
    fn add_assign(&mut self, other: Self) {
        *self = Self { re: self.re + other.re, im: self.im + other.im };
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

/// A number that depends on h, and its derivative.
#[derive(Clone, Copy, Debug, Default)]
struct Dual {
    value: Complex,
    slope: Complex,
}

impl Dual {
    /// 1 / z, whose derivative is −z′ / z².
    fn inverse(self) -> Self {
        let value = self.value.inverse();
        Self { value, slope: self.slope * value * value * Complex::from(-1.0) }
    }
}

impl From<Complex> for Dual {
    fn from(value: Complex) -> Self {
        Self { value, slope: 0.0.into() }
    }
}

impl AddAssign for Dual {
    fn add_assign(&mut self, other: Self) {
        self.value += other.value;
        self.slope += other.slope;
    }
}

impl Mul for Dual {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let mut slope = self.slope * other.value;
        slope += self.value * other.slope;
        Self { value: self.value * other.value, slope }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(polynomial: &[f64], x: f64) -> f64 {
        polynomial.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
    }

    /// N = x a number: with many iterations q is the unit number (hΔ − i)/(hΔ + i), Δ = 1 − x.
    #[test]
    fn the_series_nears_the_inverse() {
        let (h, x) = (0.8, -0.6f64);
        let found = CayleyPolynomials::new(h, [2, 60]).coefficients;
        let (above, below) = (Complex::new(h * (1.0 - x), -1.0), Complex::new(h * (1.0 - x), 1.0));
        let q = above * below.inverse();
        let square = q * q;
        let expected = [1.0, q.re, q.im, square.re, square.im];
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((at(found, x) - expected).abs() < 1e-9, "{} {expected}", at(found, x));
        }
    }

    #[test]
    fn the_slopes_are_those_of_the_coefficients() {
        let (h, step) = (1.3, 1e-6);
        let slopes = CayleyPolynomials::new(h, [3, 4]).slopes;
        let [below, above] =
            [h - step, h + step].map(|h| CayleyPolynomials::new(h, [3, 4]).coefficients);
        for (m, slopes) in slopes.iter().enumerate() {
            for (power, slope) in slopes.iter().enumerate() {
                let expected = (above[m][power] - below[m][power]) / (2.0 * step);
                assert!((slope - expected).abs() < 1e-8, "{m} {power}: {slope} {expected}");
            }
        }
    }
}
