//! From files or generators to a simple directed graph, and to what was dropped on the way.
//!
//! ```text
//! file → read → EdgeList + NodeNames → DiGraph + Cleaning
//! ```

mod buckets;
mod build;
mod cleaning;
mod components;
mod digraph;
mod edge_list;
pub mod generate;
mod names;
pub mod read;
mod summary;
mod write;

pub use build::{BuildError, BuildOptions, RepeatedArcs};
pub use cleaning::Cleaning;
pub use components::Components;
pub(crate) use components::UnionFind;
pub use digraph::{Adjacency, DiGraph};
pub use edge_list::EdgeList;
pub use names::{NodeNames, StringTable};
pub use read::{
    GraphFormat, LoadedGraph, ReadError, ReadOptions, arcs_among, arcs_of_integers, arcs_of_names,
    read_graph,
};
pub use summary::{ComponentSummary, DegreeSummary, GraphSummary, WeightSummary};
pub(crate) use write::begin_tsv;
pub use write::{NODES_COLUMNS, OutputFormat, WriteNote, write_graph, write_nodes_csv};
