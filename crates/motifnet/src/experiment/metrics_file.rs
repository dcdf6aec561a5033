//! What a training run has written about itself.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::train::METRICS_FILE;

/// More than a million repetitions; a larger file is another thing.
const MOST_BYTES: u64 = 1 << 28;

/// The part of a run's `metrics.json` that tells what was run and how good it was. What else the
/// file has is passed over.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct MetricsFile {
    /// The run, as it was named.
    #[serde(skip)]
    pub run: String,
    /// The data set.
    pub dataset: String,
    /// Nodes of it.
    pub n_nodes: u64,
    /// Arcs of it.
    pub n_arcs: u64,
    /// Classes of it.
    pub n_classes: u64,
    /// The model; a word, since a file may come from a version that has others.
    pub model: String,
    /// Its order, where it has one.
    #[serde(default)]
    pub order: Option<u64>,
    /// Its heads, where it has any.
    #[serde(default)]
    pub heads: Option<u64>,
    /// Its operators.
    #[serde(default)]
    pub operators: Vec<String>,
    /// How the nodes were split: fractions, or `masks`.
    pub split: String,
    /// Where the splits came from.
    pub seed: u64,
    /// One for each split.
    pub repeats: Vec<Repetition>,
}

/// One split of a run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Repetition {
    /// Where the weights at the start and dropout came from.
    pub seed: u64,
    /// Training nodes.
    pub n_train: u64,
    /// Validation nodes.
    pub n_validation: u64,
    /// Test nodes.
    pub n_test: u64,
    /// The share of test nodes that are right.
    #[serde(default)]
    pub test_accuracy: Option<f64>,
    /// The share of validation nodes that are right.
    #[serde(default)]
    pub val_accuracy: Option<f64>,
    /// Cross-entropy of the test nodes.
    #[serde(default)]
    pub test_loss: Option<f64>,
}

/// Why the metrics of a run could not be read.
#[derive(Debug, thiserror::Error)]
pub enum MetricsFileError {
    /// Nothing has that name.
    #[error("{}: there is no such run; name a folder that `motifnet train --out` has written", run.display())]
    NoRun {
        /// The run.
        run: PathBuf,
    },
    /// A folder without the file.
    #[error(
        "{}: the folder has no {METRICS_FILE}, which a run writes after its first repetition; train it \
         with --out, or name another folder", run.display()
    )]
    NoMetrics {
        /// The run.
        run: PathBuf,
    },
    /// The system refused.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Too large to be what it should.
    #[error("{}: has more than {MOST_BYTES} bytes, which no run writes; name another run", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// Not the metrics of a run.
    #[error(
        "{}:{line}: {message}; these are not the metrics of a run, or they are damaged: train it \
         again, or leave it out", path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A repetition that cannot be.
    #[error("{}: repetition {number} has n_train 0, and nothing is learnt from no nodes; train it again", path.display())]
    NoTraining {
        /// The file.
        path: PathBuf,
        /// Which, from 1.
        number: usize,
    },
    /// A run that has not come to anything.
    #[error("{}: `repeats` is empty: the run has no results; train it again", path.display())]
    NoRepeats {
        /// The file.
        path: PathBuf,
    },
}

