//! The files that a data set is read from.

use std::path::{Path, PathBuf};

use super::{DatasetSource, GraphFeatures, SplitSpec};
use crate::graph::read::{Description, FilePart};

impl DatasetSource {
    /// Every file that it names: the archive, or the `dataset.toml` of its folder with all that stands in there, and those
    /// that are named one by one. Relative paths are relative to `base`, as for [`super::read_source`]. A description that
    /// cannot be read names no others. Nothing says that the files are there.
    ///
    /// ```
    /// use motifnet::data::DatasetSource;
    ///
    /// let source = DatasetSource {
    ///     arcs: Some("payments.csv".into()),
    ///     labels: Some("people.csv#fraud".into()),
    ///     features: Some("roles".into()),
    ///     ..DatasetSource::default()
    /// };
    /// let data = std::path::Path::new("data");
    /// assert_eq!(source.files(data), [data.join("payments.csv"), data.join("people.csv")]);
    /// ```
    pub fn files(&self, base: &Path) -> Vec<PathBuf> {
        let dataset = self.dataset.as_deref().map(|path| files_of_dataset(&base.join(path)));
        let arcs = self.arcs.iter().map(|arcs| base.join(arcs));
        let Self { features, labels, names, split, .. } = self;
        let keys = [("labels", labels), ("features", features), ("names", names), ("split", split)];
        let parts = named(base, keys);
        dataset.into_iter().flatten().chain(arcs).chain(parts).collect()
    }
}

/// The files of a folder with a description, or the one archive that is there.
fn files_of_dataset(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let mut files = vec![Description::path(path)];
    if let Ok(told) = Description::read(path) {
        let Description { npz, arcs, labels, features, names, split, .. } = &told;
        let keys = [
            ("npz", npz),
            ("arcs", arcs),
            ("labels", labels),
            ("features", features),
            ("names", names),
            ("split", split),
        ];
        files.extend(named(path, keys));
    }
    files
}

/// The files among what these keys say; features and splits may be words.
fn named<const N: usize>(folder: &Path, keys: [(&str, &Option<String>); N]) -> Vec<PathBuf> {
    let file = |(key, text): (&str, &Option<String>)| {
        let text = text.as_deref()?;
        let text = match key {
            "features" if text.parse::<GraphFeatures>().is_ok() => return None,
            "split" => match text.parse() {
                Ok(SplitSpec::Column { file } | SplitSpec::Time { file, .. }) => file,
                _ => return None,
            },
            _ => text.to_owned(),
        };
        Some(FilePart::new(folder, &text).path)
    };
    keys.into_iter().filter_map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_names_its_description_and_what_stands_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let text = "arcs = 'a.tsv'\nlabels = 'l.csv#class'\nfeatures = 'one-hot'\n\
                    split = 'y.csv#year 60/20/20'\n";
        std::fs::create_dir(folder.path().join("set")).unwrap();
        let description = folder.path().join("set/dataset.toml");
        let source = DatasetSource {
            dataset: Some("set".into()),
            features: Some("f.npz#x".into()),
            split: Some("60/20/20".into()),
            ..DatasetSource::default()
        };
        let files = || -> Vec<String> {
            let files = source.files(folder.path()).into_iter();
            let inside = |path: PathBuf| path.strip_prefix(folder.path()).unwrap().to_owned();
            files.map(|path| inside(path).display().to_string()).collect()
        };
        std::fs::write(&description, text).unwrap();
        let told = ["set/dataset.toml", "set/a.tsv", "set/l.csv", "set/y.csv", "f.npz"];
        assert_eq!(files(), told);
        std::fs::write(&description, "no TOML").unwrap();
        assert_eq!(files(), ["set/dataset.toml", "f.npz"]);
    }
}
