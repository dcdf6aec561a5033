//! Features as files have them, and as the nodes get them.

use std::path::{Path, PathBuf};

use super::array::{ArrayFile, FileKind};
use super::join::{FoundNames, nodes_of_rows};
use super::sparse::{from_entries, read_sparse};
use crate::data::{DataError, DenseFeatures, FeatureError, Features, GraphFeatures};
use crate::graph::read::{
    FilePart, NodeTable, RawMatrix, ValueColumns, read_matrix, read_node_table,
};
use crate::graph::{DiGraph, NodeNames};
use crate::io::{NpyArray, NpzArchive, Reading};
use crate::progress::Progress;
use crate::sparse::CsrMatrix;

/// Arrays that hold features.
const KEYS: [&str; 2] = ["node_features", "features"];
/// What stands before the names of the arrays of a sparse matrix of features.
const SPARSE_PREFIXES: [&str; 2] = ["attr_", "attr_matrix."];

/// Features as they stand in a file.
pub(super) enum FoundFeatures {
    None,
    /// Made of the graph.
    Made(GraphFeatures),
    Table(NodeTable),
    Dense {
        path: PathBuf,
        n_rows: usize,
        width: usize,
        values: Vec<f32>,
    },
    Sparse {
        path: PathBuf,
        matrix: CsrMatrix<f32>,
    },
    /// Entries of a sparse matrix in any order; rows are only made where the nodes back them up.
    Entries {
        path: PathBuf,
        n_rows: usize,
        n_columns: usize,
        entries: Vec<(u32, u32, f32)>,
    },
}

/// The features of the nodes, and what is known of them.
pub(super) struct SettledFeatures {
    pub(super) features: Features,
    /// What the columns are called, if a table names them.
    pub(super) names: Option<Vec<String>>,
}

impl FoundFeatures {
    pub(super) fn read(
        file: &FilePart,
        names: &NodeNames,
        reading: Reading<'_>,
    ) -> Result<Self, DataError> {
        let path = &file.path;
        let key = file.part.as_deref();
        match FileKind::of(path, reading)? {
            FileKind::Npy => Self::read_dense(path, ArrayFile::Npy(path.clone(), reading)),
            FileKind::Npz => {
                let mut archive = reading.open_archive(path)?;
                // What scipy.sparse.save_npz writes has no prefix.
                let prefix = sparse_prefix(&archive).or(archive.has("indptr").then_some(""));
                match prefix.filter(|_| key.is_none()) {
                    Some(prefix) => Self::read_sparse(path, &mut archive, prefix),
                    None => Self::read_dense(path, ArrayFile::in_archive(archive, key, &KEYS)?),
                }
            }
            FileKind::MatrixMarket if key.is_some() => {
                Err(DataError::file(path, "a MatrixMarket file has no parts; leave out the #"))
            }
            FileKind::MatrixMarket => Ok(match read_matrix(path, reading)? {
                RawMatrix::Dense { n_rows, n_columns, values } => {
                    Self::Dense { path: path.clone(), n_rows, width: n_columns, values }
                }
                RawMatrix::Sparse { n_rows, n_columns, entries } => {
                    Self::Entries { path: path.clone(), n_rows, n_columns, entries }
                }
            }),
            FileKind::Other => {
                let wanted = key.map_or(ValueColumns::All, ValueColumns::Named);
                Ok(Self::Table(read_node_table(path, wanted, names, reading)?))
            }
        }
    }

    /// The features of an archive that holds a whole data set, if it has any.
    pub(super) fn read_archive(path: &Path, reading: Reading<'_>) -> Result<Self, DataError> {
        let mut archive = reading.open_archive(path)?;
        if let Some(prefix) = sparse_prefix(&archive) {
            return Self::read_sparse(path, &mut archive, prefix);
        }
        if !KEYS.iter().any(|key| archive.has(key)) {
            return Ok(Self::None);
        }
        Self::read_dense(path, ArrayFile::in_archive(archive, None, &KEYS)?)
    }

    fn read_sparse(
        path: &Path,
        archive: &mut NpzArchive<'_>,
        prefix: &str,
    ) -> Result<Self, DataError> {
        Ok(Self::Sparse { path: path.to_owned(), matrix: read_sparse(archive, prefix)? })
    }

    fn read_dense(path: &Path, mut array: ArrayFile<'_>) -> Result<Self, DataError> {
        let NpyArray { shape, values } = array.floats()?;
        let (n_rows, width) = match shape[..] {
            // Such rows take no bytes, however many are declared.
            [n_rows, 0] if n_rows > 0 => {
                return Err(
                    array.problem(format!("{n_rows} rows of no columns; add some features"))
                );
            }
            [n_rows, width] => (n_rows, width),
            [n_rows] => (n_rows, 1),
            _ => {
                let message = format!("an array of shape {shape:?}; features are one row a node");
                return Err(array.problem(message));
            }
        };
        Ok(Self::Dense { path: path.to_owned(), n_rows, width, values })
    }

