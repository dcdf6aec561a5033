//! What kind of file a graph is in.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A kind of file that holds a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphFormat {
    /// Lines of two node ids and perhaps a weight.
    Text,
    /// MatrixMarket coordinate format.
    MatrixMarket,
    /// An archive of NumPy arrays.
    Npz,
    /// Graph Modelling Language.
    Gml,
    /// Apache Parquet.
    Parquet,
}

impl GraphFormat {
    /// Every format.
    pub const ALL: [Self; 5] =
        [Self::Text, Self::MatrixMarket, Self::Npz, Self::Gml, Self::Parquet];

    /// The format's short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::MatrixMarket => "mtx",
            Self::Npz => "npz",
            Self::Gml => "gml",
            Self::Parquet => "parquet",
        }
    }

    /// Finds the format from the ending of the file's name, else from its first bytes.
    ///
    /// Bytes that no text edge list begins with outweigh a text ending: a MatrixMarket file
    /// called `.txt` would otherwise be read as arcs, its size line included.
    pub(super) fn detect(path: &Path, start: &[u8]) -> Self {
        match (Self::from_ending(path), Self::from_magic(start)) {
            (Some(Self::Text) | None, Some(found)) => found,
            (Some(named), _) => named,
            (None, None) if looks_like_gml(start) => Self::Gml,
            (None, None) => Self::Text,
        }
    }

    fn from_ending(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_lowercase();
        let name = [".gz", ".gzip", ".zst", ".zstd"]
            .iter()
            .find_map(|ending| name.strip_suffix(ending))
            .unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "txt" | "tsv" | "csv" | "tab" | "edges" | "edgelist" | "el" | "ncol" => {
                Some(Self::Text)
            }
            "mtx" | "mm" => Some(Self::MatrixMarket),
            "npz" => Some(Self::Npz),
            "gml" => Some(Self::Gml),
            "parquet" | "pq" => Some(Self::Parquet),
            _ => None,
        }
    }

    fn from_magic(start: &[u8]) -> Option<Self> {
        match start {
            [b'P', b'K', 3, 4, ..] => Some(Self::Npz),
            [b'P', b'A', b'R', b'1', ..] => Some(Self::Parquet),
            _ if starts_with_word(start, "%%MatrixMarket") => Some(Self::MatrixMarket),
            _ => None,
        }
    }
}

/// Whether the first word that is no comment is a key with which GML files begin.
fn looks_like_gml(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let mut lines = text.trim_start_matches('\u{feff}').lines();
    let first = lines.find(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
    let mut words = first.unwrap_or_default().split_whitespace();
    match words.next() {
        Some("graph" | "graph[") => words.next().is_none_or(|word| word.starts_with('[')),
        Some("Creator" | "Version") => true,
        _ => false,
    }
}

fn starts_with_word(start: &[u8], word: &str) -> bool {
    start.get(..word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word.as_bytes()))
}

impl fmt::Display for GraphFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GraphFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A format name that names no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no graph format; the formats are text, mtx, npz, gml and parquet")]
pub struct UnknownFormat(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_tells_unless_the_bytes_know_better() {
        use GraphFormat::*;
        for (name, start, expected) in [
            ("a.tsv", "0\t1", Text),
            ("a.edges.gz", "0 1", Text),
            ("a.gml.zst", "graph [", Gml),
            ("a.MTX", "", MatrixMarket),
            ("a.txt", "%%matrixmarket matrix", MatrixMarket),
            ("a.txt", "graph is", Text),
            ("a", "PK\u{3}\u{4}", Npz),
            ("a.dat", "PAR1", Parquet),
            ("a", "# made by hand\n\ngraph\n[", Gml),
            ("a", "Creator \"me\"", Gml),
            ("a", "graph theory", Text),
            ("a", "", Text),
        ] {
            assert_eq!(GraphFormat::detect(Path::new(name), start.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn names_round_trip() {
        for format in GraphFormat::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "graphml".parse::<GraphFormat>().unwrap_err().to_string();
        let expected =
            "\"graphml\" is no graph format; the formats are text, mtx, npz, gml and parquet";
        assert_eq!(error, expected);
    }
}
