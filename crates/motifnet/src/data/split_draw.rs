//! Splits that treat all classes alike, and splits by time.

use rand_chacha::ChaCha8Rng;

use super::split::{Part, Split, SplitError};
use super::{Labels, PerClass, SplitFractions};
use crate::graph::generate::stream::{Streams, below};

/// Puts `n` of the `nodes` first, every choice and order of them as likely as any other.
pub(super) fn shuffle_first(nodes: &mut [u32], n: usize, rng: &mut ChaCha8Rng) {
    for place in 0..n {
        let other = place + below(rng, (nodes.len() - place) as u64) as usize;
        nodes.swap(place, other);
    }
}

impl Split {
    /// Draws the same percentages of every class: each part has less than one node of a class more
    /// or less than its percentage. The `number`-th of the splits that a seed gives. Time and
    /// memory O(nodes).
    ///
    /// # Errors
    /// If no node is labelled, or so few of a class that none would be for training, or so few in
    /// all that none would be for validation.
    pub fn stratified(
        labels: &Labels,
        fractions: &SplitFractions,
        seed: u64,
        number: u64,
    ) -> Result<Self, SplitError> {
        let rule = || format!("stratified {fractions}");
        let mut rng = Streams::new(seed, "split stratified").block(number);
        let (mut train, mut validation, mut test) = (Vec::new(), Vec::new(), Vec::new());
        for (class, mut nodes) in nodes_of_classes(labels)? {
            let n_labelled = nodes.len();
            let [n_train, n_validation, n_test] = fractions.sizes(n_labelled);
            if n_train == 0 {
                return Err(SplitError::SmallClass { class, n_labelled, rule: rule() });
            }
            shuffle_first(&mut nodes, n_train + n_validation + n_test, &mut rng);
            let mut nodes = nodes.into_iter();
            train.extend(nodes.by_ref().take(n_train));
            validation.extend(nodes.by_ref().take(n_validation));
            test.extend(nodes.take(n_test));
        }
        if validation.is_empty() {
            let (n_labelled, part) = (labels.n_labelled(), Part::Validation);
            return Err(SplitError::TooFew { rule: rule(), n_labelled, part });
        }
        Self::new(labels, train, validation, test)
    }

    /// Draws so many training nodes of every class, then validation and test nodes of the others,
    /// whatever their class. The `number`-th of the splits that a seed gives. Time and memory
    /// O(nodes).
    ///
    /// # Errors
    /// If no node is labelled, fewer of a class than are asked for, or too few are left beside the
    /// training nodes.
    pub fn per_class(
        labels: &Labels,
        per_class: &PerClass,
        seed: u64,
        number: u64,
    ) -> Result<Self, SplitError> {
        let mut rng = Streams::new(seed, "split per class").block(number);
        let (mut train, mut rest) = (Vec::new(), Vec::new());
        for (class, mut nodes) in nodes_of_classes(labels)? {
            let n_labelled = nodes.len();
            if n_labelled < per_class.train() {
                let rule = per_class.to_string();
                return Err(SplitError::SmallClass { class, n_labelled, rule });
            }
            shuffle_first(&mut nodes, per_class.train(), &mut rng);
            rest.extend(nodes.drain(per_class.train()..));
            train.extend(nodes);
        }
        let small = || SplitError::SmallRest { rule: per_class.to_string(), n_left: rest.len() };
        let sizes = per_class.rest_sizes(rest.len()).filter(|sizes| sizes[0] > 0);
        let [n_validation, n_test] = sizes.ok_or_else(small)?;
        // The order of the rest must not depend on how the training nodes were drawn.
        rest.sort_unstable();
        shuffle_first(&mut rest, n_validation + n_test, &mut rng);
        rest.truncate(n_validation + n_test);
        let test = rest.split_off(n_validation);
        Self::new(labels, train, rest, test)
    }

