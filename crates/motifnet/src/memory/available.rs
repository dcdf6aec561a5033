//! How much memory can still be taken.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{cgroup, process};

/// How much data this process may have, in bytes; `u64::MAX` where nobody said.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// From now on this process plans with `n_bytes` beside what it has already, whatever the machine has.
///
/// Memory is the whole process's, and so is its limit. Nothing but plans is held to it: what is taken without a plan is
/// for the system to refuse.
pub fn limit_memory(n_bytes: u64) {
    let used = process::own_memory().map_or(0, |own| own.data);
    LIMIT.store(n_bytes.saturating_add(used).min(u64::MAX - 1), Ordering::Relaxed);
}

/// Bytes that can still be taken, as far as can be told: what the user allows, else the least of what the
/// system and the control groups have left; and no more than the process's own limits leave. `None` where
/// nothing is known.
pub fn available_memory() -> Option<u64> {
    let own = process::own_memory();
    let allowed = match LIMIT.load(Ordering::Relaxed) {
        u64::MAX => system_memory().into_iter().chain(cgroup::left()).min(),
        limit => Some(limit.saturating_sub(own.map_or(0, |own| own.data))),
    };
    allowed.into_iter().chain(own.and_then(|own| own.left())).min()
}

fn system_memory() -> Option<u64> {
    available_in(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn available_in(meminfo: &str) -> Option<u64> {
    process::kibibytes(meminfo, "MemAvailable:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_words_are_read() {
        let text = "MemTotal:       24000 kB\nMemFree: 1 kB\nMemAvailable:   1234 kB\n";
        assert_eq!(available_in(text), Some(1234 * 1024));
        assert_eq!(available_in("MemTotal: 3 kB"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn some_memory_is_there_to_be_had() {
        assert!(available_memory().is_some_and(|n_bytes| n_bytes > 1 << 20));
    }
}
