//! A line of the table's record.

use serde::{Deserialize, Serialize};

use crate::record::{Line, Record};

/// What one model found on all splits of one data set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) dataset: String,
    pub(super) model: String,
    /// What was typed after `motifnet train DATASET`.
    pub(super) options: String,
    /// Of every split, in their order.
    pub(super) test_accuracy: Vec<f64>,
    pub(super) n_parameters: usize,
    /// The least time of an epoch on one thread, measured with nothing beside it; none where nothing
    /// is trained, or not yet.
    pub(super) ms_per_epoch: Option<f64>,
}

impl Line for Entry {
    fn key(&self) -> Vec<&str> {
        vec![&self.dataset, &self.model]
    }
}

/// The entry of a model on a data set, if it has gone through as many splits.
pub(super) fn whole<'a>(
    record: &'a Record<Entry>,
    dataset: &str,
    model: &str,
    n_splits: usize,
) -> Option<&'a Entry> {
    record.get(&[dataset, model]).filter(|entry| entry.test_accuracy.len() >= n_splits)
}
