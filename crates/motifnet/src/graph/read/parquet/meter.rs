//! How much has come out of a Parquet file.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::io::{GAUGE_STEP, LimitReached, room_for};
use crate::memory::{MemoryError, Need};
use crate::progress::Progress;

/// What a value counts for beside its text: a run of a billion equal values takes a few bytes of a file, so
/// what is decoded counts as what is decompressed.
pub(super) const VALUE_BYTES: u64 = 8;

/// Counts the bytes that come out of a file and refuses too many, for the limit or for the memory.
pub(super) struct Meter<'a> {
    limit: u64,
    n_bytes: AtomicU64,
    /// Of these, what is kept: pages are not, once their values are.
    n_kept: AtomicU64,
    refused: OnceLock<MemoryError>,
    progress: &'a dyn Progress,
}

impl<'a> Meter<'a> {
    pub(super) fn new(limit: u64, progress: &'a dyn Progress) -> Self {
        let (n_bytes, n_kept) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { limit, n_bytes, n_kept, refused: OnceLock::new(), progress }
    }

    /// The most bytes that may come out.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// Counts `n_bytes` more.
    pub(super) fn add(&self, n_bytes: u64) -> Result<(), String> {
        let before = self.n_bytes.fetch_add(n_bytes, Ordering::Relaxed);
        if before.saturating_add(n_bytes) > self.limit {
            return Err(LimitReached { limit: self.limit }.to_string());
        }
        self.progress.content(n_bytes);
        Ok(())
    }

    /// Counts `n_rows` more values of `n_columns` columns, which are kept.
    pub(super) fn add_values(&self, n_rows: usize, n_columns: usize) -> Result<(), String> {
        self.add_kept(n_rows as u64 * n_columns as u64 * VALUE_BYTES)
    }

    /// Counts `n_bytes` more, which are kept.
    pub(super) fn add_kept(&self, n_bytes: u64) -> Result<(), String> {
        self.add(n_bytes)?;
        self.keep(n_bytes)
    }

    /// Makes sure that there is room for what `n_bytes` more become and for whatever is made of all of it, as in
    /// files of other kinds.
    pub(super) fn keep(&self, n_bytes: u64) -> Result<(), String> {
        let before = self.n_kept.fetch_add(n_bytes, Ordering::Relaxed);
        let kept = before.saturating_add(n_bytes);
        if kept / GAUGE_STEP == before / GAUGE_STEP && self.refused.get().is_none() {
            return Ok(());
        }
        self.check(room_for(kept))
    }

    /// Makes sure that there is room for a page, which is gone before the next.
    pub(super) fn check_page(&self, n_bytes: u64) -> Result<(), String> {
        match n_bytes < GAUGE_STEP {
            true => Ok(()),
            false => self.check(Need {
                what: "a page of the file",
                n_bytes,
                remedy: "write the file with smaller pages",
            }),
        }
    }

    fn check(&self, need: Need) -> Result<(), String> {
        // Once there was no room, no other group goes on.
        if let Some(error) = self.refused.get() {
            return Err(error.to_string());
        }
        need.check().map_err(|error| self.refused.get_or_init(|| error).to_string())
    }

    /// The lack of memory that reading ended with, if it was that.
    pub(super) fn refused(&self) -> Option<&MemoryError> {
        self.refused.get()
    }
}
