//! Named arrays of numbers with a text about them, in one safetensors file.
//!
//! The text is TOML under one key of the file's metadata, after a checksum of everything, so that
//! a damaged file is known as such and the same content always makes the same bytes.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::Path;

use bytemuck::NoUninit;
use safetensors::tensor::{Dtype, TensorView};
use safetensors::{SafeTensors, serialize};

use super::{Place, StoredFileError, WholeFile, WriteError};
use crate::memory::Need;

/// The key of the metadata that is ours.
const KEY: &str = "motifnet";

/// Numbers of an array, row after row.
#[derive(Clone, Debug, PartialEq)]
pub enum TensorValues {
    /// 32-bit floats.
    F32(Vec<f32>),
    /// 64-bit floats.
    F64(Vec<f64>),
}

/// An array of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Its shape.
    pub shape: Vec<usize>,
    /// Its numbers.
    pub values: TensorValues,
}

/// What a file of arrays holds.
///
/// ```
/// use motifnet::io::{Tensor, TensorFile};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("weights.safetensors");
/// let mut file = TensorFile::new("weights", 1);
/// file.about.insert("epoch".into(), 7.into());
/// file.add("theta", Tensor::f32(vec![2, 2], vec![1.0, 2.0, 3.0, 4.0]));
/// file.write(&path)?;
/// assert_eq!(TensorFile::read(&path, "weights", 1)?, file);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TensorFile {
    /// What there is to say of the arrays; `kind` and `version` are always there.
    pub about: toml::Table,
    tensors: BTreeMap<String, Tensor>,
}

impl Tensor {
    /// An array of 32-bit floats.
    pub fn f32(shape: Vec<usize>, values: Vec<f32>) -> Self {
        Self { shape, values: TensorValues::F32(values) }
    }

    /// An array of 64-bit floats.
    pub fn f64(shape: Vec<usize>, values: Vec<f64>) -> Self {
        Self { shape, values: TensorValues::F64(values) }
    }

    /// The bytes as the format has them, which is little-endian.
    fn view(&self) -> (Dtype, Cow<'_, [u8]>) {
        match &self.values {
            TensorValues::F32(values) => {
                (Dtype::F32, bytes_of(values, |value| value.to_le_bytes()))
            }
            TensorValues::F64(values) => {
                (Dtype::F64, bytes_of(values, |value| value.to_le_bytes()))
            }
        }
    }

    fn of_view(view: &TensorView<'_>) -> Option<Self> {
        let shape = view.shape().to_vec();
        match view.dtype() {
            Dtype::F32 => Some(Self::f32(shape, numbers(view.data(), f32::from_le_bytes))),
            Dtype::F64 => Some(Self::f64(shape, numbers(view.data(), f64::from_le_bytes))),
            _ => None,
        }
    }
}

/// No copy where memory holds numbers as the format does.
fn bytes_of<T: NoUninit, const N: usize>(
    values: &[T],
    little_endian: impl Fn(T) -> [u8; N],
) -> Cow<'_, [u8]> {
    match cfg!(target_endian = "little") {
        true => Cow::Borrowed(bytemuck::cast_slice(values)),
        false => values.iter().flat_map(|&value| little_endian(value)).collect(),
    }
}

fn numbers<T, const N: usize>(bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks().0.iter().map(|&bytes| number(bytes)).collect()
}

impl TensorFile {
    /// Nothing yet, in a file of this `kind` and `version`.
    pub fn new(kind: &str, version: i64) -> Self {
        let mut about = toml::Table::new();
        about.insert("kind".to_owned(), kind.into());
        about.insert("version".to_owned(), version.into());
        Self { about, tensors: BTreeMap::new() }
    }

    /// Adds an array, or replaces that of the same name.
    pub fn add(&mut self, name: impl Into<String>, tensor: Tensor) {
        self.tensors.insert(name.into(), tensor);
    }

    /// The arrays, by their names.
    pub fn tensors(&self) -> &BTreeMap<String, Tensor> {
        &self.tensors
    }

