//! What the table of models is made of: one line for every model on every data set, kept in the
//! repository, so that a table that takes hours is made once and taken up anywhere.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::write_whole;

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

/// All entries, in a file of a line each.
pub(super) struct Record {
    path: PathBuf,
    pub(super) entries: Vec<Entry>,
}

impl Record {
    /// The record at `path`; an empty one if there is no file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            other => other.with_context(|| format!("reading {}", path.display()))?,
        };
        let entries = text.lines().enumerate().map(|(at, line)| {
            serde_json::from_str(line).with_context(|| format!("{}:{}", path.display(), at + 1))
        });
        Ok(Self { path: path.to_owned(), entries: entries.collect::<Result<_>>()? })
    }

    /// The entry of a model on a data set, if it has gone through as many splits.
    pub(super) fn whole(&self, dataset: &str, model: &str, n_splits: usize) -> Option<&Entry> {
        let is_it = |entry: &&Entry| entry.dataset == dataset && entry.model == model;
        self.entries.iter().find(is_it).filter(|entry| entry.test_accuracy.len() >= n_splits)
    }

    /// Puts an entry in the place of an older one, and writes all; lines go by name, so that it does
    /// not matter which was finished first.
    pub(super) fn put(&mut self, entry: Entry) -> Result<()> {
        let key = |entry: &Entry| (entry.dataset.clone(), entry.model.clone());
        self.entries.retain(|old| key(old) != key(&entry));
        self.entries.push(entry);
        self.entries.sort_by_key(key);
        let lines = self.entries.iter().map(|entry| Ok(serde_json::to_string(entry)? + "\n"));
        write_whole(&self.path, &lines.collect::<Result<String>>()?)
    }
}
