//! Sizes of memory as people write them.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::{Serialize, Serializer};

/// A size of memory: `500MB`, `2GB`, or a number of megabytes.
///
/// ```
/// use motifnet::memory::MemorySize;
///
/// let size = |text: &str| text.parse::<MemorySize>().map(|size| size.n_bytes());
/// assert_eq!(size("2GB"), Ok(2_000_000_000));
/// assert_eq!(size("1.5 GiB"), Ok(3 << 29));
/// assert_eq!(size("800"), size("800MB"));
/// assert!(size("much").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemorySize(u64);

/// What is no size of memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no size of memory; write 500MB, 2GB, or a number of megabytes")]
pub struct SizeError(String);

/// What a unit is, in bytes; none is megabytes.
const UNITS: [(&str, u64); 9] = [
    ("", 1_000_000),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
];

impl MemorySize {
    /// So many bytes.
    pub const fn bytes(n_bytes: u64) -> Self {
        Self(n_bytes)
    }

    /// So many megabytes.
    pub const fn megabytes(megabytes: u64) -> Self {
        Self(megabytes.saturating_mul(1_000_000))
    }

    /// The size in bytes.
    pub const fn n_bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for MemorySize {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        let wrong = || SizeError(text.to_owned());
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let number: f64 = text[..end].parse().map_err(|_| wrong())?;
        let unit = text[end..].trim().to_lowercase();
        let (_, scale) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
        // Past 2⁶⁴ the conversion stops at the largest number, which no machine has.
        Ok(Self((number * *scale as f64) as u64))
    }
}

impl fmt::Display for MemorySize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_bytes = self.0 as f64;
        match self.0 {
            1_000_000_000.. => write!(f, "{:.1} GB", n_bytes / 1e9),
            1_000_000.. => write!(f, "{:.1} MB", n_bytes / 1e6),
            _ => write!(f, "{:.1} kB", n_bytes / 1e3),
        }
    }
}

impl Serialize for MemorySize {
    /// Whole megabytes as their number, anything else as text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 1_000_000 {
            0 => serializer.serialize_u64(self.0 / 1_000_000),
            _ => serializer.serialize_str(&format!("{}kB", self.0 as f64 / 1e3)),
        }
    }
}

impl<'de> Deserialize<'de> for MemorySize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = MemorySize;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a size such as \"500MB\" or \"2GB\", or a number of megabytes")
            }

            fn visit_u64<E: Error>(self, megabytes: u64) -> Result<MemorySize, E> {
                Ok(MemorySize::megabytes(megabytes))
            }

            fn visit_i64<E: Error>(self, megabytes: i64) -> Result<MemorySize, E> {
                let wrong = || E::invalid_value(serde::de::Unexpected::Signed(megabytes), &self);
                u64::try_from(megabytes).map(MemorySize::megabytes).map_err(|_| wrong())
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<MemorySize, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_again() {
        for n_bytes in [0, 1_000_000, 8_000_000_000, 1 << 30, 1_500] {
            let size = MemorySize::bytes(n_bytes);
            let text = serde_json::to_string(&size).unwrap();
            assert_eq!(serde_json::from_str::<MemorySize>(&text).unwrap(), size, "{text}");
        }
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for wrong in ["", "MB", "-1", "1.2.3", "5 parsecs", "1e3", "NaN"] {
            assert_eq!(wrong.parse::<MemorySize>(), Err(SizeError(wrong.to_owned())));
        }
        assert!(serde_json::from_str::<MemorySize>("-1").is_err());
    }
}
