//! What a data set turned out to be: the counts that a user checks before believing a result.

use std::fmt;

use serde::Serialize;

use super::{Features, Labels, SplitRule};
use crate::graph::{Cleaning, DiGraph};
use crate::io::text::{grouped, plural};

/// How the files of a data set were understood, in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contract {
    /// Number of nodes.
    pub n_nodes: usize,
    /// Number of arcs, after cleaning.
    pub n_arcs: usize,
    /// Nodes with an arc.
    pub n_with_arcs: usize,
    /// Nodes without arcs.
    pub n_isolated: usize,
    /// Which way arcs point, in words.
    pub direction: String,
    /// What was dropped or merged.
    pub cleaning: Cleaning,
    /// Nodes with features: all of them or none.
    pub n_with_features: usize,
    /// Columns of features.
    pub n_features: usize,
    /// Where the features come from, as it was told; `None` if there are none.
    pub features: Option<String>,
    /// Nodes with a label.
    pub n_labelled: usize,
    /// Number of classes.
    pub n_classes: usize,
    /// The class with the fewest labelled nodes, the first of several.
    pub smallest_class: Option<ClassSize>,
    /// The class with the most labelled nodes, the first of several.
    pub largest_class: Option<ClassSize>,
    /// How the labelled nodes are split, as it is written.
    pub split: Option<String>,
}

/// A class and its labelled nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassSize {
    /// What the class is called.
    pub name: String,
    /// Its labelled nodes.
    pub n_nodes: usize,
}

/// What a contract is made of beside the counts.
pub(super) struct Told {
    pub(super) direction: String,
    pub(super) cleaning: Cleaning,
    pub(super) features: Option<String>,
}

impl Contract {
    pub(super) fn new(
        graph: &DiGraph,
        features: &Features,
        labels: &Labels,
        split: Option<&SplitRule>,
        told: Told,
    ) -> Self {
        let n_nodes = graph.n_nodes();
        let is_isolated = |node: &u32| {
            graph.out_neighbors(*node).is_empty() && graph.in_neighbors(*node).is_empty()
        };
        let n_isolated = (0..n_nodes as u32).filter(is_isolated).count();
        let sizes = labels.class_sizes().into_iter().zip(labels.classes());
        let sizes: Vec<ClassSize> =
            sizes.map(|(n_nodes, name)| ClassSize { name: name.clone(), n_nodes }).collect();
        let has_features = !matches!(features, Features::None);
        Self {
            n_nodes,
            n_arcs: graph.n_arcs(),
            n_with_arcs: n_nodes - n_isolated,
            n_isolated,
            direction: told.direction,
            cleaning: told.cleaning,
            n_with_features: if has_features { n_nodes } else { 0 },
            n_features: features.width(n_nodes),
            features: told.features.filter(|_| has_features),
            n_labelled: labels.n_labelled(),
            n_classes: labels.n_classes(),
            smallest_class: sizes.iter().min_by_key(|size| size.n_nodes).cloned(),
            // Of equal ones `max_by_key` takes the last.
            largest_class: sizes.iter().rev().max_by_key(|size| size.n_nodes).cloned(),
            split: split.map(SplitRule::to_string),
        }
    }

    /// The contract in short lines, what is told aligned.
    ///
    /// ```text
    /// nodes      2,995, 30 of them without arcs
    /// arcs       8,416; 1 self-loop dropped
    /// direction  arcs point from column `source` to column `target`
    /// features   2,879 columns of cora_ml.npz
    /// labels     2,995 nodes of 7 classes, from 168 of "4" to 857 of "3"
    /// split      10/10/10
    /// ```
    pub fn lines(&self) -> Vec<String> {
        let count = |number: usize| grouped(number as u64);
        let isolated = match self.n_isolated {
            0 => String::new(),
            n => format!(", {} of them without arcs", count(n)),
        };
        let dropped = self.cleaning.describe().map_or(String::new(), |told| format!("; {told}"));
        let features = match &self.features {
            None => "none".to_owned(),
            Some(told) => {
                format!("{} of {told}", plural(self.n_features as u64, "column", "columns"))
            }
        };
        let labels = match (&self.smallest_class, &self.largest_class) {
            (Some(smallest), Some(largest)) => {
                let unlabelled = match self.n_nodes - self.n_labelled {
                    0 => String::new(),
                    n => format!("; {n} of {} nodes have no label", self.n_nodes),
                };
                let told =
                    |class: &ClassSize| format!("{} of {:?}", count(class.n_nodes), class.name);
                let sizes = match smallest.n_nodes == largest.n_nodes {
                    true => format!("{} of each", count(smallest.n_nodes)),
                    false => format!("from {} to {}", told(smallest), told(largest)),
                };
                format!(
                    "{} of {}, {sizes}{unlabelled}",
                    plural(self.n_labelled as u64, "node", "nodes"),
                    plural(self.n_classes as u64, "class", "classes")
                )
            }
            _ => "none".to_owned(),
        };
        let lines = [
            ("nodes", format!("{}{isolated}", count(self.n_nodes))),
            ("arcs", format!("{}{dropped}", count(self.n_arcs))),
            ("direction", self.direction.clone()),
            ("features", features),
            ("labels", labels),
            ("split", self.split.clone().unwrap_or_else(|| "none".to_owned())),
        ];
        lines.into_iter().map(|(what, told)| format!("{what:<9}  {told}")).collect()
    }
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{BuildOptions, EdgeList};

    fn contract(features: &Features, labels: &Labels, split: Option<&SplitRule>) -> Contract {
        let arcs = EdgeList::from_pairs(4, [(0, 1), (1, 1), (1, 2), (0, 1)]);
        let (graph, cleaning) = DiGraph::build(arcs, &BuildOptions::default()).unwrap();
        let told = Told { direction: "row to column".into(), cleaning, features: Some("f".into()) };
        Contract::new(&graph, features, labels, split, told)
    }

    #[test]
    fn lines_are_short_and_aligned() {
        let labels = Labels::from_names([Some("b"), Some("a"), Some("b"), None]);
        let rule = SplitRule::Fractions("60/20/20".parse().unwrap());
        let full = contract(&Features::OneHot, &labels, Some(&rule));
        assert_eq!(
            full.to_string(),
            "nodes      4, 1 of them without arcs\n\
             arcs       2; 1 self-loop dropped, 1 repeated arc merged\n\
             direction  row to column\n\
             features   4 columns of f\n\
             labels     3 nodes of 2 classes, from 1 of \"a\" to 2 of \"b\"; 1 of 4 nodes have no label\n\
             split      60/20/20"
        );
        let bare = contract(&Features::None, &Labels::none(4), None);
        assert_eq!(bare.lines()[3..], ["features   none", "labels     none", "split      none"]);
        assert_eq!((bare.features, bare.n_with_features), (None, 0));
    }

    #[test]
    fn of_equal_classes_the_first_is_told() {
        let labels = Labels::from_integers(&[0, 1, 2, 2]).unwrap();
        let found = contract(&Features::None, &labels, None);
        assert_eq!(found.smallest_class, Some(ClassSize { name: "0".into(), n_nodes: 1 }));
        let labels = Labels::from_integers(&[0, 0, 2, 2]).unwrap();
        let found = contract(&Features::None, &labels, None);
        assert_eq!(found.largest_class, Some(ClassSize { name: "0".into(), n_nodes: 2 }));
        let json = serde_json::to_value(&found).unwrap();
        assert_eq!((&json["n_isolated"], &json["cleaning"]["self_loops"]), (&1.into(), &1.into()));
    }
}
