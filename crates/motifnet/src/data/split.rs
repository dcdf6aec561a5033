//! Which nodes a network is trained on, which stop it, and which judge it.

use std::fmt;

use super::split_draw::shuffle_first;
use super::{Labels, SplitFractions};
use crate::graph::generate::stream::Streams;

/// Training, validation and test nodes: labelled, each in at most one part, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    train: Vec<u32>,
    validation: Vec<u32>,
    test: Vec<u32>,
}

/// A part of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The nodes whose labels are learnt from.
    Train,
    /// The nodes that say when to stop.
    Validation,
    /// The nodes that judge the result.
    Test,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Train => "training",
            Self::Validation => "validation",
            Self::Test => "test",
        })
    }
}

/// Why something makes no split.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SplitError {
    /// A node that does not exist.
    #[error("{part} node {node} does not exist: the nodes go from 0 to {}", *n_nodes as i64 - 1)]
    OutOfRange {
        /// The part that names it.
        part: Part,
        /// The node.
        node: u32,
        /// Number of nodes.
        n_nodes: usize,
    },
    /// A node without a label.
    #[error("{part} node {node} has no label; leave it out")]
    Unlabelled {
        /// The part that names it.
        part: Part,
        /// The node.
        node: u32,
    },
    /// A node that a part names twice.
    #[error("{part} node {node} is listed twice; list it once")]
    Repeated {
        /// The part that names it.
        part: Part,
        /// The node.
        node: u32,
    },
    /// A node in two parts.
    #[error("node {node} is both a {first} and a {second} node; keep it in one of the parts")]
    Overlap {
        /// The node.
        node: u32,
        /// A part that names it.
        first: Part,
        /// The other.
        second: Part,
    },
    /// A part that must not be empty is.
    #[error("there are no {0} nodes; a split needs some")]
    Empty(Part),
    /// A part that must not be empty gets no nodes.
    #[error("{rule} of {n_labelled} labelled nodes leaves no {part} nodes; raise that percentage")]
    TooFew {
        /// The split that was asked for.
        rule: String,
        /// Nodes to split.
        n_labelled: usize,
        /// The part without nodes.
        part: Part,
    },
    /// No node could be held back without leaving its class with none.
    #[error(
        "none of {n_labelled} labelled nodes can be held back for validation, since each is the only \
         one of its class; label more of them, or name the validation nodes"
    )]
    NoneToSpare {
        /// Nodes with a label.
        n_labelled: usize,
    },
    /// A share that leaves nothing.
    #[error("{share} of the labelled nodes cannot be held back; give a share above 0 and below 1")]
    Share {
        /// The share.
        share: String,
    },
    /// A class that is too small for a split that treats all alike.
    #[error(
        "class {class:?} has {n_labelled} labelled nodes, too few for the split {rule}; lower what \
         is asked for, label more of them, or leave their labels out"
    )]
    SmallClass {
        /// The class.
        class: String,
        /// Its labelled nodes.
        n_labelled: usize,
        /// The split that was asked for.
        rule: String,
    },
    /// Fewer nodes than are asked for are left beside the training nodes.
    #[error(
        "{rule} leaves {n_left} labelled nodes beside the training nodes, fewer than are asked \
         for; ask for fewer"
    )]
    SmallRest {
        /// The split that was asked for.
        rule: String,
        /// Labelled nodes that are not for training.
        n_left: usize,
    },
    /// A labelled node whose time is not known.
    #[error("node {node} has a label but no time; give it one, or leave its label out")]
    NoTime {
        /// The node.
        node: u32,
    },
    /// Nodes of the same time fill more than a part.
    #[error(
        "{fractions} by time leaves no {part} nodes, since nodes of the same time stay together; \
         take other percentages, or a finer time"
    )]
    SameTime {
        /// The percentages.
        fractions: SplitFractions,
        /// The part without nodes.
        part: Part,
    },
    /// There is nothing to split.
    #[error("none of the {n_nodes} nodes has a label; add `labels` to the data set")]
    NoLabels {
        /// Number of nodes.
        n_nodes: usize,
    },
    /// A split past the fixed ones.
    #[error(
        "split {number} was asked for, but the data set has {n_fixed} fixed splits, counted from 0"
    )]
    NoSuchSplit {
        /// The one that was asked for.
        number: usize,
        /// How many there are.
        n_fixed: usize,
    },
}

