//! How a data set says that its nodes are split.

use std::fmt;

use super::{Labels, PerClass, Split, SplitError, SplitFractions, SplitSpec};

/// How the labelled nodes of a data set are split.
#[derive(Clone, Debug, PartialEq)]
pub enum SplitRule {
    /// At random, as many as one likes.
    Fractions(SplitFractions),
    /// At random, the same percentages of every class.
    Stratified(SplitFractions),
    /// At random, so many training nodes of every class.
    PerClass(PerClass),
    /// By these, which came with the data.
    Masks(Vec<Split>),
    /// By a column that names the part of each node.
    Column {
        /// The file and its part, as it was named.
        file: String,
        /// What it says.
        split: Split,
    },
    /// By a column that tells the time of each node.
    Time {
        /// The file and its part, as it was named.
        file: String,
        /// How much of the past is for training, and so on.
        fractions: SplitFractions,
        /// What came of it.
        split: Split,
    },
}

impl SplitRule {
    /// How many fixed splits there are; `None` if they are drawn.
    pub fn n_fixed(&self) -> Option<usize> {
        match self {
            Self::Fractions(_) | Self::Stratified(_) | Self::PerClass(_) => None,
            Self::Masks(splits) => Some(splits.len()),
            Self::Column { .. } | Self::Time { .. } => Some(1),
        }
    }

    /// The split with a `number`, from 0. A fixed one does not depend on the `seed`; a drawn one
    /// comes from the `number`-th random stream of the seed, number 0 of fractions being
    /// [`Split::random`]'s.
    ///
    /// # Errors
    /// If there are not so many fixed splits, or as [`Split::random`], [`Split::stratified`] and
    /// [`Split::per_class`].
    pub fn split(&self, labels: &Labels, number: usize, seed: u64) -> Result<Split, SplitError> {
        let fixed = match self {
            Self::Fractions(fractions) => {
                return Split::random_numbered(labels, fractions, seed, number as u64);
            }
            Self::Stratified(fractions) => {
                return Split::stratified(labels, fractions, seed, number as u64);
            }
            Self::PerClass(asked) => return Split::per_class(labels, asked, seed, number as u64),
            Self::Masks(splits) => splits.as_slice(),
            Self::Column { split, .. } | Self::Time { split, .. } => std::slice::from_ref(split),
        };
        let missing = || SplitError::NoSuchSplit { number, n_fixed: fixed.len() };
        fixed.get(number).cloned().ok_or_else(missing)
    }

    /// The rule as it is written.
    pub fn spec(&self) -> SplitSpec {
        match self {
            Self::Fractions(fractions) => SplitSpec::Fractions(*fractions),
            Self::Stratified(fractions) => SplitSpec::Stratified(*fractions),
            Self::PerClass(asked) => SplitSpec::PerClass(*asked),
            Self::Masks(_) => SplitSpec::Masks,
            Self::Column { file, .. } => SplitSpec::Column { file: file.clone() },
            Self::Time { file, fractions, .. } => {
                SplitSpec::Time { file: file.clone(), fractions: *fractions }
            }
        }
    }
}

impl fmt::Display for SplitRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.spec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_splits_differ_by_number_and_seed() {
        let labels = Labels::from_integers(&[0; 50]).unwrap();
        let fractions: SplitFractions = "40/20/20".parse().unwrap();
        let asked: PerClass = "10 per class, 10, 10".parse().unwrap();
        for rule in [
            SplitRule::Fractions(fractions),
            SplitRule::Stratified(fractions),
            SplitRule::PerClass(asked),
        ] {
            let split = |number, seed| rule.split(&labels, number, seed).unwrap();
            assert_eq!(split(3, 7), split(3, 7));
            assert_ne!(split(0, 7), split(1, 7));
            assert_ne!(split(1, 7), split(0, 8));
            assert_eq!(rule.n_fixed(), None);
        }
        assert_eq!(
            SplitRule::Fractions(fractions).split(&labels, 0, 7),
            Split::random(&labels, &fractions, 7)
        );
    }

    #[test]
    fn fixed_splits_end() {
        let labels = Labels::from_integers(&[0; 3]).unwrap();
        let split = Split::new(&labels, vec![0], vec![1], vec![2]).unwrap();
        let (file, fractions) = ("f.csv#a".to_owned(), "40/30/30".parse().unwrap());
        for (rule, told) in [
            (SplitRule::Masks(vec![split.clone()]), "masks"),
            (SplitRule::Column { file: file.clone(), split: split.clone() }, "f.csv#a"),
            (SplitRule::Time { file, fractions, split: split.clone() }, "f.csv#a 40/30/30"),
        ] {
            assert_eq!((rule.n_fixed(), rule.to_string()), (Some(1), told.to_owned()));
            assert_eq!(rule.split(&labels, 0, 9).unwrap(), split);
            assert_eq!(
                rule.split(&labels, 1, 9).unwrap_err().to_string(),
                "split 1 was asked for, but the data set has 1 fixed splits, counted from 0"
            );
        }
    }
}
