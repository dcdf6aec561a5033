//! Experiments: runs compared, what the differences are worth, and what to try next.

mod comparison;
mod holm;
mod metrics_file;
mod paired_test;
mod search;
mod search_error;
mod statistics;

pub use comparison::{ComparedRun, Comparison, ComparisonError, Difference, Metric};
pub use holm::holm;
pub use metrics_file::{MetricsFile, MetricsFileError, Repetition};
pub use paired_test::PairedTest;
pub use search::SearchSpace;
pub use search_error::SearchError;
pub use statistics::{deviation, mean};
