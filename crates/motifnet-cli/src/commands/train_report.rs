//! What a training run found, and how long it took.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use motifnet::data::{NodeDataset, Split, SplitRule};
use motifnet::motif::MotifKind;
use motifnet::progress::{Progress, Unit};
use motifnet::train::{EpochRecord, ModelKind, Observer, RunConfig, RunMetrics};
use serde::Serialize;

use crate::numbers::grouped_len;
use crate::report::Report;
use crate::session::Session;
use crate::table::{Side, Table};

/// What a run found; metrics.json is this.
#[derive(Serialize)]
pub(crate) struct TrainReport {
    dataset: String,
    n_nodes: usize,
    n_arcs: usize,
    n_classes: usize,
    model: ModelKind,
    order: Option<usize>,
    heads: Option<usize>,
    /// Whether what is learnt means anything on another graph.
    can_move: bool,
    operators: Vec<&'static str>,
    support: &'static str,
    split: String,
    seed: u64,
    /// Means over the repetitions.
    test_accuracy: Option<f64>,
    val_accuracy: f64,
    /// Standard deviations, of n − 1; none of one repetition.
    test_accuracy_sd: Option<f64>,
    val_accuracy_sd: Option<f64>,
    /// Of the first repetition, as all of them have the same number.
    parameters: usize,
    repeats: Vec<Repeat>,
    #[serde(skip)]
    pub(super) folder: Option<String>,
}

#[derive(Serialize)]
struct Repeat {
    seed: u64,
    n_train: usize,
    n_validation: usize,
    n_test: usize,
    #[serde(flatten)]
    metrics: RunMetrics,
}

impl TrainReport {
    pub(super) fn new(dataset: &NodeDataset, run: &RunConfig, rule: &SplitRule, seed: u64) -> Self {
        let model = &run.model;
        Self {
            dataset: dataset.name.clone(),
            n_nodes: dataset.n_nodes(),
            n_arcs: dataset.graph.n_arcs(),
            n_classes: dataset.labels.n_classes(),
            model: model.kind,
            order: model.kind.has_order().then_some(model.order),
            can_move: model.kind.can_move(),
            heads: (model.kind == ModelKind::MotifnetM).then_some(model.heads),
            operators: model.operators().into_iter().map(MotifKind::name).collect(),
            support: run.spec.support.name(),
            split: rule.to_string(),
            seed,
            test_accuracy: None,
            val_accuracy: 0.0,
            test_accuracy_sd: None,
            val_accuracy_sd: None,
            parameters: 0,
            repeats: Vec::new(),
            folder: None,
        }
    }

    pub(super) fn add(
        &mut self,
        split: &Split,
        seed: u64,
        metrics: RunMetrics,
        session: &Session,
        (number, n_repeats): (usize, usize),
    ) {
        if n_repeats > 1 {
            let test = metrics.test_accuracy.map_or(String::new(), |a| format!(", test {a:.4}"));
            let val = metrics.val_accuracy;
            session.remark(&format!("split {number} of {n_repeats}: validation {val:.4}{test}"));
        }
        self.parameters = metrics.parameters;
        self.repeats.push(Repeat {
            seed,
            n_train: split.train().len(),
            n_validation: split.validation().len(),
            n_test: split.test().len(),
            metrics,
        });
        let val: Vec<f64> = self.repeats.iter().map(|repeat| repeat.metrics.val_accuracy).collect();
        let test = self.repeats.iter().filter_map(|repeat| repeat.metrics.test_accuracy);
        let test: Vec<f64> = test.collect();
        (self.val_accuracy, self.val_accuracy_sd) = mean_and_deviation(&val).unwrap_or((0.0, None));
        let of_test = mean_and_deviation(&test);
        self.test_accuracy = of_test.map(|(mean, _)| mean);
        self.test_accuracy_sd = of_test.and_then(|(_, deviation)| deviation);
    }
}

/// The mean and the standard deviation of a sample, the latter of at least two.
fn mean_and_deviation(sample: &[f64]) -> Option<(f64, Option<f64>)> {
    let n = sample.len() as f64;
    let mean = sample.iter().sum::<f64>() / n;
    let squares: f64 = sample.iter().map(|x| (x - mean) * (x - mean)).sum();
    let deviation = (sample.len() > 1).then(|| (squares / (n - 1.0)).sqrt());
    (!sample.is_empty()).then_some((mean, deviation))
}

