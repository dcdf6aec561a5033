//! A file that several row groups are read from at once.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

/// A file whose readers keep a position each. The Parquet library's own readers of a [`File`]
/// share one, so that two threads would read each other's bytes.
#[derive(Clone)]
pub(super) struct SharedFile {
    file: Arc<Mutex<File>>,
    n_bytes: u64,
}

impl SharedFile {
    pub(super) fn new(file: File) -> Result<Self> {
        let n_bytes = file.metadata()?.len();
        Ok(Self { file: Arc::new(Mutex::new(file)), n_bytes })
    }

    pub(super) fn length(&self) -> u64 {
        self.n_bytes
    }

    /// The file from a position on.
    pub(super) fn section(&self, position: u64) -> Section {
        Section { file: Arc::clone(&self.file), position }
    }

    /// The same, for what is read byte by byte.
    pub(super) fn buffered(&self, position: u64) -> BufReader<Section> {
        // Page headers are short, and what is read past them is read again.
        BufReader::with_capacity(512, self.section(position))
    }

    /// How long the description at the end of the file is, by what is written there.
    pub(super) fn description_length(&self) -> io::Result<Option<u64>> {
        let Some(start) = self.n_bytes.checked_sub(8) else { return Ok(None) };
        let mut length = [0; 4];
        self.section(start).read_exact(&mut length)?;
        Ok(Some(u32::from_le_bytes(length).into()))
    }
}

impl Length for SharedFile {
    fn len(&self) -> u64 {
        self.n_bytes
    }
}

impl ChunkReader for SharedFile {
    type T = BufReader<Section>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(self.buffered(start))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        if start.checked_add(length as u64).is_none_or(|end| end > self.n_bytes) {
            return Err(ParquetError::EOF(format!(
                "{length} bytes at {start} in a file of {}",
                self.n_bytes
            )));
        }
        let mut buffer = vec![0; length];
        self.section(start).read_exact(&mut buffer)?;
        Ok(buffer.into())
    }
}

/// The file from a position on.
pub(super) struct Section {
    file: Arc<Mutex<File>>,
    position: u64,
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.position))?;
        let n = file.read(buffer)?;
        self.position += n as u64;
        Ok(n)
    }
}
