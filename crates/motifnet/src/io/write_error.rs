//! Why a file could not be written.

use std::io;
use std::path::{Path, PathBuf};

/// Why a file could not be written, and what would help. The file that was there is untouched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The folder that the file should go into does not exist.
    #[error("{path}: the folder {folder} does not exist; create it first", path = path.display(), folder = folder.display())]
    FolderMissing {
        /// The file.
        path: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// The path is a folder.
    #[error("{path} is a folder; name a file in it", path = .0.display())]
    IsFolder(PathBuf),
    /// The file is there and protected.
    #[error("{path} is read-only; allow writing to it or choose another name", path = .0.display())]
    ReadOnly(PathBuf),
    /// The path is a link, where one is not to be followed.
    #[error("{path} is a link, and nothing is written through it; remove it", path = .0.display())]
    IsLink(PathBuf),
    /// Something that is neither a file nor a folder, where one of ours should be.
    #[error("{path} is no file; remove it", path = .0.display())]
    IsNoFile(PathBuf),
    /// The system refused.
    #[error("{path}: cannot write: {source}{remedy}", path = path.display(), remedy = remedy(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The ending of the name is that of no format.
    #[error("{path}: unknown ending; use {allowed}", path = path.display())]
    UnknownEnding {
        /// The file.
        path: PathBuf,
        /// The endings that would do.
        allowed: &'static str,
    },
    /// The format was left out of this build.
    #[error("{path}: this build cannot write {format} files; build it with the feature `{feature}` or use .npz", path = path.display())]
    FormatLeftOut {
        /// The file.
        path: PathBuf,
        /// The format.
        format: &'static str,
        /// The feature to build with.
        feature: &'static str,
    },
    /// There are fewer or more names than nodes.
    #[error("{path}: {n_names} names for {n_nodes} nodes; give one name a node", path = path.display())]
    WrongNames {
        /// The file.
        path: PathBuf,
        /// Number of names.
        n_names: usize,
        /// Number of nodes.
        n_nodes: usize,
    },
    /// A name that a reader of this format would take for something else.
    #[error("{path}: node {node} is called {name:?}, which this format cannot hold: {reason}; write .csv instead", path = path.display())]
    UnfitName {
        /// The file.
        path: PathBuf,
        /// The node.
        node: usize,
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A matrix that should be written as symmetric, and is not.
    #[error("{path}: not symmetric: the entry in row {row}, column {column} (from 0) has no equal across the diagonal; write it as general", path = path.display())]
    NotSymmetric {
        /// The file.
        path: PathBuf,
        /// Row of an entry without its equal.
        row: usize,
        /// Its column.
        column: usize,
    },
}

impl WriteError {
    /// The error that `source` is for the file at `path`.
    pub fn io(path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Io { path: path.to_owned(), source: source.into() }
    }
}

fn remedy(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::PermissionDenied => "; choose a folder that you may write to",
        io::ErrorKind::StorageFull => "; free some space or choose another disk",
        io::ErrorKind::QuotaExceeded => "; free some space or choose another disk",
        io::ErrorKind::ReadOnlyFilesystem => "; choose another disk",
        io::ErrorKind::FileTooLarge => {
            "; raise the limit on the size of files (ulimit -f) or choose another disk"
        }
        io::ErrorKind::InvalidFilename => "; choose a shorter or plainer name",
        _ => "",
    }
}
