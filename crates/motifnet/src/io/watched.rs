//! Reading stops before the memory does.

use std::io::{self, Read};

use crate::memory::{MemoryError, Need};

/// How often memory is looked at: after so many bytes.
pub(crate) const STEP: u64 = 8 << 20;

/// What has been made of a file so far, in bytes, and whether there is room to go on.
///
/// What comes of a file is known only when it has been read: arcs and values take about as much memory as their text,
/// and whoever makes something of them takes as much again. So that much must be left.
pub(super) struct Gauge {
    n_bytes: u64,
    next_look: u64,
}

impl Gauge {
    pub(super) fn new() -> Self {
        Self { n_bytes: 0, next_look: STEP }
    }

    /// Counts `n_bytes` more.
    pub(super) fn add(&mut self, n_bytes: u64) -> Result<(), MemoryError> {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        if self.n_bytes < self.next_look {
            return Ok(());
        }
        self.next_look = self.n_bytes.saturating_add(STEP);
        room_for(self.n_bytes).check()
    }
}

/// A stream that fails with [`io::ErrorKind::OutOfMemory`] once there is no room to do something with what was read.
pub(super) struct Watched<R> {
    inner: R,
    gauge: Gauge,
}

impl<R> Watched<R> {
    pub(super) fn new(inner: R) -> Self {
        Self { inner, gauge: Gauge::new() }
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        let room = self.gauge.add(n as u64);
        room.map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        Ok(n)
    }
}

/// The lack of memory that a [`Watched`] stream failed of.
pub(super) fn refusal(error: &io::Error) -> Option<&MemoryError> {
    error.get_ref()?.downcast_ref()
}

/// As much again as was made of a file.
pub(crate) fn room_for(n_bytes: u64) -> Need {
    let remedy = "read a smaller file, or leave out columns that are not needed";
    Need { what: "what the file holds", n_bytes, remedy }
}
