//! Features between two steps, in 64 bits and sparse as long as they can be.

use crate::data::{DenseFeatures, Features};
use crate::sparse::CsrMatrix;

/// M − 1sᵀ with M sparse: columns that were moved without losing their zeros.
pub(super) struct ShiftedMatrix {
    pub(super) matrix: CsrMatrix<f64>,
    /// s, one number a column.
    pub(super) shift: Vec<f64>,
}

impl ShiftedMatrix {
    /// The features as they come, nothing moved.
    pub(super) fn new(features: &Features, n_nodes: usize) -> Self {
        let matrix = match features {
            Features::None => CsrMatrix::new(0, vec![0; n_nodes + 1], Vec::new(), Vec::new()),
            Features::OneHot => {
                let nodes = (0..n_nodes as u32).collect();
                CsrMatrix::new(n_nodes, (0..=n_nodes).collect(), nodes, vec![1.0; n_nodes])
            }
            Features::Dense(dense) => csr_of_dense(dense),
            Features::Sparse(matrix) => {
                matrix.with_values(matrix.values().iter().map(|&value| f64::from(value)).collect())
            }
        };
        let shift = vec![0.0; matrix.n_columns()];
        Self { matrix, shift }
    }

    /// Replaces every stored value by what `change` makes of its row, its column and itself.
    pub(super) fn change(&mut self, change: impl Fn(usize, usize, f64) -> f64) {
        let entries = self.matrix.entries();
        let values = entries.map(|(row, column, &value)| change(row, column as usize, value));
        let values: Vec<f64> = values.collect();
        self.matrix.values_mut().copy_from_slice(&values);
    }

    /// All values, row after row.
    pub(super) fn dense(&self) -> Vec<f64> {
        let width = self.matrix.n_columns();
        // Not −s: its zeros would be negative.
        let row: Vec<f64> = self.shift.iter().map(|shift| 0.0 - shift).collect();
        let mut values = row.repeat(self.matrix.n_rows());
        for (row, column, &value) in self.matrix.entries() {
            values[row * width + column as usize] += value;
        }
        values
    }
}

fn csr_of_dense(dense: &DenseFeatures) -> CsrMatrix<f64> {
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for node in 0..dense.n_nodes() as u32 {
        for (column, &value) in (0..).zip(dense.row(node)) {
            if value != 0.0 {
                columns.push(column);
                values.push(f64::from(value));
            }
        }
        offsets.push(columns.len());
    }
    CsrMatrix::new(dense.width(), offsets, columns, values)
}
