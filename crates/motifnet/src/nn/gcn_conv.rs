//! GCN (Kipf, Welling 2017): Y = Â X Θ + b, with Â = D̃^-½ (W + I) D̃^-½ and D̃ the degrees of W + I.
//!
//! X is n × F_in, Θ F_in × F_out, Y n × F_out. On `out` and `in` rows and columns have degrees of their own.

use std::sync::Arc;

use super::Propagator;
use super::basis_conv::{Basis, Pull, Visit};
use crate::dense::{Real, Update};

/// The one term Â X.
pub(super) struct Smoothed<T> {
    propagator: Arc<Propagator<T>>,
    hops: usize,
    width: usize,
    product: Vec<T>,
    gradient: Vec<T>,
}

impl<T: Real> Smoothed<T> {
    pub(super) fn new(propagator: Arc<Propagator<T>>, hops: usize, width: usize) -> Self {
        let product = vec![T::default(); propagator.size(hops) * width];
        Self { propagator, hops, width, product, gradient: Vec::new() }
    }

    fn ones(&self) -> Vec<T> {
        vec![T::from_f64(1.0); self.width]
    }
}

impl<T: Real> Basis<T> for Smoothed<T> {
    fn n_terms(&self) -> usize {
        1
    }

    fn expand(&mut self, x: &[T], visit: Visit<'_, T>) {
        let ones = self.ones();
        self.propagator.forward(self.hops, 0..1, &ones, x, self.width, &mut self.product);
        visit(0, &self.product);
    }

    fn revisit(&mut self, _: &[T], visit: Visit<'_, T>) {
        visit(0, &self.product);
    }

    fn pull_back(&mut self, pull: Pull<'_, T>, dx: &mut [T]) {
        self.gradient.resize(self.product.len(), T::default());
        pull(0, Update::Replace, &mut self.gradient);
        let ones = self.ones();
        let (propagator, hops) = (&self.propagator, self.hops);
        propagator.forward_transposed(hops, 0..1, &ones, &self.gradient, self.width, dx);
    }
}