impl Split {
    /// A split from the nodes of its parts, in any order.
    ///
    /// # Errors
    /// If a node does not exist, has no label or is named twice, or there are no training or no
    /// validation nodes.
    pub fn new(
        labels: &Labels,
        train: Vec<u32>,
        validation: Vec<u32>,
        test: Vec<u32>,
    ) -> Result<Self, SplitError> {
        let n_nodes = labels.n_nodes();
        let mut split = Self { train, validation, test };
        let mut part_of: Vec<Option<Part>> = vec![None; n_nodes];
        for (part, nodes) in [
            (Part::Train, &mut split.train),
            (Part::Validation, &mut split.validation),
            (Part::Test, &mut split.test),
        ] {
            nodes.sort_unstable();
            for &node in nodes.iter() {
                let Some(slot) = part_of.get_mut(node as usize) else {
                    return Err(SplitError::OutOfRange { part, node, n_nodes });
                };
                match slot.replace(part) {
                    None => {}
                    Some(first) if first == part => {
                        return Err(SplitError::Repeated { part, node });
                    }
                    Some(first) => return Err(SplitError::Overlap { node, first, second: part }),
                }
                if labels.of(node).is_none() {
                    return Err(SplitError::Unlabelled { part, node });
                }
            }
            if nodes.is_empty() && part != Part::Test {
                return Err(SplitError::Empty(part));
            }
        }
        Ok(split)
    }

    /// Draws a split of the labelled nodes, every choice of parts as likely as any other. The same
    /// labels, fractions and seed give the same split on every machine.
    ///
    /// # Errors
    /// If no node is labelled, or so few that no training or no validation node is drawn.
    pub fn random(
        labels: &Labels,
        fractions: &SplitFractions,
        seed: u64,
    ) -> Result<Self, SplitError> {
        Self::random_numbered(labels, fractions, seed, 0)
    }

    /// The `number`-th of the splits that a seed gives; number 0 is that of [`Split::random`].
    pub(super) fn random_numbered(
        labels: &Labels,
        fractions: &SplitFractions,
        seed: u64,
        number: u64,
    ) -> Result<Self, SplitError> {
        let mut nodes: Vec<u32> = labels.labelled().collect();
        let n_labelled = nodes.len();
        if n_labelled == 0 {
            return Err(SplitError::NoLabels { n_nodes: labels.n_nodes() });
        }
        let sizes @ [n_train, n_validation, _] = fractions.sizes(n_labelled);
        for (part, size) in [(Part::Train, n_train), (Part::Validation, n_validation)] {
            if size == 0 {
                return Err(SplitError::TooFew { rule: fractions.to_string(), n_labelled, part });
            }
        }
        let n_drawn = sizes.iter().sum();
        shuffle_first(&mut nodes, n_drawn, &mut Streams::new(seed, "split").block(number));
        let mut part = |size| {
            let mut part: Vec<u32> = nodes.drain(..size).collect();
            part.sort_unstable();
            part
        };
        Ok(Self { train: part(sizes[0]), validation: part(sizes[1]), test: part(sizes[2]) })
    }

    /// Training nodes, ascending.
    pub fn train(&self) -> &[u32] {
        &self.train
    }

    /// Validation nodes, ascending.
    pub fn validation(&self) -> &[u32] {
        &self.validation
    }

