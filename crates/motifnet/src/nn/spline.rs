//! Cubic B-splines.

/// The values at `x` of `n` cubic B-splines (fewer than four are of a lower degree) with equal spaces
/// between their knots on [0, `end`], the outermost repeated: they are not negative and sum to one.
///
/// By the recursion of Cox and de Boor. x is taken to the nearest point of the interval.
pub(super) fn b_splines(n: usize, end: f64, x: f64) -> Vec<f64> {
    let most = 3.min(n - 1);
    let n_spaces = n - most;
    let x = (x / end * n_spaces as f64).clamp(0.0, n_spaces as f64);
    let knot = |at: usize| at.saturating_sub(most).min(n_spaces) as f64;
    // Of degree 0: which space x is in, where the last one has its end.
    let mut values = vec![0.0; n + most];
    values[(x as usize).min(n_spaces - 1) + most] = 1.0;
    let share = |part: f64, length: f64, value: f64| {
        if length > 0.0 { part / length * value } else { 0.0 }
    };
    for degree in 1..=most {
        values = (0..values.len() - 1)
            .map(|at| {
                let ends = [at, at + 1, at + degree, at + degree + 1].map(knot);
                share(x - ends[0], ends[2] - ends[0], values[at])
                    + share(ends[3] - x, ends[3] - ends[1], values[at + 1])
            })
            .collect();
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splines_sum_to_one_and_end_where_they_should() {
        for n in 1..12 {
            for step in 0..=50 {
                let x = 2.0 * step as f64 / 50.0;
                let values = b_splines(n, 2.0, x);
                assert_eq!(values.len(), n);
                assert!(values.iter().all(|&value| value >= 0.0), "{n} {x}: {values:?}");
                assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{n} {x}: {values:?}");
            }
            assert_eq!(b_splines(n, 2.0, 0.0)[0], 1.0);
            assert_eq!(b_splines(n, 2.0, 2.0)[n - 1], 1.0);
            assert_eq!(b_splines(n, 2.0, 2.1)[n - 1], 1.0);
        }
    }

    /// In the middle of seven splines on four spaces there is no end in reach: 1/6, 4/6, 1/6.
    #[test]
    fn inner_splines_are_the_uniform_ones() {
        let values = b_splines(7, 4.0, 2.0);
        for (found, expected) in values.iter().zip([0.0, 0.0, 1.0, 4.0, 1.0, 0.0, 0.0]) {
            assert!((found - expected / 6.0).abs() < 1e-12, "{values:?}");
        }
    }
}
