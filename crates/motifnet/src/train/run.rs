//! From a data set and a model to how good it is.

use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::checkpoint::CHECKPOINT_FILE;
use super::config::TrainConfig;
use super::error::TrainError;
use super::fit::{Ending, Problem, fit, n_bytes, n_bytes_available};
use super::model::{ModelConfig, ModelKind};
use super::observer::Observer;
use super::operators::{OperatorSet, build_operators};
use super::predictor::Predictions;
use super::run_config::RunConfig;
use super::run_folder::RunFolder;
use super::state::TrainState;
use super::trained_model::{ModelDescription, TrainedModel};
use crate::data::{FeaturePipeline, NodeDataset, PreparedFeatures, Split};
use crate::dense::Block;
use crate::memory::Need;
use crate::nn::{LabelPropagation, Network, largest, propagate_labels};
use crate::progress::{Progress, Stop};

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

/// A model that has learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// How good it is.
    pub metrics: RunMetrics,
    /// What it learnt; nothing where nothing is trained.
    pub parameters: Vec<f32>,
}

/// What a run takes of memory.
pub(crate) struct Memory {
    pub(super) n_parameters: usize,
    pub(crate) n_bytes: u64,
    pub(crate) n_bytes_available: Option<u64>,
}

/// A data set and a model, ready to be trained on any split.
pub struct PreparedRun<'a> {
    dataset: &'a NodeDataset,
    config: RunConfig,
    pipeline: Option<Arc<FeaturePipeline>>,
    features: Arc<PreparedFeatures>,
    operators: Arc<OperatorSet>,
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
        let RunConfig { model, operators, .. } = &config;
        let operators = build_operators(&dataset.graph, model, operators, cache, progress)?;
        let (pipeline, features) = (pipeline.map(Arc::new), Arc::new(features));
        Ok(Self { dataset, config, pipeline, features, operators: Arc::new(operators) })
    }

    /// The same data and features for another network. Operators are shared where they are the same
    /// ones, so that a model at many orders has them once.
    ///
    /// # Errors
    /// If the model makes no network or an operator cannot be built.
    ///
    /// # Panics
    /// If one of the two has no features, as label propagation.
    pub fn with_model(
        &self,
        model: &ModelConfig,
        progress: &dyn Progress,
    ) -> Result<Self, TrainError> {
        assert!(self.pipeline.is_some(), "this run has no features to share");
        let network = model.network().expect("a network");
        Network::new(&network, 1, self.dataset.labels.n_classes(), model.n_matrices())?;
        let own = &self.config.model;
        let is_same = own.kind == model.kind
            && own.operators() == model.operators()
            && !model.kind.has_eigenbasis();
        let operators = match is_same {
            true => Arc::clone(&self.operators),
            false => {
                let config = &self.config.operators;
                let graph = &self.dataset.graph;
                Arc::new(build_operators(graph, model, config, None, progress)?)
            }
        };
        Ok(Self {
            dataset: self.dataset,
            config: RunConfig { model: model.clone(), ..self.config.clone() },
            pipeline: self.pipeline.clone(),
            features: Arc::clone(&self.features),
            operators,
        })
    }

    /// What was chosen.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// The features as the model gets them.
    pub fn features(&self) -> &PreparedFeatures {
        &self.features
    }

    /// The steps that made the features, fitted on this data set; none for a model without features.
    pub fn pipeline(&self) -> Option<&FeaturePipeline> {
        self.pipeline.as_deref()
    }

    /// The operators of the model.
    pub fn operators(&self) -> &OperatorSet {
        &self.operators
    }

    /// A number that tells this run from those with other data, another model or another split.
    pub fn fingerprint(&self, split: &Split, seed: u64) -> String {
        let mut hasher = FxHasher::default();
        let arcs = self.dataset.graph.outgoing();
        (arcs.offsets(), arcs.neighbors(), self.dataset.labels.of_nodes(), seed).hash(&mut hasher);
        (split.train(), split.validation(), split.test()).hash(&mut hasher);
        for number in arcs.weights().unwrap_or(&[]) {
            number.to_bits().hash(&mut hasher);
        }
        for number in &self.features.values {
            number.to_bits().hash(&mut hasher);
        }
        let RunConfig { model, operators, train, .. } = &self.config;
        format!("{model:?} {operators:?} {:?} {:?}", train.adam, train.class_weights)
            .hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }

    /// The network, if the model is one.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn network(&self) -> Result<Option<Network>, TrainError> {
        let Some(config) = self.config.model.network() else { return Ok(None) };
        let n_classes = self.dataset.labels.n_classes();
        let n_matrices = self.operators.parts.len();
        Ok(Some(Network::new(&config, self.features.width, n_classes, n_matrices)?))
    }

    /// What training on `split` takes of memory.
    pub(crate) fn memory(&self, split: &Split) -> Result<Memory, TrainError> {
        let n_bytes_available = n_bytes_available(&self.config.train);
        let Some(network) = self.network()? else {
            let n_bytes = self.propagation_need().n_bytes;
            return Ok(Memory { n_parameters: 0, n_bytes, n_bytes_available });
        };
        let graph = self.operators.view();
        let field = |nodes| network.field(nodes, &graph, self.dataset.n_nodes());
        let fields = [split.train(), split.validation(), split.test()].map(field);
        let n_parameters = network.layout().n_parameters();
        let writing = self.writing_need(n_parameters).map_or(0, |need| need.n_bytes);
        let n_bytes = n_bytes(&network, &graph, &fields).max(writing);
        Ok(Memory { n_parameters, n_bytes, n_bytes_available })
    }

    /// What it takes to write what is learnt; none where nothing is.
    fn writing_need(&self, n_parameters: usize) -> Option<Need> {
        let pipeline = self.pipeline.as_ref()?;
        Some(TrainedModel::writing_need(pipeline, n_parameters))
    }

    fn propagation_need(&self) -> Need {
        LabelPropagation::need(&self.operators.parts[0], self.dataset.labels.n_classes())
    }

    /// Where the run in `folder` left off; `None` if it has no checkpoint.
    ///
    /// # Errors
    /// If the checkpoint cannot be read, or belongs to another run.
    pub fn take_up(
        &self,
        folder: &RunFolder,
        split: &Split,
        seed: u64,
    ) -> Result<Option<TrainState>, TrainError> {
        let path = folder.file(CHECKPOINT_FILE);
        let Some(network) = self.network()?.filter(|_| path.exists()) else {
            return Ok(None);
        };
        folder.check_file(CHECKPOINT_FILE)?;
        let n_parameters = network.layout().n_parameters();
        let fingerprint = self.fingerprint(split, seed);
        TrainState::read(&path, &fingerprint, n_parameters, &self.config.train).map(Some)
    }

    /// Writes what was learnt to the folder of a run; of a model that learns nothing, nothing.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_model(&self, trained: &Trained, folder: &RunFolder) -> Result<(), TrainError> {
        match self.model(trained)? {
            Some(model) => model.write(folder),
            None => Ok(()),
        }
    }

    /// What was learnt, with all that it needs to be asked about another graph; `None` of a model that
    /// learns nothing.
    ///
    /// # Errors
    /// If the parameters are not those of the model.
    pub fn model(&self, trained: &Trained) -> Result<Option<TrainedModel>, TrainError> {
        let Some(pipeline) = &self.pipeline else { return Ok(None) };
        let kind = self.config.model.kind;
        let description = ModelDescription {
            version: ModelDescription::VERSION,
            sum: None,
            classes: self.dataset.labels.classes().to_vec(),
            features: self.dataset.contract.features.clone(),
            n_columns: pipeline.n_columns_in(),
            columns: self.dataset.feature_names.clone(),
            steps: pipeline.steps(),
            graph: (!kind.can_move()).then(|| self.dataset.graph.checksum()),
            model: self.config.model.clone(),
            operators: self.config.operators,
        };
        let parameters = trained.parameters.clone();
        TrainedModel::new(description, Arc::clone(pipeline), parameters).map(Some)
    }

    /// Trains the model on `split` with `seed`, from `start` on or from the beginning; `None` if the
    /// observer paused the run.
    ///
    /// # Errors
    /// If the model makes no sense or does not fit in memory, the loss ceases to be a number, or the
    /// observer fails.
    pub fn run(
        &self,
        split: &Split,
        seed: u64,
        start: Option<TrainState>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Trained>, TrainError> {
        let Some(network) = self.config.model.network() else {
            self.propagation_need().check_within(n_bytes_available(&self.config.train))?;
            let metrics = self.propagate_labels(split, observer.stop());
            return Ok(metrics.map(|metrics| Trained { metrics, parameters: Vec::new() }));
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
        let config = TrainConfig { seed, ..self.config.train };
        // Before hours are spent on what cannot be kept.
        if let Some(network) = self.network()?
            && let Some(need) = self.writing_need(network.layout().n_parameters())
        {
            need.check_within(n_bytes_available(&config))?;
        }
        let fitted = match fit(&network, &config, &problem, start, observer)? {
            Ending::Finished(fitted) => fitted,
            Ending::Paused(_) => return Ok(None),
        };
        let metrics = RunMetrics {
            test_accuracy: fitted.test.map(|scores| scores.accuracy),
            val_accuracy: fitted.validation.accuracy,
            train_accuracy: Some(fitted.train.accuracy),
            test_loss: fitted.test.map(|scores| scores.loss),
            val_loss: Some(fitted.validation.loss),
            train_loss: Some(fitted.train.loss),
            best_epoch: fitted.best_epoch,
            epochs: fitted.n_epochs,
            parameters: fitted.parameters.len(),
        };
        Ok(Some(Trained { metrics, parameters: fitted.parameters }))
    }

    /// What label propagation says of every node: the scores of the classes, divided by their sum;
    /// the shares of the classes among the training nodes where no label arrives. `None` of a model
    /// that is none.
    pub fn propagated(&self, split: &Split) -> Option<Predictions> {
        if self.config.model.network().is_some() {
            return None;
        }
        let labels = &self.dataset.labels;
        let (n_nodes, n_classes) = (self.dataset.n_nodes(), labels.n_classes());
        let mut shares = vec![0.0; n_classes];
        let known: Vec<u32> = split.train().iter().filter_map(|&node| labels.of(node)).collect();
        known.iter().for_each(|&class| shares[class as usize] += 1.0 / known.len() as f32);
        let scores = self.label_scores(split, Stop::NEVER)?;
        let mut probabilities = Vec::with_capacity(n_nodes * n_classes);
        for row in scores.as_rows().iter() {
            let total: f32 = row.iter().sum();
            match total > 0.0 {
                true => probabilities.extend(row.iter().map(|score| score / total)),
                false => probabilities.extend_from_slice(&shares),
            }
        }
        let nodes = (0..n_nodes as u32).collect();
        Some(Predictions { nodes, n_classes, probabilities })
    }

    fn label_scores(&self, split: &Split, stop: Stop<'_>) -> Option<Block<f32>> {
        let labels = &self.dataset.labels;
        let known = split.train().iter().filter_map(|&node| Some((node, labels.of(node)?)));
        let known: Vec<(u32, u32)> = known.collect();
        let config = LabelPropagation::default();
        let operator = &self.operators.parts[0];
        propagate_labels(&config, operator, &known, labels.n_classes(), stop)
    }

    fn propagate_labels(&self, split: &Split, stop: Stop<'_>) -> Option<RunMetrics> {
        let labels = &self.dataset.labels;
        let scores = self.label_scores(split, stop)?;
        let is_right = |&&node: &&u32| {
            labels.of(node) == Some(largest(scores.as_rows().row(node as usize)) as u32)
        };
        let accuracy =
            |nodes: &[u32]| nodes.iter().filter(is_right).count() as f64 / nodes.len() as f64;
        let test = split.test();
        Some(RunMetrics {
            test_accuracy: (!test.is_empty()).then(|| accuracy(test)),
            val_accuracy: accuracy(split.validation()),
            train_accuracy: None,
            test_loss: None,
            val_loss: None,
            train_loss: None,
            best_epoch: 0,
            epochs: 0,
            parameters: 0,
        })
    }
}
