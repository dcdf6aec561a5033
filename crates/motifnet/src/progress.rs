//! How long work tells its caller where it is, and hears that it is to stop. The library never prints.

use std::sync::atomic::{AtomicBool, Ordering};

/// Receives the advance of one piece of long work after another.
///
/// Calls may come from any thread. Implementations should be cheap: work reports a few
/// hundred times per stage, not per element. To stop the work an implementation may unwind from any
/// of its methods: what a stage has made is lost then, and nothing else is touched.
pub trait Progress: Sync {
    /// A stage begins; `total` is its size in `unit`s where that is known.
    fn begin(&self, stage: &str, total: Option<u64>, unit: Unit);

    /// `amount` more units of the current stage are done.
    fn advance(&self, amount: u64);

    /// `n_bytes` more of what files hold have been read, after decompression: what may be asked of
    /// memory is in proportion to it. The one method that must not unwind.
    fn content(&self, _n_bytes: u64) {}

    /// What there is to say of the current stage beside how far it is, such as a loss.
    fn say(&self, _text: &str) {}

    /// The current stage is over.
    fn end(&self);
}

/// Whether work is to be given up before its end; whoever looks may return at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop<'a>(Option<&'a AtomicBool>);

impl<'a> Stop<'a> {
    /// Work goes on to its end.
    pub const NEVER: Stop<'static> = Stop(None);

    /// As soon as `flag` is set.
    pub fn when(flag: &'a AtomicBool) -> Self {
        Self(Some(flag))
    }

    /// Whether it is to be given up now.
    pub fn is_set(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// What a stage counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a file.
    Bytes,
    /// Steps of an algorithm.
    Steps,
    /// Files or other whole things.
    Items,
}

/// Ignores every report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _stage: &str, _total: Option<u64>, _unit: Unit) {}
    fn advance(&self, _amount: u64) {}
    fn end(&self) {}
}
