//! How large the parts of a random split are.

use std::fmt;
use std::str::FromStr;

/// Percentages of the labelled nodes that are for training, validation and test; what they leave
/// of 100 is not used.
///
/// ```
/// use motifnet::data::SplitFractions;
///
/// let fractions: SplitFractions = "10/10/10".parse()?;
/// assert_eq!(fractions.train(), 10.0);
/// assert_eq!(fractions.sizes(1000), [100, 100, 100]);
/// # Ok::<(), motifnet::data::FractionsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitFractions {
    train: f64,
    validation: f64,
    test: f64,
}

/// Why something makes no fractions.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FractionsError {
    /// Not three numbers.
    #[error(
        "{0:?}: expected three percentages, of training, validation and test nodes, such as \
         60/20/20"
    )]
    Form(String),
    /// A percentage that is none.
    #[error("{text:?}: {value} is no percentage; give numbers from 0 to 100")]
    Range {
        /// All of them.
        text: String,
        /// The one that is wrong.
        value: f64,
    },
    /// They go past all nodes.
    #[error("{text:?}: adds up to {sum} %; take some off, since 100 % are all labelled nodes")]
    Sum {
        /// All of them.
        text: String,
        /// Their sum.
        sum: f64,
    },
    /// A part that must not be empty is.
    #[error("{text:?}: leaves no {part} nodes; give them more than 0 %")]
    Nothing {
        /// All of them.
        text: String,
        /// The part without nodes.
        part: &'static str,
    },
}

impl SplitFractions {
    /// Fractions from percentages.
    ///
    /// # Errors
    /// If one is negative or no number, there would be no training or no validation nodes, or the
    /// sum is above 100.
    pub fn new(train: f64, validation: f64, test: f64) -> Result<Self, FractionsError> {
        let fractions = Self { train, validation, test };
        let text = fractions.to_string();
        let sum = train + validation + test;
        if let Some(value) =
            [train, validation, test].into_iter().find(|value| !(0.0..=100.0).contains(value))
        {
            return Err(FractionsError::Range { text, value });
        }
        // 33.3 + 33.3 + 33.4 may come out a few bits above 100.
        if sum > 100.0 * (1.0 + 1e-12) {
            return Err(FractionsError::Sum { text, sum });
        }
        for (part, value) in [("training", train), ("validation", validation)] {
            if value == 0.0 {
                return Err(FractionsError::Nothing { text, part });
            }
        }
        Ok(fractions)
    }

    /// Percentage of training nodes.
    pub fn train(&self) -> f64 {
        self.train
    }

    /// Percentage of validation nodes.
    pub fn validation(&self) -> f64 {
        self.validation
    }

    /// Percentage of test nodes.
    pub fn test(&self) -> f64 {
        self.test
    }

    /// How many of `n` nodes are for training, validation and test: the parts end where the sums
    /// of percentages round to, so each is less than one node off and together they are at most
    /// `n`.
    pub fn sizes(&self, n: usize) -> [usize; 3] {
        let end = |percent: f64| ((n as f64 * percent / 100.0).round() as usize).min(n);
        let train = end(self.train);
        let validation = end(self.train + self.validation);
        let test = end(self.train + self.validation + self.test);
        [train, validation - train, test - validation]
    }
}

impl fmt::Display for SplitFractions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.train, self.validation, self.test)
    }
}

impl FromStr for SplitFractions {
    type Err = FractionsError;

    fn from_str(text: &str) -> Result<Self, FractionsError> {
        let numbers: Result<Vec<f64>, _> =
            text.split('/').map(|part| part.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[train, validation, test]) => Self::new(train, validation, test),
            _ => Err(FractionsError::Form(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_read_and_written_alike() {
        for text in ["10/10/10", "60/20/20", "33.3/33.3/33.4", "5/95/0"] {
            assert_eq!(text.parse::<SplitFractions>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_makes_no_split_is_refused() {
        for (text, expected) in [
            (
                "10/10",
                "\"10/10\": expected three percentages, of training, validation and test nodes, \
                 such as 60/20/20",
            ),
            (
                "10/10/x",
                "\"10/10/x\": expected three percentages, of training, validation and test nodes, \
                 such as 60/20/20",
            ),
            ("10/-1/10", "\"10/-1/10\": -1 is no percentage; give numbers from 0 to 100"),
            ("10/NaN/10", "\"10/NaN/10\": NaN is no percentage; give numbers from 0 to 100"),
            (
                "60/30/20",
                "\"60/30/20\": adds up to 110 %; take some off, since 100 % are all labelled nodes",
            ),
            ("0/20/20", "\"0/20/20\": leaves no training nodes; give them more than 0 %"),
            ("20/0/20", "\"20/0/20\": leaves no validation nodes; give them more than 0 %"),
        ] {
            assert_eq!(text.parse::<SplitFractions>().unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn parts_of_few_nodes_do_not_go_past_them() {
        let fractions: SplitFractions = "50/25/25".parse().unwrap();
        assert_eq!(fractions.sizes(3), [2, 0, 1]);
        assert_eq!(fractions.sizes(0), [0, 0, 0]);
    }
}
