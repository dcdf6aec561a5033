//! Several runs side by side, split by split.

use serde::Serialize;

use super::holm::holm;
use super::metrics_file::{MetricsFile, Repetition};
use super::paired_test::PairedTest;
use crate::choice::words;
use crate::train::{deviation, mean};

/// What runs are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metric {
    /// The share of test nodes that are right.
    #[default]
    TestAccuracy,
    /// The share of validation nodes that are right.
    ValAccuracy,
    /// Cross-entropy of the test nodes, of which less is better.
    TestLoss,
}

words!(
    Metric,
    "metric",
    TestAccuracy = "test_accuracy",
    ValAccuracy = "val_accuracy",
    TestLoss = "test_loss",
);

impl Metric {
    fn of(self, repeat: &Repetition) -> Option<f64> {
        match self {
            Self::TestAccuracy => repeat.test_accuracy,
            Self::ValAccuracy => repeat.val_accuracy,
            Self::TestLoss => repeat.test_loss,
        }
    }

    /// How many nodes it is measured on for each training node.
    fn ratio(self, repeat: &Repetition) -> f64 {
        let n_measured = match self {
            Self::TestAccuracy | Self::TestLoss => repeat.n_test,
            Self::ValAccuracy => repeat.n_validation,
        };
        n_measured as f64 / repeat.n_train as f64
    }
}

/// Runs on the same splits, each against one of them.
///
/// ```text
/// MetricsFile::read(run) → Comparison::new(runs, baseline, metric) → ComparedRun, Difference
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The data set of all runs.
    pub dataset: String,
    /// The split rule of all runs.
    pub split: String,
    /// Splits that each run has.
    pub n_repeats: usize,
    /// What the runs are compared by.
    pub metric: Metric,
    /// The run that the others are compared with.
    pub baseline: String,
    /// The runs, in the order given.
    pub runs: Vec<ComparedRun>,
}

/// One run of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRun {
    /// The run, as it was named.
    pub run: String,
    /// Its model, in words.
    pub model: String,
    /// The mean over the splits.
    pub mean: f64,
    /// The standard deviation, of n − 1; none of one split.
    pub sd: Option<f64>,
    /// What sets it apart from the baseline; none of the baseline itself.
    pub difference: Option<Difference>,
}

/// How much a run has more than the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The mean over the splits of what it has more.
    pub mean: f64,
    /// The test of it; none of one split.
    pub test: Option<PairedTest>,
    /// Its p, corrected by Holm for all the runs of the comparison.
    pub p_holm: Option<f64>,
}

/// Why runs cannot be compared.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum ComparisonError {
    /// Not two runs.
    #[error("{0} runs: a comparison needs at least two; name more")]
    TooFew(usize),
    /// No run to compare with.
    #[error("the baseline is run {at}, and there are {n_runs}, from 0 on")]
    NoBaseline {
        /// Which it should be.
        at: usize,
        /// How many there are.
        n_runs: usize,
    },
    /// Runs on different splits.
    #[error("{run} and {baseline} cannot be paired: {difference}; {remedy}")]
    Unpaired {
        /// The run.
        run: String,
        /// What it is compared with.
        baseline: String,
        /// What differs, with what both have.
        difference: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A number that is not there.
    #[error(
        "{run}: repetition {number} has no {metric}; compare by another metric, or leave the run out"
    )]
    NoMetric {
        /// The run.
        run: String,
        /// Which, from 1.
        number: usize,
        /// What is missing.
        metric: Metric,
    },
}

impl Comparison {
    /// Compares `runs` with the one at `baseline`, by `metric`.
    ///
    /// Runs are paired split by split, so all must have the same data set, split rule and seeds.
    /// Each but the baseline gets a [`PairedTest`], whose n_test/n_train is the mean over the
    /// splits (of validation nodes, where these are measured), and all p values together are
    /// corrected by [`holm`]. Time O(runs · splits).
    ///
    /// # Errors
    /// If there are fewer than two runs, two cannot be paired, or one lacks the metric.
    pub fn new(
        runs: &[MetricsFile],
        baseline: usize,
        metric: Metric,
    ) -> Result<Self, ComparisonError> {
        if runs.len() < 2 {
            return Err(ComparisonError::TooFew(runs.len()));
        }
        let base = runs
            .get(baseline)
            .ok_or(ComparisonError::NoBaseline { at: baseline, n_runs: runs.len() })?;
        runs.iter().try_for_each(|run| check_paired(run, base))?;
        let ratios: Vec<f64> = base.repeats.iter().map(|repeat| metric.ratio(repeat)).collect();
        let ratio = mean(&ratios).unwrap_or_default();
        let base_values = values(base, metric)?;
        let mut compared = Vec::with_capacity(runs.len());
        for (at, run) in runs.iter().enumerate() {
            let values = values(run, metric)?;
            let difference =
                (at != baseline).then(|| Difference::new(&values, &base_values, ratio));
            compared.push(ComparedRun {
                run: run.run.clone(),
                model: run.model_in_words(),
                mean: mean(&values).unwrap_or_default(),
                sd: deviation(&values),
                difference,
            });
        }
        correct(&mut compared);
        Ok(Self {
            dataset: base.dataset.clone(),
            split: base.split.clone(),
            n_repeats: base.repeats.len(),
            metric,
            baseline: base.run.clone(),
            runs: compared,
        })
    }

