//! Mean and spread of samples, and where a number stands among them.

/// How one number compares with samples of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Compared {
    pub(super) mean: f64,
    pub(super) sd: f64,
    pub(super) z: Option<f64>,
}

impl Compared {
    /// From the mean of samples and their sum of squared deviations from it.
    pub(super) fn new(real: f64, mean: f64, squares: f64, n_samples: usize) -> Self {
        let sd = (squares / (n_samples as f64 - 1.0)).max(0.0).sqrt();
        // Where all samples are the same there is no scale to measure by.
        let z = (sd > 0.0).then(|| (real - mean) / sd);
        Self { mean, sd, z }
    }
}

/// x − y, where both may be too large for a float to tell them apart.
pub(super) fn difference(x: u128, y: u128) -> f64 {
    if x >= y { (x - y) as f64 } else { -((y - x) as f64) }
}

/// The correlation of a sample with the next on its chain, given deviations from the mean of all; `None`
/// without pairs of them, or where all are the same.
pub(super) fn autocorrelation<'a>(chains: impl Iterator<Item = &'a [f64]> + Clone) -> Option<f64> {
    let pairs = chains.clone().flat_map(|chain| chain.windows(2));
    let (n_pairs, together) =
        pairs.fold((0_usize, 0.0), |(n, sum), pair| (n + 1, sum + pair[0] * pair[1]));
    let all = chains.flatten();
    let (n, squares) = all.fold((0_usize, 0.0), |(n, sum), x| (n + 1, sum + x * x));
    let is_known = n_pairs > 0 && squares > 0.0;
    is_known.then(|| (together / n_pairs as f64) / (squares / n as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_a_sample() {
        // 1, 2, 3, 6: mean 3, squared deviations 4 + 1 + 0 + 9.
        let found = Compared::new(8.0, 3.0, 14.0, 4);
        assert!((found.sd - (14.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert_eq!(found.z, Some(5.0 / (14.0_f64 / 3.0).sqrt()));
        assert_eq!(Compared::new(8.0, 3.0, 0.0, 4).z, None);
    }

    #[test]
    fn large_numbers_keep_their_differences() {
        let large = u128::from(u64::MAX) << 40;
        assert_eq!(difference(large + 1, large), 1.0);
        assert_eq!(difference(large, large + 3), -3.0);
    }

    #[test]
    fn neighbours_on_a_chain_are_correlated_or_not() {
        let of = |chains: &[&[f64]]| autocorrelation(chains.iter().copied());
        assert_eq!(of(&[&[1.0, 1.0, 1.0], &[-1.0, -1.0, -1.0]]), Some(1.0));
        assert_eq!(of(&[&[1.0, -1.0, 1.0, -1.0]]), Some(-1.0));
        assert_eq!(of(&[&[1.0], &[-1.0]]), None);
        assert_eq!(of(&[&[0.0, 0.0]]), None);
    }
}
