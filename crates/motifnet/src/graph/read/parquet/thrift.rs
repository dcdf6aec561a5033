//! Thrift's compact form, walked over before the Parquet library reads it: the library makes room for
//! what a file declares, and goes as deep as it says.

use std::io::{self, Read, Take};

use super::shape::Shape;

/// Parquet's own descriptions are four deep.
const DEEPEST: usize = 16;

/// The numbers of a struct: those of its own fields, and those of the structs that are its fields or stand in
/// lists that are.
pub(super) struct Numbers {
    /// The field, the field within it (0: the field itself, or the start of a struct), and the number.
    found: Vec<(i16, i16, i64)>,
    /// How long the struct is.
    pub(super) n_bytes: u64,
}

impl Numbers {
    /// Reads a struct of this shape, of at most so many bytes.
    pub(super) fn of(reader: impl Read, most_bytes: u64, shape: Shape) -> io::Result<Self> {
        let mut walk = Walk { bytes: reader.take(most_bytes), path: Vec::new(), found: Vec::new() };
        walk.structure(Some(shape))?;
        Ok(Self { found: walk.found, n_bytes: most_bytes - walk.bytes.limit() })
    }

    /// The number in field `inner` of the struct in `field`; `inner` is 0 for a number that is a field.
    pub(super) fn get(&self, field: i16, inner: i16) -> Option<i64> {
        self.all(field).find(|(at, _)| *at == inner).map(|(_, number)| number)
    }

    /// All numbers in `field`, each with the field within it. A struct begins with an entry of 0.
    pub(super) fn all(&self, field: i16) -> impl Iterator<Item = (i16, i64)> {
        let here = self.found.iter().filter(move |(outer, ..)| *outer == field);
        here.map(|&(_, inner, number)| (inner, number))
    }
}

struct Walk<R> {
    bytes: Take<R>,
    /// The fields that lead to where it is.
    path: Vec<i16>,
    found: Vec<(i16, i16, i64)>,
}