    /// The file and its number of rows, if they stand in node order.
    pub(super) fn rows(&self) -> Option<(&Path, usize)> {
        match self {
            Self::None | Self::Made(_) => None,
            Self::Table(table) => table.keys.is_none().then(|| (&*table.path, table.n_rows())),
            Self::Dense { path, n_rows, .. } => Some((path, *n_rows)),
            Self::Sparse { path, matrix } => Some((path, matrix.n_rows())),
            Self::Entries { path, n_rows, .. } => Some((path, *n_rows)),
        }
    }

    /// The table, if a file that is one tells the features.
    pub(super) fn table(&self) -> Option<&NodeTable> {
        match self {
            Self::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Where the features come from, in words.
    pub(super) fn describe(&self) -> Option<String> {
        let path = match self {
            Self::None => return None,
            Self::Made(made) => return Some(made.to_string()),
            Self::Table(table) => &table.path,
            Self::Dense { path, .. } | Self::Sparse { path, .. } | Self::Entries { path, .. } => {
                path
            }
        };
        Some(path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned())
    }

    /// The features of the nodes of `graph`, which the arcs call `names`.
    pub(super) fn settle(
        self,
        graph: &DiGraph,
        names: FoundNames<'_>,
        progress: &dyn Progress,
    ) -> Result<SettledFeatures, DataError> {
        let column_names = self.table().filter(|table| table.has_names);
        let column_names = column_names.map(|table| table.columns.clone());
        let features = self.settle_values(graph, names, progress)?;
        Ok(SettledFeatures { features, names: column_names })
    }

    fn settle_values(
        self,
        graph: &DiGraph,
        names: FoundNames<'_>,
        progress: &dyn Progress,
    ) -> Result<Features, DataError> {
        let n_nodes = graph.n_nodes();
        if let Some((path, found)) = self.rows()
            && found != n_nodes
        {
            return Err(DataError::features(path, FeatureError::Rows { found, n_nodes }));
        }
        match self {
            Self::None => Ok(Features::None),
            Self::Made(made) => Ok(made.of(graph, progress).map_err(FeatureError::from)?),
            Self::Table(table) => settle_table(&table, names),
            Self::Dense { path, n_rows, width, values } => {
                let dense = DenseFeatures::new(n_rows, width, values);
                Ok(Features::Dense(dense.map_err(|error| DataError::features(&path, error))?))
            }
            Self::Sparse { path, matrix } => {
                let features = Features::Sparse(matrix);
                features.check(n_nodes).map_err(|error| DataError::features(&path, error))?;
                Ok(features)
            }
            Self::Entries { path, n_rows, n_columns, entries } => {
                let features = Features::Sparse(from_entries(n_rows, n_columns, &entries));
                features.check(n_nodes).map_err(|error| DataError::features(&path, error))?;
                Ok(features)
            }
        }
    }
}

fn sparse_prefix(archive: &NpzArchive<'_>) -> Option<&'static str> {
    SPARSE_PREFIXES.into_iter().find(|prefix| archive.has(&format!("{prefix}indptr")))
}

fn settle_table(table: &NodeTable, names: FoundNames<'_>) -> Result<Features, DataError> {
    let (n_nodes, width) = (names.names.len(), table.columns.len());
    let nodes = nodes_of_rows(table, names, size_of::<f32>() * width)?;
    if nodes.len() < n_nodes {
        let mut is_told = vec![false; n_nodes];
        nodes.iter().for_each(|&node| is_told[node as usize] = true);
        let missing = (0..n_nodes as u32).filter(|&node| !is_told[node as usize]);
        let message = format!(
            "has no row for {} of {n_nodes} nodes, such as {}; add them",
            n_nodes - nodes.len(),
            names.examples(missing)
        );
        return Err(DataError::file(&table.path, message));
    }
    let mut values = vec![0.0; n_nodes * width];
    for (row, node) in nodes.into_iter().enumerate() {
        for column in 0..width {
            let text = table.value(row, column);
            let number = text.parse().ok().filter(|number: &f32| number.is_finite());
            values[node as usize * width + column] = number.ok_or_else(|| {
                let message = format!(
                    "column {}: expected a finite number, found {text:?}",
                    table.columns[column]
                );
                table.problem(row, message)
            })?;
        }
    }
    DenseFeatures::new(n_nodes, width, values)
        .map(Features::Dense)
        .map_err(|error| DataError::features(&table.path, error))
}
