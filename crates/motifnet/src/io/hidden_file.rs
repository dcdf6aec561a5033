//! A file that has no name, or a hidden one, until it is put in its place.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use super::leftovers::{LONGEST_WHOLE, MARK, N_RANDOM, hidden_part, remove_leftovers};

/// A file on its way to its name.
///
/// On Linux it has no name at all, so that nothing is left of it if the process is killed; where a disk knows no
/// such files, or at the moment before it gets its name, it is called `.NAME.`, six letters and a mark that no
/// file of a user's ends in; a long NAME is cut. Dropped, it is gone.
#[derive(Debug)]
pub(super) struct HiddenFile {
    file: File,
    /// Its hidden name, if it has one.
    hidden: Option<PathBuf>,
    /// Its name to be.
    path: PathBuf,
}

impl HiddenFile {
    /// Begins a file, with the mode and the owner of the one that it will replace.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        if path.file_name().is_none() {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        // Wherever the process goes to meanwhile.
        let path = std::path::absolute(path)?;
        // A name that cannot be had is told now, and not when all has been written.
        for name in [&path, &hidden_name(&path)] {
            if let Err(error) = fs::symlink_metadata(name)
                && error.kind() != io::ErrorKind::NotFound
            {
                return Err(error);
            }
        }
        let (file, hidden) = match nameless(folder_of(&path)) {
            Some(file) => (file?, None),
            None => {
                named(&path, |hidden| File::options().write(true).create_new(true).open(hidden))
                    .map(|(file, hidden)| (file, Some(hidden)))?
            }
        };
        let begun = Self { file, hidden, path };
        begun.take_after_the_one_there()?;
        // Tells it from what a killed process left; without locks nothing is taken for that.
        let _ = begun.file.try_lock();
        remove_leftovers(&begun.path);
        Ok(begun)
    }

    /// What is written to.
    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Waits until the bytes are on the disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Gives the file its name; what had it before is replaced, a link too.
    pub(super) fn put_in_place(mut self) -> io::Result<()> {
        if self.hidden.is_none() {
            let ((), hidden) = named(&self.path, |hidden| link(&self.file, hidden))?;
            self.hidden = Some(hidden);
            // Btrfs passes over what is to be synchronised as long as it has no name.
            self.file.sync_data()?;
        }
        if let Some(hidden) = &self.hidden {
            fs::rename(hidden, &self.path)?;
        }
        self.hidden = None;
        sync_folder(folder_of(&self.path))
    }

    #[cfg(unix)]
    fn take_after_the_one_there(&self) -> io::Result<()> {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Of the file itself: the mode of a link says nothing.
        let Ok(there) = fs::symlink_metadata(&self.path) else { return Ok(()) };
        if !there.is_file() {
            return Ok(());
        }
        self.file.set_permissions(there.permissions())?;
        let own = self.file.metadata()?;
        if (own.uid(), own.gid()) != (there.uid(), there.gid()) {
            // Only some may give files away; the file is then of whoever writes it.
            let _ = fchown(&self.file, Some(there.uid()), Some(there.gid()));
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn take_after_the_one_there(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for HiddenFile {
    fn drop(&mut self) {
        if let Some(hidden) = &self.hidden {
            // What cannot be removed goes when the file is next written.
            let _ = fs::remove_file(hidden);
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

/// Makes something under a hidden name that was free.
fn named<T>(path: &Path, mut make: impl FnMut(&Path) -> io::Result<T>) -> io::Result<(T, PathBuf)> {
    loop {
        let hidden = hidden_name(path);
        match make(&hidden) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|made| (made, hidden)),
        }
    }
}

fn hidden_name(path: &Path) -> PathBuf {
    let whole = path.file_name().unwrap_or_default();
    let mut name = OsString::from(".");
    match whole.to_str() {
        Some(text) => name.push(hidden_part(text)),
        // No text, and not to be cut as one.
        None => {
            let text = whole.to_string_lossy();
            name.push(&text[..text.floor_char_boundary(LONGEST_WHOLE)]);
        }
    }
    name.push(format!(".{}{MARK}", random_letters()));
    path.with_file_name(name)
}

fn random_letters() -> String {
    const LETTERS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    // Every state is another, of what the system has for maps.
    let mut random = RandomState::new().build_hasher().finish();
    let mut letter = || {
        let letter = LETTERS[(random % 36) as usize];
        random /= 36;
        char::from(letter)
    };
    (0..N_RANDOM).map(|_| letter()).collect()
}

/// A file without a name in a folder; `None` where there is no such thing.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<io::Result<File>> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    use rustix::io::Errno;
    // By this it gets its name.
    if !Path::new("/proc/self/fd").exists() {
        return None;
    }
    let flags = OFlags::TMPFILE.bits() as i32;
    match File::options().write(true).custom_flags(flags).open(folder) {
        Err(error)
            if [Errno::OPNOTSUPP, Errno::ISDIR, Errno::INVAL, Errno::NOSYS]
                .iter()
                .any(|errno| error.raw_os_error() == Some(errno.raw_os_error())) =>
        {
            None
        }
        file => Some(file),
    }
}

#[cfg(not(target_os = "linux"))]
fn nameless(_: &Path) -> Option<io::Result<File>> {
    None
}

/// Whether a file is mounted by itself, as containers do with one: the system lets nothing take its place.
#[cfg(target_os = "linux")]
pub(super) fn is_mounted(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    let there = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty());
    // A system too old to tell says no, and refuses in the end.
    there.is_ok_and(|there| there.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_mounted(_: &Path) -> bool {
    false
}

/// Gives a file without a name one.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, linkat};
    let from = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, from, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Waits until a name is on the disk.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder) {
        // A folder may be there to be written to and not to be read.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        folder => folder?.sync_all(),
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn with_a_hidden_name_it_comes_to_its_place_or_goes_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let begin = || {
            let (file, hidden) = named(&path, |hidden| File::create_new(hidden)).unwrap();
            HiddenFile { file, hidden: Some(hidden), path: path.clone() }
        };
        drop(begin());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut file = begin();
        file.file().write_all(b"all").unwrap();
        let hidden = file.hidden.clone().unwrap();
        let hidden = hidden.file_name().unwrap().to_str().unwrap();
        assert!(super::super::leftovers::is_leftover_of("t.csv", hidden), "{hidden}");
        file.sync().unwrap();
        file.put_in_place().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "all");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_mounted_is_told_from_what_lies_on_a_disk() {
        let file = tempfile::NamedTempFile::new().unwrap();
        assert!(is_mounted(Path::new("/proc")) && !is_mounted(Path::new("/proc/self")));
        assert!(!is_mounted(file.path()) && !is_mounted(Path::new("/none")));
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_is_that_of_the_file_before_and_never_that_of_a_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
        fs::write(path("old"), "").unwrap();
        fs::set_permissions(path("old"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink(path("nowhere"), path("link")).unwrap();
        for name in ["old", "link", "new"] {
            HiddenFile::create(&path(name)).unwrap().put_in_place().unwrap();
        }
        assert_eq!(mode("old"), 0o640);
        assert_eq!(mode("link"), mode("new"));
        assert_eq!(mode("new") & 0o111, 0);
    }
}
