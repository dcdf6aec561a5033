//! A network on the rows that a loss sees: forward, and back.

use std::sync::Arc;

use super::activation::{activate, activate_back, drop_input, sum_rows};
use super::dropout::Dropout;
use super::layer::Layer;
use super::loss::{LossTarget, Scores, cross_entropy, largest};
use super::{Network, Propagator, ReceptiveField};
use crate::dense::Real;
use crate::sparse::OperatorParts;

/// What a pass is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Gradients, with dropout.
    Training,
    /// Outputs, without.
    Evaluation,
}

/// A network bound to the nodes whose outputs are wanted, with all the room that it needs.
pub struct Pass<T> {
    network: Arc<Network>,
    field: ReceptiveField,
    purpose: Purpose,
    /// The features of the nodes of the field, in its order.
    features: Vec<T>,
    layers: Vec<Box<dyn Layer<T>>>,
    /// The features with entries dropped; empty if none ever is.
    input: Vec<T>,
    /// What every layer gives to the next; the last are the outputs.
    blocks: Vec<Vec<T>>,
    /// Their gradients.
    gradients: Vec<Vec<T>>,
    parameter_gradients: Vec<T>,
}

impl<T: Real> Pass<T> {
    /// Binds `network` to `targets`, the nodes whose outputs are wanted.
    ///
    /// `features` has a row for every node of the graph.
    ///
    /// # Panics
    /// If the sizes do not fit, or a target is named twice.
    pub fn new(
        network: &Arc<Network>,
        operators: &[&OperatorParts<T>],
        features: &[T],
        targets: &[u32],
        purpose: Purpose,
    ) -> Self {
        let width = network.n_features();
        let n_nodes = features.len() / width;
        assert_eq!(features.len(), n_nodes * width, "a row of features for every node");
        let field = ReceptiveField::new(targets, network.n_hops(), operators, n_nodes);
        Self::on(field, network, operators, features, purpose)
    }

    /// The same on a field that is already known: that of the targets and of all operators.
    ///
    /// # Panics
    /// If the sizes do not fit.
    pub fn on(
        field: ReceptiveField,
        network: &Arc<Network>,
        operators: &[&OperatorParts<T>],
        features: &[T],
        purpose: Purpose,
    ) -> Self {
        let width = network.n_features();
        let n_nodes = features.len() / width;
        assert!(operators.iter().all(|parts| parts.n_nodes() == n_nodes), "operators on the nodes");
        assert_eq!(field.n_hops(), network.n_hops(), "a field as deep as the network");
        let propagator = Arc::new(Propagator::new(operators, &field));
        let rows = field.nodes().iter().map(|&node| &features[node as usize * width..][..width]);
        let features: Vec<T> = rows.flatten().copied().collect();

        let training = purpose == Purpose::Training;
        let input_is_dropped = training && network.layers()[0].dropout > 0.0;
        let mut hops = network.n_hops();
        let mut layers = Vec::new();
        let mut blocks = Vec::new();
        for (at, layer) in network.layers().iter().enumerate() {
            hops -= layer.n_hops;
            layers.push(layer.bind(&propagator, hops, at == 0 && !input_is_dropped, training));
            blocks.push(vec![T::default(); field.size(hops) * layer.widths.output]);
        }
        let zeros_like = |blocks: &[Vec<T>]| {
            blocks.iter().map(|block| vec![T::default(); block.len()]).collect::<Vec<_>>()
        };
        let n_gradients = if training { network.layout().n_parameters() } else { 0 };
        Self {
            network: network.clone(),
            purpose,
            layers,
            input: vec![T::default(); if input_is_dropped { features.len() } else { 0 }],
            gradients: if training { zeros_like(&blocks) } else { Vec::new() },
            parameter_gradients: vec![T::default(); n_gradients],
            blocks,
            features,
            field,
        }
    }

    /// The nodes that are computed, nearest to the loss first.
    pub fn field(&self) -> &ReceptiveField {
        &self.field
    }

    /// The outputs for the targets, in their order: rows × classes.
    pub fn outputs(&mut self, parameters: &[T]) -> &[T] {
        self.forward(parameters, None);
        self.blocks.last().map_or(&[], Vec::as_slice)
    }

