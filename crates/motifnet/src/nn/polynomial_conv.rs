//! The full multivariate polynomial of K operators; on {in, out} it is MotifNet-d.
//!
//! Y = Σ_{j ≤ p} Σ_{k_1 … k_j} Δ_{k_1} … Δ_{k_j} X Θ_{k_1 … k_j} + b: (K^{p+1} − 1)/(K − 1) terms.
//!
//! The terms are the nodes of a tree: a child of the term T is Δ_k T. The tree is gone through depth
//! first with one matrix a level, and once more on the way back, so that memory grows with the
//! order and not with the number of terms. X is n × F_in, each Θ F_in × F_out, Y n × F_out.

use std::borrow::Cow;
use std::sync::Arc;

use super::Propagator;
use super::basis_conv::{Basis, Pull, Visit};
use super::term::{Branch, Term};
use crate::dense::{Block, Real, Rows, RowsMut, Update};
use crate::progress::Stop;

/// 1 + K + … + K^p, or `None` if it is past counting.
pub(super) fn n_terms(n_operators: usize, order: usize) -> Option<usize> {
    (0..order).try_fold(1usize, |sum, _| sum.checked_mul(n_operators)?.checked_add(1))
}

/// The tree of the terms, whose weights come in its order: a term, then each child with all below it.
pub(super) fn tree<'a>(
    thetas: &mut dyn Iterator<Item = &'a [f64]>,
    n_operators: usize,
    order: usize,
    width: usize,
) -> Term<'a> {
    let theta = thetas.next().map(Cow::Borrowed);
    let n_children = if order == 0 { 0 } else { n_operators };
    let branches = (0..n_children)
        .map(|k| Branch::of_one(k, width, tree(thetas, n_operators, order - 1, width)))
        .collect();
    Term { theta, branches }
}

/// All products of up to p operators.
pub(super) struct Products<T> {
    propagator: Arc<Propagator<T>>,
    order: usize,
    hops: usize,
    /// By depth, from 1 on: the term at that depth of the branch that is being gone through.
    branch: Vec<Block<T>>,
    gradients: Vec<Block<T>>,
    ones: Block<T>,
}

impl<T: Real> Products<T> {
    pub(super) fn new(
        propagator: Arc<Propagator<T>>,
        order: usize,
        hops: usize,
        width: usize,
    ) -> Self {
        let block = |depth: usize| Block::zeros(propagator.size(hops + order - depth), width);
        let branch = (1..=order).map(block).collect();
        let ones = Block::filled(1, width, T::from_f64(1.0));
        Self { propagator, order, hops, branch, gradients: Vec::new(), ones }
    }

    /// How many terms the subtree of a term at `depth` has.
    fn n_below(&self, depth: usize) -> usize {
        n_terms(self.propagator.n_operators(), self.order - depth).unwrap_or(usize::MAX)
    }

    fn expand_below(
        &self,
        term: usize,
        depth: usize,
        x: Rows<'_, T>,
        branch: &mut [Block<T>],
        visit: Visit<'_, T>,
        stop: Stop<'_>,
    ) {
        visit(term, x);
        let Some((child, deeper)) = branch.split_first_mut() else { return };
        let hop = self.hops + self.order - depth - 1;
        for k in (0..self.propagator.n_operators()).take_while(|_| !stop.is_set()) {
            self.propagator.forward(hop, k..k + 1, self.ones.as_rows(), x, child.as_mut());
            let number = term + 1 + k * self.n_below(depth + 1);
            self.expand_below(number, depth + 1, child.as_rows(), deeper, visit, stop);
        }
    }

    /// g ← G_term + Σ_k Δ_kᵀ (the same of child k).
    fn pull_below(
        &self,
        term: usize,
        depth: usize,
        mut g: RowsMut<'_, T>,
        gradients: &mut [Block<T>],
        pull: Pull<'_, T>,
        stop: Stop<'_>,
    ) {
        let Some((child, deeper)) = gradients.split_first_mut() else {
            return pull(term, Update::Replace, g);
        };
        let hop = self.hops + self.order - depth - 1;
        for k in (0..self.propagator.n_operators()).take_while(|_| !stop.is_set()) {
            let number = term + 1 + k * self.n_below(depth + 1);
            self.pull_below(number, depth + 1, child.as_mut(), deeper, pull, stop);
            let update = if k == 0 { Update::Replace } else { Update::Add };
            let (ones, child) = (self.ones.as_rows(), child.as_rows());
            self.propagator.forward_transposed(hop, k..k + 1, ones, child, update, g.reborrow());
        }
        pull(term, Update::Add, g);
    }
}

impl<T: Real> Basis<T> for Products<T> {
    fn n_terms(&self) -> usize {
        self.n_below(0)
    }

    fn expand(&mut self, x: Rows<'_, T>, visit: Visit<'_, T>, stop: Stop<'_>) {
        let mut branch = std::mem::take(&mut self.branch);
        self.expand_below(0, 0, x, &mut branch, visit, stop);
        self.branch = branch;
    }

    fn pull_back(&mut self, pull: Pull<'_, T>, dx: RowsMut<'_, T>, stop: Stop<'_>) {
        let mut gradients = std::mem::take(&mut self.gradients);
        if gradients.is_empty() {
            gradients = self.branch.iter().map(Block::zeros_like).collect();
        }
        self.pull_below(0, 0, dx, &mut gradients, pull, stop);
        self.gradients = gradients;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_counted() {
        assert_eq!(n_terms(2, 8), Some(511));
        assert_eq!((n_terms(6, 0), n_terms(6, 2), n_terms(1, 4)), (Some(1), Some(43), Some(5)));
        assert_eq!(n_terms(16, 40), None);
    }
}
