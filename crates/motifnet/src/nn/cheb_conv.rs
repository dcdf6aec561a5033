//! ChebNet (Defferrard, Bresson, Vandergheynst 2016), on any one operator.
//!
//! T_0 = X, T_1 = Δ̃X, T_j = 2Δ̃T_{j−1} − T_{j−2};  Y = Σ_{j ≤ p} T_j Θ_j + b.
//!
//! X is n × F_in, Θ_j F_in × F_out, Y n × F_out. Time p sweeps of the operator and p + 1 products.

use std::sync::Arc;

use super::Propagator;
use super::basis_conv::{Basis, Pull, Visit};
use crate::dense::{Block, Real, Rows, RowsMut, Update, add};
use crate::progress::Stop;

/// The coefficients of T_0 … T_p by power.
pub(super) fn coefficients(order: usize) -> Vec<Vec<f64>> {
    let mut polynomials = vec![vec![1.0]];
    for j in 1..=order {
        let mut next = vec![0.0; j + 1];
        let factor = if j == 1 { 1.0 } else { 2.0 };
        for (into, last) in next[1..].iter_mut().zip(&polynomials[j - 1]) {
            *into += factor * last;
        }
        if j >= 2 {
            next.iter_mut().zip(&polynomials[j - 2]).for_each(|(into, lower)| *into -= lower);
        }
        polynomials.push(next);
    }
    polynomials
}

/// The Chebyshev polynomials T_0 … T_p of an operator.
pub(super) struct Chebyshev<T> {
    propagator: Arc<Propagator<T>>,
    /// How many hops from the loss the output is.
    hops: usize,
    /// T_1 … T_p, the highest on the fewest rows.
    terms: Vec<Block<T>>,
    gradients: Vec<Block<T>>,
    /// The factors of Δ̃T_{j−1} in T_j: of T_1, and of the others.
    factors: [Block<T>; 2],
}

impl<T: Real> Chebyshev<T> {
    pub(super) fn new(
        propagator: Arc<Propagator<T>>,
        order: usize,
        hops: usize,
        width: usize,
    ) -> Self {
        let block = |j: usize| Block::zeros(propagator.size(hops + order - j), width);
        let terms = (1..=order).map(block).collect();
        let factors = [1.0, 2.0].map(|factor| Block::filled(1, width, T::from_f64(factor)));
        Self { propagator, hops, terms, gradients: Vec::new(), factors }
    }

    fn order(&self) -> usize {
        self.terms.len()
    }
}

impl<T: Real> Basis<T> for Chebyshev<T> {
    fn n_terms(&self) -> usize {
        self.order() + 1
    }

    fn expand(&mut self, x: Rows<'_, T>, visit: Visit<'_, T>, stop: Stop<'_>) {
        visit(0, x);
        for j in (1..=self.order()).take_while(|_| !stop.is_set()) {
            let factors = self.factors[j.min(2) - 1].as_rows();
            let hop = self.hops + self.order() - j;
            let (before, from_j) = self.terms.split_at_mut(j - 1);
            let mut term = from_j[0].as_mut();
            let last = before.last().map_or(x, Block::as_rows);
            self.propagator.forward(hop, 0..1, factors, last, term.reborrow());
            if j >= 2 {
                let second_last = if j == 2 { x } else { before[j - 3].as_rows() };
                add(term.reborrow(), T::from_f64(-1.0), second_last);
            }
            visit(j, term.as_rows());
        }
    }

    fn revisit(&mut self, x: Rows<'_, T>, visit: Visit<'_, T>, _: Stop<'_>) {
        visit(0, x);
        self.terms.iter().enumerate().for_each(|(at, term)| visit(at + 1, term.as_rows()));
    }

    /// G_{j−1} += 2Δ̃ᵀG_j and G_{j−2} −= G_j, from the highest down.
    fn pull_back(&mut self, pull: Pull<'_, T>, mut dx: RowsMut<'_, T>, stop: Stop<'_>) {
        let order = self.order();
        if self.gradients.is_empty() {
            self.gradients = self.terms.iter().map(Block::zeros_like).collect();
        }
        let Some(highest) = self.gradients.last_mut() else { return pull(0, Update::Replace, dx) };
        pull(order, Update::Replace, highest.as_mut());
        for j in (1..=order).rev().take_while(|_| !stop.is_set()) {
            let factors = self.factors[j.min(2) - 1].as_rows();
            let hop = self.hops + order - j;
            let (lower, from_j) = self.gradients.split_at_mut(j - 1);
            let mut into = lower.last_mut().map_or(dx.reborrow(), Block::as_mut);
            let g = from_j[0].as_rows();
            let update = Update::Replace;
            self.propagator.forward_transposed(hop, 0..1, factors, g, update, into.reborrow());
            if let Some(above) = from_j.get(1) {
                add(into.reborrow(), T::from_f64(-1.0), above.as_rows());
            }
            pull(j - 1, Update::Add, into);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fourth_polynomial_is_the_textbooks() {
        assert_eq!(coefficients(4)[4], [1.0, 0.0, -8.0, 0.0, 8.0]);
        assert_eq!(coefficients(0), [[1.0]]);
    }
}
