//! What was fetched into a folder, and what it was.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{FetchError, FetchedFile, Origin, write_whole};
use crate::data::catalog::KnownFile;
use crate::io::WriteError;

/// The file that keeps the hashes of a data set's files.
const RECORD: &str = "fetched.toml";

/// The hashes of the files of a folder when they were first there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// By the name of the file.
    #[serde(default)]
    files: BTreeMap<String, Entry>,
    /// What the file says now, so that it is not written in vain.
    #[serde(skip)]
    is_changed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    url: String,
    bytes: u64,
    sha256: String,
}

impl Record {
    pub(super) fn path(folder: &Path) -> PathBuf {
        folder.join(RECORD)
    }

    /// Reads the record of a folder; one that is not there is empty.
    pub(super) fn read(folder: &Path) -> Result<Self, FetchError> {
        let path = Self::path(folder);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(FetchError::Read { path, source }),
        };
        toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            FetchError::Record { path, reason: format!("line {line}: {}", error.message()) }
        })
    }

    /// The hash that a file had when it was first there.
    pub(super) fn sha256(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(|entry| entry.sha256.as_str())
    }

    pub(super) fn add(&mut self, file: &KnownFile, here: &FetchedFile) {
        let is_new = self.sha256(&file.name) != Some(&here.sha256);
        if is_new || here.origin != Origin::Here {
            let (url, sha256) = (file.url.clone(), here.sha256.clone());
            self.files.insert(file.name.clone(), Entry { url, bytes: here.bytes, sha256 });
            self.is_changed = true;
        }
    }

    /// Writes the record if there is something new in it.
    pub(super) fn write(&mut self, folder: &Path) -> Result<(), FetchError> {
        if std::mem::take(&mut self.is_changed) {
            let path = Self::path(folder);
            let table = toml::to_string(self)
                .map_err(|error| WriteError::io(&path, io::Error::other(error)))?;
            let text = format!(
                "# Written by `motifnet data fetch`: what the files were when they came here.\n\
                 # A file that is other than that, here or at its address, is refused.\n\n{table}"
            );
            write_whole(&path, text.as_bytes())?;
        }
        Ok(())
    }
}
