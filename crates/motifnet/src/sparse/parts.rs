//! A square matrix as a sum that is never multiplied out.

use super::CsrMatrix;

/// A = direct + Σ left · right: how an operator is handed to what cuts, reorders and multiplies it.
#[derive(Clone, Debug)]
pub struct OperatorParts<T> {
    /// What is stored entry by entry.
    pub direct: CsrMatrix<T>,
    /// Pairs [left, right] of factors.
    pub products: Vec<[CsrMatrix<T>; 2]>,
    /// Whether A is its own transpose (of its products, the sum is).
    pub is_symmetric: bool,
}

impl<T> OperatorParts<T> {
    /// An operator of which every entry is stored.
    pub fn explicit(direct: CsrMatrix<T>, is_symmetric: bool) -> Self {
        Self { direct, products: Vec::new(), is_symmetric }
    }

    /// Number of rows and of columns.
    pub fn n_nodes(&self) -> usize {
        self.direct.n_rows()
    }

    /// Entries that one multiplication visits.
    pub fn n_entries(&self) -> usize {
        let factors = self.products.iter().flatten();
        self.direct.n_entries() + factors.map(CsrMatrix::n_entries).sum::<usize>()
    }
}
