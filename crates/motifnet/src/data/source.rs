//! Where a data set comes from, as it is told on the command line or in a configuration.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::choice::words;

/// Where a data set comes from: a folder or an archive, files named one by one, or the former with
/// single entries put in place of its own. The table `[data]` of a configuration is this.
///
/// `features`, `labels`, `names` and the split take a file or `file#part`, the part being a column
/// (by its name, or by its place from 1), a GML attribute or an array. Paths that are relative are
/// so to the base that [`super::read_source`] is given.
///
/// ```
/// use motifnet::data::DatasetSource;
///
/// let text = "arcs = 'payments.parquet'\nlabels = 'people.csv#fraud'\nfeatures = 'roles'";
/// let source: DatasetSource = toml::from_str(text)?;
/// assert_eq!(source.labels.as_deref(), Some("people.csv#fraud"));
/// assert!(toml::from_str::<DatasetSource>("lables = 'x'").is_err());
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DatasetSource {
    /// A folder with a `dataset.toml`, or an npz archive with everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<PathBuf>,
    /// What the data set is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The file of the arcs, in any format of graphs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arcs: Option<PathBuf>,
    /// The column where arcs start, by its name or its place from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The column where arcs end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The column of weights, or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
    /// A table or array with a row for every node, or `one-hot`, `degrees`, `motifs` or `roles`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<String>,
    /// The classes of the nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<String>,
    /// What the nodes are called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<String>,
    /// The split, as [`super::SplitSpec`] is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Whether every arc is also turned round.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undirected: bool,
    /// What becomes of nodes that only the features or the labels know.
    #[serde(skip_serializing_if = "Isolated::is_default")]
    pub isolated: Isolated,
    /// The most megabytes that may come out of a compressed file; 64,000 if `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_decompressed: Option<u64>,
}

impl DatasetSource {
    /// The most bytes that may come out of a compressed file, if it is told.
    pub fn max_decompressed_bytes(&self) -> Option<u64> {
        self.max_decompressed.map(|megabytes| megabytes.saturating_mul(1_000_000))
    }
}

/// What becomes of nodes that features or labels tell of and no arc does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Isolated {
    /// They are an error, since a slip of the keyboard looks the same.
    #[default]
    Refuse,
    /// They are nodes without arcs.
    Keep,
}

impl Isolated {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

words!(Isolated, "isolated", Refuse = "refuse", Keep = "keep");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_a_table_of_a_configuration() {
        let text = "dataset = \"cora\"\nfeatures = \"motifs\"\nundirected = true\n\
                    isolated = \"keep\"\n";
        let source: DatasetSource = toml::from_str(text).unwrap();
        assert_eq!((source.undirected, source.isolated), (true, Isolated::Keep));
        assert_eq!(toml::to_string(&source).unwrap(), text);
        assert_eq!(toml::to_string(&DatasetSource::default()).unwrap(), "");
        let error = toml::from_str::<DatasetSource>("edges = 'x'").unwrap_err();
        assert!(error.message().starts_with("unknown field `edges`, expected one of `dataset`"));
    }
}
