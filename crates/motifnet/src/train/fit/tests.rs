//! The loop on six nodes without a graph.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::memory::MemorySize;
use crate::nn::ConvKind;
use crate::sparse::{CsrMatrix, OperatorParts};
use crate::train::{Observed, Quiet};

const FEATURES: [f32; 12] = [1.0, 0.0, 0.9, 0.1, 1.1, 0.0, 0.0, 1.0, 0.2, 0.9, 0.0, 1.2];
const LABELS: [Option<u32>; 6] = [Some(0), Some(0), Some(0), Some(1), Some(1), None];

static NO_GRAPH: GraphView<'static, f32> = GraphView { operators: Vec::new(), eigenbasis: None };

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

/// Stops the epoch after each whole one, and says what is kept of it.
struct StopWithin {
    flag: AtomicBool,
    kept: Vec<TrainState>,
}

impl Observer for StopWithin {
    fn epoch(&mut self, _: &EpochRecord, _: &TrainState) -> Observed {
        self.flag.store(true, Ordering::Relaxed);
        Ok(ControlFlow::Continue(()))
    }

    fn stop(&self) -> Stop<'_> {
        Stop::when(&self.flag)
    }

    fn stopped(&mut self, state: &TrainState) -> Result<(), TrainError> {
        self.kept.push(state.clone());
        Ok(())
    }
}

#[test]
fn an_epoch_that_is_stopped_leaves_nothing() {
    let config = TrainConfig { epochs: 4, ..TrainConfig::default() };
    let whole = finished(fit(&mlp(), &config, &problem(), None, &mut Quiet));
    let mut start = None;
    for epoch in 1..=4 {
        let mut observer = StopWithin { flag: AtomicBool::new(false), kept: Vec::new() };
        let ending = fit(&mlp(), &config, &problem(), start, &mut observer).unwrap();
        // The last is stopped when it is tested.
        let Ending::Paused(state) = ending else { panic!("not stopped") };
        assert_eq!((state.epoch, observer.kept), (epoch, vec![state.clone()]));
        start = Some(state);
    }
    let resumed = finished(fit(&mlp(), &config, &problem(), start, &mut Quiet));
    assert_eq!((resumed.parameters, resumed.test), (whole.parameters, whole.test));

    let mut never = StopWithin { flag: AtomicBool::new(true), kept: Vec::new() };
    let ending = fit(&mlp(), &config, &problem(), None, &mut never).unwrap();
    assert!(matches!(ending, Ending::Paused(TrainState { epoch: 0, .. })));
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
            "training needs about 7.9 kB of memory, and there is 0.0 kB; lower the width, the \
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
