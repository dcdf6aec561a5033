//! The smoothest eigenvectors of a Laplacian: what spectral networks compute in.

use super::krylov::{KrylovError, KrylovOptions, smallest_eigenpairs};
use crate::dense::Real;
use crate::progress::Progress;
use crate::sparse::LinearOperator;

/// The eigenvectors of least eigenvalue of a symmetric operator on n nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigenbasis<T> {
    /// The eigenvalues, ascending.
    pub values: Vec<T>,
    /// The unit eigenvectors as the columns of an n × k matrix, row after row.
    pub vectors: Vec<T>,
}

impl<T: Real> Eigenbasis<T> {
    /// The `k` smoothest; all, if there are fewer. Repeated eigenvalues, which a graph of several
    /// components has, are found as often as they are repeated.
    ///
    /// # Errors
    /// If they are not found.
    pub fn new(
        laplacian: &dyn LinearOperator<f64>,
        k: usize,
        progress: &dyn Progress,
    ) -> Result<Self, KrylovError> {
        // Single precision holds no more digits.
        let options = KrylovOptions { tolerance: 1e-7, ..KrylovOptions::default() };
        let pairs = smallest_eigenpairs(laplacian, k, &options, progress)?;
        let narrow = |values: Vec<f64>| values.into_iter().map(T::from_f64).collect();
        Ok(Self { values: narrow(pairs.values), vectors: narrow(pairs.vectors) })
    }

    /// k.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// n.
    pub fn n_nodes(&self) -> usize {
        self.vectors.len() / self.len().max(1)
    }

    /// Memory that it takes.
    pub fn n_bytes(&self) -> usize {
        size_of_val(&*self.values) + size_of_val(&*self.vectors)
    }
}

impl Eigenbasis<f32> {
    /// The same numbers in 64 bits.
    pub fn to_f64(&self) -> Eigenbasis<f64> {
        let wide = |numbers: &[f32]| numbers.iter().map(|&number| number.into()).collect();
        Eigenbasis { values: wide(&self.values), vectors: wide(&self.vectors) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::sparse::CsrMatrix;

    /// Many cycles of four nodes: the Laplacian's eigenvalues are 0, 1, 1 and 2, once for every cycle.
    #[test]
    fn repeated_eigenvalues_are_found_as_often_as_they_are_repeated() {
        let n_cycles = 90;
        let row = |node: u32| {
            let (cycle, at) = (node / 4 * 4, node % 4);
            let mut row =
                vec![(node, 1.0), (cycle + (at + 1) % 4, -0.5), (cycle + (at + 3) % 4, -0.5)];
            row.sort_by_key(|entry| entry.0);
            row
        };
        let n = 4 * n_cycles;
        let laplacian = CsrMatrix::from_rows(n, (0..n as u32).map(row).collect());
        let k = n_cycles + 7;
        let basis = Eigenbasis::<f64>::new(&laplacian, k, &Silent).unwrap();
        assert_eq!((basis.len(), basis.n_nodes()), (k, n));
        for (at, value) in basis.values.iter().enumerate() {
            let expected = if at < n_cycles { 0.0 } else { 1.0 };
            assert!((value - expected).abs() < 1e-6, "{at}: {value}");
        }
        let product = laplacian.apply(&basis.vectors, k);
        for node in 0..n {
            for at in 0..k {
                let expected = basis.values[at] * basis.vectors[node * k + at];
                assert!((product[node * k + at] - expected).abs() < 1e-6);
            }
        }
        for [a, b] in [[0, 0], [0, 1], [3, 70], [k - 1, k - 1], [k - 1, 5]] {
            let dot: f64 =
                (0..n).map(|node| basis.vectors[node * k + a] * basis.vectors[node * k + b]).sum();
            assert!((dot - f64::from(u8::from(a == b))).abs() < 1e-8);
        }
    }
}
