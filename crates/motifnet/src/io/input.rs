//! Files opened for reading: decompressed as they are read, capped, and counted.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::watched::Watched;
use crate::progress::Progress;

/// How a file is compressed as a whole, found from its first bytes and never from its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip, of one or several members.
    Gzip,
    /// Zstandard, of one or several frames.
    Zstd,
}

impl Compression {
    fn of(first_bytes: &[u8]) -> Self {
        match first_bytes {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Self::Zstd,
            _ => Self::None,
        }
    }
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The file could not be opened.
    #[error("{}: cannot be opened: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Reading stopped half-way.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The compressed data is damaged or cut short.
    #[error(
        "{}: cannot be decompressed: {source}; the file may be cut short or damaged",
        path.display()
    )]
    Decompress {
        /// The file.
        path: PathBuf,
        /// What the decompressor said.
        source: io::Error,
    },
    /// The file holds more than the caller allows.
    #[error(
        "{}: decompresses to more than {limit} bytes; allow more if the file is to be trusted",
        path.display()
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most that was allowed.
        limit: u64,
    },
}

/// A reader that can go back; what archives need.
pub trait SeekRead: Read + Seek + Send {}
impl<T: Read + Seek + Send> SeekRead for T {}

/// What may come out of a compressed file where the caller sets no limit: 64 GiB.
const DEFAULT_LIMIT: u64 = 64 << 30;
/// How much is looked at to tell what a file is.
const PEEK: u64 = 4096;

/// An open file whose bytes come out decompressed.
///
/// Every byte read from the file (before decompression) is reported to the progress given.
pub struct Input<'a> {
    path: PathBuf,
    compression: Compression,
    n_bytes: Option<u64>,
    limit: u64,
    peeked: Vec<u8>,
    stream: Box<dyn Read + Send + 'a>,
    /// The file itself, where one can go back in it and its bytes need no decompression.
    plain_file: Option<File>,
    progress: &'a dyn Progress,
}

impl<'a> Input<'a> {
    /// Opens `path`, which may be a file or a pipe. `limit` bounds what comes out of a compressed
    /// file (64 GiB if `None`).
    ///
    /// # Errors
    /// If the file cannot be opened or its first bytes cannot be read or decompressed.
    pub fn open(
        path: &Path,
        limit: Option<u64>,
        progress: &'a dyn Progress,
    ) -> Result<Self, InputError> {
        let open_error = |source| InputError::Open { path: path.to_owned(), source };
        let file = File::open(path).map_err(open_error)?;
        let metadata = file.metadata().map_err(open_error)?;
        if metadata.is_dir() {
            return Err(open_error(io::ErrorKind::IsADirectory.into()));
        }
        let is_file = metadata.is_file();
        let spare = if is_file { Some(file.try_clone().map_err(open_error)?) } else { None };

        let limit = limit.unwrap_or(DEFAULT_LIMIT);
        let mut raw = Counted { inner: file, progress };
        let mut start = Vec::new();
        let read_error = |source| InputError::Read { path: path.to_owned(), source };
        raw.by_ref().take(4).read_to_end(&mut start).map_err(read_error)?;
        let compression = Compression::of(&start);
        let raw = Cursor::new(start).chain(raw);
        let mut stream: Box<dyn Read + Send + 'a> = match compression {
            Compression::None => Box::new(Watched::new(raw)),
            Compression::Gzip => {
                let decoder = flate2::bufread::MultiGzDecoder::new(buffered(raw));
                Box::new(Watched::new(Limited::new(decoder, limit)))
            }
            Compression::Zstd => {
                let decoder = zstd::stream::read::Decoder::with_buffer(buffered(raw));
                Box::new(Watched::new(Limited::new(decoder.map_err(read_error)?, limit)))
            }
        };
        let mut peeked = Vec::new();
        stream
            .by_ref()
            .take(PEEK)
            .read_to_end(&mut peeked)
            .map_err(|source| input_error(path, compression, source))?;
        Ok(Self {
            path: path.to_owned(),
            compression,
            n_bytes: is_file.then_some(metadata.len()),
            limit,
            peeked,
            stream,
            plain_file: spare.filter(|_| compression == Compression::None),
            progress,
        })
    }

    /// The file's path, as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How the file is compressed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// Size of the file as it lies on the disk; `None` for a pipe.
    pub fn n_bytes(&self) -> Option<u64> {
        self.n_bytes
    }

    /// The first bytes after decompression (up to 4096), for telling what the file is.
    pub fn peek(&self) -> &[u8] {
        &self.peeked
    }

    /// Where what is read is reported.
    pub fn progress(&self) -> &'a dyn Progress {
        self.progress
    }

    /// The most bytes that may come out of this file by decompression.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// All bytes from the first, decompressed.
    pub fn into_reader(self) -> InputReader<'a> {
        InputReader {
            path: self.path,
            compression: self.compression,
            stream: Box::new(Cursor::new(self.peeked).chain(self.stream)),
        }
    }

    /// All bytes, decompressed, with the means to go back. A compressed file and a pipe are read
    /// into memory for it.
    ///
    /// # Errors
    /// If reading or decompressing fails.
    pub fn into_seekable(mut self) -> Result<Box<dyn SeekRead + 'a>, InputError> {
        let path = self.path.clone();
        match self.plain_file.take() {
            Some(mut file) => {
                file.seek(SeekFrom::Start(0))
                    .map_err(|source| InputError::Read { path, source })?;
                Ok(Box::new(BufReader::new(Counted { inner: file, progress: self.progress })))
            }
            None => {
                let mut bytes = Vec::new();
                let mut reader = self.into_reader();
                reader.read_to_end(&mut bytes).map_err(|source| reader.error(source))?;
                Ok(Box::new(Cursor::new(bytes)))
            }
        }
    }

    /// The file itself, from its start, if it is a plain file that needs no decompression.
    pub fn into_plain_file(self) -> Option<File> {
        let mut file = self.plain_file?;
        file.seek(SeekFrom::Start(0)).ok()?;
        Some(file)
    }
}

