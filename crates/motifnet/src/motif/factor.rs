//! The sparse factors of a wedge's product Q = XᵀY (+ YᵀX), and their multiplication.

use std::sync::Arc;

use rayon::prelude::*;

use super::spec::Instances;
use super::weighted::EntryWeights;
use super::{Degrees, Pattern, Relation};
use crate::sparse::rows::{balanced_ranges, fill_rows, running_total, split};
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
        let n_entries_of = |degrees: &Degrees| {
            let relations = Relation::ALL.into_iter().zip(degrees);
            relations.filter(|&(found, _)| stands_for(found)).map(|(_, &n)| n as usize).sum()
        };
        let offsets = running_total(pattern.degrees().iter().map(n_entries_of));
        let value_at = |weights: &EntryWeights, position: usize| {
            let dyad = weights.dyad(pattern, position);
            let part = dyad.parts(instances).find(|(part, _)| *part == relation);
            part.map_or(0.0, |(_, weights)| match valuation {
                Valuation::One => 1.0,
                Valuation::Sum => weights.sum(),
                Valuation::Product => weights.product(),
            })
        };
        let columns = gather(pattern, &offsets, stands_for, |at| pattern.neighbors()[at]);
        let values = weights
            .map(|weights| gather(pattern, &offsets, stands_for, |at| value_at(weights, at)));
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

/// `value(position)` of the entries whose relation is wanted, row after row, in parallel.
fn gather<T: Copy + Default + Send>(
    pattern: &Pattern,
    offsets: &[usize],
    wanted: impl Fn(Relation) -> bool + Sync,
    value: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let mut entries = vec![T::default(); offsets[offsets.len() - 1]];
    let parts = split(balanced_ranges(offsets), &mut entries, |row| offsets[row]);
    parts.into_par_iter().for_each(|(rows, slots)| {
        // Whether a relation is wanted cannot be predicted: every value is written down, and
        // the next overwrites it if it was not.
        let mut n_written = 0;
        for position in pattern.offsets()[rows.start]..pattern.offsets()[rows.end] {
            let Some(slot) = slots.get_mut(n_written) else { break };
            *slot = value(position);
            n_written += usize::from(wanted(pattern.relations()[position]));
        }
    });
    entries
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
pub(super) fn row_dots(first: &Arc<Factor>, second: &Arc<Factor>) -> Vec<f64> {
    let mut dots = vec![0.0; first.offsets.len() - 1];
    if Arc::ptr_eq(first, second) && first.values.is_none() {
        for (dot, row) in dots.iter_mut().zip(first.offsets.windows(2)) {
            *dot = (row[1] - row[0]) as f64;
        }
        return dots;
    }
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
