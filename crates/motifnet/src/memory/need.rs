//! Memory that something planned would take.

use super::{MemorySize, available_memory};

/// Memory that something planned would take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// What is planned, as the subject of a sentence: `training`, `the graph`.
    pub what: &'static str,
    /// Bytes that it would take beside what is there already.
    pub n_bytes: u64,
    /// What would make it smaller, as an order: `take fewer samples`.
    pub remedy: &'static str,
}

/// More memory was planned than there is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{what} needs about {} of memory, and there is {}; {remedy}, or raise the limit",
    MemorySize::bytes(*needed), MemorySize::bytes(*available)
)]
pub struct MemoryError {
    /// What was planned.
    pub what: &'static str,
    /// Bytes that it would take.
    pub needed: u64,
    /// Bytes that there are.
    pub available: u64,
    /// What would make it smaller.
    pub remedy: &'static str,
}

impl Need {
    /// Refuses what does not fit.
    ///
    /// # Errors
    /// If there is less memory, as far as can be told.
    ///
    /// ```
    /// use motifnet::memory::Need;
    ///
    /// let need = |n_bytes| Need { what: "the table", n_bytes, remedy: "ask for fewer columns" };
    /// assert!(need(1000).check().is_ok());
    /// let error = need(1000).check_within(Some(100)).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the table needs about 1.0 kB of memory, and there is 0.1 kB; ask for fewer columns, or raise the limit"
    /// );
    /// ```
    pub fn check(&self) -> Result<(), MemoryError> {
        self.check_within(available_memory())
    }

    /// Refuses what does not fit into `available` bytes; `None` is as much as one likes.
    ///
    /// # Errors
    /// If it is less.
    pub fn check_within(&self, available: Option<u64>) -> Result<(), MemoryError> {
        let Self { what, n_bytes: needed, remedy } = *self;
        match available {
            Some(available) if needed > available => {
                Err(MemoryError { what, needed, available, remedy })
            }
            _ => Ok(()),
        }
    }
}
