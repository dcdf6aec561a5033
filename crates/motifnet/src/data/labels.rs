//! The classes of the nodes.

use std::collections::BTreeSet;

/// The class of each node that has one.
///
/// ```
/// use motifnet::data::Labels;
///
/// let labels = Labels::from_names([Some("10"), None, Some("9"), Some("10")]);
/// assert_eq!(labels.classes(), ["9", "10"]);
/// assert_eq!(labels.of_nodes(), [Some(1), None, Some(0), Some(1)]);
/// assert_eq!(labels.labelled().collect::<Vec<_>>(), [0, 2, 3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    classes: Vec<String>,
    of_node: Vec<Option<u32>>,
}

/// Why something makes no labels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    /// There are more or fewer than nodes.
    #[error("{found} labels for {n_nodes} nodes; there must be one for every node")]
    Size {
        /// Labels found.
        found: usize,
        /// Nodes of the graph.
        n_nodes: usize,
    },
    /// A negative number in an array of labels.
    #[error(
        "node {node} has the label {label}, which is out of range; labels are 0, 1, 2, … and -1 \
         where there is none"
    )]
    Negative {
        /// The node.
        node: usize,
        /// Its label.
        label: i64,
    },
    /// A node of a class that does not exist.
    #[error("node {node} is of class {class}, but there are {n_classes} classes, from 0")]
    NoSuchClass {
        /// The node.
        node: usize,
        /// Its class.
        class: u32,
        /// How many there are.
        n_classes: usize,
    },
}

impl Labels {
    /// Labels from the names of the classes and the class of each node.
    ///
    /// # Errors
    /// If a node is of a class that does not exist.
    pub fn new(classes: Vec<String>, of_node: Vec<Option<u32>>) -> Result<Self, LabelError> {
        let n_classes = classes.len();
        for (node, class) in of_node.iter().enumerate() {
            if let Some(class) = *class
                && class as usize >= n_classes
            {
                return Err(LabelError::NoSuchClass { node, class, n_classes });
            }
        }
        Ok(Self { classes, of_node })
    }

    /// No classes, and so no label for any of `n_nodes` nodes.
    pub fn none(n_nodes: usize) -> Self {
        Self { classes: Vec::new(), of_node: vec![None; n_nodes] }
    }

    /// Labels from the name of each node's class. The classes stand in numeric order if all are
    /// integers, else in alphabetical order (by code points).
    pub fn from_names<S: AsRef<str>>(of_node: impl IntoIterator<Item = Option<S>>) -> Self {
        let of_node: Vec<Option<S>> = of_node.into_iter().collect();
        // Not collected, which would first make a list of all to sort it.
        let mut classes = BTreeSet::new();
        classes.extend(of_node.iter().flatten().map(AsRef::as_ref));
        let mut classes: Vec<&str> = classes.into_iter().collect();
        let integer = |name: &str| name.parse::<i64>().ok();
        if classes.iter().all(|name| integer(name).is_some()) {
            classes.sort_by_key(|name| integer(name));
        }
        let places: std::collections::BTreeMap<&str, u32> =
            classes.iter().enumerate().map(|(place, &name)| (name, place as u32)).collect();
        let class = |name: &Option<S>| name.as_ref().map(|name| places[name.as_ref()]);
        let of_node = of_node.iter().map(class).collect();
        Self { classes: classes.into_iter().map(str::to_owned).collect(), of_node }
    }

    /// Labels from integers, where -1 means none. The classes are called by their numbers.
    ///
    /// # Errors
    /// If a number is below -1.
    pub fn from_integers(of_node: &[i64]) -> Result<Self, LabelError> {
        if let Some(node) = of_node.iter().position(|&label| label < -1) {
            return Err(LabelError::Negative { node, label: of_node[node] });
        }
        let name = |&label: &i64| (label >= 0).then(|| label.to_string());
        Ok(Self::from_names(of_node.iter().map(name)))
    }

    /// Names of the classes.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.classes.len()
    }

    /// Number of nodes, labelled or not.
    pub fn n_nodes(&self) -> usize {
        self.of_node.len()
    }

    /// The class of every node.
    pub fn of_nodes(&self) -> &[Option<u32>] {
        &self.of_node
    }

    /// The class of `node`; `None` if it has none or there is no such node.
    pub fn of(&self, node: u32) -> Option<u32> {
        self.of_node.get(node as usize).copied().flatten()
    }

    /// The nodes that have a label, ascending.
    pub fn labelled(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.of_node.len() as u32).filter(|&node| self.of_node[node as usize].is_some())
    }

    /// Number of nodes that have a label.
    pub fn n_labelled(&self) -> usize {
        self.of_node.iter().flatten().count()
    }

    /// Number of nodes of each class.
    pub fn class_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.n_classes()];
        for class in self.of_node.iter().flatten() {
            sizes[*class as usize] += 1;
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_stand_in_numeric_or_alphabetical_order() {
        for (names, expected) in [
            (vec!["10", "9", "-1", "10"], vec!["-1", "9", "10"]),
            (vec!["10", "9", "a"], vec!["10", "9", "a"]),
            (vec!["1", "01"], vec!["01", "1"]),
            (vec![], vec![]),
        ] {
            let labels = Labels::from_names(names.iter().map(Some));
            assert_eq!(labels.classes(), expected);
        }
    }

    #[test]
    fn of_integers_minus_one_means_no_label() {
        let labels = Labels::from_integers(&[7, -1, 3]).unwrap();
        assert_eq!(labels.classes(), ["3", "7"]);
        assert_eq!(labels.of_nodes(), [Some(1), None, Some(0)]);
        assert_eq!((labels.n_labelled(), labels.class_sizes()), (2, vec![1, 1]));
        assert_eq!(
            Labels::from_integers(&[7, -2]).unwrap_err().to_string(),
            "node 1 has the label -2, which is out of range; labels are 0, 1, 2, … and -1 where \
             there is none"
        );
    }

    #[test]
    fn classes_must_exist() {
        assert_eq!(
            Labels::new(vec!["a".into()], vec![None, Some(1)]).unwrap_err().to_string(),
            "node 1 is of class 1, but there are 1 classes, from 0"
        );
    }
}
