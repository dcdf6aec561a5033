//! The fast path: lines of integers, taken apart where they stand.

use super::super::arc_block::{ArcBlock, Ends};
use super::dialect::Dialect;
use super::fields::Delimiter;

/// Reads lines of the form `integer delimiter integer [delimiter weight] …`.
pub(super) struct FastLines {
    /// Blanks may be one of two bytes; any other delimiter is given twice.
    delimiters: [u8; 2],
    weighted: bool,
    /// Ids from here on are left to the careful path.
    id_limit: u64,
}

impl FastLines {
    /// `None` if lines of `dialect` have another form.
    pub(super) fn new(dialect: &Dialect) -> Option<Self> {
        let delimiters = match dialect.delimiter {
            Delimiter::Blanks => [b' ', b'\t'],
            Delimiter::Byte(byte) => [byte, byte],
        };
        let fits = (dialect.source, dialect.target) == (0, 1)
            && matches!(dialect.weight, None | Some(2))
            && !delimiters[0].is_ascii_digit()
            && !matches!(delimiters[0], b'.' | b'-' | b'+' | b'"' | b'\r' | b'\n');
        let id_limit = dialect.n_nodes.map_or(u64::MAX, u64::from);
        fits.then_some(Self { delimiters, weighted: dialect.weight.is_some(), id_limit })
    }

    /// Takes lines off `bytes` from `at` on, up to the first that has another form; returns how
    /// many.
    pub(super) fn take(&self, bytes: &[u8], at: &mut usize, block: &mut ArcBlock) -> u64 {
        let mut taken = 0;
        if let Ends::Narrow { sources, targets } = &mut block.ends {
            while let Some(line) = self.line(bytes, *at) {
                let (Ok(source), Ok(target)) =
                    (u32::try_from(line.source), u32::try_from(line.target))
                else {
                    break;
                };
                sources.push(source);
                targets.push(target);
                if self.weighted {
                    block.weights.push(line.weight);
                }
                *at = line.end;
                taken += 1;
            }
        }
        if let Ends::Wide { sources, targets } = &mut block.ends {
            while let Some(line) = self.line(bytes, *at) {
                // At most 18 digits were taken, so the ids fit.
                sources.push(line.source as i64);
                targets.push(line.target as i64);
                if self.weighted {
                    block.weights.push(line.weight);
                }
                *at = line.end;
                taken += 1;
            }
        }
        taken
    }

    #[inline(always)]
    fn line(&self, bytes: &[u8], start: usize) -> Option<Line> {
        let (source, at) = id(bytes, start)?;
        let at = self.delimiter(bytes, at)?;
        let (target, at) = id(bytes, at)?;
        if source.max(target) >= self.id_limit {
            return None;
        }
        let (weight, at) =
            if self.weighted { self.weight(bytes, self.delimiter(bytes, at)?)? } else { (1.0, at) };
        let end = match bytes.get(at) {
            Some(b'\n') => at + 1,
            Some(b'\r') if bytes.get(at + 1) == Some(&b'\n') => at + 2,
            Some(byte) if self.delimiters.contains(byte) => {
                // Further columns are not wanted, but a carriage return among them is looked at with care.
                let end = at + memchr::memchr2(b'\n', b'\r', &bytes[at..])?;
                match &bytes[end..] {
                    [b'\n', ..] => end + 1,
                    [b'\r', b'\n', ..] => end + 2,
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Line { source, target, weight, end })
    }

    #[inline(always)]
    fn delimiter(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let byte = bytes.get(at)?;
        (*byte == self.delimiters[0] || *byte == self.delimiters[1]).then_some(at + 1)
    }

    /// A weight and where it ends; `None` leaves the line to the careful path.
    #[inline(always)]
    fn weight(&self, bytes: &[u8], start: usize) -> Option<(f32, usize)> {
        if let Some(plain) = decimal(bytes, start) {
            return Some(plain);
        }
        let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n') || self.delimiters.contains(byte);
        let end = start + bytes[start..].iter().position(is_end)?;
        let text = std::str::from_utf8(&bytes[start..end]).ok()?;
        Some((text.parse().ok()?, end))
    }
}

struct Line {
    source: u64,
    target: u64,
    weight: f32,
    /// Where the next line starts.
    end: usize,
}

/// Up to eight digits at `at`: their value and their number. `None` near the end of `bytes`.
#[inline(always)]
fn digits(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*bytes.get(at..)?.first_chunk::<8>()?);
    let values = word ^ 0x3030_3030_3030_3030;
    // The high bit of every byte that is no digit. A carry spoils only bytes after one of those.
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    let n = (others.trailing_zeros() / 8) as usize;
    if n == 0 {
        return Some((0, 0));
    }
    // Zeros in front make eight digits; pairs, fours and eights are then joined at once.
    let values = values << (64 - 8 * n);
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8);
    const EVERY_FOURTH: u64 = 0x0000_00ff_0000_00ff;
    let high = (pairs & EVERY_FOURTH).wrapping_mul(100 + (1_000_000 << 32));
    let low = ((pairs >> 16) & EVERY_FOURTH).wrapping_mul(1 + (10_000 << 32));
    Some((high.wrapping_add(low) >> 32, n))
}

