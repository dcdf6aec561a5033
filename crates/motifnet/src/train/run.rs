//! From a data set and a model to how good it is.

use std::path::Path;

use super::config::TrainConfig;
use super::error::TrainError;
use super::fit::{Problem, fit};
use super::model::{ModelConfig, ModelKind};
use super::observer::Observer;
use super::operators::{OperatorSet, build_operators};
use crate::data::{FeatureConfig, FeaturePipeline, NodeDataset, PreparedFeatures, Split};
use crate::motif::MotifSpec;
use crate::nn::{LabelPropagation, Network, largest, propagate_labels};
use crate::progress::Progress;
use crate::spectral::LaplacianConfig;

/// All that is chosen for a run, but the data and the seed of a repetition.
#[derive(Clone, Debug, PartialEq)]
pub struct RunConfig {
    /// The model.
    pub model: ModelConfig,
    /// What the entries of motif matrices count.
    pub spec: MotifSpec,
    /// Which Laplacian of them the model works on.
    pub laplacian: LaplacianConfig,
    /// How the features are prepared.
    pub features: FeatureConfig,
    /// How the model is trained.
    pub train: TrainConfig,
}

/// How good a trained model is.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RunMetrics {
    /// The share of test nodes that are right; none without test nodes.
    pub test_accuracy: Option<f64>,
    /// The share of validation nodes that are right.
    pub val_accuracy: f64,
    /// The share of training nodes that are right, with dropout; none where nothing is trained.
    pub train_accuracy: Option<f64>,
    /// Cross-entropy of the test nodes.
    pub test_loss: Option<f64>,
    /// Cross-entropy of the validation nodes; none where nothing is trained.
    pub val_loss: Option<f64>,
    /// Cross-entropy of the training nodes, with dropout.
    pub train_loss: Option<f64>,
    /// The epoch of least validation loss, from 1 on; 0 where nothing is trained.
    pub best_epoch: usize,
    /// How many epochs were run.
    pub epochs: usize,
    /// How many numbers the model learns.
    pub parameters: usize,
}

/// A data set and a model, ready to be trained on any split.
pub struct PreparedRun<'a> {
    dataset: &'a NodeDataset,
    config: RunConfig,
    pipeline: Option<FeaturePipeline>,
    features: PreparedFeatures,
    operators: OperatorSet,
}

impl<'a> PreparedRun<'a> {
    /// Prepares the features and builds the operators: what all splits share. What takes long to
    /// find and is worth keeping is looked for in the folder `cache`, and left there.
    ///
    /// # Errors
    /// If the data set has no labels or lacks the features that the model needs, or an operator
    /// cannot be built.
    pub fn new(
        dataset: &'a NodeDataset,
        config: &RunConfig,
        cache: Option<&Path>,
        progress: &dyn Progress,
    ) -> Result<Self, TrainError> {
        if dataset.labels.n_labelled() == 0 {
            return Err(TrainError::NoLabels { name: dataset.name.clone() });
        }
        // What makes no network is told before any work.
        if let Some(network) = config.model.network() {
            let n_matrices = config.model.n_matrices();
            Network::new(&network, 1, dataset.labels.n_classes(), n_matrices)?;
        }
        let n_nodes = dataset.n_nodes();
        let pipeline = match config.model.kind {
            ModelKind::Labelprop => None,
            _ => {
                let steps = &config.features;
                Some(FeaturePipeline::fit(&dataset.features, n_nodes, steps, progress)?)
            }
        };
        let features = match &pipeline {
            Some(pipeline) => pipeline.apply(&dataset.features, n_nodes)?,
            None => PreparedFeatures { n_nodes, width: 0, values: Vec::new(), steps: Vec::new() },
        };
        let mut config = config.clone();
        config.model.eigenvectors = config.model.eigenvectors.min(n_nodes);
        let RunConfig { model, spec, laplacian, .. } = &config;
        let operators = build_operators(&dataset.graph, model, spec, laplacian, cache, progress)?;
        Ok(Self { dataset, config, pipeline, features, operators })
    }

    /// The features as the model gets them.
    pub fn features(&self) -> &PreparedFeatures {
        &self.features
    }

    /// The steps that made the features, fitted on this data set; none for a model without features.
    pub fn pipeline(&self) -> Option<&FeaturePipeline> {
        self.pipeline.as_ref()
    }

    /// The operators of the model.
    pub fn operators(&self) -> &OperatorSet {
        &self.operators
    }

    /// Trains the model on `split` with `seed`.
    ///
    /// # Errors
    /// If the model makes no sense or does not fit in memory, or the loss ceases to be a number.
    pub fn run(
        &self,
        split: &Split,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Result<RunMetrics, TrainError> {
        let Some(network) = self.config.model.network() else {
            return Ok(self.propagate_labels(split));
        };
        let graph = self.operators.view();
        let problem = Problem {
            graph: &graph,
            features: &self.features.values,
            n_features: self.features.width,
            labels: self.dataset.labels.of_nodes(),
            n_classes: self.dataset.labels.n_classes(),
            train: split.train(),
            validation: split.validation(),
            test: split.test(),
        };
        let fitted = fit(&network, &TrainConfig { seed, ..self.config.train }, &problem, observer)?;
        Ok(RunMetrics {
            test_accuracy: fitted.test.map(|scores| scores.accuracy),
            val_accuracy: fitted.validation.accuracy,
            train_accuracy: Some(fitted.train.accuracy),
            test_loss: fitted.test.map(|scores| scores.loss),
            val_loss: Some(fitted.validation.loss),
            train_loss: Some(fitted.train.loss),
            best_epoch: fitted.best_epoch,
            epochs: fitted.n_epochs,
            parameters: fitted.parameters.len(),
        })
    }

    fn propagate_labels(&self, split: &Split) -> RunMetrics {
        let labels = &self.dataset.labels;
        let n_classes = labels.n_classes();
        let known = split.train().iter().filter_map(|&node| Some((node, labels.of(node)?)));
        let known: Vec<(u32, u32)> = known.collect();
        let config = LabelPropagation::default();
        let scores = propagate_labels(&config, &self.operators.parts[0], &known, n_classes);
        let is_right = |&&node: &&u32| {
            labels.of(node) == Some(largest(scores.as_rows().row(node as usize)) as u32)
        };
        let accuracy =
            |nodes: &[u32]| nodes.iter().filter(is_right).count() as f64 / nodes.len() as f64;
        let test = split.test();
        RunMetrics {
            test_accuracy: (!test.is_empty()).then(|| accuracy(test)),
            val_accuracy: accuracy(split.validation()),
            train_accuracy: None,
            test_loss: None,
            val_loss: None,
            train_loss: None,
            best_epoch: 0,
            epochs: 0,
            parameters: 0,
        }
    }
}
