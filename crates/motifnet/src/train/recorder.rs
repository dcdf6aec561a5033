//! Keeps what a run can be taken up from, as it goes.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::checkpoint::CHECKPOINT_FILE;
use super::config::TrainConfig;
use super::error::TrainError;
use super::observer::{EpochRecord, Observed, Observer};
use super::run_folder::RunFolder;
use super::state::TrainState;
use crate::progress::Stop;

/// Writes history and checkpoint of a run to its folder every now and then, at its end, and when it is
/// to pause; then tells another observer.
///
/// The history is written first: cut to the epochs of the checkpoint, it always fits.
pub struct Recorder<'a> {
    /// Where to; nothing is kept without.
    pub folder: Option<&'a RunFolder>,
    /// What the checkpoint belongs to.
    pub fingerprint: String,
    /// How the run is trained.
    pub config: TrainConfig,
    /// How long to wait between checkpoints.
    pub every: Duration,
    /// Set when the run is to pause.
    pub pause: &'a AtomicBool,
    /// The epochs so far.
    pub history: Vec<EpochRecord>,
    /// When the last checkpoint was written.
    pub last: Instant,
    /// Who else is told.
    pub then: &'a mut dyn Observer,
}

impl Observer for Recorder<'_> {
    fn epoch(&mut self, record: &EpochRecord, state: &TrainState) -> Observed {
        self.history.push(*record);
        let flow = self.then.epoch(record, state)?;
        let flow = match self.pause.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => flow,
        };
        let is_due = self.last.elapsed() >= self.every;
        if is_due || flow.is_break() || state.is_over(&self.config) {
            self.write(state)?;
        }
        Ok(flow)
    }

    fn stop(&self) -> Stop<'_> {
        Stop::when(self.pause)
    }

    fn stopped(&mut self, state: &TrainState) -> Result<(), TrainError> {
        // Before the first epoch there is nothing to go on from.
        if state.epoch > 0 {
            self.write(state)?;
        }
        self.then.stopped(state)
    }
}

impl Recorder<'_> {
    fn write(&mut self, state: &TrainState) -> Result<(), TrainError> {
        if let Some(folder) = self.folder {
            folder.write_history(&self.history)?;
            state.write(folder.place(CHECKPOINT_FILE), &self.fingerprint)?;
            self.last = Instant::now();
        }
        Ok(())
    }
}