/// A canonical integer of at most 18 digits without sign, and where it ends.
#[inline(always)]
fn id(bytes: &[u8], start: usize) -> Option<(u64, usize)> {
    let (mut value, mut n) = digits(bytes, start)?;
    if n == 8 {
        while let Some(digit @ 0..=9) = bytes.get(start + n).map(|byte| byte.wrapping_sub(b'0')) {
            if n == 18 {
                return None;
            }
            value = value * 10 + u64::from(digit);
            n += 1;
        }
    }
    let leading_zero = n > 1 && bytes[start] == b'0';
    (n > 0 && !leading_zero).then_some((value, start + n))
}

/// A decimal number so short that one division rounds it correctly, and where it ends.
#[inline(always)]
fn decimal(bytes: &[u8], start: usize) -> Option<(f32, usize)> {
    const POWERS: [f32; 8] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7];
    let (whole, n) = digits(bytes, start)?;
    let at = start + n;
    if !(1..8).contains(&n) {
        return None;
    }
    let (mantissa, power, end) = if bytes.get(at) == Some(&b'.') {
        let (fraction, n) = digits(bytes, at + 1)?;
        if n >= 8 {
            return None;
        }
        (whole * 10u64.pow(n as u32) + fraction, n, at + 1 + n)
    } else {
        (whole, 0, at)
    };
    // Both the mantissa and the power of ten are exact as f32 (Clinger's fast path).
    let is_whole_field = !matches!(bytes.get(end), Some(b'e' | b'E' | b'.' | b'_'));
    (mantissa < 1 << 24 && is_whole_field).then(|| (mantissa as f32 / POWERS[power], end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_digits_are_joined() {
        for (text, expected) in [
            ("12345678", (12_345_678, 8)),
            ("00000009", (9, 8)),
            ("7\t345678", (7, 1)),
            ("120,\u{ff}..", (120, 3)),
            ("\n1234567", (0, 0)),
            ("99999:99", (99_999, 5)),
            ("99999/99", (99_999, 5)),
        ] {
            assert_eq!(digits(text.as_bytes(), 0), Some(expected), "{text:?}");
        }
        assert_eq!(digits(b"1234567", 0), None);
    }

    #[test]
    fn short_decimals_are_rounded_as_the_standard_library_does() {
        for text in ["1.0", "0.1", "3", "0.333333", "16777215", "123.4567", "9.9999999", "7."] {
            let line = format!("{text}\n........");
            let fast = decimal(line.as_bytes(), 0);
            if let Some((value, end)) = fast {
                assert_eq!((value, end), (text.parse().unwrap(), text.len()));
            }
        }
        assert_eq!(decimal(b"1e5\n........", 0), None);
    }
}
