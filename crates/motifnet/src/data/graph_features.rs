//! Features that the graph itself gives.

use super::Features;
use crate::choice::words;
use crate::graph::DiGraph;
use crate::memory::{MemoryError, Need};
use crate::motif::{MotifEngine, N_ROLES, N_TRIADS};
use crate::progress::Progress;

/// Features that the graph itself gives, by the word that stands where a file could.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphFeatures {
    /// Which node it is.
    OneHot,
    /// Its numbers of arcs.
    Degrees,
    /// How often it takes part in each motif.
    Motifs,
    /// How often it plays each role.
    Roles,
}

words!(
    GraphFeatures,
    "features",
    OneHot = "one-hot",
    Degrees = "degrees",
    Motifs = "motifs",
    Roles = "roles",
);

impl GraphFeatures {
    /// Whether they mean the same on another graph.
    pub fn can_move(self) -> bool {
        self != Self::OneHot
    }

    pub(super) fn of(
        self,
        graph: &DiGraph,
        progress: &dyn Progress,
    ) -> Result<Features, MemoryError> {
        self.need(graph.n_nodes()).check()?;
        if matches!(self, Self::Motifs | Self::Roles) {
            MotifEngine::check_memory(graph)?;
        }
        Ok(match self {
            Self::OneHot => Features::OneHot,
            Self::Degrees => Features::degrees(graph),
            Self::Motifs => Features::motifs(graph, progress),
            Self::Roles => Features::roles(graph, progress),
        })
    }

    /// What the features of so many nodes take: a number a column, and the count that it is the logarithm of.
    fn need(self, n_nodes: usize) -> Need {
        let (number, count) = (size_of::<f32>(), size_of::<u64>());
        let bytes_a_node = match self {
            Self::OneHot => 0,
            Self::Degrees => 3 * number,
            Self::Motifs => N_TRIADS * (number + count),
            Self::Roles => N_ROLES * (number + count),
        };
        Need {
            what: "the table of features",
            n_bytes: (bytes_a_node * n_nodes) as u64,
            remedy: "take features of fewer columns",
        }
    }
}
