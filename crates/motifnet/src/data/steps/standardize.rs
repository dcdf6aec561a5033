//! Columns of equal mean and deviation.

use super::moments::Mean;
use super::shifted::ShiftedMatrix;

/// x_ij := (x_ij − μ_j)/σ_j, with the mean and standard deviation (of all n, not n − 1) of every
/// column; a column that was constant becomes 0, on any rows.
///
/// The zeros of a sparse matrix are kept: its entries are divided, and the means go into the shift.
/// Time O(entries + columns).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Standardize {
    pub(super) mean: Vec<f64>,
    /// 0 for a constant column.
    pub(super) deviation: Vec<f64>,
}

impl Standardize {
    /// Of features that have not been shifted.
    pub(super) fn fit(features: &ShiftedMatrix) -> Self {
        let matrix = &features.matrix;
        let n_columns = matrix.n_columns();
        let mut n_stored = vec![0; n_columns];
        let (mut sums, mut squares) = (vec![0.0; n_columns], vec![0.0; n_columns]);
        for (_, column, value) in matrix.entries() {
            sums[column as usize] += value;
            n_stored[column as usize] += 1;
        }
        let means: Vec<Mean> = sums.iter().map(|&sum| Mean::new(matrix.n_rows(), sum)).collect();
        for (_, column, value) in matrix.entries() {
            squares[column as usize] += (value - means[column as usize].mean).powi(2);
        }
        let stored = n_stored.iter().zip(&squares);
        let deviation = means.iter().zip(stored).map(|(mean, (&n, &sum))| mean.deviation(n, sum));
        let deviation = deviation.collect();
        Self { mean: means.iter().map(|mean| mean.mean).collect(), deviation }
    }

    pub(super) fn apply(&self, features: &mut ShiftedMatrix) {
        let divided = |value: f64, column: usize| match self.deviation[column] {
            0.0 => 0.0,
            deviation => value / deviation,
        };
        features.change(|_, column, value| divided(value, column));
        for (column, (shift, &mean)) in features.shift.iter_mut().zip(&self.mean).enumerate() {
            *shift = divided(mean, column);
        }
    }

    pub(super) fn n_constant(&self) -> usize {
        self.deviation.iter().filter(|&&deviation| deviation == 0.0).count()
    }
}
