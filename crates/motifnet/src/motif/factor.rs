//! The sparse factors of a wedge's product Q = XᵀY (+ YᵀX), and their multiplication.

use std::sync::Arc;

use super::spec::Instances;
use super::weighted::EntryWeights;
use super::{Pattern, Relation};
use crate::sparse::rows::{fill_rows, running_total};
use crate::sparse::{Scalar, add_scaled};

/// What the entries of a factor are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Valuation {
    /// One.
    One,
    /// The sum of the weights of the arcs.
    Sum,
    /// The product of the weights of the arcs.
    Product,
}

/// One relation of the graph as a sparse matrix: row i has the nodes that i sees so.
#[derive(Debug)]
pub(super) struct Factor {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    /// The values; `None` where all are one.
    values: Option<Vec<f64>>,
}

impl Factor {
    /// The factor of `relation`; in subgraphs a mutual pair also stands for each single arc.
    pub(super) fn new(
        pattern: &Pattern,
        relation: Relation,
        instances: Instances,
        valuation: Valuation,
        weights: Option<&EntryWeights>,
    ) -> Self {
        let stands_for = |found: Relation| {
            found == relation || (instances == Instances::Subgraph && found == Relation::Both)
        };
        let mut counts = vec![0; pattern.n_nodes()];
        fill_rows(pattern.offsets(), 1, &mut counts, |node, count| {
            count[0] = pattern.row(node).filter(|entry| stands_for(entry.relation)).count();
        });
        let offsets = running_total(counts);
        let n_entries = offsets[pattern.n_nodes()];
        let mut columns = Vec::with_capacity(n_entries);
        let mut values = weights.map(|_| Vec::with_capacity(n_entries));
        for node in 0..pattern.n_nodes() {
            for entry in pattern.row(node).filter(|entry| stands_for(entry.relation)) {
                columns.push(entry.neighbor);
                if let (Some(values), Some(weights)) = (&mut values, weights) {
                    let dyad = weights.dyad(pattern, entry.position);
                    let part = dyad.parts(instances).find(|(part, _)| *part == relation);
                    values.push(part.map_or(0.0, |(_, weights)| match valuation {
                        Valuation::One => 1.0,
                        Valuation::Sum => weights.sum(),
                        Valuation::Product => weights.product(),
                    }));
                }
            }
        }
        Self { offsets, columns, values }
    }

    pub(super) fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    pub(super) fn n_entries(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn columns_of(&self, row: usize) -> &[u32] {
        &self.columns[self.offsets[row]..self.offsets[row + 1]]
    }

    /// The columns and values of a row.
    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.offsets[row]..self.offsets[row + 1];
        range.map(|at| (self.columns[at], self.values.as_ref().map_or(1.0, |values| values[at])))
    }

    /// y ← F x, or y += scale·F x.
    fn multiply<T: Scalar>(&self, x: &[T], width: usize, y: &mut [T], add: Option<f64>) {
        fill_rows(&self.offsets, width, y, |row, y| {
            if add.is_none() {
                y.fill(T::default());
            }
            for (column, value) in self.row(row) {
                let value = T::from_f64(value * add.unwrap_or(1.0));
                add_scaled(y, value, &x[column as usize * width..][..width]);
            }
        });
    }
}

/// scale · L R: one term of a motif matrix that is never multiplied out.
#[derive(Clone, Debug)]
pub(super) struct Product {
    pub(super) left: Arc<Factor>,
    pub(super) right: Arc<Factor>,
    pub(super) scale: f64,
}

impl Product {
    /// y += scale · L (R x), with `between` as room for R x.
    pub(super) fn add_apply<T: Scalar>(
        &self,
        x: &[T],
        width: usize,
        between: &mut [T],
        y: &mut [T],
    ) {
        self.right.multiply(x, width, between, None);
        self.left.multiply(between, width, y, Some(self.scale));
    }

    /// Entries that one multiplication visits.
    pub(super) fn cost(&self) -> usize {
        self.left.n_entries() + self.right.n_entries()
    }

    /// Terms that multiplying out the product adds up.
    pub(super) fn n_terms(&self) -> u128 {
        let terms = self.left.columns.iter().map(|&k| self.right.columns_of(k as usize).len());
        terms.map(|terms| terms as u128).sum()
    }
}

/// Σ_k F_ik · G_ik of two factors for every row i: the diagonal of F Gᵀ.
pub(super) fn row_dots(first: &Factor, second: &Factor) -> Vec<f64> {
    let mut dots = vec![0.0; first.offsets.len() - 1];
    fill_rows(&first.offsets, 1, &mut dots, |row, dot| {
        let mut others = second.row(row).peekable();
        for (column, value) in first.row(row) {
            while others.next_if(|&(other, _)| other < column).is_some() {}
            if let Some((_, other)) = others.next_if(|&(other, _)| other == column) {
                dot[0] += value * other;
            }
        }
    });
    dots
}
