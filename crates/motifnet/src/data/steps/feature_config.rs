//! Which steps features go through.

use serde::{Deserialize, Serialize};

/// Which steps features go through; they are taken in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FeatureConfig {
    /// Whether columns are weighed by how rare they are: for counts of words.
    pub tf_idf: bool,
    /// Whether every row is divided by the sum of its magnitudes.
    pub normalize_rows: bool,
    /// Whether every column is brought to mean 0 and standard deviation 1.
    pub standardize: bool,
    /// More columns than this are replaced by as many principal components (fewer if there are
    /// fewer nodes).
    pub max_columns: usize,
    /// Whether all numbers are divided by their standard deviation, one for all columns.
    pub scale: bool,
}

impl Default for FeatureConfig {
    /// At most 130 columns, scaled; nothing else.
    fn default() -> Self {
        Self {
            tf_idf: false,
            normalize_rows: false,
            standardize: false,
            max_columns: 130,
            scale: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_written_is_the_default_and_what_is_unknown_is_refused() {
        let read = |text: &str| toml::from_str::<FeatureConfig>(text);
        assert_eq!(read("").unwrap(), FeatureConfig::default());
        let some = FeatureConfig { tf_idf: true, max_columns: 7, ..FeatureConfig::default() };
        assert_eq!(read("tf_idf = true\nmax_columns = 7").unwrap(), some);
        assert_eq!(read(&toml::to_string(&some).unwrap()).unwrap(), some);
        let error = read("tfidf = true").unwrap_err().to_string();
        assert!(error.contains("tfidf") && error.contains("normalize_rows"), "{error}");
    }
}
