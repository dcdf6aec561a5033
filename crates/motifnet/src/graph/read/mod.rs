//! Graph files of every kind, read into one form.
//!
//! ```text
//! path → Input (decompressed bytes) → the format's reader → RawGraph → DiGraph
//! ```
//!
//! Every format is one module with one function `read(input, options) -> RawGraph`.

mod arc_block;
mod columns;
mod error;
mod folder;
mod format;
mod gml;
mod interner;
mod lines;
mod matrix_market;
mod named_arcs;
mod node_columns;
mod node_ids;
mod node_table;
mod npz;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod text;

use std::path::Path;

use super::{Cleaning, DiGraph, EdgeList, NodeNames};
use crate::io::Input;
use crate::progress::{Progress, Unit};

pub use error::ReadError;
pub(crate) use folder::{DESCRIPTION, Description, FilePart};
pub use format::{GraphFormat, UnknownFormat};
pub(crate) use matrix_market::{RawMatrix, read_matrix};
pub use named_arcs::{arcs_among, arcs_of_integers, arcs_of_names};
pub(crate) use node_columns::ValueColumns;
pub(crate) use node_table::{NodeTable, RowKind, read_node_table};
pub use options::{Column, ColumnOptions, ReadOptions, WeightColumn};

/// A graph as it came out of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedGraph {
    /// The graph.
    pub graph: DiGraph,
    /// What the file calls its nodes.
    pub names: NodeNames,
    /// What was dropped or merged.
    pub cleaning: Cleaning,
    /// The format that the file was read as.
    pub format: GraphFormat,
    /// What a user should be told about how the file was understood.
    pub notes: Vec<String>,
}

/// Arcs as they stand in a file: what every format's reader finds.
#[derive(Debug)]
pub struct RawGraph {
    /// The arcs, in the order of the file.
    pub arcs: EdgeList,
    /// Which way they point, in words: which columns or fields of the file their ends are.
    pub direction: String,
    /// What the file calls its nodes.
    pub names: NodeNames,
    /// What a user should be told about how the file was understood.
    pub notes: Vec<String>,
}

/// Reads the graph in the file at `path`, or in the data set whose folder it is.
///
/// Compressed files (gzip, zstd) are decompressed on the way. The result does not depend on the
/// number of threads.
///
/// # Errors
/// If the file cannot be read or is not what its format asks for; the message says where.
///
/// ```
/// use motifnet::graph::{ReadOptions, read_graph};
/// use motifnet::progress::Silent;
///
/// let path = std::env::temp_dir().join("motifnet-doc.tsv");
/// std::fs::write(&path, "source\ttarget\nann\tbob\nbob\tcat\n")?;
/// let loaded = read_graph(&path, &ReadOptions::default(), &Silent)?;
/// assert_eq!(loaded.graph.n_arcs(), 2);
/// assert_eq!(loaded.names.name(2), "cat");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_graph(
    path: &Path,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<LoadedGraph, ReadError> {
    let (raw, format) = read_arcs(path, options, progress)?;
    let RawGraph { arcs, names, notes, .. } = raw;
    let (graph, cleaning) = DiGraph::build(arcs, &options.build)
        .map_err(|source| ReadError::Build { path: path.to_owned(), source })?;
    Ok(LoadedGraph { graph, names, cleaning, format, notes })
}

