//! One NumPy array: its header, and its numbers converted to one type.
//!
//! Object arrays are Python pickles, which can run code: they are never decoded. A declared shape
//! never decides how much memory is taken; only bytes that are really there do.

use std::io::{self, Read};
use std::path::Path;

use super::watched::{Gauge, refusal};
use super::{Input, InputError};
use crate::memory::MemoryError;
use crate::progress::Progress;

mod header;

pub use header::{ElementType, NpyHeader};

/// An array with its elements in C order (last index fastest), whatever the file's order was.
#[derive(Clone, Debug, PartialEq)]
pub struct NpyArray<T> {
    /// Length along each axis; empty for a single value.
    pub shape: Vec<usize>,
    /// The elements.
    pub values: Vec<T>,
}

/// Why an array could not be read.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    /// The bytes are not those of an array.
    #[error("not a NumPy array: {0}")]
    Header(String),
    /// The elements are pickled Python objects.
    #[error(
        "an object array, which only Python can unpickle; save it again with a number or string \
         dtype"
    )]
    Object,
    /// The elements are of a type that does not convert.
    #[error("elements of type {found} cannot be read as {wanted}")]
    ElementType {
        /// The type in the file.
        found: String,
        /// What was asked for.
        wanted: &'static str,
    },
    /// An element has a value that does not convert.
    #[error("element {position} is {value}, which is no {wanted}")]
    Value {
        /// The element's place in the file, from 0.
        position: usize,
        /// Its value.
        value: String,
        /// What was asked for.
        wanted: &'static str,
    },
    /// Fewer elements than the header says.
    #[error("the header declares {declared} elements, but only {found} are there")]
    CutShort {
        /// Elements by the header.
        declared: u128,
        /// Whole elements found.
        found: usize,
    },
    /// An archive holds more bytes than the elements take.
    #[error("there are more bytes than the header declares; the file may be damaged")]
    TooLong,
    /// There is no room for the elements.
    #[error("{0}")]
    Memory(#[from] MemoryError),
    /// The bytes could not be read.
    #[error("{0}")]
    Io(io::Error),
    /// The file could not be opened or decompressed.
    #[error(transparent)]
    Input(#[from] InputError),
}

impl From<io::Error> for NpyError {
    fn from(error: io::Error) -> Self {
        match refusal(&error) {
            Some(refusal) => Self::Memory(refusal.clone()),
            None => Self::Io(error),
        }
    }
}

/// Reads the `.npy` file at `path` as integers; numbers that are not whole are refused.
///
/// # Errors
/// If the file cannot be read, is no array, or holds what is not an integer.
pub fn read_npy_integers(
    path: &Path,
    limit: Option<u64>,
    progress: &dyn Progress,
) -> Result<NpyArray<i64>, NpyError> {
    integers(Input::open(path, limit, progress)?.into_reader())
}

/// Reads the `.npy` file at `path` as 64-bit floats.
///
/// # Errors
/// If the file cannot be read, is no array, or holds what is not a number.
pub fn read_npy_floats(
    path: &Path,
    limit: Option<u64>,
    progress: &dyn Progress,
) -> Result<NpyArray<f64>, NpyError> {
    floats(Input::open(path, limit, progress)?.into_reader())
}

/// Reads the `.npy` file at `path` as 32-bit floats.
///
/// # Errors
/// If the file cannot be read, is no array, or holds what is not a number.
pub fn read_npy_floats_f32(
    path: &Path,
    limit: Option<u64>,
    progress: &dyn Progress,
) -> Result<NpyArray<f32>, NpyError> {
    floats_f32(Input::open(path, limit, progress)?.into_reader())
}

/// Reads the `.npy` file at `path` as strings.
///
/// # Errors
/// If the file cannot be read, is no array, or holds what is not text.
pub fn read_npy_strings(
    path: &Path,
    limit: Option<u64>,
    progress: &dyn Progress,
) -> Result<NpyArray<String>, NpyError> {
    strings(Input::open(path, limit, progress)?.into_reader())
}

/// Type and shape of the array in the `.npy` file at `path`.
///
/// # Errors
/// If the file cannot be read or has no proper header.
pub fn read_npy_header(
    path: &Path,
    limit: Option<u64>,
    progress: &dyn Progress,
) -> Result<NpyHeader, NpyError> {
    NpyHeader::read(&mut Input::open(path, limit, progress)?.into_reader())
}

pub(super) fn integers(mut reader: impl Read) -> Result<NpyArray<i64>, NpyError> {
    const WANTED: &str = "integer";
    let header = NpyHeader::read(&mut reader)?;
    numbers(header, reader, WANTED, |position, number| {
        match number {
            Number::Int(value) => Ok(value),
            Number::Uint(value) => i64::try_from(value).map_err(|_| value.to_string()),
            // Both bounds are powers of two, so they are exact as floats.
            Number::Float(value) if value.fract() == 0.0 && value.abs() < 2f64.powi(63) => {
                Ok(value as i64)
            }
            Number::Float(value) => Err(value.to_string()),
        }
        .map_err(|value| NpyError::Value { position, value, wanted: WANTED })
    })
}

pub(super) fn floats(mut reader: impl Read) -> Result<NpyArray<f64>, NpyError> {
    let header = NpyHeader::read(&mut reader)?;
    numbers(header, reader, "number", |_, number| Ok(number.to_f64()))
}

pub(super) fn floats_f32(mut reader: impl Read) -> Result<NpyArray<f32>, NpyError> {
    let header = NpyHeader::read(&mut reader)?;
    numbers(header, reader, "number", |_, number| Ok(number.to_f64() as f32))
}

pub(super) fn strings(mut reader: impl Read) -> Result<NpyArray<String>, NpyError> {
    let header = NpyHeader::read(&mut reader)?;
    let decode: fn(&NpyHeader, &[u8]) -> Option<String> = match header.element {
        ElementType::Bytes => |_, bytes| String::from_utf8(bytes.to_vec()).ok(),
        ElementType::Unicode => |header, bytes| {
            let code = |bytes: &[u8]| {
                let bytes = [bytes[0], bytes[1], bytes[2], bytes[3]];
                if header.big_endian {
                    u32::from_be_bytes(bytes)
                } else {
                    u32::from_le_bytes(bytes)
                }
            };
            bytes.chunks_exact(4).map(|bytes| char::from_u32(code(bytes))).collect()
        },
        _ => return Err(header.refuse("text")),
    };
    elements(&header, reader, |position, bytes| {
        let mut text = decode(&header, bytes).ok_or_else(|| NpyError::Value {
            position,
            value: format!("{bytes:?}"),
            wanted: "text",
        })?;
        text.truncate(text.trim_end_matches('\0').len());
        Ok(text)
    })
}

/// A number as wide as its kind can be.
#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    Uint(u64),
    Float(f64),
}

