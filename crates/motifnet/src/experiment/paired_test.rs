//! Whether one model is better than another on the same splits.

use crate::train::{deviation, mean};

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Two-sided.
const CONFIDENCE: f64 = 0.95;

/// The corrected resampled t test of Nadeau and Bengio ("Inference for the generalization error",
/// 2003).
///
/// Random splits of one data set share nodes, so their results are not independent, and the plain
/// paired t test finds differences where there are none. With the mean d̄ and the variance s² of J
/// differences the standard error is taken as √((1/J + n_test/n_train) s²) in place of √(s²/J);
/// t = d̄ / standard error, with J − 1 degrees of freedom.
///
/// ```
/// use motifnet::experiment::PairedTest;
///
/// let test = PairedTest::new(&[0.02, 0.03, 0.01, 0.04], 0.25).unwrap();
/// assert!(test.p > 0.05 && test.interval[0] < 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairedTest {
    /// J.
    pub n_pairs: usize,
    /// d̄.
    pub difference: f64,
    /// The corrected one.
    pub standard_error: f64,
    /// t; infinite (in JSON null) where all differences are the same and not 0.
    pub t: f64,
    /// The chance of a difference at least as large, either way, between equal models.
    pub p: f64,
    /// The confidence interval of the difference, at 95 %.
    pub interval: [f64; 2],
}

impl PairedTest {
    /// Tests `differences`, one a split, whose tests have `test_to_train` times as many nodes as
    /// their training; none of fewer than two, of differences that are not finite, or where that
    /// ratio is no number from 0 on.
    ///
    /// Where all differences are the same t has no spread to go by, and accuracies that are counted in
    /// whole nodes may well agree by chance: p is then 1 if they are 0, and otherwise that of the sign
    /// test, 2^(1−J). Time O(J).
    pub fn new(differences: &[f64], test_to_train: f64) -> Option<Self> {
        let (difference, deviation) = (mean(differences)?, deviation(differences)?);
        if !(test_to_train.is_finite() && test_to_train >= 0.0 && deviation.is_finite()) {
            return None;
        }
        let n_pairs = differences.len();
        // Differences that are the same on paper differ by roundings of numbers up to their size.
        let largest = differences.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
        let has_spread = deviation > 1e-12 * largest;
        let variance = if has_spread { deviation * deviation } else { 0.0 };
        let standard_error = ((1.0 / n_pairs as f64 + test_to_train) * variance).sqrt();
        let student = StudentsT::new(0.0, 1.0, (n_pairs - 1) as f64).ok()?;
        let t = if difference == 0.0 { 0.0 } else { difference / standard_error };
        // The lower tail, since 1 − (1 − small) is not small.
        let p = match t.is_finite() {
            true => (2.0 * student.cdf(-t.abs())).min(1.0),
            false => 0.5_f64.powf((n_pairs - 1) as f64),
        };
        let reach = student.inverse_cdf((1.0 + CONFIDENCE) / 2.0) * standard_error;
        let interval = [difference - reach, difference + reach];
        Some(Self { n_pairs, difference, standard_error, t, p, interval })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn differences(first: &[f64], second: &[f64]) -> Vec<f64> {
        first.iter().zip(second).map(|(first, second)| second - first).collect()
    }

    /// scipy 1.17: stats.t.sf and stats.t.interval on the corrected standard error; with a ratio of 0
    /// these are stats.ttest_rel's.
    #[test]
    fn figures_of_scipy() {
        let five = differences(
            &[0.8123, 0.8047, 0.8210, 0.7988, 0.8155],
            &[0.8201, 0.8090, 0.8188, 0.8102, 0.8240],
        );
        let two = differences(&[1.0, 2.0], &[1.5, 4.5]);
        let ten = differences(
            &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
            &[0.3, 0.1, 0.35, 0.4, 0.2, 0.8, 0.1, 0.9, 0.95, 0.7],
        );
        #[rustfmt::skip]
        let cases = [
            (&five, 1.0, [0.00596, 0.005712407548486017, 1.0433429249248218, 0.3556935961643494, -0.009900185976888898, 0.02182018597688896]),
            (&five, 0.0, [0.00596, 0.002332080616102283, 2.5556577928087507, 0.0629268564345338, -0.0005148938115038066, 0.01243489381150387]),
            (&five, 7.0, [0.00596, 0.013992483696613699, 0.4259429654681251, 0.6920690221659088, -0.032889362869023, 0.04480936286902307]),
            (&two, 0.25, [1.5, 1.224744871391589, 1.2247448713915892, 0.43590578315102513, -14.061859085481474, 17.061859085481473]),
            (&ten, 1.0 / 3.0, [-0.07, 0.16939981197243492, -0.4132235991583659, 0.6891145352254685, -0.4532089980301128, 0.31320899803011276]),
        ];
        for (differences, ratio, expected) in cases {
            let test = PairedTest::new(differences, ratio).unwrap();
            let [low, high] = test.interval;
            let found = [test.difference, test.standard_error, test.t, test.p, low, high];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() <= 1e-10 * expected.abs(), "{test:?}: {expected}");
            }
        }
    }

    #[test]
    fn without_spread_signs_are_counted() {
        let same = PairedTest::new(&[0.0; 4], 1.0).unwrap();
        assert_eq!((same.t, same.p, same.interval), (0.0, 1.0, [0.0; 2]));
        let shifted = differences(&[0.1, 0.2, 0.3], &[0.2, 0.3, 0.4]);
        let shifted = PairedTest::new(&shifted, 1.0).unwrap();
        assert_eq!((shifted.t, shifted.p), (f64::INFINITY, 0.25));
    }

    #[test]
    fn too_few_differences_and_wrong_ratios_give_no_test() {
        assert_eq!(PairedTest::new(&[], 1.0), None);
        assert_eq!(PairedTest::new(&[0.1], 1.0), None);
        for ratio in [-1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(PairedTest::new(&[0.1, 0.2], ratio), None);
        }
        for wrong in [f64::NAN, f64::INFINITY, f64::MAX] {
            assert_eq!(PairedTest::new(&[wrong, 0.0, -f64::MAX], 1.0), None);
        }
    }

    proptest! {
        #[test]
        fn the_interval_leaves_out_zero_where_p_is_below_five_per_cent(
            differences in prop::collection::vec(-1.0..1.0, 2..12),
            ratio in 0.0..10.0,
        ) {
            let test = PairedTest::new(&differences, ratio).unwrap();
            let leaves_out_zero = test.interval[0] > 0.0 || test.interval[1] < 0.0;
            prop_assert_eq!(leaves_out_zero, test.p < 0.05);
            let turned: Vec<f64> = differences.iter().map(|d| -d).collect();
            let turned = PairedTest::new(&turned, ratio).unwrap();
            prop_assert_eq!((turned.t, turned.p), (-test.t, test.p));
            let larger = PairedTest::new(&differences, ratio + 1.0).unwrap();
            // Near 1 the tail is known to some seven digits.
            prop_assert!(larger.p >= test.p - 1e-6);
        }
    }
}