impl MetricsFile {
    /// Reads the metrics of `run`: a folder with a `metrics.json`, or such a file itself.
    ///
    /// # Errors
    /// If there is none, or it is not the metrics of a run that has results.
    pub fn read(run: &Path) -> Result<Self, MetricsFileError> {
        let path = if run.is_dir() { run.join(METRICS_FILE) } else { run.to_owned() };
        let refused = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound if run.is_dir() => {
                MetricsFileError::NoMetrics { run: run.to_owned() }
            }
            io::ErrorKind::NotFound => MetricsFileError::NoRun { run: run.to_owned() },
            _ => MetricsFileError::Read { path: path.clone(), source },
        };
        // What was named may be a pipe; one in the folder of a run would be waited for without an end.
        if run.is_dir() && path.exists() && !path.is_file() {
            return Err(refused(io::Error::other("it is no file; put that of the run back")));
        }
        let mut bytes = Vec::new();
        let file = File::open(&path).map_err(refused)?;
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(refused)?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(MetricsFileError::TooLarge { path });
        }
        let mut metrics = Self::parse(&bytes, &path)?;
        metrics.run = run.display().to_string();
        Ok(metrics)
    }

    fn parse(bytes: &[u8], path: &Path) -> Result<Self, MetricsFileError> {
        let path = || path.to_owned();
        let metrics: Self = serde_json::from_slice(bytes).map_err(|error| {
            let place = format!(" at line {} column {}", error.line(), error.column());
            let message = error.to_string().replace(&place, "");
            MetricsFileError::Damaged { path: path(), line: error.line(), message }
        })?;
        if metrics.repeats.is_empty() {
            return Err(MetricsFileError::NoRepeats { path: path() });
        }
        if let Some(at) = metrics.repeats.iter().position(|repeat| repeat.n_train == 0) {
            return Err(MetricsFileError::NoTraining { path: path(), number: at + 1 });
        }
        Ok(metrics)
    }

    /// The model in words: `motifnet-m, order 2, 4 heads on U, in`.
    pub fn model_in_words(&self) -> String {
        let order = self.order.map_or(String::new(), |order| format!(", order {order}"));
        let heads = match self.heads {
            Some(heads) if heads > 1 => format!(", {heads} heads"),
            _ => String::new(),
        };
        let on = match self.operators.is_empty() {
            true => String::new(),
            false => format!(" on {}", self.operators.join(", ")),
        };
        format!("{}{order}{heads}{on}", self.model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"{
        "dataset": "d", "n_nodes": 9, "n_arcs": 20, "n_classes": 3, "model": "motifnet-m",
        "order": 2, "heads": 4, "operators": ["U", "in"], "split": "10/10/10", "seed": 7,
        "later": {"unknown": [1]},
        "repeats": [{"seed": 7, "n_train": 4, "n_validation": 2, "n_test": 3,
            "test_accuracy": null, "val_accuracy": 0.5}]
    }"#;

    fn parsed(text: &str) -> Result<MetricsFile, String> {
        MetricsFile::parse(text.as_bytes(), Path::new("m.json")).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_known_is_read_and_the_rest_passed_over() {
        let metrics = parsed(WHOLE).unwrap();
        assert_eq!(metrics.model_in_words(), "motifnet-m, order 2, 4 heads on U, in");
        let repeat = &metrics.repeats[0];
        assert_eq!(
            (repeat.val_accuracy, repeat.test_accuracy, repeat.test_loss),
            (Some(0.5), None, None)
        );
    }

    #[test]
    fn errors_name_the_line_and_what_is_missing() {
        let damaged = "; these are not the metrics of a run, or they are damaged: train it again, \
                       or leave it out";
        for (from, to, expected) in [
            ("\"seed\": 7,\n", "\n", format!("m.json:7: missing field `seed`{damaged}")),
            (
                "\"n_test\": 3,",
                "\"n_test\": -3,",
                format!("m.json:5: invalid value: integer `-3`, expected u64{damaged}"),
            ),
            (
                "\"n_train\": 4",
                "\"n_train\": 0",
                "m.json: repetition 1 has n_train 0, and nothing is learnt from no nodes; train it \
                 again"
                    .to_owned(),
            ),
        ] {
            assert!(WHOLE.contains(from));
            assert_eq!(parsed(&WHOLE.replace(from, to)).unwrap_err(), expected);
        }
        let (head, _) = WHOLE.split_once("[{").unwrap();
        let message = parsed(&format!("{head}[]}}")).unwrap_err();
        assert_eq!(message, "m.json: `repeats` is empty: the run has no results; train it again");
    }

    #[test]
    fn cut_and_nested_files_are_errors() {
        for end in 0..WHOLE.len() {
            if WHOLE.is_char_boundary(end) {
                assert!(parsed(&WHOLE[..end]).unwrap_err().starts_with("m.json:"), "cut at {end}");
            }
        }
        assert!(parsed(&"[".repeat(1_000_000)).is_err());
        assert!(parsed("{\"repeats\": \"\\u0000\"}").is_err());
    }

    #[test]
    fn runs_that_are_not_there_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(
            MetricsFile::read(&folder.path().join("x")),
            Err(MetricsFileError::NoRun { .. })
        ));
        assert!(matches!(
            MetricsFile::read(folder.path()),
            Err(MetricsFileError::NoMetrics { .. })
        ));
        let path = folder.path().join("metrics.json");
        std::fs::write(&path, WHOLE).unwrap();
        let of_folder = MetricsFile::read(folder.path()).unwrap();
        let of_file = MetricsFile::read(&path).unwrap();
        assert_eq!(of_folder.run, folder.path().display().to_string());
        assert_eq!(of_folder.repeats, of_file.repeats);
    }
}
