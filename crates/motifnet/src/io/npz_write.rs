//! Writing npz archives: NumPy arrays in a zip file.

use std::io::{self, BufWriter};
use std::path::PathBuf;

use npyz::{AutoSerialize, DType, WriterBuilder};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{FinishedFile, Place, WholeFile, WriteError};

/// Arrays above this size need the larger zip headers.
const LARGE: u64 = u32::MAX as u64;

/// An npz archive in the making: arrays are compressed as they come, and the file appears when it
/// is committed.
pub struct NpzWriter {
    path: PathBuf,
    archive: ZipWriter<WholeFile>,
}

impl NpzWriter {
    /// Begins an archive.
    ///
    /// # Errors
    /// As [`WholeFile::create`].
    pub fn create(place: impl Into<Place>) -> Result<Self, WriteError> {
        let file = WholeFile::create_plain(place)?;
        Ok(Self { path: file.path().to_owned(), archive: ZipWriter::new(file) })
    }

    /// Adds an array of `shape`, row after row. No second copy is made: `values` may be computed
    /// on the way.
    ///
    /// # Errors
    /// If writing fails, or there are more or fewer values than the shape has.
    pub fn array<T: AutoSerialize>(
        &mut self,
        name: &str,
        shape: &[u64],
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), WriteError> {
        let n_bytes = shape.iter().fold(size_of::<T>() as u64, |n, &d| n.saturating_mul(d));
        let outcome = self.start(name, n_bytes).and_then(|()| {
            // The encoder is slow with a few bytes at a time.
            let buffer = BufWriter::with_capacity(1 << 16, &mut self.archive);
            let options = npyz::WriteOptions::new().default_dtype().shape(shape).writer(buffer);
            let mut array = options.begin_nd()?;
            array.extend(values)?;
            array.finish()
        });
        outcome.map_err(|source| WriteError::io(&self.path, source))
    }

    /// Adds a single byte string, as NumPy makes it of `b"…"`.
    ///
    /// # Errors
    /// If writing fails.
    pub fn bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), WriteError> {
        let outcome = self.start(name, bytes.len() as u64).and_then(|()| {
            let text_type = format!("|S{}", bytes.len()).parse().map_err(io::Error::other)?;
            let options = npyz::WriteOptions::<[u8]>::new().dtype(DType::Plain(text_type));
            let mut array = options.shape(&[]).writer(&mut self.archive).begin_nd()?;
            array.push(bytes)?;
            array.finish()
        });
        outcome.map_err(|source| WriteError::io(&self.path, source))
    }

    /// Adds a list of texts, as NumPy makes it of `np.array(["…", …])`.
    ///
    /// # Errors
    /// If writing fails.
    pub fn strings(&mut self, name: &str, texts: &[String]) -> Result<(), WriteError> {
        let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        let n_bytes = 4 * (longest * texts.len()) as u64;
        let outcome = self.start(name, n_bytes).and_then(|()| {
            let text_type = format!("<U{longest}").parse().map_err(io::Error::other)?;
            let buffer = BufWriter::with_capacity(1 << 16, &mut self.archive);
            let options = npyz::WriteOptions::<str>::new().dtype(DType::Plain(text_type));
            let mut array = options.shape(&[texts.len() as u64]).writer(buffer).begin_nd()?;
            texts.iter().try_for_each(|text| array.push(text.as_str()))?;
            array.finish()
        });
        outcome.map_err(|source| WriteError::io(&self.path, source))
    }

    fn start(&mut self, name: &str, n_bytes: u64) -> io::Result<()> {
        // A fixed date, so that equal arrays make equal files.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(1))
            .last_modified_time(zip::DateTime::default())
            .large_file(n_bytes.saturating_add(1 << 16) > LARGE);
        Ok(self.archive.start_file(format!("{name}.npy"), options)?)
    }

    /// Completes the archive and puts it in its place.
    ///
    /// # Errors
    /// If a write failed, now or before.
    pub fn commit(self) -> Result<(), WriteError> {
        self.finish()?.commit()
    }

    /// Completes the archive, which still lacks its name.
    ///
    /// # Errors
    /// If a write failed, now or before.
    pub fn finish(self) -> Result<FinishedFile, WriteError> {
        let file = self.archive.finish().map_err(|source| WriteError::io(&self.path, source))?;
        file.finish()
    }
}

/// The arrays of a sparse matrix by rows, as `scipy.sparse.save_npz` lays them out.
pub(crate) struct CsrArrays<'a> {
    /// Number of columns.
    pub(crate) n_columns: usize,
    /// Where each row begins; one longer than the rows.
    pub(crate) offsets: &'a [usize],
    /// The column of every entry.
    pub(crate) columns: &'a [u32],
}

impl CsrArrays<'_> {
    /// Adds the arrays and the `values` of the entries to `npz`.
    pub(crate) fn write<T: AutoSerialize>(
        &self,
        npz: &mut NpzWriter,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), WriteError> {
        let n_rows = self.offsets.len().saturating_sub(1);
        let n_entries = self.columns.len() as u64;
        // SciPy wants both index arrays of one type, and the narrow one where it suffices.
        let largest = n_entries.max(n_rows as u64).max(self.n_columns as u64);
        let (indices, offsets) = (self.columns.iter(), self.offsets.iter());
        let offsets_shape = [self.offsets.len() as u64];
        npz.bytes("format", b"csr")?;
        npz.array("shape", &[2], [n_rows as i64, self.n_columns as i64])?;
        if largest <= i32::MAX as u64 {
            npz.array("indptr", &offsets_shape, offsets.map(|&offset| offset as i32))?;
            npz.array("indices", &[n_entries], indices.map(|&column| column as i32))?;
        } else {
            npz.array("indptr", &offsets_shape, offsets.map(|&offset| offset as i64))?;
            npz.array("indices", &[n_entries], indices.map(|&column| i64::from(column)))?;
        }
        npz.array("data", &[n_entries], values)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn arrays_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arrays.npz");
        let mut npz = NpzWriter::create(&path).unwrap();
        npz.array("a", &[2, 3], [1_i32, 2, 3, 4, 5, -6]).unwrap();
        npz.array("b", &[0], Vec::<f64>::new()).unwrap();
        npz.bytes("kind", b"csr").unwrap();
        assert!(!path.exists());
        npz.commit().unwrap();

        let mut archive = zip::ZipArchive::new(File::open(&path).unwrap()).unwrap();
        let a = npyz::NpyFile::new(archive.by_name("a.npy").unwrap()).unwrap();
        assert_eq!(a.shape(), [2, 3]);
        assert_eq!(a.into_vec::<i32>().unwrap(), [1, 2, 3, 4, 5, -6]);
        let b = npyz::NpyFile::new(archive.by_name("b.npy").unwrap()).unwrap();
        assert!(b.into_vec::<f64>().unwrap().is_empty());
        let kind = npyz::NpyFile::new(archive.by_name("kind.npy").unwrap()).unwrap();
        assert_eq!(kind.dtype().descr(), "'|S3'");
    }

    #[test]
    fn a_wrong_number_of_values_is_an_error_and_makes_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arrays.npz");
        let mut npz = NpzWriter::create(&path).unwrap();
        assert!(npz.array("a", &[3], [1_i64, 2]).is_err());
        drop(npz);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
