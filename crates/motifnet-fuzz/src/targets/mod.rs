//! All targets.

mod arrays;
mod compressed;
mod dataset;
mod graph;
mod model;
mod node_files;
mod parquet_seeds;
mod results;
mod search;
mod settings;
mod words;

use crate::target::Target;

/// Every reader of the library, by the order of its modules.
pub static TARGETS: [Target; 25] = [
    compressed::COMPRESSED,
    arrays::NPY,
    arrays::NPZ,
    model::TENSORS,
    graph::TEXT,
    graph::MTX,
    graph::NPZ,
    graph::GML,
    graph::PARQUET,
    graph::DETECTED,
    dataset::DATASET,
    node_files::LABELS,
    node_files::FEATURES,
    node_files::SPLIT_FILE,
    words::SPLIT_WORDS,
    words::MOTIF_SUM,
    words::CHOICES,
    settings::SETTINGS,
    model::MODEL,
    model::CHECKPOINT,
    model::EIGENBASIS,
    results::HISTORY,
    results::METRICS,
    search::SEARCH,
    search::TRIALS,
];

/// The target called `name`.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
