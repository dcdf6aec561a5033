//! What is learnt from: a graph whose nodes have features and labels, and a split of them.
//!
//! ```text
//! folder with dataset.toml → read_dataset → NodeDataset { graph, features, labels, split }
//! SplitRule + labels + seed → Split (training, validation and test nodes)
//! Features → prepare → PreparedFeatures (the dense block that a network takes)
//! catalog: name → KnownDataset → fetch → folder with dataset.toml
//! ```

pub mod catalog;
mod dataset;
mod error;
mod features;
mod fractions;
mod labels;
mod prepare;
mod read;
mod split;
mod split_rule;

pub use dataset::NodeDataset;
pub use error::DataError;
pub use features::{DenseFeatures, FeatureError, Features};
pub use fractions::{FractionsError, SplitFractions};
pub use labels::{LabelError, Labels};
pub use prepare::{FeatureConfig, PreparedFeatures, prepare};
pub use read::read_dataset;
pub use split::{Part, Split, SplitError};
pub use split_rule::SplitRule;
