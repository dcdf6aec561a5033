//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;
use flate2::Compression as GzipLevel;
use flate2::write::GzEncoder;

use super::{WriteError, remove_leftovers};

/// Bytes gathered before they go to the system.
const BUFFER: usize = 1 << 18;
/// Fast, as gzip is too: files are mostly written to be read again soon.
const ZSTD_LEVEL: i32 = 3;

/// A file that appears under its name when it is complete and committed, and not before: dropped
/// without [`WholeFile::commit`], or after a failed write, it leaves no trace, and a file of that
/// name stays as it was. That holds even if the process is killed: what it was writing has no name, or
/// a hidden one (`.NAME.` and six letters), which goes when the file is next written.
///
/// Pipes and devices (`/dev/stdout`) are written as they come; symbolic links are followed.
///
/// ```
/// use std::io::Write;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("notes.txt.gz");
/// let mut file = motifnet::io::WholeFile::create(&path)?;
/// file.write_all(b"compressed, for the name ends in .gz")?;
/// file.commit()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    sink: Sink,
    /// Where the next byte goes; after a failure, where it would go.
    position: u64,
    /// Set by the first failed write: what comes after is dropped, and commit refuses.
    failed: bool,
}

enum Sink {
    Plain(BufWriter<Target>),
    Gzip(GzEncoder<BufWriter<Target>>),
    Zstd(zstd::Encoder<'static, BufWriter<Target>>),
}

#[derive(Debug)]
enum Target {
    /// Boxed, since it is much larger than the other.
    Atomic(Box<AtomicWriteFile>),
    Direct(File),
}

impl WholeFile {
    /// Begins a file; it is compressed if the name ends in `.gz` or `.zst`.
    ///
    /// # Errors
    /// If the folder does not exist or may not be written to, or `path` is a folder or read-only.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let buffer = Self::open(path)?;
        let sink = match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("gz") => Sink::Gzip(GzEncoder::new(buffer, GzipLevel::fast())),
            Some("zst") => {
                let encoder = zstd::Encoder::new(buffer, ZSTD_LEVEL);
                Sink::Zstd(encoder.map_err(|source| WriteError::io(path, source))?)
            }
            _ => Sink::Plain(buffer),
        };
        Ok(Self { path: path.to_owned(), sink, position: 0, failed: false })
    }

    /// Begins a file that is written as it is, whatever its name.
    ///
    /// # Errors
    /// As [`WholeFile::create`].
    pub fn create_plain(path: &Path) -> Result<Self, WriteError> {
        let sink = Sink::Plain(Self::open(path)?);
        Ok(Self { path: path.to_owned(), sink, position: 0, failed: false })
    }

    fn open(path: &Path) -> Result<BufWriter<Target>, WriteError> {
        let target = Target::open(path)?;
        Ok(BufWriter::with_capacity(BUFFER, target))
    }

    /// The name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Completes the file and puts it in its place.
    ///
    /// # Errors
    /// If a write failed, now or before; nothing has changed then.
    pub fn commit(self) -> Result<(), WriteError> {
        let Self { path, sink, failed, .. } = self;
        if failed {
            let reason = io::Error::other("an earlier write to this file failed");
            return Err(WriteError::io(&path, reason));
        }
        let finished = match sink {
            Sink::Plain(buffer) => Ok(buffer),
            Sink::Gzip(encoder) => encoder.finish(),
            Sink::Zstd(encoder) => encoder.finish(),
        };
        finished
            .and_then(|buffer| buffer.into_inner().map_err(io::IntoInnerError::into_error))
            .and_then(Target::commit)
            .map_err(|source| {
                // It may have failed between its hidden name and its own.
                remove_leftovers(&path);
                WriteError::io(&path, source)
            })
    }

    /// Notes a failure; later writes seem to succeed, so that encoders can be dropped in peace.
    fn watch<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        let retry = |error: &io::Error| error.kind() == io::ErrorKind::Interrupted;
        self.failed |= result.as_ref().is_err_and(|error| !retry(error));
        result
    }
}

impl Target {
    fn open(path: &Path) -> Result<Self, WriteError> {
        let opened = match fs::metadata(path) {
            Ok(there) if there.is_dir() => return Err(WriteError::IsFolder(path.to_owned())),
            Ok(there) if !there.is_file() => {
                File::options().write(true).open(path).map(Self::Direct)
            }
            Ok(there) if there.permissions().readonly() => {
                return Err(WriteError::ReadOnly(path.to_owned()));
            }
            Ok(_) => path.canonicalize().and_then(|path| Self::atomic(&path)),
            Err(_) => Self::atomic(path),
        };
        opened.map_err(|source| match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.exists() => {
                WriteError::FolderMissing { path: path.to_owned(), folder: folder.to_owned() }
            }
            _ => WriteError::io(path, source),
        })
    }

    fn atomic(path: &Path) -> io::Result<Self> {
        let file = AtomicWriteFile::open(path)?;
        // Tells it from what a killed process left; without locks nothing is taken for that.
        let _ = file.as_file().try_lock();
        remove_leftovers(path);
        Ok(Self::Atomic(Box::new(file)))
    }

    fn commit(self) -> io::Result<()> {
        match self {
            Self::Atomic(file) => file.commit(),
            Self::Direct(mut file) => file.flush(),
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = match &mut self.sink {
            _ if self.failed => Ok(bytes.len()),
            Sink::Plain(sink) => sink.write(bytes),
            Sink::Gzip(sink) => sink.write(bytes),
            Sink::Zstd(sink) => sink.write(bytes),
        };
        let n_written = self.watch(result)?;
        self.position += n_written as u64;
        Ok(n_written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failed {
            return Ok(());
        }
        let result = match &mut self.sink {
            Sink::Plain(sink) => sink.flush(),
            Sink::Gzip(sink) => sink.flush(),
            Sink::Zstd(sink) => sink.flush(),
        };
        self.watch(result)
    }
}

/// Only a file that is not compressed can be moved about in.
impl Seek for WholeFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        let pretended = match position {
            SeekFrom::Start(position) => position,
            SeekFrom::Current(by) | SeekFrom::End(by) => self.position.saturating_add_signed(by),
        };
        let result = match &mut self.sink {
            // A zip archive that is dropped looks where it is, and would print what it does not like.
            _ if self.failed => Ok(pretended),
            Sink::Plain(sink) => sink.seek(position),
            _ => Err(io::ErrorKind::NotSeekable.into()),
        };
        self.position = self.watch(result)?;
        Ok(self.position)
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Atomic(file) => file.write(bytes),
            Self::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Atomic(file) => file.flush(),
            Self::Direct(file) => file.flush(),
        }
    }
}

