//! A square matrix as a sum that is never multiplied out.

use super::CsrMatrix;
use crate::dense::Real;

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

impl<T: Real> OperatorParts<T> {
    /// The same numbers in 64 bits.
    pub fn to_f64(&self) -> OperatorParts<f64> {
        let of = |matrix: &CsrMatrix<T>| {
            matrix.with_values(matrix.values().iter().map(|value| value.to_f64()).collect())
        };
        OperatorParts {
            direct: of(&self.direct),
            products: self.products.iter().map(|[left, right]| [of(left), of(right)]).collect(),
            is_symmetric: self.is_symmetric,
        }
    }

    /// One row multiplied out: its columns, ascending, and their values. Where the terms of an entry
    /// cancel but for what their rounding leaves, there is none.
    ///
    /// Time and memory O(e log e) for the e entries that the row visits.
    ///
    /// # Panics
    /// If there are fewer rows.
    pub fn row(&self, row: usize) -> Vec<(u32, f64)> {
        /// Of what single roundings of 32 bits leave; operators are mostly made of such numbers.
        const ROUNDING: f64 = 1e-6;
        let entries = |matrix: &CsrMatrix<T>, row: usize, factor: f64| -> Vec<(u32, f64)> {
            let (columns, values) = matrix.row(row);
            let values = values.iter().map(|value| factor * value.to_f64());
            columns.iter().copied().zip(values).collect()
        };
        let mut terms = entries(&self.direct, row, 1.0);
        for [left, right] in &self.products {
            for (middle, factor) in entries(left, row, 1.0) {
                terms.extend(entries(right, middle as usize, factor));
            }
        }
        terms.sort_by_key(|&(column, _)| column);
        let of_column = |terms: &[(u32, f64)]| {
            let sum: f64 = terms.iter().map(|term| term.1).sum();
            let magnitude: f64 = terms.iter().map(|term| term.1.abs()).sum();
            (sum.abs() > ROUNDING * magnitude).then_some((terms[0].0, sum))
        };
        terms.chunk_by(|a, b| a.0 == b.0).filter_map(of_column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (0 → 1, 2) · (1 → 2, 2 → 0) with what the direct part takes from it.
    #[test]
    fn a_row_is_multiplied_out_and_what_cancels_is_gone() {
        let rows = |rows: [&[(u32, f32)]; 3]| {
            CsrMatrix::from_rows(3, rows.map(<[(u32, f32)]>::to_vec).to_vec())
        };
        let left = rows([&[(1, 2.0), (2, 0.1)], &[], &[]]);
        let right = rows([&[], &[(2, 1.5)], &[(0, 0.3), (2, 1.0)]]);
        let direct = rows([&[(0, -0.03), (1, 4.0)], &[(0, 1.0)], &[]]);
        let parts = OperatorParts { direct, products: vec![[left, right]], is_symmetric: false };
        let row = parts.row(0);
        assert_eq!(row.iter().map(|entry| entry.0).collect::<Vec<_>>(), [1, 2]);
        assert!((row[0].1 - 4.0).abs() < 1e-12 && (row[1].1 - 3.1).abs() < 1e-6);
        assert_eq!((parts.row(1), parts.row(2)), (vec![(0, 1.0)], vec![]));
        assert_eq!(parts.to_f64().row(0), row);
    }
}
