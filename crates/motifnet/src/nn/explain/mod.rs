//! Why a network gives a node its class: one logit, split among the operators and the neighbours.
//!
//! Let f(t) be the logit of a class at a node, without dropout, where every operator Δ_k is replaced by tΔ_k: f(1)
//! is the network's, f(0) that of a network that sees no arc. Integrated gradients (Sundararajan, Taly, Yan
//! 2017) along that path give every entry of every operator a share of what the graph changed,
//!
//! share_k[r, j] = Δ_k[r, j] ∫₀¹ ∂f/∂(tΔ_k[r, j]) dt,  Σ_k Σ_{r, j} share_k[r, j] = f(1) − f(0).
//!
//! Added up over all entries they are the share of the operator; those in the row of the node itself, over all
//! layers, are the parts of its neighbours; the rest came in through the rows of other nodes.

mod integral;
#[cfg(test)]
mod properties;
mod trace;

use std::sync::Arc;

pub use integral::ExplainConfig;

use self::integral::integrate;
use self::trace::Trace;
use super::term::{NoSplit, Term};
use super::{GraphView, Network, Pass, Purpose};
use crate::memory::MemoryError;
use crate::progress::Progress;
use crate::spectral::Eigenbasis;

/// A trained network and a graph, to ask about nodes.
///
/// In 64 bits throughout, so that parts add up to what they are parts of; an operator in 32 bits is
/// turned by [`OperatorParts::to_f64`](crate::sparse::OperatorParts::to_f64).
pub struct Explainer<'a> {
    network: &'a Arc<Network>,
    graph: &'a GraphView<'a, f64>,
    features: &'a [f64],
    parameters: &'a [f64],
    n_nodes: usize,
    /// Every layer as a polynomial of the operators.
    terms: Result<Vec<Term<'a>>, NoSplit>,
}

/// Why a node gets the logit of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeExplanation {
    /// The node.
    pub node: u32,
    /// The class.
    pub class: usize,
    /// Its logit.
    pub logit: f64,
    /// What of it is the graph's, and through what; or why that cannot be told.
    pub split: Result<GraphSplit, NoSplit>,
}

/// What a graph does to a logit.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct GraphSplit {
    /// The logit with all operators zero: what the node's own features give (in GCN, whose operator has
    /// the node itself as a neighbour, the biases alone).
    pub logit_without_graph: f64,
    /// By operator: its share of the change from that to the logit.
    pub shares: Vec<f64>,
    /// How far the shares' sum is from that change.
    pub gap: f64,
    /// Whoever has an entry in the node's own row of an operator, those that did most first. The
    /// node itself may be among them: its entry on the diagonal.
    pub neighbours: Vec<Neighbour>,
    /// By operator: what came in through the rows of other nodes. With what the neighbours did it is
    /// the share.
    pub beyond: Vec<f64>,
}

/// What one neighbour did, through the node's own row, in all layers.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Neighbour {
    /// The neighbour.
    pub node: u32,
    /// By operator.
    pub by_operator: Vec<f64>,
    /// Over all operators.
    pub total: f64,
}

/// What cannot be explained.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum ExplainError {
    /// A size that does not fit the network.
    #[error("{what}: {found}, where the network wants {expected}; give it what it was trained on")]
    Size {
        /// What it is the size of.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A node that is not there.
    #[error("there is no node {node}: the graph has {n_nodes}, numbered from 0")]
    NoSuchNode {
        /// The node.
        node: u32,
        /// How many there are.
        n_nodes: usize,
    },
    /// A class that is not there.
    #[error("there is no class {class}: the network has {n_classes}, numbered from 0")]
    NoSuchClass {
        /// The class.
        class: usize,
        /// How many there are.
        n_classes: usize,
    },
    /// A logit that is not a number.
    #[error(
        "the logit of class {class} at node {node} is {logit}; look for infinite numbers among features \
         and parameters"
    )]
    NotFinite {
        /// The node.
        node: u32,
        /// The class.
        class: usize,
        /// Its logit.
        logit: f64,
    },
    /// Less memory than it would take.
    #[error("{0}")]
    Memory(#[from] MemoryError),
}

