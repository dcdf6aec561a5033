//! Why no graph came out of a file.

use std::path::{Path, PathBuf};

use crate::graph::BuildError;
use crate::io::{InputError, NpzError};
use crate::memory::MemoryError;

/// Why no graph came out of a file. The message names the place, the value and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file could not be opened, read or decompressed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// An npz archive or one of its arrays is not what it should be.
    #[error(transparent)]
    Npz(#[from] NpzError),
    /// A line of a text file is not what it should be.
    #[error("{}:{line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it, and what to do.
        message: String,
    },
    /// The file as a whole is not what it should be.
    #[error("{}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        message: String,
    },
    /// There is no room for what the file holds.
    #[error("{}: {source}", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// How much is missing.
        source: MemoryError,
    },
    /// The arcs make no graph.
    #[error("{}: {source}", path.display())]
    Build {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        source: BuildError,
    },
}

impl ReadError {
    pub(crate) fn line(path: &Path, line: u64, message: impl Into<String>) -> Self {
        Self::Line { path: path.to_owned(), line, message: message.into() }
    }

    pub(crate) fn file(path: &Path, message: impl Into<String>) -> Self {
        Self::File { path: path.to_owned(), message: message.into() }
    }
}

/// Quotes what was found in a file, so that no message runs over pages.
pub(crate) fn quote(found: &[u8]) -> String {
    const SHOWN: usize = 60;
    let text = String::from_utf8_lossy(found);
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}
