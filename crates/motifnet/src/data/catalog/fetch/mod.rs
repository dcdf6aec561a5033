//! Data sets brought over HTTP.
//!
//! ```text
//! file there, hash right                  → nothing to do, no network
//! address → NAME.part (cut? resume, retry) → hash → rename to NAME → fetched.toml
//!           archive   → NAME.zip.part      → its member → hash → NAME
//! ```
//!
//! A file appears under its name when all of it is there and its hash is right, and not before.
//! What a stopped fetch leaves behind is `NAME.part`, which the next one takes up. Nothing is written
//! outside of the folder: names are plain, and links in it are not followed.

mod address;
mod download;
mod error;
mod http;
mod mirror;
mod part;
mod record;
mod sha256;
#[cfg(test)]
mod tests;
mod unpack;

use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use self::download::{Wanted, download};
use self::http::Client;
use self::record::Record;
use super::{KnownDataset, KnownFile};
use crate::graph::read::DESCRIPTION;
use crate::io::{FolderClaim, Place, WholeFile, WriteError};
use crate::progress::{Progress, Unit};

pub use self::error::FetchError;
pub use self::mirror::{Mirror, MirrorError};

/// How to fetch.
#[derive(Clone, Debug)]
pub struct FetchOptions {
    /// Whom to ask instead of the address in the catalogue.
    pub mirror: Option<Mirror>,
    /// How often a connection that was cut or a server that is busy is tried again.
    pub retries: u32,
    /// The pause before the first of these; each later one is twice as long.
    pub first_pause: Duration,
    /// How long to wait for a connection, or for more bytes.
    pub timeout: Duration,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            mirror: None,
            retries: 4,
            first_pause: Duration::from_millis(500),
            timeout: Duration::from_secs(30),
        }
    }
}

/// A data set that is here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedDataset {
    /// Its folder, with a `dataset.toml`.
    pub folder: PathBuf,
    /// Its files, in the order of the catalogue.
    pub files: Vec<FetchedFile>,
}

/// A file of a data set that is here, its hash checked or recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchedFile {
    /// What it is called in the folder.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256 in lower-case hexadecimal.
    pub sha256: String,
    /// Whether the catalogue knew this hash; otherwise it is that of the first fetch.
    pub is_known: bool,
    /// How it came here.
    pub origin: Origin,
}

/// How a file came to be where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was there, and nobody was asked.
    Here,
    /// It was brought from its address.
    Fetched,
    /// Its rest was brought; an earlier fetch had been stopped.
    Resumed,
}

/// What is asked of a hash, and who says so.
#[derive(Clone, Copy, Debug)]
enum Expected<'a> {
    /// The catalogue knows it.
    Catalog(&'a str),
    /// It was recorded at the first fetch.
    Recorded(&'a str),
    /// Nobody knows it yet.
    Nothing,
}

impl<'a> Expected<'a> {
    fn of(file: &'a KnownFile, record: &'a Record) -> Self {
        match (&file.sha256, record.sha256(&file.name)) {
            (Some(known), _) => Self::Catalog(known),
            (None, Some(recorded)) => Self::Recorded(recorded),
            (None, None) => Self::Nothing,
        }
    }

    fn hash(self) -> Option<&'a str> {
        match self {
            Self::Catalog(hash) | Self::Recorded(hash) => Some(hash),
            Self::Nothing => None,
        }
    }
}

/// Brings `known` into `folder`, which is made if it is not there: its files, and a `dataset.toml`
/// if there is none. Files that are there with the right hash are left alone; if all are, nothing
/// is written and no connection is made. Another process that fetches into `folder` is waited for.
///
/// Time and network O(bytes that are missing), plus one reading of what is there for its hash;
/// memory O(1).
///
/// # Errors
/// If the address cannot be reached or answers with something else than the file, a hash is not
/// what it should be, or the folder cannot be written to. What has been brought by then stays: files
/// that are whole under their names, the beginning of one as `NAME.part`.
pub fn fetch(
    known: &KnownDataset,
    folder: &Path,
    options: &FetchOptions,
    progress: &dyn Progress,
) -> Result<FetchedDataset, FetchError> {
    let fetched = |files| FetchedDataset { folder: folder.to_owned(), files };
    if let Some(file) = known.files.iter().find(|file| !is_plain(&file.name)) {
        return Err(FetchError::Name(file.name.clone()));
    }
    // Before the lock, so that a complete folder may be one that nobody can write to.
    if let Some(files) = all_there(known, folder, progress)? {
        return Ok(fetched(files));
    }
    let _claim = FolderClaim::wait(folder, progress)?;
    let mut record = Record::read(folder)?;
    let client = Client::new(options);
    let mut files = Vec::with_capacity(known.files.len());
    for file in &known.files {
        let here = match checked(file, &record, folder, progress)? {
            Some(here) => here,
            None => bring(file, &record, folder, &client, options, progress)?,
        };
        record.add(file, &here);
        record.write(folder)?;
        files.push(here);
    }
    let description = folder.join(DESCRIPTION);
    // A description that is there may be the user's own.
    if !description.exists() {
        write_whole(&description, known.description.as_bytes())?;
    }
    Ok(fetched(files))
}

