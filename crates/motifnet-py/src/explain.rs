//! Why a node gets its class, as Python sees it.

use motifnet::nn::NodeExplanation;
use motifnet::train::Predictions;
use pyo3::prelude::*;

/// Why a node gets the logit of a class.
#[pyclass(frozen, get_all, module = "motifnet._motifnet")]
pub(crate) struct Explained {
    node: u32,
    /// The place of the class.
    class_: usize,
    /// The probability of every class.
    probabilities: Vec<f32>,
    logit: f64,
    /// Why the graph's part cannot be told, if it cannot.
    why_not: Option<String>,
    logit_without_graph: f64,
    /// By operator.
    shares: Vec<f64>,
    /// How far the shares' sum is from the change of the logit.
    gap: f64,
    /// By operator: what came in through the rows of other nodes.
    beyond: Vec<f64>,
    /// Neighbours, those that did most first: node, total, and by operator.
    neighbours: Vec<(u32, f64, Vec<f64>)>,
}

impl Explained {
    pub(crate) fn new(found: NodeExplanation, predictions: &Predictions) -> Self {
        let mut explained = Self {
            node: found.node,
            class_: found.class,
            probabilities: predictions.row(0).to_vec(),
            logit: found.logit,
            why_not: None,
            logit_without_graph: found.logit,
            shares: Vec::new(),
            gap: 0.0,
            beyond: Vec::new(),
            neighbours: Vec::new(),
        };
        match found.split {
            Err(reason) => explained.why_not = Some(reason.to_string()),
            Ok(split) => {
                explained.logit_without_graph = split.logit_without_graph;
                (explained.shares, explained.beyond, explained.gap) =
                    (split.shares, split.beyond, split.gap);
                let neighbours = split.neighbours.into_iter();
                explained.neighbours =
                    neighbours.map(|near| (near.node, near.total, near.by_operator)).collect();
            }
        }
        explained
    }
}
