//! Descriptors of a process by their names: `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/3`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The descriptor that `path` is, or leads to by its links. What the system shows behind it, a file say, is what
/// somebody opened, and nothing that a user named: it is not to be replaced.
#[cfg(unix)]
pub(super) fn descriptor_at(path: &Path) -> Option<PathBuf> {
    use super::links::MOST_LINKS;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let name = path.file_name()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        let of_process = folder.starts_with("/proc") && folder.ends_with("fd");
        if of_process || folder == Path::new("/dev/fd") {
            return Some(folder.join(name));
        }
        path = folder.join(path.read_link().ok()?);
    }
    None
}

#[cfg(not(unix))]
pub(super) fn descriptor_at(_: &Path) -> Option<PathBuf> {
    None
}

/// Opens a descriptor to write after what is there. One of this process is shared, so that whoever has it goes on
/// after what was written; another is opened anew, to append.
pub(super) fn open_descriptor(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if let Some(file) = own_descriptor(path) {
        return Ok(file);
    }
    File::options().append(true).open(path)
}

/// A descriptor of this process that can be written to, once more.
#[cfg(unix)]
fn own_descriptor(path: &Path) -> Option<File> {
    use std::os::fd::AsFd;

    use rustix::fs::{OFlags, fcntl_getfl};
    let number: i32 = path.file_name()?.to_str()?.parse().ok()?;
    let own = format!("/proc/{}", std::process::id());
    if !path.starts_with(own) && !path.starts_with("/dev/fd") {
        return None;
    }
    let descriptor = match number {
        1 => io::stdout().as_fd().try_clone_to_owned().ok()?,
        2 => io::stderr().as_fd().try_clone_to_owned().ok()?,
        _ => by_number(number)?,
    };
    let is_written = fcntl_getfl(&descriptor).ok()?.intersects(OFlags::WRONLY | OFlags::RDWR);
    is_written.then(|| descriptor.into())
}

/// A number says nothing of who owns what is behind it, so only the system can be asked, as of another process.
#[cfg(target_os = "linux")]
fn by_number(number: i32) -> Option<std::os::fd::OwnedFd> {
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    let own = pidfd_open(getpid(), PidfdFlags::empty()).ok()?;
    pidfd_getfd(own, number, PidfdGetfdFlags::empty()).ok()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn by_number(_: i32) -> Option<std::os::fd::OwnedFd> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn descriptors_are_found_by_every_name_and_through_links_and_files_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let own = |number: i32| PathBuf::from(format!("/proc/{}/fd/{number}", std::process::id()));
        symlink("/dev/stdout", path("first")).unwrap();
        symlink("first", path("second")).unwrap();
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/self/../self/fd/1"] {
            assert_eq!(descriptor_at(Path::new(name)), Some(own(1)), "{name}");
        }
        assert_eq!(descriptor_at(&path("second")), Some(own(1)));
        assert_eq!(descriptor_at(Path::new("/dev/stderr")), Some(own(2)));
        fs::create_dir(path("fd")).unwrap();
        fs::write(path("fd/1"), "").unwrap();
        symlink("fd/1", path("to-file")).unwrap();
        symlink("round", path("round")).unwrap();
        for name in ["fd/1", "fd/2", "to-file", "round", "none"] {
            assert_eq!(descriptor_at(&path(name)), None, "{name}");
        }
        for name in ["/dev/null", "/", "", "..", "/proc/self/cwd/x", "fd"] {
            assert_eq!(descriptor_at(Path::new(name)), None, "{name}");
        }
    }

    #[test]
    fn what_is_written_to_a_descriptor_comes_after_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        let mut notes = File::options().create(true).append(true).open(&path).unwrap();
        notes.write_all(b"header ").unwrap();
        let name = PathBuf::from(format!("/dev/fd/{}", notes.as_raw_fd()));
        let mut opened = open_descriptor(&descriptor_at(&name).unwrap()).unwrap();
        opened.write_all(b"rows ").unwrap();
        drop(opened);
        notes.write_all(b"footer").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "header rows footer");
        // What was opened to be read is no reason to lose what is in it.
        let read = File::open(&path).unwrap();
        let name = PathBuf::from(format!("/dev/fd/{}", read.as_raw_fd()));
        let mut opened = open_descriptor(&descriptor_at(&name).unwrap()).unwrap();
        opened.write_all(b", and more").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "header rows footer, and more");
    }
}
