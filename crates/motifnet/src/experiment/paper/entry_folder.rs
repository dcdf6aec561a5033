//! The folder of an entry: a run of several splits, as `motifnet train --repeat` leaves it.

use std::path::Path;

use super::contestant::Contestant;
use super::entry::Entry;
use super::error::PaperError;
use crate::io::{FolderClaim, Place};
use crate::train::{
    CONFIG_FILE, EpochRecord, METRICS_FILE, PreparedRun, RepeatReport, RunConfig, RunFolder,
    RunFolderError, RunReport, Settings, Trained,
};

/// Where the entries are kept.
pub(super) const RUNS: &str = "runs";

/// The folder of an entry, for this process alone, with all that was chosen for it.
pub(super) struct EntryFolder {
    folder: RunFolder,
    /// Of the entry; its splits are claimed one by one while they are worked on.
    _claim: FolderClaim,
    config: RunConfig,
    /// Whether what was learnt is kept too: hundreds of models would fill a disk, and only those
    /// that operators are selected from are asked anything.
    keeps_models: bool,
}

impl EntryFolder {
    /// That of an entry of the evaluation in `folder`; nothing is written yet. Refused if another process has it,
    /// which goes on with it as with any run.
    pub(super) fn new(folder: &Path, entry: Entry, config: RunConfig) -> Result<Self, PaperError> {
        let place = Place::within(folder, Path::new(RUNS).join(entry.name()));
        let (folder, claim) = RunFolder::claim(place)?;
        // So that a folder means the same from everywhere.
        let config = RunConfig { data: config.data.absolute(), ..config };
        let keeps_models = entry.contestant == Contestant::Candidates;
        Ok(Self { folder, _claim: claim, config, keeps_models })
    }

    /// The folder of one of its splits.
    pub(super) fn of_split(&self, number: usize) -> RunFolder {
        self.folder.of_split(number)
    }

    /// One of its splits for this process alone.
    pub(super) fn claim_split(&self, number: usize) -> Result<FolderClaim, RunFolderError> {
        self.folder.claim_split(number).map(|(_, claim)| claim)
    }

    fn config_of_split(&self, number: usize) -> RunConfig {
        let mut config = self.config.clone();
        (config.run.repeat, config.run.first_split) = (1, number);
        config
    }

    /// What the training on a split came to, if it came to its end with these settings. One that cannot
    /// be read is made again.
    ///
    /// # Errors
    /// If another process is at work on it.
    pub(super) fn finished(&self, number: usize) -> Result<Option<RepeatReport>, RunFolderError> {
        if !self.of_split(number).path().is_dir() {
            return Ok(None);
        }
        // What a dead process left of its claim goes with ours.
        let _claim = self.claim_split(number)?;
        Ok(self.read_finished(number))
    }

    fn read_finished(&self, number: usize) -> Option<RepeatReport> {
        let folder = self.of_split(number);
        let mut kept = Settings::default();
        kept.read(&folder.file(CONFIG_FILE)).ok()?;
        if *kept.config() != self.config_of_split(number) {
            return None;
        }
        let report = folder.read_report().ok()??;
        <[_; 1]>::try_from(report.repeats).ok().map(|[repeat]| repeat)
    }

    /// Keeps a training: what was chosen, every epoch, what was learnt if it is asked later, and how
    /// good it is, last. Whoever trained it has claimed the split.
    pub(super) fn keep(
        &self,
        prepared: &PreparedRun<'_>,
        trained: &Trained,
        history: &[EpochRecord],
        report: &RunReport,
        number: usize,
    ) -> Result<(), PaperError> {
        let folder = self.of_split(number);
        folder.clear()?;
        let settings = Settings::of(&self.config_of_split(number));
        folder.write(CONFIG_FILE, settings.to_toml().as_bytes())?;
        folder.write_history(history)?;
        if self.keeps_models {
            prepared.write_model(trained, &folder)?;
        }
        folder.write_json(METRICS_FILE, report)?;
        Ok(())
    }

    /// Keeps what all its trainings came to.
    pub(super) fn keep_report(&self, report: &RunReport) -> Result<(), PaperError> {
        self.folder.write(CONFIG_FILE, Settings::of(&self.config).to_toml().as_bytes())?;
        self.folder.write_json(METRICS_FILE, report)?;
        Ok(())
    }
}
