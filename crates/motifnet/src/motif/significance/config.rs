//! What is asked for.

use std::path::PathBuf;

use super::super::Instances;
use crate::choice::words;
use crate::io::WriteError;
use crate::memory::MemoryError;

/// What randomised graphs have in common with the real one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NullModel {
    /// The numbers of arcs into and out of every node.
    #[default]
    Degree,
    /// For every node, the numbers of neighbours by one arc in, by one arc out, and by arcs both ways.
    DegreeReciprocal,
    /// The numbers of nodes and of arcs.
    Erdos,
}

words!(
    NullModel,
    "null",
    Degree = "degree",
    DegreeReciprocal = "degree+reciprocal",
    Erdos = "erdos",
);

/// How significance is found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignificanceConfig {
    /// What randomised graphs keep.
    pub null: NullModel,
    /// Number of randomised graphs, at least 2.
    pub n_samples: usize,
    /// Switches tried for every arc between one sample and the next, at least 1; before the first sample
    /// of a chain ten times as many. A null model that needs no switches ignores it.
    pub switches: usize,
    /// What an instance is.
    pub instances: Instances,
    /// Whether nodes are compared, too.
    pub per_node: bool,
    /// Where all draws come from.
    pub seed: u64,
}

impl Default for SignificanceConfig {
    /// 100 samples of ten switches an arc that keep degrees.
    fn default() -> Self {
        Self {
            null: NullModel::default(),
            n_samples: 100,
            switches: 10,
            instances: Instances::default(),
            per_node: false,
            seed: 0,
        }
    }
}

/// Why nothing can be said of significance.
#[derive(Debug, thiserror::Error)]
pub enum SignificanceError {
    /// Too few samples.
    #[error("{0} samples: a standard deviation needs at least 2")]
    TooFewSamples(usize),
    /// No switches.
    #[error("0 switches an arc: every sample would be the graph itself")]
    NoSwitches,
    /// More memory than there is.
    #[error("{0}")]
    Memory(#[from] MemoryError),
    /// No threads to be had.
    #[error("the system has no threads to give: {0}")]
    Threads(String),
    /// Samples that were kept, and cannot be gone on from.
    #[error("{path}: {reason}; name another file, or delete it to begin anew", path = path.display())]
    Kept {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Samples cannot be kept.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl SignificanceConfig {
    pub(super) fn check(&self) -> Result<(), SignificanceError> {
        if self.n_samples < 2 {
            return Err(SignificanceError::TooFewSamples(self.n_samples));
        }
        if self.switches == 0 && self.null != NullModel::Erdos {
            return Err(SignificanceError::NoSwitches);
        }
        Ok(())
    }
}
