//! All that is chosen for a run.

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
    /// What is wrong with the value of a setting, if anything is that its type does not rule out.
    pub(super) fn problem_with(&self, key: &str) -> Option<String> {
        if key == "data.split" {
            let spec = self.data.split.as_ref()?.parse::<SplitSpec>();
            return spec.err().map(|error| error.to_string());
        }
        let adam = &self.train.adam;
        let at_least_one = |number: usize| (number == 0).then_some("it must be at least 1");
        let above_zero = |number: f64| {
            let is_fine = number > 0.0 && number.is_finite();
            (!is_fine).then_some("it must be a number above 0")
        };
        let not_negative = |number: f64| {
            let is_fine = number >= 0.0 && number.is_finite();
            (!is_fine).then_some("it must be a number, 0 or above")
        };
        let share = |number: f64| {
            let is_fine = (0.0..1.0).contains(&number);
            (!is_fine).then_some("it must be a number from 0 on, and below 1")
        };
        let problem = match key {
            "features.max_columns" => at_least_one(self.features.max_columns),
            "model.dropout" => self.model.dropout.iter().find_map(|&rate| share(rate)),
            "train.epochs" => at_least_one(self.train.epochs),
            "train.patience" => at_least_one(self.train.patience),
            "train.lr" => above_zero(adam.rate),
            "train.decay" => not_negative(adam.decay),
            "train.beta1" => share(adam.beta1),
            "train.beta2" => share(adam.beta2),
            "train.epsilon" => above_zero(adam.epsilon),
            "run.repeat" => at_least_one(self.run.repeat),
            "run.checkpoint_seconds" => not_negative(self.run.checkpoint_seconds),
            _ => None,
        };
        problem.map(str::to_owned)
    }
}
