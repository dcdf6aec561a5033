//! All that is chosen for a run.

use super::config::TrainConfig;
use super::model::{ModelConfig, ModelKind};
use super::operators::OperatorConfig;
use crate::data::{DatasetSource, FeatureConfig};
use crate::motif::{Instances, MotifKind as K, Support, Weights};
use crate::spectral::{LaplacianConfig, LaplacianForm};

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

impl RunConfig {
    /// The settings of model and operators that are not as they are by default and mean nothing here.
    ///
    /// ```
    /// use motifnet::train::{ModelConfig, ModelKind, RunConfig};
    ///
    /// let model = ModelConfig { heads: 4, order: 2, ..ModelConfig::paper(ModelKind::Chebnet) };
    /// let config = RunConfig { model, ..RunConfig::default() };
    /// assert_eq!(config.without_effect(), ["model.heads"]);
    /// ```
    pub fn without_effect(&self) -> Vec<&'static str> {
        let Self { model, operators: OperatorConfig { spec, laplacian }, .. } = self;
        let default = ModelConfig::paper(model.kind);
        let plain = LaplacianConfig::default();
        let is_plain = laplacian.form == LaplacianForm::Plain;
        let kinds = model.operators();
        // A pair with an arc is itself its one instance.
        let counts_instances =
            kinds.iter().any(|kind| !matches!(kind, K::Undirected | K::Out | K::In));
        let settings = [
            ("model.order", model.order != default.order, true),
            ("model.heads", model.heads != default.heads, true),
            ("model.motifs", model.motifs != default.motifs, true),
            ("model.operator", model.operator != default.operator, true),
            ("model.jacobi", model.iterations != default.iterations, true),
            ("model.eigenvectors", model.eigenvectors != default.eigenvectors, true),
            ("model.coefficients", model.coefficients != default.coefficients, true),
            ("model.kernels", model.kernels != default.kernels, true),
            ("model.max_terms", model.most_terms != default.most_terms, true),
            ("operators.support", spec.support != Support::default(), counts_instances),
            ("operators.instances", spec.instances != Instances::default(), counts_instances),
            ("operators.weights", spec.weights != Weights::default(), true),
            ("operators.laplacian", laplacian.form != plain.form, true),
            ("operators.normalization", laplacian.normalization != plain.normalization, true),
            ("operators.lambda_max", laplacian.lambda_max != plain.lambda_max, !is_plain),
        ];
        let is_idle = |&(key, is_set, can_matter): &(&str, bool, bool)| {
            is_set && !(can_matter && model.kind.heeds(key))
        };
        settings.into_iter().filter(is_idle).map(|(key, ..)| key).collect()
    }
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
