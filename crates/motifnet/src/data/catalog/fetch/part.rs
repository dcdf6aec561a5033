//! The beginning of a file, as far as it has come.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::sha256::{self, Sha256};
use super::write_whole;
use crate::io::{WriteError, open_own};
use crate::progress::Silent;

/// `NAME.part`: bytes in the order they came, each written at once, so that a process that is killed
/// loses next to nothing. `NAME.part.toml` beside it says whose bytes they are.
pub(super) struct Part {
    path: PathBuf,
    file: File,
    length: u64,
    hash: Sha256,
    source: Source,
    /// Whether it begins with what an earlier fetch has left.
    is_resumed: bool,
}

/// Whose beginning a part is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Source {
    url: String,
    /// What the server calls this version of the file: its ETag, or when it was last changed.
    validator: Option<String>,
}

impl Part {
    /// Opens what an earlier fetch has left, or begins anew where that may be the beginning of
    /// another version of the file: nothing would tell, unless the hash of the whole is known or
    /// the server can compare versions.
    pub(super) fn open(path: &Path, url: &str, is_hash_known: bool) -> Result<Self, WriteError> {
        let problem = |source| WriteError::io(path, source);
        let mut part = Self {
            path: path.to_owned(),
            file: open_own(path)?,
            length: 0,
            hash: Sha256::new(),
            source: Source::default(),
            is_resumed: false,
        };
        let left = fs::read_to_string(part.source_path()).ok();
        let left = left.and_then(|text| toml::from_str::<Source>(&text).ok()).unwrap_or_default();
        let is_ours = left.url == url && left.validator.is_some();
        if is_ours || is_hash_known {
            part.length =
                sha256::add_all(&mut part.hash, &mut part.file, &Silent).map_err(problem)?;
        } else {
            part.file.set_len(0).map_err(problem)?;
        }
        part.is_resumed = part.length > 0;
        // Another server's word for a version means nothing to this one.
        part.source = if is_ours { left } else { Source { url: url.to_owned(), validator: None } };
        Ok(part)
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Whether it begins with what an earlier fetch has left.
    pub(super) fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// The hash of what is there.
    pub(super) fn sha256(&self) -> String {
        self.hash.hexadecimal()
    }

    /// What the server calls the version that this is the beginning of.
    pub(super) fn validator(&self) -> Option<&str> {
        self.source.validator.as_deref()
    }

    /// The bytes that are there.
    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Begins anew, with a version that the server calls `validator`.
    pub(super) fn restart(&mut self, validator: Option<String>) -> Result<(), WriteError> {
        let emptied = self.file.set_len(0).and_then(|()| self.file.rewind());
        emptied.map_err(|source| WriteError::io(&self.path, source))?;
        (self.length, self.hash, self.is_resumed) = (0, Sha256::new(), false);
        self.source.validator = validator;
        // Before the first byte: a part is never taken for that of another version.
        let path = self.source_path();
        let text = toml::to_string(&self.source)
            .map_err(|error| WriteError::io(&path, io::Error::other(error)))?;
        write_whole(&path, text.as_bytes())
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.file.write_all(bytes).map_err(|source| WriteError::io(&self.path, source))?;
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Gives the bytes their name: from now on they are the file.
    pub(super) fn keep_as(self, path: &Path) -> Result<(), WriteError> {
        let moved = self.file.sync_all().and_then(|()| fs::rename(&self.path, path));
        moved.map_err(|source| WriteError::io(path, source))?;
        self.forget_source()
    }

    /// Leaves no trace.
    pub(super) fn remove(self) -> Result<(), WriteError> {
        fs::remove_file(&self.path).map_err(|source| WriteError::io(&self.path, source))?;
        self.forget_source()
    }

    fn forget_source(&self) -> Result<(), WriteError> {
        let path = self.source_path();
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(WriteError::io(&path, source))
            }
            _ => Ok(()),
        }
    }

    fn source_path(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".toml");
        name.into()
    }
}
