//! A motif matrix as something to multiply by, at O(arcs) memory whatever the degrees.

use std::sync::Arc;

use super::edge_array::EdgeArray;
use super::explicit::MatrixSize;
use super::factor::Product;
use super::{MotifKind, MotifSpec, Pattern};
use crate::sparse::rows::fill_rows;
use crate::sparse::{CsrMatrix, LinearOperator, Scalar, add_scaled};

/// The matrix of one motif: entry (i, j) is the total weight of its instances that contain the
/// nodes i and j (see [`MotifSpec`] for what counts).
///
/// Kept either explicitly, or as a symmetric part on the edges of the graph plus products of
/// sparse factors that are never multiplied out:
/// y = (W_edges − Q∘S − diag Q) x + Σ L (R x), with Q = Σ L R.
///
/// A multiplication takes O(arcs) time a vector, and [`MotifOperator::cost`] says how much.
#[derive(Clone, Debug)]
pub struct MotifOperator {
    kind: MotifKind,
    spec: MotifSpec,
    /// Whether some arc weight that went into the entries is below zero.
    has_negative_weights: bool,
    pub(super) form: Form,
}

/// How a motif matrix is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Representation {
    /// Whichever multiplies faster, judged by the entries visited.
    #[default]
    Auto,
    /// Every entry stored.
    Explicit,
    /// On the edges, plus factors.
    Factored,
}

#[derive(Clone, Debug)]
pub(super) enum Form {
    Explicit {
        matrix: CsrMatrix,
        /// Where it is not the matrix itself.
        transpose: Option<CsrMatrix>,
    },
    Factored(Factored),
}

/// The symmetric part on the edges and the products.
#[derive(Clone, Debug)]
pub(super) struct Factored {
    pub(super) pattern: Arc<Pattern>,
    /// By edge number: W_edges − Q∘S if there are products, else W_edges.
    pub(super) on_edges: EdgeArray,
    /// By edge number: Q∘S where it cannot be had back exactly from the products.
    pub(super) opposite: Option<EdgeArray>,
    pub(super) products: Vec<Product>,
    /// The diagonal of Q; empty without products.
    pub(super) diagonal: Vec<f64>,
}

impl Factored {
    fn apply_into<T: Scalar>(&self, x: &[T], width: usize, y: &mut [T]) {
        match &self.on_edges {
            EdgeArray::Narrow(values) => self.apply_edges(values, x, width, y),
            EdgeArray::Wide(values) => self.apply_edges(values, x, width, y),
        }
        if !self.products.is_empty() {
            let mut between = vec![T::default(); x.len()];
            for product in &self.products {
                product.add_apply(x, width, &mut between, y);
            }
        }
    }

    /// y ← (W_edges − Q∘S − diag Q) x.
    fn apply_edges<T: Scalar, V: Copy + Into<f64> + Sync>(
        &self,
        values: &[V],
        x: &[T],
        width: usize,
        y: &mut [T],
    ) {
        let (neighbors, edges) = (self.pattern.neighbors(), self.pattern.edges());
        let offsets = self.pattern.offsets();
        fill_rows(offsets, width, y, |row, y| {
            y.fill(T::default());
            if let Some(&diagonal) = self.diagonal.get(row) {
                add_scaled(y, T::from_f64(-diagonal), &x[row * width..][..width]);
            }
            let range = offsets[row]..offsets[row + 1];
            for (&neighbor, &edge) in neighbors[range.clone()].iter().zip(&edges[range]) {
                let value: f64 = values[edge as usize].into();
                if value != 0.0 {
                    add_scaled(y, T::from_f64(value), &x[neighbor as usize * width..][..width]);
                }
            }
        });
    }

    /// What the terms of every row sum add up to in magnitude, where no arc weight is negative.
    fn row_magnitudes(&self) -> Vec<f64> {
        let magnitude = |row: usize| {
            let range = self.pattern.offsets()[row]..self.pattern.offsets()[row + 1];
            let edges = self.pattern.edges()[range].iter();
            let on_edges: f64 = edges.map(|&edge| self.on_edges.get(edge as usize).abs()).sum();
            on_edges + self.diagonal.get(row).copied().unwrap_or_default()
        };
        let n_nodes = self.pattern.n_nodes();
        let mut magnitudes: Vec<f64> = (0..n_nodes).map(magnitude).collect();
        let (ones, mut between) = (vec![1.0; n_nodes], vec![0.0; n_nodes]);
        for product in &self.products {
            product.add_apply(&ones, 1, &mut between, &mut magnitudes);
        }
        magnitudes
    }

