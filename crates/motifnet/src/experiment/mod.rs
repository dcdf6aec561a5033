//! Experiments: runs compared, what the differences are worth, what to try next, and the paper's evaluation.

mod comparison;
mod default_space;
mod grid_filter;
mod holm;
mod metrics_file;
mod paired_test;
pub mod paper;
mod random_search;
mod search;
mod search_error;
mod search_file_error;
mod trial_table;

pub use comparison::{ComparedRun, Comparison, ComparisonError, Difference, Metric};
pub use default_space::default_space;
pub use grid_filter::{
    Anisotropy, ChebyshevFilter, DirectedGrid, GridFilter, mexican_hat_response,
};
pub use holm::holm;
pub use metrics_file::{MetricsFile, MetricsFileError, Repetition};
pub use paired_test::PairedTest;
pub use random_search::{RandomSearch, SEARCH_FILE};
pub use search::SearchSpace;
pub use search_error::SearchError;
pub use search_file_error::SearchFileError;
pub use trial_table::{Outcome, TRIALS_FILE, Trial, TrialTable};
