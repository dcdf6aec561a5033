//! A run that is to be replaced, kept until there is another.
//!
//! The files of the old run are set aside in a hidden folder beside the new ones, config.toml first: without
//! it nothing in the folder is taken for a run. The new config.toml comes when all of the old run is aside. So
//! whenever a process is killed, what is there tells how far it was: the old run goes if the new one has its
//! config.toml and something to go on from, and else it comes back, when what there is of the new one is gone;
//! of either, config.toml is the last.
//!
//! Files under the names of a run's, where no config.toml says that there is one, are set aside likewise.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::events::EVENTS_FOLDER;
use super::run_folder::{FILES, RunFolder, RunFolderError};
use crate::io::WriteError;

/// The folder of what is to be replaced.
pub(super) const SET_ASIDE: &str = ".replaced";
/// What `motifnet report` calls the page of a run.
const PAGE_FILE: &str = "report.html";

impl RunFolder {
    /// Whether a run is set aside.
    pub(super) fn has_set_aside(&self) -> bool {
        // Of the name itself: a link there is none of ours.
        fs::symlink_metadata(self.file(SET_ASIDE)).is_ok_and(|there| there.is_dir())
    }

    /// Makes room for another run: what is here under the names of its files is set aside until
    /// [`RunFolder::settle`], and of a run its page and its events too. What else is in the folder is left alone.
    ///
    /// # Errors
    /// If a file cannot be moved, or another process is at work on one of the splits: then none is.
    pub fn set_aside(&self) -> Result<(), RunFolderError> {
        self.settle()?;
        self.each_split(|_| Ok(()))?;
        if self.first_file().is_none() {
            return Ok(());
        }
        let aside = Self::create(self.place(SET_ASIDE))?;
        move_run(self, &aside)
    }

    /// Ends a replacement: what was set aside goes if the new run has something to go on from, and comes back
    /// if not. Where nothing is set aside, nothing is done.
    ///
    /// # Errors
    /// If a file cannot be moved or removed.
    pub fn settle(&self) -> Result<(), RunFolderError> {
        if !self.has_set_aside() {
            return Ok(());
        }
        let aside = Self::at(&self.file(SET_ASIDE));
        if self.holds_a_run() && self.has_begun() {
            aside.clear_with_told()?;
        } else {
            // Where nothing is left aside, all of the old run is back, and this config.toml is its own.
            if self.holds_a_run() && aside.first_file().is_some() {
                self.withdraw(aside.holds_a_run())?;
            }
            move_run_back(&aside, self)?;
        }
        aside.remove_if_empty();
        Ok(())
    }

    /// Removes what a run wrote since its config.toml, if it failed before its first checkpoint, and the folder if
    /// nothing else is in it; what it was to replace comes back.
    ///
    /// # Errors
    /// If that cannot be put back.
    pub fn discard_unless_begun(&self) -> Result<(), RunFolderError> {
        if self.holds_a_run() && !self.has_begun() {
            let replaces_a_run = Self::at(&self.file(SET_ASIDE)).holds_a_run();
            // What cannot be removed does no harm.
            let _ = self.withdraw(replaces_a_run);
        }
        self.settle()?;
        self.remove_if_empty();
        Ok(())
    }

    /// Removes what a run wrote that has nothing to go on from, what was chosen last: after a kill the rest is
    /// still known for its own. Its events are told from others where those of an old run are aside.
    fn withdraw(&self, replaces_a_run: bool) -> Result<(), RunFolderError> {
        self.each_split(|split| match replaces_a_run {
            true => split.clear_with_told(),
            false => split.clear(),
        })?;
        if replaces_a_run {
            self.remove_told()?;
        }
        FILES.iter().rev().try_for_each(|name| remove(&self.file(name)))
    }

    /// The names of the files that tell of a run without being part of it: its page and its event files.
    fn told(&self) -> Vec<PathBuf> {
        let events = self.file(EVENTS_FOLDER);
        // Of the folder itself: a link leads to events of others.
        let is_folder = fs::symlink_metadata(&events).is_ok_and(|there| there.is_dir());
        let entries = is_folder.then(|| fs::read_dir(&events).ok()).flatten();
        let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name());
        let is_event = |name: &std::ffi::OsString| {
            let name = name.to_string_lossy();
            name.starts_with("events.out.tfevents.") && name.ends_with(".motifnet")
        };
        let events = names.filter(is_event).map(|name| Path::new(EVENTS_FOLDER).join(name));
        let page = Path::new(PAGE_FILE);
        let is_there = fs::symlink_metadata(self.path().join(page)).is_ok();
        events.chain(is_there.then(|| page.to_owned())).collect()
    }

    fn remove_told(&self) -> Result<(), RunFolderError> {
        self.told().iter().try_for_each(|name| remove(&self.path().join(name)))?;
        self.remove_empty_events();
        Ok(())
    }

    /// As [`RunFolder::clear`], with what tells of the run.
    pub(crate) fn clear_with_told(&self) -> Result<(), RunFolderError> {
        FILES.iter().try_for_each(|name| remove(&self.file(name)))?;
        self.remove_told()?;
        self.each_split(Self::clear_with_told)
    }

    /// Removes the folder of events if there are none in it.
    fn remove_empty_events(&self) {
        let _ = fs::remove_dir(self.file(EVENTS_FOLDER));
    }
}

/// Moves the files of a run, what was chosen first.
fn move_run(from: &RunFolder, to: &RunFolder) -> Result<(), RunFolderError> {
    // Where there is no run, they tell of something else.
    let told = if from.holds_a_run() { from.told() } else { Vec::new() };
    FILES.iter().try_for_each(|name| move_file(from, to, Path::new(name)))?;
    move_told(&told, from, to)?;
    from.each_split(|split| {
        let to = RunFolder::create(to.place(split.path().file_name().unwrap_or_default()))?;
        move_run(split, &to)
    })
}

/// Moves the files of a run, what was chosen last.
fn move_run_back(from: &RunFolder, to: &RunFolder) -> Result<(), RunFolderError> {
    from.each_split(|split| {
        let name = split.path().file_name().unwrap_or_default();
        let (to, _claim) = to.claim_if_it_can_be(name)?;
        move_run_back(split, &to)
    })?;
    move_told(&from.told(), from, to)?;
    FILES.iter().rev().try_for_each(|name| move_file(from, to, Path::new(name)))
}

fn move_told(names: &[PathBuf], from: &RunFolder, to: &RunFolder) -> Result<(), RunFolderError> {
    if names.iter().any(|name| name.starts_with(EVENTS_FOLDER)) {
        RunFolder::create(to.place(EVENTS_FOLDER))?;
    }
    names.iter().try_for_each(|name| move_file(from, to, name))?;
    from.remove_empty_events();
    Ok(())
}

fn move_file(from: &RunFolder, to: &RunFolder, name: &Path) -> Result<(), RunFolderError> {
    let path = from.path().join(name);
    if fs::symlink_metadata(&path).is_ok_and(|there| there.is_dir()) {
        // A folder of somebody's own, with who knows what in it.
        return Err(WriteError::IsNoFile(path).into());
    }
    unless_missing(&path, fs::rename(&path, to.path().join(name)))
}

fn remove(path: &Path) -> Result<(), RunFolderError> {
    unless_missing(path, fs::remove_file(path))
}

fn unless_missing(path: &Path, done: io::Result<()>) -> Result<(), RunFolderError> {
    match done {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(WriteError::io(path, source).into())
        }
        _ => Ok(()),
    }
}
