//! The loop: one step a epoch on all training nodes, stopped by the validation nodes.

use std::sync::Arc;

use super::config::TrainConfig;
use super::error::TrainError;
use super::observer::{EpochRecord, Observer};
use super::state::{BestEpoch, TrainState};
use crate::memory::{Need, available_memory};
use crate::nn::{
    GraphView, LossTarget, Network, NetworkConfig, Pass, Purpose, ReceptiveField, Scores,
};

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
    /// The observer paused it here.
    Paused(TrainState),
}

/// Trains a network on `problem` from `start` on, or from the beginning; `observer` is told of every
/// epoch and may pause the run.
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
        while !state.is_over(config) {
            let record = state.advance(&mut training, &mut validation, &targets, config.seed)?;
            if observer.epoch(&record, &state)?.is_break() && !state.is_over(config) {
                return Ok(Ending::Paused(state));
            }
        }
        // The room of training is given back here, before that of testing is taken.
    }
    let best = state.best.expect("a run has at least one epoch");
    let test = (!problem.test.is_empty()).then(|| {
        let mut testing = pass(test_field, Purpose::Evaluation);
        testing.evaluate(&best.parameters, &target(problem.test))
    });
    Ok(Ending::Finished(Fitted {
        network,
        parameters: best.parameters,
        best_epoch: best.epoch,
        n_epochs: state.epoch,
        train: best.train,
        validation: best.validation,
        test,
    }))
}

