//! What a setting may be, beyond its type.

use toml::Value;

use crate::data::SplitSpec;

/// What a setting may be, beyond its type. The upper bounds are far past what is of use: they keep a
/// slip from asking for the impossible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingBounds {
    /// Whatever its type allows.
    Any,
    /// A whole number between these, both included.
    Whole(i64, i64),
    /// A number between these, both included.
    Between(f64, f64),
    /// A number above 0.
    Positive,
    /// A number from 0 on, and below 1, or a list of such.
    Share,
    /// A split, as [`SplitSpec`] is written.
    Split,
}

impl SettingBounds {
    /// What is wrong with a value, if anything is.
    pub(crate) fn problem_with(self, value: &Value) -> Option<String> {
        if let (Self::Split, Value::String(text)) = (self, value) {
            return text.parse::<SplitSpec>().err().map(|error| error.to_string());
        }
        let number = match value {
            Value::Array(values) => {
                return values.iter().find_map(|value| self.problem_with(value));
            }
            Value::Integer(number) => *number as f64,
            Value::Float(number) => *number,
            Value::String(text) if matches!(self, Self::Whole(..)) => past_all_bounds(text)?,
            _ => return None,
        };
        let (is_fine, wanted) = match self {
            Self::Any | Self::Split => return None,
            Self::Whole(least, most) => (
                (least as f64..=most as f64).contains(&number),
                format!("a whole number from {least} to {most}"),
            ),
            Self::Between(least, most) => {
                ((least..=most).contains(&number), format!("a number from {least} to {most}"))
            }
            Self::Positive => (number > 0.0 && number.is_finite(), "a number above 0".to_owned()),
            Self::Share => {
                ((0.0..1.0).contains(&number), "a number from 0 on, and below 1".to_owned())
            }
        };
        (!is_fine).then(|| format!("it must be {wanted}"))
    }
}

/// A whole number that TOML has no room for, and which comes as text therefore: it is past every bound.
fn past_all_bounds(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let past = if digits == text { f64::INFINITY } else { f64::NEG_INFINITY };
    (is_whole && text.parse::<i64>().is_err()).then_some(past)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_inside_and_what_is_no_number_is_outside() {
        let whole = SettingBounds::Whole(1, 3);
        for (bounds, inside, outside) in [
            (whole, vec![1.0, 3.0], vec![0.0, 4.0, f64::NAN]),
            (SettingBounds::Between(0.0, 1e9), vec![0.0, 1e9], vec![-1e-9, 1e300, f64::INFINITY]),
            (SettingBounds::Positive, vec![1e-300], vec![0.0, -1.0, f64::INFINITY, f64::NAN]),
            (SettingBounds::Share, vec![0.0, 0.999], vec![1.0, -0.1, f64::NAN]),
        ] {
            let is_fine = |number: &f64| bounds.problem_with(&Value::Float(*number)).is_none();
            assert!(inside.iter().all(is_fine) && !outside.iter().any(is_fine), "{bounds:?}");
        }
        let list = Value::Array(vec![0.5.into(), 1.5.into()]);
        assert!(SettingBounds::Share.problem_with(&list).is_some());
        assert_eq!(whole.problem_with(&4.into()).unwrap(), "it must be a whole number from 1 to 3");
        let is_told =
            |text: &str| SettingBounds::Whole(0, i64::MAX).problem_with(&text.into()).is_some();
        assert!(is_told("9223372036854775808") && is_told("-9223372036854775809"));
        assert!(!is_told("9223372036854775807") && !is_told("many") && !is_told("-"));
    }
}
