//! Numbers for people, and counts for machines.

use std::time::Duration;

pub(crate) use motifnet::io::{grouped, plural};
use serde::{Serialize, Serializer};

/// A count in JSON: a number where it fits in 64 bits, a decimal string beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count(pub(crate) u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(count) => serializer.serialize_u64(count),
            Err(_) => serializer.collect_str(&self.0),
        }
    }
}

/// [`grouped`] for a length.
pub(crate) fn grouped_len(number: usize) -> String {
    grouped(number as u64)
}

/// A number of bytes with its unit: `532 B`, `1.5 MB`; units are powers of 1000.
pub(crate) fn bytes(count: u64) -> String {
    let mut value = count as f64;
    let mut units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    for larger in units {
        // 999.95 would be printed as 1000.0.
        if value < 999.95 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    if unit == "B" { format!("{count} B") } else { format!("{value:.1} {unit}") }
}

/// A time with its unit: `12 ms`, `3.4 s`, `2 min 5 s`.
pub(crate) fn time(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        ..0.001 => "under 1 ms".to_owned(),
        ..0.9995 => format!("{:.0} ms", seconds * 1e3),
        ..99.95 => format!("{seconds:.1} s"),
        _ => format!("{} min {} s", duration.as_secs() / 60, duration.as_secs() % 60),
    }
}

/// A share as a percentage; empty for a share of nothing.
pub(crate) fn percent(part: usize, whole: usize) -> String {
    match whole {
        0 => String::new(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}

/// A number with at most two decimals.
pub(crate) fn decimal(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_have_units() {
        let texts = [0, 999, 1000, 1_550_000, 999_960_000, u64::MAX].map(bytes);
        assert_eq!(texts, ["0 B", "999 B", "1.0 kB", "1.6 MB", "1.0 GB", "18.4 EB"]);
        let texts = [0.0004, 0.0123, 0.9999, 3.44, 125.9].map(|s| time(Duration::from_secs_f64(s)));
        assert_eq!(texts, ["under 1 ms", "12 ms", "1.0 s", "3.4 s", "2 min 5 s"]);
        assert_eq!([1.0, 2.5, 3.456, 0.0].map(decimal), ["1", "2.5", "3.46", "0"]);
    }

    #[test]
    fn counts_are_numbers_while_they_fit() {
        let json = |count: u128| serde_json::to_string(&Count(count)).unwrap();
        assert_eq!(json(u64::MAX.into()), "18446744073709551615");
        assert_eq!(json(u128::from(u64::MAX) + 1), "\"18446744073709551616\"");
    }
}
