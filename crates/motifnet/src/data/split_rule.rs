//! How a data set says that its nodes are split.

use super::{Labels, Split, SplitError, SplitFractions};

/// How the labelled nodes of a data set are split.
#[derive(Clone, Debug, PartialEq)]
pub enum SplitRule {
    /// At random, as many as one likes.
    Fractions(SplitFractions),
    /// By these, which came with the data.
    Masks(Vec<Split>),
}

impl SplitRule {
    /// How many fixed splits there are; `None` if they are drawn.
    pub fn n_fixed(&self) -> Option<usize> {
        match self {
            Self::Fractions(_) => None,
            Self::Masks(splits) => Some(splits.len()),
        }
    }

    /// The split with a `number`, from 0. A fixed one does not depend on the `seed`; a drawn one
    /// comes from the `number`-th random stream of the seed, number 0 being [`Split::random`]'s.
    ///
    /// # Errors
    /// If there are not so many fixed splits, or as [`Split::random`].
    pub fn split(&self, labels: &Labels, number: usize, seed: u64) -> Result<Split, SplitError> {
        match self {
            Self::Fractions(fractions) => {
                Split::random_numbered(labels, fractions, seed, number as u64)
            }
            Self::Masks(splits) => splits
                .get(number)
                .cloned()
                .ok_or(SplitError::NoSuchSplit { number, n_fixed: splits.len() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_splits_differ_by_number_and_seed() {
        let labels = Labels::from_integers(&[0; 50]).unwrap();
        let fractions: SplitFractions = "40/20/20".parse().unwrap();
        let rule = SplitRule::Fractions(fractions);
        let split = |number, seed| rule.split(&labels, number, seed).unwrap();
        assert_eq!(split(0, 7), Split::random(&labels, &fractions, 7).unwrap());
        assert_eq!(split(3, 7), split(3, 7));
        assert_ne!(split(0, 7), split(1, 7));
        assert_ne!(split(1, 7), split(0, 8));
        assert_eq!(rule.n_fixed(), None);
    }

    #[test]
    fn fixed_splits_end() {
        let labels = Labels::from_integers(&[0; 3]).unwrap();
        let fixed = Split::new(&labels, vec![0], vec![1], vec![2]).unwrap();
        let rule = SplitRule::Masks(vec![fixed.clone()]);
        assert_eq!(rule.n_fixed(), Some(1));
        assert_eq!(rule.split(&labels, 0, 9).unwrap(), fixed);
        assert_eq!(
            rule.split(&labels, 1, 9).unwrap_err().to_string(),
            "split 1 was asked for, but the data set has 1 fixed splits, counted from 0"
        );
    }
}
