//! Poisson draws that are the same on every platform.

use rand_chacha::ChaCha8Rng;

use super::stream::unit;

/// The largest mean that is drawn: above it neighbouring integers have no f32 of their own.
pub(super) const MAX_MEAN: f64 = 16_777_216.0;

/// A Poisson distribution.
#[derive(Clone, Copy, Debug)]
pub(super) enum Poisson {
    /// Multiplies uniforms until they fall below e^−mean: fast while the mean is small.
    Product {
        /// e^−mean.
        limit: f64,
    },
    /// Transformed rejection (PTRS, Hörmann 1993): constant time for means from 10 on.
    Rejection {
        /// The mean.
        mean: f64,
        /// Its logarithm.
        log_mean: f64,
    },
}

impl Poisson {
    /// A distribution with `mean` between 0 and [`MAX_MEAN`].
    pub(super) fn new(mean: f64) -> Self {
        if mean < 10.0 {
            Self::Product { limit: libm::exp(-mean) }
        } else {
            Self::Rejection { mean, log_mean: libm::log(mean) }
        }
    }

    /// One draw, as a whole number.
    pub(super) fn draw(&self, rng: &mut ChaCha8Rng) -> f64 {
        match *self {
            Self::Product { limit } => {
                let mut count = 0.0;
                let mut product = unit(rng);
                while product > limit {
                    count += 1.0;
                    product *= unit(rng);
                }
                count
            }
            Self::Rejection { mean, log_mean } => draw_by_rejection(mean, log_mean, rng),
        }
    }
}

fn draw_by_rejection(mean: f64, log_mean: f64, rng: &mut ChaCha8Rng) -> f64 {
    let b = 0.931 + 2.53 * libm::sqrt(mean);
    let a = -0.059 + 0.02483 * b;
    let inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    let v_r = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let u = unit(rng) - 0.5;
        let v = unit(rng);
        let u_s = 0.5 - u.abs();
        let k = libm::floor((2.0 * a / u_s + b) * u + mean + 0.43);
        if u_s >= 0.07 && v <= v_r {
            return k;
        }
        if k < 0.0 || !k.is_finite() || (u_s < 0.013 && v > u_s) {
            continue;
        }
        let left = libm::log(v * inverse_alpha / (a / (u_s * u_s) + b));
        let right = k * log_mean - mean - libm::lgamma(k + 1.0);
        if left <= right {
            return k;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::stream::Streams;
    use super::*;

    #[test]
    fn mean_and_variance_agree() {
        let n = 40_000.0;
        for mean in [0.3, 3.0, 9.9, 10.0, 47.5, 12_345.0, MAX_MEAN] {
            let poisson = Poisson::new(mean);
            let mut rng = Streams::new(5, "test").block(0);
            let draws: Vec<f64> = (0..n as usize).map(|_| poisson.draw(&mut rng)).collect();
            let average = draws.iter().sum::<f64>() / n;
            let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
            assert!((average - mean).abs() < 5.0 * (mean / n).sqrt(), "{mean}: {average}");
            // The fourth central moment of a Poisson variable is 3λ² + λ.
            let spread = ((2.0 * mean * mean + mean) / n).sqrt();
            assert!((variance - mean).abs() < 5.0 * spread, "{mean}: variance {variance}");
            assert!(draws.iter().all(|x| x.fract() == 0.0 && *x >= 0.0));
        }
    }

    #[test]
    fn small_counts_have_their_probabilities() {
        // P(0) at mean 1 and P(10) at mean 10, within 5 standard deviations.
        for (mean, value, probability) in [(1.0, 0.0, 0.367_879), (10.0, 10.0, 0.125_110)] {
            let poisson = Poisson::new(mean);
            let mut rng = Streams::new(6, "test").block(0);
            let n = 100_000;
            let hits = (0..n).filter(|_| poisson.draw(&mut rng) == value).count() as f64;
            let sigma = (f64::from(n) * probability * (1.0 - probability)).sqrt();
            assert!((hits - f64::from(n) * probability).abs() < 5.0 * sigma, "{mean}: {hits}");
        }
    }

    #[test]
    fn mean_zero_is_always_zero() {
        let mut rng = Streams::new(5, "test").block(0);
        assert!((0..1000).all(|_| Poisson::new(0.0).draw(&mut rng) == 0.0));
    }
}
