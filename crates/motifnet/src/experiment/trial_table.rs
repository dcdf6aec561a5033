//! The trials of a search so far.

use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::Table;

use super::search_file_error::SearchFileError;
use crate::train::{ModelKind, RunReport, mean};

/// The trials so far, rewritten whole after each.
pub const TRIALS_FILE: &str = "tune.json";

/// The trials of a search so far; `tune.json` is this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialTable {
    /// What the data set is called.
    pub dataset: String,
    /// The model.
    pub model: ModelKind,
    /// Where all draws come from.
    pub seed: u64,
    /// How many trials there are to be.
    pub n_trials: usize,
    /// The folder of the best of them; none while there is no result.
    pub best: Option<String>,
    /// In the order of their numbers.
    pub trials: Vec<Trial>,
}

/// One trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The name of its folder in that of the search.
    pub folder: String,
    /// What was drawn for it, by the key of a configuration.
    pub settings: Table,
    /// What it came to.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What a trial came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum Outcome {
    /// It came to its end.
    Done {
        /// Cross-entropy of the validation nodes, the mean over the splits: what is searched for.
        val_loss: f64,
        /// The share of validation nodes that are right, likewise.
        val_accuracy: f64,
        /// The share of test nodes that are right; nothing is chosen by it.
        test_accuracy: Option<f64>,
        /// How many numbers the model learns.
        parameters: usize,
    },
    /// It could not.
    Failed {
        /// Why.
        message: String,
        /// Whether that was for want of memory, of which there may be more the next time.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        lacks_memory: bool,
    },
}

impl Outcome {
    /// What a run came to; `None` if it has no validation loss on some split.
    pub fn of(run: &RunReport) -> Option<Self> {
        let losses = run.repeats.iter().map(|repeat| repeat.metrics.val_loss);
        let losses: Vec<f64> = losses.collect::<Option<_>>()?;
        Some(Self::Done {
            val_loss: mean(&losses)?,
            val_accuracy: run.val_accuracy,
            test_accuracy: run.test_accuracy,
            parameters: run.parameters,
        })
    }
}

impl Trial {
    /// Its validation loss, if it came to its end.
    pub fn val_loss(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Done { val_loss, .. } => Some(val_loss),
            Outcome::Failed { .. } => None,
        }
    }
}

impl TrialTable {
    /// Adds a trial. The best is that of least validation loss, the first of them if there are more.
    pub fn add(&mut self, trial: Trial) {
        self.trials.push(trial);
        let done = self.trials.iter().filter_map(|trial| Some((trial.val_loss()?, trial)));
        let best = done.min_by(|(a, _), (b, _)| a.total_cmp(b));
        self.best = best.map(|(_, trial)| trial.folder.clone());
    }

    /// The best trial.
    pub fn best(&self) -> Option<&Trial> {
        let best = self.best.as_ref()?;
        self.trials.iter().find(|trial| &trial.folder == best)
    }

    /// Reads what a search has written; `None` if it has written nothing yet.
    ///
    /// # Errors
    /// If the file is there and cannot be read, or is not such a table.
    pub fn read(path: &Path) -> Result<Option<Self>, SearchFileError> {
        let text = match std::fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            text => {
                text.map_err(|source| SearchFileError::Read { path: path.to_owned(), source })?
            }
        };
        serde_json::from_str(&text).map(Some).map_err(|error| SearchFileError::Damaged {
            path: path.to_owned(),
            reason: error.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(losses: &[Option<f64>]) -> TrialTable {
        let mut table = TrialTable {
            dataset: "d".to_owned(),
            model: ModelKind::Gcn,
            seed: 7,
            n_trials: 9,
            best: None,
            trials: Vec::new(),
        };
        for (number, loss) in losses.iter().enumerate() {
            let outcome = match *loss {
                Some(val_loss) => Outcome::Done {
                    val_loss,
                    val_accuracy: 0.5,
                    test_accuracy: None,
                    parameters: 3,
                },
                None => Outcome::Failed { message: "too large".to_owned(), lacks_memory: true },
            };
            let settings = "'train.lr' = 0.1\n'model.order' = 2\n'model.motifs' = ['U']";
            let settings = settings.parse().unwrap();
            table.add(Trial { folder: number.to_string(), settings, outcome });
        }
        table
    }

    #[test]
    fn the_best_has_the_least_loss_and_comes_first() {
        let best = |losses: &[Option<f64>]| table(losses).best;
        assert_eq!(best(&[]), None);
        assert_eq!(best(&[None]), None);
        assert_eq!(best(&[None, Some(2.0), Some(1.0), None, Some(1.0)]).as_deref(), Some("2"));
    }

    #[test]
    fn a_damaged_table_is_told_with_its_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(TRIALS_FILE);
        assert_eq!(TrialTable::read(&path).unwrap(), None);
        let text = serde_json::to_string(&table(&[Some(1.0)])).unwrap();
        std::fs::write(&path, &text[..text.len() / 2]).unwrap();
        let message = TrialTable::read(&path).unwrap_err().to_string();
        assert!(message.contains("tune.json: damaged: EOF"), "{message}");
        assert!(message.contains("delete it"), "{message}");
    }

    proptest! {
        #[test]
        fn a_table_is_read_as_it_was_written(losses in prop::collection::vec(prop::option::of(0.0_f64..1e9), 0..6)) {
            let written = table(&losses);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(TRIALS_FILE);
            std::fs::write(&path, serde_json::to_vec_pretty(&written).unwrap()).unwrap();
            prop_assert_eq!(TrialTable::read(&path).unwrap(), Some(written));
        }
    }
}
