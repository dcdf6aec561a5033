//! Fewer columns: the scores on principal components.

use super::shifted::ShiftedMatrix;
use crate::data::FeatureError;
use crate::progress::Progress;
use crate::spectral::{centred_product, principal_components};

/// The components are exact: the seed of the start vectors decides nothing but the last digits.
const SEED: u64 = 0;

/// X := (X − 1μᵀ)Vᵀ with the first principal components V of what it was fitted on.
///
/// Time and memory to fit are those of [`principal_components`]; to apply, one product of a sparse
/// matrix with k columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Projection {
    /// μ, of the columns as the steps before leave them.
    pub(super) mean: Vec<f64>,
    /// V, k × columns, row after row.
    pub(super) components: Vec<f64>,
    /// Number of components.
    pub(super) k: usize,
    /// The share of the variance that the components have.
    pub(super) captured_variance: f64,
}

impl Projection {
    /// The first `k` components; fewer if there are fewer nodes.
    pub(super) fn fit(
        features: &ShiftedMatrix,
        k: usize,
        progress: &dyn Progress,
    ) -> Result<Self, FeatureError> {
        // Centring takes a shift out again, so the components are those of the sparse part.
        let found = principal_components(&features.matrix, k, SEED, progress)
            .map_err(|error| FeatureError::Components(error.to_string()))?;
        let shifts = found.mean.iter().zip(&features.shift);
        Ok(Self {
            mean: shifts.map(|(mean, shift)| mean - shift).collect(),
            components: found.components,
            k: found.k,
            captured_variance: found.captured_variance,
        })
    }

    /// The scores, rows × k.
    pub(super) fn apply(&self, features: &ShiftedMatrix) -> Vec<f64> {
        let (k, n_columns) = (self.k, self.mean.len());
        let centre: Vec<f64> = self.mean.iter().zip(&features.shift).map(|(a, b)| a + b).collect();
        let axes: Vec<f64> =
            (0..n_columns * k).map(|at| self.components[at % k * n_columns + at / k]).collect();
        centred_product(&features.matrix, &centre, &axes, k)
    }
}
