//! The folder of a training run.

use std::io::Write;
use std::path::{Path, PathBuf};

use motifnet::io::{WholeFile, WriteError};
use motifnet::train::EpochRecord;
use serde::Serialize;

use super::train_report::{TrainReport, Watch};
use crate::failure::Failure;

/// Where a run is written: after every repetition all that is known by then, file by file whole.
pub(super) struct RunFolder {
    path: PathBuf,
    history: Vec<u8>,
    n_repeats: usize,
}

/// One line of history.jsonl.
#[derive(Serialize)]
struct Line<'a> {
    repeat: usize,
    #[serde(flatten)]
    record: &'a EpochRecord,
}

impl RunFolder {
    /// Makes the folder if it is not there.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(path).map_err(|error| {
            Failure::run(error)
                .context(format!("the folder {} cannot be made", path.display()))
                .hint("name another folder with --out")
        })?;
        Ok(Self { path: path.to_owned(), history: Vec::new(), n_repeats: 0 })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes history.jsonl, timing.json and, last, metrics.json.
    pub(super) fn write(
        &mut self,
        report: &TrainReport,
        history: &[EpochRecord],
        watch: &Watch,
    ) -> Result<(), Failure> {
        self.n_repeats += 1;
        for record in history {
            let line = Line { repeat: self.n_repeats, record };
            serde_json::to_writer(&mut self.history, &line).map_err(Failure::run)?;
            self.history.push(b'\n');
        }
        self.file("history.jsonl", &self.history)?;
        self.json("timing.json", &watch.timing())?;
        self.json("metrics.json", report)
    }

    fn json(&self, name: &str, value: &impl Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_vec_pretty(value).map_err(Failure::run)?;
        text.push(b'\n');
        self.file(name, &text)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.path.join(name);
        let mut file = WholeFile::create_plain(&path)?;
        file.write_all(bytes).map_err(|error| WriteError::io(&path, error))?;
        file.commit()?;
        Ok(())
    }
}
