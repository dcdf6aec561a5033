//! Files opened for reading: decompressed as they are read, capped, and counted.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::watched::{Watched, refusal};
use crate::memory::MemoryError;
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
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

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
    /// There is no room for what the file holds.
    #[error("{}: {source}", path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// How much is missing.
        source: MemoryError,
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
    #[error("{}: {reached}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most that was allowed.
        reached: LimitReached,
    },
    /// What was decompressed is compressed again.
    #[error(
        "{}: {} within {}; decompress it once before it is read",
        path.display(),
        inner.name(),
        outer.name()
    )]
    Nested {
        /// The file.
        path: PathBuf,
        /// How the file is compressed.
        outer: Compression,
        /// How what comes out of it is.
        inner: Compression,
    },
}

/// A reader that can go back; what archives need.
pub trait SeekRead: Read + Seek + Send {}
impl<T: Read + Seek + Send> SeekRead for T {}

/// What may come out of a compressed file where the caller sets no limit: 64 GB.
pub const DEFAULT_DECOMPRESSED_BYTES: u64 = 64_000_000_000;
/// What zstd may look back, as a power of two: a file asks for it before anything comes out. Small files
/// have no use for more than the highest of the usual levels takes; large ones may take as much as the tool `zstd`
/// allows.
const SMALL_WINDOW: u32 = 24;
const LARGE_WINDOW: u32 = 27;
const LARGE_FILE: u64 = 1 << 21;
/// How much is looked at to tell what a file is.
const PEEK: u64 = 4096;

/// An open file whose bytes come out decompressed.
///
/// Every byte read from the file (before decompression) is reported to the progress given as an
/// advance, and every byte after decompression as content.
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
    /// file ([`DEFAULT_DECOMPRESSED_BYTES`] if `None`).
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

        let limit = limit.unwrap_or(DEFAULT_DECOMPRESSED_BYTES);
        let mut raw = Counted { inner: file, progress };
        let mut start = Vec::new();
        let read_error = |source| InputError::Read { path: path.to_owned(), source };
        raw.by_ref().take(4).read_to_end(&mut start).map_err(read_error)?;
        let compression = Compression::of(&start);
        let raw = Cursor::new(start).chain(raw);
        let mut stream: Box<dyn Read + Send + 'a> = match compression {
            Compression::None => Box::new(Watched::new(Limited::new(raw, u64::MAX, progress))),
            Compression::Gzip => {
                let decoder = flate2::bufread::MultiGzDecoder::new(buffered(raw));
                Box::new(Watched::new(Limited::new(decoder, limit, progress)))
            }
            Compression::Zstd => {
                let decoder = zstd::stream::read::Decoder::with_buffer(buffered(raw));
                let mut decoder = decoder.map_err(read_error)?;
                let is_small = is_file && metadata.len() < LARGE_FILE;
                let window = if is_small { SMALL_WINDOW } else { LARGE_WINDOW };
                decoder.window_log_max(window).map_err(read_error)?;
                Box::new(Watched::new(Limited::new(decoder, limit, progress)))
            }
        };
        let mut peeked = Vec::new();
        stream
            .by_ref()
            .take(PEEK)
            .read_to_end(&mut peeked)
            .map_err(|source| input_error(path, compression, source))?;
        let inner = Compression::of(&peeked);
        if compression != Compression::None && inner != Compression::None {
            return Err(InputError::Nested { path: path.to_owned(), outer: compression, inner });
        }
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
    if let Some(refusal) = refusal(&source) {
        return InputError::Memory { path, source: refusal.clone() };
    }
    let limit = source.get_ref().and_then(|inner| inner.downcast_ref::<LimitReached>());
    match (limit, compression) {
        (Some(&reached), _) => InputError::TooLarge { path, reached },
        (None, Compression::None) => InputError::Read { path, source },
        // The decompressor had no room, which says nothing of the file.
        (None, _) if source.kind() == io::ErrorKind::OutOfMemory => {
            InputError::Read { path, source }
        }
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

/// A reader that fails once more than `limit` bytes have come out of it, and reports them all.
pub(super) struct Limited<'a, R> {
    inner: R,
    limit: u64,
    left: u64,
    progress: &'a dyn Progress,
}

impl<'a, R> Limited<'a, R> {
    pub(super) fn new(inner: R, limit: u64, progress: &'a dyn Progress) -> Self {
        Self { inner, limit, left: limit, progress }
    }
}

/// More came out of a compressed file than was allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "decompresses to more than {limit} bytes; if it is to be trusted, allow more megabytes by \
     --max-decompressed"
)]
pub struct LimitReached {
    /// The most that was allowed.
    pub limit: u64,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.left = self
            .left
            .checked_sub(n as u64)
            .ok_or_else(|| io::Error::other(LimitReached { limit: self.limit }))?;
        self.progress.content(n as u64);
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
    fn a_small_zstd_file_cannot_ask_for_a_large_window() {
        // A frame of one empty block that wants to look back 2²⁷ bytes.
        let error = read_file(&[0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3, 1, 0, 0], None).unwrap_err();
        assert!(error.starts_with("FILE: cannot be decompressed: "), "{error}");
        assert_eq!(read_file(&[0x28, 0xb5, 0x2f, 0xfd, 0, 14 << 3, 1, 0, 0], None).unwrap(), b"");
    }

    #[test]
    fn an_empty_file_is_no_error() {
        assert_eq!(read_file(b"", None).unwrap(), b"");
    }

    #[test]
    fn more_than_the_limit_is_refused() {
        let text = vec![b'7'; 100_000];
        let error = read_file(&gzip(&text), Some(99_999)).unwrap_err();
        let expected = "FILE: decompresses to more than 99999 bytes; if it is to be trusted, \
                        allow more megabytes by --max-decompressed";
        assert_eq!(error, expected);
        assert!(read_file(&gzip(&text), Some(100_000)).is_ok());
    }

    #[test]
    fn compression_within_compression_is_told_and_not_read_as_text() {
        let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
        for (bytes, expected) in [
            (gzip(&gzip(b"0 1\n")), "gzip within gzip"),
            (gzip(&zstd(b"0 1\n")), "zstd within gzip"),
            (zstd(&gzip(b"0 1\n")), "gzip within zstd"),
        ] {
            let error = read_file(&bytes, None).unwrap_err();
            assert_eq!(error, format!("FILE: {expected}; decompress it once before it is read"));
        }
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
