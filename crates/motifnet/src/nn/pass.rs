//! A network on the rows that a loss sees: forward, and back.

use std::sync::Arc;

use super::activation::{activate, activate_back, add_bias, add_bias_back, drop_input};
use super::dropout::Dropout;
use super::graph_view::CutGraph;
use super::layer::Layer;
use super::loss::{LossTarget, Scores, cross_entropy, largest};
use super::{GraphView, Network, ReceptiveField};
use crate::dense::{Block, Real, Rows};
use crate::progress::Stop;
use crate::spectral::Eigenbasis;

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
    features: Block<T>,
    layers: Vec<Box<dyn Layer<T>>>,
    /// The features with entries dropped, if any ever is.
    input: Option<Block<T>>,
    /// What every layer gives to the next; the last are the outputs.
    blocks: Vec<Block<T>>,
    /// Their gradients.
    gradients: Vec<Block<T>>,
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
        graph: &GraphView<'_, T>,
        features: &[T],
        targets: &[u32],
        purpose: Purpose,
    ) -> Self {
        let width = network.n_features();
        let n_nodes = features.len() / width;
        assert_eq!(features.len(), n_nodes * width, "a row of features for every node");
        let field = network.field(targets, graph, n_nodes);
        Self::on(field, network, graph, features, purpose)
    }

    /// The same on a field that is already known: that of the targets ([`Network::field`]).
    ///
    /// # Panics
    /// If the sizes do not fit.
    pub fn on(
        field: ReceptiveField,
        network: &Arc<Network>,
        graph: &GraphView<'_, T>,
        features: &[T],
        purpose: Purpose,
    ) -> Self {
        let width = network.n_features();
        let n_nodes = features.len() / width;
        let sizes = graph.operators.iter().map(|parts| parts.n_nodes());
        let sizes = sizes.chain(graph.eigenbasis.map(Eigenbasis::n_nodes));
        assert!(sizes.into_iter().all(|size| size == n_nodes), "a graph of the nodes");
        assert_eq!(field.n_hops(), network.n_hops(), "a field as deep as the network");
        let cut = CutGraph::new(graph, &field);
        let all_features = Rows::new(features, [n_nodes, width]);
        let mut features = Block::zeros(field.nodes().len(), width);
        for (to, &node) in features.as_mut().iter_mut().zip(field.nodes()) {
            to.copy_from_slice(all_features.row(node as usize));
        }

        let training = purpose == Purpose::Training;
        let input_is_dropped = training && network.layers()[0].dropout > 0.0;
        let mut hops = network.n_hops();
        let mut layers = Vec::new();
        let mut blocks = Vec::new();
        for (at, layer) in network.layers().iter().enumerate() {
            hops -= layer.n_hops;
            layers.push(layer.bind(&cut, hops, at == 0 && !input_is_dropped, training));
            blocks.push(Block::zeros(field.size(hops), layer.widths.output));
        }
        let n_gradients = if training { network.layout().n_parameters() } else { 0 };
        Self {
            network: network.clone(),
            purpose,
            layers,
            input: input_is_dropped.then(|| Block::zeros_like(&features)),
            gradients: blocks.iter().filter(|_| training).map(Block::zeros_like).collect(),
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
    pub fn outputs(&mut self, parameters: &[T]) -> Rows<'_, T> {
        self.forward(parameters, None, Stop::NEVER);
        self.blocks.last().expect("a network has a layer").as_rows()
    }

    /// What the layer before the last gives for the targets and perhaps others after them; `None` if there
    /// is but one layer.
    pub fn hidden(&mut self, parameters: &[T]) -> Option<Rows<'_, T>> {
        self.forward(parameters, None, Stop::NEVER);
        self.blocks.iter().nth_back(1).map(Block::as_rows)
    }

    /// The class of largest output for each target, in their order.
    pub fn classes(&mut self, parameters: &[T]) -> Vec<u32> {
        self.outputs(parameters).iter().map(|row| largest(row) as u32).collect()
    }

    /// How good the outputs are.
    pub fn evaluate(&mut self, parameters: &[T], target: &LossTarget) -> Scores {
        self.evaluate_until(Stop::NEVER, parameters, target).expect("nobody stops it")
    }

    /// As [`Pass::evaluate`]; `None` if `stop` was set on the way, and then nothing more is to be asked of the pass.
    pub fn evaluate_until(
        &mut self,
        stop: Stop<'_>,
        parameters: &[T],
        target: &LossTarget,
    ) -> Option<Scores> {
        self.forward(parameters, None, stop);
        if stop.is_set() {
            return None;
        }
        let outputs = self.blocks.last_mut().expect("a network has a layer");
        Some(cross_entropy(outputs.as_mut(), target, false))
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
        self.gradients_until(Stop::NEVER, parameters, target, [seed, step])
            .expect("nobody stops it")
    }

    /// As [`Pass::gradients`], with seed and step; `None` if `stop` was set on the way, and then nothing more is to be
    /// asked of the pass.
    ///
    /// # Panics
    /// If this is no pass for training.
    pub fn gradients_until(
        &mut self,
        stop: Stop<'_>,
        parameters: &[T],
        target: &LossTarget,
        [seed, step]: [u64; 2],
    ) -> Option<(Scores, &[T])> {
        assert_eq!(self.purpose, Purpose::Training, "gradients come from a pass for training");
        self.forward(parameters, Some((seed, step)), stop);
        if stop.is_set() {
            return None;
        }
        let outputs = self.blocks.last().expect("a network has a layer");
        let gradient = self.gradients.last_mut().expect("a network has a layer");
        gradient.as_mut().into_values().copy_from_slice(outputs.as_rows().values());
        let scores = cross_entropy(gradient.as_mut(), target, true);
        self.backward(parameters, (seed, step), stop);
        (!stop.is_set()).then_some((scores, &self.parameter_gradients))
    }

    /// The dropout on the input of a layer.
    fn dropout(&self, layer: usize, draw: Option<(u64, u64)>) -> Option<Dropout> {
        let rate = self.network.layers().get(layer)?.dropout;
        let (seed, step) = draw?;
        (rate > 0.0).then(|| Dropout::new(rate, seed, layer, step))
    }

    /// What the first layer is given.
    fn input(&self, is_dropped: bool) -> Rows<'_, T> {
        self.input.as_ref().filter(|_| is_dropped).unwrap_or(&self.features).as_rows()
    }

    /// Layer by layer, up to where `stop` is set.
    fn forward(&mut self, parameters: &[T], draw: Option<(u64, u64)>, stop: Stop<'_>) {
        let network = self.network.clone();
        let first_dropout = self.dropout(0, draw);
        if let (Some(dropout), Some(input)) = (&first_dropout, &mut self.input) {
            drop_input(self.features.as_rows(), input.as_mut(), dropout, self.field.nodes());
        }
        let mut blocks = std::mem::take(&mut self.blocks);
        let mut layers = std::mem::take(&mut self.layers);
        for (at, layer) in network.layers().iter().enumerate().take_while(|_| !stop.is_set()) {
            let dropout = self.dropout(at + 1, draw);
            let (before, from_here) = blocks.split_at_mut(at);
            let first = || self.input(first_dropout.is_some());
            let input = before.last().map_or_else(first, Block::as_rows);
            let mut output = from_here[0].as_mut();
            layers[at].forward(parameters, input, output.reborrow(), stop);
            let bias = &parameters[layer.bias.clone()];
            if at + 1 < network.layers().len() {
                let nodes = &self.field.nodes()[..output.n_rows()];
                activate(output, bias, network.config().activation, dropout.as_ref(), nodes);
            } else {
                add_bias(output, bias);
            }
        }
        (self.blocks, self.layers) = (blocks, layers);
    }

    fn backward(&mut self, parameters: &[T], draw: (u64, u64), stop: Stop<'_>) {
        let network = self.network.clone();
        let first_is_dropped = self.dropout(0, Some(draw)).is_some();
        let last = network.layers().len() - 1;
        let mut layers = std::mem::take(&mut self.layers);
        let mut gradients = std::mem::take(&mut self.gradients);
        let mut of_parameters = std::mem::take(&mut self.parameter_gradients);
        let from_last = network.layers().iter().enumerate().rev();
        for (at, layer) in from_last.take_while(|_| !stop.is_set()) {
            let dropout = self.dropout(at + 1, Some(draw));
            let (before, from_here) = gradients.split_at_mut(at);
            let dy = &mut from_here[0];
            let d_bias = &mut of_parameters[layer.bias.clone()];
            if at == last {
                add_bias_back(dy.as_rows(), d_bias);
            } else {
                let activation = network.config().activation;
                let nodes = &self.field.nodes()[..dy.n_rows()];
                let h = self.blocks[at].as_rows();
                activate_back(dy.as_mut(), h, activation, dropout.as_ref(), nodes, d_bias);
            }
            let x = match at {
                0 => self.input(first_is_dropped),
                _ => self.blocks[at - 1].as_rows(),
            };
            let dx = before.last_mut().map(Block::as_mut);
            layers[at].backward(parameters, x, dy.as_rows(), &mut of_parameters, dx, stop);
        }
        (self.layers, self.gradients) = (layers, gradients);
        self.parameter_gradients = of_parameters;
    }
}
