//! Y = Σ_t B_t X Θ_t + b: convolutions whose basis has no parameters of its own.

use super::layer::{Layer, Widths};
use super::parameters::Layout;
use super::theta::Theta;
use crate::dense::{
    Block, Real, Rows, RowsMut, Update, multiply, multiply_by_transpose, multiply_transposed,
};
use crate::progress::Stop;

/// Called with the number of a term and the first rows of its matrix.
pub(super) type Visit<'a, T> = &'a mut dyn FnMut(usize, Rows<'_, T>);
/// Called with the number of a term and the first rows of a matrix, to which (or, to replace,
/// instead of which) it puts the gradient of the term.
pub(super) type Pull<'a, T> = &'a mut dyn FnMut(usize, Update, RowsMut<'_, T>);

/// The matrices B_t X that a convolution multiplies with its weights. `stop` is what it is to a layer: when it is
/// set, the rest need not be computed nor shown.
pub(super) trait Basis<T: Real>: Send {
    fn n_terms(&self) -> usize;

    /// Computes every B_t X, on at least the rows of the output, and shows it.
    fn expand(&mut self, x: Rows<'_, T>, visit: Visit<'_, T>, stop: Stop<'_>);

    /// Shows once more what the last [`Basis::expand`] showed.
    fn revisit(&mut self, x: Rows<'_, T>, visit: Visit<'_, T>, stop: Stop<'_>) {
        self.expand(x, visit, stop);
    }

    /// dX ← Σ_t B_tᵀ G_t, where `pull` gives the G_t.
    fn pull_back(&mut self, pull: Pull<'_, T>, dx: RowsMut<'_, T>, stop: Stop<'_>);
}

/// The parameters of such a convolution: a Θ for every term.
#[derive(Clone, Debug)]
pub(super) struct BasisConv {
    theta: Theta,
}

impl BasisConv {
    pub(super) fn new(name: &str, n_terms: usize, widths: Widths, layout: &mut Layout) -> Self {
        Self { theta: Theta::new(name, n_terms, widths, layout) }
    }

    /// The Θ of every term.
    pub(super) fn thetas<'a, T>(
        &self,
        parameters: &'a [T],
    ) -> impl Iterator<Item = &'a [T]> + use<'a, T> {
        self.theta.each(parameters)
    }

    /// The layer with its basis on `n_rows` rows of output; of an input that never changes the basis
    /// is computed once.
    pub(super) fn bind<T: Real, B: Basis<T>>(
        &self,
        basis: B,
        n_rows: usize,
        input_is_fixed: bool,
    ) -> BoundConv<T, B> {
        BoundConv { theta: self.theta.clone(), basis, n_rows, input_is_fixed, fixed: Vec::new() }
    }
}

/// Such a convolution on the rows it computes.
pub(super) struct BoundConv<T, B> {
    theta: Theta,
    basis: B,
    n_rows: usize,
    input_is_fixed: bool,
    /// The first rows of every B_t X, of an input that never changes.
    fixed: Vec<Block<T>>,
}

impl<T: Real, B: Basis<T>> BoundConv<T, B> {
    fn fix(&mut self, x: Rows<'_, T>, stop: Stop<'_>) {
        if self.input_is_fixed && self.fixed.is_empty() {
            let mut fixed: Vec<Option<Block<T>>> = Vec::new();
            fixed.resize_with(self.basis.n_terms(), || None);
            let mut keep = |term: usize, rows: Rows<'_, T>| {
                fixed[term] = Some(Block::copy_of(rows.first(self.n_rows)));
            };
            self.basis.expand(x, &mut keep, stop);
            // Those of all terms, or none.
            self.fixed = fixed.into_iter().collect::<Option<_>>().unwrap_or_default();
        }
    }

    fn for_terms(&mut self, x: Rows<'_, T>, again: bool, visit: Visit<'_, T>, stop: Stop<'_>) {
        self.fix(x, stop);
        let visit = &mut |term: usize, rows: Rows<'_, T>| {
            if !stop.is_set() {
                visit(term, rows);
            }
        };
        if self.input_is_fixed {
            self.fixed.iter().enumerate().for_each(|(term, block)| visit(term, block.as_rows()));
        } else if again {
            self.basis.revisit(x, visit, stop);
        } else {
            self.basis.expand(x, visit, stop);
        }
    }
}

impl<T: Real, B: Basis<T>> Layer<T> for BoundConv<T, B> {
    fn forward(&mut self, parameters: &[T], x: Rows<'_, T>, mut y: RowsMut<'_, T>, stop: Stop<'_>) {
        let theta = self.theta.clone();
        let n_rows = self.n_rows;
        let mut update = Update::Replace;
        let mut visit = |term: usize, rows: Rows<'_, T>| {
            multiply(rows.first(n_rows), theta.of(parameters, term), update, y.reborrow());
            update = Update::Add;
        };
        self.for_terms(x, false, &mut visit, stop);
    }

    fn backward(
        &mut self,
        parameters: &[T],
        x: Rows<'_, T>,
        dy: Rows<'_, T>,
        gradients: &mut [T],
        dx: Option<RowsMut<'_, T>>,
        stop: Stop<'_>,
    ) {
        let theta = self.theta.clone();
        let n_rows = self.n_rows;
        let mut visit = |term: usize, rows: Rows<'_, T>| {
            let d_theta = theta.of_mut(gradients, term);
            multiply_transposed(rows.first(n_rows), dy, Update::Replace, d_theta);
        };
        self.for_terms(x, true, &mut visit, stop);
        if let Some(dx) = dx.filter(|_| !stop.is_set()) {
            let mut pull = |term: usize, update: Update, mut into: RowsMut<'_, T>| {
                let theta = theta.of(parameters, term);
                multiply_by_transpose(dy, theta, update, into.first(n_rows));
            };
            self.basis.pull_back(&mut pull, dx, stop);
        }
    }
}
