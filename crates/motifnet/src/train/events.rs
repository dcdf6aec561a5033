//! A run as TensorBoard shows it.

use std::time::SystemTime;

use super::error::TrainError;
use super::observer::{EpochRecord, Observed, Observer};
use super::state::TrainState;
use crate::io::EventFile;
use crate::progress::Stop;

/// The folder of a run's event files.
pub const EVENTS_FOLDER: &str = "events";

/// Writes losses and accuracies to an event file, then tells another observer.
pub struct EventObserver<'a> {
    /// Where to; nothing is written without.
    pub file: Option<EventFile>,
    /// Who else is told.
    pub then: &'a mut dyn Observer,
}

impl Observer for EventObserver<'_> {
    fn epoch(&mut self, record: &EpochRecord, state: &TrainState) -> Observed {
        if let Some(file) = &mut self.file {
            let (now, step) = (wall_time(), record.epoch as u64);
            for (tag, value) in [
                ("loss/train", record.train_loss),
                ("loss/validation", record.val_loss),
                ("accuracy/train", record.train_accuracy),
                ("accuracy/validation", record.val_accuracy),
            ] {
                file.scalar(tag, step, value as f32, now)?;
            }
            file.flush()?;
        }
        self.then.epoch(record, state)
    }

    fn stop(&self) -> Stop<'_> {
        self.then.stop()
    }

    fn stopped(&mut self, state: &TrainState) -> Result<(), TrainError> {
        self.then.stopped(state)
    }
}

/// Seconds since 1970.
pub fn wall_time() -> f64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}
