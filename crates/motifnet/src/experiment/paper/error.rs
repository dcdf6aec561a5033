//! Why the evaluation stopped.

use std::path::PathBuf;

use crate::data::SplitError;
use crate::train::{RunFolderError, TrainError};

/// Why the evaluation stopped.
#[derive(Debug, thiserror::Error)]
pub enum PaperError {
    /// Data without a split.
    #[error("the data set {0} has no split of its own; pass one, as --split 10/10/10")]
    NoSplit(String),
    /// A split that cannot be drawn, or is not there.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// A folder of another evaluation.
    #[error(
        "{}: holds trainings of other data or with other settings; name another folder with --out, \
         or add --force to begin anew", .0.display()
    )]
    OtherTrainings(PathBuf),
    /// Trainings that no evaluation has made.
    #[error(
        "{}: is there already, and no {plan} beside it says that it is an evaluation's; move it away, or name \
         another folder with --out", runs.display()
    )]
    NoEvaluation {
        /// The folder of trainings.
        runs: PathBuf,
        /// What an evaluation has beside it.
        plan: &'static str,
    },
    /// A training failed.
    #[error("{entry}, split {split}: {source}")]
    Training {
        /// Which.
        entry: String,
        /// Its split, from 1.
        split: usize,
        /// What was wrong.
        source: Box<TrainError>,
    },
    /// Data or operators could not be prepared.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A file or a folder failed.
    #[error(transparent)]
    Folder(#[from] RunFolderError),
    /// Threads cannot be had.
    #[error("no thread to train on: {0}")]
    Threads(String),
    /// No model to select operators from.
    #[error("no model over all operators could be trained, so none can be selected: {0}")]
    NothingSelected(String),
}
