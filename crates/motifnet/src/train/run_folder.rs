//! The folder of a run.
//!
//! ```text
//! config.toml              what was chosen, resolved; written first
//! history.jsonl            a line an epoch
//! checkpoint.safetensors   what the run can be taken up from
//! model.safetensors        what was learnt, with model.toml
//! metrics.json             how good it is; written last
//! timing.json              every clock reading, and nothing else has them
//! .replaced                the run that was here before, until this one has something to go on from
//! ```
//!
//! A run of several splits is a folder of such folders, `split-01` and so on, with a config.toml, a
//! metrics.json and a timing.json of all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::checkpoint::CHECKPOINT_FILE;
use super::eigen_file::EIGEN_FILE;
use super::observer::EpochRecord;
use super::replaced_run::SET_ASIDE;
use super::run_report::RunReport;
use super::trained_model::{MODEL_FILE, TENSORS_FILE};
use crate::io::{
    ClaimError, FolderClaim, Place, StoredFileError, WholeFile, WriteError, remove_leftovers,
};

/// What stands before the numbers of the folders of splits.
const SPLIT: &str = "split-";
/// What was chosen.
pub const CONFIG_FILE: &str = "config.toml";
/// A line an epoch.
pub const HISTORY_FILE: &str = "history.jsonl";
/// How good it is.
pub const METRICS_FILE: &str = "metrics.json";
/// Every clock reading.
pub const TIMING_FILE: &str = "timing.json";

/// All files that a run writes.
pub(super) const FILES: [&str; 7] = [
    CONFIG_FILE,
    HISTORY_FILE,
    CHECKPOINT_FILE,
    TENSORS_FILE,
    MODEL_FILE,
    METRICS_FILE,
    TIMING_FILE,
];

fn split_name(number: usize) -> String {
    format!("{SPLIT}{:02}", number + 1)
}

/// The folder of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