    /// Splits the labelled nodes by `times`, one for every node: the earliest are for training, the
    /// next for validation, then test. Nodes of the same time are all in one part: a part ends
    /// between two times, as near to its percentage as can be (the earlier of two as near). Time
    /// O(nodes · log nodes).
    ///
    /// # Errors
    /// If no node is labelled, a labelled one has no time, or no training or no validation nodes
    /// are left.
    ///
    /// ```
    /// use motifnet::data::{Labels, Split};
    ///
    /// let labels = Labels::from_integers(&[0, 1, 0, 1, 0])?;
    /// let years = [2003, 2001, 2002, 2001, 2001].map(Some);
    /// let split = Split::by_time(&labels, &years, &"50/30/20".parse()?)?;
    /// assert_eq!((split.train(), split.validation()), (&[1, 3, 4][..], &[2][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_time<T: Ord>(
        labels: &Labels,
        times: &[Option<T>],
        fractions: &SplitFractions,
    ) -> Result<Self, SplitError> {
        let time = |node: u32| times.get(node as usize).and_then(Option::as_ref);
        let mut nodes: Vec<u32> = labels.labelled().collect();
        if nodes.is_empty() {
            return Err(SplitError::NoLabels { n_nodes: labels.n_nodes() });
        }
        if let Some(&node) = nodes.iter().find(|&&node| time(node).is_none()) {
            return Err(SplitError::NoTime { node });
        }
        nodes.sort_by_key(|&node| time(node));
        let is_between = |&place: &usize| {
            place == 0 || place == nodes.len() || time(nodes[place - 1]) != time(nodes[place])
        };
        let edges: Vec<usize> = (0..=nodes.len()).filter(is_between).collect();
        let mut wanted = 0;
        let ends = fractions.sizes(nodes.len()).map(|size| {
            wanted += size;
            nearest(&edges, wanted)
        });
        for (part, start, end) in [(Part::Train, 0, ends[0]), (Part::Validation, ends[0], ends[1])]
        {
            if start == end {
                return Err(SplitError::SameTime { fractions: *fractions, part });
            }
        }
        let part = |start: usize, end: usize| nodes[start..end].to_vec();
        Self::new(labels, part(0, ends[0]), part(ends[0], ends[1]), part(ends[1], ends[2]))
    }
}

/// The one of the ascending `edges` that is nearest to `wanted`, the lower of two as near.
fn nearest(edges: &[usize], wanted: usize) -> usize {
    edges.iter().copied().min_by_key(|edge| edge.abs_diff(wanted)).unwrap_or(0)
}

