//! Graphs in NumPy archives: sparse matrices under several names, or a list of edges.
//!
//! Row i, column j of a matrix is the arc i → j.

use super::options::{ReadOptions, WeightColumn};
use super::{RawGraph, ReadError, plausible_nodes};
use crate::graph::{EdgeList, NodeNames};
use crate::io::{ElementType, Input, NpyArray, NpzArchive, NpzError};

pub(super) fn read(input: Input<'_>, options: &ReadOptions) -> Result<RawGraph, ReadError> {
    let path = input.path().to_owned();
    let mut archive = NpzArchive::from_input(input)?;
    let compressed =
        ["adj_", "adj_matrix."].into_iter().find(|prefix| archive.has(&format!("{prefix}indptr")));
    let (has_format, has_pointers) = (archive.has("format"), archive.has("indptr"));
    let edges = ["edges", "edge_index"].into_iter().find(|key| archive.has(key));
    let mut matrix = Matrix {
        archive: &mut archive,
        prefix: compressed.unwrap_or(""),
        with_weights: options.columns.weight != WeightColumn::None,
        declared: options.n_nodes,
    };
    let mut notes = Vec::new();
    let mut direction = "row i, column j of the matrix is the arc from i to j".to_owned();
    let arcs = if compressed.is_some() {
        matrix.read_compressed(Axis::Rows)?
    } else if has_format {
        read_scipy(matrix)?
    } else if let Some(key) = edges {
        direction = format!("arcs point from the first to the second end in `{key}`");
        let weights = ["edge_weight", "edge_weights", "weights", "edge_attr"];
        if let Some(unread) = weights.into_iter().find(|key| archive.has(key)) {
            notes.push(format!("`{unread}` is not read: the arcs of `{key}` have no weights"));
        }
        read_edges(&mut archive, key, options, &mut notes)?
    } else if has_pointers {
        matrix.read_compressed(Axis::Rows)?
    } else {
        let message = format!(
            "no graph among the arrays ({}); expected adj_data, adj_indices, adj_indptr and \
             adj_shape, or the same with adj_matrix. in front, or edges, or what \
             scipy.sparse.save_npz writes",
            archive.keys().join(", ")
        );
        return Err(ReadError::file(&path, message));
    };
    let names = NodeNames::Indices(arcs.n_nodes);
    Ok(RawGraph { arcs, direction, names, notes })
}

/// Which lines of a matrix are stored one after another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Rows,
    Columns,
}

fn read_scipy(mut matrix: Matrix<'_, '_>) -> Result<EdgeList, NpzError> {
    let format = matrix.archive.strings("format")?.values.concat();
    match format.as_str() {
        "csr" => matrix.read_compressed(Axis::Rows),
        "csc" => matrix.read_compressed(Axis::Columns),
        "coo" => matrix.read_coordinates(),
        _ => {
            let message = format!(
                "a sparse matrix in {format} format; convert it with .tocsr() before save_npz"
            );
            Err(matrix.archive.problem("format", message))
        }
    }
}

/// A sparse matrix whose arrays share a prefix.
struct Matrix<'a, 'b> {
    archive: &'a mut NpzArchive<'b>,
    prefix: &'static str,
    with_weights: bool,
    /// Number of nodes by the caller's word.
    declared: Option<u32>,
}

impl Matrix<'_, '_> {
    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn read_compressed(&mut self, axis: Axis) -> Result<EdgeList, NpzError> {
        let n_nodes = self.n_nodes()?;
        let starts = self.archive.row_starts(&self.key("indptr"), n_nodes)?;
        let n_arcs = starts[n_nodes];
        let inner = self.indices("indices", n_nodes, Some(n_arcs))?;
        let mut outer = Vec::with_capacity(n_arcs);
        for (line, bounds) in starts.windows(2).enumerate() {
            outer.resize(outer.len() + bounds[1] - bounds[0], line as u32);
        }
        let weights = self.weights(n_arcs)?;
        let (sources, targets) = match axis {
            Axis::Rows => (outer, inner),
            Axis::Columns => (inner, outer),
        };
        Ok(EdgeList { n_nodes, sources, targets, weights })
    }

    fn read_coordinates(&mut self) -> Result<EdgeList, NpzError> {
        let n_nodes = self.n_nodes()?;
        let sources = self.indices("row", n_nodes, None)?;
        let targets = self.indices("col", n_nodes, Some(sources.len()))?;
        let weights = self.weights(sources.len())?;
        plausible_nodes(n_nodes, sources.len() as u64, self.declared)
            .map_err(|message| self.archive.problem("shape", message))?;
        Ok(EdgeList { n_nodes, sources, targets, weights })
    }

