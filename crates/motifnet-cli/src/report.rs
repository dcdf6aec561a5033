//! Results, as text and as JSON.

use motifnet::graph::{Cleaning, LoadedGraph};
use serde::Serialize;

use crate::numbers::plural;

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

/// What was dropped or merged, in words; `None` if nothing was.
pub(crate) fn describe_cleaning(cleaning: &Cleaning) -> Option<String> {
    let parts = [
        (cleaning.self_loops, "self-loop", "self-loops", "dropped"),
        (cleaning.repeated, "repeated arc", "repeated arcs", "merged"),
        (cleaning.zero_weight, "arc of weight zero", "arcs of weight zero", "dropped"),
        (
            cleaning.not_finite_weight,
            "arc of infinite or NaN weight",
            "arcs of infinite or NaN weight",
            "dropped",
        ),
    ];
    let told: Vec<String> = parts
        .into_iter()
        .filter(|&(count, ..)| count > 0)
        .map(|(count, one, many, fate)| format!("{} {fate}", plural(count, one, many)))
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_dropped_is_told_in_words() {
        let cleaning =
            Cleaning { arcs_read: 9000, self_loops: 1, repeated: 1234, ..Cleaning::default() };
        let told = describe_cleaning(&cleaning);
        assert_eq!(told.as_deref(), Some("1 self-loop dropped, 1,234 repeated arcs merged"));
        assert_eq!(describe_cleaning(&Cleaning::default()), None);
    }
}
