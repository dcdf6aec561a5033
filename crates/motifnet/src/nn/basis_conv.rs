//! Y = Σ_t B_t X Θ_t + b: convolutions whose basis has no parameters of its own.

use std::ops::Range;

use super::layer::{Layer, Widths};
use super::parameters::{Initial, Layout};
use crate::dense::{Real, Update, multiply, multiply_by_transpose, multiply_transposed};

/// Called with the number of a term and the first rows of its matrix.
pub(super) type Visit<'a, T> = &'a mut dyn FnMut(usize, &[T]);
/// Called with the number of a term and the first rows of a matrix, to which (or, to replace,
/// instead of which) it puts the gradient of the term.
pub(super) type Pull<'a, T> = &'a mut dyn FnMut(usize, Update, &mut [T]);

/// The matrices B_t X that a convolution multiplies with its weights.
pub(super) trait Basis<T: Real>: Send {
    fn n_terms(&self) -> usize;

    /// Computes every B_t X, on at least the rows of the output, and shows it.
    fn expand(&mut self, x: &[T], visit: Visit<'_, T>);

    /// Shows once more what the last [`Basis::expand`] showed.
    fn revisit(&mut self, x: &[T], visit: Visit<'_, T>) {
        self.expand(x, visit);
    }

    /// dX ← Σ_t B_tᵀ G_t, where `pull` gives the G_t.
    fn pull_back(&mut self, pull: Pull<'_, T>, dx: &mut [T]);
}

/// The parameters of such a convolution: Θ of terms × F_in × F_out.
#[derive(Clone, Debug)]
pub(super) struct BasisConv {
    pub(super) widths: Widths,
    pub(super) theta: Range<usize>,
}

impl BasisConv {
    pub(super) fn new(name: &str, n_terms: usize, widths: Widths, layout: &mut Layout) -> Self {
        let shape = [n_terms, widths.input, widths.output];
        Self { widths, theta: layout.add(format!("{name}.theta"), &shape, Initial::Glorot) }
    }

    /// The layer with its basis on `n_rows` rows of output; of an input that never changes the basis
    /// is computed once.
    pub(super) fn bind<T: Real, B: Basis<T>>(
        &self,
        basis: B,
        n_rows: usize,
        input_is_fixed: bool,
    ) -> BoundConv<T, B> {
        BoundConv { layer: self.clone(), basis, n_rows, input_is_fixed, fixed: Vec::new() }
    }
}

/// Such a convolution on the rows it computes.
pub(super) struct BoundConv<T, B> {
    layer: BasisConv,
    basis: B,
    n_rows: usize,
    input_is_fixed: bool,
    /// The first rows of every B_t X, of an input that never changes.
    fixed: Vec<Vec<T>>,
}

impl<T: Real, B: Basis<T>> BoundConv<T, B> {
    fn fix(&mut self, x: &[T]) {
        if self.input_is_fixed && self.fixed.is_empty() {
            let n = self.n_rows * self.layer.widths.input;
            let mut fixed = vec![Vec::new(); self.basis.n_terms()];
            self.basis.expand(x, &mut |term, rows| fixed[term] = rows[..n].to_vec());
            self.fixed = fixed;
        }
    }

    fn for_terms(&mut self, x: &[T], again: bool, visit: Visit<'_, T>) {
        self.fix(x);
        if self.input_is_fixed {
            self.fixed.iter().enumerate().for_each(|(term, rows)| visit(term, rows));
        } else if again {
            self.basis.revisit(x, visit);
        } else {
            self.basis.expand(x, visit);
        }
    }
}

impl<T: Real, B: Basis<T>> Layer<T> for BoundConv<T, B> {
    fn forward(&mut self, parameters: &[T], x: &[T], y: &mut [T]) {
        let Widths { input, output } = self.layer.widths;
        let theta = &parameters[self.layer.theta.clone()];
        let sizes = [self.n_rows, input, output];
        let mut update = Update::Replace;
        self.for_terms(x, false, &mut |term, rows| {
            let theta = &theta[term * input * output..][..input * output];
            multiply(&rows[..sizes[0] * input], theta, sizes, update, y);
            update = Update::Add;
        });
    }

    fn backward(
        &mut self,
        parameters: &[T],
        x: &[T],
        dy: &[T],
        gradients: &mut [T],
        dx: Option<&mut [T]>,
    ) {
        let Widths { input, output } = self.layer.widths;
        let n_rows = self.n_rows;
        let of_term = |term: usize| term * input * output..(term + 1) * input * output;
        let d_theta = &mut gradients[self.layer.theta.clone()];
        self.for_terms(x, true, &mut |term, rows| {
            let rows = &rows[..n_rows * input];
            let into = &mut d_theta[of_term(term)];
            multiply_transposed(rows, dy, [n_rows, input, output], Update::Replace, into);
        });
        if let Some(dx) = dx {
            let theta = &parameters[self.layer.theta.clone()];
            let mut pull = |term: usize, update: Update, into: &mut [T]| {
                let into = &mut into[..n_rows * input];
                let sizes = [n_rows, output, input];
                multiply_by_transpose(dy, &theta[of_term(term)], sizes, update, into);
            };
            self.basis.pull_back(&mut pull, dx);
        }
    }
}
