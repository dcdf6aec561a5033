//! Several tests at once.

/// The p values of several tests, corrected so that the chance of even one false alarm stays below
/// what each is read at (Holm 1979): the k-th smallest of m is multiplied by m − k + 1, and none is
/// below one that was smaller. In the order given; time O(m log m).
///
/// ```
/// assert_eq!(motifnet::experiment::holm(&[0.25, 0.125]), [0.25, 0.25]);
/// ```
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, at) in order.into_iter().enumerate() {
        let factor = (p_values.len() - rank) as f64;
        least = least.max((factor * p_values[at]).min(1.0));
        corrected[at] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(found: &[f64], expected: &[f64]) -> bool {
        found.len() == expected.len()
            && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15)
    }

    /// statsmodels 0.15: multipletests(p, method="holm").
    #[test]
    fn figures_of_statsmodels() {
        for (p_values, expected) in [
            (vec![0.01, 0.04, 0.03, 0.005], vec![0.03, 0.06, 0.06, 0.02]),
            (vec![0.5, 0.5, 0.9], vec![1.0; 3]),
            (vec![0.02], vec![0.02]),
            (vec![0.0001, 0.2, 0.05, 0.05, 0.8], vec![0.0005, 0.4, 0.2, 0.2, 0.8]),
            (vec![], vec![]),
        ] {
            let found = holm(&p_values);
            assert!(close(&found, &expected), "{found:?}");
        }
    }

    /// A hypothesis falls at a level if all with smaller p have fallen and its own factor allows:
    /// the corrected p is the least level at which that is so.
    fn falls(p_values: &[f64], at: usize, level: f64) -> bool {
        let mut left: Vec<usize> = (0..p_values.len()).collect();
        while !left.is_empty() {
            let (place, &least) = left
                .iter()
                .enumerate()
                .min_by(|a, b| p_values[*a.1].total_cmp(&p_values[*b.1]))
                .unwrap();
            if p_values[least] * left.len() as f64 > level {
                return false;
            }
            if p_values[least] == p_values[at] {
                return true;
            }
            left.remove(place);
        }
        unreachable!("one of them is asked for")
    }

    proptest! {
        #[test]
        fn a_test_is_positive_where_the_step_down_procedure_says_so(
            p_values in prop::collection::vec(0.0..1.0, 1..12),
            level in 0.0..1.0,
        ) {
            let corrected = holm(&p_values);
            for at in 0..p_values.len() {
                prop_assert!((p_values[at]..=1.0).contains(&corrected[at]));
                prop_assert_eq!(corrected[at] <= level, falls(&p_values, at, level));
            }
        }
    }
}
