//! Numbers and fields as text, many lines at a time.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

/// Lines formatted at a time by one thread.
const CHUNK: usize = 1 << 15;

/// Writes `n_items` items in order; `format` appends the text of a range of them. Ranges are
/// formatted in parallel, a few at a time, so memory stays small.
pub(crate) fn write_chunks(
    out: &mut impl Write,
    n_items: usize,
    format: impl Fn(Range<usize>, &mut Vec<u8>) + Sync,
) -> io::Result<()> {
    let batch = CHUNK * 4 * rayon::current_num_threads();
    let mut buffers: Vec<Vec<u8>> = Vec::new();
    for batch_start in (0..n_items).step_by(batch) {
        let batch_end = n_items.min(batch_start + batch);
        let n_chunks = (batch_end - batch_start).div_ceil(CHUNK);
        buffers.resize_with(n_chunks, Vec::new);
        buffers.par_iter_mut().enumerate().for_each(|(chunk, buffer)| {
            buffer.clear();
            let start = batch_start + chunk * CHUNK;
            format(start..batch_end.min(start + CHUNK), buffer);
        });
        for buffer in &buffers {
            out.write_all(buffer)?;
        }
    }
    Ok(())
}

/// Calls `visit(row, entry)` for the entries of a range, where `offsets` says which rows they
/// belong to.
pub(crate) fn for_each_entry(
    offsets: &[usize],
    entries: Range<usize>,
    mut visit: impl FnMut(usize, usize),
) {
    let mut row = offsets.partition_point(|&offset| offset <= entries.start).saturating_sub(1);
    for entry in entries {
        while offsets[row + 1] <= entry {
            row += 1;
        }
        visit(row, entry);
    }
}

/// Appends an integer.
pub(crate) fn push_integer(text: &mut Vec<u8>, number: impl itoa::Integer) {
    text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Appends a number so that reading it gives the same bits: whole numbers as such, others with as
/// many digits as it takes.
pub(crate) fn push_f64(text: &mut Vec<u8>, number: f64) {
    if is_safe_integer(number) {
        push_integer(text, number as i64);
    } else {
        text.extend_from_slice(zmij::Buffer::new().format(number).as_bytes());
    }
}

/// As [`push_f64`], with the digits that an f32 takes.
pub(crate) fn push_f32(text: &mut Vec<u8>, number: f32) {
    if is_safe_integer(f64::from(number)) {
        push_integer(text, number as i64);
    } else {
        text.extend_from_slice(zmij::Buffer::new().format(number).as_bytes());
    }
}

/// Whether a number is whole and small enough (|x| ≤ 2⁵³) for its neighbours to be numbers too.
pub(crate) fn is_safe_integer(number: f64) -> bool {
    number.abs() <= 9_007_199_254_740_992.0 && number.fract() == 0.0
}

/// 1234567 → `1,234,567`.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 arc`, `2,000 arcs`.
pub fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// Appends a CSV field (RFC 4180): in quotes where a reader could take it for anything else.
pub(crate) fn push_csv_field(text: &mut Vec<u8>, field: &str) {
    let odd = |byte: u8| matches!(byte, b',' | b'"' | b'\n' | b'\r' | b'\t' | b';');
    let edge = |c: char| c.is_whitespace();
    let plain = !field.is_empty()
        && !field.starts_with(['#', '%'])
        && !field.starts_with(edge)
        && !field.ends_with(edge)
        && !field.bytes().any(odd);
    if plain {
        text.extend_from_slice(field.as_bytes());
        return;
    }
    text.push(b'"');
    for byte in field.bytes() {
        if byte == b'"' {
            text.push(b'"');
        }
        text.push(byte);
    }
    text.push(b'"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        let numbers = [0, 12, 123, 1234, 123_456, 1_234_567];
        let texts = numbers.map(|number: u64| grouped(number));
        assert_eq!(texts, ["0", "12", "123", "1,234", "123,456", "1,234,567"]);
        assert_eq!(grouped(u128::MAX).len(), 39 + 12);
    }

    #[test]
    fn chunks_come_in_order() {
        for n in [0, 1, CHUNK, CHUNK + 1, 20 * CHUNK + 7] {
            let mut text = Vec::new();
            let format = |range: Range<usize>, out: &mut Vec<u8>| {
                for i in range {
                    push_integer(out, i);
                    out.push(b'\n');
                }
            };
            write_chunks(&mut text, n, format).unwrap();
            let expected: String = (0..n).map(|i| format!("{i}\n")).collect();
            assert!(text == expected.as_bytes());
        }
    }

    #[test]
    fn fields_are_quoted_where_needed() {
        let field = |name: &str| {
            let mut text = Vec::new();
            push_csv_field(&mut text, name);
            String::from_utf8(text).unwrap()
        };
        assert_eq!(field("größe 7"), "größe 7");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"a\""), "\"say \"\"a\"\"\"");
        assert_eq!(field(""), "\"\"");
        assert_eq!(field("#1"), "\"#1\"");
        assert_eq!(field(" a"), "\" a\"");
        assert_eq!(field("a\nb"), "\"a\nb\"");
    }

    proptest! {
        #[test]
        fn numbers_come_back_bit_for_bit(bits in any::<u64>(), whole in any::<i64>()) {
            for number in [f64::from_bits(bits), whole as f64, whole as f64 / 1024.0] {
                prop_assume!(!number.is_nan() && number.to_bits() != (-0.0_f64).to_bits());
                let mut text = Vec::new();
                push_f64(&mut text, number);
                prop_assert_eq!(String::from_utf8(text).unwrap().parse::<f64>().unwrap(), number);
                let narrow = number as f32;
                let mut text = Vec::new();
                push_f32(&mut text, narrow);
                prop_assert_eq!(String::from_utf8(text).unwrap().parse::<f32>().unwrap(), narrow);
            }
        }

        #[test]
        fn entries_know_their_rows(lengths in prop::collection::vec(0_usize..4, 1..40)) {
            let mut offsets = vec![0];
            let mut rows = Vec::new();
            for (row, &length) in lengths.iter().enumerate() {
                rows.extend(std::iter::repeat_n(row, length));
                offsets.push(rows.len());
            }
            for start in 0..rows.len() {
                let mut seen = Vec::new();
                for_each_entry(&offsets, start..rows.len(), |row, entry| seen.push((row, entry)));
                let expected: Vec<_> = (start..rows.len()).map(|entry| (rows[entry], entry)).collect();
                prop_assert_eq!(seen, expected);
            }
        }
    }
}