/// The labelled nodes of each class that has any, ascending.
pub(super) fn nodes_of_classes(labels: &Labels) -> Result<Vec<(String, Vec<u32>)>, SplitError> {
    let mut of_class: Vec<(String, Vec<u32>)> =
        labels.classes().iter().map(|class| (class.clone(), Vec::new())).collect();
    for node in labels.labelled() {
        if let Some(class) = labels.of(node) {
            of_class[class as usize].1.push(node);
        }
    }
    // An archive may name classes that no node has.
    of_class.retain(|(_, nodes)| !nodes.is_empty());
    if of_class.is_empty() {
        return Err(SplitError::NoLabels { n_nodes: labels.n_nodes() });
    }
    Ok(of_class)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fractions(text: &str) -> SplitFractions {
        text.parse().unwrap()
    }

    fn per_class(text: &str) -> PerClass {
        text.parse().unwrap()
    }

    /// The number of nodes of each class in a part.
    fn counts(labels: &Labels, nodes: &[u32]) -> Vec<usize> {
        let mut counts = vec![0; labels.n_classes()];
        nodes.iter().for_each(|&node| counts[labels.of(node).unwrap() as usize] += 1);
        counts
    }

    #[test]
    fn too_few_nodes_are_refused() {
        let labels = Labels::from_names(["a", "a", "a", "b", "a"].map(Some));
        let error = |result: Result<Split, SplitError>| result.unwrap_err().to_string();
        assert_eq!(
            error(Split::stratified(&labels, &fractions("40/20/40"), 1, 0)),
            "class \"b\" has 1 labelled nodes, too few for the split stratified 40/20/40; lower \
             what is asked for, label more of them, or leave their labels out"
        );
        assert_eq!(
            error(Split::stratified(&labels, &fractions("80/5/15"), 1, 0)),
            "stratified 80/5/15 of 5 labelled nodes leaves no validation nodes; raise that \
             percentage"
        );
        assert_eq!(
            error(Split::per_class(&labels, &per_class("2 per class, 1, 1"), 1, 0)),
            "class \"b\" has 1 labelled nodes, too few for the split 2 per class, 1, 1; lower \
             what is asked for, label more of them, or leave their labels out"
        );
        assert_eq!(
            error(Split::per_class(&labels, &per_class("1 per class, 2, 2"), 1, 0)),
            "1 per class, 2, 2 leaves 3 labelled nodes beside the training nodes, fewer than are \
             asked for; ask for fewer"
        );
        for result in [
            Split::stratified(&Labels::none(3), &fractions("40/20/40"), 1, 0),
            Split::per_class(&Labels::none(3), &per_class("2 per class"), 1, 0),
            Split::by_time(&Labels::none(3), &[Some(1); 3], &fractions("40/20/40")),
        ] {
            assert_eq!(
                error(result),
                "none of the 3 nodes has a label; add `labels` to the data set"
            );
        }
    }

    #[test]
    fn classes_without_nodes_do_not_count() {
        let labels = Labels::new(vec!["a".into(), "b".into()], vec![Some(1); 4]).unwrap();
        let split = Split::per_class(&labels, &per_class("1 per class, 1, 2"), 1, 0).unwrap();
        assert_eq!((split.train().len(), split.test().len()), (1, 2));
        assert!(Split::stratified(&labels, &fractions("50/25/25"), 1, 0).is_ok());
    }

    #[test]
    fn times_must_be_there_and_differ() {
        let labels = Labels::from_integers(&[0, 0, 0, -1]).unwrap();
        let error = |times: [Option<i32>; 4], text| {
            Split::by_time(&labels, &times, &fractions(text)).unwrap_err().to_string()
        };
        assert_eq!(
            error([Some(1), None, Some(2), None], "34/33/33"),
            "node 1 has a label but no time; give it one, or leave its label out"
        );
        assert_eq!(
            error([Some(5), Some(5), Some(5), None], "34/33/33"),
            "34/33/33 by time leaves no training nodes, since nodes of the same time stay \
             together; take other percentages, or a finer time"
        );
        assert_eq!(
            error([Some(5), Some(5), Some(6), None], "50/30/20"),
            "50/30/20 by time leaves no validation nodes, since nodes of the same time stay \
             together; take other percentages, or a finer time"
        );
    }

    proptest! {
        #[test]
        fn strata_are_within_one_node(
            classes in prop::collection::vec(-1_i64..4, 1..200),
            percents in (1_u32..=60, 1_u32..=20, 0_u32..=20),
            seed in any::<u64>(),
        ) {
            let labels = Labels::from_integers(&classes).unwrap();
            let (train, validation, test) = percents;
            let fractions =
                SplitFractions::new(train.into(), validation.into(), test.into()).unwrap();
            let Ok(split) = Split::stratified(&labels, &fractions, seed, 2) else {
                let smallest = labels.class_sizes().into_iter().min().unwrap_or(0) as f64;
                let few = smallest * f64::from(train) < 50.0;
                prop_assert!(few || labels.n_labelled() as f64 * f64::from(validation) < 400.0);
                return Ok(());
            };
            let sizes = labels.class_sizes();
            for (part, percent) in
                [(split.train(), train), (split.validation(), validation), (split.test(), test)]
            {
                for (count, &size) in counts(&labels, part).into_iter().zip(&sizes) {
                    let exact = size as f64 * f64::from(percent) / 100.0;
                    prop_assert!((count as f64 - exact).abs() <= 1.0, "{count} of {exact}");
                }
            }
            prop_assert!(counts(&labels, split.train()).iter().all(|&count| count > 0));
            prop_assert_eq!(&Split::stratified(&labels, &fractions, seed, 2).unwrap(), &split);
        }

        #[test]
        fn every_class_has_its_training_nodes(
            classes in prop::collection::vec(-1_i64..4, 30..200),
            train in 1_usize..6,
            rest in (1_usize..20, 0_usize..20),
            seed in any::<u64>(),
        ) {
            let labels = Labels::from_integers(&classes).unwrap();
            let asked = PerClass::with_counts(train, rest.0, rest.1).unwrap();
            let Ok(split) = Split::per_class(&labels, &asked, seed, 1) else {
                let n_rest = labels.n_labelled().saturating_sub(train * labels.n_classes());
                let few = labels.class_sizes().into_iter().any(|size| size < train);
                prop_assert!(few || n_rest < rest.0 + rest.1);
                return Ok(());
            };
            prop_assert!(counts(&labels, split.train()).iter().all(|&count| count == train));
            prop_assert_eq!((split.validation().len(), split.test().len()), rest);
            prop_assert_eq!(&Split::per_class(&labels, &asked, seed, 1).unwrap(), &split);
        }

        #[test]
        fn the_past_comes_first_and_ties_stay_together(
            nodes in prop::collection::vec((-1_i64..3, 0_u8..12), 1..120),
            percents in (1_u32..=60, 1_u32..=20, 0_u32..=20),
        ) {
            let (classes, times): (Vec<i64>, Vec<u8>) = nodes.into_iter().unzip();
            let labels = Labels::from_integers(&classes).unwrap();
            let times: Vec<Option<u8>> = times.into_iter().map(Some).collect();
            let (train, validation, test) = percents;
            let fractions =
                SplitFractions::new(train.into(), validation.into(), test.into()).unwrap();
            let Ok(split) = Split::by_time(&labels, &times, &fractions) else { return Ok(()) };
            let time = |&node: &u32| times[node as usize];
            let part_of = |node: u32| {
                [split.train(), split.validation(), split.test()]
                    .iter()
                    .position(|part| part.contains(&node))
                    .unwrap_or(3)
            };
            let labelled: Vec<u32> = labels.labelled().collect();
            for (a, b) in labelled.iter().flat_map(|a| labelled.iter().map(move |b| (a, b))) {
                if time(a) < time(b) {
                    prop_assert!(part_of(*a) <= part_of(*b));
                } else if time(a) == time(b) {
                    prop_assert_eq!(part_of(*a), part_of(*b));
                }
            }
            // No end of a part could be nearer to its percentage.
            let exact = fractions.sizes(labelled.len())[0];
            let off = split.train().len().abs_diff(exact);
            for moment in 0..12 {
                let before = labelled.iter().filter(|&node| time(node) < Some(moment)).count();
                prop_assert!(before.abs_diff(exact) >= off);
            }
        }
    }
}
