//! So many training nodes of every class.

use std::fmt;
use std::str::FromStr;

/// The same number of training nodes of every class, and what of the other labelled nodes is for
/// validation and test.
///
/// ```
/// use motifnet::data::PerClass;
///
/// let planetoid: PerClass = "20 per class, 500, 1000".parse()?;
/// assert_eq!(planetoid.train(), 20);
/// assert_eq!(planetoid.rest_sizes(2568), Some([500, 1000]));
/// let halves: PerClass = "20 per class".parse()?;
/// assert_eq!(halves.to_string(), "20 per class, 50 %, 50 %");
/// # Ok::<(), motifnet::data::PerClassError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerClass {
    train: usize,
    rest: Rest,
}

/// What is taken of the nodes that are not for training.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rest {
    /// So many for validation and test.
    Counts(usize, usize),
    /// So many per cent.
    Percents(f64, f64),
}

/// Why something is no number of nodes per class.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PerClassError {
    /// Not of the form.
    #[error(
        "{0:?}: expected `20 per class`, perhaps with validation and test nodes, as in `20 per \
         class, 500, 1000` or `20 per class, 30 %, 70 %`"
    )]
    Form(String),
    /// A part that must not be empty is.
    #[error("{text:?}: leaves no {part} nodes; ask for one at least")]
    Nothing {
        /// What was asked for.
        text: String,
        /// The part without nodes.
        part: &'static str,
    },
    /// Percentages that are none.
    #[error(
        "{text:?}: {validation} % and {test} % of the rest are no parts of it; give numbers from 0 \
         to 100 that add up to 100 at most"
    )]
    Percents {
        /// What was asked for.
        text: String,
        /// Percentage of validation nodes.
        validation: f64,
        /// Percentage of test nodes.
        test: f64,
    },
}

impl PerClass {
    /// `train` nodes of every class, and of the others so many for validation and test.
    ///
    /// # Errors
    /// If there are no training or no validation nodes.
    pub fn with_counts(
        train: usize,
        validation: usize,
        test: usize,
    ) -> Result<Self, PerClassError> {
        Self { train, rest: Rest::Counts(validation, test) }.checked()
    }

    /// `train` nodes of every class, and of the others so many per cent for validation and test.
    ///
    /// # Errors
    /// If there are no training or no validation nodes, or the percentages go past 100.
    pub fn with_percents(train: usize, validation: f64, test: f64) -> Result<Self, PerClassError> {
        Self { train, rest: Rest::Percents(validation, test) }.checked()
    }

    fn checked(self) -> Result<Self, PerClassError> {
        let text = self.to_string();
        let n_validation = match self.rest {
            Rest::Counts(validation, _) => validation as f64,
            Rest::Percents(validation, test) => {
                let is_percent = |percent: f64| (0.0..=100.0).contains(&percent);
                // 33.3 + 66.7 may come out a few bits above 100.
                let fits = validation + test <= 100.0 * (1.0 + 1e-12);
                if !is_percent(validation) || !is_percent(test) || !fits {
                    return Err(PerClassError::Percents { text, validation, test });
                }
                validation
            }
        };
        if self.train == 0 {
            return Err(PerClassError::Nothing { text, part: "training" });
        }
        if n_validation == 0.0 {
            return Err(PerClassError::Nothing { text, part: "validation" });
        }
        Ok(self)
    }

    /// Training nodes of every class.
    pub fn train(&self) -> usize {
        self.train
    }

    /// How many of `n` nodes that are not for training are for validation and test; `None` if more
    /// are asked for.
    pub fn rest_sizes(&self, n: usize) -> Option<[usize; 2]> {
        match self.rest {
            Rest::Counts(validation, test) => {
                validation.checked_add(test).filter(|&sum| sum <= n).map(|_| [validation, test])
            }
            Rest::Percents(validation, test) => {
                let end = |percent: f64| ((n as f64 * percent / 100.0).round() as usize).min(n);
                let validation_end = end(validation);
                Some([validation_end, end(validation + test) - validation_end])
            }
        }
    }
}

impl fmt::Display for PerClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} per class", self.train)?;
        match self.rest {
            Rest::Counts(validation, test) => write!(f, ", {validation}, {test}"),
            Rest::Percents(validation, test) => write!(f, ", {validation} %, {test} %"),
        }
    }
}

impl FromStr for PerClass {
    type Err = PerClassError;

    fn from_str(text: &str) -> Result<Self, PerClassError> {
        let form = || PerClassError::Form(text.to_owned());
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let number = parts[0].strip_suffix("per class").and_then(|word| word.trim().parse().ok());
        let train: usize = number.ok_or_else(form)?;
        let percent = |part: &str| -> Option<f64> { part.strip_suffix('%')?.trim().parse().ok() };
        match parts[1..] {
            [] => Self::with_percents(train, 50.0, 50.0),
            [validation, test] => {
                if let (Some(validation), Some(test)) = (percent(validation), percent(test)) {
                    return Self::with_percents(train, validation, test);
                }
                let validation = validation.parse().map_err(|_| form())?;
                Self::with_counts(train, validation, test.parse().map_err(|_| form())?)
            }
            _ => Err(form()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_understood_and_told() {
        for (text, expected) in [
            ("20 per class", "20 per class, 50 %, 50 %"),
            ("1 per class, 5, 0", "1 per class, 5, 0"),
            ("7 per class,30%,  69.5 %", "7 per class, 30 %, 69.5 %"),
        ] {
            assert_eq!(text.parse::<PerClass>().unwrap().to_string(), expected);
        }
    }

    #[test]
    fn parts_of_the_rest_do_not_go_past_it() {
        let sizes = |text: &str, n| text.parse::<PerClass>().unwrap().rest_sizes(n);
        assert_eq!(sizes("1 per class, 5, 6", 11), Some([5, 6]));
        assert_eq!(sizes("1 per class, 5, 6", 10), None);
        assert_eq!(sizes("1 per class", 5), Some([3, 2]));
        assert_eq!(sizes("1 per class, 10 %, 20 %", 10), Some([1, 2]));
        let most = format!("1 per class, {0}, {0}", usize::MAX);
        assert_eq!(sizes(&most, usize::MAX), None);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let form = "expected `20 per class`, perhaps with validation and test nodes, as in `20 \
                    per class, 500, 1000` or `20 per class, 30 %, 70 %`";
        for (text, expected) in [
            ("x per class", form),
            ("20 per class, 5", form),
            ("20 per class, 5, 6, 7", form),
            ("20 per class, 5, 6 %", form),
            ("20 per class, -5, 6", form),
        ] {
            let error = text.parse::<PerClass>().unwrap_err().to_string();
            assert_eq!(error, format!("{text:?}: {expected}"));
        }
        for (text, expected) in [
            (
                "0 per class, 5, 6",
                "\"0 per class, 5, 6\": leaves no training nodes; ask for one at least",
            ),
            (
                "3 per class, 0, 6",
                "\"3 per class, 0, 6\": leaves no validation nodes; ask for one at least",
            ),
            (
                "3 per class, 60 %, 60 %",
                "\"3 per class, 60 %, 60 %\": 60 % and 60 % of the rest are no parts of it; give \
                 numbers from 0 to 100 that add up to 100 at most",
            ),
        ] {
            assert_eq!(text.parse::<PerClass>().unwrap_err().to_string(), expected);
        }
    }
}
