//! All that is chosen for a run.

use super::config::TrainConfig;
use super::model::{ModelConfig, ModelKind};
use super::operators::OperatorConfig;
use crate::data::{DatasetSource, FeatureConfig};

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
