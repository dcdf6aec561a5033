//! Why a random graph could not be generated.

use crate::memory::MemoryError;

/// Why a random graph could not be generated: the value, and what would be allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// More nodes than a 32-bit node number can tell apart.
    #[error("{0} nodes: a graph has at most 4294967295")]
    TooManyNodes(u128),
    /// More distinct arcs than the model can give.
    #[error(
        "{n_arcs} arcs on {n_nodes} nodes: at most {most} distinct arcs without loops are possible"
    )]
    TooManyArcs {
        /// The number asked for.
        n_arcs: u64,
        /// Number of nodes.
        n_nodes: usize,
        /// The largest number possible.
        most: u64,
    },
    /// More arcs than any machine this is meant for could hold.
    #[error("about {0:.3e} arcs: at most 17179869184 are generated; take fewer nodes or arcs")]
    Oversized(f64),
    /// More memory than there is.
    #[error("{0}")]
    Memory(#[from] MemoryError),
    /// A number that is not a probability.
    #[error("{what} is {value}: a probability lies between 0 and 1")]
    NotAProbability {
        /// What the number is for.
        what: String,
        /// The number.
        value: f64,
    },
    /// The four probabilities of R-MAT do not add up.
    #[error("a + b + c + d is {0}: the four probabilities of R-MAT add up to 1")]
    ProbabilitySum(f64),
    /// R-MAT halves its nodes again and again, so their number is a power of two.
    #[error("{n_nodes} nodes: R-MAT needs a power of two; the nearest are {nearest}")]
    NotAPowerOfTwo {
        /// The number asked for.
        n_nodes: usize,
        /// The powers of two below and above, in words.
        nearest: String,
    },
    /// Sampling went on too long without finding enough distinct arcs.
    #[error(
        "only {found} of {wanted} distinct arcs after {draws} draws: the others are too rare; \
         take fewer arcs, more nodes or more even probabilities"
    )]
    Stuck {
        /// Distinct arcs found.
        found: u64,
        /// Distinct arcs asked for.
        wanted: u64,
        /// Arcs drawn.
        draws: u64,
    },
    /// A block model without blocks.
    #[error("no blocks: a block model needs at least one block size")]
    NoBlocks,
    /// A block without nodes.
    #[error("block {0} has 0 nodes: every block needs at least one")]
    EmptyBlock(usize),
    /// A matrix that is not one row and one column a block.
    #[error("{what} has {found}: {n_blocks} blocks need {n_blocks} rows of {n_blocks} numbers")]
    MatrixShape {
        /// Which matrix.
        what: &'static str,
        /// Its shape, in words.
        found: String,
        /// Number of blocks.
        n_blocks: usize,
    },
    /// A weight that no arc could have.
    #[error(
        "the weight from block {row} to block {column} is {value}: weights lie between 0 and {most}"
    )]
    WeightOutOfRange {
        /// The block of the source.
        row: usize,
        /// The block of the target.
        column: usize,
        /// The weight.
        value: f64,
        /// The largest weight allowed.
        most: f64,
    },
}
