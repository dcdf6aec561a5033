//! Draws by weight.

use rand_chacha::ChaCha8Rng;

use crate::graph::generate::stream::unit;

/// Ranks before the first of Zipf's law: the most frequent words say nothing and are left out.
const SKIPPED: usize = 2;

/// Numbers 0, 1, 2, … drawn with probabilities proportional to their weights, O(log n) a draw.
#[derive(Clone, Debug)]
pub(super) struct Weighted {
    /// Sums of the weights up to and including each number.
    sums: Vec<f64>,
}

impl Weighted {
    /// Of weights that are finite and not below zero, at least one of them above.
    pub(super) fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let sums = weights.into_iter().scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Self { sums: sums.collect() }
    }

    /// The weights 1/(r + 2)ˢ of the ranks r from 1 to n, for an exponent s.
    pub(super) fn zipf(n: usize, exponent: f64) -> Self {
        Self::new((1..=n).map(|rank| libm::pow((rank + SKIPPED) as f64, -exponent)))
    }

    pub(super) fn draw(&self, rng: &mut ChaCha8Rng) -> usize {
        let total = self.sums.last().copied().unwrap_or_default();
        // In (0, total]: a number of weight zero has the sum of the one before it and is passed over.
        let point = unit(rng) * total;
        self.sums.partition_point(|&sum| sum < point).min(self.sums.len().saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate::stream::Streams;

    #[test]
    fn shares_are_those_of_the_weights() {
        let weighted = Weighted::new([0.0, 1.0, 0.0, 3.0, 0.0]);
        let mut rng = Streams::new(1, "test").block(0);
        let mut counts = [0_u32; 5];
        for _ in 0..40_000 {
            counts[weighted.draw(&mut rng)] += 1;
        }
        assert_eq!((counts[0], counts[2], counts[4]), (0, 0, 0));
        // Five standard deviations of a binomial(40000, 1/4) are 433.
        assert!(counts[1].abs_diff(10_000) < 433, "{counts:?}");
    }

    #[test]
    fn ranks_fall_off_as_zipf_says() {
        let zipf = Weighted::zipf(3, 1.0);
        for (sum, expected) in zipf.sums.iter().zip([1.0 / 3.0, 7.0 / 12.0, 47.0 / 60.0]) {
            assert!((sum - expected).abs() < 1e-12);
        }
    }
}