    /// Entries visited by one multiplication.
    pub(super) fn cost(&self) -> usize {
        2 * self.pattern.n_edges() + self.products.iter().map(Product::cost).sum::<usize>()
    }
}

/// The matrix has more entries than allowed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "the matrix of {kind} has {size} entries, more than the limit of {limit}; \
     raise the limit, keep only pairs with an arc (support `edges`), or multiply by the operator, \
     which needs no entries"
)]
pub struct MatrixTooLarge {
    /// The motif.
    pub kind: MotifKind,
    /// Its size.
    pub size: MatrixSize,
    /// The limit it is over.
    pub limit: u64,
}

impl MotifOperator {
    pub(super) fn new(
        kind: MotifKind,
        spec: MotifSpec,
        has_negative_weights: bool,
        form: Form,
    ) -> Self {
        Self { kind, spec, has_negative_weights, form }
    }

    /// Whether entries may be below zero, since some arc weight that went into them is.
    pub fn has_negative_weights(&self) -> bool {
        self.has_negative_weights
    }

    /// The motif.
    pub fn kind(&self) -> MotifKind {
        self.kind
    }

    /// What its entries count.
    pub fn spec(&self) -> &MotifSpec {
        &self.spec
    }

    /// Number of nodes: rows and columns.
    pub fn n_nodes(&self) -> usize {
        match &self.form {
            Form::Explicit { matrix, .. } => matrix.n_rows(),
            Form::Factored(factored) => factored.pattern.n_nodes(),
        }
    }

    /// Whether every entry is stored.
    pub fn is_explicit(&self) -> bool {
        matches!(self.form, Form::Explicit { .. })
    }

    /// Entries visited by one multiplication of one vector.
    pub fn cost(&self) -> usize {
        match &self.form {
            Form::Explicit { matrix, .. } => matrix.n_entries(),
            Form::Factored(factored) => factored.cost(),
        }
    }

    /// The sum of every row; zero, and not what rounding left, where its terms cancel.
    pub(crate) fn degrees(&self) -> Vec<f64> {
        /// Errors of single roundings add up like their root, and rows are rarely so long.
        const ROUNDING: f64 = 1024.0 * f64::EPSILON;
        let mut degrees: Vec<f64> = self.row_sums();
        if let Form::Factored(factored) = &self.form
            && !factored.products.is_empty()
        {
            for (degree, magnitude) in degrees.iter_mut().zip(factored.row_magnitudes()) {
                if degree.abs() <= ROUNDING * magnitude {
                    *degree = 0.0;
                }
            }
        }
        degrees
    }

    /// Memory that the operator takes beside what it shares with others of its graph: the pattern
    /// and the factors.
    pub fn n_bytes(&self) -> usize {
        match &self.form {
            Form::Explicit { matrix, transpose } => {
                matrix.n_bytes() + transpose.as_ref().map_or(0, CsrMatrix::n_bytes)
            }
            Form::Factored(factored) => {
                let opposite = factored.opposite.as_ref().map_or(0, EdgeArray::n_bytes);
                factored.on_edges.n_bytes() + opposite + size_of_val(&*factored.diagonal)
            }
        }
    }

    /// The transposed operator: itself, but for `out` and `in`.
    pub fn transposed(&self) -> Self {
        match &self.form {
            Form::Explicit { matrix, transpose: Some(transpose) } => Self {
                kind: self.kind.transposed(),
                spec: self.spec,
                has_negative_weights: self.has_negative_weights,
                form: Form::Explicit { matrix: transpose.clone(), transpose: Some(matrix.clone()) },
            },
            _ => self.clone(),
        }
    }
}

impl<T: Scalar> LinearOperator<T> for MotifOperator {
    fn n_rows(&self) -> usize {
        self.n_nodes()
    }

    fn n_columns(&self) -> usize {
        self.n_nodes()
    }

    fn apply_into(&self, x: &[T], width: usize, y: &mut [T]) {
        assert_eq!(x.len(), self.n_nodes() * width, "a block of nodes × width");
        match &self.form {
            Form::Explicit { matrix, .. } => matrix.apply_into(x, width, y),
            Form::Factored(factored) => factored.apply_into(x, width, y),
        }
    }

    fn apply_transpose_into(&self, x: &[T], width: usize, y: &mut [T]) {
        match &self.form {
            Form::Explicit { transpose: Some(transpose), .. } => transpose.apply_into(x, width, y),
            _ => self.apply_into(x, width, y),
        }
    }
}
