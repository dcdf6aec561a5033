//! Arcs as a Parquet table.

use super::super::{DiGraph, NodeNames};
use crate::io::parquet_write::{Column, ParquetTable};
use crate::io::text::for_each_entry;
use crate::io::{Place, WriteError};

/// Writes the columns `source`, `target` and, if there are weights, `weight`. Nodes are integers,
/// or text if they have text for names.
pub(super) fn write(place: &Place, graph: &DiGraph, names: &NodeNames) -> Result<(), WriteError> {
    let node = if matches!(names, NodeNames::Strings(_)) { "text" } else { "integer" };
    let mut columns = vec![("source", node), ("target", node)];
    if graph.is_weighted() {
        columns.push(("weight", "float"));
    }
    let outgoing = graph.outgoing();
    let mut table = ParquetTable::create(place, &columns)?;
    table.write_rows(graph.n_arcs(), |column, arcs| match (column, outgoing.weights()) {
        (2, Some(weights)) => Column::Float(weights[arcs].to_vec()),
        (1, _) => nodes(names, outgoing.neighbors()[arcs].iter().copied()),
        _ => {
            let mut sources = Vec::with_capacity(arcs.len());
            for_each_entry(outgoing.offsets(), arcs, |source, _| sources.push(source as u32));
            nodes(names, sources.into_iter())
        }
    })?;
    table.commit()
}

fn nodes(names: &NodeNames, nodes: impl Iterator<Item = u32>) -> Column {
    match names {
        NodeNames::Indices(_) => Column::Integer(nodes.map(i64::from).collect()),
        NodeNames::Integers(ids) => Column::Integer(nodes.map(|node| ids[node as usize]).collect()),
        NodeNames::Strings(table) => {
            Column::Text(nodes.map(|node| table.get(node as usize).into()).collect())
        }
    }
}
