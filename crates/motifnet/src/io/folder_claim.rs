//! One process at a time in a folder.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::links::{is_at, open_own};
use super::{Place, WriteError};
use crate::progress::{Progress, Unit};

/// The file by which a folder is claimed.
const LOCK: &str = ".lock";
/// How often a folder that others remove is made again, before it is taken for one that holds no files.
const MOST_TRIES: usize = 100;
/// Digits of a process that are read, and more.
const LONGEST_NUMBER: u64 = 32;

/// The right to write to a folder, held until it is dropped.
///
/// It is a lock of the system on the file `.lock` in the folder, and the number of the process is
/// written there for whoever comes second. The system takes the lock back from a process that dies,
/// however it dies: a file that such a process left behind is not locked, and is simply taken over.
///
/// The file is removed with the claim, so that a folder holds nothing but results when work is done.
/// That is safe since only the holder removes it, and since whoever locks a file looks whether that
/// file is still the one in the folder: one that was removed meanwhile counts for nothing.
///
/// A folder that the claim had to make goes again with it if nothing was put there and nobody waits.
///
/// ```
/// use motifnet::io::FolderClaim;
/// # let folder = tempfile::tempdir()?;
/// # let run = folder.path().join("run");
/// let claim = FolderClaim::take(&run)?;
/// let refused = FolderClaim::take(&run).unwrap_err();
/// assert!(refused.to_string().contains(&format!("process {} ", std::process::id())));
/// drop(claim);
/// assert!(!run.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FolderClaim {
    folder: PathBuf,
    file: File,
    /// Whether there was no such folder before.
    has_made_folder: bool,
}

/// Why a folder could not be claimed.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// Another process has it.
    #[error("{folder}: {holder} is at work in this folder; wait until it has ended, or stop it, or name another folder", folder = folder.display(), holder = named(*process))]
    Taken {
        /// The folder.
        folder: PathBuf,
        /// The process, if it has told its number.
        process: Option<u32>,
    },
    /// The folder cannot be made.
    #[error("{}: the folder cannot be made: {source}; name another", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder cannot be written to.
    #[error(transparent)]
    Write(#[from] WriteError),
}

fn named(process: Option<u32>) -> String {
    process.map_or("another process".to_owned(), |id| format!("process {id}"))
}

/// What an attempt has made that may come to nothing.
struct MadeInVain<'a> {
    folder: &'a Path,
    has_made_folder: bool,
    has_made_lock: bool,
}

impl MadeInVain<'_> {
    /// Removes it again; what cannot be removed does no harm.
    fn remove(&self, error: ClaimError) -> ClaimError {
        if self.has_made_lock {
            let _ = fs::remove_file(self.folder.join(LOCK));
        }
        if self.has_made_folder {
            let _ = fs::remove_dir(self.folder);
        }
        error
    }
}

/// Whether a disk has no locks at all: it knows no such call, has nobody who would keep them, or knows them
/// for other things than files.
fn lacks_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error()) {
        return true;
    }
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput)
}

/// What an attempt came to.
enum Attempt {
    Claimed(FolderClaim),
    /// The lock of another process.
    Taken(File),
}

impl FolderClaim {
    /// Claims a folder, which is made if it is not there, or refuses at once.
    ///
    /// # Errors
    /// If another process has it, or it cannot be made or written to.
    pub fn take(folder: impl Into<Place>) -> Result<Self, ClaimError> {
        let folder = folder.into();
        match Self::attempt(&folder, File::try_lock)? {
            Attempt::Claimed(claim) => Ok(claim),
            Attempt::Taken(mut file) => {
                // Where a lock keeps others from reading, the number is not to be had.
                let mut text = String::new();
                let _ = Read::by_ref(&mut file).take(LONGEST_NUMBER).read_to_string(&mut text);
                let process = text.trim().parse().ok();
                Err(ClaimError::Taken { folder: folder.path().to_owned(), process })
            }
        }
    }

