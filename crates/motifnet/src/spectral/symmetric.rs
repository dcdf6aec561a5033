//! Eigenvalues of small dense symmetric matrices.

use motifnet_linalg::symmetric_eigen;

/// All eigenpairs of a symmetric matrix, the largest first.
pub(super) struct SymmetricEigen {
    /// In descending order.
    pub(super) values: Vec<f64>,
    /// Vector after vector.
    vectors: Vec<f64>,
}

impl SymmetricEigen {
    /// Those of the `size` × `size` matrix `matrix`; `None` if it has numbers that are not finite.
    ///
    /// On one thread, so that the bits do not depend on how many there are. Time O(size³).
    pub(super) fn new(matrix: &[f64], size: usize) -> Option<Self> {
        if matrix.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let (ascending, turned) = symmetric_eigen(matrix, size)?;
        let values = ascending.into_iter().rev().collect();
        let vectors = turned.chunks_exact(size.max(1)).rev().flatten().copied().collect();
        Some(Self { values, vectors })
    }

    /// The unit eigenvector of the `number`-th largest eigenvalue.
    pub(super) fn vector(&self, number: usize) -> &[f64] {
        let size = self.values.len();
        &self.vectors[number * size..][..size]
    }

    /// The first `n_vectors`, one after the other.
    pub(super) fn leading(&self, n_vectors: usize) -> &[f64] {
        &self.vectors[..n_vectors * self.values.len()]
    }
}
