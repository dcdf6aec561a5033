//! The loop: one step a epoch on all training nodes, stopped by the validation nodes.

use std::sync::Arc;

use super::config::TrainConfig;
use super::error::TrainError;
use super::observer::{EpochRecord, Observer};
use super::state::{BestEpoch, TrainState};
use crate::memory::{Need, available_memory};
use crate::nn::{
    Adam, GraphView, LossTarget, Network, NetworkConfig, Pass, Purpose, ReceptiveField, Scores,
};
use crate::progress::Stop;

/// What is to be learnt, and from what.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The graph, as the network takes it.
    pub graph: &'a GraphView<'a, f32>,
    /// One row for every node.
    pub features: &'a [f32],
    /// Numbers in such a row.
    pub n_features: usize,
    /// The class of every node, where it has one.
    pub labels: &'a [Option<u32>],
    /// How many classes there are.
    pub n_classes: usize,
    /// The nodes to learn from.
    pub train: &'a [u32],
    /// The nodes to choose the epoch by.
    pub validation: &'a [u32],
    /// The nodes to judge by; may be none.
    pub test: &'a [u32],
}

/// A trained network and how good it is.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The network.
    pub network: Arc<Network>,
    /// Its parameters at the best epoch.
    pub parameters: Vec<f32>,
    /// The epoch of least validation loss, from 1 on.
    pub best_epoch: usize,
    /// How many epochs were run.
    pub n_epochs: usize,
    /// The training nodes at the best epoch, with dropout, as the step saw them.
    pub train: Scores,
    /// The validation nodes at the best epoch.
    pub validation: Scores,
    /// The test nodes, if there are any.
    pub test: Option<Scores>,
}

/// How a training run ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// It came to its end.
    Finished(Fitted),
    /// The observer paused it here: after an epoch, or within the next.
    Paused(TrainState),
}

/// Trains a network on `problem` from `start` on, or from the beginning; `observer` is told of every
/// epoch and may pause the run, or stop it within an epoch: nothing is left of that one then.
///
/// # Errors
/// If the data or the network make no sense or do not fit in memory (told before any work is done), if
/// the loss ceases to be a number, or if the observer fails.
pub fn fit(
    network: &NetworkConfig,
    config: &TrainConfig,
    problem: &Problem<'_>,
    start: Option<TrainState>,
    observer: &mut dyn Observer,
) -> Result<Ending, TrainError> {
    problem.check()?;
    let n_operators = problem.graph.operators.len();
    let network = Network::new(network, problem.n_features, problem.n_classes, n_operators)?;
    let network = Arc::new(network);
    let graph = problem.graph;
    let field = |nodes| network.field(nodes, graph, problem.n_nodes());
    let pass = |field, purpose| Pass::on(field, &network, graph, problem.features, purpose);
    let weights = config.class_weights.weights(&problem.classes(problem.train), problem.n_classes);
    let target = |nodes| LossTarget::new(problem.classes(nodes), weights.clone());

    let is_over = start.as_ref().is_some_and(|state| state.is_over(config));
    // One that is over has nothing left but to be tested.
    let learning = [problem.train, problem.validation].map(|part| if is_over { &[] } else { part });
    let [train_field, val_field] = learning.map(field);
    let fields = [train_field, val_field, field(problem.test)];
    check_memory(&network, config, graph, &fields)?;
    let [train_field, val_field, test_field] = fields;
    let mut state = start.unwrap_or_else(|| TrainState::new(&network, config));
    if !is_over {
        let mut training = pass(train_field, Purpose::Training);
        let mut validation = pass(val_field, Purpose::Evaluation);
        let targets = [target(problem.train), target(problem.validation)];
        let mut next = NextStep::after(&state);
        while !state.is_over(config) {
            let passes = [&mut training, &mut validation];
            let stop = observer.stop();
            let Some(record) = state.advance(&mut next, passes, &targets, config.seed, stop)?
            else {
                observer.stopped(&state)?;
                return Ok(Ending::Paused(state));
            };
            if observer.epoch(&record, &state)?.is_break() && !state.is_over(config) {
                return Ok(Ending::Paused(state));
            }
        }
        // The room of training is given back here, before that of testing is taken.
    }
    let best = state.best.as_ref().expect("a run has at least one epoch");
    let test = match problem.test {
        [] => None,
        nodes => {
            let mut testing = pass(test_field, Purpose::Evaluation);
            let scores = testing.evaluate_until(observer.stop(), &best.parameters, &target(nodes));
            if scores.is_none() {
                observer.stopped(&state)?;
                return Ok(Ending::Paused(state));
            }
            scores
        }
    };
    let n_epochs = state.epoch;
    let best = state.best.expect("a run has at least one epoch");
    Ok(Ending::Finished(Fitted {
        network,
        parameters: best.parameters,
        best_epoch: best.epoch,
        n_epochs,
        train: best.train,
        validation: best.validation,
        test,
    }))
}

/// A step that counts when it has been looked at: parameters and optimiser to be, in memory that is kept from epoch to
/// epoch.
struct NextStep {
    parameters: Vec<f32>,
    adam: Adam<f32>,
}

impl NextStep {
    fn after(state: &TrainState) -> Self {
        Self { parameters: state.parameters.clone(), adam: state.adam.clone() }
    }

    /// From where `state` is, against `gradients`.
    fn take(&mut self, state: &TrainState, gradients: &[f32]) {
        self.parameters.copy_from_slice(&state.parameters);
        self.adam.copy_from(&state.adam);
        self.adam.update(&mut self.parameters, gradients);
    }
}

