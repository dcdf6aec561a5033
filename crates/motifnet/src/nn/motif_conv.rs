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
use super::term::{Branch, Term};
use super::theta::Theta;
use crate::dense::{
    Block, Real, Rows, RowsMut, Update, multiply, multiply_by_transpose, multiply_transposed,
};
use crate::progress::Stop;

/// The parameters of MotifNet-m.
#[derive(Clone, Debug)]
pub(super) struct MotifConv {
    widths: Widths,
    order: usize,
    n_heads: usize,
    n_operators: usize,
    theta: Theta,
    scores: Range<usize>,
}

impl MotifConv {
    pub(super) fn new(
        name: &str,
        [order, n_heads, n_operators]: [usize; 3],
        widths: Widths,
        layout: &mut Layout,
    ) -> Self {
        let theta = Theta::new(name, 1 + n_heads * order, widths, layout);
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
        let block = |j: usize| Block::zeros(rows(j), self.widths.input);
        let n_weights = self.n_heads * self.order * self.n_operators;
        // What is never gone back through needs only the last power of one head and the next.
        let n_heads = if keeps_powers { self.n_heads } else { 1 };
        BoundMotif {
            alpha: Block::zeros(n_weights, self.widths.input),
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

    /// α of head h, order j (from 1 on).
    pub(super) fn alpha<T: Real>(&self, parameters: &[T], head: usize, j: usize) -> Block<T> {
        let mut alpha = Block::zeros(self.n_operators, self.widths.input);
        let scores =
            Rows::new(&parameters[self.scores(head, j)], [self.n_operators, self.widths.input]);
        softmax(scores, alpha.as_mut());
        alpha
    }

    /// The layer as a polynomial: from the root a chain for every head.
    pub(super) fn polynomial<'a>(&self, parameters: &'a [f64]) -> Term<'a> {
        let term = |head, j| Term::leaf(self.theta.of(parameters, self.term(head, j)).values());
        let chain = |head: usize| {
            (1..=self.order).rev().fold(None, |below: Option<Branch<'a>>, j| {
                let term = Term { branches: below.into_iter().collect(), ..term(head, j) };
                let operators = 0..self.n_operators;
                Some(Branch { operators, alpha: self.alpha(parameters, head, j), term })
            })
        };
        Term { branches: (0..self.n_heads).filter_map(chain).collect(), ..term(0, 0) }
    }

    /// The rows of head h, order j (from 1 on) among the scores.
    fn attention(&self, head: usize, j: usize) -> Range<usize> {
        let at = (head * self.order + j - 1) * self.n_operators;
        at..at + self.n_operators
    }

    /// The place of the same in the vector of parameters.
    fn scores(&self, head: usize, j: usize) -> Range<usize> {
        let Range { start, end } = self.attention(head, j);
        let width = self.widths.input;
        self.scores.start + start * width..self.scores.start + end * width
    }

    /// Which Θ is that of head h, order j; Θ_0 belongs to all heads.
    fn term(&self, head: usize, j: usize) -> usize {
        if j == 0 { 0 } else { 1 + head * self.order + j - 1 }
    }
}

/// α = softmax of the scores over the operators, for each column: a row for every operator.
fn softmax<T: Real>(scores: Rows<'_, T>, mut alpha: RowsMut<'_, T>) {
    for column in 0..scores.width() {
        let of = || scores.iter().map(|row| row[column]);
        let most =
            of().fold(scores.row(0)[column], |most, score| if score > most { score } else { most });
        let total: T = of().map(|score| (score - most).exponential()).sum();
        for (alpha, score) in alpha.iter_mut().zip(of()) {
            alpha[column] = (score - most).exponential() / total;
        }
    }
}

/// Turns the gradient of α into that of the scores: α_k (dα_k − Σ_l α_l dα_l).
fn softmax_back<T: Real>(alpha: Rows<'_, T>, d_alpha: Rows<'_, T>, mut d_scores: RowsMut<'_, T>) {
    for column in 0..alpha.width() {
        let pairs = || alpha.iter().zip(d_alpha.iter()).map(|(a, d)| (a[column], d[column]));
        let mean: T = pairs().map(|(alpha, d_alpha)| alpha * d_alpha).sum();
        for (d_score, (alpha, d_alpha)) in d_scores.iter_mut().zip(pairs()) {
            d_score[column] = alpha * (d_alpha - mean);
        }
    }
}

/// MotifNet-m on the rows it computes.
pub(super) struct BoundMotif<T> {
    layer: MotifConv,
    propagator: Arc<Propagator<T>>,
    /// How many hops from the loss the output is.
    hops: usize,
    alpha: Block<T>,
    /// By head (or for the one at hand) and order, from 1 on: P_j.
    powers: Vec<Vec<Block<T>>>,
    /// By order, from 1 on: the gradient of P_j of the head at hand.
    gradients: Vec<Block<T>>,
    fixed: FixedProducts<T>,
}

