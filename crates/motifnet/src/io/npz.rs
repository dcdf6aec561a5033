//! Archives of NumPy arrays.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::input::{LimitReached, Limited};
use super::npy::{self, NpyArray, NpyError, NpyHeader};
use super::{Input, InputError, SeekRead};
use crate::memory::MemoryError;
use crate::progress::Progress;

/// An open `.npz` file: named arrays, each read when it is asked for.
pub struct NpzArchive<'a> {
    path: PathBuf,
    keys: Vec<String>,
    zip: ZipArchive<Box<dyn SeekRead + 'a>>,
    limit: u64,
    progress: &'a dyn Progress,
}

/// Why an archive or one of its arrays could not be read.
#[derive(Debug, thiserror::Error)]
pub enum NpzError {
    /// The file could not be opened or decompressed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file is no archive, or a damaged one.
    #[error("{}: not an npz archive: {message}", path.display())]
    Archive {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// There is no such array.
    #[error("{}[{key}]: there is no such array; the file has {keys}", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// The array that was asked for.
        key: String,
        /// The arrays that there are.
        keys: String,
    },
    /// There is no room for an array.
    #[error("{}[{key}]: {source}", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// The array.
        key: String,
        /// How much is missing.
        source: MemoryError,
    },
    /// An array cannot be read or is not what it should be.
    #[error("{}[{key}]: {message}", path.display())]
    Array {
        /// The file.
        path: PathBuf,
        /// The array.
        key: String,
        /// What is wrong.
        message: String,
    },
}

impl<'a> NpzArchive<'a> {
    /// Opens the archive at `path`; `limit` bounds the bytes of one array after decompression.
    ///
    /// # Errors
    /// If the file cannot be opened or is no zip archive.
    pub fn open(
        path: &Path,
        limit: Option<u64>,
        progress: &'a dyn Progress,
    ) -> Result<Self, NpzError> {
        Self::from_input(Input::open(path, limit, progress)?)
    }

