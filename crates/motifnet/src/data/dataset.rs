//! A graph with what is known of its nodes.

use super::contract::Told;
use super::read::NodeIndex;
use super::{Contract, DataError, Features, LabelError, Labels, SplitRule};
use crate::graph::{Cleaning, DiGraph, NodeNames};

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
    /// A data set of what is in memory already; its nodes are called by their numbers, and `features`
    /// says in a word where the features come from.
    ///
    /// # Errors
    /// If features or labels do not fit the graph.
    pub fn new(
        name: &str,
        graph: DiGraph,
        (features, origin): (Features, &str),
        labels: Labels,
    ) -> Result<Self, DataError> {
        let n_nodes = graph.n_nodes();
        features.check(n_nodes)?;
        if labels.n_nodes() != n_nodes {
            let wrong = LabelError::Size { found: labels.n_nodes(), n_nodes };
            return Err(DataError::Told { told_in: None, message: wrong.to_string() });
        }
        let direction = "arcs point from sources to targets".to_owned();
        let cleaning = Cleaning { arcs_read: graph.n_arcs() as u64, ..Cleaning::default() };
        let told = Told { direction, cleaning, features: Some(origin.to_owned()) };
        let contract = Contract::new(&graph, &features, &labels, None, told);
        Ok(Self {
            name: name.to_owned(),
            graph,
            names: NodeNames::Indices(n_nodes),
            features,
            feature_names: None,
            labels,
            split: None,
            contract,
            notes: Vec::new(),
        })
    }

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
