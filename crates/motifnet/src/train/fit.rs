//! The loop: one step a epoch on all training nodes, stopped by the validation nodes.

use std::sync::Arc;

use super::config::TrainConfig;
use super::error::TrainError;
use super::memory::available_memory;
use super::observer::{EpochRecord, Observer};
use crate::nn::{
    Adam, GraphView, LossTarget, Network, NetworkConfig, Pass, Purpose, ReceptiveField, Scores,
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

/// Trains a network on `problem`; `observer` is told of every epoch and may end the run.
///
/// # Errors
/// If the data or the network make no sense or do not fit in memory (told before any work is done), or
/// if the loss ceases to be a number.
pub fn fit(
    network: &NetworkConfig,
    config: &TrainConfig,
    problem: &Problem<'_>,
    observer: &mut dyn Observer,
) -> Result<Fitted, TrainError> {
    problem.check()?;
    let n_operators = problem.graph.operators.len();
    let network = Network::new(network, problem.n_features, problem.n_classes, n_operators)?;
    let network = Arc::new(network);
    let graph = problem.graph;
    let field = |nodes| network.field(nodes, graph, problem.n_nodes());
    let fields = [field(problem.train), field(problem.validation)];
    check_memory(&network, config, graph, &fields)?;
    let pass = |field, purpose| Pass::on(field, &network, graph, problem.features, purpose);
    let [train_field, val_field] = fields;
    let mut training = pass(train_field, Purpose::Training);
    let mut validation = pass(val_field, Purpose::Evaluation);
    let weights = config.class_weights.weights(&problem.classes(problem.train), problem.n_classes);
    let target = |nodes| LossTarget::new(problem.classes(nodes), weights.clone());
    let (train_target, val_target) = (target(problem.train), target(problem.validation));

    let mut parameters: Vec<f32> = network.layout().initial(config.seed);
    let mut adam = Adam::new(config.adam, parameters.len());
    let mut best: Option<Best> = None;
    let mut n_epochs = 0;
    for epoch in 1..=config.epochs.max(1) {
        let step = epoch as u64;
        let (train, gradients) = training.gradients(&parameters, &train_target, config.seed, step);
        if !train.loss.is_finite() {
            return Err(TrainError::Diverged { epoch, loss: train.loss });
        }
        adam.update(&mut parameters, gradients);
        let val = validation.evaluate(&parameters, &val_target);
        if !val.loss.is_finite() {
            return Err(TrainError::Diverged { epoch, loss: val.loss });
        }
        n_epochs = epoch;
        let is_best = best.as_ref().is_none_or(|best| val.loss < best.validation.loss);
        if is_best {
            let parameters = parameters.clone();
            best = Some(Best { epoch, train, validation: val, parameters });
        }
        let record = EpochRecord {
            epoch,
            train_loss: train.loss,
            train_accuracy: train.accuracy,
            val_loss: val.loss,
            val_accuracy: val.accuracy,
            is_best,
        };
        let waited = best.as_ref().map_or(0, |best| epoch - best.epoch);
        if observer.epoch(&record).is_break() || waited >= config.patience {
            break;
        }
    }
    let best = best.expect("at least one epoch");
    // The room of training is given back before that of testing is taken.
    drop((training, validation));
    let test = (!problem.test.is_empty()).then(|| {
        let mut testing = pass(field(problem.test), Purpose::Evaluation);
        testing.evaluate(&best.parameters, &target(problem.test))
    });
    Ok(Fitted {
        network,
        parameters: best.parameters,
        best_epoch: best.epoch,
        n_epochs,
        train: best.train,
        validation: best.validation,
        test,
    })
}

struct Best {
    epoch: usize,
    train: Scores,
    validation: Scores,
    parameters: Vec<f32>,
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

/// Refuses what would not fit: the two passes of the loop and the optimiser, before any is made.
fn check_memory(
    network: &Network,
    config: &TrainConfig,
    graph: &GraphView<'_, f32>,
    [training, validation]: &[ReceptiveField; 2],
) -> Result<(), TrainError> {
    let Some(available) = config.memory_limit.or_else(available_memory) else { return Ok(()) };
    let passes = network.pass_bytes(training, graph, Purpose::Training)
        + network.pass_bytes(validation, graph, Purpose::Evaluation);
    // Parameters, gradients, two means, and the best.
    let needed = passes + 5 * 4 * network.layout().n_parameters() as u64;
    if needed > available {
        return Err(TrainError::Memory { needed, available });
    }
    Ok(())
}

/// The class of largest output for each of `nodes`.
pub fn predict(fitted: &Fitted, problem: &Problem<'_>, nodes: &[u32]) -> Vec<u32> {
    let purpose = Purpose::Evaluation;
    let mut pass = Pass::new(&fitted.network, problem.graph, problem.features, nodes, purpose);
    pass.classes(&fitted.parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::ConvKind;
    use crate::sparse::{CsrMatrix, OperatorParts};
    use crate::train::Quiet;

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

    fn mlp() -> NetworkConfig {
        NetworkConfig { width: 8, dropout: vec![0.0], ..NetworkConfig::paper(ConvKind::Dense) }
    }

    #[test]
    fn two_groups_are_told_apart_and_the_best_epoch_is_kept() {
        let config = TrainConfig { epochs: 300, patience: 20, ..TrainConfig::default() };
        let mut losses = Vec::new();
        struct Keep<'a>(&'a mut Vec<f64>);
        impl Observer for Keep<'_> {
            fn epoch(&mut self, record: &EpochRecord) -> std::ops::ControlFlow<()> {
                self.0.push(record.val_loss);
                std::ops::ControlFlow::Continue(())
            }
        }
        let fitted = fit(&mlp(), &config, &problem(), &mut Keep(&mut losses)).unwrap();
        let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(fitted.n_epochs, losses.len());
        assert_eq!((fitted.validation.loss, losses[fitted.best_epoch - 1]), (least, least));
        assert_eq!(fitted.test.unwrap().accuracy, 1.0);
        assert_eq!(predict(&fitted, &problem(), &[5, 0, 4]), [1, 0, 1]);
    }

    #[test]
    fn an_observer_can_end_the_run() {
        struct Stop;
        impl Observer for Stop {
            fn epoch(&mut self, record: &EpochRecord) -> std::ops::ControlFlow<()> {
                if record.epoch < 3 {
                    std::ops::ControlFlow::Continue(())
                } else {
                    std::ops::ControlFlow::Break(())
                }
            }
        }
        let fitted = fit(&mlp(), &TrainConfig::default(), &problem(), &mut Stop).unwrap();
        assert_eq!(fitted.n_epochs, 3);
    }

    #[test]
    fn what_is_wrong_is_told_before_any_work() {
        let nan = [1.0, 0.0, 0.9, f32::NAN, 1.1, 0.0, 0.0, 1.0, 0.2, 0.9, 0.0, 1.2];
        let out_of_range = [Some(0), Some(0), Some(0), Some(7), Some(1), None];
        let small = CsrMatrix::new(2, vec![0, 0, 0], vec![], vec![]);
        let small = OperatorParts::explicit(small, true);
        let small = GraphView::of_operators(&[&small]);
        let config = TrainConfig::default();
        let limited = TrainConfig { memory_limit: Some(1000), ..config };
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
                "training needs about 5.6 kB of memory, and there is 1.0 kB; lower the width, the \
                 order, the heads or the number of motifs, or raise the limit",
            ),
        ] {
            let error = fit(&mlp(), &config, &problem, &mut Quiet).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn a_loss_that_is_no_number_ends_the_run() {
        let adam = crate::nn::AdamConfig { rate: 1e30, ..Default::default() };
        let config = TrainConfig { adam, ..TrainConfig::default() };
        let error = fit(&mlp(), &config, &problem(), &mut Quiet).unwrap_err();
        assert!(matches!(error, TrainError::Diverged { .. }), "{error}");
    }
}
