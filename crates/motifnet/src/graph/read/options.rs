//! What a caller may say about a file.

use std::convert::Infallible;
use std::str::FromStr;

use super::GraphFormat;
use crate::graph::BuildOptions;

/// What a caller may say about a graph file; what is left out is found from the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The file's format.
    pub format: Option<GraphFormat>,
    /// How the graph is made of the arcs.
    pub build: BuildOptions,
    /// Declares the nodes 0, 1, … up to this number, so that nodes without arcs exist. Every node
    /// of the file must be one of them.
    pub n_nodes: Option<u32>,
    /// Which columns of a table are meant.
    pub columns: ColumnOptions,
    /// What stands between the fields of a text file; a space means any run of blanks.
    pub delimiter: Option<u8>,
    /// Whether the first row of a text file names the columns.
    pub header: Option<bool>,
    /// The most bytes that may come out of a compressed file; 64 GB if `None`.
    pub max_decompressed_bytes: Option<u64>,
}

/// Which columns of a table hold the ends and the weights of the arcs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnOptions {
    /// Where arcs start.
    pub source: Option<Column>,
    /// Where arcs end.
    pub target: Option<Column>,
    /// The weights.
    pub weight: WeightColumn,
}

/// A column, by its name in the header or by its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// The column with this name.
    Name(String),
    /// The column at this place, from 1.
    Position(usize),
}

impl FromStr for Column {
    type Err = Infallible;

    /// A number that is not zero is a place, anything else a name.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.parse() {
            Ok(position @ 1..) => Self::Position(position),
            _ => Self::Name(text.to_owned()),
        })
    }
}

impl std::fmt::Display for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name(name) => write!(f, "{name:?}"),
            Self::Position(position) => write!(f, "{position}"),
        }
    }
}

/// Where the weights come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WeightColumn {
    /// From the file's weights, if it seems to have some.
    #[default]
    Auto,
    /// The arcs have no weights, whatever the file says.
    None,
    /// From this column.
    Column(Column),
}

impl FromStr for WeightColumn {
    type Err = Infallible;

    /// `auto`, `none`, or a column.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "auto" => Self::Auto,
            "none" => Self::None,
            _ => Self::Column(text.parse()?),
        })
    }
}
