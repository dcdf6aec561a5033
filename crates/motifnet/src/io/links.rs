//! Links that nothing is to be written through.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::WriteError;

/// As many links as the system itself follows one after the other.
pub(super) const MOST_LINKS: usize = 40;

/// Refuses a symbolic link: what is written there would land elsewhere.
///
/// # Errors
/// If there is a link at `path`.
pub(super) fn refuse_link(path: &Path) -> Result<(), WriteError> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => Err(WriteError::IsLink(path.to_owned())),
        _ => Ok(()),
    }
}

/// Opens a file whose name is ours, for reading and writing; it is made if it is not there. What is opened is
/// looked at, and not what was there a moment before.
///
/// # Errors
/// If there is a link, or what is no file, or the system refuses.
pub(crate) fn open_own(path: &Path) -> Result<File, WriteError> {
    let mut options = File::options();
    options.create(true).truncate(false).read(true).write(true);
    let file = open_as_it_is(&mut options, path).map_err(|source| match refuse_link(path) {
        Err(is_link) => is_link,
        Ok(()) => WriteError::io(path, source),
    })?;
    match file.metadata() {
        Ok(there) if there.is_file() => Ok(file),
        Ok(_) => Err(WriteError::IsNoFile(path.to_owned())),
        Err(source) => Err(WriteError::io(path, source)),
    }
}

/// Opens what is at `path` itself: no link is followed, and no pipe waited for.
#[cfg(unix)]
pub(super) fn open_as_it_is(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(flags.bits() as i32).open(path)
}

/// Elsewhere nothing opens what a link is without following it, so a moment is left in between.
#[cfg(not(unix))]
pub(super) fn open_as_it_is(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => Err(io::Error::other("it is a link")),
        _ => options.open(path),
    }
}

/// Whether `file` is the one at `path`, and not one that was there before.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |there: fs::Metadata| (there.dev(), there.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(one), Ok(other)) => identity(one) == identity(other),
        _ => false,
    }
}

/// Elsewhere a file that is open keeps its name until it is closed.
#[cfg(not(unix))]
pub(super) fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Where links lead to in the end, be something there or not.
pub(super) fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead to each other"))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_is_ours_is_no_link_and_no_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("secret"), "mine").unwrap();
        symlink(path("secret"), path("link")).unwrap();
        symlink(path("nowhere"), path("dangling")).unwrap();
        for name in ["link", "dangling"] {
            assert!(matches!(open_own(&path(name)), Err(WriteError::IsLink(_))), "{name}");
        }
        assert!(!path("nowhere").exists());
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, path("pipe"), rustix::fs::FileType::Fifo, mode, 0)
            .unwrap();
        let said = open_own(&path("pipe")).unwrap_err().to_string();
        assert!(said.ends_with("pipe is no file; remove it"), "{said}");
        open_own(&path("new")).unwrap();
    }

    #[test]
    fn links_are_followed_to_their_end_and_not_round_and_round() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("inner")).unwrap();
        symlink("inner/b", path("a")).unwrap();
        symlink("../c", path("inner/b")).unwrap();
        assert_eq!(end_of_links(&path("a")).unwrap(), path("inner/../c"));
        symlink("round", path("round")).unwrap();
        assert!(end_of_links(&path("round")).is_err());
    }
}
