//! What is learnt from: a graph whose nodes have features and labels, and a split of them.
//!
//! ```text
//! DatasetSource (folder, npz, or files) → read_source → NodeDataset { graph, features, labels, … }
//! SplitRule + labels + seed → Split (training, validation and test nodes)
//! Features → FeaturePipeline::fit, then apply → PreparedFeatures (the dense block that a network takes)
//! catalog: name → KnownDataset → fetch → folder with dataset.toml
//! citation: CitationConfig + seed → CitationData → folder with dataset.toml
//! ```

pub mod catalog;
pub mod citation;
mod contract;
mod dataset;
mod error;
mod features;
mod fractions;
mod graph_features;
mod hold_out;
mod labels;
mod per_class;
mod read;
mod rebase;
mod source;
mod source_files;
mod split;
mod split_draw;
mod split_rule;
mod split_spec;
mod steps;
mod time;

pub use contract::{ClassSize, Contract};
pub use dataset::NodeDataset;
pub use error::DataError;
pub use features::{DenseFeatures, FeatureError, Features};
pub use fractions::{FractionsError, SplitFractions};
pub use graph_features::GraphFeatures;
pub use labels::{LabelError, Labels};
pub use per_class::{PerClass, PerClassError};
pub use read::{read_dataset, read_node_labels, read_source};
pub(crate) use rebase::rebased;
pub use source::{DatasetSource, Isolated};
pub use split::{Part, Split, SplitError};
pub use split_rule::SplitRule;
pub use split_spec::{SplitSpec, SplitSpecError};
pub use steps::{FeatureConfig, FeaturePipeline, PreparedFeatures, StepTensor};
