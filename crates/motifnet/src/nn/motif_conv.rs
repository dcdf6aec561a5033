//! MotifNet-m (Monti, Otness, Bronstein 2018), with any number of heads.
//!
//! P_0 = X, P_j = Σ_k α_{k,j} ∘ (Δ_k P_{j−1});  Y = X Θ_0 + Σ_h Σ_{1 ≤ j ≤ p} P_j^h Θ_j^h + b.
//!
//! α_{·,j} is a softmax over the K operators, one for each feature, order and head. One head is the
//! paper's layer. With one attention a feature cannot keep, say, `in` and `out` apart; heads can.
//! X is n × F_in, each Θ F_in × F_out, the scores H × p × K × F_in, Y n × F_out.
//! Time H·p fused sweeps over all operators and H·p + 1 products.

use std::ops::Range;
use std::sync::Arc;

use super::Propagator;
use super::fixed_products::FixedProducts;
use super::layer::{Layer, Widths};
use super::parameters::{Initial, Layout};
use crate::dense::{Real, Update, add, multiply, multiply_by_transpose, multiply_transposed};

/// The parameters of MotifNet-m.
#[derive(Clone, Debug)]
pub(super) struct MotifConv {
    widths: Widths,
    order: usize,
    n_heads: usize,
    n_operators: usize,
    theta: Range<usize>,
    scores: Range<usize>,
}

impl MotifConv {
    pub(super) fn new(
        name: &str,
        [order, n_heads, n_operators]: [usize; 3],
        widths: Widths,
        layout: &mut Layout,
    ) -> Self {
        let shape = [1 + n_heads * order, widths.input, widths.output];
        let theta = layout.add(format!("{name}.theta"), &shape, Initial::Glorot);
        // Equal heads would stay equal; a single one starts with no preference.
        let initial = if n_heads == 1 { Initial::Zero } else { Initial::Normal };
        let shape = [n_heads, order, n_operators, widths.input];
        let scores = layout.add(format!("{name}.scores"), &shape, initial);
        Self { widths, order, n_heads, n_operators, theta, scores }
    }

    pub(super) fn bind<T: Real>(
        &self,
        propagator: Arc<Propagator<T>>,
        hops: usize,
        input_is_fixed: bool,
        keeps_powers: bool,
    ) -> BoundMotif<T> {
        let rows = |j: usize| propagator.size(hops + self.order - j);
        let block = |j: usize| vec![T::default(); rows(j) * self.widths.input];
        // What is never gone back through needs only the last power of one head and the next.
        let n_heads = if keeps_powers { self.n_heads } else { 1 };
        BoundMotif {
            alpha: vec![T::default(); self.scores.len()],
            powers: (0..n_heads).map(|_| (1..=self.order).map(block).collect()).collect(),
            gradients: Vec::new(),
            fixed: FixedProducts::new(input_is_fixed),
            layer: self.clone(),
            propagator,
            hops,
        }
    }

    pub(super) fn n_heads(&self) -> usize {
        self.n_heads
    }

    /// The place of head h, order j (from 1 on) among the scores.
    fn attention(&self, head: usize, j: usize) -> Range<usize> {
        let n = self.n_operators * self.widths.input;
        let at = (head * self.order + j - 1) * n;
        at..at + n
    }

    /// The place of Θ of head h, order j, in the vector of parameters; Θ_0 belongs to all heads.
    fn theta(&self, head: usize, j: usize) -> Range<usize> {
        let term = if j == 0 { 0 } else { 1 + head * self.order + j - 1 };
        let n = self.widths.input * self.widths.output;
        self.theta.start + term * n..self.theta.start + (term + 1) * n
    }
}

/// α = softmax of the scores over the operators, for each column: both K × width.
pub(super) fn softmax<T: Real>(scores: &[T], width: usize, alpha: &mut [T]) {
    for column in 0..width {
        let of = || scores[column..].iter().step_by(width).copied();
        let most = of().fold(scores[column], |most, score| if score > most { score } else { most });
        let total: T = of().map(|score| (score - most).exponential()).sum();
        for (alpha, score) in alpha[column..].iter_mut().step_by(width).zip(of()) {
            *alpha = (score - most).exponential() / total;
        }
    }
}

/// Turns the gradient of α into that of the scores: α_k (dα_k − Σ_l α_l dα_l).
fn softmax_back<T: Real>(alpha: &[T], width: usize, d_alpha: &[T], d_scores: &mut [T]) {
    for column in 0..width {
        let pairs = || {
            let alpha = alpha[column..].iter().step_by(width).copied();
            alpha.zip(d_alpha[column..].iter().step_by(width).copied())
        };
        let mean: T = pairs().map(|(alpha, d_alpha)| alpha * d_alpha).sum();
        let scores = d_scores[column..].iter_mut().step_by(width);
        for (d_score, (alpha, d_alpha)) in scores.zip(pairs()) {
            *d_score = alpha * (d_alpha - mean);
        }
    }
}

/// MotifNet-m on the rows it computes.
pub(super) struct BoundMotif<T> {
    layer: MotifConv,
    propagator: Arc<Propagator<T>>,
    /// How many hops from the loss the output is.
    hops: usize,
    alpha: Vec<T>,
    /// By head (or for the one at hand) and order, from 1 on: P_j.
    powers: Vec<Vec<Vec<T>>>,
    /// By order, from 1 on: the gradient of P_j of the head at hand.
    gradients: Vec<Vec<T>>,
    fixed: FixedProducts<T>,
}

