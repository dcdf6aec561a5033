//! What is wrong with a file of a search.

use std::path::PathBuf;

use super::search_error::SearchError;
use crate::train::SettingError;

/// What is wrong with a search space, or with the files that a search is taken up from.
#[derive(Debug, thiserror::Error)]
pub enum SearchFileError {
    /// The file cannot be read, is no TOML, or has a setting that cannot be.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A space that cannot be searched.
    #[error("{}: {source}", path.display())]
    Space {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: SearchError,
    },
    /// No space at all.
    #[error("{}: there is no table [tune]; `motifnet tune --print-space` prints one", path.display())]
    NoSpace {
        /// The file.
        path: PathBuf,
    },
    /// More than a space.
    #[error(
        "{}: `{name}` is no part of a search space, which has the table [tune] alone; put settings into \
         a file for --config", path.display()
    )]
    OtherTable {
        /// The file.
        path: PathBuf,
        /// What else it has.
        name: String,
    },
    /// No number of trials, or none that can be.
    #[error("{}: trials is {found}; give a whole number, 1 or above", path.display())]
    Trials {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// The table of trials cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The table of trials is not what was written.
    #[error(
        "{}: damaged: {reason}; delete it, for trials that came to their end are known from their \
         folders", path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What shows it.
        reason: String,
    },
}
