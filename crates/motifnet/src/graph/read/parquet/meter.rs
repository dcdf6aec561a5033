//! How much has come out of a Parquet file.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::io::LimitReached;
use crate::progress::Progress;

/// What a value counts for beside its text: a run of a billion equal values takes a few bytes of a file, so
/// what is decoded counts as what is decompressed.
pub(super) const VALUE_BYTES: u64 = 8;

/// Counts the bytes that come out of a file and refuses too many.
pub(super) struct Meter<'a> {
    limit: u64,
    n_bytes: AtomicU64,
    progress: &'a dyn Progress,
}

impl<'a> Meter<'a> {
    pub(super) fn new(limit: u64, progress: &'a dyn Progress) -> Self {
        Self { limit, n_bytes: AtomicU64::new(0), progress }
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

    /// Counts `n_rows` more values of `n_columns` columns.
    pub(super) fn add_values(&self, n_rows: usize, n_columns: usize) -> Result<(), String> {
        self.add(n_rows as u64 * n_columns as u64 * VALUE_BYTES)
    }
}