/// The decompressed bytes of an [`Input`].
pub struct InputReader<'a> {
    path: PathBuf,
    compression: Compression,
    stream: Box<dyn Read + Send + 'a>,
}

impl InputReader<'_> {
    /// What an error that this reader returned means.
    pub fn error(&self, source: io::Error) -> InputError {
        input_error(&self.path, self.compression, source)
    }
}

impl Read for InputReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream.read(buffer)
    }
}

fn input_error(path: &Path, compression: Compression, source: io::Error) -> InputError {
    let path = path.to_owned();
    let limit = source.get_ref().and_then(|inner| inner.downcast_ref::<LimitReached>());
    match (limit, compression) {
        (Some(&LimitReached { limit }), _) => InputError::TooLarge { path, limit },
        (None, Compression::None) => InputError::Read { path, source },
        (None, _) => InputError::Decompress { path, source },
    }
}

fn buffered<R: Read>(reader: R) -> BufReader<R> {
    BufReader::with_capacity(1 << 17, reader)
}

/// Reports every byte that passes.
struct Counted<'a, R> {
    inner: R,
    progress: &'a dyn Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.progress.advance(n as u64);
        Ok(n)
    }
}

impl<R: Seek> Seek for Counted<'_, R> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.inner.seek(position)
    }
}

/// A reader that fails once more than `limit` bytes have come out of it.
pub(super) struct Limited<R> {
    inner: R,
    limit: u64,
    left: u64,
}

impl<R> Limited<R> {
    pub(super) fn new(inner: R, limit: u64) -> Self {
        Self { inner, limit, left: limit }
    }
}

/// What a [`Limited`] reader puts in its error.
#[derive(Debug, thiserror::Error)]
#[error("more than {limit} bytes")]
pub(super) struct LimitReached {
    pub(super) limit: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.left = self
            .left
            .checked_sub(n as u64)
            .ok_or_else(|| io::Error::other(LimitReached { limit: self.limit }))?;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::progress::Silent;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn read_file(bytes: &[u8], limit: Option<u64>) -> Result<Vec<u8>, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let name = file.path().display().to_string();
        let relative = |error: InputError| error.to_string().replace(&name, "FILE");
        let input = Input::open(file.path(), limit, &Silent).map_err(relative)?;
        let mut reader = input.into_reader();
        let mut out = Vec::new();
        reader.read_to_end(&mut out).map_err(|source| relative(reader.error(source)))?;
        Ok(out)
    }

    #[test]
    fn compression_is_found_from_the_bytes() {
        let text = b"0 1\n".repeat(3000);
        assert_eq!(read_file(&text, None).unwrap(), text);
        assert_eq!(read_file(&gzip(&text), None).unwrap(), text);
        assert_eq!(read_file(&zstd::encode_all(&text[..], 1).unwrap(), None).unwrap(), text);
    }

    #[test]
    fn gzip_members_and_zstd_frames_follow_one_another() {
        let gzip = [gzip(b"0 1\n"), gzip(b"1 2\n")].concat();
        assert_eq!(read_file(&gzip, None).unwrap(), b"0 1\n1 2\n");
        let frame = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
        let zstd = [frame(b"0 1\n"), frame(b"1 2\n")].concat();
        assert_eq!(read_file(&zstd, None).unwrap(), b"0 1\n1 2\n");
    }

    #[test]
    fn an_empty_file_is_no_error() {
        assert_eq!(read_file(b"", None).unwrap(), b"");
    }

    #[test]
    fn more_than_the_limit_is_refused() {
        let text = vec![b'7'; 100_000];
        let error = read_file(&gzip(&text), Some(99_999)).unwrap_err();
        let expected =
            "FILE: decompresses to more than 99999 bytes; allow more if the file is to be trusted";
        assert_eq!(error, expected);
        assert!(read_file(&gzip(&text), Some(100_000)).is_ok());
    }

    #[test]
    fn a_cut_gzip_file_says_so() {
        let text: Vec<u8> = (0..20_000u32).flat_map(|i| i.to_string().into_bytes()).collect();
        let whole = gzip(&text);
        let error = read_file(&whole[..whole.len() / 2], None).unwrap_err();
        assert!(error.starts_with("FILE: cannot be decompressed: "), "{error}");
        assert!(error.ends_with("; the file may be cut short or damaged"), "{error}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Input::open(Path::new("no/such.tsv"), None, &Silent).err().unwrap();
        let expected = "no/such.tsv: cannot be opened: No such file or directory (os error 2)";
        assert_eq!(error.to_string(), expected);
    }
}
