//! Why no citations could be generated.

use crate::memory::MemoryError;

/// Why no citations could be generated: the value, and what would be allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CitationError {
    /// So few papers that there is nothing to cite, or more than a node number can tell apart.
    #[error("{0} nodes: a citation graph has 10 to 4294967295")]
    Nodes(usize),
    /// More memory than there is.
    #[error("{0}")]
    Memory(#[from] MemoryError),
    /// Not a class for some node, or a class without one.
    #[error(
        "{n_classes} classes of {n_nodes} nodes: there must be at least 1, and a node for each"
    )]
    Classes {
        /// The number asked for.
        n_classes: usize,
        /// Number of nodes.
        n_nodes: usize,
    },
    /// Not a topic for every field.
    #[error(
        "{n_fields} fields of {n_classes} classes: there must be at least 1, and a class for each"
    )]
    Fields {
        /// The number asked for.
        n_fields: usize,
        /// Number of classes.
        n_classes: usize,
    },
    /// No words, or more than a column number can tell apart.
    #[error("a vocabulary of {0} words: it has 1 to 4294967295")]
    Words(usize),
    /// No years, or so many that no calendar has them.
    #[error(
        "{first_year} and {n_years} years: there must be at least 1, and the last at most 9999"
    )]
    Years {
        /// The first year.
        first_year: u32,
        /// The number asked for.
        n_years: u32,
    },
    /// A parameter outside its bounds.
    #[error("{name} is {value}: it lies between {least} and {most}")]
    OutOfRange {
        /// Which parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The least that is allowed.
        least: f64,
        /// The most that is allowed.
        most: f64,
    },
}