impl Seek for Target {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match self {
            Self::Atomic(file) => file.seek(position),
            Self::Direct(file) => file.seek(position),
        }
    }
}

impl std::fmt::Debug for Sink {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Plain(_) => "Plain",
            Self::Gzip(_) => "Gzip",
            Self::Zstd(_) => "Zstd",
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn files_in(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| name(entry).into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_appears_when_committed_compressed_by_its_ending() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["plain.txt", "packed.txt.gz", "packed.txt.ZST"] {
            let path = folder.path().join(name);
            let mut file = WholeFile::create(&path).unwrap();
            file.write_all(b"hello").unwrap();
            assert!(!path.exists());
            file.commit().unwrap();
            let bytes = fs::read(&path).unwrap();
            let mut text = String::new();
            match name {
                "plain.txt" => bytes.as_slice().read_to_string(&mut text),
                "packed.txt.gz" => {
                    flate2::read::GzDecoder::new(bytes.as_slice()).read_to_string(&mut text)
                }
                _ => zstd::Decoder::new(bytes.as_slice()).unwrap().read_to_string(&mut text),
            }
            .unwrap();
            assert_eq!(text, "hello");
        }
        assert_eq!(files_in(folder.path()).len(), 3);
    }

    #[test]
    fn what_is_not_committed_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.txt");
        fs::write(&path, "old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(&vec![b'n'; 3 * BUFFER]).unwrap();
        file.flush().unwrap();
        drop(file);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(files_in(folder.path()), ["old.txt"]);
    }

    #[test]
    fn what_a_killed_process_left_goes_when_the_file_is_next_written() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".t.csv.a1B2c3"), "half of").unwrap();
        let path = folder.path().join("t.csv");
        // The file that is being written is none of the other's leftovers.
        let files = [0, 1].map(|_| WholeFile::create(&path).unwrap());
        assert!(!files_in(folder.path()).contains(&".t.csv.a1B2c3".to_owned()));
        files.into_iter().for_each(|file| file.commit().unwrap());
        assert_eq!(files_in(folder.path()), ["t.csv"]);
    }

    #[test]
    fn errors_name_the_file_and_what_would_help() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no/such/file.txt");
        let message = WholeFile::create(&missing).unwrap_err().to_string();
        assert!(message.contains("no/such/file.txt: the folder"), "{message}");
        assert!(message.ends_with("no/such does not exist; create it first"), "{message}");
        let message = WholeFile::create(folder.path()).unwrap_err().to_string();
        assert!(message.ends_with("is a folder; name a file in it"), "{message}");
        assert!(WholeFile::create(Path::new("")).is_err());
        assert!(WholeFile::create(Path::new("/")).is_err());
        assert!(WholeFile::create(&folder.path().join("x\0y")).is_err());
        let locked = folder.path().join("locked.txt");
        fs::write(&locked, "").unwrap();
        let mut permissions = fs::metadata(&locked).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&locked, permissions).unwrap();
        assert!(matches!(WholeFile::create(&locked), Err(WriteError::ReadOnly(_))));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_and_cannot_be_committed() {
        let mut file = WholeFile::create(Path::new("/dev/full")).unwrap();
        assert!(file.write_all(&vec![0; 2 * BUFFER]).is_err());
        assert!(file.write_all(b"after the failure").is_ok());
        assert!(file.commit().is_err());
        let mut file = WholeFile::create(Path::new("/dev/full")).unwrap();
        file.write_all(b"little").unwrap();
        let message = file.commit().unwrap_err().to_string();
        assert!(message.starts_with("/dev/full: cannot write: "), "{message}");
        assert!(message.ends_with("; free some space or choose another disk"), "{message}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn after_a_failure_positions_go_on_as_if_there_was_none() {
        let mut file = WholeFile::create(Path::new("/dev/full")).unwrap();
        file.write_all(b"fits the buffer").unwrap();
        assert!(file.write_all(&vec![0; 2 * BUFFER]).is_err());
        let position = file.stream_position().unwrap();
        assert_eq!(position, 15);
        file.write_all(b"more").unwrap();
        assert_eq!(file.stream_position().unwrap(), position + 4);
        assert_eq!(file.seek(SeekFrom::Start(3)).unwrap(), 3);
        assert!(file.commit().is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let mut file = WholeFile::create(&link).unwrap();
        file.write_all(b"new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
