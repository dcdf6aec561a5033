//! What the catalogue says of a data set and its files.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Deserialize;

use crate::choice::nearest;
use crate::graph::read::DESCRIPTION;

/// A public data set: what it is, and where its files are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownDataset {
    /// The word for it, and the name of its folder.
    pub name: String,
    /// What it is, in one line.
    pub about: String,
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs, self-loops and repeats apart.
    pub arcs: u64,
    /// Number of classes of nodes, if they have any.
    pub classes: Option<u64>,
    /// Number of features of a node, if the files have any.
    pub features: Option<u64>,
    /// The licence that the source states.
    pub licence: String,
    /// A page that tells more.
    pub source: String,
    /// The paper to cite.
    pub cite: String,
    /// The `dataset.toml` to write beside the files.
    pub description: String,
    /// The files that it is made of.
    pub files: Vec<KnownFile>,
}

/// A file of a data set, and where to get it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFile {
    /// What it is called in the folder of the data set.
    pub name: String,
    /// Its address, or that of the zip archive that holds it.
    pub url: String,
    /// What it is called in that archive; without it the address is that of the file itself.
    pub member: Option<String>,
    /// Its exact length, if known.
    pub bytes: Option<u64>,
    /// The most bytes that are accepted for it, and for its archive.
    pub largest: Option<u64>,
    /// The SHA-256 of its bytes in lower-case hexadecimal, if known.
    pub sha256: Option<String>,
}

/// A name that no data set of the catalogue has.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{found:?} is no known data set{}", suggestion(*nearest))]
pub struct UnknownDataset {
    /// What was found.
    pub found: String,
    /// The known name nearest to it, if one is near.
    pub nearest: Option<&'static str>,
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean {name}?"))
}

/// Where a catalogue is a list of tables called `dataset`.
#[derive(Deserialize)]
struct Tables {
    dataset: Vec<KnownDataset>,
}

impl KnownDataset {
    /// Whether `folder` has its description and all of its files. Their bytes are not looked at.
    ///
    /// Time O(files).
    pub fn is_in(&self, folder: &Path) -> bool {
        let mut names = self.files.iter().map(|file| file.name.as_str()).chain([DESCRIPTION]);
        names.all(|name| folder.join(name).is_file())
    }

    /// The sum of the lengths of its files; none if one of them is not known.
    pub fn bytes(&self) -> Option<u64> {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// The most bytes that its files can have.
    pub fn largest(&self) -> u64 {
        self.files.iter().map(KnownFile::limit).sum()
    }
}

impl KnownFile {
    /// The most bytes that are accepted for it.
    pub fn limit(&self) -> u64 {
        self.bytes.or(self.largest).unwrap_or(0)
    }

    /// Where it lies in the folder of its data set.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(&self.name)
    }
}

/// The data sets of a catalogue.
pub(super) fn parse(text: &str) -> Result<Vec<KnownDataset>, toml::de::Error> {
    toml::from_str::<Tables>(text).map(|tables| tables.dataset)
}

/// Every known data set, the same list in every build.
///
/// ```
/// let cora = motifnet::data::catalog::known().iter().find(|known| known.name == "cora-ml");
/// assert_eq!(cora.map(|known| (known.nodes, known.arcs)), Some((2995, 8416)));
/// ```
pub fn known() -> &'static [KnownDataset] {
    static CATALOG: OnceLock<Vec<KnownDataset>> = OnceLock::new();
    CATALOG.get_or_init(|| {
        parse(include_str!("catalog.toml"))
            .expect("the catalogue is part of the program, and tested")
    })
}