impl<R: Read> Walk<R> {
    /// Goes over a struct, of a shape if it is a known one.
    fn structure(&mut self, shape: Option<Shape>) -> io::Result<()> {
        if self.path.len() == DEEPEST {
            return Err(bad("its description is too deep"));
        }
        if let [field] = self.path[..] {
            self.found.push((field, 0, 0));
        }
        let mut field = 0i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            field = match head >> 4 {
                0 => self.number()? as i16,
                step => field.wrapping_add(i16::from(step)),
            };
            self.path.push(field);
            let (kind, shape) = (head & 0xf, shape.and_then(|shape| shape.field(field)));
            if shape.is_some_and(|shape| !shape.is(kind)) {
                return Err(bad("its description has a field that is not what it should be"));
            }
            match kind {
                // A truth value is its own type.
                1 | 2 => self.note(i64::from(kind == 1)),
                kind => self.value(kind, shape)?,
            }
            self.path.pop();
        }
    }

    fn value(&mut self, kind: u8, shape: Option<Shape>) -> io::Result<()> {
        match kind {
            3 => self.skip(1),
            4..=6 => {
                let number = self.number()?;
                self.note(number);
                Ok(())
            }
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            9 => self.list(shape),
            12 => self.structure(shape),
            _ => Err(bad("its description has a value of a kind that Parquet has not")),
        }
    }

    fn list(&mut self, shape: Option<Shape>) -> io::Result<()> {
        let head = self.byte()?;
        let length = match head >> 4 {
            15 => self.varint()?,
            length => length.into(),
        };
        // No value is shorter than a byte.
        if length > self.bytes.limit() {
            return Err(bad(&format!("a list of {length} values is longer than its description")));
        }
        let (kind, shape) = (head & 0xf, shape.and_then(Shape::element));
        if length > 0 && shape.is_some_and(|shape| !shape.is(kind)) {
            return Err(bad("its description has a list that is not of what it should be"));
        }
        for _ in 0..length {
            self.value(kind, shape)?;
        }
        Ok(())
    }

    fn note(&mut self, number: i64) {
        match self.path[..] {
            [field] => self.found.push((field, 0, number)),
            [field, inner] => self.found.push((field, inner, number)),
            _ => {}
        }
    }

    fn number(&mut self) -> io::Result<i64> {
        let number = self.varint()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn varint(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(bad("a number of its description has no end"))
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.bytes.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.bytes.by_ref().take(length), &mut io::sink())?;
        if skipped < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

fn bad(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(bytes: &[u8]) -> Result<Vec<(i16, i16, i64)>, String> {
        numbers_of(Shape::Struct(&[]), bytes)
    }

    fn numbers_of(shape: Shape, bytes: &[u8]) -> Result<Vec<(i16, i16, i64)>, String> {
        let numbers = Numbers::of(bytes, bytes.len() as u64, shape);
        let numbers = numbers.map_err(|error| error.to_string())?;
        assert_eq!(numbers.n_bytes, bytes.len() as u64);
        Ok(numbers.found)
    }

    #[test]
    fn numbers_are_found_two_deep_and_in_lists() {
        // 1: 5, 2: true, 3: { 1: -1, 4: "ab" }, 4: [{ 2: 7 }, {}]
        let bytes =
            [0x15, 10, 0x11, 0x1c, 0x15, 1, 0x38, 2, b'a', b'b', 0, 0x19, 0x2c, 0x25, 14, 0, 0, 0];
        let expected =
            [(1, 0, 5), (2, 0, 1), (3, 0, 0), (3, 1, -1), (4, 0, 0), (4, 2, 7), (4, 0, 0)];
        assert_eq!(numbers(&bytes).unwrap(), expected);
    }

    #[test]
    fn a_field_that_is_known_is_what_it_should_be() {
        let shape = Shape::Struct(&[
            (1, Shape::Text),
            (2, Shape::List(&Shape::Struct(&[(1, Shape::Truth)]))),
        ]);
        // 1: "a", 2: [{ 1: true }], 3: 5
        let right = [0x18, 1, b'a', 0x19, 0x1c, 0x11, 0, 0x15, 10, 0];
        assert_eq!(numbers_of(shape, &right).unwrap(), [(2, 0, 0), (2, 1, 1), (3, 0, 5)]);
        let field = "its description has a field that is not what it should be";
        // 1: 5; 2: [{ 1: 5 }]
        for wrong in [[0x15, 10, 0].as_slice(), &[0x29, 0x1c, 0x15, 10, 0, 0]] {
            assert_eq!(numbers_of(shape, wrong).unwrap_err(), field);
        }
        // 2: [5], and a list of nothing, whatever it is of
        let list = "its description has a list that is not of what it should be";
        assert_eq!(numbers_of(shape, &[0x29, 0x15, 10, 0]).unwrap_err(), list);
        assert_eq!(numbers_of(shape, &[0x29, 0x00, 0]).unwrap(), []);
    }

    #[test]
    fn a_list_that_cannot_be_and_a_description_without_end_are_refused() {
        // A list of 2³² − 1 truth values, which the Parquet library would count one by one.
        let error = numbers(&[0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x0f, 0]).unwrap_err();
        assert_eq!(error, "a list of 4294967295 values is longer than its description");
        assert_eq!(numbers(&[0x1c; 99]).unwrap_err(), "its description is too deep");
        assert_eq!(numbers(&[0x15, 0x80]).unwrap_err(), "failed to fill whole buffer");
        let kind = "its description has a value of a kind that Parquet has not";
        assert_eq!(numbers(&[0x1b, 0xff]).unwrap_err(), kind);
        assert_eq!(numbers(&[0x19, 0x21, 1, 1, 0]).unwrap_err(), kind);
        let end = "a number of its description has no end";
        assert_eq!(numbers(&[[0x15].as_slice(), &[0xff; 11]].concat()).unwrap_err(), end);
    }
}
