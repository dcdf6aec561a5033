//! Rows of equal weight, however much is in them.

use super::shifted::ShiftedMatrix;

/// x_ij := x_ij / Σ_j |x_ij|, so that a row of counts sums to 1; a row of zeros stays one.
///
/// For counts this is what users of PyG know as `NormalizeFeatures` (which leaves rows that sum to less
/// than 1 as they are, and moves all numbers if some are negative) and scikit-learn's
/// `normalize(norm="l1")`. Nothing is fitted: a row needs no other. Time O(entries).
pub(super) fn normalize_rows(features: &mut ShiftedMatrix) {
    let matrix = &features.matrix;
    let sum = |row| matrix.row(row).1.iter().map(|value: &f64| value.abs()).sum::<f64>();
    let sums: Vec<f64> = (0..matrix.n_rows()).map(sum).collect();
    features.change(|row, _, value| if sums[row] > 0.0 { value / sums[row] } else { 0.0 });
}
