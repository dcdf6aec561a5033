//! A layer as a polynomial of the operators.
//!
//! Y = Σ_v T_v Θ_v over the nodes v of a tree: the root has T = X, and a branch that leads from u to v makes
//! T_v = Σ_k α_k ∘ (Δ_k T_u).
//!
//! Every layer computes in a form of its own, the one that is fast to train. Whatever multiplies with
//! operators and weights alone is such a polynomial, though, and what asks about the operators
//! themselves needs only this form. T_v is n × F_in, Θ_v F_in × F_out, α K × F_in.

use std::borrow::Cow;
use std::ops::Range;

use crate::dense::Block;

/// A node of the tree and what hangs on it.
pub(super) struct Term<'a> {
    /// Θ, row after row; none where the output has only what is below.
    pub(super) theta: Option<Cow<'a, [f64]>>,
    pub(super) branches: Vec<Branch<'a>>,
}

/// Products with operators, and what is made of their sum.
pub(super) struct Branch<'a> {
    pub(super) operators: Range<usize>,
    /// A row of weights for each of them.
    pub(super) alpha: Block<f64>,
    pub(super) term: Term<'a>,
}

impl<'a> Term<'a> {
    /// X Θ.
    pub(super) fn leaf(theta: &'a [f64]) -> Self {
        Self { theta: Some(Cow::Borrowed(theta)), branches: Vec::new() }
    }

    /// Σ_t p_t(Δ) X Θ_t, with the coefficients of every p_t by power, for up to `degree` products with
    /// the one operator.
    pub(super) fn of_polynomials(
        thetas: impl Iterator<Item = &'a [f64]>,
        coefficients: &[Vec<f64>],
        degree: usize,
        width: usize,
    ) -> Self {
        let thetas: Vec<&[f64]> = thetas.collect();
        let of_power = |power: usize| {
            let mut sum = vec![0.0; thetas.first().map_or(0, |theta| theta.len())];
            for (theta, coefficients) in thetas.iter().zip(coefficients) {
                let factor = coefficients.get(power).copied().unwrap_or_default();
                sum.iter_mut().zip(*theta).for_each(|(sum, value)| *sum += factor * value);
            }
            Term { theta: Some(Cow::Owned(sum)), branches: Vec::new() }
        };
        (0..degree).rev().fold(of_power(degree), |below, power| Self {
            branches: vec![Branch::of_one(0, width, below)],
            ..of_power(power)
        })
    }
}

impl<'a> Branch<'a> {
    /// The product with one operator.
    pub(super) fn of_one(operator: usize, width: usize, term: Term<'a>) -> Self {
        Self { operators: operator..operator + 1, alpha: Block::filled(1, width, 1.0), term }
    }
}

/// Why a network is no polynomial of its operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSplit {
    /// It filters on eigenvectors.
    #[error(
        "the network filters on eigenvectors of the whole graph: no arc has a part of its own in them"
    )]
    Eigenvectors,
    /// Its operators are coordinates of neighbours.
    #[error(
        "the network's operators are coordinates that its weights of neighbours are learnt from: \
         it multiplies with none of them"
    )]
    Coordinates,
    /// It would take more than is allowed.
    #[error(
        "the logit rests on so much of the graph that finding its parts would take more work than is \
         allowed"
    )]
    Work,
}
