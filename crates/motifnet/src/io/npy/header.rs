//! What stands before the numbers of a NumPy array.
//!
//! The header is a Python dictionary of three keys. It is parsed by hand: a general parser of
//! Python values recurses as deep as its input says, and a hostile file must not end the program.

use std::io::Read;

use super::NpyError;

/// The kind of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// Truth values of one byte.
    Bool,
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
    /// Floating-point numbers.
    Float,
    /// Byte strings of fixed length.
    Bytes,
    /// Unicode strings of fixed length, four bytes a character.
    Unicode,
    /// Pickled Python objects; never decoded.
    Object,
    /// Anything else: complex numbers, dates, structures.
    Other,
}

/// The declared form of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NpyHeader {
    /// The type as NumPy writes it, such as `<i4`.
    pub descr: String,
    /// Kind of the elements.
    pub element: ElementType,
    /// Bytes of an element (0 where not known).
    pub element_bytes: usize,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
    /// Whether the first index is the fastest.
    pub fortran_order: bool,
    /// Length along each axis.
    pub shape: Vec<u64>,
}

/// No header that NumPy writes for plain arrays comes near this.
const MAX_HEADER: usize = 1 << 16;
/// NumPy's own bound.
const MAX_AXES: usize = 64;

impl NpyHeader {
    /// Reads a header and leaves the reader at the first element.
    pub(in crate::io) fn read(reader: &mut impl Read) -> Result<Self, NpyError> {
        let cut = || NpyError::Header("the header is cut short".into());
        let mut start = [0; 8];
        reader.read_exact(&mut start).map_err(|_| cut())?;
        let [magic @ .., major, _minor] = start;
        if &magic != b"\x93NUMPY" {
            return Err(NpyError::Header("the magic number is missing".into()));
        }
        let mut length = [0; 4];
        let length_bytes = match major {
            1 => 2,
            2 | 3 => 4,
            _ => return Err(NpyError::Header(format!("format version {major} is not known"))),
        };
        reader.read_exact(&mut length[..length_bytes]).map_err(|_| cut())?;
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_HEADER {
            return Err(NpyError::Header(format!("a header of {length} bytes")));
        }
        let mut text = vec![0; length];
        reader.read_exact(&mut text).map_err(|_| cut())?;
        Self::parse(&String::from_utf8_lossy(&text)).map_err(NpyError::Header)
    }

    /// Number of elements that the shape declares.
    pub fn n_elements(&self) -> u128 {
        self.shape.iter().fold(1u128, |product, &length| product.saturating_mul(length.into()))
    }

    /// Goes through the elements without keeping them, to see that none is missing.
    pub(in crate::io) fn check_length(&self, reader: &mut dyn Read) -> Result<(), NpyError> {
        let declared = self.n_elements();
        let n_bytes = u64::try_from(declared.saturating_mul(self.element_bytes as u128));
        let found =
            std::io::copy(&mut reader.take(n_bytes.unwrap_or(u64::MAX)), &mut std::io::sink())?;
        let found = found / self.element_bytes.max(1) as u64;
        if u128::from(found) < declared {
            return Err(NpyError::CutShort { declared, found: found as usize });
        }
        Ok(())
    }

    /// The error for elements that cannot become `wanted`.
    pub(super) fn refuse(&self, wanted: &'static str) -> NpyError {
        match self.element {
            ElementType::Object => NpyError::Object,
            _ => NpyError::ElementType { found: self.descr.clone(), wanted },
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut rest = text.trim().strip_prefix('{').ok_or("the header is no dictionary")?;
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        loop {
            rest = rest.trim_start();
            if rest.starts_with('}') {
                break;
            }
            let (key, after) = quoted(rest).ok_or_else(|| unexpected(rest))?;
            rest = after.trim_start().strip_prefix(':').ok_or_else(|| unexpected(after))?;
            rest = rest.trim_start();
            rest = match key {
                "descr" => {
                    let (value, after) = descr_value(rest).ok_or_else(|| unexpected(rest))?;
                    descr = Some(value);
                    after
                }
                "fortran_order" => {
                    let (value, after) = truth(rest).ok_or_else(|| unexpected(rest))?;
                    fortran_order = Some(value);
                    after
                }
                "shape" => {
                    let (value, after) = tuple(rest)?;
                    shape = Some(value);
                    after
                }
                _ => return Err(format!("key {key:?} is not known")),
            };
            rest = rest.trim_start();
            rest = rest.strip_prefix(',').unwrap_or(rest);
        }
        let missing = |key| format!("the header lacks {key}");
        let descr = descr.ok_or_else(|| missing("descr"))?;
        let (element, element_bytes) = element_type(descr);
        Ok(Self {
            descr: descr.to_owned(),
            element,
            element_bytes,
            big_endian: descr.starts_with('>'),
            fortran_order: fortran_order.ok_or_else(|| missing("fortran_order"))?,
            shape: shape.ok_or_else(|| missing("shape"))?,
        })
    }
}

fn unexpected(rest: &str) -> String {
    let start: String = rest.chars().take(20).collect();
    format!("unexpected {start:?} in the header")
}

/// A Python string without escapes, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

/// The type: a string, or the list of a structured type, which is taken as it stands.
fn descr_value(text: &str) -> Option<(&str, &str)> {
    if !text.starts_with('[') {
        return quoted(text);
    }
    let mut depth = 0usize;
    for (position, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(text.split_at(position + 1));
        }
    }
    None
}

fn truth(text: &str) -> Option<(bool, &str)> {
    let (value, word) = if text.starts_with("True") { (true, "True") } else { (false, "False") };
    text.strip_prefix(word).map(|rest| (value, rest))
}

fn tuple(text: &str) -> Result<(Vec<u64>, &str), String> {
    let inner = text.strip_prefix('(').and_then(|text| text.split_once(')'));
    let (lengths, rest) = inner.ok_or_else(|| unexpected(text))?;
    let lengths = lengths.split(',').map(str::trim).filter(|length| !length.is_empty());
    // Python 2 wrote long integers with an L.
    let parse = |length: &str| {
        length.trim_end_matches('L').parse().map_err(|_| format!("a length of {length:?}"))
    };
    let lengths = lengths.map(parse).collect::<Result<Vec<u64>, String>>()?;
    if lengths.len() > MAX_AXES {
        return Err(format!("{} axes", lengths.len()));
    }
    Ok((lengths, rest))
}

/// The kind of a type such as `<i4`, and the bytes of an element.
fn element_type(descr: &str) -> (ElementType, usize) {
    let code = descr.trim_start_matches(['<', '>', '|', '=']);
    let mut chars = code.chars();
    let kind = chars.next();
    let size = chars.as_str().parse::<u32>().map(|size| size as usize);
    match (kind, size) {
        (Some('b'), Ok(size)) => (ElementType::Bool, size),
        (Some('?'), _) => (ElementType::Bool, 1),
        (Some('i'), Ok(size)) => (ElementType::Int, size),
        (Some('u'), Ok(size)) => (ElementType::Uint, size),
        (Some('f'), Ok(size)) => (ElementType::Float, size),
        (Some('S' | 'a'), Ok(size)) => (ElementType::Bytes, size),
        (Some('U'), Ok(size)) => (ElementType::Unicode, size.saturating_mul(4)),
        (Some('O'), _) => (ElementType::Object, 0),
        _ if descr.contains("'|O") || descr.contains("\"|O") => (ElementType::Object, 0),
        _ => (ElementType::Other, 0),
    }
}
