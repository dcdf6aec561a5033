//! Results, as text and as JSON.

use motifnet::graph::{Cleaning, LoadedGraph};
use serde::Serialize;

/// What a command found out: `Serialize` is its JSON form.
pub(crate) trait Report: Serialize {
    /// The form for people.
    fn text(&self) -> String;
}

/// The graph that a result is about, as it stands in every JSON object.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GraphReport {
    pub(crate) path: String,
    pub(crate) format: &'static str,
    pub(crate) n_nodes: usize,
    pub(crate) n_arcs: usize,
    pub(crate) is_weighted: bool,
    /// What was dropped or merged.
    pub(crate) cleaning: Cleaning,
    /// How the file was understood, where that is not plain.
    pub(crate) notes: Vec<String>,
}

impl GraphReport {
    pub(crate) fn new(path: &std::path::Path, loaded: &LoadedGraph) -> Self {
        Self {
            path: path.display().to_string(),
            format: loaded.format.name(),
            n_nodes: loaded.graph.n_nodes(),
            n_arcs: loaded.graph.n_arcs(),
            is_weighted: loaded.graph.is_weighted(),
            cleaning: loaded.cleaning,
            notes: loaded.notes.clone(),
        }
    }
}
