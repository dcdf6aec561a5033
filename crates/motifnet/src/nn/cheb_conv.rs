//! ChebNet (Defferrard, Bresson, Vandergheynst 2016), on any one operator.
//!
//! T_0 = X, T_1 = Δ̃X, T_j = 2Δ̃T_{j−1} − T_{j−2};  Y = Σ_{j ≤ p} T_j Θ_j + b.
//!
//! X is n × F_in, Θ_j F_in × F_out, Y n × F_out. Time p sweeps of the operator and p + 1 products.

use std::sync::Arc;

use super::Propagator;
use super::basis_conv::{Basis, Pull, Visit};
use crate::dense::{Real, Update, add};

/// The Chebyshev polynomials T_0 … T_p of an operator.
pub(super) struct Chebyshev<T> {
    propagator: Arc<Propagator<T>>,
    /// How many hops from the loss the output is.
    hops: usize,
    width: usize,
    /// T_1 … T_p, the highest on the fewest rows.
    terms: Vec<Vec<T>>,
    gradients: Vec<Vec<T>>,
}

impl<T: Real> Chebyshev<T> {
    pub(super) fn new(
        propagator: Arc<Propagator<T>>,
        order: usize,
        hops: usize,
        width: usize,
    ) -> Self {
        let block = |j: usize| vec![T::default(); propagator.size(hops + order - j) * width];
        let terms = (1..=order).map(block).collect();
        Self { propagator, hops, width, terms, gradients: Vec::new() }
    }

    fn order(&self) -> usize {
        self.terms.len()
    }

    /// The factors of Δ̃T_{j−1} in T_j, one a column.
    fn factors(&self, j: usize) -> Vec<T> {
        vec![T::from_f64(if j == 1 { 1.0 } else { 2.0 }); self.width]
    }
}

impl<T: Real> Basis<T> for Chebyshev<T> {
    fn n_terms(&self) -> usize {
        self.order() + 1
    }

    fn expand(&mut self, x: &[T], visit: Visit<'_, T>) {
        visit(0, x);
        for j in 1..=self.order() {
            let factors = self.factors(j);
            let hop = self.hops + self.order() - j;
            let (before, from_j) = self.terms.split_at_mut(j - 1);
            let last = before.last().map_or(x, Vec::as_slice);
            self.propagator.forward(hop, 0..1, &factors, last, self.width, &mut from_j[0]);
            if j >= 2 {
                let second_last = if j == 2 { x } else { &before[j - 3] };
                add(&mut from_j[0], T::from_f64(-1.0), second_last);
            }
            visit(j, &from_j[0]);
        }
    }

    fn revisit(&mut self, x: &[T], visit: Visit<'_, T>) {
        visit(0, x);
        self.terms.iter().enumerate().for_each(|(at, term)| visit(at + 1, term));
    }

    /// G_{j−1} += 2Δ̃ᵀG_j and G_{j−2} −= G_j, from the highest down.
    fn pull_back(&mut self, pull: Pull<'_, T>, dx: &mut [T]) {
        let order = self.order();
        if self.gradients.is_empty() {
            self.gradients = self.terms.iter().map(|term| vec![T::default(); term.len()]).collect();
        }
        let Some(highest) = self.gradients.last_mut() else { return pull(0, Update::Replace, dx) };
        pull(order, Update::Replace, highest);
        for j in (1..=order).rev() {
            let factors = self.factors(j);
            let hop = self.hops + order - j;
            let (lower, from_j) = self.gradients.split_at_mut(j - 1);
            let into = lower.last_mut().map_or(&mut *dx, |gradient| gradient.as_mut_slice());
            self.propagator.forward_transposed(hop, 0..1, &factors, &from_j[0], self.width, into);
            if let Some(above) = from_j.get(1) {
                add(into, T::from_f64(-1.0), above);
            }
            pull(j - 1, Update::Add, into);
        }
    }
}
