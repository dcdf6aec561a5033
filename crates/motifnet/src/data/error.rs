//! Why no data set came out of its files.

use std::path::{Path, PathBuf};

use super::{FeatureError, LabelError, SplitError, SplitSpecError};
use crate::graph::{BuildError, ReadError};
use crate::io::{NpyError, NpzError};
use crate::memory::MemoryError;

/// Why no data set came out of its files. The message names the file, the value and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The description, the arcs or a table could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An npz archive or one of its arrays is not what it should be.
    #[error(transparent)]
    Npz(#[from] NpzError),
    /// An npy file is not what it should be.
    #[error("{}: {source}", path.display())]
    Npy {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NpyError,
    },
    /// The arcs make no graph.
    #[error("{}: {source}", path.display())]
    Build {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        source: BuildError,
    },
    /// There is no room for what a table tells of the nodes.
    #[error("{}: {source}", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// How much is missing.
        source: MemoryError,
    },
    /// The features of a file are none.
    #[error("{}: {source}", path.display())]
    Features {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        source: FeatureError,
    },
    /// Features are missing, do not fit, or could not be prepared.
    #[error(transparent)]
    Prepare(#[from] FeatureError),
    /// The labels of a file are none.
    #[error("{}: {source}", path.display())]
    Labels {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        source: LabelError,
    },
    /// The split that was told is none.
    #[error("{}split = {source}", before(told_in))]
    Split {
        /// The description that tells it; `None` if the caller does.
        told_in: Option<PathBuf>,
        /// What is wrong with it.
        source: SplitSpecError,
    },
    /// What was told of a data set does not make one.
    #[error("{}{message}", before(told_in))]
    Told {
        /// The description that tells it; `None` if the caller does.
        told_in: Option<PathBuf>,
        /// What is wrong, and what to do.
        message: String,
    },
    /// A split by a column of a file is none.
    #[error("{}: {source}", path.display())]
    ColumnSplit {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: SplitError,
    },
    /// One of the splits of a file is none.
    #[error("{}: split {number}: {source}", path.display())]
    Mask {
        /// The file.
        path: PathBuf,
        /// Which of them, from 0.
        number: usize,
        /// What is wrong with it.
        source: SplitError,
    },
}

/// What stands before a message about something that a file tells.
fn before(told_in: &Option<PathBuf>) -> String {
    told_in.as_ref().map_or(String::new(), |path| format!("{}: ", path.display()))
}

impl DataError {
    /// An error about a file as a whole.
    pub(super) fn file(path: &Path, message: impl Into<String>) -> Self {
        Self::Read(ReadError::file(path, message))
    }

    /// An error about an npy file, whose path the message then names once.
    pub(super) fn npy(path: &Path, source: NpyError) -> Self {
        match source {
            NpyError::Input(source) => Self::Read(source.into()),
            source => Self::Npy { path: path.to_owned(), source },
        }
    }

    /// An error about the features in `path`.
    pub(super) fn features(path: &Path, source: FeatureError) -> Self {
        Self::Features { path: path.to_owned(), source }
    }

    /// An error about the labels in `path`.
    pub(super) fn labels(path: &Path, source: LabelError) -> Self {
        Self::Labels { path: path.to_owned(), source }
    }
}
