//! Multiplying a motif operator out: how many entries it has, and all of them.

use std::fmt;
use std::ops::Range;

use rayon::prelude::*;

use super::factor::Product;
use super::operator::{Factored, Form, MatrixTooLarge};
use super::{MotifOperator, sketch};
use crate::memory::{MemoryError, Need};
use crate::sparse::CsrMatrix;
use crate::sparse::rows::{balanced_ranges, running_total};

/// A number of matrix entries, counted or estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MatrixSize {
    /// Number of entries that are not zero.
    pub entries: u64,
    /// Whether they were counted one by one.
    pub exact: bool,
}

impl fmt::Display for MatrixSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.exact { "" } else { "≈ " }, self.entries)
    }
}

/// Multiplying out products of up to this many terms takes about a second on one core.
pub const DEFAULT_SIZE_WORK: u64 = 200_000_000;

impl MotifOperator {
    /// Number of entries of the matrix: exact if that takes at most `work` additions, else
    /// estimated. The estimate takes every edge to have an entry and is within some fifteen per
    /// cent for what is off the edges: too high by up to all edges where a motif is rare.
    pub fn size(&self, work: u64) -> MatrixSize {
        let factored = match &self.form {
            Form::Explicit { matrix, .. } => {
                return MatrixSize { entries: matrix.n_entries() as u64, exact: true };
            }
            Form::Factored(factored) => factored,
        };
        if factored.n_terms() <= u128::from(work) {
            MatrixSize { entries: 2 * factored.count_upper(), exact: true }
        } else {
            MatrixSize { entries: sketch::estimate_entries(factored), exact: false }
        }
    }

    /// Whether the matrix has at most `limit` entries: what [`MotifOperator::to_csr`] asks first,
    /// to be asked before a long run.
    ///
    /// # Errors
    /// If it has, or is estimated to have, more than `limit` entries.
    pub fn check_size(&self, limit: u64) -> Result<(), MatrixTooLarge> {
        let size = match &self.form {
            // No more than its terms: counting or estimating is needed only beyond the limit.
            Form::Factored(factored) if factored.n_terms() <= u128::from(limit) => return Ok(()),
            _ => self.size(DEFAULT_SIZE_WORK),
        };
        if size.entries > limit {
            return Err(MatrixTooLarge { kind: self.kind(), size, limit });
        }
        Ok(())
    }

    /// The matrix with every entry stored: symmetric to the bit where the motif is.
    ///
    /// # Errors
    /// If it has, or is estimated to have, more than `limit` entries.
    pub fn to_csr(&self, limit: u64) -> Result<CsrMatrix, MatrixTooLarge> {
        self.check_size(limit)?;
        Ok(match &self.form {
            Form::Explicit { matrix, .. } => matrix.clone(),
            Form::Factored(factored) => factored.to_csr(),
        })
    }
}

impl MotifOperator {
    /// The operator with every entry stored if there are at most `limit` and finding that out is
    /// no more than some twenty multiplications' work; else as it is.
    ///
    /// # Errors
    /// If there is too little memory for them: who has more gets other roundings, so it is not left as it is then.
    pub fn multiplied_out(self, limit: u64) -> Result<Self, MemoryError> {
        let Form::Factored(factored) = &self.form else { return Ok(self) };
        let work = u128::from(limit).max(20 * self.cost() as u128);
        if factored.n_terms() > work {
            return Ok(self);
        }
        let size = self.size(u64::MAX).entries;
        if size > limit {
            return Ok(self);
        }
        Self::multiplying_need(size, self.n_nodes()).check()?;
        let form = Form::Explicit { matrix: factored.to_csr(), transpose: None };
        Ok(Self::new(self.kind(), *self.spec(), self.has_negative_weights(), form))
    }

    /// What multiplying out takes: the upper half, its mirror and both together.
    pub fn multiplying_need(n_entries: u64, n_nodes: usize) -> Need {
        Need {
            what: "multiplying a motif matrix out",
            n_bytes: n_entries.saturating_mul(26).saturating_add(32 * n_nodes as u64),
            remedy: "take a motif that is rarer",
        }
    }
}

impl Factored {
    /// Upper bound on the entries: those on edges and the terms of the products.
    pub(super) fn n_terms(&self) -> u128 {
        2 * self.pattern.n_edges() as u128
            + self.products.iter().map(Product::n_terms).sum::<u128>()
    }

    /// Number of entries above the diagonal.
    fn count_upper(&self) -> u64 {
        if self.products.is_empty() {
            return self.on_edges.n_not_zero() as u64;
        }
        self.for_row_ranges(|rows, scratch| {
            let mut count = 0;
            for row in rows {
                self.visit_upper_row(row, scratch, |_, value| count += u64::from(value != 0.0));
            }
            count
        })
        .into_iter()
        .sum()
    }

    /// Every entry.
    pub(super) fn to_csr(&self) -> CsrMatrix {
        if self.products.is_empty() { self.edges_to_csr() } else { self.multiplied_out() }
    }

