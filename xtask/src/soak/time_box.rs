//! How long a trial may take.

use std::time::{Duration, Instant};

/// Minutes that a trial may take, from when it was made; a step that has begun is finished.
pub(crate) struct TimeBox {
    start: Instant,
    length: Duration,
}

impl TimeBox {
    pub(crate) fn minutes(minutes: f64) -> Self {
        Self { start: Instant::now(), length: Duration::from_secs_f64(60.0 * minutes) }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.start.elapsed() >= self.length
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}
