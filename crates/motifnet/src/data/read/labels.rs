//! Labels as files have them, and as the nodes get them.

use std::path::{Path, PathBuf};

use super::array::{ArrayFile, FileKind};
use super::join::{FoundNames, nodes_of_rows};
use super::read_table;
use crate::data::{DataError, LabelError, Labels};
use crate::graph::NodeNames;
use crate::graph::read::{FilePart, NodeTable};
use crate::io::{ElementType, NpzArchive, Reading};

/// Arrays that hold labels.
const KEYS: [&str; 2] = ["labels", "node_labels"];
/// The array that names the classes.
const CLASS_NAMES: &str = "class_names";

/// Labels as they stand in a file.
pub(super) enum FoundLabels {
    None,
    Table(NodeTable),
    /// One for every node; -1 means none.
    Integers {
        path: PathBuf,
        values: Vec<i64>,
        /// What the classes 0, 1, … are called, if the file tells.
        class_names: Vec<String>,
    },
    /// One for every node; an empty one means none.
    Text {
        path: PathBuf,
        values: Vec<String>,
    },
}

impl FoundLabels {
    pub(super) fn read(
        file: &FilePart,
        names: &NodeNames,
        reading: Reading<'_>,
    ) -> Result<Self, DataError> {
        match FileKind::of(&file.path, reading)? {
            FileKind::Npy => {
                Self::read_array(&file.path, ArrayFile::Npy(file.path.clone(), reading))
            }
            FileKind::Npz => {
                let archive = reading.open_archive(&file.path)?;
                let array = ArrayFile::in_archive(archive, file.part.as_deref(), &KEYS)?;
                Self::read_array(&file.path, array)
            }
            FileKind::MatrixMarket | FileKind::Other => {
                Ok(Self::Table(read_table(file, names, reading)?))
            }
        }
    }

    /// The labels of an archive that holds a whole data set, if it has any.
    pub(super) fn read_archive(path: &Path, reading: Reading<'_>) -> Result<Self, DataError> {
        let archive = reading.open_archive(path)?;
        if !KEYS.iter().any(|key| archive.has(key)) {
            return Ok(Self::None);
        }
        Self::read_array(path, ArrayFile::in_archive(archive, None, &KEYS)?)
    }

    fn read_array(path: &Path, mut array: ArrayFile<'_>) -> Result<Self, DataError> {
        let path = path.to_owned();
        if array.is_text()? {
            let strings = array.strings()?;
            array.check_list(&strings.shape)?;
            return Ok(Self::Text { path, values: strings.values });
        }
        let integers = array.integers()?;
        array.check_list(&integers.shape)?;
        let class_names = match &mut array {
            ArrayFile::Npz(archive, _) => class_names(archive)?,
            ArrayFile::Npy(..) => Vec::new(),
        };
        Ok(Self::Integers { path, values: integers.values, class_names })
    }

    /// The file and its number of rows, if they stand in node order.
    pub(super) fn rows(&self) -> Option<(&Path, usize)> {
        match self {
            Self::None => None,
            Self::Table(table) => table.keys.is_none().then(|| (&*table.path, table.n_rows())),
            Self::Integers { path, values, .. } => Some((path, values.len())),
            Self::Text { path, values } => Some((path, values.len())),
        }
    }

    /// The table, if a file that is one tells the labels.
    pub(super) fn table(&self) -> Option<&NodeTable> {
        match self {
            Self::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The labels of the nodes that were found.
    pub(super) fn settle(self, found_names: FoundNames<'_>) -> Result<Labels, DataError> {
        let n_nodes = found_names.names.len();
        if let Some((path, found)) = self.rows()
            && found != n_nodes
        {
            return Err(DataError::labels(path, LabelError::Size { found, n_nodes }));
        }
        fn told(text: &str) -> Option<&str> {
            (!text.is_empty()).then_some(text)
        }
        match self {
            Self::None => Ok(Labels::none(n_nodes)),
            Self::Table(table) => {
                let bytes_a_node = size_of::<(Option<&str>, Option<u32>)>();
                let nodes = nodes_of_rows(&table, found_names, bytes_a_node)?;
                let mut of_node = vec![None; n_nodes];
                for (row, node) in nodes.into_iter().enumerate() {
                    of_node[node as usize] = told(table.value(row, 0));
                }
                Ok(Labels::from_names(of_node))
            }
            Self::Text { values, .. } => {
                Ok(Labels::from_names(values.iter().map(String::as_str).map(told)))
            }
            Self::Integers { path, values, class_names } => {
                let labels = Labels::from_integers(&values)
                    .map_err(|error| DataError::labels(&path, error))?;
                let largest = values.iter().max().copied().unwrap_or(-1);
                if largest >= class_names.len() as i64 {
                    return Ok(labels);
                }
                let class = |&label: &i64| u32::try_from(label).ok();
                Labels::new(class_names, values.iter().map(class).collect())
                    .map_err(|error| DataError::labels(&path, error))
            }
        }
    }
}

/// The names of the classes, if the archive has them as text.
fn class_names(archive: &mut NpzArchive<'_>) -> Result<Vec<String>, DataError> {
    if !archive.has(CLASS_NAMES) {
        return Ok(Vec::new());
    }
    match archive.header(CLASS_NAMES)?.element {
        ElementType::Bytes | ElementType::Unicode => Ok(archive.strings(CLASS_NAMES)?.values),
        _ => Ok(Vec::new()),
    }
}
