//! One logit as a function of the entries of the operators, and its slopes by them.
//!
//! With a gate g_k on every operator a product of a layer is P = Σ_k g_k α_k ∘ (Δ_k Z). With G the gradient of
//! the logit f by P, the slope of f by a gate, and by one on a single entry, is the sum over all products of
//!
//! ∂f/∂g_k: Σ_r ⟨G[r], α_k ∘ (Δ_k Z)[r]⟩,  ∂f/∂g_k[r, j]: Δ_k[r, j] ⟨G[r], α_k ∘ Z[j]⟩.
//!
//! The slope by an entry does not depend on how a layer computes, so every layer is taken as its
//! polynomial ([`Term`]), depth first, with the terms of one branch at a time. Time, for one point, about
//! that of one step of training on the field of one node; memory a few blocks an order.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Explainer;
use super::integral::Curve;
use crate::dense::{Block, Rows, RowsMut, Update, multiply, multiply_by_transpose};
use crate::nn::activation::{activate, activate_back, add_bias};
use crate::nn::layer::Widths;
use crate::nn::network::LayerSpec;
use crate::nn::term::{Branch, Term};
use crate::nn::{Propagator, ReceptiveField};
use crate::sparse::OperatorParts;

/// A network on all that the logits of one node depend on.
pub(super) struct Trace<'a> {
    explainer: &'a Explainer<'a>,
    /// By layer.
    terms: &'a [Term<'a>],
    class: usize,
    /// The node is the first in it.
    field: ReceptiveField,
    propagator: Propagator<f64>,
    /// The features of the nodes of the field, in its order.
    features: Block<f64>,
    /// By operator: the entries in the row of the node.
    own_rows: Vec<OwnRow>,
}

/// The entries of an operator in the row of the node that is explained.
struct OwnRow {
    /// Where their slopes are among all.
    slopes: Range<usize>,
    /// Place in the field and value.
    entries: Vec<(usize, f64)>,
}

