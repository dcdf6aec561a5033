//! Training: what a model is, the loop, early stopping, history, observers, evaluation.

mod checkpoint;
mod config;
mod dropout_rates;
mod eigen_file;
mod error;
mod evaluation;
mod events;
mod fit;
mod model;
mod motif_choice;
mod observer;
mod operators;
mod plan;
mod predictor;
mod recorder;
mod run;
mod run_config;
mod run_folder;
mod run_report;
mod selection;
mod setting_bounds;
mod setting_keys;
mod settings;
mod state;
mod statistics;
mod trained_model;
mod wide_predictor;

pub use checkpoint::CHECKPOINT_FILE;
pub use config::{ClassWeights, TrainConfig};
pub use eigen_file::EIGEN_FILE;
pub use error::TrainError;
pub use evaluation::{CalibrationBin, ClassScores, Evaluation, N_CALIBRATION_BINS, evaluate};
pub use events::{EventObserver, wall_time};
pub use fit::{Ending, Fitted, Problem, fit};
pub use model::{DEFAULT_MOTIFS, ModelConfig, ModelKind};
pub use motif_choice::{CANDIDATES, MotifChoice};
pub use observer::{EpochRecord, Observed, Observer, Quiet};
pub use operators::{OperatorConfig, OperatorSet, build_operators};
pub use plan::{EigenbasisPlan, OperatorPlan, Plan};
pub use predictor::{Predictions, Predictor};
pub use recorder::Recorder;
pub use run::{PreparedRun, RunMetrics, Trained};
pub use run_config::{RepeatConfig, RunConfig};
pub use run_folder::{
    CONFIG_FILE, HISTORY_FILE, METRICS_FILE, RunFolder, RunFolderError, TIMING_FILE,
};
pub use run_report::{RepeatReport, RunReport};
pub use selection::{MotifSelection, select_motifs};
pub use setting_bounds::SettingBounds;
pub use setting_keys::{SETTING_KEYS, SETTING_TABLES, SettingKey};
pub(crate) use settings::read_table;
pub use settings::{SettingError, Settings};
pub use state::{BestEpoch, TrainState};
pub use statistics::{deviation, mean};
pub use trained_model::{MODEL_FILE, ModelDescription, TENSORS_FILE, TrainedModel};
pub use wide_predictor::WidePredictor;
