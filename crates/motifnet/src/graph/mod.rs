//! From files or generators to a simple directed graph, and to what was dropped on the way.
//!
//! ```text
//! file → read → EdgeList + NodeNames → DiGraph + Cleaning
//! ```

mod build;
mod digraph;
mod edge_list;
mod names;
pub mod read;

pub use build::{BuildError, BuildOptions, Cleaning, RepeatedArcs};
pub use digraph::{Adjacency, DiGraph};
pub use edge_list::EdgeList;
pub use names::{NodeNames, StringTable};
pub use read::{GraphFormat, LoadedGraph, ReadError, ReadOptions, read_graph};
