//! Why a training run cannot be, or cannot go on.

use std::path::PathBuf;

use super::model::ModelKind;
use super::run_folder::RunFolderError;
use crate::data::DataError;
use crate::io::{StoredFileError, WriteError};
use crate::memory::MemoryError;
use crate::motif::MotifKind;
use crate::nn::NetworkError;
use crate::spectral::{KrylovError, LaplacianError};

/// What is wrong with the data, the model or the machine.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The network makes no sense.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The features cannot be prepared.
    #[error(transparent)]
    Data(#[from] DataError),
    /// An operator cannot be built.
    #[error(transparent)]
    Laplacian(#[from] LaplacianError),
    /// Eigenvectors are not found.
    #[error(transparent)]
    Eigenvectors(#[from] KrylovError),
    /// The eigenvectors cannot be kept.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A checkpoint or a model cannot be read.
    #[error(transparent)]
    File(#[from] StoredFileError),
    /// The folder of the run.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// A run without a model.
    #[error(
        "{}: no model yet; let the run come to its end with motifnet train --resume {}",
        path.display(), path.display()
    )]
    NoModel {
        /// The folder.
        path: PathBuf,
    },
    /// A run of several models.
    #[error("{}: has a model for every split; name one of them, as {}", path.display(), example.display())]
    SeveralModels {
        /// The folder.
        path: PathBuf,
        /// The folder of one split.
        example: PathBuf,
    },
    /// A model that learns nothing.
    #[error(
        "{model} learns nothing that could be kept: it only spreads the labels of its own graph; train \
         motifnet-m, chebnet or gcn instead"
    )]
    NothingLearnt {
        /// The model.
        model: ModelKind,
    },
    /// Parameters that are not those of the network.
    #[error("{found} parameters for a network of {expected}")]
    Parameters {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// Columns that the model knows and the data set does not have.
    #[error(
        "the features lack {n_missing} of the {n_wanted} columns that the model was trained on, such as \
         {first:?}; give it a table with the same columns"
    )]
    MissingColumns {
        /// How many are missing.
        n_missing: usize,
        /// How many there should be.
        n_wanted: usize,
        /// One of them.
        first: String,
    },
    /// Nothing between features and outputs.
    #[error("the network has no hidden layer to give; train it with --dense 2")]
    NoHiddenLayer,
    /// A checkpoint of something else.
    #[error(
        "{}: belongs to another run: its configuration or its data have changed since; put them back, \
         or train into another folder",
        path.display()
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
    },
    /// An operator that is not symmetric, for a model that needs one that is.
    #[error(
        "{model} needs a symmetric operator, and {operator} is not; take U or a motif, or chebnet, gcn \
         or monet, which work on any"
    )]
    NotSymmetric {
        /// The model.
        model: ModelKind,
        /// The operator.
        operator: MotifKind,
    },
    /// A model that holds on its own graph alone was given another.
    #[error(
        "{model} computes in the eigenvectors of the graph that it was trained on, and this is another; train it \
         anew, or any model but spectral and spline"
    )]
    AnotherGraph {
        /// The model.
        model: ModelKind,
    },
    /// An operator too dense to be stored entry by entry.
    #[error(
        "monet weighs every neighbour, and {operator} has too many to store; take U, in, out or a \
         motif with three arcs or more, or --support edges"
    )]
    TooManyNeighbours {
        /// The operator.
        operator: MotifKind,
    },
    /// Nothing to learn.
    #[error(
        "the data set {name} has no labels; name a file with the key `labels` of its dataset.toml"
    )]
    NoLabels {
        /// The data set.
        name: String,
    },
    /// Nothing to learn from, or to choose by.
    #[error("there are no {part} nodes; {remedy}")]
    Empty {
        /// Which part of the split.
        part: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A node of the split that is not in the graph.
    #[error("the {part} nodes include {node}, and the graph has {n_nodes} nodes, from 0 on")]
    NoSuchNode {
        /// Which part of the split.
        part: &'static str,
        /// The node.
        node: u32,
        /// How many there are.
        n_nodes: usize,
    },
    /// A node of the split has no label.
    #[error("node {node} is among the {part} nodes and has no label; give it one, or leave it out")]
    NoLabel {
        /// Which part of the split.
        part: &'static str,
        /// The node.
        node: u32,
    },
    /// A class that is none.
    #[error("node {node} has class {class}, and there are {n_classes} classes, from 0 on")]
    NoSuchClass {
        /// The node.
        node: u32,
        /// Its class.
        class: u32,
        /// How many there are.
        n_classes: usize,
    },
    /// A node in two parts.
    #[error("node {node} is among the {} nodes and among the {} nodes; a node has one part", parts[0], parts[1])]
    Overlap {
        /// The node.
        node: u32,
        /// The parts.
        parts: [&'static str; 2],
    },
    /// A feature that is not a number.
    #[error(
        "feature {column} of node {node} is {value}; fill or drop what is missing before training"
    )]
    NotFinite {
        /// The node.
        node: usize,
        /// The column.
        column: usize,
        /// The value.
        value: f32,
    },
    /// Sizes that do not fit together.
    #[error("{what} {found}, and the graph has {n_nodes} nodes")]
    Size {
        /// What has the wrong size.
        what: String,
        /// Its size.
        found: usize,
        /// The number of nodes.
        n_nodes: usize,
    },
    /// More memory than there is.
    #[error("{0}")]
    Memory(#[from] MemoryError),
    /// Two columns of one name, where columns go by their names.
    #[error("two columns of the features are called {name:?}; give them different names")]
    RepeatedColumn {
        /// The name.
        name: String,
    },
    /// What is learnt is no number any more.
    #[error(
        "the gradients of epoch {epoch} are too large for 32-bit numbers; scale the features, or lower \
         the learning rate"
    )]
    Overflow {
        /// The epoch.
        epoch: usize,
    },
    /// The loss is no number any more.
    #[error("the loss is {loss} at epoch {epoch}; lower the learning rate, or scale the features")]
    Diverged {
        /// The epoch.
        epoch: usize,
        /// The loss.
        loss: f64,
    },
}

impl TrainError {
    /// Whether the model that was chosen is the reason, so that another on the same data may do: a
    /// search goes on after it. What is wrong with the data or with files would stop any other, too.
    pub fn is_due_to_the_model(&self) -> bool {
        matches!(
            self,
            Self::Network(_)
                | Self::Laplacian(_)
                | Self::Eigenvectors(_)
                | Self::NotSymmetric { .. }
                | Self::TooManyNeighbours { .. }
                | Self::Memory(_)
                | Self::Diverged { .. }
                | Self::Overflow { .. }
        )
    }
}
