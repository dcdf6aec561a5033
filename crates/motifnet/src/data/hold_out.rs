//! Some labelled nodes held back to stop training by, for who names no split.

use super::Labels;
use super::split::{Split, SplitError};
use super::split_draw::{nodes_of_classes, shuffle_first};
use crate::graph::generate::stream::Streams;

impl Split {
    /// Holds some of the labelled nodes back for validation, all others are for training: of every
    /// class about that `share`, but never its last node, and one node at least. Time and memory
    /// O(nodes).
    ///
    /// # Errors
    /// If no node is labelled, no class has two nodes, or the share is not between 0 and 1.
    ///
    /// ```
    /// use motifnet::data::{Labels, Split};
    ///
    /// let labels = Labels::from_integers(&[0, 0, 0, 0, 0, 1, -1])?;
    /// let split = Split::hold_out(&labels, 0.2, 7)?;
    /// assert_eq!((split.train().len(), split.validation().len()), (5, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hold_out(labels: &Labels, share: f64, seed: u64) -> Result<Self, SplitError> {
        if !(share > 0.0 && share < 1.0) {
            return Err(SplitError::Share { share: share.to_string() });
        }
        let mut rng = Streams::new(seed, "split hold out").block(0);
        let mut of_class: Vec<Vec<u32>> =
            nodes_of_classes(labels)?.into_iter().map(|(_, nodes)| nodes).collect();
        for nodes in &mut of_class {
            let n_nodes = nodes.len();
            shuffle_first(nodes, n_nodes, &mut rng);
        }
        let size = |nodes: &Vec<u32>| {
            let wanted = (share * nodes.len() as f64).round() as usize;
            wanted.min(nodes.len() - 1)
        };
        let mut sizes: Vec<usize> = of_class.iter().map(size).collect();
        if sizes.iter().all(|&size| size == 0) {
            // Of classes as large the first gives its node.
            let largest = (0..sizes.len()).rev().max_by_key(|&class| of_class[class].len());
            match largest.filter(|&class| of_class[class].len() > 1) {
                Some(class) => sizes[class] = 1,
                None => return Err(SplitError::NoneToSpare { n_labelled: labels.n_labelled() }),
            }
        }
        let (mut train, mut validation) = (Vec::new(), Vec::new());
        for (mut nodes, size) in of_class.into_iter().zip(sizes) {
            train.extend(nodes.drain(size..));
            validation.extend(nodes);
        }
        Self::new(labels, train, validation, Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_class_keeps_a_node_and_none_is_lost(
            classes in prop::collection::vec(-1_i64..5, 1..80),
            share in 0.01_f64..0.99,
            seed in any::<u64>(),
        ) {
            let labels = Labels::from_integers(&classes).unwrap();
            let Ok(split) = Split::hold_out(&labels, share, seed) else {
                prop_assert!(labels.class_sizes().into_iter().all(|size| size < 2));
                return Ok(());
            };
            prop_assert_eq!(split.train().len() + split.validation().len(), labels.n_labelled());
            let mut found: Vec<u32> =
                split.train().iter().filter_map(|&node| labels.of(node)).collect();
            found.sort_unstable();
            found.dedup();
            prop_assert_eq!(found.len(), labels.n_classes());
            prop_assert_eq!(Split::hold_out(&labels, share, seed).unwrap(), split);
        }
    }

    #[test]
    fn what_cannot_be_held_back_is_told() {
        let labels = Labels::from_integers(&[0, 1]).unwrap();
        let message = |share| Split::hold_out(&labels, share, 0).unwrap_err().to_string();
        assert_eq!(
            message(0.5),
            "none of 2 labelled nodes can be held back for validation, since each is the only one of \
             its class; label more of them, or name the validation nodes"
        );
        assert_eq!(
            message(1.0),
            "1 of the labelled nodes cannot be held back; give a share above 0 and below 1"
        );
    }
}