/// The data set called `name`.
///
/// # Errors
/// If there is none; the error has the name that is nearest.
pub fn find(name: &str) -> Result<&'static KnownDataset, UnknownDataset> {
    known().iter().find(|known| known.name == name).ok_or_else(|| UnknownDataset {
        found: name.to_owned(),
        nearest: nearest(name, known().iter().map(|known| known.name.as_str())),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::data::GraphFeatures;
    use crate::data::SplitFractions;
    use crate::graph::read::Description;

    #[test]
    fn names_and_paths_are_plain_and_apart() {
        let plain = |name: &str| {
            !name.starts_with(['.', '-'])
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        };
        let mut names = BTreeSet::new();
        for known in known() {
            assert!(names.insert(&known.name), "{} is there twice", known.name);
            assert!(plain(&known.name) && known.name == known.name.to_lowercase());
            assert!(!known.files.is_empty(), "{}", known.name);
            let files: BTreeSet<&str> = known.files.iter().map(|file| file.name.as_str()).collect();
            assert_eq!(files.len(), known.files.len(), "{}", known.name);
            assert!(files.iter().all(|name| plain(name) && *name != DESCRIPTION), "{}", known.name);
        }
    }

    #[test]
    fn every_file_has_an_address_and_a_bound() {
        for file in known().iter().flat_map(|known| &known.files) {
            let name = &file.name;
            assert!(file.url.starts_with("https://"), "{name}");
            assert!(file.bytes.is_some() != file.largest.is_some(), "{name}: bytes or largest");
            assert!(file.limit() > 0 && file.limit() <= 1 << 30, "{name}");
            assert!(file.member.is_none() || file.bytes.is_none(), "{name}: of which file?");
            // Without the length, a hash would be found wrong only after all of the download.
            assert_eq!(file.sha256.is_some(), file.bytes.is_some(), "{name}");
            if let Some(hash) = &file.sha256 {
                let hexadecimal = |c: char| matches!(c, '0'..='9' | 'a'..='f');
                assert!(hash.len() == 64 && hash.chars().all(hexadecimal), "{name}");
            }
        }
    }

    #[test]
    fn descriptions_are_read_and_name_the_files() {
        for known in known() {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join(DESCRIPTION), &known.description).unwrap();
            let told = Description::read(folder.path()).unwrap();
            assert_eq!(told.name.as_deref(), Some(known.name.as_str()));
            assert_eq!(told.labels.is_some() || told.npz.is_some(), known.classes.is_some());
            let parts = [told.npz, told.arcs, told.labels, told.features, told.names];
            let parts =
                parts.iter().flatten().filter(|part| part.parse::<GraphFeatures>().is_err());
            let named: BTreeSet<&str> = parts.filter_map(|part| part.split('#').next()).collect();
            let files: BTreeSet<&str> = known.files.iter().map(|file| file.name.as_str()).collect();
            assert_eq!(named, files, "{}", known.name);
            let split = told.split.unwrap_or_else(|| "masks".to_owned());
            assert!(split == "masks" || split.parse::<SplitFractions>().is_ok(), "{}", known.name);
        }
    }

    #[test]
    fn a_slip_of_the_keyboard_finds_what_was_meant() {
        for (typed, meant) in
            [("cora_ml", "cora-ml"), ("Telegram", "telegram"), ("wikivote", "wiki-vote")]
        {
            assert_eq!(find(typed).unwrap_err().nearest, Some(meant));
        }
        assert_eq!(find("cora-ml").unwrap().files[0].name, "cora_ml.npz");
        let message = find("cora_ml").unwrap_err().to_string();
        assert_eq!(message, "\"cora_ml\" is no known data set; did you mean cora-ml?");
        assert_eq!(find("zzz").unwrap_err().to_string(), "\"zzz\" is no known data set");
    }

    #[test]
    fn a_data_set_is_there_once_all_of_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let known = find("telegram").unwrap();
        for name in ["telegram_adj.npz", "telegram_labels.npy", DESCRIPTION] {
            assert!(!known.is_in(folder.path()));
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert!(known.is_in(folder.path()));
    }

    #[test]
    fn sizes_are_exact_or_bounded() {
        assert_eq!(find("telegram").unwrap().bytes(), Some(16_233 + 2_088));
        let bounded = find("polblogs").unwrap();
        assert_eq!((bounded.bytes(), bounded.largest()), (None, 4_000_000));
    }
}