    /// Takes the 32-bit numbers of an array out, if it is there with this shape.
    pub fn take_f32(&mut self, name: &str, shape: &[usize]) -> Option<Vec<f32>> {
        match self.tensors.get(name) {
            Some(Tensor { shape: found, values: TensorValues::F32(_) }) if found == shape => {}
            _ => return None,
        }
        match self.tensors.remove(name)?.values {
            TensorValues::F32(values) => Some(values),
            TensorValues::F64(_) => None,
        }
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, place: impl Into<Place>) -> Result<(), WriteError> {
        let place = place.into();
        let problem = |error| WriteError::io(place.path(), error);
        let bytes = self.to_bytes().map_err(problem)?;
        let mut file = WholeFile::create_plain(&place)?;
        file.write_all(&bytes).map_err(problem)?;
        file.commit()
    }

    /// What the arrays add up to, with their names and shapes: other numbers add up to the same with
    /// probability 2⁻³².
    pub fn sum(&self) -> String {
        let bytes: Vec<_> =
            self.tensors.iter().map(|(name, tensor)| (name, tensor, tensor.view().1)).collect();
        let parts = bytes.iter().map(|(name, tensor, bytes)| (*name, &tensor.shape, &**bytes));
        format!("{:08x}", checksum("", parts))
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, std::io::Error> {
        let about = toml::to_string(&self.about).map_err(std::io::Error::other)?;
        let bytes = self.tensors.iter().map(|(name, tensor)| (name, tensor, tensor.view()));
        let bytes: Vec<_> = bytes.collect();
        let parts = bytes.iter().map(|(name, tensor, (_, bytes))| (*name, &tensor.shape, &**bytes));
        let text = format!("{:08x}\n{about}", checksum(&about, parts));
        let views = bytes.iter().map(|(name, tensor, (dtype, bytes))| {
            TensorView::new(*dtype, tensor.shape.clone(), bytes).map(|view| (name.as_str(), view))
        });
        let views = views.collect::<Result<Vec<_>, _>>().map_err(std::io::Error::other)?;
        let metadata = HashMap::from([(KEY.to_owned(), text)]);
        serialize(views, Some(metadata)).map_err(std::io::Error::other)
    }

    /// Reads a file of this `kind`, of at most this `version`. Nothing in it is executed; memory is
    /// at most three times the size of the file.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, of another kind or of a later version.
    pub fn read(path: &Path, kind: &'static str, version: i64) -> Result<Self, StoredFileError> {
        let read_error = |source| StoredFileError::Read { path: path.to_owned(), source };
        let length = std::fs::metadata(path).map_err(read_error)?.len();
        Self::need(length)
            .check()
            .map_err(|source| StoredFileError::Memory { path: path.to_owned(), source })?;
        let bytes = std::fs::read(path).map_err(read_error)?;
        Self::from_bytes(&bytes, path, kind, version)
    }

    /// What reading a file of `n_bytes` takes: its bytes, and its numbers.
    fn need(n_bytes: u64) -> Need {
        Need {
            what: "what the file holds",
            n_bytes: n_bytes.saturating_mul(2),
            remedy: "take a smaller model",
        }
    }

    /// As [`TensorFile::read`], of bytes that are in memory already; errors name `path`.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        path: &Path,
        kind: &'static str,
        version: i64,
    ) -> Result<Self, StoredFileError> {
        let damaged = |reason| StoredFileError::Damaged { path: path.to_owned(), reason };
        let file = Self::of_bytes(bytes).map_err(damaged)?;
        match file.about.get("kind").and_then(toml::Value::as_str) {
            Some(found) if found == kind => {}
            found => {
                let (path, found) = (path.to_owned(), found.unwrap_or_default().to_owned());
                return Err(StoredFileError::Kind { path, found, wanted: kind });
            }
        }
        match file.about.get("version").and_then(toml::Value::as_integer) {
            Some(found) if (1..=version).contains(&found) => Ok(file),
            Some(found) => {
                Err(StoredFileError::Version { path: path.to_owned(), found, known: version })
            }
            None => Err(damaged("no version is told".to_owned())),
        }
    }

