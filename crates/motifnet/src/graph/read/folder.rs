//! Data sets that are folders: what their description says is in which file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::ReadError;
use crate::choice::nearest;

/// The file that says what is in a data set's folder.
pub(crate) const DESCRIPTION: &str = "dataset.toml";
/// What it may say.
const KEYS: [&str; 8] = ["name", "npz", "arcs", "labels", "features", "names", "split", "isolated"];

/// What the `dataset.toml` of a folder says, as it stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Description {
    /// What the data set is called.
    pub(crate) name: Option<String>,
    /// One archive with everything.
    pub(crate) npz: Option<String>,
    /// The file of the arcs.
    pub(crate) arcs: Option<String>,
    /// The classes of the nodes: a file or a part of one.
    pub(crate) labels: Option<String>,
    /// The features of the nodes: a file or a part of one, or a word.
    pub(crate) features: Option<String>,
    /// What the nodes are called: a file or a part of one.
    pub(crate) names: Option<String>,
    /// Which nodes are for training, as a split is written.
    pub(crate) split: Option<String>,
    /// What becomes of nodes that only features or labels tell of: a word.
    pub(crate) isolated: Option<String>,
}

impl Description {
    /// Where the description of the data set in `folder` is.
    pub(crate) fn path(folder: &Path) -> PathBuf {
        folder.join(DESCRIPTION)
    }

    /// Reads the description of the data set in `folder`.
    pub(crate) fn read(folder: &Path) -> Result<Self, ReadError> {
        let path = Self::path(folder);
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let message = format!(
                "a folder is read through its {DESCRIPTION}, which cannot be read ({error}); name \
                 a file, or add a {DESCRIPTION} with the key `arcs` or `npz`"
            );
            ReadError::file(folder, message)
        })?;
        let line = |place: usize| 1 + text[..place].matches('\n').count() as u64;
        let problem = |error: toml::de::Error| {
            let line = error.span().map_or(1, |span| line(span.start));
            ReadError::line(&path, line, error.message().to_owned())
        };
        let keys: BTreeMap<Spanned<String>, IgnoredAny> = toml::from_str(&text).map_err(problem)?;
        let unknown = keys.into_keys().filter(|key| !KEYS.contains(&key.get_ref().as_str()));
        if let Some(key) = unknown.min_by_key(|key| key.span().start) {
            let message = format!(
                "`{}` is no key of a data set; did you mean `{}`? The keys are {}",
                key.get_ref(),
                nearest(key.get_ref(), KEYS).unwrap_or(KEYS[0]),
                KEYS.join(", ")
            );
            return Err(ReadError::line(&path, line(key.span().start), message));
        }
        toml::from_str(&text).map_err(problem)
    }

    /// The file with the arcs of the data set in `folder`.
    pub(crate) fn arcs_file(&self, folder: &Path) -> Result<PathBuf, ReadError> {
        let problem = |message| Err(ReadError::file(&Self::path(folder), message));
        match (&self.npz, &self.arcs) {
            // `file#column` names a part of a file; arcs are read from the whole of it.
            (Some(file), None) | (None, Some(file)) => Ok(FilePart::new(folder, file).path),
            (Some(_), Some(_)) => problem("both `npz` and `arcs` tell the arcs; keep one of them"),
            (None, None) => {
                problem("neither `npz` nor `arcs` says where the arcs are; add one of them")
            }
        }
    }
}

/// A file, or the column, attribute or array of it that `file#part` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FilePart {
    pub(crate) path: PathBuf,
    pub(crate) part: Option<String>,
}

impl FilePart {
    /// What `text` names among the files in `folder`.
    pub(crate) fn new(folder: &Path, text: &str) -> Self {
        // Names of folders and files may have one, too.
        let is_file = |file: &str| folder.join(file).is_file();
        let mut places = text.match_indices('#').map(|(at, _)| at);
        let at = match places.find(|&at| is_file(&text[..at])) {
            None if is_file(text) => None,
            found => found.or(text.find('#')),
        };
        let (file, part) = match at {
            Some(at) => (&text[..at], Some(text[at + 1..].to_owned())),
            None => (text, None),
        };
        Self { path: folder.join(file), part }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arcs_file_of(description: &str) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(DESCRIPTION), description).unwrap();
        let name = folder.path().display().to_string();
        let relative = |text: String| text.replace(&name, "D");
        let found = Description::read(folder.path()).and_then(|told| told.arcs_file(folder.path()));
        match found {
            Ok(path) => Ok(relative(path.display().to_string())),
            Err(error) => Err(relative(error.to_string())),
        }
    }

    #[test]
    fn the_arcs_or_the_archive_are_found() {
        let found = arcs_file_of("name = 'x'\narcs = 'edges.tsv#weight'\nsplit = '60/20/20'");
        assert_eq!(found.unwrap(), "D/edges.tsv");
        assert_eq!(arcs_file_of("npz = 'x.npz'").unwrap(), "D/x.npz");
    }

    #[test]
    fn what_is_wrong_with_a_description_is_said() {
        for (description, expected) in [
            (
                "name = 'x'",
                "D/dataset.toml: neither `npz` nor `arcs` says where the arcs are; add one of them",
            ),
            (
                "name = 'x'\narcs = 3",
                "D/dataset.toml:2: invalid type: integer `3`, expected a string",
            ),
            (
                "npz = 'x.npz'\narcs = 'x.tsv'",
                "D/dataset.toml: both `npz` and `arcs` tell the arcs; keep one of them",
            ),
            (
                "npz = 'x.npz'\n\nlables = 3",
                "D/dataset.toml:3: `lables` is no key of a data set; did you mean `labels`? The \
                 keys are name, npz, arcs, labels, features, names, split, isolated",
            ),
        ] {
            assert_eq!(arcs_file_of(description).unwrap_err(), expected);
        }
    }

    #[test]
    fn names_of_folders_and_files_may_have_the_sign_of_a_part() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("h#1")).unwrap();
        for name in ["h#1/l.csv", "a#b.csv"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        for (text, file, part) in [
            ("h#1/l.csv#km/h", "h#1/l.csv", Some("km/h")),
            ("h#1/l.csv", "h#1/l.csv", None),
            ("a#b.csv", "a#b.csv", None),
            ("a#b.csv#c#d", "a#b.csv", Some("c#d")),
            ("not-there.csv#c", "not-there.csv", Some("c")),
        ] {
            let found = FilePart::new(folder.path(), text);
            assert_eq!((found.path, found.part.as_deref()), (folder.path().join(file), part));
        }
    }

    #[test]
    fn a_slip_of_the_keyboard_is_near_what_was_meant() {
        for (typed, meant) in
            [("lables", "labels"), ("feature", "features"), ("arc", "arcs"), ("splits", "split")]
        {
            assert_eq!(nearest(typed, KEYS), Some(meant));
        }
    }
}