impl TrainState {
    /// One epoch: a step on the training nodes, then a look at the validation nodes. `None` if it was stopped, and
    /// then the state is as before.
    fn advance(
        &mut self,
        next: &mut NextStep,
        [training, validation]: [&mut Pass<f32>; 2],
        [train_target, val_target]: &[LossTarget; 2],
        seed: u64,
        stop: Stop<'_>,
    ) -> Result<Option<EpochRecord>, TrainError> {
        let epoch = self.epoch + 1;
        let finite = |scores: Scores| match scores.loss {
            loss if loss.is_finite() => Ok(scores),
            loss => Err(TrainError::Diverged { epoch, loss }),
        };
        let draw = [seed, epoch as u64];
        let learnt = training.gradients_until(stop, &self.parameters, train_target, draw);
        let Some((train, gradients)) = learnt else { return Ok(None) };
        let train = finite(train)?;
        next.take(self, gradients);
        // An activation may hide it: the larger of NaN and 0 is 0, and the loss of that is a number.
        if !next.parameters.iter().all(|parameter| parameter.is_finite()) {
            return Err(TrainError::Overflow { epoch });
        }
        let Some(val) = validation.evaluate_until(stop, &next.parameters, val_target) else {
            return Ok(None);
        };
        let val = finite(val)?;
        self.epoch = epoch;
        std::mem::swap(&mut self.parameters, &mut next.parameters);
        std::mem::swap(&mut self.adam, &mut next.adam);
        let is_best = self.best.as_ref().is_none_or(|best| val.loss < best.validation.loss);
        if is_best {
            let mut parameters = self.best.take().map_or_else(Vec::new, |best| best.parameters);
            parameters.clone_from(&self.parameters);
            self.best = Some(BestEpoch { epoch, train, validation: val, parameters });
        }
        Ok(Some(EpochRecord {
            epoch,
            train_loss: train.loss,
            train_accuracy: train.accuracy,
            val_loss: val.loss,
            val_accuracy: val.accuracy,
            is_best,
        }))
    }
}

impl Problem<'_> {
    fn n_nodes(&self) -> usize {
        self.labels.len()
    }

    /// The classes of nodes that are known to have one.
    fn classes(&self, nodes: &[u32]) -> Vec<u32> {
        nodes.iter().filter_map(|&node| self.labels[node as usize]).collect()
    }

    fn parts(&self) -> [(&'static str, &[u32]); 3] {
        [("training", self.train), ("validation", self.validation), ("test", self.test)]
    }

    fn check(&self) -> Result<(), TrainError> {
        let n_nodes = self.n_nodes();
        let wrong_size =
            |what: &str, found| TrainError::Size { what: what.to_owned(), found, n_nodes };
        if self.features.len() != n_nodes * self.n_features {
            let found = self.features.len() / self.n_features.max(1);
            return Err(wrong_size("the number of rows of features is", found));
        }
        for (at, parts) in self.graph.operators.iter().enumerate() {
            if parts.n_nodes() != n_nodes {
                let what = format!("operator {} has the size", at + 1);
                return Err(wrong_size(&what, parts.n_nodes()));
            }
        }
        for (part, nodes, remedy) in [
            ("training", self.train, "a model needs some to learn from"),
            ("validation", self.validation, "the epoch to keep is chosen by them"),
        ] {
            if nodes.is_empty() {
                return Err(TrainError::Empty { part, remedy });
            }
        }
        self.check_split()?;
        let broken = self.features.iter().position(|value| !value.is_finite());
        broken.map_or(Ok(()), |at| {
            let (node, column) = (at / self.n_features, at % self.n_features);
            Err(TrainError::NotFinite { node, column, value: self.features[at] })
        })
    }

    fn check_split(&self) -> Result<(), TrainError> {
        let n_nodes = self.n_nodes();
        let mut part_of: Vec<Option<&'static str>> = vec![None; n_nodes];
        for (part, nodes) in self.parts() {
            for &node in nodes {
                let Some(label) = self.labels.get(node as usize) else {
                    return Err(TrainError::NoSuchNode { part, node, n_nodes });
                };
                let Some(class) = *label else { return Err(TrainError::NoLabel { part, node }) };
                if class as usize >= self.n_classes {
                    return Err(TrainError::NoSuchClass { node, class, n_classes: self.n_classes });
                }
                if let Some(other) = part_of[node as usize].replace(part) {
                    return Err(TrainError::Overlap { node, parts: [other, part] });
                }
            }
        }
        Ok(())
    }
}

/// Bytes that the optimiser takes, with the two passes of the loop or, after that, the one of the test.
pub(super) fn n_bytes(
    network: &Network,
    graph: &GraphView<'_, f32>,
    [training, validation, test]: &[ReceptiveField; 3],
) -> u64 {
    let pass = |field, purpose| network.pass_bytes(field, graph, purpose);
    let learning = pass(training, Purpose::Training) + pass(validation, Purpose::Evaluation);
    // Parameters and two means, before the step and after it, gradients, and the best.
    learning.max(pass(test, Purpose::Evaluation)) + 8 * 4 * network.layout().n_parameters() as u64
}

/// Bytes that may be taken, if anything is known of that.
pub(super) fn n_bytes_available(config: &TrainConfig) -> Option<u64> {
    let limit = config.memory_limit.map(|limit| limit.n_bytes());
    limit.into_iter().chain(available_memory()).min()
}

/// Refuses what would not fit, before any of it is made.
fn check_memory(
    network: &Network,
    config: &TrainConfig,
    graph: &GraphView<'_, f32>,
    fields: &[ReceptiveField; 3],
) -> Result<(), TrainError> {
    let need = Need {
        what: "training",
        n_bytes: n_bytes(network, graph, fields),
        remedy: "lower the width, the order, the heads or the number of motifs",
    };
    Ok(need.check_within(n_bytes_available(config))?)
}

#[cfg(test)]
mod tests;