/// What is wrong with the folder of a run.
#[derive(Debug, thiserror::Error)]
pub enum RunFolderError {
    /// No folder of that name.
    #[error("{}: there is no such folder; name one that `motifnet train --out` wrote", .0.display())]
    Missing(PathBuf),
    /// A folder, but of no run.
    #[error("{}: no run: it has no {CONFIG_FILE}; name a folder that `motifnet train --out` wrote", .0.display())]
    NoRun(PathBuf),
    /// A folder whose run was about to be replaced when the process was killed.
    #[error("{path}: its run is set aside in {SET_ASIDE}, since it was about to be replaced; to have it back: motifnet train … --out {path}, and to replace it, add --force", path = .0.display())]
    SetAside(PathBuf),
    /// A file that cannot be read, or is not what was written.
    #[error(transparent)]
    File(#[from] StoredFileError),
    /// Another process has the folder, or it cannot be written to.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The folder cannot be made.
    #[error("{}: the folder cannot be made: {source}; name another with --out", path.display())]
    Create {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl RunFolder {
    /// Makes the folder if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(place: impl Into<Place>) -> Result<Self, RunFolderError> {
        let place = place.into();
        match place.make_folder() {
            Ok(()) => Ok(Self::at(place.path())),
            Err(WriteError::Io { path, source }) => Err(RunFolderError::Create { path, source }),
            Err(error) => Err(error.into()),
        }
    }

    /// Claims the folder of the split with a `number`, from 0, as [`RunFolder::claim`] does: whoever has the
    /// folder of a run does not have those of its splits, which may be taken up by themselves.
    ///
    /// # Errors
    /// If another process has it, or it cannot be made or written to.
    pub fn claim_split(&self, number: usize) -> Result<(Self, FolderClaim), RunFolderError> {
        Self::claim(self.place(split_name(number)))
    }

    /// Makes the folder if it is not there, for this process alone until the claim is dropped: two that
    /// write to one run would mix their files. What a killed process was about to put in place goes.
    ///
    /// # Errors
    /// If another process has it, or it cannot be made or written to.
    pub fn claim(place: impl Into<Place>) -> Result<(Self, FolderClaim), RunFolderError> {
        let place = place.into();
        let claim = FolderClaim::take(&place)?;
        let folder = Self::at(place.path());
        folder.remove_leftovers();
        Ok((folder, claim))
    }

    /// The folder of a run that may not be there.
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// A folder that holds a run.
    ///
    /// # Errors
    /// If there is no such folder, or no run in it.
    pub fn open(path: &Path) -> Result<Self, RunFolderError> {
        let folder = Self::at(path);
        match (path.is_dir(), folder.holds_a_run()) {
            (false, _) => Err(RunFolderError::Missing(path.to_owned())),
            (true, false) if folder.has_set_aside() => {
                Err(RunFolderError::SetAside(path.to_owned()))
            }
            (true, false) => Err(RunFolderError::NoRun(path.to_owned())),
            (true, true) => Ok(folder),
        }
    }

    /// Whether a run was begun here.
    pub fn holds_a_run(&self) -> bool {
        self.file(CONFIG_FILE).is_file()
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of one of its files.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The paths of all that a run keeps, be it there or not.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        FILES.into_iter().chain([EIGEN_FILE]).map(|name| self.file(name))
    }

    /// The same of this folder and of those of the splits that there are.
    pub fn all_files(&self) -> Vec<PathBuf> {
        let splits = self.splits().into_iter().map(|path| Self { path });
        let folders = std::iter::once(self.clone()).chain(splits);
        folders.flat_map(|folder| folder.files().collect::<Vec<_>>()).collect()
    }

    /// The first file that there is under a name of a run's, here or in the folder of a split. Where no run
    /// is, it is somebody's own: config.toml is written first.
    pub fn first_file(&self) -> Option<PathBuf> {
        // Of the name itself: a link is somebody's too.
        let is_there = |path: &PathBuf| fs::symlink_metadata(path).is_ok();
        let first = |folder: &Self| FILES.map(|name| folder.file(name)).into_iter().find(is_there);
        first(self).or_else(|| self.splits().into_iter().find_map(|path| first(&Self { path })))
    }

    /// Where something goes whose name is ours: no link is followed there.
    pub fn place(&self, name: impl AsRef<Path>) -> Place {
        Place::within(&self.path, name)
    }

    /// The folder of the split with a `number`, from 0; it may not be there.
    pub fn of_split(&self, number: usize) -> Self {
        Self { path: self.path.join(split_name(number)) }
    }

    /// Whether there is something to go on from: a checkpoint or a result, of the run or of a split.
    pub fn has_begun(&self) -> bool {
        let has_begun = |folder: &Self| {
            [CHECKPOINT_FILE, METRICS_FILE].into_iter().any(|name| folder.file(name).exists())
        };
        has_begun(self) || self.splits().into_iter().any(|path| has_begun(&Self { path }))
    }

    /// The folders of the splits that there are, in their order.
    pub(super) fn splits(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let is_split = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(SPLIT));
            let is_number = |text: &str| text.len() > 1 && text.bytes().all(|b| b.is_ascii_digit());
            // Of the entry itself: a link leads to the folder of another run.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            number.is_some_and(is_number) && is_folder
        };
        let mut splits: Vec<PathBuf> = entries.filter(is_split).map(|entry| entry.path()).collect();
        splits.sort();
        splits
    }

    /// The folder of the first split, if there are several.
    pub(super) fn first_split(&self) -> Option<PathBuf> {
        self.splits().into_iter().next()
    }

