//! Counts that may be too large for a JSON number.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A count, read from a JSON number or a decimal string and written as a decimal string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Count(pub(crate) u128);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.parse().map(Count).map_err(|_| {
            serde::de::Error::custom(format!("expected a whole number, found {value}"))
        })
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_strings_are_the_same_count() {
        let counts: Vec<Count> = serde_json::from_str(r#"[7, "7"]"#).unwrap();
        assert_eq!(counts, [Count(7), Count(7)]);
    }

    #[test]
    fn a_negative_count_is_refused() {
        let error = serde_json::from_str::<Count>("-7").unwrap_err().to_string();
        assert!(error.contains("expected a whole number, found -7"), "{error}");
    }
}
