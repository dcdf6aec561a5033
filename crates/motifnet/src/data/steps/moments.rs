//! The mean and the standard deviation of some numbers, of which most may be zeros that are not
//! stored.

/// Of how many numbers, and their mean.
#[derive(Clone, Copy)]
pub(super) struct Mean {
    pub(super) n: usize,
    pub(super) mean: f64,
}

impl Mean {
    /// Of `n` numbers with this `sum`; 0 if there are none.
    pub(super) fn new(n: usize, sum: f64) -> Self {
        Self { n, mean: sum / n.max(1) as f64 }
    }

    /// √(Σ(x − mean)²/n) where the `n_stored` numbers that are stored have the given
    /// Σ(x − mean)²; 0 for numbers that differ by no more than the rounding of their mean.
    pub(super) fn deviation(self, n_stored: usize, squares: f64) -> f64 {
        let n = self.n.max(1) as f64;
        let n_zeros = (self.n - n_stored) as f64;
        let deviation = ((squares + n_zeros * self.mean * self.mean) / n).sqrt();
        if deviation <= n * f64::EPSILON * self.mean.abs() { 0.0 } else { deviation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The deviation of `numbers` and of `n_zeros` zeros.
    fn deviation(numbers: &[f64], n_zeros: usize) -> f64 {
        let mean = Mean::new(numbers.len() + n_zeros, numbers.iter().sum());
        let squares = numbers.iter().map(|x| (x - mean.mean).powi(2)).sum();
        mean.deviation(numbers.len(), squares)
    }

    #[test]
    fn zeros_count_though_they_are_not_stored() {
        assert_eq!(deviation(&[3.0, 1.0, 0.0, 0.0], 0), 1.5_f64.sqrt());
        assert_eq!(deviation(&[3.0, 1.0], 2), 1.5_f64.sqrt());
        assert_eq!(deviation(&[], 4), 0.0);
        assert_eq!(deviation(&[], 0), 0.0);
    }

    #[test]
    fn rounding_is_no_deviation() {
        assert_eq!(deviation(&[0.1; 1001], 0), 0.0);
        assert_eq!(deviation(&[1e30; 7], 0), 0.0);
        let mut numbers = [0.1; 1001];
        numbers[500] += 1e-9;
        assert!(deviation(&numbers, 0) > 0.0);
    }
}