    fn of_bytes(bytes: &[u8]) -> Result<Self, String> {
        let said = |error: safetensors::SafeTensorError| error.to_string();
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(said)?;
        let text = metadata.metadata().as_ref().and_then(|metadata| metadata.get(KEY));
        let text = text.ok_or("it was not written by motifnet")?;
        let (sum, about) = text.split_once('\n').ok_or("its description is cut short")?;
        let arrays = SafeTensors::deserialize(bytes).map_err(said)?;
        let mut views = arrays.tensors();
        views.sort_by(|(a, _), (b, _)| a.cmp(b));
        let shapes: Vec<_> = views.iter().map(|(_, view)| view.shape().to_vec()).collect();
        let parts =
            views.iter().zip(&shapes).map(|((name, view), shape)| (name, shape, view.data()));
        if sum != format!("{:08x}", checksum(about, parts)) {
            return Err("its checksum is wrong".to_owned());
        }
        let about = about.parse::<toml::Table>().map_err(|error| error.message().to_owned())?;
        let mut tensors = BTreeMap::new();
        for (name, view) in views {
            let tensor = Tensor::of_view(&view);
            let tensor = tensor.ok_or_else(|| format!("{name} is not an array of floats"))?;
            tensors.insert(name, tensor);
        }
        Ok(Self { about, tensors })
    }
}

/// CRC-32C of the text, and of the names, shapes and bytes of the arrays, in the order of the names.
fn checksum<'a>(
    about: &str,
    parts: impl Iterator<Item = (&'a String, &'a Vec<usize>, &'a [u8])>,
) -> u32 {
    let start = crc32c::crc32c(about.as_bytes());
    parts.fold(start, |sum, (name, shape, bytes)| {
        let sum = crc32c::crc32c_append(sum, format!("{name} {shape:?} ").as_bytes());
        crc32c::crc32c_append(sum, bytes)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> TensorFile {
        let mut file = TensorFile::new("model", 2);
        file.about.insert("classes".into(), vec!["ä", "b\n\"c\""].into());
        file.add("theta", Tensor::f32(vec![2, 1], vec![1.5, f32::NAN]));
        file.add("best.theta", Tensor::f64(vec![], vec![0.1]));
        file
    }

    fn message(bytes: &[u8], kind: &'static str, version: i64) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.safetensors");
        std::fs::write(&path, bytes).unwrap();
        let error = TensorFile::read(&path, kind, version).unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    }

    #[test]
    fn the_same_content_makes_the_same_bytes_and_comes_back() {
        let bytes = file().to_bytes().unwrap();
        assert_eq!(bytes, file().to_bytes().unwrap());
        let mut back = TensorFile::of_bytes(&bytes).unwrap();
        assert_eq!(back.about, file().about);
        assert_eq!(back.to_bytes().unwrap(), bytes);
        assert_eq!(back.take_f32("theta", &[1, 2]), None);
        assert_eq!(back.take_f32("best.theta", &[]), None);
        assert_eq!(back.take_f32("theta", &[2, 1]).unwrap()[0], 1.5);
        assert_eq!(back.take_f32("theta", &[2, 1]), None);
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let bytes = file().to_bytes().unwrap();
        for at in 0..bytes.len() {
            assert!(TensorFile::of_bytes(&bytes[..at]).is_err(), "cut at {at}");
            for bit in 0..8 {
                let mut broken = bytes.clone();
                broken[at] ^= 1 << bit;
                // Blanks at the end of the header may change into other blanks, which mean nothing.
                if let Ok(found) = TensorFile::of_bytes(&broken) {
                    assert_eq!(found.to_bytes().unwrap(), bytes, "byte {at}, bit {bit}");
                }
            }
        }
    }

    #[test]
    fn other_files_are_told_from_damaged_ones() {
        let bytes = file().to_bytes().unwrap();
        assert_eq!(
            message(&bytes, "checkpoint", 2),
            "m.safetensors: holds \"model\", not \"checkpoint\"; name another file"
        );
        assert_eq!(
            message(&bytes, "model", 1),
            "m.safetensors: of version 2, and this motifnet reads up to version 1; update motifnet"
        );
        assert!(message(b"PK\x03\x04", "model", 1).starts_with("m.safetensors: damaged: "));
        let mut broken = bytes;
        *broken.last_mut().unwrap() ^= 1;
        assert_eq!(
            message(&broken, "model", 2),
            "m.safetensors: damaged: its checksum is wrong; restore it from a copy, or train again"
        );
    }
}
