//! GCN (Kipf, Welling 2017): Y = Â X Θ + b, with Â = D̃^-½ (W + I) D̃^-½ and D̃ the degrees of W + I.
//!
//! X is n × F_in, Θ F_in × F_out, Y n × F_out. On `out` and `in` rows and columns have degrees of their own.

use std::sync::Arc;

use super::Propagator;
use super::basis_conv::{Basis, Pull, Visit};
use super::term::{Branch, Term};
use crate::dense::{Block, Real, Rows, RowsMut, Update};
use crate::progress::Stop;

/// The layer as a polynomial: what is below the root alone.
pub(super) fn polynomial<'a>(thetas: impl Iterator<Item = &'a [f64]>, width: usize) -> Term<'a> {
    let of_term = |theta| Branch::of_one(0, width, Term::leaf(theta));
    Term { theta: None, branches: thetas.map(of_term).collect() }
}

/// The one term Â X.
pub(super) struct Smoothed<T> {
    propagator: Arc<Propagator<T>>,
    hops: usize,
    product: Block<T>,
    gradient: Option<Block<T>>,
    ones: Block<T>,
}

impl<T: Real> Smoothed<T> {
    pub(super) fn new(propagator: Arc<Propagator<T>>, hops: usize, width: usize) -> Self {
        let product = Block::zeros(propagator.size(hops), width);
        let ones = Block::filled(1, width, T::from_f64(1.0));
        Self { propagator, hops, product, gradient: None, ones }
    }
}

impl<T: Real> Basis<T> for Smoothed<T> {
    fn n_terms(&self) -> usize {
        1
    }

    fn expand(&mut self, x: Rows<'_, T>, visit: Visit<'_, T>, _: Stop<'_>) {
        self.propagator.forward(self.hops, 0..1, self.ones.as_rows(), x, self.product.as_mut());
        visit(0, self.product.as_rows());
    }

    fn revisit(&mut self, _: Rows<'_, T>, visit: Visit<'_, T>, _: Stop<'_>) {
        visit(0, self.product.as_rows());
    }

    fn pull_back(&mut self, pull: Pull<'_, T>, dx: RowsMut<'_, T>, _: Stop<'_>) {
        let gradient = self.gradient.get_or_insert_with(|| Block::zeros_like(&self.product));
        pull(0, Update::Replace, gradient.as_mut());
        let (ones, g) = (self.ones.as_rows(), gradient.as_rows());
        self.propagator.forward_transposed(self.hops, 0..1, ones, g, Update::Replace, dx);
    }
}
