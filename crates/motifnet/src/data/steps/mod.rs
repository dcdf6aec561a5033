//! Steps from features to what a network takes: fitted on some features, applied to those and others.
//!
//! ```text
//! Features → ShiftedMatrix → TfIdf → normalize_rows → Standardize → Projection → Scale → PreparedFeatures
//! ```

mod feature_config;
mod moments;
mod normalize_rows;
mod pipeline;
mod prepared;
mod projection;
#[cfg(test)]
mod properties;
mod scale;
mod shifted;
mod standardize;
mod step_tensor;
mod stored;
mod tf_idf;

pub use feature_config::FeatureConfig;
pub use pipeline::FeaturePipeline;
pub use prepared::PreparedFeatures;
pub use step_tensor::StepTensor;
