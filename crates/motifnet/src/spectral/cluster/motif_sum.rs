//! A weighted sum of motifs, as in `M5+2*M8`.

use std::fmt;
use std::str::FromStr;

use super::ClusterError;
use crate::motif::{MotifKind, UnknownMotif};

/// Σ w_k M_k: motifs whose matrices are added up, each with a positive weight.
///
/// ```
/// use motifnet::spectral::cluster::MotifSum;
///
/// let sum: MotifSum = "M5 + 0.5*M8".parse()?;
/// assert_eq!(sum.to_string(), "M5+0.5*M8");
/// assert!("M5+out".parse::<MotifSum>().is_err());
/// # Ok::<(), motifnet::spectral::cluster::MotifSumError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MotifSum(Vec<(MotifKind, f64)>);

/// Why a text is no sum of motifs.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum MotifSumError {
    /// A name that no motif has.
    #[error("{0}; a sum is written as in M5+2*M8")]
    Motif(String),
    /// A weight that is none.
    #[error("{0:?} is no weight: it must be a positive number, as in M5+2*M8")]
    Weight(String),
    /// A motif whose matrix is not symmetric.
    #[error(transparent)]
    NotSymmetric(Box<ClusterError>),
}

impl MotifSum {
    /// The sum of `terms`; a motif that stands there several times has the sum of its weights.
    ///
    /// # Errors
    /// If a weight is not positive, or a matrix not symmetric.
    pub fn new(terms: impl IntoIterator<Item = (MotifKind, f64)>) -> Result<Self, MotifSumError> {
        let mut sum: Vec<(MotifKind, f64)> = Vec::new();
        for (kind, weight) in terms {
            if !(weight.is_finite() && weight > 0.0) {
                return Err(MotifSumError::Weight(weight.to_string()));
            }
            if !kind.is_symmetric() {
                let error = ClusterError::NotSymmetric(kind);
                return Err(MotifSumError::NotSymmetric(Box::new(error)));
            }
            match sum.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, total)) if (*total + weight).is_infinite() => {
                    return Err(MotifSumError::Weight(format!("{total:e}+{weight:e}")));
                }
                Some((_, total)) => *total += weight,
                None => sum.push((kind, weight)),
            }
        }
        if sum.is_empty() {
            return Err(MotifSumError::Motif("there is no motif".to_owned()));
        }
        Ok(Self(sum))
    }

    /// The motifs with their weights.
    pub fn terms(&self) -> &[(MotifKind, f64)] {
        &self.0
    }
}

impl fmt::Display for MotifSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (kind, weight)) in self.0.iter().enumerate() {
            let plus = if at > 0 { "+" } else { "" };
            match *weight {
                // Past these bounds decimals are a line of zeros.
                1.0 => write!(f, "{plus}{kind}")?,
                1e-5..1e16 => write!(f, "{plus}{weight}*{kind}")?,
                _ => write!(f, "{plus}{weight:e}*{kind}")?,
            }
        }
        Ok(())
    }
}

impl serde::Serialize for MotifSum {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl FromStr for MotifSum {
    type Err = MotifSumError;

    fn from_str(text: &str) -> Result<Self, MotifSumError> {
        let term = |text: &str| {
            let (weight, name) = match text.split_once('*') {
                Some((weight, name)) => {
                    let number = weight.trim().parse::<f64>();
                    (number.map_err(|_| MotifSumError::Weight(weight.trim().to_owned()))?, name)
                }
                None => (1.0, text),
            };
            let kind = name
                .parse()
                .map_err(|error: UnknownMotif| MotifSumError::Motif(error.to_string()))?;
            Ok((kind, weight))
        };
        Self::new(text.split('+').map(term).collect::<Result<Vec<_>, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_read_and_written() {
        for (text, expected) in [
            ("m6", "M6"),
            ("0.5*M5+ M6", "0.5*M5+M6"),
            ("M5+M5+U", "2*M5+U"),
            ("1*Md", "Md"),
            ("0.00001*M5+1e15*M6", "0.00001*M5+1000000000000000*M6"),
            ("0.000001*M5+5e-324*M6+2e300*U", "1e-6*M5+5e-324*M6+2e300*U"),
        ] {
            let sum: MotifSum = text.parse().unwrap();
            assert_eq!(sum.to_string(), expected);
            assert_eq!(expected.parse(), Ok(sum));
        }
    }

    #[test]
    fn what_is_no_sum_says_why() {
        let message = |text: &str| text.parse::<MotifSum>().unwrap_err().to_string();
        insta::assert_snapshot!(message("M14+M5"), @"there is no motif \"M14\"; the motifs are M1 to M13, U, out, in, Ms, Md, Mcoll and Mexpa; a sum is written as in M5+2*M8");
        insta::assert_snapshot!(message("-1*M5"), @"\"-1\" is no weight: it must be a positive number, as in M5+2*M8");
        insta::assert_snapshot!(message("1e308*M5+M6+1e308*M5"), @"\"1e308+1e308\" is no weight: it must be a positive number, as in M5+2*M8");
        insta::assert_snapshot!(message("x*M5"), @"\"x\" is no weight: it must be a positive number, as in M5+2*M8");
        insta::assert_snapshot!(message("M5+"), @"there is no motif \"\"; the motifs are M1 to M13, U, out, in, Ms, Md, Mcoll and Mexpa; a sum is written as in M5+2*M8");
        insta::assert_snapshot!(message("M5+out"), @"the matrix of `out` is not symmetric, and a cut counts what joins two sets whichever way it points; use U, which ignores directions, or a motif such as M5 or M8, which has them within");
    }
}
