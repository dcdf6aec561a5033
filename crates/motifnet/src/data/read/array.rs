//! One NumPy array, in a file of its own or in an archive.

use std::path::{Path, PathBuf};

use crate::data::DataError;
use crate::io::{
    ElementType, NpyArray, NpyHeader, NpzArchive, Reading, read_npy_floats, read_npy_floats_f32,
    read_npy_header, read_npy_integers, read_npy_strings,
};

/// What a file is, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    /// One array.
    Npy,
    /// An archive of arrays.
    Npz,
    /// A matrix as text.
    MatrixMarket,
    /// Anything else.
    Other,
}

impl FileKind {
    pub(super) fn of(path: &Path, reading: Reading<'_>) -> Result<Self, DataError> {
        let input = reading.open(path).map_err(crate::graph::ReadError::from)?;
        if input.n_bytes().is_none() {
            let message =
                "is a pipe or a device, and this has to be read twice; write it to a file";
            return Err(DataError::file(path, message));
        }
        Ok(match input.peek() {
            [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Self::Npy,
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Self::Npz,
            start if start.len() >= 14 && start[..14].eq_ignore_ascii_case(b"%%MatrixMarket") => {
                Self::MatrixMarket
            }
            _ => Self::Other,
        })
    }
}

/// An array that is still to be read.
pub(super) enum ArrayFile<'a> {
    Npy(PathBuf, Reading<'a>),
    Npz(NpzArchive<'a>, String),
}

impl<'a> ArrayFile<'a> {
    /// The array called `key`, or else the first of `usual` that an archive has.
    pub(super) fn in_archive(
        archive: NpzArchive<'a>,
        key: Option<&str>,
        usual: &[&str],
    ) -> Result<Self, DataError> {
        let found = usual.iter().copied().find(|key| archive.has(key));
        match key.or(found) {
            Some(key) => Ok(Self::Npz(archive, key.to_owned())),
            None => {
                let missing = match usual {
                    [] => String::new(),
                    _ => format!("no array called {}, but ", usual.join(" or ")),
                };
                let message = format!(
                    "has {missing}{}; name one after a #, as in file.npz#{}",
                    archive.keys().join(", "),
                    archive.keys().first().map_or("key", String::as_str)
                );
                Err(DataError::file(archive.path(), message))
            }
        }
    }

    fn header(&mut self) -> Result<NpyHeader, DataError> {
        match self {
            Self::Npy(path, reading) => read_npy_header(path, reading.limit, reading.progress)
                .map_err(|error| DataError::npy(path, error)),
            Self::Npz(archive, key) => Ok(archive.header(key)?),
        }
    }

    /// Whether the elements are text.
    pub(super) fn is_text(&mut self) -> Result<bool, DataError> {
        Ok(matches!(self.header()?.element, ElementType::Bytes | ElementType::Unicode))
    }

    pub(super) fn integers(&mut self) -> Result<NpyArray<i64>, DataError> {
        match self {
            Self::Npy(path, reading) => read_npy_integers(path, reading.limit, reading.progress)
                .map_err(|error| DataError::npy(path, error)),
            Self::Npz(archive, key) => Ok(archive.integers(key)?),
        }
    }

    pub(super) fn strings(&mut self) -> Result<NpyArray<String>, DataError> {
        match self {
            Self::Npy(path, reading) => read_npy_strings(path, reading.limit, reading.progress)
                .map_err(|error| DataError::npy(path, error)),
            Self::Npz(archive, key) => Ok(archive.strings(key)?),
        }
    }

    pub(super) fn floats(&mut self) -> Result<NpyArray<f32>, DataError> {
        match self {
            Self::Npy(path, reading) => read_npy_floats_f32(path, reading.limit, reading.progress)
                .map_err(|error| DataError::npy(path, error)),
            Self::Npz(archive, key) => Ok(archive.floats_f32(key)?),
        }
    }

    pub(super) fn doubles(&mut self) -> Result<NpyArray<f64>, DataError> {
        match self {
            Self::Npy(path, reading) => read_npy_floats(path, reading.limit, reading.progress)
                .map_err(|error| DataError::npy(path, error)),
            Self::Npz(archive, key) => Ok(archive.floats(key)?),
        }
    }

    /// An error about the array.
    pub(super) fn problem(&self, message: String) -> DataError {
        match self {
            Self::Npy(path, _) => DataError::file(path, message),
            Self::Npz(archive, key) => archive.problem(key, message).into(),
        }
    }

    /// Refuses what is no list of one value a node; a table of one column is one.
    pub(super) fn check_list(&self, shape: &[usize]) -> Result<(), DataError> {
        match shape {
            [_] | [_, 1] => Ok(()),
            _ => {
                Err(self
                    .problem(format!("an array of shape {shape:?}; labels are one value a node")))
            }
        }
    }
}
