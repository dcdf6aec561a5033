//! How a split is written: one syntax for descriptions, configurations and the command line.

use std::fmt;
use std::str::FromStr;

use super::{FractionsError, PerClass, PerClassError, SplitFractions};

/// A split as it is written, before any file is read.
///
/// | text | meaning |
/// |---|---|
/// | `60/20/20` | percentages of the labelled nodes, drawn at random |
/// | `stratified 60/20/20` | the same of every class, within one node |
/// | `20 per class` | so many training nodes of every class; half of the others validates, half tests |
/// | `20 per class, 500, 1000` | the same with numbers of validation and test nodes |
/// | `20 per class, 30 %, 70 %` | the same with percentages of the others |
/// | `masks` | the fixed splits of the npz archive |
/// | `file.csv#split` | a column of the words `train`, `validation` (or `val`) and `test`; empty is unused |
/// | `file.csv#year 60/20/20` | by time, the past for training; nodes of one time stay together |
///
/// ```
/// use motifnet::data::SplitSpec;
///
/// let spec: SplitSpec = "papers.csv#year 60/20/20".parse()?;
/// assert_eq!(spec.to_string(), "papers.csv#year 60/20/20");
/// # Ok::<(), motifnet::data::SplitSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SplitSpec {
    /// Percentages of the labelled nodes.
    Fractions(SplitFractions),
    /// Percentages of every class.
    Stratified(SplitFractions),
    /// So many training nodes of every class.
    PerClass(PerClass),
    /// The fixed splits of an archive.
    Masks,
    /// A column of words.
    Column {
        /// The file and its part, as in `file.csv#split`.
        file: String,
    },
    /// Percentages in the order of a column of numbers or dates.
    Time {
        /// The file and its part, as in `file.csv#year`.
        file: String,
        /// How much of the past is for training, and so on.
        fractions: SplitFractions,
    },
}

/// Why a text is no split.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SplitSpecError {
    /// None of the forms.
    #[error(
        "{0:?}: expected percentages such as 60/20/20 or `stratified 60/20/20`, or `20 per class`, \
         `masks`, `file.csv#column`, or `file.csv#time 60/20/20`"
    )]
    Form(String),
    /// Percentages that are none.
    #[error(transparent)]
    Fractions(#[from] FractionsError),
    /// Numbers per class that are none.
    #[error(transparent)]
    PerClass(#[from] PerClassError),
}

const MASKS: &str = "masks";
const STRATIFIED: &str = "stratified";

impl fmt::Display for SplitSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fractions(fractions) => write!(f, "{fractions}"),
            Self::Stratified(fractions) => write!(f, "{STRATIFIED} {fractions}"),
            Self::PerClass(per_class) => write!(f, "{per_class}"),
            Self::Masks => f.write_str(MASKS),
            Self::Column { file } => f.write_str(file),
            Self::Time { file, fractions } => write!(f, "{file} {fractions}"),
        }
    }
}

impl FromStr for SplitSpec {
    type Err = SplitSpecError;

    fn from_str(text: &str) -> Result<Self, SplitSpecError> {
        let text = text.trim();
        let (before, last) = match text.rsplit_once(char::is_whitespace) {
            Some((before, last)) => (before.trim_end(), last),
            None => ("", text),
        };
        let is_fractions =
            last.contains('/') && last.split('/').all(|part| part.parse::<f64>().is_ok());
        if is_file(before) && is_fractions {
            return Ok(Self::Time { file: before.to_owned(), fractions: last.parse()? });
        }
        match text {
            MASKS => Ok(Self::Masks),
            _ if is_file(text) => Ok(Self::Column { file: text.to_owned() }),
            _ if before == STRATIFIED => Ok(Self::Stratified(last.parse()?)),
            _ if text.contains("per class") => Ok(Self::PerClass(text.parse()?)),
            _ if text.starts_with(|first: char| first.is_ascii_digit()) => {
                Ok(Self::Fractions(text.parse()?))
            }
            _ => Err(SplitSpecError::Form(text.to_owned())),
        }
    }
}

/// Whether a text names a column of a file, or the one array of a file.
fn is_file(text: &str) -> bool {
    text.contains('#') || text.ends_with(".npy")
}

impl TryFrom<String> for SplitSpec {
    type Error = SplitSpecError;

    fn try_from(text: String) -> Result<Self, SplitSpecError> {
        text.parse()
    }
}

