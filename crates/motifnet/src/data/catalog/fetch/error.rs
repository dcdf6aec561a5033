//! Why a data set could not be fetched.

use std::io;
use std::path::{Path, PathBuf};

use super::Expected;
use super::record::Record;
use crate::io::{ClaimError, WriteError};

/// Why a data set could not be fetched. The message names the address or file, what was found and
/// the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// Something could not be written to the folder.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The folder could not be claimed for this process.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// A name that could lead out of the folder.
    #[error(
        "{0:?} is no name of a file in the folder of a data set; use letters, digits, `.`, `-` and `_`"
    )]
    Name(String),
    /// A file that is there could not be read.
    #[error("{path}: cannot be read: {source}; allow reading it, or delete it to fetch it again", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Nobody answers, or connections are cut again and again.
    #[error(
        "{url}: cannot be reached: {reason}; check the network and try again (what has come is kept), or name a mirror"
    )]
    Unreachable {
        /// The address.
        url: String,
        /// What went wrong last.
        reason: String,
    },
    /// The server does not give the file.
    #[error("{url}: the server answers {status}{meaning}; try again later, or name a mirror", meaning = meaning(*status))]
    Status {
        /// The address.
        url: String,
        /// The status of HTTP.
        status: u16,
    },
    /// The file is longer or shorter than it should be.
    #[error(
        "{url}: {found} bytes, but the file should have {expected}; what came is deleted: try again, or name a mirror"
    )]
    WrongLength {
        /// The address.
        url: String,
        /// The length that is known.
        expected: u64,
        /// The length that was found or announced.
        found: u64,
    },
    /// The file is longer than any that is accepted.
    #[error(
        "{url}: more than {limit} bytes, the most that is accepted for this file; what came is deleted: name a mirror that has the true file"
    )]
    TooLong {
        /// The address.
        url: String,
        /// The most that is accepted.
        limit: u64,
    },
    /// The server does not say where the file ends, and no hash is known that would tell.
    #[error(
        "{url}: the server does not say how long the file is, so that a cut connection would not be noticed; name a mirror"
    )]
    NoLength {
        /// The address.
        url: String,
    },
    /// What came is not what the catalogue says.
    #[error(
        "{url}: the SHA-256 should be {expected}, but is {found}; what came is deleted: try again, or name a mirror that has the true file"
    )]
    WrongHash {
        /// The address.
        url: String,
        /// The hash in the catalogue.
        expected: String,
        /// The hash of what came.
        found: String,
    },
    /// What came is not what came at first.
    #[error("{url}: the file has changed since it was first fetched: the SHA-256 was {expected} and is now {found}; what came is deleted: if the change is right, delete {record} and try again", record = record.display())]
    Changed {
        /// The address.
        url: String,
        /// The hash of the first fetch.
        expected: String,
        /// The hash of what came now.
        found: String,
        /// Where the first hash is kept.
        record: PathBuf,
    },
    /// A file that is there is not what was fetched.
    #[error("{path}: the SHA-256 should be {expected}, but is {found}: the file was changed or damaged; delete it to fetch it again", path = path.display())]
    Altered {
        /// The file.
        path: PathBuf,
        /// The hash in the catalogue, or of the first fetch.
        expected: String,
        /// The hash of the file.
        found: String,
    },
    /// The archive is damaged or does not have the file.
    #[error(
        "{url}: {member} cannot be taken out of the archive: {reason}; what came is deleted: try again, or name a mirror"
    )]
    Archive {
        /// The address.
        url: String,
        /// The file that should be in it.
        member: String,
        /// What is wrong.
        reason: String,
    },
    /// The record of what was fetched is no longer one.
    #[error("{path}: not what this program wrote: {reason}; delete it, and the hashes of the files that are there are recorded anew", path = path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// The error of a hash that is not the expected one.
pub(super) fn wrong_hash(
    expected: Expected<'_>,
    found: &str,
    url: &str,
    folder: &Path,
) -> FetchError {
    let (url, found) = (url.to_owned(), found.to_owned());
    match expected {
        Expected::Recorded(hash) => {
            let record = Record::path(folder);
            FetchError::Changed { url, expected: hash.to_owned(), found, record }
        }
        Expected::Catalog(_) | Expected::Nothing => {
            let expected = expected.hash().unwrap_or_default().to_owned();
            FetchError::WrongHash { url, expected, found }
        }
    }
}

fn meaning(status: u16) -> &'static str {
    match status {
        401 | 403 => ", it refuses to give the file",
        404 | 410 => ", the file is not there",
        429 => ", it was asked too often",
        500..=599 => ", it has a fault",
        _ => "",
    }
}
