//! Which node each row of a table is about.

use rustc_hash::FxHashMap;

use crate::data::DataError;
use crate::graph::NodeNames;
use crate::graph::read::NodeTable;
use crate::memory::Need;

/// How many nodes a message names.
const SHOWN: usize = 3;

/// What the arcs call the nodes.
#[derive(Clone, Copy)]
pub(super) struct FoundNames<'a> {
    pub(super) names: &'a NodeNames,
    /// Whether the file of the arcs cannot tell nodes without any.
    pub(super) may_lack_nodes: bool,
}

impl FoundNames<'_> {
    /// A few of the `nodes` by name, for a message.
    pub(super) fn examples(&self, nodes: impl IntoIterator<Item = u32>) -> String {
        let shown = nodes.into_iter().take(SHOWN);
        let shown = shown.map(|node| format!("{:?}", self.names.name(node)));
        shown.collect::<Vec<_>>().join(", ")
    }
}

/// Finds nodes by what the arcs call them.
pub(in crate::data) enum NodeIndex<'a> {
    Indices(usize),
    Integers(&'a [i64]),
    Strings(FxHashMap<&'a str, u32>),
}

impl<'a> NodeIndex<'a> {
    pub(in crate::data) fn new(names: &'a NodeNames) -> Self {
        match names {
            NodeNames::Indices(n) => Self::Indices(*n),
            NodeNames::Integers(ids) => Self::Integers(ids),
            NodeNames::Strings(table) => Self::Strings(table.iter().zip(0..).collect()),
        }
    }

    /// Bytes that the index of `names` takes: a table of names has up to 16 places for every 7 of them.
    fn n_bytes(names: &NodeNames) -> usize {
        match names {
            NodeNames::Indices(_) | NodeNames::Integers(_) => 0,
            NodeNames::Strings(table) => table.len() * 16 / 7 * (size_of::<(&str, u32)>() + 1),
        }
    }

    pub(in crate::data) fn find(&self, name: &str) -> Option<u32> {
        match self {
            Self::Indices(n) => name.parse().ok().filter(|&node: &u32| (node as usize) < *n),
            Self::Integers(ids) => {
                ids.binary_search(&name.parse().ok()?).ok().map(|node| node as u32)
            }
            Self::Strings(nodes) => nodes.get(name).copied(),
        }
    }
}

/// The node of each row, no node twice. Rows without keys stand in node order; there must then be
/// no more than there are nodes. Refused if there is no room for that and for the `bytes_a_node` that the caller makes
/// of it.
pub(super) fn nodes_of_rows(
    table: &NodeTable,
    found: FoundNames<'_>,
    bytes_a_node: usize,
) -> Result<Vec<u32>, DataError> {
    let n_nodes = found.names.len();
    let n_bytes =
        (bytes_a_node + 1) * n_nodes + 4 * table.n_rows() + NodeIndex::n_bytes(found.names);
    let remedy = "leave out columns that are not needed, or take a smaller graph";
    Need { what: "joining the table to the nodes", n_bytes: n_bytes as u64, remedy }
        .check()
        .map_err(|source| DataError::Memory { path: table.path.clone(), source })?;
    let Some(keys) = &table.keys else {
        return Ok((0..table.n_rows() as u32).collect());
    };
    let index = NodeIndex::new(found.names);
    let mut has_row = vec![false; n_nodes];
    let mut nodes = Vec::with_capacity(keys.len());
    let mut unknown = Vec::new();
    for (row, key) in keys.iter().enumerate() {
        let Some(node) = index.find(key) else {
            unknown.push(row);
            continue;
        };
        if std::mem::replace(&mut has_row[node as usize], true) {
            let first = keys.iter().position(|key| index.find(key) == Some(node));
            let message = format!(
                "node {key:?} has a row already, in {}; keep one of them",
                table.place(first.unwrap_or(row))
            );
            return Err(table.problem(row, message).into());
        }
        nodes.push(node);
    }
    if unknown.is_empty() {
        return Ok(nodes);
    }
    let shown = unknown.iter().take(SHOWN).map(|&row| format!("{:?}", keys.get(row)));
    let shown = shown.collect::<Vec<_>>().join(", ");
    let remedy = if unknown == [0] && table.n_rows() > 1 {
        "if that line names the columns, name the one that is meant after a #, as in file.csv#class"
    } else if found.may_lack_nodes {
        "use the ids of the arcs, or set isolated = \"keep\" if these are nodes without arcs"
    } else {
        "use the ids of the file of the arcs, which tells all nodes that there are"
    };
    let message = format!(
        "{} of {} rows are about nodes that are not in the graph, such as {shown}; {remedy}",
        unknown.len(),
        table.n_rows()
    );
    Err(table.problem(unknown[0], message).into())
}