    /// The entries on the edges.
    fn edges_to_csr(&self) -> CsrMatrix {
        let pattern = &self.pattern;
        let parts = balanced_ranges(pattern.offsets()).into_par_iter().map(|rows| {
            let mut part = Rows::default();
            for row in rows {
                let range = pattern.offsets()[row]..pattern.offsets()[row + 1];
                let edges = pattern.edges()[range.clone()].iter();
                for (&neighbor, &edge) in pattern.neighbors()[range].iter().zip(edges) {
                    part.push_unless_zero(neighbor, self.on_edges.get(edge as usize));
                }
                part.end_row();
            }
            part
        });
        Rows::join(parts.collect(), pattern.n_nodes())
    }

    /// The rows above the diagonal are computed, those below are their mirror.
    fn multiplied_out(&self) -> CsrMatrix {
        let parts = self.for_row_ranges(|rows, scratch| {
            let mut part = Rows::default();
            for row in rows {
                self.visit_upper_row(row, scratch, |column, value| {
                    part.push_unless_zero(column, value);
                });
                part.end_row();
            }
            part
        });
        Rows::join(parts, self.pattern.n_nodes()).with_mirror()
    }

    /// Runs `work` on ranges of rows in parallel, each with its own scratch space.
    fn for_row_ranges<R: Send>(
        &self,
        work: impl Fn(Range<usize>, &mut Scratch) -> R + Sync,
    ) -> Vec<R> {
        let n_nodes = self.pattern.n_nodes();
        let terms = running_total((0..n_nodes).map(|row| {
            let of_products: usize = self
                .products
                .iter()
                .flat_map(|product| {
                    let middle = product.left.columns_of(row).iter();
                    middle.map(|&k| product.right.columns_of(k as usize).len())
                })
                .sum();
            self.pattern.degree(row) + of_products
        }));
        balanced_ranges(&terms)
            .into_par_iter()
            .map_init(|| Scratch::new(n_nodes), |scratch, rows| work(rows, scratch))
            .collect()
    }

    /// Calls `visit(column, value)` for the entries of a row above the diagonal, ascending; some
    /// may be zero.
    fn visit_upper_row(&self, row: usize, scratch: &mut Scratch, visit: impl FnMut(u32, f64)) {
        for product in &self.products {
            for (middle, left) in product.left.row(row) {
                let columns = product.right.columns_of(middle as usize);
                let first = columns.partition_point(|&column| column as usize <= row);
                let rights = product.right.row(middle as usize).skip(first);
                for (column, right) in rights {
                    scratch.add(column, product.scale * left * right);
                }
            }
        }
        for entry in self.pattern.upper_row(row) {
            let edge = entry.edge as usize;
            let q = match &self.opposite {
                Some(opposite) => opposite.get(edge),
                None => scratch.get(entry.neighbor),
            };
            scratch.set(entry.neighbor, self.on_edges.get(edge) + q);
        }
        scratch.drain(visit);
    }
}

/// Some rows of a matrix in the making.
#[derive(Default)]
struct Rows {
    ends: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Rows {
    fn push_unless_zero(&mut self, column: u32, value: f64) {
        if value != 0.0 {
            self.columns.push(column);
            self.values.push(value);
        }
    }

    fn end_row(&mut self) {
        self.ends.push(self.columns.len());
    }

    /// One square matrix of rows in order.
    fn join(parts: Vec<Self>, n_columns: usize) -> CsrMatrix {
        let n_entries = parts.iter().map(|part| part.columns.len()).sum();
        let mut offsets = Vec::with_capacity(n_columns + 1);
        let (mut columns, mut values) =
            (Vec::with_capacity(n_entries), Vec::with_capacity(n_entries));
        offsets.push(0);
        for part in parts {
            let before = columns.len();
            offsets.extend(part.ends.iter().map(|end| before + end));
            columns.extend_from_slice(&part.columns);
            values.extend_from_slice(&part.values);
        }
        CsrMatrix::new(n_columns, offsets, columns, values)
    }
}

/// A dense row that knows which of its entries are in use.
struct Scratch {
    values: Vec<f64>,
    used: Vec<bool>,
    columns: Vec<u32>,
}

impl Scratch {
    fn new(n_columns: usize) -> Self {
        Self { values: vec![0.0; n_columns], used: vec![false; n_columns], columns: Vec::new() }
    }

    fn get(&self, column: u32) -> f64 {
        self.values[column as usize]
    }

    fn add(&mut self, column: u32, value: f64) {
        self.set(column, self.values[column as usize] + value);
    }

    fn set(&mut self, column: u32, value: f64) {
        self.values[column as usize] = value;
        if !std::mem::replace(&mut self.used[column as usize], true) {
            self.columns.push(column);
        }
    }

    /// Hands out the entries in ascending order and forgets them.
    fn drain(&mut self, mut visit: impl FnMut(u32, f64)) {
        self.columns.sort_unstable();
        for column in self.columns.drain(..) {
            visit(column, std::mem::take(&mut self.values[column as usize]));
            self.used[column as usize] = false;
        }
    }
}
