//! Weights of words by how rare they are.

use super::shifted::ShiftedMatrix;

/// x_ij := x_ij · idf_j with idf_j = ln((1 + n)/(1 + df_j)) + 1, where df_j of the n rows have a
/// column j that is not zero.
///
/// As scikit-learn's `TfidfTransformer` with `norm=None`: the length of rows is a step of its own.
/// Time O(entries).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TfIdf {
    pub(super) idf: Vec<f64>,
}

impl TfIdf {
    pub(super) fn fit(features: &ShiftedMatrix) -> Self {
        let matrix = &features.matrix;
        let mut n_rows_with = vec![0_usize; matrix.n_columns()];
        for (_, column, _) in matrix.entries().filter(|(_, _, value)| **value != 0.0) {
            n_rows_with[column as usize] += 1;
        }
        let n = (1 + matrix.n_rows()) as f64;
        let idf = |with: usize| libm::log(n / (1 + with) as f64) + 1.0;
        Self { idf: n_rows_with.into_iter().map(idf).collect() }
    }

    pub(super) fn apply(&self, features: &mut ShiftedMatrix) {
        features.change(|_, column, value| value * self.idf[column]);
    }
}
