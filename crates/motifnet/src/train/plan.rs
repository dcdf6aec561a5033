//! What a run will take, before it is made.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::error::TrainError;
use super::observer::{EpochRecord, Observed, Observer};
use super::run::PreparedRun;
use super::state::TrainState;
use crate::data::Split;

/// What a run will take.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Plan {
    /// The matrices that the model works on.
    pub operators: Vec<OperatorPlan>,
    /// The eigenvectors that the model computes in, if it does.
    pub eigenbasis: Option<EigenbasisPlan>,
    /// Columns of the features as the network gets them.
    pub n_features: usize,
    /// How many numbers the model learns.
    pub n_parameters: usize,
    /// Bytes that training takes, beside the data and the operators.
    pub n_bytes: u64,
    /// Bytes that there are, if the system tells.
    pub n_bytes_available: Option<u64>,
    /// The least of a few epochs; none where nothing is trained.
    pub seconds_per_epoch: Option<f64>,
}

/// One matrix that a model works on.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct OperatorPlan {
    /// What it is of.
    pub name: &'static str,
    /// Entries that are stored, factors and all.
    pub n_entries: usize,
    /// Bytes that they take.
    pub n_bytes: u64,
}

/// The eigenvectors that a model computes in.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct EigenbasisPlan {
    /// How many.
    pub n_vectors: usize,
    /// Bytes that they take.
    pub n_bytes: u64,
    /// How long it took to find them; none where an earlier run left them.
    pub seconds: Option<f64>,
}

impl PreparedRun<'_> {
    /// What training on `split` will take; the time is that of a few epochs, which are run.
    ///
    /// # Errors
    /// As [`PreparedRun::run`], and so if it does not fit in memory.
    pub fn plan(&self, split: &Split, seed: u64) -> Result<Plan, TrainError> {
        let set = self.operators();
        let each = set.kinds.iter().zip(&set.parts);
        let operators = each.map(|(kind, parts)| OperatorPlan {
            name: kind.name(),
            n_entries: parts.n_entries(),
            // A column and a value an entry, and where each row begins.
            n_bytes: 8 * (parts.n_entries() + parts.n_nodes() + 1) as u64,
        });
        let memory = self.memory(split)?;
        let mut stopwatch = Stopwatch::new();
        self.run(split, seed, None, &mut stopwatch)?;
        Ok(Plan {
            operators: operators.collect(),
            eigenbasis: set.eigenbasis.as_ref().map(|basis| EigenbasisPlan {
                n_vectors: basis.len(),
                n_bytes: basis.n_bytes() as u64,
                seconds: set.eigenbasis_seconds,
            }),
            n_features: self.features().width,
            n_parameters: memory.n_parameters,
            n_bytes: memory.n_bytes,
            n_bytes_available: memory.n_bytes_available,
            seconds_per_epoch: stopwatch.least.map(|least| least.as_secs_f64()),
        })
    }
}

/// Epochs are timed until so much time has passed.
const ENOUGH: Duration = Duration::from_millis(500);

/// Times a few epochs, then pauses the run.
struct Stopwatch {
    start: Instant,
    lap: Instant,
    least: Option<Duration>,
}

impl Stopwatch {
    fn new() -> Self {
        let now = Instant::now();
        Self { start: now, lap: now, least: None }
    }
}

impl Observer for Stopwatch {
    fn epoch(&mut self, record: &EpochRecord, _: &TrainState) -> Observed {
        let time = self.lap.elapsed();
        // The first makes room and computes what stays the same; it is taken only if it is slow.
        let counts = record.epoch > 1 || time > ENOUGH;
        if counts {
            self.least = Some(self.least.map_or(time, |least| least.min(time)));
        }
        self.lap = Instant::now();
        let is_enough = counts && self.start.elapsed() > ENOUGH;
        Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}
