//! How a training run tells where it is.

use std::ops::ControlFlow;

use super::error::TrainError;
use super::state::TrainState;
use crate::progress::Stop;

/// One epoch: a step of training, then a look at the validation nodes.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct EpochRecord {
    /// From 1 on.
    pub epoch: usize,
    /// The loss that the step went against, with dropout.
    pub train_loss: f64,
    /// The share of training nodes that were right, with dropout.
    pub train_accuracy: f64,
    /// The cross-entropy of the validation nodes after the step.
    pub val_loss: f64,
    /// The share of validation nodes that are right after the step.
    pub val_accuracy: f64,
    /// Whether no epoch before had a smaller validation loss.
    pub is_best: bool,
}

/// What an observer says: go on, or `ControlFlow::Break` to pause the run.
pub type Observed = Result<ControlFlow<()>, TrainError>;

/// Is told of every epoch, and may pause the run.
pub trait Observer {
    /// After an epoch, with the state that the run could be taken up from.
    ///
    /// # Errors
    /// If what is to be kept cannot be; the run ends with that.
    fn epoch(&mut self, record: &EpochRecord, state: &TrainState) -> Observed;

    /// What gives up the epoch that is under way: an epoch may take long.
    fn stop(&self) -> Stop<'_> {
        Stop::NEVER
    }

    /// An epoch was given up; `state` is that after the last whole one, which [`Observer::epoch`] has seen if there was
    /// one.
    ///
    /// # Errors
    /// If what is to be kept cannot be.
    fn stopped(&mut self, _state: &TrainState) -> Result<(), TrainError> {
        Ok(())
    }
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Observer for Quiet {
    fn epoch(&mut self, _: &EpochRecord, _: &TrainState) -> Observed {
        Ok(ControlFlow::Continue(()))
    }
}