    /// Test nodes, ascending; perhaps none.
    pub fn test(&self) -> &[u32] {
        &self.test
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn labels(n: usize) -> Labels {
        Labels::from_integers(&(0..n as i64).map(|node| node % 3).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn parts_are_sorted_and_checked() {
        let mut some: Vec<i64> = vec![0; 6];
        some[5] = -1;
        let labels = Labels::from_integers(&some).unwrap();
        let split = Split::new(&labels, vec![4, 0], vec![2], vec![]).unwrap();
        assert_eq!(
            (split.train(), split.validation(), split.test()),
            (&[0, 4][..], &[2][..], &[][..])
        );
        for (train, validation, test, expected) in [
            (
                vec![0],
                vec![6],
                vec![],
                "validation node 6 does not exist: the nodes go from 0 to 5",
            ),
            (vec![0], vec![1], vec![5], "test node 5 has no label; leave it out"),
            (vec![0, 0], vec![1], vec![], "training node 0 is listed twice; list it once"),
            (
                vec![0, 3],
                vec![1],
                vec![3],
                "node 3 is both a training and a test node; keep it in one of the parts",
            ),
            (vec![], vec![1], vec![], "there are no training nodes; a split needs some"),
            (vec![1], vec![], vec![0], "there are no validation nodes; a split needs some"),
        ] {
            let error = Split::new(&labels, train, validation, test).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn too_few_nodes_are_refused() {
        let fractions: SplitFractions = "10/10/10".parse().unwrap();
        assert_eq!(
            Split::random(&labels(4), &fractions, 1).unwrap_err().to_string(),
            "10/10/10 of 4 labelled nodes leaves no training nodes; raise that percentage"
        );
        assert_eq!(
            Split::random(&Labels::none(4), &fractions, 1).unwrap_err().to_string(),
            "none of the 4 nodes has a label; add `labels` to the data set"
        );
    }

    #[test]
    fn every_node_is_as_likely_in_every_part() {
        let (labels, fractions) = (labels(10), "20/30/10".parse().unwrap());
        let mut counts = [[0_u32; 10]; 3];
        for seed in 0..10_000 {
            let split = Split::random(&labels, &fractions, seed).unwrap();
            for (part, nodes) in [&split.train, &split.validation, &split.test].iter().enumerate() {
                nodes.iter().for_each(|&node| counts[part][node as usize] += 1);
            }
        }
        // 5 standard deviations of a binomial(10000, 0.3) are 229.
        for (counts, expected) in counts.iter().zip([2000, 3000, 1000]) {
            assert!(counts.iter().all(|count| count.abs_diff(expected) < 230), "{counts:?}");
        }
    }

    #[test]
    fn the_draw_is_what_it_always_was() {
        use crate::graph::generate::stream::below;

        let (labels, fractions) = (labels(1000), "10/10/10".parse().unwrap());
        for (seed, number) in [(0, 0), (7, 3)] {
            let mut rng = Streams::new(seed, "split").block(number);
            let mut nodes: Vec<u32> = (0..1000).collect();
            for place in 0..300 {
                let other = place + below(&mut rng, 1000 - place as u64) as usize;
                nodes.swap(place, other);
            }
            let expected = Split::new(
                &labels,
                nodes[..100].to_vec(),
                nodes[100..200].to_vec(),
                nodes[200..300].to_vec(),
            );
            let found = Split::random_numbered(&labels, &fractions, seed, number);
            assert_eq!(found, expected);
        }
    }

    proptest! {
        #[test]
        fn random_parts_are_disjoint_of_the_right_size_and_the_same_again(
            classes in prop::collection::vec(-1_i64..4, 1..300),
            percents in (1_u32..=50, 1_u32..=30, 0_u32..=20),
            seed in any::<u64>(),
        ) {
            let labels = Labels::from_integers(&classes).unwrap();
            let (train, validation, test) = percents;
            let fractions =
                SplitFractions::new(train.into(), validation.into(), test.into()).unwrap();
            let Ok(split) = Split::random(&labels, &fractions, seed) else {
                prop_assert!(labels.n_labelled() < 100);
                return Ok(());
            };
            for (part, percent) in
                [(&split.train, train), (&split.validation, validation), (&split.test, test)]
            {
                let exact = labels.n_labelled() as f64 * f64::from(percent) / 100.0;
                prop_assert!((part.len() as f64 - exact).abs() <= 1.0);
                prop_assert!(part.is_sorted_by(|a, b| a < b));
            }
            let Split { train, validation, test } = split.clone();
            prop_assert_eq!(Split::new(&labels, train, validation, test).unwrap(), split.clone());
            prop_assert_eq!(Split::random(&labels, &fractions, seed).unwrap(), split);
        }
    }
}
