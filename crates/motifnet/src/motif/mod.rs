//! The thirteen directed three-vertex motifs: counts, census, roles and operators.
//!
//! ```text
//! DiGraph → Pattern (S with relations) → triangle pass → MotifEngine → census, roles, operators
//! ```

mod assemble;
mod census;
mod clustering;
mod dyad;
mod edge_array;
mod edge_totals;
mod edge_view;
mod engine;
mod explicit;
mod factor;
mod instances;
mod kind;
mod operator;
#[cfg(test)]
pub(crate) mod oracle;
mod parts;
mod pattern;
#[cfg(test)]
mod properties;
mod relation;
mod roles;
mod significance;
mod sketch;
mod spec;
mod triad;
mod triangles;
mod weighted;

pub use census::{TRIAD_NAMES, TriadCensus};
pub use clustering::{ClusteringKind, NodeClustering, mean_clustering};
pub use engine::MotifEngine;
pub use explicit::{DEFAULT_SIZE_WORK, MatrixSize};
pub use instances::{PairInstances, instances};
pub use kind::{MotifKind, N_TRIADS, Shape, UnknownMotif};
pub use operator::{MatrixTooLarge, MotifOperator, Representation};
pub use parts::Scaling;
pub use pattern::{Degrees, Pattern, PatternEntry};
pub use relation::Relation;
pub use roles::RoleCounts;
pub use significance::{
    ClassSignificance, Mixing, NodeSignificance, NullModel, Participation, SampleKeeper,
    Significance, SignificanceConfig, SignificanceError, significance, significance_kept,
};
pub use spec::{Instances, MotifSpec, Support, Weights};
pub use triad::{N_ROLES, ROLES, SUBGRAPHS_OF_INDUCED};
pub use triangles::{CommonNeighbors, PASS_BYTES_AN_EDGE, Ranking, count_common_neighbors};
