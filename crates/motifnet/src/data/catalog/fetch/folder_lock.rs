//! One process at a time.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::io::WriteError;
use crate::progress::{Progress, Unit};

/// The right to write to the folder of a data set, held until it is dropped. The system takes it
/// back from a process that dies.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Waits until no other process fetches into `folder`. The file `.lock` stays there: a process
    /// that took it away could take it from under another.
    pub(super) fn take(folder: &Path, progress: &dyn Progress) -> Result<Self, WriteError> {
        let path = folder.join(".lock");
        let problem = |source| WriteError::io(&path, source);
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(problem)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                progress.begin("wait for another fetch", None, Unit::Items);
                let locked = file.lock();
                progress.end();
                locked.map_err(problem)?;
            }
            Err(TryLockError::Error(source)) => return Err(problem(source)),
        }
        Ok(Self { _file: file })
    }
}
