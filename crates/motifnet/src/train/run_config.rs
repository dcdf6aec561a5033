//! All that is chosen for a run.

use std::ops::RangeInclusive;

use super::config::TrainConfig;
use super::model::{ModelConfig, ModelKind};
use super::operators::OperatorConfig;
use crate::data::{DatasetSource, FeatureConfig, SplitSpec};

/// All that is chosen for a run; its tables are those of a configuration file.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RunConfig {
    /// What is learnt from.
    #[serde(default)]
    pub data: DatasetSource,
    /// How the features are prepared.
    pub features: FeatureConfig,
    /// The model.
    pub model: ModelConfig,
    /// The matrices it works on.
    pub operators: OperatorConfig,
    /// How it is trained.
    pub train: TrainConfig,
    /// How often, and what is kept.
    pub run: RepeatConfig,
}

/// How often a model is trained, and what is kept of it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RepeatConfig {
    /// Train on so many splits, one after the other.
    pub repeat: usize,
    /// The number of the first of them, from 0.
    pub first_split: usize,
    /// Keep a checkpoint after so many seconds.
    pub checkpoint_seconds: f64,
    /// Write TensorBoard's event files as well.
    pub tensorboard: bool,
}

impl Default for RepeatConfig {
    fn default() -> Self {
        Self { repeat: 1, first_split: 0, checkpoint_seconds: 10.0, tensorboard: false }
    }
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            data: DatasetSource::default(),
            features: FeatureConfig::default(),
            model: ModelConfig::paper(ModelKind::MotifnetM),
            operators: OperatorConfig::default(),
            train: TrainConfig::default(),
            run: RepeatConfig::default(),
        }
    }
}

impl RunConfig {
    /// What is wrong with the value of a setting, if anything is that its type does not rule out. The
    /// upper bounds are far past what is of use: they keep a slip from asking for the impossible.
    pub(super) fn problem_with(&self, key: &str) -> Option<String> {
        let Self { data, features, model, train, run, .. } = self;
        let whole = |number: usize, range: RangeInclusive<usize>| {
            let (least, most) = (range.start(), range.end());
            let is_fine = range.contains(&number);
            (!is_fine).then(|| format!("it must be a whole number from {least} to {most}"))
        };
        let number = |number: f64, is_fine: bool, wanted: &str| {
            (!is_fine || !number.is_finite()).then(|| format!("it must be a number {wanted}"))
        };
        let above_zero = |value: f64| number(value, value > 0.0, "above 0");
        let share =
            |value: f64| number(value, (0.0..1.0).contains(&value), "from 0 on, and below 1");
        match key {
            "data.split" => {
                let spec = data.split.as_ref()?.parse::<SplitSpec>();
                spec.err().map(|error| error.to_string())
            }
            "features.max_columns" => whole(features.max_columns, 1..=100_000),
            "model.order" => whole(model.order, 0..=100),
            "model.heads" => whole(model.heads, 1..=1000),
            "model.convs" => whole(model.n_convs, 0..=100),
            "model.dense" => whole(model.n_dense, 0..=100),
            "model.width" => whole(model.width, 1..=100_000),
            "model.max_terms" => whole(model.most_terms, 1..=1_000_000),
            "model.jacobi" => whole(model.iterations, 1..=10_000),
            "model.eigenvectors" => whole(model.eigenvectors, 1..=100_000),
            "model.coefficients" => whole(model.coefficients, 1..=10_000),
            "model.kernels" => whole(model.kernels, 1..=1000),
            "model.dropout" => model.dropout.iter().find_map(|&rate| share(rate)),
            "train.epochs" => whole(train.epochs, 1..=1_000_000_000),
            "train.patience" => whole(train.patience, 1..=1_000_000_000),
            "train.lr" => above_zero(train.adam.rate),
            "train.decay" => number(train.adam.decay, train.adam.decay >= 0.0, "of 0 or above"),
            "train.beta1" => share(train.adam.beta1),
            "train.beta2" => share(train.adam.beta2),
            "train.epsilon" => above_zero(train.adam.epsilon),
            "run.repeat" => whole(run.repeat, 1..=10_000),
            "run.first_split" => whole(run.first_split, 0..=1_000_000_000),
            "run.checkpoint_seconds" => {
                let seconds = run.checkpoint_seconds;
                number(seconds, (0.0..=1e9).contains(&seconds), "from 0 to a billion")
            }
            _ => None,
        }
    }
}
