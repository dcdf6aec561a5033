//! From a graph to a file, in the format that the ending of its name says.

mod notes;
#[cfg(feature = "parquet")]
mod parquet;
mod text;

use std::path::Path;

pub use notes::WriteNote;
pub(crate) use text::begin_tsv;

use super::{DiGraph, NodeNames};
use crate::io::{CsrArrays, CsvFile, NpzWriter, Place, WriteError};

/// What a graph can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// `.tsv`, `.txt`: a line an arc, source, target and weight with tabs between.
    Tsv,
    /// `.csv`: the same with commas and the header `source,target[,weight]`.
    Csv,
    /// `.mtx`: the adjacency matrix as MatrixMarket coordinates; rows are sources.
    MatrixMarket,
    /// `.npz`: the adjacency matrix as `scipy.sparse.save_npz` writes it; rows are sources.
    Npz,
    /// `.parquet`: columns `source`, `target` and `weight`.
    Parquet,
}

impl OutputFormat {
    /// The endings that are known.
    pub const ENDINGS: &'static str =
        ".tsv, .txt, .csv or .mtx (each also with .gz or .zst after it), .npz or .parquet";

    /// The format that the ending of `path` says.
    ///
    /// # Errors
    /// If the ending is none of [`OutputFormat::ENDINGS`].
    pub fn of_path(path: &Path) -> Result<Self, WriteError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let unpacked = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst"));
        let ending = unpacked.unwrap_or(&name).rsplit_once('.').map(|(_, ending)| ending);
        match ending {
            Some("tsv" | "txt") => Ok(Self::Tsv),
            Some("csv") => Ok(Self::Csv),
            Some("mtx") => Ok(Self::MatrixMarket),
            Some("npz") if unpacked.is_none() => Ok(Self::Npz),
            Some("parquet") if unpacked.is_none() => Ok(Self::Parquet),
            _ => Err(WriteError::UnknownEnding { path: path.into(), allowed: Self::ENDINGS }),
        }
    }
}

/// Writes the arcs of `graph`, ordered by source, then target, whole or not at all, and tells
/// what the format could not hold.
///
/// Time O(arcs); memory a few megabytes beside the graph.
///
/// # Errors
/// An ending that is none of [`OutputFormat::ENDINGS`], names that do not fit the graph or the
/// format, and whatever keeps the file from being written.
pub fn write_graph(
    place: impl Into<Place>,
    graph: &DiGraph,
    names: &NodeNames,
) -> Result<Vec<WriteNote>, WriteError> {
    let place = &place.into();
    let path = place.path();
    let format = OutputFormat::of_path(path)?;
    if names.len() != graph.n_nodes() {
        let (n_names, n_nodes) = (names.len(), graph.n_nodes());
        return Err(WriteError::WrongNames { path: path.into(), n_names, n_nodes });
    }
    match format {
        OutputFormat::Tsv => text::begin_tsv(place, graph, names)?.commit()?,
        OutputFormat::Csv => text::write_csv(place, graph, names)?,
        OutputFormat::MatrixMarket => text::write_matrix_market(place, graph)?,
        OutputFormat::Npz => write_npz(place, graph)?,
        #[cfg(feature = "parquet")]
        OutputFormat::Parquet => parquet::write(place, graph, names)?,
        #[cfg(not(feature = "parquet"))]
        OutputFormat::Parquet => {
            let (format, feature) = ("Parquet", "parquet");
            return Err(WriteError::FormatLeftOut { path: path.into(), format, feature });
        }
    }
    Ok(WriteNote::of(format, graph, names))
}

/// The columns of what [`write_nodes_csv`] writes.
pub const NODES_COLUMNS: [&str; 2] = ["row", "name"];

/// Writes the name of every node as CSV, `row,name`: what the rows and columns of a matrix stand
/// for.
///
/// # Errors
/// Whatever keeps the file from being written.
pub fn write_nodes_csv(place: impl Into<Place>, names: &NodeNames) -> Result<(), WriteError> {
    let mut file = CsvFile::create(place, NODES_COLUMNS)?;
    file.write_rows(names.len(), |row, line| {
        line.integer(row as u64).text(&names.name(row as u32))
    })?;
    file.commit()
}

fn write_npz(place: &Place, graph: &DiGraph) -> Result<(), WriteError> {
    let outgoing = graph.outgoing();
    let arrays = CsrArrays {
        n_columns: graph.n_nodes(),
        offsets: outgoing.offsets(),
        columns: outgoing.neighbors(),
    };
    let mut npz = NpzWriter::create(place)?;
    match outgoing.weights() {
        Some(weights) => arrays.write(&mut npz, weights.iter().copied())?,
        // Not the narrowest type: products of a matrix of bytes would overflow in SciPy.
        None => arrays.write(&mut npz, std::iter::repeat_n(1_i32, graph.n_arcs()))?,
    }
    npz.commit()
}

#[cfg(test)]
mod tests;
