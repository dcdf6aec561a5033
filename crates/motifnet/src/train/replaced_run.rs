//! A run that is to be replaced, kept until there is another.
//!
//! The files of the old run are set aside in a hidden folder beside the new ones, config.toml first: without
//! it nothing in the folder is taken for a run. The new config.toml comes when all of the old run is aside. So
//! whenever a process is killed, what is there tells how far it was: the old run goes if the new one has its
//! config.toml and something to go on from, and else it comes back, config.toml last.

use std::fs;
use std::io;
use std::path::Path;

use super::run_folder::{CONFIG_FILE, FILES, RunFolder, RunFolderError};
use crate::io::WriteError;

/// The folder of what is to be replaced.
pub(super) const SET_ASIDE: &str = ".replaced";

impl RunFolder {
    /// Whether a run is set aside.
    pub(super) fn has_set_aside(&self) -> bool {
        // Of the name itself: a link there is none of ours.
        fs::symlink_metadata(self.file(SET_ASIDE)).is_ok_and(|there| there.is_dir())
    }

    /// Makes room for another run: the one that is here is set aside until [`RunFolder::settle`]. What is left
    /// of a run without a config.toml is removed, and what else is in the folder is left alone.
    ///
    /// # Errors
    /// If a file cannot be moved or removed.
    pub fn set_aside(&self) -> Result<(), RunFolderError> {
        self.settle()?;
        if !self.holds_a_run() {
            return self.clear();
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
            aside.clear()?;
        } else {
            if aside.holds_a_run() {
                // This config.toml, if there is one, is that of the new run.
                remove(&self.file(CONFIG_FILE))?;
            }
            move_run_back(&aside, self)?;
        }
        aside.remove_if_empty();
        Ok(())
    }
}

/// Moves the files of a run, what was chosen first.
fn move_run(from: &RunFolder, to: &RunFolder) -> Result<(), RunFolderError> {
    FILES.iter().try_for_each(|name| move_file(from, to, name))?;
    for split in from.splits() {
        let to = RunFolder::create(to.place(split.file_name().unwrap_or_default()))?;
        let from = RunFolder::at(&split);
        move_run(&from, &to)?;
        from.remove_if_empty();
    }
    Ok(())
}

/// Moves the files of a run, what was chosen last.
fn move_run_back(from: &RunFolder, to: &RunFolder) -> Result<(), RunFolderError> {
    for split in from.splits() {
        let to = RunFolder::create(to.place(split.file_name().unwrap_or_default()))?;
        let from = RunFolder::at(&split);
        move_run_back(&from, &to)?;
        from.remove_if_empty();
    }
    FILES.iter().rev().try_for_each(|name| move_file(from, to, name))
}

fn move_file(from: &RunFolder, to: &RunFolder, name: &str) -> Result<(), RunFolderError> {
    let path = from.file(name);
    unless_missing(&path, fs::rename(&path, to.file(name)))
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
