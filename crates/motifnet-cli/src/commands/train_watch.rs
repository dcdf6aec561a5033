//! The clock of a training run, and what is shown of it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use motifnet::progress::{Stop, Unit};
use motifnet::train::{EpochRecord, Observed, Observer, RunMetrics, TrainConfig, TrainState};
use serde::Serialize;

use crate::session::Session;

/// The clock of a run.
pub(super) struct Watch {
    /// What the run is called where it is one of several.
    title: Option<String>,
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
    pub(super) fn start(title: Option<String>) -> Self {
        let now = Instant::now();
        Self { title, start: now, prepared: Duration::ZERO, repeats: Vec::new(), lap: now }
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

    /// Shows a run of so many splits, which begins after some epochs.
    pub(super) fn observer<'a>(
        &self,
        (number, n_repeats): (usize, usize),
        config: &TrainConfig,
        n_before: usize,
        session: &'a Session,
    ) -> Live<'a> {
        let stage = match (&self.title, n_repeats) {
            (None, 1) => "training".to_owned(),
            (Some(title), 1) => title.clone(),
            (None, _) => format!("split {number} of {n_repeats}"),
            (Some(title), _) => format!("{title}, split {number} of {n_repeats}"),
        };
        Live::begin(stage, config.epochs, n_before, session)
    }

    pub(super) fn since_start(&self) -> Duration {
        self.start.elapsed()
    }

    /// Says how good one split of several came out; of one run of several, the whole is told.
    pub(super) fn tell(
        &self,
        (number, n_repeats): (usize, usize),
        metrics: &RunMetrics,
        session: &Session,
    ) {
        if self.title.is_some() {
            return;
        }
        let test = metrics.test_accuracy.map_or(String::new(), |a| format!(", test {a:.4}"));
        let val = metrics.val_accuracy;
        session.remark(&format!("split {number} of {n_repeats}: validation {val:.4}{test}"));
    }
}

/// How often a line is printed where there is no terminal to draw a bar on.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Shows the last epoch: beside the bar, or as a line now and then.
pub(super) struct Live<'a> {
    session: &'a Session,
    stage: String,
    n_epochs: usize,
    last: Instant,
}

impl<'a> Live<'a> {
    /// Shows training of at most `n_epochs` epochs, some of which are done already.
    pub(super) fn begin(
        stage: String,
        n_epochs: usize,
        n_before: usize,
        session: &'a Session,
    ) -> Self {
        session.progress().begin(&stage, Some(n_epochs as u64), Unit::Items);
        session.progress().advance(n_before as u64);
        Self { session, stage, n_epochs, last: Instant::now() }
    }

    pub(super) fn finish(self) {
        self.session.progress().end();
    }
}

impl Observer for Live<'_> {
    fn epoch(&mut self, record: &EpochRecord, _: &TrainState) -> Observed {
        let EpochRecord { epoch, train_loss, train_accuracy, val_loss, val_accuracy, .. } = record;
        let line = format!(
            "loss {train_loss:.3} / {val_loss:.3}  accuracy {train_accuracy:.3} / {val_accuracy:.3}"
        );
        if self.session.draws_bars() {
            self.session.progress().say(&line);
        } else if self.last.elapsed() >= BETWEEN_LINES {
            let Self { stage, n_epochs, .. } = self;
            self.session.remark(&format!("{stage}: epoch {epoch} of {n_epochs}  {line}"));
            self.last = Instant::now();
        }
        self.session.progress().advance(1);
        Ok(ControlFlow::Continue(()))
    }
}

/// Pauses a run that nothing is kept of when it is told to.
pub(super) struct Pausing<'a> {
    pub(super) pause: &'a AtomicBool,
    pub(super) then: &'a mut dyn Observer,
}

impl Observer for Pausing<'_> {
    fn epoch(&mut self, record: &EpochRecord, state: &TrainState) -> Observed {
        let flow = self.then.epoch(record, state)?;
        Ok(if self.pause.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { flow })
    }

    fn stop(&self) -> Stop<'_> {
        Stop::when(self.pause)
    }
}
