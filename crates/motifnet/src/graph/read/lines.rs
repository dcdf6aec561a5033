//! A text file line by line, for formats whose lines must be taken in order.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::ReadError;
use crate::io::{Input, InputReader};

/// No sensible line is longer; one that is would fill the memory.
pub(super) const MAX_LINE: usize = 1 << 20;

pub(super) fn too_long() -> String {
    format!("a line of more than {MAX_LINE} bytes; this seems to be no text file of arcs")
}

/// Reads bounded lines and counts them.
pub(super) struct Lines<'a> {
    path: PathBuf,
    reader: BufReader<InputReader<'a>>,
    buffer: Vec<u8>,
    number: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(input: Input<'a>) -> Self {
        let path = input.path().to_owned();
        let reader = BufReader::with_capacity(1 << 18, input.into_reader());
        Self { path, reader, buffer: Vec::new(), number: 0 }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The next line without its end and with its number from 1; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>, ReadError> {
        self.buffer.clear();
        let mut bounded = self.reader.by_ref().take(MAX_LINE as u64 + 2);
        if let Err(source) = bounded.read_until(b'\n', &mut self.buffer) {
            return Err(self.reader.get_ref().error(source).into());
        }
        if self.buffer.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let mut line = &self.buffer[..];
        line = line.strip_suffix(b"\n").unwrap_or(line);
        line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > MAX_LINE {
            return Err(ReadError::line(&self.path, self.number, too_long()));
        }
        Ok(Some((self.number, line)))
    }

    /// The number of the line that was read last.
    pub(super) fn number(&self) -> u64 {
        self.number
    }
}
