//! Features that the graph itself gives.

use super::Features;
use crate::choice::words;
use crate::graph::DiGraph;
use crate::memory::MemoryError;
use crate::motif::MotifEngine;
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
}
