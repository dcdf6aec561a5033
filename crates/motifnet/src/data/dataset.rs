//! A graph with what is known of its nodes.

use super::read::NodeIndex;
use super::{Contract, Features, Labels, SplitRule};
use crate::graph::{DiGraph, NodeNames};

/// A graph whose nodes may have names, features and labels, and how they are split for training.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDataset {
    /// What the data set is called.
    pub name: String,
    /// The graph.
    pub graph: DiGraph,
    /// What its nodes are called.
    pub names: NodeNames,
    /// What is known of each node.
    pub features: Features,
    /// What the columns of the features are called, if they come from a table that names them.
    pub feature_names: Option<Vec<String>>,
    /// The class of each node; none has one where the data set tells no labels.
    pub labels: Labels,
    /// Which nodes are for training, validation and test, if the data set says so.
    pub split: Option<SplitRule>,
    /// What the files turned out to say, in numbers.
    pub contract: Contract,
    /// What was dropped, merged or added on the way, and how the files were understood.
    pub notes: Vec<String>,
}

impl NodeDataset {
    /// Number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.graph.n_nodes()
    }

    /// The node of that name.
    pub fn node(&self, name: &str) -> Option<u32> {
        NodeIndex::new(&self.names).find(name)
    }

    /// Number of feature columns; 0 if there are no features.
    pub fn n_features(&self) -> usize {
        self.features.width(self.n_nodes())
    }
}