/// The files of `known` if all of them are in `folder`, with hashes that are known and right.
fn all_there(
    known: &KnownDataset,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Option<Vec<FetchedFile>>, FetchError> {
    if !known.is_in(folder) {
        return Ok(None);
    }
    let record = Record::read(folder)?;
    let is_told = |file| Expected::of(file, &record).hash().is_some();
    if !known.files.iter().all(is_told) {
        return Ok(None);
    }
    known.files.iter().map(|file| checked(file, &record, folder, progress)).collect()
}

/// The file that is in `folder` already, if it is; its hash is checked if one is known.
fn checked(
    file: &KnownFile,
    record: &Record,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Option<FetchedFile>, FetchError> {
    let path = file.path(folder);
    if !path.exists() {
        return Ok(None);
    }
    let n_bytes = fs::metadata(&path).ok().map(|there| there.len());
    progress.begin(&format!("check {}", file.name), n_bytes, Unit::Bytes);
    let hashed = sha256::of_file(&path, progress);
    progress.end();
    let (bytes, found) =
        hashed.map_err(|source| FetchError::Read { path: path.clone(), source })?;
    match Expected::of(file, record).hash() {
        Some(expected) if expected != found => {
            Err(FetchError::Altered { path, expected: expected.to_owned(), found })
        }
        _ => Ok(Some(FetchedFile {
            name: file.name.clone(),
            bytes,
            sha256: found,
            is_known: file.sha256.is_some(),
            origin: Origin::Here,
        })),
    }
}

/// Brings a file from its address.
fn bring(
    file: &KnownFile,
    record: &Record,
    folder: &Path,
    client: &Client,
    options: &FetchOptions,
    progress: &dyn Progress,
) -> Result<FetchedFile, FetchError> {
    let url = match &options.mirror {
        Some(mirror) => mirror.address(&file.url),
        None => file.url.clone(),
    };
    let expected = Expected::of(file, record);
    let path = file.path(folder);
    let wanted = |is_archive: bool| Wanted {
        name: &file.name,
        url: &url,
        limit: file.limit(),
        exact: file.bytes.filter(|_| !is_archive),
        is_hash_known: !is_archive && expected.hash().is_some(),
    };
    let check = |found: &str| match expected.hash() {
        Some(hash) if hash != found => Err(error::wrong_hash(expected, found, &url, folder)),
        _ => Ok(()),
    };
    let (bytes, sha256, is_resumed) = match &file.member {
        None => {
            let part = folder.join(format!("{}.part", file.name));
            let part = download(client, &wanted(false), &part, options, progress)?;
            let (bytes, sha256, is_resumed) = (part.length(), part.sha256(), part.is_resumed());
            if let Err(error) = check(&sha256) {
                part.remove()?;
                return Err(error);
            }
            part.keep_as(&path)?;
            (bytes, sha256, is_resumed)
        }
        Some(member) => {
            let part = folder.join(format!("{}.zip.part", file.name));
            let mut part = download(client, &wanted(true), &part, options, progress)?;
            let is_resumed = part.is_resumed();
            let unpacked = unpack::member(part.file(), member, &path, file.limit(), &url, check);
            // An archive that is no good would be taken up again and again.
            part.remove()?;
            let (bytes, sha256) = unpacked?;
            (bytes, sha256, is_resumed)
        }
    };
    Ok(FetchedFile {
        name: file.name.clone(),
        bytes,
        sha256,
        is_known: file.sha256.is_some(),
        origin: if is_resumed { Origin::Resumed } else { Origin::Fetched },
    })
}

/// Whether a name is that of a file in whatever folder it is put, and none of ours.
fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_one = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    // Elsewhere than here these lead out of a folder, too.
    is_one && !name.contains(['/', '\\', ':', '\0']) && !name.starts_with('.')
}

/// Writes a small file of the folder whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let mut file = WholeFile::create_plain(Place::within_its_folder(path))?;
    file.write_all(bytes).map_err(|source| WriteError::io(path, source))?;
    file.commit()
}