    /// Removes all files of a run, those of its splits too; what else is in the folder is left alone.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn clear(&self) -> Result<(), RunFolderError> {
        // What was chosen goes first: without it, what is left of a run is taken for none.
        for name in FILES {
            let path = self.file(name);
            match fs::remove_file(&path) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(WriteError::io(&path, source).into());
                }
                _ => {}
            }
        }
        self.each_split(Self::clear)
    }

    /// Does something to every split that there is, for this process alone, and removes the folder if it is
    /// empty then.
    ///
    /// # Errors
    /// If another process has one of them, or what is done fails.
    pub(crate) fn each_split(
        &self,
        act: impl Fn(&Self) -> Result<(), RunFolderError>,
    ) -> Result<(), RunFolderError> {
        for path in self.splits() {
            let name = path.file_name().unwrap_or_default();
            let (split, claim) = self.claim_if_it_can_be(name)?;
            act(&split)?;
            drop(claim);
            split.remove_if_empty();
        }
        Ok(())
    }

    /// Makes the folder of a split if it is not there, and claims it unless the disk refuses: what is moved or
    /// removed needs no room, and must go back where there is none for a claim.
    pub(super) fn claim_if_it_can_be(
        &self,
        name: impl AsRef<Path>,
    ) -> Result<(Self, Option<FolderClaim>), RunFolderError> {
        let place = self.place(name);
        let claim = match FolderClaim::take(&place) {
            Err(taken @ ClaimError::Taken { .. }) => return Err(taken.into()),
            claim => claim.ok(),
        };
        let folder = Self::create(place)?;
        folder.remove_leftovers();
        Ok((folder, claim))
    }

    /// Removes what a killed process was about to put in place.
    fn remove_leftovers(&self) {
        FILES.iter().for_each(|name| remove_leftovers(&self.file(name)));
    }

    /// Removes the folder if there is nothing in it.
    pub fn remove_if_empty(&self) {
        let _ = fs::remove_dir(&self.path);
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunFolderError> {
        let place = self.place(name);
        let mut file = WholeFile::create_plain(&place)?;
        file.write_all(bytes).map_err(|error| WriteError::io(place.path(), error))?;
        file.commit()?;
        Ok(())
    }

    /// Writes a value as JSON.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json(
        &self,
        name: &str,
        value: &impl serde::Serialize,
    ) -> Result<(), RunFolderError> {
        let text = serde_json::to_vec_pretty(value);
        let mut text = text.map_err(|error| WriteError::io(&self.file(name), error))?;
        text.push(b'\n');
        self.write(name, &text)
    }

    /// Writes the history of a run, a line an epoch.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_history(&self, history: &[EpochRecord]) -> Result<(), RunFolderError> {
        let mut lines = Vec::new();
        for record in history {
            let line = serde_json::to_writer(&mut lines, record);
            line.map_err(|error| WriteError::io(&self.file(HISTORY_FILE), error))?;
            lines.push(b'\n');
        }
        self.write(HISTORY_FILE, &lines)
    }

    /// The first `n_epochs` of the history.
    ///
    /// # Errors
    /// If it cannot be read, or does not go so far.
    pub fn read_history(&self, n_epochs: usize) -> Result<Vec<EpochRecord>, RunFolderError> {
        let text = self.read(HISTORY_FILE)?;
        let lines = text.lines().take(n_epochs).map(serde_json::from_str);
        let history: Vec<EpochRecord> =
            lines.collect::<Result<_, _>>().map_err(|error| self.damaged(HISTORY_FILE, error))?;
        let is_whole = history.iter().map(|record| record.epoch).eq(1..=n_epochs);
        is_whole.then_some(history).ok_or_else(|| {
            self.damaged(HISTORY_FILE, format!("it lacks some of {n_epochs} epochs"))
        })
    }

    /// What the run found, if it came to its end.
    ///
    /// # Errors
    /// If the file is there and cannot be read.
    pub fn read_report(&self) -> Result<Option<RunReport>, RunFolderError> {
        if !self.file(METRICS_FILE).exists() {
            return Ok(None);
        }
        let text = self.read(METRICS_FILE)?;
        let report = serde_json::from_str(&text);
        report.map(Some).map_err(|error| self.damaged(METRICS_FILE, error))
    }

    /// Refuses what is no file under the name of one: a pipe would be waited for without an end.
    ///
    /// # Errors
    /// If there is something else than a file; that there is nothing is for the reader to tell.
    pub fn check_file(&self, name: &str) -> Result<(), StoredFileError> {
        let path = self.file(name);
        match fs::metadata(&path) {
            Ok(there) if !there.is_file() => {
                let source = io::Error::other("it is no file; put that of the run back");
                Err(StoredFileError::Read { path, source })
            }
            _ => Ok(()),
        }
    }

    pub(super) fn read(&self, name: &str) -> Result<String, RunFolderError> {
        self.check_file(name)?;
        let path = self.file(name);
        let text = fs::read_to_string(&path);
        text.map_err(|source| StoredFileError::Read { path, source }.into())
    }

    pub(super) fn damaged(&self, name: &str, reason: impl ToString) -> RunFolderError {
        StoredFileError::Damaged { path: self.file(name), reason: reason.to_string() }.into()
    }
}

#[cfg(test)]
mod tests;
