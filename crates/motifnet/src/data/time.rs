//! Moments as tables write them.

use std::cmp::Ordering;

/// A moment: a number, such as a year, or a date. Only moments of one kind are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Time {
    /// Any finite number.
    Number(f64),
    /// Days since 0000-03-01, and nanoseconds of the day.
    Date(i64, u64),
}

impl Time {
    /// What is expected, for messages.
    pub(super) const FORMS: &str = "a number or a date such as 2019-05-31 or 2019-05-31T12:30:00Z";

    /// Reads a finite number, or an ISO 8601 date, perhaps with a time of day in UTC.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Ok(number) = text.parse::<f64>() {
            // The two zeros are one moment.
            return number.is_finite().then_some(Self::Number(number + 0.0));
        }
        let (date, clock) = match text.split_once(['T', ' ']) {
            Some((date, clock)) => (date, Some(clock.strip_suffix('Z').unwrap_or(clock))),
            None => (text, None),
        };
        Some(Self::Date(days(date)?, clock.map_or(Some(0), nanoseconds)?))
    }

    pub(super) fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Date(day, time), Self::Date(other_day, other_time)) => {
                (day, time).cmp(&(other_day, other_time))
            }
            (Self::Number(_), Self::Date(..)) => Ordering::Less,
            (Self::Date(..), Self::Number(_)) => Ordering::Greater,
        }
    }
}

/// Digits alone, as many as asked for.
fn digits(text: &str, length: usize) -> Option<u64> {
    let is_plain = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| text.parse().ok())?
}

/// The day of `YYYY-MM-DD`.
fn days(date: &str) -> Option<i64> {
    let mut parts = date.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let (year, month, day) = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + u64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if parts.next().is_some() || !(1..=length).contains(&day) {
        return None;
    }
    // The year begins in March, so that the leap day is its last.
    let (year, month) = (year as i64 - i64::from(month < 3), (month as i64 + 9) % 12);
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(365 * year + leap_days + (153 * month + 2) / 5 + day as i64 - 1)
}

/// The nanoseconds of `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction`.
fn nanoseconds(clock: &str) -> Option<u64> {
    let mut parts = clock.split(':');
    let (hour, minute) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let (second, fraction) = match parts.next() {
        None => (0, 0),
        Some(seconds) => {
            let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
            let places = fraction.len().clamp(1, 9);
            // Places past the ninth are digits, too, or this is no time.
            if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let fraction = digits(fraction.get(..places)?, places)?;
            (digits(whole, 2)?, fraction * 10_u64.pow(9 - places as u32))
        }
    };
    // 60 is a leap second.
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    Some((3600 * hour + 60 * minute + second) * 1_000_000_000 + fraction)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn moments_stand_in_order() {
        for ascending in [
            vec!["-3", "-0", "7", "1e3", "2019"],
            vec![
                "0000-01-01",
                "1999-12-31",
                "2000-02-28",
                "2000-02-29",
                "2000-03-01",
                "2000-03-01T00:00:00.000000001",
                "2000-03-01 00:01",
                "2000-03-01T23:59:59.5Z",
                "2000-03-02",
            ],
        ] {
            let times: Vec<Time> =
                ascending.iter().map(|text| Time::parse(text).unwrap()).collect();
            assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
            assert!(times.windows(2).all(|pair| pair[0].is_like(&pair[1])));
        }
        assert_eq!(Time::parse("-0"), Time::parse("0"));
        assert_eq!(Time::parse("2000-01-01"), Time::parse("2000-01-01T00:00:00Z"));
    }

    #[test]
    fn days_follow_each_other() {
        let between = |first: &str, last: &str| days(last).unwrap() - days(first).unwrap();
        assert_eq!(between("1970-01-01", "2000-01-01"), 10_957);
        assert_eq!(between("1900-02-28", "1900-03-01"), 1);
        assert_eq!(between("1600-01-01", "2000-01-01"), 146_097);
        assert_eq!(between("2023-12-31", "2024-01-01"), 1);
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "",
            "x",
            "NaN",
            "inf",
            "2019-13-01",
            "2019-02-29",
            "2019-2-3",
            "2019-01",
            "2019-01-01-",
            "2019-01-01T24:00",
            "2019-01-01T10",
            "2019-01-01T10:00:00.",
            "2019-01-01T10:00:00.éééééé",
            "2019-01-01T10:00:00+02:00",
            "31.05.2019",
        ] {
            assert_eq!(Time::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "[0-9TZ:. -]{0,24}", any in "\\PC{0,20}") {
            let _ = (Time::parse(&text), Time::parse(&any));
        }
    }
}
