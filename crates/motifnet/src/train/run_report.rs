//! What a run found.

use serde::{Deserialize, Serialize};

use super::model::ModelKind;
use super::run::RunMetrics;
use super::run_config::RunConfig;
use super::statistics::{deviation, mean};
use crate::data::{NodeDataset, Split};

/// What a run found; metrics.json is this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// What the data set is called.
    pub dataset: String,
    /// Its nodes.
    pub n_nodes: usize,
    /// Its arcs.
    pub n_arcs: usize,
    /// Its classes.
    pub n_classes: usize,
    /// The model.
    pub model: ModelKind,
    /// Its order, if it has one.
    pub order: Option<usize>,
    /// Its heads, if it has any.
    pub heads: Option<usize>,
    /// Whether what is learnt means anything on another graph.
    pub can_move: bool,
    /// What it works on.
    pub operators: Vec<String>,
    /// Which pairs its motifs count for.
    pub support: String,
    /// How the nodes are split.
    pub split: String,
    /// Where all draws come from.
    pub seed: u64,
    /// The mean over the repetitions.
    pub test_accuracy: Option<f64>,
    /// The mean over the repetitions.
    pub val_accuracy: f64,
    /// The standard deviation, of n − 1; none of one repetition.
    pub test_accuracy_sd: Option<f64>,
    /// The standard deviation, of n − 1; none of one repetition.
    pub val_accuracy_sd: Option<f64>,
    /// How many numbers the model learns.
    pub parameters: usize,
    /// Every repetition.
    pub repeats: Vec<RepeatReport>,
}

/// What one repetition found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepeatReport {
    /// The number of its split, from 0.
    pub split: usize,
    /// Where its first weights and dropout come from.
    pub seed: u64,
    /// Training nodes.
    pub n_train: usize,
    /// Validation nodes.
    pub n_validation: usize,
    /// Test nodes.
    pub n_test: usize,
    /// How good it is.
    #[serde(flatten)]
    pub metrics: RunMetrics,
}

impl RepeatReport {
    /// Of the split with a `number`.
    pub fn new(number: usize, split: &Split, seed: u64, metrics: RunMetrics) -> Self {
        Self {
            split: number,
            seed,
            n_train: split.train().len(),
            n_validation: split.validation().len(),
            n_test: split.test().len(),
            metrics,
        }
    }
}

impl RunReport {
    /// Of no repetition yet.
    pub fn new(dataset: &NodeDataset, config: &RunConfig, split: String) -> Self {
        let model = &config.model;
        Self {
            dataset: dataset.name.clone(),
            n_nodes: dataset.n_nodes(),
            n_arcs: dataset.graph.n_arcs(),
            n_classes: dataset.labels.n_classes(),
            model: model.kind,
            order: model.kind.has_order().then_some(model.order),
            heads: (model.kind == ModelKind::MotifnetM).then_some(model.heads),
            can_move: model.kind.can_move(),
            operators: model.operators().into_iter().map(|kind| kind.name().to_owned()).collect(),
            support: config.operators.spec.support.name().to_owned(),
            split,
            seed: config.train.seed,
            test_accuracy: None,
            val_accuracy: 0.0,
            test_accuracy_sd: None,
            val_accuracy_sd: None,
            parameters: 0,
            repeats: Vec::new(),
        }
    }

    /// Adds a repetition.
    pub fn add(&mut self, repeat: RepeatReport) {
        self.parameters = repeat.metrics.parameters;
        self.repeats.push(repeat);
        let sample = |value: fn(&RunMetrics) -> Option<f64>| {
            self.repeats.iter().filter_map(|repeat| value(&repeat.metrics)).collect::<Vec<_>>()
        };
        let validation = sample(|metrics| Some(metrics.val_accuracy));
        let test = sample(|metrics| metrics.test_accuracy);
        self.val_accuracy = mean(&validation).unwrap_or(0.0);
        self.val_accuracy_sd = deviation(&validation);
        self.test_accuracy = mean(&test);
        self.test_accuracy_sd = deviation(&test);
    }

    /// The same of a single repetition.
    pub fn of_one(&self, repeat: &RepeatReport) -> Self {
        let mut one = Self { repeats: Vec::new(), ..self.clone() };
        one.add(repeat.clone());
        one
    }
}