impl TrainState {
    /// One epoch: a step on the training nodes, then a look at the validation nodes.
    fn advance(
        &mut self,
        training: &mut Pass<f32>,
        validation: &mut Pass<f32>,
        [train_target, val_target]: &[LossTarget; 2],
        seed: u64,
    ) -> Result<EpochRecord, TrainError> {
        let epoch = self.epoch + 1;
        let finite = |scores: Scores| match scores.loss {
            loss if loss.is_finite() => Ok(scores),
            loss => Err(TrainError::Diverged { epoch, loss }),
        };
        let (train, gradients) =
            training.gradients(&self.parameters, train_target, seed, epoch as u64);
        let train = finite(train)?;
        self.adam.update(&mut self.parameters, gradients);
        // An activation may hide it: the larger of NaN and 0 is 0, and the loss of that is a number.
        if !self.parameters.iter().all(|parameter| parameter.is_finite()) {
            return Err(TrainError::Overflow { epoch });
        }
        let val = finite(validation.evaluate(&self.parameters, val_target))?;
        self.epoch = epoch;
        let is_best = self.best.as_ref().is_none_or(|best| val.loss < best.validation.loss);
        if is_best {
            let parameters = self.parameters.clone();
            self.best = Some(BestEpoch { epoch, train, validation: val, parameters });
        }
        Ok(EpochRecord {
            epoch,
            train_loss: train.loss,
            train_accuracy: train.accuracy,
            val_loss: val.loss,
            val_accuracy: val.accuracy,
            is_best,
        })
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
    // Parameters, gradients, two means, and the best.
    learning.max(pass(test, Purpose::Evaluation)) + 5 * 4 * network.layout().n_parameters() as u64
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
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::memory::MemorySize;
    use crate::nn::ConvKind;
    use crate::sparse::{CsrMatrix, OperatorParts};
    use crate::train::{Observed, Quiet};

    const FEATURES: [f32; 12] = [1.0, 0.0, 0.9, 0.1, 1.1, 0.0, 0.0, 1.0, 0.2, 0.9, 0.0, 1.2];
    const LABELS: [Option<u32>; 6] = [Some(0), Some(0), Some(0), Some(1), Some(1), None];

    static NO_GRAPH: GraphView<'static, f32> =
        GraphView { operators: Vec::new(), eigenbasis: None };

    fn problem<'a>() -> Problem<'a> {
        Problem {
            graph: &NO_GRAPH,
            features: &FEATURES,
            n_features: 2,
            labels: &LABELS,
            n_classes: 2,
            train: &[0, 3],
            validation: &[1, 4],
            test: &[2],
        }
    }

    fn finished(ending: Result<Ending, TrainError>) -> Fitted {
        match ending.unwrap() {
            Ending::Finished(fitted) => fitted,
            Ending::Paused(state) => panic!("paused after {} epochs", state.epoch),
        }
    }

    fn mlp() -> NetworkConfig {
        NetworkConfig { width: 8, dropout: vec![0.0], ..NetworkConfig::paper(ConvKind::Dense) }
    }

    #[test]
    fn two_groups_are_told_apart_and_the_best_epoch_is_kept() {
        let config = TrainConfig { epochs: 300, patience: 20, ..TrainConfig::default() };
        let mut losses = Vec::new();
        struct Keep<'a>(&'a mut Vec<f64>);
        impl Observer for Keep<'_> {
            fn epoch(&mut self, record: &EpochRecord, _: &TrainState) -> Observed {
                self.0.push(record.val_loss);
                Ok(ControlFlow::Continue(()))
            }
        }
        let fitted = finished(fit(&mlp(), &config, &problem(), None, &mut Keep(&mut losses)));
        let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(fitted.n_epochs, losses.len());
        assert_eq!((fitted.validation.loss, losses[fitted.best_epoch - 1]), (least, least));
        assert_eq!(fitted.test.unwrap().accuracy, 1.0);
        let nodes = [5, 0, 4];
        let purpose = Purpose::Evaluation;
        let mut pass = Pass::new(&fitted.network, &NO_GRAPH, &FEATURES, &nodes, purpose);
        assert_eq!(pass.classes(&fitted.parameters), [1, 0, 1]);
    }

    #[test]
    fn a_step_that_overflows_is_told_though_the_activation_hides_it() {
        // ∞ − ∞ is NaN in the first layer, of which max(0, ·) makes 0.
        let features = [3e38; 12];
        let problem = Problem { features: &features, ..problem() };
        // What dropout leaves is made larger.
        let network = NetworkConfig { dropout: vec![0.5], ..mlp() };
        let trained = fit(&network, &TrainConfig::default(), &problem, None, &mut Quiet);
        assert!(matches!(trained.err(), Some(TrainError::Overflow { epoch: 1 })));
    }

    /// Pauses after every epoch.
    struct Pause;

    impl Observer for Pause {
        fn epoch(&mut self, _: &EpochRecord, _: &TrainState) -> Observed {
            Ok(ControlFlow::Break(()))
        }
    }

    #[test]
    fn a_run_paused_after_every_epoch_comes_to_the_same_bits() {
        let network = NetworkConfig { dropout: vec![0.5], ..mlp() };
        let adam = crate::nn::AdamConfig { rate: 0.05, ..Default::default() };
        let config = TrainConfig { adam, epochs: 300, patience: 3, ..TrainConfig::default() };
        let whole = finished(fit(&network, &config, &problem(), None, &mut Quiet));
        let mut start = None;
        let paused = loop {
            match fit(&network, &config, &problem(), start, &mut Pause).unwrap() {
                Ending::Paused(state) => start = Some(state),
                Ending::Finished(fitted) => break fitted,
            }
        };
        assert!(whole.n_epochs > whole.best_epoch, "the run ends by its patience");
        assert_eq!(paused.parameters, whole.parameters);
        assert_eq!((paused.best_epoch, paused.n_epochs), (whole.best_epoch, whole.n_epochs));
        assert_eq!((paused.train, paused.validation), (whole.train, whole.validation));
        assert_eq!(paused.test, whole.test);
    }

    #[test]
    fn what_is_wrong_is_told_before_any_work() {
        let nan = [1.0, 0.0, 0.9, f32::NAN, 1.1, 0.0, 0.0, 1.0, 0.2, 0.9, 0.0, 1.2];
        let out_of_range = [Some(0), Some(0), Some(0), Some(7), Some(1), None];
        let small = CsrMatrix::new(2, vec![0, 0, 0], vec![], vec![]);
        let small = OperatorParts::explicit(small, true);
        let small = GraphView::of_operators(&[&small]);
        let config = TrainConfig::default();
        let limited = TrainConfig { memory_limit: Some(MemorySize::bytes(0)), ..config };
        for (problem, config, expected) in [
            (
                Problem { train: &[], ..problem() },
                config,
                "there are no training nodes; a model needs some to learn from",
            ),
            (
                Problem { validation: &[], ..problem() },
                config,
                "there are no validation nodes; the epoch to keep is chosen by them",
            ),
            (
                Problem { features: &nan, ..problem() },
                config,
                "feature 1 of node 1 is NaN; fill or drop what is missing before training",
            ),
            (
                Problem { labels: &out_of_range, ..problem() },
                config,
                "node 3 has class 7, and there are 2 classes, from 0 on",
            ),
            (
                Problem { test: &[5], ..problem() },
                config,
                "node 5 is among the test nodes and has no label; give it one, or leave it out",
            ),
            (
                Problem { test: &[9], ..problem() },
                config,
                "the test nodes include 9, and the graph has 6 nodes, from 0 on",
            ),
            (
                Problem { test: &[3], ..problem() },
                config,
                "node 3 is among the training nodes and among the test nodes; a node has one part",
            ),
            (
                Problem { graph: &small, ..problem() },
                config,
                "operator 1 has the size 2, and the graph has 6 nodes",
            ),
            (
                problem(),
                limited,
                "training needs about 5.6 kB of memory, and there is 0.0 kB; lower the width, the \
                 order, the heads or the number of motifs, or raise the limit",
            ),
        ] {
            let error = fit(&mlp(), &config, &problem, None, &mut Quiet).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn a_loss_that_is_no_number_ends_the_run() {
        let adam = crate::nn::AdamConfig { rate: 1e30, ..Default::default() };
        let config = TrainConfig { adam, ..TrainConfig::default() };
        let error = fit(&mlp(), &config, &problem(), None, &mut Quiet).unwrap_err();
        assert!(matches!(error, TrainError::Diverged { .. }), "{error}");
    }
}
