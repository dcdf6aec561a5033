//! What the evaluation found.

use serde::Serialize;

use super::claim::Claim;
use super::contestant::Contestant;
use super::entry::Entry;
use super::published::Published;
use super::selection::Selection;
use crate::train::{RepeatReport, RunReport, deviation, mean};

/// What the evaluation found; `results.json` is this. It holds no reading of a clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperResults {
    /// What the data set is called.
    pub dataset: String,
    /// What was read, in lines.
    pub contract: Vec<String>,
    /// How the nodes are split.
    pub split: String,
    /// How many splits there are.
    pub n_splits: usize,
    /// The orders that were asked for.
    pub orders: Vec<usize>,
    /// Where all draws come from.
    pub seed: u64,
    /// The learning rate.
    pub rate: f64,
    /// A training ends after so many epochs without a smaller validation loss.
    pub patience: usize,
    /// Whether the data set is that of the paper.
    pub is_cora_full: bool,
    /// What was done with the features.
    pub features: Vec<String>,
    /// The operators that matter.
    pub selection: Selection,
    /// Every contestant at every order.
    pub entries: Vec<EntryResult>,
    /// What the paper claims, and what we ask, with what was found.
    pub claims: Vec<Claim>,
}

/// What was found of one entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntryResult {
    /// Which.
    #[serde(flatten)]
    pub entry: Entry,
    /// What it is called where people read.
    pub title: String,
    /// Whether the paper does not have it.
    pub is_ours: bool,
    /// What it works on.
    pub operators: Vec<String>,
    /// How many numbers it learns.
    pub parameters: usize,
    /// The mean over the splits; none if it could not be trained.
    pub test_accuracy: Option<f64>,
    /// The standard deviation, of n − 1; none of one split.
    pub test_accuracy_sd: Option<f64>,
    /// What the paper reports; its accuracy only where the data set is the paper's.
    pub published: Published,
    /// Every training, split by split.
    pub trainings: Vec<RepeatReport>,
    /// Why it could not be trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

impl EntryResult {
    pub(super) fn new(
        entry: Entry,
        report: RunReport,
        failure: Option<String>,
        is_cora_full: bool,
    ) -> Self {
        let published = Published::of(entry);
        let test_accuracy = published.test_accuracy.filter(|_| is_cora_full);
        let accuracies: Vec<f64> = accuracies(&report.repeats).collect();
        let is_whole = failure.is_none();
        Self {
            entry,
            title: entry.contestant.title(),
            is_ours: entry.contestant.is_ours(),
            operators: report.operators,
            parameters: report.parameters,
            test_accuracy: mean(&accuracies).filter(|_| is_whole),
            test_accuracy_sd: deviation(&accuracies).filter(|_| is_whole),
            published: Published { test_accuracy, ..published },
            trainings: report.repeats,
            failure,
        }
    }

    /// The test accuracies, split by split.
    pub fn accuracies(&self) -> Vec<f64> {
        accuracies(&self.trainings).collect()
    }
}

fn accuracies(trainings: &[RepeatReport]) -> impl Iterator<Item = f64> {
    trainings.iter().filter_map(|training| training.metrics.test_accuracy)
}

impl PaperResults {
    /// A contestant at all its orders, rising.
    pub fn of(&self, contestant: Contestant) -> impl Iterator<Item = &EntryResult> {
        self.entries.iter().filter(move |result| result.entry.contestant == contestant)
    }
}