impl<'a> Trace<'a> {
    pub(super) fn new(
        explainer: &'a Explainer<'a>,
        terms: &'a [Term<'a>],
        node: u32,
        class: usize,
    ) -> Self {
        let Explainer { network, graph, features, .. } = *explainer;
        let all_features = Rows::new(features, [explainer.n_nodes, network.n_features()]);
        let field = network.field(&[node], graph, explainer.n_nodes);
        let mut features = Block::zeros(field.nodes().len(), network.n_features());
        for (to, &node) in features.as_mut().iter_mut().zip(field.nodes()) {
            to.copy_from_slice(all_features.row(node as usize));
        }
        let places: FxHashMap<u32, usize> =
            field.nodes().iter().enumerate().map(|(place, &node)| (node, place)).collect();
        let mut end = graph.operators.len();
        let own_row = |parts: &&OperatorParts<f64>| {
            // A network that multiplies with no operator sees no neighbour.
            let entry = |(column, value)| Some((*places.get(&column)?, value));
            let entries: Vec<_> = parts.row(node as usize).into_iter().filter_map(entry).collect();
            let start = end;
            end += entries.len();
            OwnRow { slopes: start..end, entries }
        };
        let own_rows = graph.operators.iter().map(own_row).collect();
        let propagator = Propagator::new(&graph.operators, &field);
        Self { explainer, terms, class, field, propagator, features, own_rows }
    }

    pub(super) fn n_operators(&self) -> usize {
        self.own_rows.len()
    }

    /// The entries of an operator in the row of the node: the neighbour, and where among the slopes
    /// its own is.
    pub(super) fn neighbours(&self, operator: usize) -> impl Iterator<Item = (u32, usize)> {
        let OwnRow { slopes, entries } = &self.own_rows[operator];
        let nodes = entries.iter().map(|&(place, _)| self.field.nodes()[place]);
        nodes.zip(slopes.clone())
    }

    /// What every layer gives to the next; the last are the logits.
    fn forward(&self, gate: f64) -> Vec<Block<f64>> {
        let Explainer { network, parameters, .. } = *self.explainer;
        let mut hops = network.n_hops();
        let mut blocks: Vec<Block<f64>> = Vec::with_capacity(self.terms.len());
        for (layer, term) in network.layers().iter().zip(self.terms) {
            let x = blocks.last().unwrap_or(&self.features);
            let n_rows = self.field.size(hops - layer.n_hops);
            let mut y = Block::zeros(n_rows, layer.widths.output);
            self.expand(term, hops, gate, x.as_rows(), &mut y.as_mut());
            let bias = &parameters[layer.bias.clone()];
            if blocks.len() + 1 < self.terms.len() {
                let nodes = &self.field.nodes()[..n_rows];
                activate(y.as_mut(), bias, network.config().activation, None, nodes);
            } else {
                add_bias(y.as_mut(), bias);
            }
            hops -= layer.n_hops;
            blocks.push(y);
        }
        blocks
    }

    /// About how many multiplications [`Trace::expand`] makes for an output of `n_rows`.
    fn work_of(&self, term: &Term<'_>, hops: usize, n_rows: usize, widths: Widths) -> f64 {
        let [input, output] = [widths.input, widths.output].map(|width| width as f64);
        let own = if term.theta.is_some() { n_rows as f64 * input * output } else { 0.0 };
        let of_branch = |branch: &Branch<'_>| {
            let share = branch.operators.len() as f64 / self.n_operators() as f64;
            let entries = share * self.propagator.n_entries(hops - 1) as f64;
            entries * input + self.work_of(&branch.term, hops - 1, n_rows, widths)
        };
        own + term.branches.iter().map(of_branch).sum::<f64>()
    }

    /// y += what `term` and all below it add to the output, where x is the T of the term.
    fn expand(
        &self,
        term: &Term<'_>,
        hops: usize,
        gate: f64,
        x: Rows<'_, f64>,
        y: &mut RowsMut<'_, f64>,
    ) {
        if let Some(theta) = &term.theta {
            let theta = Rows::new(theta, [x.width(), y.width()]);
            multiply(x.first(y.n_rows()), theta, Update::Add, y.reborrow());
        }
        for branch in &term.branches {
            let product = self.product(branch, hops - 1, gate, x);
            self.expand(&branch.term, hops - 1, gate, product.as_rows(), y);
        }
    }

    fn product(&self, branch: &Branch<'_>, hop: usize, gate: f64, x: Rows<'_, f64>) -> Block<f64> {
        let alpha = gated(&branch.alpha, gate);
        let mut product = Block::zeros(self.propagator.size(hop), x.width());
        let operators = branch.operators.clone();
        self.propagator.forward(hop, operators, alpha.as_rows(), x, product.as_mut());
        product
    }

    /// The gradient of x, the T of the term, through the term and all below it; slopes by the gates
    /// are added to `slopes`.
    fn pull(
        &self,
        term: &Term<'_>,
        hops: usize,
        gate: f64,
        [x, dy]: [Rows<'_, f64>; 2],
        slopes: &mut [f64],
    ) -> Block<f64> {
        let mut dx = Block::zeros(self.propagator.size(hops), x.width());
        if let Some(theta) = &term.theta {
            let theta = Rows::new(theta, [x.width(), dy.width()]);
            multiply_by_transpose(dy, theta, Update::Add, dx.as_mut().first(dy.n_rows()));
        }
        self.pull_branches(term, hops, gate, [x, dy], Some(&mut dx), slopes);
        dx
    }

    /// Adds the gradient of x through what is below the term, where it is wanted, and the slopes.
    fn pull_branches(
        &self,
        term: &Term<'_>,
        hops: usize,
        gate: f64,
        [x, dy]: [Rows<'_, f64>; 2],
        mut dx: Option<&mut Block<f64>>,
        slopes: &mut [f64],
    ) {
        for branch in &term.branches {
            let hop = hops - 1;
            // Of the T of a leaf only the width is asked for.
            let is_leaf = branch.term.branches.is_empty();
            let product = (!is_leaf).then(|| self.product(branch, hop, gate, x));
            let t = product.as_ref().map_or(x, Block::as_rows);
            let g = self.pull(&branch.term, hop, gate, [t, dy], slopes);
            let alpha = gated(&branch.alpha, gate);
            let mut d_alpha = Block::zeros(branch.operators.len(), x.width());
            let blocks = [alpha.as_rows(), x, g.as_rows()];
            let into = dx.as_mut().map(|dx| (Update::Add, dx.as_mut()));
            let operators = branch.operators.clone();
            self.propagator.backward(hop, operators, blocks, into, d_alpha.as_mut());
            self.add_slopes(branch, x, g.as_rows().row(0), d_alpha.as_rows(), slopes);
        }
    }

    /// Adds the slopes that one product has, with `own_g` its gradient in the row of the node.
    fn add_slopes(
        &self,
        branch: &Branch<'_>,
        x: Rows<'_, f64>,
        own_g: &[f64],
        d_alpha: Rows<'_, f64>,
        slopes: &mut [f64],
    ) {
        let operators = branch.operators.clone().zip(branch.alpha.as_rows().iter());
        for ((operator, alpha), d_alpha) in operators.zip(d_alpha.iter()) {
            slopes[operator] += inner(alpha, d_alpha);
            let pulled: Vec<f64> = alpha.iter().zip(own_g).map(|(alpha, g)| alpha * g).collect();
            let OwnRow { slopes: range, entries } = &self.own_rows[operator];
            for (slope, &(place, value)) in slopes[range.clone()].iter_mut().zip(entries) {
                *slope += value * inner(&pulled, x.row(place));
            }
        }
    }
}

impl Curve for Trace<'_> {
    fn value(&self, gate: f64) -> f64 {
        self.forward(gate).last().map_or(0.0, |logits| logits.as_rows().row(0)[self.class])
    }

    fn slopes(&self, gate: f64) -> Vec<f64> {
        let network = self.explainer.network;
        let blocks = self.forward(gate);
        let n_slopes = self.own_rows.last().map_or(0, |row| row.slopes.end);
        let mut slopes = vec![0.0; n_slopes];
        let mut dy = Block::zeros(1, network.n_classes());
        dy.as_mut().row_mut(0)[self.class] = 1.0;
        let mut hops = 0;
        for (at, (layer, term)) in network.layers().iter().zip(self.terms).enumerate().rev() {
            if at + 1 < self.terms.len() {
                let nodes = &self.field.nodes()[..dy.n_rows()];
                let (h, activation) = (blocks[at].as_rows(), network.config().activation);
                let mut d_bias = vec![0.0; dy.width()];
                activate_back(dy.as_mut(), h, activation, None, nodes, &mut d_bias);
            }
            hops += layer.n_hops;
            if at == 0 {
                // Nobody asks for the gradient of the features.
                let blocks = [self.features.as_rows(), dy.as_rows()];
                self.pull_branches(term, hops, gate, blocks, None, &mut slopes);
            } else {
                let blocks = [blocks[at - 1].as_rows(), dy.as_rows()];
                dy = self.pull(term, hops, gate, blocks, &mut slopes);
            }
        }
        slopes
    }

    fn n_summed(&self) -> usize {
        self.n_operators()
    }

    fn work(&self) -> f64 {
        let network = self.explainer.network;
        let mut hops = network.n_hops();
        let of_layer = |(layer, term): (&LayerSpec, &Term<'_>)| {
            let n_rows = self.field.size(hops - layer.n_hops);
            let work = self.work_of(term, hops, n_rows, layer.widths);
            hops -= layer.n_hops;
            work
        };
        network.layers().iter().zip(self.terms).map(of_layer).sum()
    }
}

fn gated(alpha: &Block<f64>, gate: f64) -> Block<f64> {
    let mut gated = Block::copy_of(alpha.as_rows());
    gated.as_mut().iter_mut().flatten().for_each(|alpha| *alpha *= gate);
    gated
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