impl Report for TrainReport {
    fn text(&self) -> String {
        let order = self.order.map_or(String::new(), |order| format!(", order {order}"));
        let heads = match self.heads {
            Some(heads) if heads > 1 => format!(", {heads} heads"),
            _ => String::new(),
        };
        let on = match self.operators.is_empty() {
            true => String::new(),
            false => format!(" on {}", self.operators.join(", ")),
        };
        let mut text = format!(
            "{}: {}{order}{heads}{on}; {} parameters\n\n",
            self.dataset,
            self.model,
            grouped_len(self.parameters)
        );
        let right = |name| (name, Side::Right);
        let mut table = Table::new([
            right("split"),
            right("train"),
            right("validation"),
            right("test"),
            right("best epoch"),
            right("epochs"),
            right("val loss"),
            right("val acc"),
            right("test acc"),
        ]);
        let number =
            |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.4}"));
        for (at, repeat) in self.repeats.iter().enumerate() {
            let metrics = &repeat.metrics;
            table.row([
                (at + 1).to_string(),
                grouped_len(repeat.n_train),
                grouped_len(repeat.n_validation),
                grouped_len(repeat.n_test),
                metrics.best_epoch.to_string(),
                metrics.epochs.to_string(),
                number(metrics.val_loss),
                number(Some(metrics.val_accuracy)),
                number(metrics.test_accuracy),
            ]);
        }
        text += &table.render();
        if let (Some(mean), Some(deviation)) = (self.test_accuracy, self.test_accuracy_sd) {
            text += &format!("\ntest accuracy {mean:.4} ± {deviation:.4} (standard deviation)\n");
        }
        if !self.can_move {
            text += &format!(
                "\n{} computes in the eigenvectors of this graph: what it learnt holds for no other\n",
                self.model
            );
        }
        if let Some(folder) = &self.folder {
            text += &format!("\nwritten to {folder}: metrics.json, history.jsonl, timing.json\n");
        }
        text
    }
}

/// The clock of a run.
pub(super) struct Watch {
    start: Instant,
    prepared: Duration,
    repeats: Vec<RepeatTime>,
    lap: Instant,
}

/// Every clock reading of a run, and the threads it had; timing.json is this.
#[derive(Serialize)]
pub(super) struct Timing<'a> {
    threads: usize,
    prepare_seconds: f64,
    total_seconds: f64,
    repeats: &'a [RepeatTime],
}

#[derive(Serialize)]
pub(super) struct RepeatTime {
    seconds: f64,
}

impl Watch {
    pub(super) fn start() -> Self {
        let now = Instant::now();
        Self { start: now, prepared: Duration::ZERO, repeats: Vec::new(), lap: now }
    }

    pub(super) fn prepared(&mut self) {
        self.prepared = self.start.elapsed();
        self.lap = Instant::now();
    }

    pub(super) fn repeated(&mut self) {
        self.repeats.push(RepeatTime { seconds: self.lap.elapsed().as_secs_f64() });
        self.lap = Instant::now();
    }

    pub(super) fn timing(&self) -> Timing<'_> {
        Timing {
            threads: rayon::current_num_threads(),
            prepare_seconds: self.prepared.as_secs_f64(),
            total_seconds: self.start.elapsed().as_secs_f64(),
            repeats: &self.repeats,
        }
    }

    pub(super) fn observer<'a>(
        &self,
        (number, n_repeats): (usize, usize),
        n_epochs: usize,
        session: &'a Session,
    ) -> Live<'a> {
        let stage = match n_repeats {
            1 => "training".to_owned(),
            _ => format!("split {number} of {n_repeats}"),
        };
        let progress = session.progress();
        progress.begin(&stage, Some(n_epochs as u64), Unit::Items);
        Live { progress, history: Vec::new() }
    }
}

/// Keeps the history of a run and shows its last line.
pub(super) struct Live<'a> {
    progress: &'a dyn Progress,
    history: Vec<EpochRecord>,
}

impl Live<'_> {
    pub(super) fn finish(self) -> Vec<EpochRecord> {
        self.progress.end();
        self.history
    }
}

impl Observer for Live<'_> {
    fn epoch(&mut self, record: &EpochRecord) -> ControlFlow<()> {
        self.history.push(*record);
        let EpochRecord { train_loss, train_accuracy, val_loss, val_accuracy, .. } = record;
        self.progress.say(&format!(
            "loss {train_loss:.3} / {val_loss:.3}  accuracy {train_accuracy:.3} / {val_accuracy:.3}"
        ));
        self.progress.advance(1);
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_of_a_sample() {
        assert_eq!(mean_and_deviation(&[]), None);
        assert_eq!(mean_and_deviation(&[0.5]), Some((0.5, None)));
        let (mean, deviation) = mean_and_deviation(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((mean, deviation), (2.0, Some(1.0)));
    }
}