    /// Claims a folder, which is made if it is not there, when no other process has it any more.
    ///
    /// # Errors
    /// If it cannot be made or written to.
    pub fn wait(folder: impl Into<Place>, progress: &dyn Progress) -> Result<Self, ClaimError> {
        let folder = folder.into();
        loop {
            match Self::attempt(&folder, File::try_lock)? {
                Attempt::Claimed(claim) => return Ok(claim),
                Attempt::Taken(file) => {
                    progress.begin("wait for another process", None, Unit::Items);
                    let locked = file.lock();
                    progress.end();
                    let path = folder.path().join(LOCK);
                    locked.map_err(|source| WriteError::io(&path, source))?;
                }
            }
        }
    }

    fn attempt(
        place: &Place,
        lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Attempt, ClaimError> {
        let folder = place.path();
        let path = folder.join(LOCK);
        let problem = |source| ClaimError::from(WriteError::io(&path, source));
        for _ in 0..MOST_TRIES {
            let has_made_folder = !folder.is_dir();
            place.make_folder().map_err(|error| match error {
                WriteError::Io { path: folder, source } => ClaimError::NoFolder { folder, source },
                error => error.into(),
            })?;
            // Of the name itself: a link that leads nowhere is there.
            let has_made_lock = fs::symlink_metadata(&path).is_err();
            let made = MadeInVain { folder, has_made_folder, has_made_lock };
            let file = match open_own(&path) {
                // A claim that ended just now has taken the folder away; in a folder that was removed with somebody
                // in it, or in /proc, it is so each time.
                Err(WriteError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                    continue;
                }
                file => file.map_err(|error| made.remove(error.into()))?,
            };
            match lock(&file) {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(Attempt::Taken(file)),
                // A disk without locks is no reason not to work there.
                Err(TryLockError::Error(error)) if lacks_locks(&error) => {}
                Err(TryLockError::Error(error)) => return Err(made.remove(problem(error))),
            }
            if is_at(&file, &path) {
                // From here on the file goes with the claim, also if the number cannot be written.
                let mut claim = Self { folder: folder.to_owned(), file, has_made_folder };
                claim.sign().map_err(problem)?;
                return Ok(Attempt::Claimed(claim));
            }
        }
        Err(WriteError::HoldsNoFiles(folder.to_owned()).into())
    }

    /// Whether there is nothing in the folder but the claim.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn is_alone(&self) -> Result<bool, ClaimError> {
        let problem = |source| ClaimError::from(WriteError::io(&self.folder, source));
        for entry in fs::read_dir(&self.folder).map_err(problem)? {
            if entry.map_err(problem)?.file_name() != LOCK {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes who has the folder.
    fn sign(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "{}", std::process::id())
    }
}

impl Drop for FolderClaim {
    fn drop(&mut self) {
        let path = self.folder.join(LOCK);
        // Where somebody removed the folder, there may be another by now, and the claim of another process in it.
        if !is_at(&self.file, &path) {
            return;
        }
        // What cannot be removed does no harm.
        let _ = fs::remove_file(path);
        if self.has_made_folder {
            let _ = fs::remove_dir(&self.folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::progress::Silent;

    #[test]
    fn a_second_claim_is_refused_with_the_process_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let claim = FolderClaim::take(folder.path()).unwrap();
        let error = FolderClaim::take(folder.path()).unwrap_err();
        let me = std::process::id();
        assert!(matches!(error, ClaimError::Taken { process: Some(id), .. } if id == me));
        assert_eq!(
            error.to_string(),
            format!(
                "{}: process {me} is at work in this folder; wait until it has ended, or stop it, \
                 or name another folder",
                folder.path().display()
            )
        );
        drop(claim);
        FolderClaim::take(folder.path()).unwrap();
    }

    #[test]
    fn what_a_dead_process_left_is_taken_over_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join(LOCK);
        fs::write(&lock, "4194304999\n").unwrap();
        let claim = FolderClaim::take(folder.path()).unwrap();
        assert_eq!(fs::read_to_string(&lock).unwrap(), format!("{}\n", std::process::id()));
        drop(claim);
        assert!(!lock.exists());
    }

    #[test]
    fn a_folder_that_was_made_in_vain_goes_again_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        drop(FolderClaim::take(&run).unwrap());
        assert!(!run.exists());
        let claim = FolderClaim::take(&run).unwrap();
        fs::write(run.join("result"), "").unwrap();
        drop(claim);
        assert!(run.join("result").exists() && !run.join(LOCK).exists());
        let own = folder.path().join("own");
        fs::create_dir(&own).unwrap();
        drop(FolderClaim::take(&own).unwrap());
        assert!(own.exists());
    }

    #[test]
    fn where_there_is_a_file_no_folder_can_be_claimed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "mine").unwrap();
        let said = FolderClaim::take(&file).unwrap_err().to_string();
        assert!(said.contains("the folder cannot be made"), "{said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    }

    #[test]
    fn where_there_are_no_locks_work_goes_on_without_and_a_failure_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let attempt = |error: fn() -> io::Error| {
            FolderClaim::attempt(&Place::from(&run), move |_| Err(TryLockError::Error(error())))
        };
        let mut lacking: Vec<fn() -> io::Error> =
            vec![|| io::ErrorKind::Unsupported.into(), || io::ErrorKind::InvalidInput.into()];
        #[cfg(unix)]
        {
            lacking.push(|| io::Error::from_raw_os_error(rustix::io::Errno::NOLCK.raw_os_error()));
        }
        for error in lacking {
            let Attempt::Claimed(claim) = attempt(error).unwrap() else { panic!("taken") };
            assert!(run.join(LOCK).exists());
            drop(claim);
            assert!(!run.exists());
        }
        assert!(attempt(|| io::ErrorKind::TimedOut.into()).is_err());
        assert!(!run.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_claim_that_lost_its_folder_leaves_that_of_another_alone() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let lost = FolderClaim::take(&run).unwrap();
        fs::remove_dir_all(&run).unwrap();
        let claim = FolderClaim::take(&run).unwrap();
        drop(lost);
        assert!(run.join(LOCK).exists());
        assert!(matches!(FolderClaim::take(&run), Err(ClaimError::Taken { .. })));
        drop(claim);
        assert!(!run.exists());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_holds_no_files_is_refused_and_not_tried_forever() {
        let said = FolderClaim::take(Path::new("/proc")).unwrap_err().to_string();
        assert!(said.starts_with("/proc: no file can be made in this folder"), "{said}");
    }

    /// Many at once, since a claim that removes its file must not take it from under another.
    #[test]
    fn of_many_that_wait_only_one_at_a_time_has_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let claim = FolderClaim::wait(&run, &Silent).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        assert_eq!(inside.fetch_sub(1, Ordering::SeqCst), 1);
                        drop(claim);
                    }
                });
            }
        });
        // The folder may stay: whoever made it was not the last to have it.
        assert!(!run.join(LOCK).exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let (run, secret) = (folder.path().join("run"), folder.path().join("secret"));
        fs::create_dir(&run).unwrap();
        fs::write(&secret, "mine").unwrap();
        std::os::unix::fs::symlink(&secret, run.join(LOCK)).unwrap();
        let said = FolderClaim::take(&run).unwrap_err().to_string();
        assert!(said.contains("is a link"), "{said}");
        assert_eq!(fs::read_to_string(&secret).unwrap(), "mine");
        // Nor is one that leads nowhere filled, or taken for a lock that was made in vain.
        fs::remove_file(&secret).unwrap();
        assert!(FolderClaim::take(&run).is_err());
        assert!(run.join(LOCK).is_symlink() && !secret.exists());
    }
}
