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
    /// The file is mounted by itself, as containers do with one.
    #[error("{path} is mounted by itself, so nothing can take its place; mount the folder that it is in, or choose another name", path = .0.display())]
    IsMounted(PathBuf),
    /// The folder is there, and is none that holds files.
    #[error("{path}: no file can be made in this folder, as in one that was removed meanwhile; name another", path = .0.display())]
    HoldsNoFiles(PathBuf),
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
        #[cfg(unix)]
        _ if source.raw_os_error() == Some(rustix::io::Errno::PERM.raw_os_error()) => {
            "; choose another name, or a folder of your own: in one like /tmp only its owner may replace a file"
        }
        io::ErrorKind::PermissionDenied => "; choose a folder that you may write to",
        io::ErrorKind::StorageFull => "; free some space or choose another disk",
        io::ErrorKind::QuotaExceeded => "; free some space or choose another disk",
        io::ErrorKind::ReadOnlyFilesystem => "; choose another disk",
        io::ErrorKind::FileTooLarge => {
            "; raise the limit on the size of files (ulimit -f) or choose another disk"
        }
        io::ErrorKind::ResourceBusy => {
            "; a file that is mounted by itself cannot be replaced: mount the folder that it is in, or choose another name"
        }
        io::ErrorKind::InvalidFilename => "; choose a shorter or plainer name",
        _ => "",
    }
}

#[cfg(all(test, unix))]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn what_a_folder_like_tmp_or_a_mounted_file_refuses_has_its_own_remedy() {
        let said = |errno: Errno| WriteError::io("a.csv".as_ref(), errno).to_string();
        assert!(said(Errno::PERM).ends_with("only its owner may replace a file"));
        assert!(said(Errno::ACCESS).ends_with("; choose a folder that you may write to"));
        assert!(said(Errno::BUSY).contains("mount the folder that it is in"));
    }
}