    /// How many tests there are.
    pub fn n_tests(&self) -> usize {
        let differences = self.runs.iter().filter_map(|run| run.difference);
        differences.filter(|difference| difference.test.is_some()).count()
    }
}

impl Difference {
    fn new(values: &[f64], base: &[f64], ratio: f64) -> Self {
        let differences: Vec<f64> =
            values.iter().zip(base).map(|(value, base)| value - base).collect();
        Self {
            mean: mean(&differences).unwrap_or_default(),
            test: PairedTest::new(&differences, ratio),
            p_holm: None,
        }
    }
}

fn values(run: &MetricsFile, metric: Metric) -> Result<Vec<f64>, ComparisonError> {
    let values = run.repeats.iter().enumerate().map(|(at, repeat)| {
        metric.of(repeat).ok_or_else(|| ComparisonError::NoMetric {
            run: run.run.clone(),
            number: at + 1,
            metric,
        })
    });
    values.collect()
}

/// Fills in the corrected p values.
fn correct(runs: &mut [ComparedRun]) {
    let differences = runs.iter_mut().filter_map(|run| run.difference.as_mut());
    let mut tested: Vec<(&mut Option<f64>, f64)> =
        differences.filter_map(|d| Some((&mut d.p_holm, d.test?.p))).collect();
    let p_values: Vec<f64> = tested.iter().map(|&(_, p)| p).collect();
    for ((corrected, _), p) in tested.iter_mut().zip(holm(&p_values)) {
        **corrected = Some(p);
    }
}

/// Refuses two runs that do not have the same splits.
fn check_paired(run: &MetricsFile, base: &MetricsFile) -> Result<(), ComparisonError> {
    const DATA: &str = "train both on the same data set";
    const SPLIT: &str = "train both with the same --split";
    const SEED: &str = "train both with the same --seed";
    const REPEAT: &str = "train both with the same --repeat";
    const SIZES: &str = "train both on the same version of the data set";
    let same = |what: &str, found: String, expected: String, remedy| match found == expected {
        true => Ok(()),
        false => Err(ComparisonError::Unpaired {
            run: run.run.clone(),
            baseline: base.run.clone(),
            difference: format!("{what} is {found} in the first and {expected} in the second"),
            remedy,
        }),
    };
    let number = |what: &str, found: u64, expected: u64, remedy| {
        same(what, found.to_string(), expected.to_string(), remedy)
    };
    same("the data set", run.dataset.clone(), base.dataset.clone(), DATA)?;
    number("the number of nodes", run.n_nodes, base.n_nodes, SIZES)?;
    number("the number of arcs", run.n_arcs, base.n_arcs, SIZES)?;
    number("the number of classes", run.n_classes, base.n_classes, SIZES)?;
    same("the split", run.split.clone(), base.split.clone(), SPLIT)?;
    number("the seed", run.seed, base.seed, SEED)?;
    let n_repeats = [run, base].map(|run| run.repeats.len() as u64);
    number("the number of repetitions", n_repeats[0], n_repeats[1], REPEAT)?;
    for (at, (own, other)) in run.repeats.iter().zip(&base.repeats).enumerate() {
        let of = |what: &str| format!("the {what} of repetition {}", at + 1);
        number(&of("seed"), own.seed, other.seed, SEED)?;
        number(&of("number of training nodes"), own.n_train, other.n_train, SIZES)?;
        number(&of("number of validation nodes"), own.n_validation, other.n_validation, SIZES)?;
        number(&of("number of test nodes"), own.n_test, other.n_test, SIZES)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
