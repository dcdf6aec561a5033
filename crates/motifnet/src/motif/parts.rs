//! A motif operator taken apart, scaled and with a diagonal, for what cuts and reorders it.

use rayon::prelude::*;

use super::MotifOperator;
use super::edge_array::EdgeArray;
use super::factor::Factor;
use super::operator::{Factored, Form};
use crate::dense::Scalar;
use crate::sparse::{CsrMatrix, OperatorParts};

/// What a matrix W is turned into: scale · R W C + D, all but W diagonal.
#[derive(Clone, Copy, Debug)]
pub struct Scaling<'a> {
    /// The factor of everything but the diagonal.
    pub scale: f64,
    /// R.
    pub rows: &'a [f64],
    /// C.
    pub columns: &'a [f64],
    /// D.
    pub diagonal: &'a [f64],
}

impl Scaling<'_> {
    fn at(&self, row: usize, column: u32) -> f64 {
        self.scale * self.rows[row] * self.columns[column as usize]
    }
}

impl MotifOperator {
    /// The operator scaled, in numbers of type `T`, its products still factored.
    ///
    /// `is_symmetric` says whether the result is; entries of the diagonal that are zero are not stored.
    pub fn scaled_parts<T: Scalar>(
        &self,
        scaling: &Scaling<'_>,
        is_symmetric: bool,
    ) -> OperatorParts<T> {
        match &self.form {
            Form::Explicit { matrix, .. } => {
                let row = |row: usize| {
                    let (columns, values) = matrix.row(row);
                    columns.iter().copied().zip(values.iter().copied())
                };
                let direct = scaled(self.n_nodes(), scaling, row, |_| 0.0);
                OperatorParts::explicit(direct, is_symmetric)
            }
            Form::Factored(factored) => factored.scaled_parts(scaling, is_symmetric),
        }
    }
}

impl Factored {
    fn scaled_parts<T: Scalar>(
        &self,
        scaling: &Scaling<'_>,
        is_symmetric: bool,
    ) -> OperatorParts<T> {
        let (offsets, neighbors) = (self.pattern.offsets(), self.pattern.neighbors());
        let edges = self.pattern.edges();
        let row = |row: usize| {
            let range = offsets[row]..offsets[row + 1];
            let values = edges[range.clone()].iter().map(|&edge| self.edge_value(edge as usize));
            neighbors[range].iter().copied().zip(values)
        };
        let minus_diagonal = |row: usize| -self.diagonal.get(row).copied().unwrap_or(0.0);
        let direct = scaled(self.pattern.n_nodes(), scaling, row, minus_diagonal);
        let products = self.products.iter().map(|product| {
            let outer = |row, value| scaling.scale * product.scale * scaling.rows[row] * value;
            let left = factor(&product.left, |row, _, value| outer(row, value));
            let right = factor(&product.right, |_, column: u32, value| {
                scaling.columns[column as usize] * value
            });
            [left, right]
        });
        OperatorParts { direct, products: products.collect(), is_symmetric }
    }

    fn edge_value(&self, edge: usize) -> f64 {
        EdgeArray::get(&self.on_edges, edge)
    }
}

/// The rows of W (`row` gives their entries off the diagonal, `own` what is on it), scaled.
fn scaled<T: Scalar, Row: Iterator<Item = (u32, f64)>>(
    n_nodes: usize,
    scaling: &Scaling<'_>,
    row: impl Fn(usize) -> Row + Sync,
    own: impl Fn(usize) -> f64 + Sync,
) -> CsrMatrix<T> {
    let rows = (0..n_nodes).into_par_iter().map(|at| {
        let diagonal = scaling.at(at, at as u32) * own(at) + scaling.diagonal[at];
        let mut entries: Vec<(u32, T)> = row(at)
            .map(|(column, value)| (column, scaling.at(at, column) * value))
            .filter(|&(_, value)| value != 0.0)
            .map(|(column, value)| (column, T::from_f64(value)))
            .collect();
        if diagonal != 0.0 {
            let place = entries.partition_point(|&(column, _)| (column as usize) < at);
            entries.insert(place, (at as u32, T::from_f64(diagonal)));
        }
        entries
    });
    CsrMatrix::from_rows(n_nodes, rows.collect())
}

fn factor<T: Scalar>(
    factor: &Factor,
    value: impl Fn(usize, u32, f64) -> f64 + Sync,
) -> CsrMatrix<T> {
    let n_nodes = factor.offsets().len() - 1;
    let rows = (0..n_nodes).into_par_iter().map(|row| {
        let entries = factor.row(row);
        entries.map(|(column, old)| (column, T::from_f64(value(row, column, old)))).collect()
    });
    CsrMatrix::from_rows(n_nodes, rows.collect())
}