impl<'a> Explainer<'a> {
    /// Takes a network with its parameters, and the graph and features (a row for every node) that
    /// it is asked about.
    ///
    /// # Errors
    /// If the sizes do not fit.
    pub fn new(
        network: &'a Arc<Network>,
        graph: &'a GraphView<'a, f64>,
        features: &'a [f64],
        parameters: &'a [f64],
    ) -> Result<Self, ExplainError> {
        let n_nodes = features.len() / network.n_features();
        let n_vectors = network.config().conv.n_eigenvectors();
        let mut sizes = vec![
            ("numbers of features", features.len(), n_nodes * network.n_features()),
            ("parameters", parameters.len(), network.layout().n_parameters()),
            ("operators", graph.operators.len(), network.n_operators()),
            ("eigenvectors", graph.eigenbasis.map_or(0, Eigenbasis::len), n_vectors.unwrap_or(0)),
        ];
        let of_operators = graph.operators.iter().map(|parts| parts.n_nodes());
        sizes.extend(of_operators.map(|size| ("nodes of an operator", size, n_nodes)));
        let of_basis = graph.eigenbasis.map(Eigenbasis::n_nodes);
        sizes.extend(of_basis.map(|size| ("nodes of the eigenvectors", size, n_nodes)));
        for (what, found, expected) in sizes {
            if found != expected {
                return Err(ExplainError::Size { what, found, expected });
            }
        }
        let layers = network.layers().iter();
        let terms = layers.map(|layer| layer.polynomial(parameters, network.n_operators()));
        let terms = terms.collect();
        Ok(Self { network, graph, features, parameters, n_nodes, terms })
    }

    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// The logits of every class at `node`.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn logits(&self, node: u32) -> Result<Vec<f64>, ExplainError> {
        let n_nodes = self.n_nodes;
        if node as usize >= n_nodes {
            return Err(ExplainError::NoSuchNode { node, n_nodes });
        }
        let (features, purpose) = (self.features, Purpose::Evaluation);
        let mut pass = Pass::new(self.network, self.graph, features, &[node], purpose);
        Ok(pass.outputs(self.parameters).row(0).to_vec())
    }

    /// Splits the logit of `class` at `node`.
    ///
    /// Halves the path until what is left is within the tolerance, or the points or the work are used up; the
    /// gap is told either way. Time: as that many steps of training with one node.
    ///
    /// # Errors
    /// If there is no such node or class, or the logit is not a number.
    pub fn explain(
        &self,
        node: u32,
        class: usize,
        config: &ExplainConfig,
        progress: &dyn Progress,
    ) -> Result<NodeExplanation, ExplainError> {
        let logits = self.logits(node)?;
        let n_classes = logits.len();
        let &logit = logits.get(class).ok_or(ExplainError::NoSuchClass { class, n_classes })?;
        if !logit.is_finite() {
            return Err(ExplainError::NotFinite { node, class, logit });
        }
        let split = match &self.terms {
            Ok(terms) => split(&Trace::new(self, terms, node, class), logit, config, progress),
            Err(reason) => Err(*reason),
        };
        Ok(NodeExplanation { node, class, logit, split })
    }
}

fn split(
    trace: &Trace<'_>,
    logit: f64,
    config: &ExplainConfig,
    progress: &dyn Progress,
) -> Result<GraphSplit, NoSplit> {
    let integral = integrate(trace, config, progress).ok_or(NoSplit::Work)?;
    let logit_without_graph = integral.ends[0];
    let n_operators = trace.n_operators();
    let shares = integral.parts[..n_operators].to_vec();
    let mut beyond = shares.clone();
    let mut neighbours: Vec<Neighbour> = Vec::new();
    let mut numbers = rustc_hash::FxHashMap::default();
    for (operator, beyond) in beyond.iter_mut().enumerate() {
        for (node, slope) in trace.neighbours(operator) {
            let part = integral.parts[slope];
            let at = *numbers.entry(node).or_insert_with(|| {
                let by_operator = vec![0.0; n_operators];
                neighbours.push(Neighbour { node, by_operator, total: 0.0 });
                neighbours.len() - 1
            });
            neighbours[at].by_operator[operator] = part;
            neighbours[at].total += part;
            *beyond -= part;
        }
    }
    neighbours.sort_by(|a, b| b.total.abs().total_cmp(&a.total.abs()).then(a.node.cmp(&b.node)));
    // The logit is that of the layers as they were trained: a gap tells, too, if they were not the
    // polynomials that are integrated.
    let gap = (shares.iter().sum::<f64>() - (logit - logit_without_graph)).abs();
    Ok(GraphSplit { logit_without_graph, shares, gap, neighbours, beyond })
}