impl From<SplitSpec> for String {
    fn from(spec: SplitSpec) -> Self {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spec(text: &str) -> SplitSpec {
        text.parse().unwrap()
    }

    #[test]
    fn every_form_is_understood() {
        let fractions: SplitFractions = "60/20/20".parse().unwrap();
        let file = |file: &str| file.to_owned();
        for (text, expected) in [
            (" 60/20/20 ", SplitSpec::Fractions(fractions)),
            ("60 / 20 / 20", SplitSpec::Fractions(fractions)),
            ("stratified  60/20/20", SplitSpec::Stratified(fractions)),
            ("9 per class, 5, 6", SplitSpec::PerClass(PerClass::with_counts(9, 5, 6).unwrap())),
            ("masks", SplitSpec::Masks),
            ("a/b/c d.csv#part", SplitSpec::Column { file: file("a/b/c d.csv#part") }),
            ("f.csv#part 5", SplitSpec::Column { file: file("f.csv#part 5") }),
            ("f.csv#used in", SplitSpec::Column { file: file("f.csv#used in") }),
            ("s.npy", SplitSpec::Column { file: file("s.npy") }),
            ("a b.csv#year 60/20/20", SplitSpec::Time { file: file("a b.csv#year"), fractions }),
        ] {
            assert_eq!(spec(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_split_is_refused() {
        let error = |text: &str| text.parse::<SplitSpec>().unwrap_err().to_string();
        assert_eq!(
            error("mask"),
            "\"mask\": expected percentages such as 60/20/20 or `stratified 60/20/20`, or `20 per \
             class`, `masks`, `file.csv#column`, or `file.csv#time 60/20/20`"
        );
        assert_eq!(error(""), error("mask").replacen("mask", "", 1));
        assert_eq!(
            error("60/20"),
            "\"60/20\": expected three percentages, of training, validation and test nodes, such \
             as 60/20/20"
        );
        assert_eq!(
            error("f.csv#year 60/30/20"),
            "\"60/30/20\": adds up to 110 %; take some off, since 100 % are all labelled nodes"
        );
        assert_eq!(
            error("0 per class, 1, 1"),
            "\"0 per class, 1, 1\": leaves no training nodes; ask for one at least"
        );
    }

    #[test]
    fn a_split_is_text_in_configurations() {
        let value = serde_json::to_value(spec("stratified 10/10/10")).unwrap();
        assert_eq!(value, "stratified 10/10/10");
        assert_eq!(
            serde_json::from_value::<SplitSpec>(value).unwrap(),
            spec("stratified 10/10/10")
        );
        assert!(serde_json::from_value::<SplitSpec>("10/10".into()).is_err());
    }

    fn specs() -> impl Strategy<Value = SplitSpec> {
        let fractions = (1_u32..400, 1_u32..300, 0_u32..300).prop_map(|(a, b, c)| {
            let percent = |tenths: u32| f64::from(tenths) / 10.0;
            SplitFractions::new(percent(a), percent(b), percent(c)).unwrap()
        });
        let file = "[a-z]{1,5}( [a-z]{1,3})?\\.csv#[a-z]{1,6}";
        prop_oneof![
            fractions.clone().prop_map(SplitSpec::Fractions),
            fractions.clone().prop_map(SplitSpec::Stratified),
            (1_usize..99, 1_usize..999, 0_usize..999)
                .prop_map(|(k, v, t)| SplitSpec::PerClass(PerClass::with_counts(k, v, t).unwrap())),
            (1_usize..99, 1_u32..50, 0_u32..50).prop_map(|(k, v, t)| {
                SplitSpec::PerClass(PerClass::with_percents(k, v.into(), t.into()).unwrap())
            }),
            Just(SplitSpec::Masks),
            file.prop_map(|file| SplitSpec::Column { file }),
            (file, fractions).prop_map(|(file, fractions)| SplitSpec::Time { file, fractions }),
        ]
    }

    proptest! {
        #[test]
        fn what_is_told_is_understood(split in specs()) {
            prop_assert_eq!(spec(&split.to_string()), split);
        }

        #[test]
        fn no_text_is_too_odd(text in "\\PC{0,30}") {
            if let Ok(split) = text.parse::<SplitSpec>() {
                prop_assert_eq!(spec(&split.to_string()), split);
            }
        }
    }
}
