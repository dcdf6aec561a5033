//! How far a training run has come.

use super::config::TrainConfig;
use crate::nn::{Adam, Network, Scores};

/// All that a run remembers from one epoch to the next: taken up from it, a run goes on to the same
/// bits as one that never stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainState {
    /// Epochs done.
    pub epoch: usize,
    /// The parameters after them.
    pub parameters: Vec<f32>,
    /// The optimiser after them.
    pub adam: Adam<f32>,
    /// The epoch of least validation loss so far; none before the first.
    pub best: Option<BestEpoch>,
}

/// The epoch of least validation loss.
#[derive(Clone, Debug, PartialEq)]
pub struct BestEpoch {
    /// From 1 on.
    pub epoch: usize,
    /// The training nodes, with dropout, as the step saw them.
    pub train: Scores,
    /// The validation nodes after the step.
    pub validation: Scores,
    /// The parameters after the step.
    pub parameters: Vec<f32>,
}

impl TrainState {
    /// Before the first epoch.
    pub fn new(network: &Network, config: &TrainConfig) -> Self {
        let parameters = network.layout().initial(config.seed);
        let adam = Adam::new(config.adam, parameters.len());
        Self { epoch: 0, parameters, adam, best: None }
    }

    /// Whether there are no epochs left, or none is worth waiting for. There is always a first.
    pub fn is_over(&self, config: &TrainConfig) -> bool {
        self.best.as_ref().is_some_and(|best| {
            self.epoch >= config.epochs || self.epoch - best.epoch >= config.patience
        })
    }
}
