//! From files or generators to a simple directed graph, and to what was dropped on the way.
//!
//! ```text
//! file → read → EdgeList + NodeNames → DiGraph + Cleaning
//! ```

mod build;
mod digraph;
mod edge_list;
pub mod generate;
mod names;

pub use build::{BuildError, BuildOptions, Cleaning, RepeatedArcs};
pub use digraph::{Adjacency, DiGraph};
pub use edge_list::EdgeList;
pub use names::{NodeNames, StringTable};