impl<T: Real> BoundMotif<T> {
    fn n_rows(&self) -> usize {
        self.propagator.size(self.hops)
    }

    /// The hop from P_{j−1} to P_j.
    fn hop(&self, j: usize) -> usize {
        self.hops + self.layer.order - j
    }
}

impl<T: Real> Layer<T> for BoundMotif<T> {
    fn forward(&mut self, parameters: &[T], x: Rows<'_, T>, mut y: RowsMut<'_, T>, stop: Stop<'_>) {
        let layer = self.layer.clone();
        let n_rows = self.n_rows();
        if layer.order > 0 {
            self.fixed.fix(&self.propagator, self.hop(1), x, stop);
        }
        multiply(x.first(n_rows), layer.theta.of(parameters, 0), Update::Replace, y.reborrow());
        let all = 0..layer.n_operators;
        for head in 0..layer.n_heads {
            let slot = head.min(self.powers.len() - 1);
            for j in 1..=layer.order {
                if stop.is_set() {
                    return;
                }
                let scores = &parameters[layer.scores(head, j)];
                let scores = Rows::new(scores, [layer.n_operators, layer.widths.input]);
                let rows = layer.attention(head, j);
                softmax(scores, self.alpha.as_mut().into_slice(rows.clone()));
                let alpha = self.alpha.as_rows().slice(rows);
                let hop = self.hop(j);
                let (before, from_j) = self.powers[slot].split_at_mut(j - 1);
                let mut power = from_j[0].as_mut();
                match before.last() {
                    None if self.fixed.is_there() => self.fixed.combine(alpha, power.reborrow()),
                    last => {
                        let last = last.map_or(x, Block::as_rows);
                        self.propagator.forward(hop, all.clone(), alpha, last, power.reborrow());
                    }
                }
                let (power, theta) =
                    (power.as_rows(), layer.theta.of(parameters, layer.term(head, j)));
                multiply(power.first(n_rows), theta, Update::Add, y.reborrow());
            }
        }
    }

    fn backward(
        &mut self,
        parameters: &[T],
        x: Rows<'_, T>,
        dy: Rows<'_, T>,
        gradients: &mut [T],
        mut dx: Option<RowsMut<'_, T>>,
        stop: Stop<'_>,
    ) {
        let layer = self.layer.clone();
        let n_rows = self.n_rows();
        let width = layer.widths.input;
        let d_theta = layer.theta.of_mut(gradients, 0);
        multiply_transposed(x.first(n_rows), dy, Update::Replace, d_theta);
        if self.gradients.is_empty() {
            self.gradients = self.powers[0].iter().map(Block::zeros_like).collect();
        }
        let mut d_alpha = Block::zeros(layer.n_operators, width);
        let all = 0..layer.n_operators;
        for head in 0..layer.n_heads {
            for j in (1..=layer.order).rev() {
                if stop.is_set() {
                    return;
                }
                let power = self.powers[head][j - 1].as_rows().first(n_rows);
                let d_theta = layer.theta.of_mut(gradients, layer.term(head, j));
                multiply_transposed(power, dy, Update::Replace, d_theta);
                let hop = self.hop(j);
                let (lower, from_j) = self.gradients.split_at_mut(j - 1);
                let g = &mut from_j[0];
                // What the next order gave is already there.
                let update = if j == layer.order { Update::Replace } else { Update::Add };
                let theta = layer.theta.of(parameters, layer.term(head, j));
                multiply_by_transpose(dy, theta, update, g.as_mut().first(n_rows));

                let g = g.as_rows();
                let alpha = self.alpha.as_rows().slice(layer.attention(head, j));
                let last = if j == 1 { x } else { self.powers[head][j - 2].as_rows() };
                // The gradient of the input is the sum over the heads.
                let update = if j == 1 && head > 0 { Update::Add } else { Update::Replace };
                let into = match lower.last_mut() {
                    Some(gradient) => Some(gradient.as_mut()),
                    None => dx.as_mut().map(RowsMut::reborrow),
                };
                match into {
                    None if self.fixed.is_there() => self.fixed.dots(g, d_alpha.as_mut()),
                    into => {
                        let into = into.map(|into| (update, into));
                        let blocks = [alpha, last, g];
                        self.propagator.backward(hop, all.clone(), blocks, into, d_alpha.as_mut());
                    }
                }
                let size = [layer.n_operators, width];
                let d_scores = RowsMut::new(&mut gradients[layer.scores(head, j)], size);
                softmax_back(alpha, d_alpha.as_rows(), d_scores);
            }
        }
        if let Some(dx) = &mut dx {
            let update = if layer.order == 0 { Update::Replace } else { Update::Add };
            multiply_by_transpose(dy, layer.theta.of(parameters, 0), update, dx.first(n_rows));
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
        softmax(Rows::new(&scores, [3, 2]), RowsMut::new(&mut alpha, [3, 2]));
        for (found, expected) in alpha.iter().zip([0.2, 0.5, 0.2, 0.5, 0.6, 0.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }
}
