//! Cuts a stream into blocks of whole lines.

use std::io::{self, Read};

use super::super::lines::MAX_LINE;

/// Gives out a stream as blocks that end at line ends, one after another.
pub(super) struct Blocks<R> {
    reader: R,
    block_bytes: usize,
    /// What follows the last line end that was given out.
    carry: Vec<u8>,
    next: usize,
    done: bool,
}

/// Why there is no next block.
pub(super) enum BlockError {
    Io(io::Error),
    /// The block's first line does not end in time.
    LineTooLong,
}

impl<R: Read> Blocks<R> {
    pub(super) fn new(reader: R, block_bytes: usize) -> Self {
        Self { reader, block_bytes, carry: Vec::new(), next: 0, done: false }
    }

    /// No more blocks are wanted.
    pub(super) fn stop(&mut self) {
        self.done = true;
    }

    /// Puts the next block into `buffer`; returns its number (from 0) and its length. `None` after
    /// the last block or an error.
    pub(super) fn next_into(
        &mut self,
        buffer: &mut Vec<u8>,
    ) -> Option<(usize, Result<usize, BlockError>)> {
        if self.done {
            return None;
        }
        let number = self.next;
        self.next += 1;
        let result = self.fill(buffer);
        match result {
            Ok(0) => None,
            Ok(_) => Some((number, result)),
            Err(_) => {
                self.done = true;
                Some((number, result))
            }
        }
    }

    fn fill(&mut self, buffer: &mut Vec<u8>) -> Result<usize, BlockError> {
        let mut filled = self.carry.len();
        grow(buffer, filled + self.block_bytes);
        buffer[..filled].copy_from_slice(&self.carry);
        self.carry.clear();
        loop {
            let end = filled + self.block_bytes;
            grow(buffer, end);
            while filled < end {
                match self.reader.read(&mut buffer[filled..end]) {
                    Ok(0) => {
                        self.done = true;
                        return Ok(filled);
                    }
                    Ok(n) => filled += n,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(BlockError::Io(error)),
                }
            }
            if let Some(last) = memchr::memrchr(b'\n', &buffer[..filled]) {
                self.carry.extend_from_slice(&buffer[last + 1..filled]);
                return Ok(last + 1);
            }
            if filled > MAX_LINE {
                return Err(BlockError::LineTooLong);
            }
        }
    }
}

/// Makes `buffer` at least `length` long. It is never shortened, so that its bytes need to be set
/// only once.
fn grow(buffer: &mut Vec<u8>, length: usize) {
    if buffer.len() < length {
        buffer.resize(length, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_at_line_ends_and_lose_nothing() {
        let text = b"1 2\n\n333 44444444\n5 6\n7 8";
        for block_bytes in 1..30 {
            let mut blocks = Blocks::new(&text[..], block_bytes);
            let (mut buffer, mut joined) = (Vec::new(), Vec::new());
            while let Some((_, result)) = blocks.next_into(&mut buffer) {
                let Ok(length) = result else { panic!("no block") };
                joined.extend_from_slice(&buffer[..length]);
                assert!(buffer[..length].ends_with(b"\n") || joined == text);
            }
            assert_eq!(joined, text);
        }
    }
}
