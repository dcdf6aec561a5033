//! `motifnet compare`: which of several runs is better, and whether that is more than chance.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use motifnet::experiment::{Comparison, Metric, MetricsFile};

use super::compare_report::CompareReport;
use crate::failure::Failure;
use crate::session::Session;

/// Compare runs on the same splits: differences, intervals and tests
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet compare runs/chebnet runs/motifnet-m
  motifnet compare runs/* --baseline runs/mlp
  motifnet compare runs/a runs/b --metric val_accuracy --json

A run is a folder that `motifnet train --out` has written. Runs are paired split by split, so all
must have the same data set, --split, --seed and --repeat. The test is the corrected resampled t
test of Nadeau and Bengio (2003), since splits of one data set share nodes; Holm's correction is
for the number of runs that are compared. One repetition gives a difference and no test.")]
pub(crate) struct CompareArgs {
    /// The folders of two or more runs
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    runs: Vec<PathBuf>,

    /// The run that the others are compared with [default: the first]
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,

    /// What they are compared by
    #[arg(long, default_value = Metric::default().name(), value_name = "METRIC", value_parser = metric_parser())]
    metric: Metric,
}

fn metric_parser() -> impl TypedValueParser<Value = Metric> {
    PossibleValuesParser::new(Metric::ALL.map(Metric::name)).try_map(|word| word.parse::<Metric>())
}

/// Runs to compare.
pub(crate) struct CompareConfig {
    runs: Vec<PathBuf>,
    /// Its place among them.
    baseline: usize,
    metric: Metric,
}

impl CompareArgs {
    pub(crate) fn check(self) -> Result<CompareConfig, Failure> {
        let Self { runs, baseline, metric } = self;
        for (at, run) in runs.iter().enumerate() {
            if runs[..at].contains(run) {
                let message = anyhow::anyhow!("{} is named twice", run.display());
                return Err(Failure::usage(message).hint("name every run once"));
            }
        }
        let place = |baseline: &PathBuf| {
            runs.iter().position(|run| run == baseline).ok_or_else(|| {
                let message =
                    anyhow::anyhow!("the baseline {} is none of the runs", baseline.display());
                Failure::usage(message).hint("name it among the runs, too")
            })
        };
        let baseline = baseline.as_ref().map_or(Ok(0), place)?;
        Ok(CompareConfig { runs, baseline, metric })
    }
}

impl CompareConfig {
    pub(crate) fn run(&self, session: &Session) -> Result<CompareReport, Failure> {
        let runs = self.runs.iter().map(|run| MetricsFile::read(run));
        let runs = runs.collect::<Result<Vec<_>, _>>().map_err(Failure::run)?;
        let comparison =
            Comparison::new(&runs, self.baseline, self.metric).map_err(Failure::run)?;
        if comparison.n_repeats == 1 {
            session.note(
                "one repetition a run: there are differences, but no test of them; train with \
                 --repeat 5 or more",
            );
        }
        Ok(CompareReport(comparison))
    }
}
