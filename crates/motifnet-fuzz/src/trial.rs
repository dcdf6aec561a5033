//! One run of a reader, watched.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use motifnet::progress::{Progress, Unit};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use tempfile::TempDir;

use crate::MEMORY;

/// What may come out of a compressed input.
const MOST_DECOMPRESSED: u64 = 4_000_000;
/// The same for libFuzzer, which would spend all its time on bombs.
const MOST_DECOMPRESSED_OFTEN: u64 = 1 << 16;
/// Processor time that a run may take, all threads together.
const MOST_TIME: Duration = Duration::from_secs(1);
/// Memory that every run may ask for.
const FREE_MEMORY: u64 = 32 << 20;
/// Memory that it may ask for beyond that, for every byte that it has read, after decompression.
const MEMORY_A_BYTE: u64 = 64;
/// Memory that the process gets at all: what is far off ends at once, and not with the machine.
const ADDRESS_SPACE: u64 = 6 << 30;

/// A run: hears what is read and compares it with the memory that was asked for until then.
///
/// The input itself counts as read from the start: it is small.
pub(crate) struct Trial {
    folder: TempDir,
    /// The most bytes that may come out of a compressed file.
    most_decompressed: u64,
    n_read: AtomicU64,
    memory_before: usize,
    time_before: Duration,
    /// The first excess, in words.
    excess: Mutex<Option<String>>,
    /// Memory and time are those of the process, so there is one run at a time.
    _alone: MutexGuard<'static, ()>,
}

impl Trial {
    /// Begins a run on an input of `n_bytes`, one of many if it is `often` that there is one.
    pub(crate) fn begin(n_bytes: usize, often: bool) -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        prepare();
        let folder = tempfile::tempdir().expect("a folder for the files of a run");
        MEMORY.reset_peak_usage();
        Self {
            folder,
            most_decompressed: if often { MOST_DECOMPRESSED_OFTEN } else { MOST_DECOMPRESSED },
            n_read: AtomicU64::new(n_bytes as u64),
            memory_before: MEMORY.current_usage(),
            time_before: processor_time(),
            excess: Mutex::new(None),
            _alone: alone,
        }
    }

    /// The most bytes that may come out of a compressed file.
    pub(crate) fn limit(&self) -> Option<u64> {
        Some(self.most_decompressed)
    }

    /// The same in whole megabytes.
    pub(crate) fn limit_in_megabytes(&self) -> Option<u64> {
        Some(self.most_decompressed.div_ceil(1_000_000))
    }

    /// The folder of its files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder().join(name);
        std::fs::write(&path, bytes).expect("a file of a run");
        path
    }

    /// What has been asked for must be in proportion to what was read so far.
    fn weigh(&self) {
        let asked = MEMORY.peak_usage().saturating_sub(self.memory_before) as u64;
        let n_read = self.n_read.load(Ordering::Relaxed);
        let allowed = MEMORY_A_BYTE.saturating_mul(n_read).saturating_add(FREE_MEMORY);
        if asked > allowed {
            let mut excess = self.excess.lock().unwrap_or_else(PoisonError::into_inner);
            excess.get_or_insert_with(|| {
                format!("asked for {asked} bytes after reading {n_read}, which allow {allowed}")
            });
        }
    }

    pub(crate) fn end(self) {
        self.weigh();
        let excess = self.excess.lock().unwrap_or_else(PoisonError::into_inner).take();
        assert!(excess.is_none(), "{}", excess.unwrap_or_default());
        let time = processor_time().saturating_sub(self.time_before);
        assert!(time <= MOST_TIME, "took {time:?} of processor time");
    }
}

impl Progress for Trial {
    fn begin(&self, _stage: &str, _total: Option<u64>, _unit: Unit) {}
    fn advance(&self, _amount: u64) {}
    fn end(&self) {}

    fn content(&self, n_bytes: u64) {
        self.weigh();
        self.n_read.fetch_add(n_bytes, Ordering::Relaxed);
    }
}

fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // libFuzzer ends the process in the panic hook, even where the panic would be caught.
        motifnet::io::silence_caught_panics();
        let hard = getrlimit(Resource::As).maximum;
        let limit = Rlimit { current: Some(ADDRESS_SPACE), maximum: hard };
        setrlimit(Resource::As, limit).expect("a limit on the memory of this process");
    });
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;
    use crate::{Seed, Target};

    fn said(read: fn(&Trial, &[u8]) -> bool) -> String {
        let target = Target { name: "wasteful", read, seeds: Vec::<Seed>::new };
        let panic = catch_unwind(|| target.run(&[0; 1024])).unwrap_err();
        panic.downcast_ref::<String>().cloned().unwrap_or_default()
    }

    #[test]
    fn memory_beyond_what_was_read_is_noticed() {
        let taken = |n: usize| std::hint::black_box(Vec::<u8>::with_capacity(n)).capacity() == n;
        let message =
            said(|_, _| std::hint::black_box(Vec::<u8>::with_capacity(40 << 20)).is_empty());
        assert!(message.ends_with("bytes after reading 1024, which allow 33619968"), "{message}");
        // What is read later does not excuse what was asked for before.
        let message = said(|trial, _| {
            drop(std::hint::black_box(Vec::<u8>::with_capacity(40 << 20)));
            trial.content(1 << 20);
            true
        });
        assert!(message.ends_with("bytes after reading 1024, which allow 33619968"), "{message}");
        let read = |trial: &Trial, _: &[u8]| {
            trial.content(1 << 20);
            std::hint::black_box(Vec::<u8>::with_capacity(40 << 20)).is_empty()
        };
        assert!(Target { name: "modest", read, seeds: Vec::new }.run(b""));
        assert!(taken(1));
    }

    #[test]
    fn a_second_of_work_is_noticed() {
        let message = said(|_, _| {
            let start = processor_time();
            while processor_time() - start < Duration::from_millis(1100) {}
            true
        });
        assert!(message.starts_with("took 1.1"), "{message}");
    }
}
