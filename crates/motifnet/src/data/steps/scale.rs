//! Numbers around one.

use super::moments::Mean;

/// X := X·factor, with one over the standard deviation of all entries of what it was fitted on.
///
/// One factor for all columns, so that principal components keep their weights. Time O(entries).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) factor: f64,
}

impl Scale {
    /// None for values that are constant, or vary so little that the factor would be too large for
    /// an f32, or so much that it would be zero.
    pub(super) fn fit(values: &[f64]) -> Option<Self> {
        let mean = Mean::new(values.len(), values.iter().sum());
        let squares = values.iter().map(|value| (value - mean.mean).powi(2)).sum();
        let factor = mean.deviation(values.len(), squares).recip();
        ((factor as f32).is_finite() && factor as f32 > 0.0).then_some(Self { factor })
    }

    pub(super) fn apply(self, values: &mut [f64]) {
        values.iter_mut().for_each(|value| *value *= self.factor);
    }
}