    /// The class of largest output for each target, in their order.
    pub fn classes(&mut self, parameters: &[T]) -> Vec<u32> {
        let n_classes = self.network.n_classes();
        let rows = self.outputs(parameters).chunks_exact(n_classes);
        rows.map(|row| largest(row) as u32).collect()
    }

    /// How good the outputs are.
    pub fn evaluate(&mut self, parameters: &[T], target: &LossTarget) -> Scores {
        self.forward(parameters, None);
        let outputs = self.blocks.last_mut().expect("a network has a layer");
        cross_entropy(outputs, target, false)
    }

    /// The scores with what `step` drops, and the gradients of the loss by the parameters.
    ///
    /// # Panics
    /// If this is no pass for training.
    pub fn gradients(
        &mut self,
        parameters: &[T],
        target: &LossTarget,
        seed: u64,
        step: u64,
    ) -> (Scores, &[T]) {
        assert_eq!(self.purpose, Purpose::Training, "gradients come from a pass for training");
        self.forward(parameters, Some((seed, step)));
        let outputs = self.blocks.last().expect("a network has a layer");
        let gradient = self.gradients.last_mut().expect("a network has a layer");
        gradient.copy_from_slice(outputs);
        let scores = cross_entropy(gradient, target, true);
        self.backward(parameters, (seed, step));
        (scores, &self.parameter_gradients)
    }

    /// The dropout on the input of a layer.
    fn dropout(&self, layer: usize, draw: Option<(u64, u64)>) -> Option<Dropout> {
        let rate = self.network.layers().get(layer)?.dropout;
        let (seed, step) = draw?;
        (rate > 0.0).then(|| Dropout::new(rate, seed, layer, step))
    }

    fn forward(&mut self, parameters: &[T], draw: Option<(u64, u64)>) {
        let network = self.network.clone();
        let width = network.n_features();
        let first_dropout = self.dropout(0, draw);
        if let Some(dropout) = &first_dropout {
            drop_input(&self.features, &mut self.input, width, dropout, self.field.nodes());
        }
        for (at, layer) in network.layers().iter().enumerate() {
            let dropout = self.dropout(at + 1, draw);
            let (before, from_here) = self.blocks.split_at_mut(at);
            let first = if first_dropout.is_some() { &self.input } else { &self.features };
            let input = before.last().unwrap_or(first);
            let output = &mut from_here[0];
            self.layers[at].forward(parameters, input, output);
            let bias = &parameters[layer.bias.clone()];
            if at + 1 < network.layers().len() {
                let nodes = &self.field.nodes()[..output.len() / bias.len()];
                activate(output, bias, network.config().activation, dropout.as_ref(), nodes);
            } else {
                add_bias(output, bias);
            }
        }
    }

    fn backward(&mut self, parameters: &[T], draw: (u64, u64)) {
        let network = self.network.clone();
        let first_is_dropped = self.dropout(0, Some(draw)).is_some();
        let last = network.layers().len() - 1;
        for (at, layer) in network.layers().iter().enumerate().rev() {
            let dropout = self.dropout(at + 1, Some(draw));
            let (before, from_here) = self.gradients.split_at_mut(at);
            let dy = &mut from_here[0];
            let d_bias = &mut self.parameter_gradients[layer.bias.clone()];
            if at == last {
                sum_rows(dy, d_bias);
            } else {
                let activation = network.config().activation;
                let nodes = &self.field.nodes()[..dy.len() / d_bias.len()];
                activate_back(dy, &self.blocks[at], activation, dropout.as_ref(), nodes, d_bias);
            }
            let first = if first_is_dropped { &self.input } else { &self.features };
            let x = if at == 0 { first } else { &self.blocks[at - 1] };
            let dx = before.last_mut().map(Vec::as_mut_slice);
            self.layers[at].backward(parameters, x, dy, &mut self.parameter_gradients, dx);
        }
    }
}

fn add_bias<T: Real>(block: &mut [T], bias: &[T]) {
    for row in block.chunks_exact_mut(bias.len()) {
        for (value, &bias) in row.iter_mut().zip(bias) {
            *value += bias;
        }
    }
}
