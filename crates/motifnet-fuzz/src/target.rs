//! A reader and what it is tried on.

use crate::seed::Seed;
use crate::trial::Trial;

/// One kind of input, and the reader of it.
pub struct Target {
    /// What it is called: its program in `fuzz/` and its folder in `corpus/`.
    pub name: &'static str,
    /// Reads the bytes; whether they are what the reader takes.
    pub(crate) read: fn(&Trial, &[u8]) -> bool,
    /// Small inputs that the reader takes.
    pub seeds: fn() -> Vec<Seed>,
}

impl Target {
    /// Reads `bytes`; whether they are what the reader takes.
    ///
    /// # Panics
    /// If the reader panics, takes more than a second of processor time, or asks for more memory than a
    /// `Trial` allows.
    pub fn run(&self, bytes: &[u8]) -> bool {
        self.try_on(bytes, false)
    }

    pub(crate) fn try_on(&self, bytes: &[u8], often: bool) -> bool {
        let trial = Trial::begin(bytes.len(), often);
        let is_taken = (self.read)(&trial, bytes);
        trial.end();
        is_taken
    }
}
