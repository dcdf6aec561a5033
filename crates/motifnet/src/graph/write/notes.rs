//! What a file could not hold.

use std::fmt;

use super::super::{DiGraph, NodeNames};
use super::OutputFormat;

/// Something of a graph that its file does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteNote {
    /// So many nodes have no arc, and a list of arcs does not mention them.
    IsolatedNodes(usize),
    /// The format numbers the nodes and has no place for their names.
    NamesLeftOut,
}

impl WriteNote {
    /// What `format` loses of a graph.
    pub(super) fn of(format: OutputFormat, graph: &DiGraph, names: &NodeNames) -> Vec<Self> {
        let named = !matches!(names, NodeNames::Indices(_));
        match format {
            // Its first line tells how many nodes are called 0, 1, 2, ….
            OutputFormat::Tsv if !named => Vec::new(),
            OutputFormat::Tsv | OutputFormat::Csv | OutputFormat::Parquet => {
                let n_isolated = n_isolated(graph);
                (n_isolated > 0).then_some(Self::IsolatedNodes(n_isolated)).into_iter().collect()
            }
            OutputFormat::MatrixMarket | OutputFormat::Npz => {
                named.then_some(Self::NamesLeftOut).into_iter().collect()
            }
        }
    }
}

fn n_isolated(graph: &DiGraph) -> usize {
    let lonely =
        |node: &u32| graph.out_neighbors(*node).is_empty() && graph.in_neighbors(*node).is_empty();
    (0..graph.n_nodes() as u32).filter(lonely).count()
}

impl fmt::Display for WriteNote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IsolatedNodes(n) => write!(
                formatter,
                "{n} nodes without arcs are not in the file: a list of arcs does not mention \
                 them; .npz and .mtx keep them, and .tsv does where nodes have no names"
            ),
            Self::NamesLeftOut => formatter.write_str(
                "the names of the nodes are not in the file: this format numbers the nodes; \
                 write the names to a CSV file beside it",
            ),
        }
    }
}