    /// Opens the archive that `input` holds.
    ///
    /// # Errors
    /// If it is no zip archive.
    pub fn from_input(input: Input<'a>) -> Result<Self, NpzError> {
        let (path, limit, progress) = (input.path().to_owned(), input.limit(), input.progress());
        let damaged = |error: zip::result::ZipError| NpzError::Archive {
            path: path.clone(),
            message: error.to_string(),
        };
        let zip = ZipArchive::new(input.into_seekable()?).map_err(damaged)?;
        let names = zip.file_names().collect::<Result<Vec<_>, _>>().map_err(damaged)?;
        let keys =
            names.iter().filter_map(|name| name.strip_suffix(".npy").map(str::to_owned)).collect();
        Ok(Self { path, keys, zip, limit, progress })
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of the arrays, in the order of the file.
    pub fn keys(&self) -> &[String] {
        &self.keys
    }

    /// Whether there is an array called `key`.
    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|present| present == key)
    }

    /// Type and shape of the array `key`, without reading its elements.
    ///
    /// # Errors
    /// If there is no such array or it has no proper header.
    pub fn header(&mut self, key: &str) -> Result<NpyHeader, NpzError> {
        self.decode(key, |mut reader| NpyHeader::read(&mut reader))
    }

    /// Type and shape of the array `key`, after making sure that all its elements are there.
    ///
    /// # Errors
    /// If there is no such array or it is damaged.
    pub fn checked_header(&mut self, key: &str) -> Result<NpyHeader, NpzError> {
        self.read(key, |mut reader| {
            let header = NpyHeader::read(&mut reader)?;
            header.check_length(reader)?;
            Ok(header)
        })
    }

    /// The array `key` as integers; numbers that are not whole are refused.
    ///
    /// # Errors
    /// If there is no such array, it is damaged, or it holds what is not an integer.
    pub fn integers(&mut self, key: &str) -> Result<NpyArray<i64>, NpzError> {
        self.read(key, |reader| npy::integers(reader))
    }

    /// The array `key` as 64-bit floats.
    ///
    /// # Errors
    /// If there is no such array, it is damaged, or it holds what is not a number.
    pub fn floats(&mut self, key: &str) -> Result<NpyArray<f64>, NpzError> {
        self.read(key, |reader| npy::floats(reader))
    }

    /// The array `key` as 32-bit floats.
    ///
    /// # Errors
    /// If there is no such array, it is damaged, or it holds what is not a number.
    pub fn floats_f32(&mut self, key: &str) -> Result<NpyArray<f32>, NpzError> {
        self.read(key, |reader| npy::floats_f32(reader))
    }

    /// The array `key` as strings.
    ///
    /// # Errors
    /// If there is no such array, it is damaged, or it holds what is not text.
    pub fn strings(&mut self, key: &str) -> Result<NpyArray<String>, NpzError> {
        self.read(key, |reader| npy::strings(reader))
    }

    /// The array `key` as where each of `n_rows` rows of a sparse matrix starts, and the last ends.
    ///
    /// # Errors
    /// As [`NpzArchive::integers`], or if there are more or fewer rows, the first does not start
    /// at 0, or one starts before the last.
    pub fn row_starts(&mut self, key: &str, n_rows: usize) -> Result<Vec<usize>, NpzError> {
        let starts = self.integers(key)?.values;
        if starts.len() != n_rows + 1 {
            let message =
                format!("{} entries; a matrix of {n_rows} rows has {}", starts.len(), n_rows + 1);
            return Err(self.problem(key, message));
        }
        if starts[0] != 0 {
            return Err(self.problem(key, format!("starts at {}, not at 0", starts[0])));
        }
        if let Some(place) = starts.windows(2).position(|pair| pair[0] > pair[1]) {
            let message = format!(
                "falls from {} to {} at entry {}; it must never fall",
                starts[place],
                starts[place + 1],
                place + 1
            );
            return Err(self.problem(key, message));
        }
        Ok(starts.into_iter().map(|start| start as usize).collect())
    }

    /// An error about the array `key`, for callers that check what an array holds.
    pub fn problem(&self, key: &str, message: impl Into<String>) -> NpzError {
        NpzError::Array { path: self.path.clone(), key: key.to_owned(), message: message.into() }
    }

    /// Decodes an array to its end, where the archive tells the checksum that its bytes must have.
    fn read<T>(
        &mut self,
        key: &str,
        decode: impl FnOnce(&mut dyn Read) -> Result<T, NpyError>,
    ) -> Result<T, NpzError> {
        self.decode(key, |reader| {
            let value = decode(reader)?;
            match reader.read(&mut [0])? {
                0 => Ok(value),
                _ => Err(NpyError::TooLong),
            }
        })
    }

    fn decode<T>(
        &mut self,
        key: &str,
        decode: impl FnOnce(&mut dyn Read) -> Result<T, NpyError>,
    ) -> Result<T, NpzError> {
        if !self.has(key) {
            return Err(NpzError::Missing {
                path: self.path.clone(),
                key: key.to_owned(),
                keys: list(&self.keys),
            });
        }
        let result = match self.zip.by_name(&format!("{key}.npy")) {
            Ok(entry) => Ok(decode(&mut Limited::new(entry, self.limit, self.progress))),
            Err(error) => Err(error.to_string()),
        };
        match result {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(NpyError::Memory(source))) => {
                Err(NpzError::Memory { path: self.path.clone(), key: key.to_owned(), source })
            }
            Ok(Err(error)) => Err(self.problem(key, explain(error))),
            Err(message) => Err(self.problem(key, message)),
        }
    }
}

/// What an error inside an array means to the reader of the message.
fn explain(error: NpyError) -> String {
    match error {
        NpyError::Io(error) => explain_io(&error),
        other => other.to_string(),
    }
}

fn explain_io(error: &io::Error) -> String {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<LimitReached>()) {
        Some(reached) => reached.to_string(),
        None => format!("cannot be decompressed: {error}; the file may be damaged"),
    }
}

fn list(keys: &[String]) -> String {
    const SHOWN: usize = 12;
    match keys.len() {
        0 => "no arrays".into(),
        n if n <= SHOWN => keys.join(", "),
        n => format!("{} and {} more", keys[..SHOWN].join(", "), n - SHOWN),
    }
}

#[cfg(test)]
pub(crate) mod test_support;
#[cfg(test)]
mod tests;