/// Reads the arcs in the file at `path` as they stand there, before a graph is made of them.
///
/// # Errors
/// As [`read_graph`].
pub fn read_arcs(
    path: &Path,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<(RawGraph, GraphFormat), ReadError> {
    let in_folder;
    let path = if path.is_dir() {
        in_folder = Description::read(path)?.arcs_file(path)?;
        &in_folder
    } else {
        path
    };
    let n_bytes = std::fs::metadata(path).ok().filter(|file| file.is_file()).map(|file| file.len());
    progress.begin("read", n_bytes, Unit::Bytes);
    let result = read_file(path, options, progress);
    progress.end();
    result
}

fn read_file(
    path: &Path,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<(RawGraph, GraphFormat), ReadError> {
    let input = Input::open(path, options.max_decompressed_bytes, progress)?;
    let format = options.format.unwrap_or_else(|| GraphFormat::detect(path, input.peek()));
    check_columns(path, format, &options.columns)?;
    let mut raw = match format {
        GraphFormat::Text => text::read(input, options),
        GraphFormat::MatrixMarket => matrix_market::read(input, options),
        GraphFormat::Npz => npz::read(input, options),
        GraphFormat::Gml => gml::read(input, options),
        #[cfg(feature = "parquet")]
        GraphFormat::Parquet => parquet::read(input, options),
        #[cfg(not(feature = "parquet"))]
        GraphFormat::Parquet => Err(no_parquet(path)),
    }?;
    if let Some(n_nodes) = options.n_nodes {
        declare_nodes(&mut raw, n_nodes as usize, path)?;
    }
    Ok((raw, format))
}

/// Refuses columns that are asked for of a file that has none.
fn check_columns(
    path: &Path,
    format: GraphFormat,
    columns: &ColumnOptions,
) -> Result<(), ReadError> {
    let weight = match &columns.weight {
        // An edge of a GML file has attributes.
        WeightColumn::Column(column) if format != GraphFormat::Gml => Some(column),
        _ => None,
    };
    let asked = [("source", &columns.source), ("target", &columns.target)];
    let asked = asked.into_iter().find_map(|(what, column)| Some((what, column.as_ref()?)));
    match (format, asked.or(weight.map(|column| ("weight", column)))) {
        (GraphFormat::Text | GraphFormat::Parquet, _) | (_, None) => Ok(()),
        (_, Some((what, column))) => {
            let message = format!(
                "column {column} was asked for as the {what}, but {format} files have no columns; leave out --{what}"
            );
            Err(ReadError::file(path, message))
        }
    }
}

/// What a build that cannot read Parquet says of such a file.
#[cfg(not(feature = "parquet"))]
fn no_parquet(path: &Path) -> ReadError {
    let message = "a Parquet file, which this build cannot read; build with the feature `parquet`";
    ReadError::file(path, message)
}

/// Makes the nodes `0..n_nodes` exist in a graph whose nodes are called by their indices.
fn declare_nodes(raw: &mut RawGraph, n_nodes: usize, path: &Path) -> Result<(), ReadError> {
    match raw.names {
        NodeNames::Indices(found) if found <= n_nodes => {
            raw.names = NodeNames::Indices(n_nodes);
            raw.arcs.n_nodes = n_nodes;
            Ok(())
        }
        NodeNames::Indices(found) => {
            let message = format!("has {found} nodes, but {n_nodes} were declared");
            Err(ReadError::file(path, message))
        }
        NodeNames::Integers(_) | NodeNames::Strings(_) if raw.names.len() == n_nodes => Ok(()),
        NodeNames::Integers(_) | NodeNames::Strings(_) => {
            let message = "names its nodes itself, so their number cannot be declared";
            Err(ReadError::file(path, message))
        }
    }
}

/// Whether so many nodes, rows or columns may be declared where there are so few arcs or entries: half a million, and
/// four more for every one. Each takes some forty bytes of memory in the end, and most of four in the file.
pub(crate) fn is_plausible(n_declared: usize, n_found: u64) -> bool {
    n_declared as u128 <= (1 << 19) + 4 * u128::from(n_found)
}

/// Refuses a declared number of columns of features that would fill the memory though there are hardly any entries:
/// what is known of a column takes memory in every step, whether it has entries or not. Hashed words have 2²⁰ of them,
/// of which a small text fills few.
pub(crate) fn plausible_columns(n_columns: usize, n_entries: u64) -> Result<(), String> {
    if n_columns <= 1 << 21 || is_plausible(n_columns, n_entries) {
        return Ok(());
    }
    Err(format!(
        "declares {n_columns} columns for {n_entries} entries, which seems a mistake; leave out columns \
         without entries, as by X[:, X.getnnz(axis=0) > 0] in SciPy"
    ))
}

/// Refuses a declared number of nodes that would fill the memory though there are hardly any arcs,
/// as in a damaged file; unless the caller declares the same number.
fn plausible_nodes(n_nodes: usize, n_arcs: u64, declared: Option<u32>) -> Result<(), String> {
    if is_plausible(n_nodes, n_arcs)
        || declared.is_some_and(|declared| declared as usize == n_nodes)
    {
        return Ok(());
    }
    Err(format!(
        "declares {n_nodes} nodes for {n_arcs} arcs, which seems a mistake; pass --nodes {n_nodes} \
         if it is none"
    ))
}

#[cfg(test)]
mod test_support;
