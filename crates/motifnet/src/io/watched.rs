//! Reading stops before the memory does.

use std::io::{self, Read};

use crate::memory::Need;

/// How often memory is looked at: after so many bytes.
const STEP: u64 = 8 << 20;

/// A stream that fails with [`io::ErrorKind::OutOfMemory`] once there is no room to do something with what was read.
///
/// What comes of a stream is known only when it has been read: arcs and values take about as much memory as their text,
/// and whoever makes something of them takes as much again. So that much must be left.
pub(super) struct Watched<R> {
    inner: R,
    n_read: u64,
    next_look: u64,
}

impl<R> Watched<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, n_read: 0, next_look: STEP }
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.n_read += n as u64;
        if self.n_read >= self.next_look {
            self.next_look = self.n_read + STEP;
            room_for(self.n_read)
                .check()
                .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        }
        Ok(n)
    }
}

fn room_for(n_read: u64) -> Need {
    let remedy = "read a smaller file, or leave out columns that are not needed";
    Need { what: "what the file holds", n_bytes: n_read, remedy }
}
