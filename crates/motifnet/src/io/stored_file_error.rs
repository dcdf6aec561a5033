//! Why a file of our own could not be read.

use std::path::PathBuf;

use crate::memory::MemoryError;

/// Why a file that motifnet wrote could not be read again.
#[derive(Debug, thiserror::Error)]
pub enum StoredFileError {
    /// The system refused.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// There is no room for what it holds.
    #[error("{}: {source}", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// How much is missing.
        source: MemoryError,
    },
    /// Not what was written.
    #[error("{}: damaged: {reason}; restore it from a copy, or train again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What shows it.
        reason: String,
    },
    /// A file of something else.
    #[error("{}: holds {found:?}, not {wanted:?}; name another file", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
        /// What it says it is.
        found: String,
        /// What was wanted.
        wanted: &'static str,
    },
    /// Written by a later program.
    #[error(
        "{}: of version {found}, and this motifnet reads up to version {known}; update motifnet",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The latest that is known.
        known: i64,
    },
}
