//! The net below the plans: the system refuses memory before there is none, so that it never has to end the process.

use std::sync::atomic::{AtomicU64, Ordering};

use motifnet::memory::own_memory;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Bytes that the command may take; 0 as long as nothing is known.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// From now on the system gives this process no more than `n_bytes` beside what it has. Where the system does not
/// know how, there is no net.
pub(crate) fn spread(n_bytes: u64) {
    let Some(own) = own_memory() else { return };
    let Rlimit { current, maximum } = getrlimit(Resource::Data);
    let wanted = own.data.saturating_add(n_bytes);
    let tightest = [Some(wanted), current, maximum].into_iter().flatten().min();
    if setrlimit(Resource::Data, Rlimit { current: tightest, maximum }).is_ok() {
        LIMIT.store(n_bytes, Ordering::Relaxed);
    }
}

/// Bytes that the command may take, if there is a net.
pub(crate) fn limit() -> Option<u64> {
    Some(LIMIT.load(Ordering::Relaxed)).filter(|&limit| limit > 0)
}
