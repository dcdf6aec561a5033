//! Names of files in a configuration, as seen from elsewhere.

use std::path::{Path, absolute};

use super::{DatasetSource, GraphFeatures, SplitSpec};

/// What `text`, the value of a `key` of `[data]` in a file of `folder`, is from here.
pub(crate) fn rebased(key: &str, text: &str, folder: &Path) -> String {
    let join = |text: &str| folder.join(text).display().to_string();
    match key {
        "arcs" | "labels" | "names" => join(text),
        // What is not there may be the name of a known data set.
        "dataset" if folder.join(text).exists() => join(text),
        "features" if text.parse::<GraphFeatures>().is_err() => join(text),
        "split" => match text.parse() {
            // The file comes first.
            Ok(SplitSpec::Column { .. } | SplitSpec::Time { .. }) => join(text.trim()),
            _ => text.to_owned(),
        },
        _ => text.to_owned(),
    }
}

impl DatasetSource {
    /// The same with names of files that hold from everywhere.
    pub fn absolute(&self) -> Self {
        let here = absolute("").or_else(|_| std::env::current_dir()).unwrap_or_default();
        let text = |key: &str, value: &Option<String>| {
            value.as_ref().map(|value| rebased(key, value, &here))
        };
        let path = |key: &str, value: &Option<std::path::PathBuf>| {
            value.as_ref().map(|value| rebased(key, &value.display().to_string(), &here).into())
        };
        Self {
            dataset: path("dataset", &self.dataset),
            arcs: path("arcs", &self.arcs),
            features: text("features", &self.features),
            labels: text("labels", &self.labels),
            names: text("names", &self.names),
            split: text("split", &self.split),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_move_and_words_stay() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("here")).unwrap();
        let at = |key, text| {
            rebased(key, text, folder.path()).replace(&folder.path().display().to_string(), "~")
        };
        for (key, text, expected) in [
            ("arcs", "a.csv", "~/a.csv"),
            ("arcs", "/a.csv", "/a.csv"),
            ("labels", "a.csv#b", "~/a.csv#b"),
            ("dataset", "here", "~/here"),
            ("dataset", "cora-ml", "cora-ml"),
            ("features", "roles", "roles"),
            ("features", "x.npz#y", "~/x.npz#y"),
            ("split", "60/20/20", "60/20/20"),
            ("split", "a.csv#year 60/20/20", "~/a.csv#year 60/20/20"),
            ("split", "years.npy 60/20/20", "~/years.npy 60/20/20"),
            ("weight", "amount", "amount"),
        ] {
            assert_eq!(at(key, text), expected);
        }
    }
}