impl Number {
    fn to_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Uint(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

fn numbers<T: Default>(
    header: NpyHeader,
    reader: impl Read,
    wanted: &'static str,
    mut convert: impl FnMut(usize, Number) -> Result<T, NpyError>,
) -> Result<NpyArray<T>, NpyError> {
    let big = header.big_endian;
    // Widening to eight bytes first leaves one conversion a kind.
    let unsigned = move |bytes: &[u8]| {
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if big { bytes.iter().fold(0, fold) } else { bytes.iter().rev().fold(0, fold) }
    };
    match (header.element, header.element_bytes) {
        (ElementType::Bool, 1) | (ElementType::Uint, 1 | 2 | 4 | 8) => {
            elements(&header, reader, |i, bytes| convert(i, Number::Uint(unsigned(bytes))))
        }
        (ElementType::Int, size @ (1 | 2 | 4 | 8)) => {
            let unused_bits = 64 - 8 * size as u32;
            elements(&header, reader, |i, bytes| {
                let value = (unsigned(bytes) << unused_bits) as i64 >> unused_bits;
                convert(i, Number::Int(value))
            })
        }
        (ElementType::Float, 2) => elements(&header, reader, |i, bytes| {
            convert(i, Number::Float(half_to_f64(unsigned(bytes) as u16)))
        }),
        (ElementType::Float, 4) => elements(&header, reader, |i, bytes| {
            let value = f32::from_bits(unsigned(bytes) as u32);
            convert(i, Number::Float(f64::from(value)))
        }),
        (ElementType::Float, 8) => elements(&header, reader, |i, bytes| {
            convert(i, Number::Float(f64::from_bits(unsigned(bytes))))
        }),
        _ => Err(header.refuse(wanted)),
    }
}

/// The value of an IEEE 754 half-precision float.
fn half_to_f64(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// Converts each element from its bytes; memory grows with what was read, not with the header.
fn elements<T: Default>(
    header: &NpyHeader,
    mut reader: impl Read,
    mut convert: impl FnMut(usize, &[u8]) -> Result<T, NpyError>,
) -> Result<NpyArray<T>, NpyError> {
    const AT_ONCE: usize = 1 << 16;
    let size = header.element_bytes;
    let declared = header.n_elements();
    let mut values: Vec<T> = Vec::new();
    let mut buffer = Vec::new();
    // Numbers become wider than they are in the file, and texts lie outside of the vector, each in a piece of its own.
    let beside = if std::mem::needs_drop::<T>() { 16 + size } else { 0 };
    let (each, mut gauge) = ((size_of::<T>() + beside) as u64, Gauge::new());
    if size == 0 && declared > 0 {
        // Only empty strings have no bytes, and nothing backs up how many there are.
        return Err(NpyError::CutShort { declared, found: 0 });
    }
    while (values.len() as u128) < declared {
        let left = declared - values.len() as u128;
        let wanted = left.min((AT_ONCE / size).max(1) as u128) as usize;
        buffer.clear();
        reader.by_ref().take(wanted as u64 * size as u64).read_to_end(&mut buffer)?;
        gauge.add((buffer.len() / size) as u64 * each)?;
        for bytes in buffer.chunks_exact(size) {
            values.push(convert(values.len(), bytes)?);
        }
        if buffer.len() < wanted * size {
            return Err(NpyError::CutShort { declared, found: values.len() });
        }
    }
    let shape: Vec<usize> = header.shape.iter().map(|&length| length as usize).collect();
    let values = if header.fortran_order { from_fortran_order(&shape, values) } else { values };
    Ok(NpyArray { shape, values })
}

/// Turns first-index-fastest into last-index-fastest.
fn from_fortran_order<T: Default>(shape: &[usize], mut values: Vec<T>) -> Vec<T> {
    if shape.len() < 2 || values.is_empty() {
        return values;
    }
    let mut index = vec![0; shape.len()];
    let mut turned = Vec::with_capacity(values.len());
    for _ in 0..values.len() {
        let position = index.iter().zip(shape).rev().fold(0, |sum, (&i, &length)| sum * length + i);
        turned.push(std::mem::take(&mut values[position]));
        for (i, &length) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < length {
                break;
            }
            *i = 0;
        }
    }
    turned
}

#[cfg(test)]
mod tests;
