//! What a data set calls its nodes, where that is not what the arcs call them.

use rustc_hash::FxHashSet;

use super::join::nodes_of_rows;
use crate::data::DataError;
use crate::graph::read::NodeTable;
use crate::graph::{NodeNames, ReadError, StringTable};

/// The name that `table` gives to each node, which the arcs call `arc_names`.
pub(super) fn settle(table: &NodeTable, arc_names: NodeNames) -> Result<NodeNames, DataError> {
    let n_nodes = arc_names.len();
    if table.keys.is_none() && table.n_rows() != n_nodes {
        let message = format!(
            "{} names for {n_nodes} nodes; there must be one for every node",
            table.n_rows()
        );
        return Err(DataError::file(&table.path, message));
    }
    let mut names: Vec<Option<&str>> = vec![None; n_nodes];
    let mut met = FxHashSet::default();
    for (row, node) in nodes_of_rows(table, &arc_names)?.into_iter().enumerate() {
        let name = table.value(row, 0);
        if !name.is_empty() {
            names[node as usize] = Some(name);
            if !met.insert(name) {
                let message = format!("two nodes are called {name:?}; names must differ");
                return Err(ReadError::line(&table.path, table.lines[row], message).into());
            }
        }
    }
    let as_before =
        |(node, name): (usize, &Option<&str>)| *name == Some(&*arc_names.name(node as u32));
    if names.iter().enumerate().all(as_before) {
        return Ok(arc_names);
    }
    let mut given = StringTable::default();
    for (node, name) in names.iter().enumerate() {
        let Some(name) = name else {
            let n_missing = names.iter().filter(|name| name.is_none()).count();
            let message = format!(
                "has no name for {n_missing} of {n_nodes} nodes, such as {:?}; add them",
                arc_names.name(node as u32)
            );
            return Err(DataError::file(&table.path, message));
        };
        given.push(name);
    }
    Ok(NodeNames::Strings(given))
}
