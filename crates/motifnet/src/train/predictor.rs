//! A trained model asked about nodes, of its own graph or of another.

use std::path::Path;

use super::error::TrainError;
use super::operators::{OperatorSet, build_operators};
use super::trained_model::{ModelDescription, TrainedModel};
use super::wide_predictor::WidePredictor;
use crate::data::{Features, NodeDataset, PreparedFeatures};
use crate::memory::{MemoryError, Need};
use crate::nn::{Pass, Purpose};
use crate::progress::Progress;

/// A trained model on a graph.
pub struct Predictor<'a> {
    model: &'a TrainedModel,
    n_nodes: usize,
    features: PreparedFeatures,
    operators: OperatorSet,
    /// What there is to know of how the features were taken.
    pub notes: Vec<String>,
}

/// What a model says of some nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Predictions {
    /// The nodes.
    pub nodes: Vec<u32>,
    /// Number of classes.
    pub n_classes: usize,
    /// The probability of every class, node after node.
    pub probabilities: Vec<f32>,
}

impl Predictions {
    /// The probabilities of the node at a place of the list.
    pub fn row(&self, place: usize) -> &[f32] {
        &self.probabilities[place * self.n_classes..][..self.n_classes]
    }

    /// The likeliest class of the node at a place of the list, and its probability.
    pub fn likeliest(&self, place: usize) -> (u32, f32) {
        let row = self.row(place);
        let class = crate::nn::largest(row);
        (class as u32, row[class])
    }
}

impl<'a> Predictor<'a> {
    /// Takes a data set with the features that the model was trained on. What takes long to find and is
    /// worth keeping is looked for in the folder `cache`.
    ///
    /// # Errors
    /// If the features are not those of the model, an operator cannot be built, or what the model learnt means
    /// nothing on this graph.
    pub fn new(
        model: &'a TrainedModel,
        dataset: &NodeDataset,
        cache: Option<&Path>,
        progress: &dyn Progress,
    ) -> Result<Self, TrainError> {
        let description = &model.description;
        let is_another = |graph: &String| *graph != dataset.graph.checksum();
        if description.graph.as_ref().is_some_and(is_another) {
            return Err(TrainError::AnotherGraph { model: description.model.kind });
        }
        let mut notes = Vec::new();
        let columns = columns_of(model, dataset, &mut notes)?;
        let n_nodes = dataset.n_nodes();
        let selected;
        let features = match &columns {
            Some(columns) => {
                selected = dataset.features.columns(columns);
                &selected
            }
            None => &dataset.features,
        };
        let features = model.pipeline.apply(features, n_nodes)?;
        let ModelDescription { model: config, operators, .. } = description;
        let operators = build_operators(&dataset.graph, config, operators, cache, progress)?;
        Ok(Self { model, n_nodes, features, operators, notes })
    }

    /// The features as the network gets them.
    pub fn features(&self) -> &PreparedFeatures {
        &self.features
    }

    /// The model that is asked.
    pub(super) fn model(&self) -> &TrainedModel {
        self.model
    }

    /// What the network works on.
    pub fn operators(&self) -> &OperatorSet {
        &self.operators
    }

    /// The probability of every class for `nodes`, each named once: the softmax of the outputs.
    ///
    /// # Errors
    /// If it does not fit in memory.
    pub fn probabilities(&self, nodes: &[u32]) -> Result<Predictions, TrainError> {
        let mut pass = self.pass(nodes)?;
        let outputs = pass.outputs(&self.model.parameters);
        let mut probabilities = Vec::with_capacity(nodes.len() * outputs.width());
        outputs.iter().for_each(|row| probabilities.extend(softmax(row)));
        Ok(Predictions { nodes: nodes.to_vec(), n_classes: outputs.width(), probabilities })
    }

    /// The last hidden layer for `nodes`, each named once: the width, and the numbers node after node.
    ///
    /// # Errors
    /// If the network has no hidden layer, or it does not fit in memory.
    pub fn embeddings(&self, nodes: &[u32]) -> Result<(usize, Vec<f32>), TrainError> {
        let mut pass = self.pass(nodes)?;
        let hidden = pass.hidden(&self.model.parameters).ok_or(TrainError::NoHiddenLayer)?;
        let mut values = Vec::with_capacity(nodes.len() * hidden.width());
        hidden.first(nodes.len()).iter().for_each(|row| values.extend_from_slice(row));
        Ok((hidden.width(), values))
    }

    /// The same model and graph in 64 bits, to explain nodes with.
    ///
    /// # Errors
    /// If it does not fit in memory.
    pub fn widened(&self) -> Result<WidePredictor<'_>, MemoryError> {
        WidePredictor::new(self)
    }

    fn pass(&self, nodes: &[u32]) -> Result<Pass<f32>, TrainError> {
        let network = &self.model.network;
        let graph = self.operators.view();
        let field = network.field(nodes, &graph, self.n_nodes);
        let need = Need {
            what: "asking about these nodes",
            n_bytes: network.pass_bytes(&field, &graph, Purpose::Evaluation),
            remedy: "ask about fewer at a time",
        };
        need.check()?;
        Ok(Pass::on(field, network, &graph, &self.features.values, Purpose::Evaluation))
    }
}

/// e^x over its sum, safe from overflow.
fn softmax(logits: &[f32]) -> impl Iterator<Item = f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = move |&logit: &f32| libm::exp(f64::from(logit) - f64::from(most));
    let total: f64 = logits.iter().map(powers).sum();
    logits.iter().map(move |logit| (powers(logit) / total) as f32)
}

/// Where the model's columns are among those of a data set; `None` where they stand as they are.
fn columns_of(
    model: &TrainedModel,
    dataset: &NodeDataset,
    notes: &mut Vec<String>,
) -> Result<Option<Vec<u32>>, TrainError> {
    let (Some(wanted), Some(found)) = (&model.description.columns, &dataset.feature_names) else {
        return Ok(None);
    };
    if wanted == found || dataset.features == Features::None {
        return Ok(None);
    }
    for names in [wanted, found] {
        let mut seen = std::collections::HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(TrainError::RepeatedColumn { name: name.clone() });
        }
    }
    let place = |name: &String| found.iter().position(|other| other == name);
    let missing: Vec<&String> = wanted.iter().filter(|name| place(name).is_none()).collect();
    if let Some(first) = missing.first() {
        let (n_missing, first) = (missing.len(), (*first).clone());
        return Err(TrainError::MissingColumns { n_missing, n_wanted: wanted.len(), first });
    }
    let n_left = found.len() - wanted.len();
    if n_left > 0 {
        let left = found.iter().find(|name| !wanted.contains(name));
        let example = left.map_or(String::new(), |name| format!(", such as {name:?}"));
        notes.push(format!("{n_left} columns of features are not the model's{example}"));
    }
    Ok(Some(wanted.iter().filter_map(place).map(|place| place as u32).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_add_up_and_do_not_overflow() {
        let found: Vec<f32> = softmax(&[1000.0, 999.0, -1000.0]).collect();
        assert!((found.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((found[0] / found[1] - std::f32::consts::E).abs() < 1e-5);
        assert_eq!(found[2], 0.0);
    }
}