    fn n_nodes(&mut self) -> Result<usize, NpzError> {
        let key = self.key("shape");
        let shape = self.archive.integers(&key)?.values;
        match shape[..] {
            [rows, columns] if rows == columns && (0..=i64::from(u32::MAX)).contains(&rows) => {
                Ok(rows as usize)
            }
            [rows, columns] => {
                let wrong = match rows == columns && rows > 0 {
                    true => format!("a graph has at most {} nodes", u32::MAX),
                    false => "the matrix of a graph is square".to_owned(),
                };
                let message = format!("a matrix of {rows} × {columns}; {wrong}");
                Err(self.archive.problem(&key, message))
            }
            _ => {
                let message = format!("{} lengths; a matrix has two", shape.len());
                Err(self.archive.problem(&key, message))
            }
        }
    }

    fn indices(
        &mut self,
        name: &str,
        n_nodes: usize,
        length: Option<usize>,
    ) -> Result<Vec<u32>, NpzError> {
        let key = self.key(name);
        let values = self.archive.integers(&key)?.values;
        check_length(self.archive, &key, values.len(), length.unwrap_or(values.len()))?;
        nodes(self.archive, &key, &values, n_nodes)
    }

    fn weights(&mut self, n_arcs: usize) -> Result<Option<Vec<f32>>, NpzError> {
        if !self.with_weights {
            return Ok(None);
        }
        let key = self.key("data");
        let weights = self.archive.floats_f32(&key)?.values;
        check_length(self.archive, &key, weights.len(), n_arcs)?;
        Ok(Some(weights))
    }
}

fn check_length(
    archive: &NpzArchive<'_>,
    key: &str,
    found: usize,
    expected: usize,
) -> Result<(), NpzError> {
    if found == expected {
        return Ok(());
    }
    Err(archive.problem(key, format!("{found} entries, but the matrix has {expected} arcs")))
}

/// Node numbers that are in range.
fn nodes(
    archive: &NpzArchive<'_>,
    key: &str,
    values: &[i64],
    n_nodes: usize,
) -> Result<Vec<u32>, NpzError> {
    let node = |(place, &value): (usize, &i64)| {
        u32::try_from(value).ok().filter(|&node| (node as usize) < n_nodes).ok_or_else(|| {
            archive.problem(
                key,
                format!(
                    "entry {place} is {value}, but the nodes go from 0 to {}",
                    n_nodes as i64 - 1
                ),
            )
        })
    };
    values.iter().enumerate().map(node).collect()
}

fn read_edges(
    archive: &mut NpzArchive<'_>,
    key: &str,
    options: &ReadOptions,
    notes: &mut Vec<String>,
) -> Result<EdgeList, NpzError> {
    let NpyArray { shape, values } = archive.integers(key)?;
    // PyTorch Geometric's `edge_index` has a row of sources and one of targets, however many there are.
    let prefers_columns = key == "edge_index";
    if shape == [2, 2] && !prefers_columns {
        notes.push(format!(
            "`{key}` is 2 × 2: its rows were read as arcs; call it `edge_index` if its columns are"
        ));
    }
    let (sources, targets): (Vec<i64>, Vec<i64>) = match shape[..] {
        [n, 2] if n != 2 || !prefers_columns => {
            values.chunks_exact(2).map(|pair| (pair[0], pair[1])).unzip()
        }
        [2, n] => (values[..n].to_vec(), values[n..].to_vec()),
        _ => {
            let message =
                format!("an array of shape {shape:?}; edges are an array of n × 2 or 2 × n");
            return Err(archive.problem(key, message));
        }
    };
    drop(values);
    if let Some(&node) = sources.iter().chain(&targets).find(|&&node| node >= i64::from(u32::MAX)) {
        let message = format!("node {node}; nodes are numbers from 0 to {}", u32::MAX - 1);
        return Err(archive.problem(key, message));
    }
    let n_nodes = match (rows_of_nodes(archive)?, options.n_nodes) {
        (Some(n), _) => n,
        (None, Some(n)) => n as usize,
        (None, None) => {
            let last = sources.iter().chain(&targets).max().copied().unwrap_or(-1);
            usize::try_from(last.saturating_add(1)).unwrap_or(0).min(u32::MAX as usize)
        }
    };
    plausible_nodes(n_nodes, sources.len() as u64, options.n_nodes)
        .map_err(|message| archive.problem(key, message))?;
    let sources = nodes(archive, key, &sources, n_nodes)?;
    let targets = nodes(archive, key, &targets, n_nodes)?;
    Ok(EdgeList { n_nodes, sources, targets, weights: None })
}

/// Number of nodes by the arrays that have a row for each.
fn rows_of_nodes(archive: &mut NpzArchive<'_>) -> Result<Option<usize>, NpzError> {
    // Labels first: they are the smallest to go through.
    for key in ["node_labels", "labels", "node_features", "features"] {
        if !archive.has(key) || archive.header(key)?.element == ElementType::Object {
            continue;
        }
        let header = archive.checked_header(key)?;
        // Rows without columns take no bytes, however many are declared.
        if let Some(&rows) = header.shape.first().filter(|_| header.n_elements() > 0) {
            return match u32::try_from(rows) {
                Ok(rows) => Ok(Some(rows as usize)),
                Err(_) => {
                    let message = format!("{rows} rows; a graph has at most {} nodes", u32::MAX);
                    Err(archive.problem(key, message))
                }
            };
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
