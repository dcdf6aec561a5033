//! What a data set calls its nodes, where that is not what the arcs call them.

use rustc_hash::FxHashSet;

use super::join::{FoundNames, nodes_of_rows};
use crate::data::DataError;
use crate::graph::read::NodeTable;
use crate::graph::{NodeNames, StringTable};

/// A name in a list, in a set that grows by doubling, and in the table that is made.
const BYTES_A_NODE: usize = 96;

/// The name that `table` gives to each node that was found; `None` if those of the arcs do.
pub(super) fn settle(
    table: &NodeTable,
    found: FoundNames<'_>,
) -> Result<Option<NodeNames>, DataError> {
    let arc_names = found.names;
    let n_nodes = arc_names.len();
    if table.keys.is_none() && table.n_rows() != n_nodes {
        let message = format!(
            "{} names for {n_nodes} nodes; there must be one for every node",
            table.n_rows()
        );
        return Err(DataError::file(&table.path, message));
    }
    let nodes = nodes_of_rows(table, found, BYTES_A_NODE)?;
    let mut names: Vec<Option<&str>> = vec![None; n_nodes];
    let mut met = FxHashSet::default();
    for (row, node) in nodes.into_iter().enumerate() {
        let name = table.value(row, 0);
        if !name.is_empty() {
            names[node as usize] = Some(name);
            if !met.insert(name) {
                let message = format!("two nodes are called {name:?}; names must differ");
                return Err(table.problem(row, message).into());
            }
        }
    }
    let as_before =
        |(node, name): (usize, &Option<&str>)| *name == Some(&*arc_names.name(node as u32));
    if names.iter().enumerate().all(as_before) {
        return Ok(None);
    }
    let mut given = StringTable::default();
    for name in &names {
        let Some(name) = name else {
            let missing = (0..n_nodes as u32).filter(|&node| names[node as usize].is_none());
            let message = format!(
                "has no name for {} of {n_nodes} nodes, such as {}; add them",
                missing.clone().count(),
                found.examples(missing)
            );
            return Err(DataError::file(&table.path, message));
        };
        given.push(name);
    }
    Ok(Some(NodeNames::Strings(given)))
}
