//! Training: what a model is, the loop, early stopping, history, observers, evaluation.

mod config;
mod eigen_file;
mod error;
mod evaluation;
mod fit;
mod memory;
mod model;
mod observer;
mod operators;
mod run;

pub use config::{ClassWeights, TrainConfig};
pub use eigen_file::EIGEN_FILE;
pub use error::TrainError;
pub use evaluation::{CalibrationBin, ClassScores, Evaluation, N_CALIBRATION_BINS, evaluate};
pub use fit::{Fitted, Problem, fit, predict};
pub use memory::available_memory;
pub use model::{DEFAULT_MOTIFS, ModelConfig, ModelKind};
pub use observer::{EpochRecord, Observer, Quiet};
pub use operators::{OperatorSet, build_operators};
pub use run::{PreparedRun, RunConfig, RunMetrics};
