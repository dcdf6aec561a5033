//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Compression as GzipLevel;
use flate2::write::GzEncoder;

use super::descriptor::{descriptor_at, open_descriptor};
use super::hidden_file::{HiddenFile, is_mounted};
use super::links::end_of_links;
use super::{Place, WriteError};

/// Bytes gathered before they go to the system.
const BUFFER: usize = 1 << 18;
/// Fast, as gzip is too: files are mostly written to be read again soon.
const ZSTD_LEVEL: i32 = 3;

/// A file that appears under its name when it is complete and committed, and not before: dropped
/// without [`WholeFile::commit`], or after a failed write, it leaves no trace, and a file of that
/// name stays as it was. That holds even if the process is killed: what it was writing has no name, or
/// a hidden one (`.NAME.`, six letters and `.motifnet-new`; of a long NAME the beginning), which goes when the file is
/// next written.
///
/// Pipes, devices and descriptors (`/dev/stdout`, `/dev/fd/3`) that a user named are written as they come, a
/// descriptor after what its file holds, and links are followed; where the name is ours ([`Place::within`]) they are
/// refused.
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
    Hidden(HiddenFile),
    Direct(File),
    /// What others write to as well, one after the other.
    Shared(File),
}

/// A file that is complete and on the disk, and only lacks its name: of several that belong together none
/// appears before all have come so far.
#[derive(Debug)]
pub struct FinishedFile {
    path: PathBuf,
    target: Target,
}

impl WholeFile {
    /// Begins a file; it is compressed if the name ends in `.gz` or `.zst`.
    ///
    /// # Errors
    /// If the folder does not exist or may not be written to, or there is a folder, what is read-only or what is
    /// mounted; if the name is ours, also if there is a link or anything else that is no file.
    pub fn create(place: impl Into<Place>) -> Result<Self, WriteError> {
        let place = place.into();
        let path = place.path();
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let buffer = Self::open(&place)?;
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
    pub fn create_plain(place: impl Into<Place>) -> Result<Self, WriteError> {
        let place = place.into();
        let sink = Sink::Plain(Self::open(&place)?);
        Ok(Self { path: place.path().to_owned(), sink, position: 0, failed: false })
    }

    fn open(place: &Place) -> Result<BufWriter<Target>, WriteError> {
        let target = Target::open(place)?;
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
        self.finish()?.commit()
    }

    /// Completes the file, which still lacks its name.
    ///
    /// # Errors
    /// If a write failed, now or before; nothing has changed then.
    pub fn finish(self) -> Result<FinishedFile, WriteError> {
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
        let target = finished
            .and_then(|buffer| buffer.into_inner().map_err(io::IntoInnerError::into_error))
            .and_then(Target::finish);
        match target {
            Ok(target) => Ok(FinishedFile { path, target }),
            Err(source) => Err(WriteError::io(&path, source)),
        }
    }

    /// Puts files in their places when all of them are complete.
    ///
    /// # Errors
    /// If a write failed; nothing has changed then, unless a name was refused that could be had when the file
    /// was begun.
    pub fn commit_all(files: impl IntoIterator<Item = Self>) -> Result<(), WriteError> {
        let finished = files.into_iter().map(Self::finish).collect::<Result<Vec<_>, _>>()?;
        finished.into_iter().try_for_each(FinishedFile::commit)
    }

    /// Notes a failure; later writes seem to succeed, so that encoders can be dropped in peace.
    fn watch<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        let retry = |error: &io::Error| error.kind() == io::ErrorKind::Interrupted;
        self.failed |= result.as_ref().is_err_and(|error| !retry(error));
        result
    }
}

impl FinishedFile {
    /// Puts the file in its place.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn commit(self) -> Result<(), WriteError> {
        let Self { path, target } = self;
        target.commit().map_err(|source| WriteError::io(&path, source))
    }
}

impl Target {
    fn open(place: &Place) -> Result<Self, WriteError> {
        place.check()?;
        let path = place.path();
        if !place.is_ours()
            && let Some(descriptor) = descriptor_at(path)
        {
            let opened = open_descriptor(&descriptor).map(Self::Shared);
            return opened.map_err(|source| WriteError::io(path, source));
        }
        let there = match place.is_ours() {
            true => fs::symlink_metadata(path),
            false => fs::metadata(path),
        };
        let end = match &there {
            _ if place.is_ours() => Ok(path.to_owned()),
            Ok(there) if there.is_file() => path.canonicalize(),
            Ok(_) => Ok(path.to_owned()),
            // A link to what is still to come is filled at its end.
            Err(_) => end_of_links(path),
        };
        let end = end.map_err(|source| WriteError::io(path, source))?;
        let opened = match there {
            Ok(there) if there.is_dir() => return Err(WriteError::IsFolder(path.to_owned())),
            Ok(there) if !there.is_file() && place.is_ours() => {
                return Err(WriteError::IsNoFile(path.to_owned()));
            }
            Ok(there) if !there.is_file() => {
                File::options().write(true).open(path).map(Self::Direct)
            }
            Ok(there) if there.permissions().readonly() => {
                return Err(WriteError::ReadOnly(path.to_owned()));
            }
            Ok(_) if is_mounted(&end) => return Err(WriteError::IsMounted(path.to_owned())),
            _ => HiddenFile::create(&end).map(Self::Hidden),
        };
        opened.map_err(|source| match end.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.exists() => {
                WriteError::FolderMissing { path: path.to_owned(), folder: folder.to_owned() }
            }
            _ => WriteError::io(path, source),
        })
    }

    fn finish(mut self) -> io::Result<Self> {
        match &mut self {
            Self::Hidden(file) => file.sync()?,
            Self::Direct(file) | Self::Shared(file) => file.flush()?,
        }
        Ok(self)
    }

    fn commit(self) -> io::Result<()> {
        match self {
            Self::Hidden(file) => file.put_in_place(),
            Self::Direct(_) | Self::Shared(_) => Ok(()),
        }
    }

    fn file(&mut self) -> &mut File {
        match self {
            Self::Hidden(file) => file.file(),
            Self::Direct(file) | Self::Shared(file) => file,
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
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

impl Seek for Target {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match self {
            // Its beginning is not ours, and what is written there may go to its end.
            Self::Shared(_) => Err(io::ErrorKind::NotSeekable.into()),
            _ => self.file().seek(position),
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
mod tests;