impl<T: Real> BoundMotif<T> {
    fn n_rows(&self) -> usize {
        self.propagator.size(self.hops)
    }

    fn hop(&self, j: usize) -> usize {
        self.hops + self.layer.order - j
    }
}

impl<T: Real> Layer<T> for BoundMotif<T> {
    fn forward(&mut self, parameters: &[T], x: &[T], y: &mut [T]) {
        let layer = self.layer.clone();
        let Widths { input, output } = layer.widths;
        let n_rows = self.n_rows();
        let sizes = [n_rows, input, output];
        if layer.order > 0 {
            self.fixed.fix(&self.propagator, self.hop(1), x, input);
        }
        multiply(&x[..n_rows * input], &parameters[layer.theta(0, 0)], sizes, Update::Replace, y);
        let scores = &parameters[layer.scores.clone()];
        for head in 0..layer.n_heads {
            let slot = head.min(self.powers.len() - 1);
            for j in 1..=layer.order {
                let attention = layer.attention(head, j);
                let alpha = &mut self.alpha[attention.clone()];
                softmax(&scores[attention], input, alpha);
                let hop = self.hops + layer.order - j;
                let (before, from_j) = self.powers[slot].split_at_mut(j - 1);
                let power = &mut from_j[0];
                match before.last() {
                    None if self.fixed.is_there() => self.fixed.combine(alpha, power),
                    last => {
                        let last = last.map_or(x, Vec::as_slice);
                        let operators = 0..layer.n_operators;
                        self.propagator.forward(hop, operators, alpha, last, input, power);
                    }
                }
                let theta = &parameters[layer.theta(head, j)];
                multiply(&power[..n_rows * input], theta, sizes, Update::Add, y);
            }
        }
    }

    fn backward(
        &mut self,
        parameters: &[T],
        x: &[T],
        dy: &[T],
        gradients: &mut [T],
        mut dx: Option<&mut [T]>,
    ) {
        let layer = self.layer.clone();
        let Widths { input, output } = layer.widths;
        let n_rows = self.n_rows();
        let sizes = [n_rows, input, output];
        let back = [n_rows, output, input];
        let d_theta = &mut gradients[layer.theta(0, 0)];
        multiply_transposed(&x[..n_rows * input], dy, sizes, Update::Replace, d_theta);
        if let Some(dx) = dx.as_deref_mut() {
            dx.fill(T::default());
            let theta = &parameters[layer.theta(0, 0)];
            multiply_by_transpose(dy, theta, back, Update::Replace, &mut dx[..n_rows * input]);
        }
        if self.gradients.is_empty() {
            let like = |power: &Vec<T>| vec![T::default(); power.len()];
            self.gradients = self.powers[0].iter().map(like).collect();
        }
        let mut d_alpha = vec![T::default(); layer.n_operators * input];
        let mut d_input = Vec::new();
        for head in 0..layer.n_heads {
            for j in (1..=layer.order).rev() {
                let power = &self.powers[head][j - 1][..n_rows * input];
                let place = layer.theta(head, j);
                let d_theta = &mut gradients[place.clone()];
                multiply_transposed(power, dy, sizes, Update::Replace, d_theta);
                let (lower, from_j) = self.gradients.split_at_mut(j - 1);
                let g = &mut from_j[0];
                // What the next order gave is already there.
                let update = if j == layer.order { Update::Replace } else { Update::Add };
                let theta = &parameters[place];
                multiply_by_transpose(dy, theta, back, update, &mut g[..n_rows * input]);

                let attention = layer.attention(head, j);
                let alpha = &self.alpha[attention.clone()];
                let hop = self.hops + layer.order - j;
                match (lower.last_mut(), dx.as_deref_mut()) {
                    (Some(into), _) => {
                        let last = &self.powers[head][j - 2];
                        let known = [alpha, last, g];
                        self.propagator.backward(hop, known, input, Some(into), &mut d_alpha);
                    }
                    (None, None) if self.fixed.is_there() => self.fixed.dots(g, &mut d_alpha),
                    (None, None) => {
                        self.propagator.backward(hop, [alpha, x, g], input, None, &mut d_alpha);
                    }
                    (None, Some(dx)) => {
                        d_input.resize(dx.len(), T::default());
                        let into = Some(&mut d_input[..]);
                        self.propagator.backward(hop, [alpha, x, g], input, into, &mut d_alpha);
                        add(dx, T::from_f64(1.0), &d_input);
                    }
                }
                let d_scores = &mut gradients[layer.scores.clone()][attention];
                softmax_back(alpha, input, &d_alpha, d_scores);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attention_sums_to_one_and_survives_large_scores() {
        let scores = [0.0, 1000.0, 0.0, 1000.0, 3.0f64.ln(), -1000.0];
        let mut alpha = [0.0; 6];
        softmax(&scores, 2, &mut alpha);
        for (found, expected) in alpha.iter().zip([0.2, 0.5, 0.2, 0.5, 0.6, 0.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }
}
