//! Experiments: runs compared and what the differences are worth, what to try next, graphs and partitions
//! compared, and the paper's evaluation.

mod agreement;
mod class_flow;
mod comparison;
mod default_space;
mod graph_profile;
mod grid_filter;
mod holm;
mod label_agreement;
mod metrics_file;
mod paired_test;
pub mod paper;
mod random_search;
mod search;
mod search_error;
mod search_file_error;
mod trial_table;

pub use agreement::Agreement;
pub use class_flow::ClassFlow;
pub use comparison::{ComparedRun, Comparison, ComparisonError, Difference, Metric};
pub use default_space::default_space;
pub use graph_profile::{DegreeProfile, GraphProfile, Statistic};
pub use grid_filter::{
    Anisotropy, ChebyshevFilter, DirectedGrid, GridFilter, mexican_hat_response,
};
pub use holm::holm;
pub use label_agreement::LabelAgreement;
pub use metrics_file::{MetricsFile, MetricsFileError, Repetition};
pub use paired_test::PairedTest;
pub use random_search::{RandomSearch, SEARCH_FILE};
pub use search::SearchSpace;
pub use search_error::SearchError;
pub use search_file_error::SearchFileError;
pub use trial_table::{Outcome, TRIALS_FILE, Trial, TrialTable};
