//! Arcs as lines of text.

use std::io::{self, Write};
use std::path::Path;

use super::super::{DiGraph, NodeNames};
use crate::io::text::{
    for_each_entry, is_safe_integer, push_csv_field, push_f32, push_integer, write_chunks,
};
use crate::io::{Place, WholeFile, WriteError};

/// Writes `source⇥target[⇥weight]`. The first line, `# nodes: N`, is a comment to most readers; ours
/// takes from it the nodes without arcs. The file is still to be committed.
pub(crate) fn begin_tsv(
    place: &Place,
    graph: &DiGraph,
    names: &NodeNames,
) -> Result<WholeFile, WriteError> {
    check_names(place.path(), names)?;
    let header = format!("# nodes: {}\n", graph.n_nodes());
    write_arcs(place, graph, &header, b'\t', |text, node| push_name(text, names, node, push_plain))
}

/// Writes `source,target[,weight]` under such a header.
pub(super) fn write_csv(
    place: &Place,
    graph: &DiGraph,
    names: &NodeNames,
) -> Result<(), WriteError> {
    let weight = if graph.is_weighted() { ",weight" } else { "" };
    let header = format!("source,target{weight}\n");
    write_arcs(place, graph, &header, b',', |text, node| {
        push_name(text, names, node, push_csv_field);
    })?
    .commit()
}

/// Writes `row column [weight]` from 1.
pub(super) fn write_matrix_market(place: &Place, graph: &DiGraph) -> Result<(), WriteError> {
    let field = match graph.outgoing().weights() {
        None => "pattern",
        Some(weights) if weights.iter().all(|&w| is_safe_integer(f64::from(w))) => "integer",
        Some(_) => "real",
    };
    let (n_nodes, n_arcs) = (graph.n_nodes(), graph.n_arcs());
    let header =
        format!("%%MatrixMarket matrix coordinate {field} general\n{n_nodes} {n_nodes} {n_arcs}\n");
    write_arcs(place, graph, &header, b' ', |text, node| push_integer(text, u64::from(node) + 1))?
        .commit()
}

fn write_arcs(
    place: &Place,
    graph: &DiGraph,
    header: &str,
    separator: u8,
    push_node: impl Fn(&mut Vec<u8>, u32) + Sync,
) -> Result<WholeFile, WriteError> {
    let outgoing = graph.outgoing();
    let (targets, weights) = (outgoing.neighbors(), outgoing.weights());
    let write = |file: &mut WholeFile| -> io::Result<()> {
        file.write_all(header.as_bytes())?;
        write_chunks(file, graph.n_arcs(), |arcs, text| {
            for_each_entry(outgoing.offsets(), arcs, |source, arc| {
                push_node(text, source as u32);
                text.push(separator);
                push_node(text, targets[arc]);
                if let Some(weights) = weights {
                    text.push(separator);
                    push_f32(text, weights[arc]);
                }
                text.push(b'\n');
            });
        })
    };
    let mut file = WholeFile::create(place)?;
    write(&mut file).map_err(|source| WriteError::io(place.path(), source))?;
    Ok(file)
}

fn push_name(text: &mut Vec<u8>, names: &NodeNames, node: u32, push: fn(&mut Vec<u8>, &str)) {
    match names {
        NodeNames::Indices(_) => push_integer(text, node),
        NodeNames::Integers(ids) => push_integer(text, ids[node as usize]),
        NodeNames::Strings(table) => push(text, table.get(node as usize)),
    }
}

fn push_plain(text: &mut Vec<u8>, name: &str) {
    text.extend_from_slice(name.as_bytes());
}

/// Refuses names that a file without quotes cannot hold.
fn check_names(path: &Path, names: &NodeNames) -> Result<(), WriteError> {
    let NodeNames::Strings(table) = names else { return Ok(()) };
    for (node, name) in table.iter().enumerate() {
        let reason = if name.is_empty() {
            "it is empty"
        } else if name.contains(char::is_whitespace) {
            "it has a space, tab or line break in it"
        } else if name.starts_with(['#', '%', '"']) {
            "it begins like a comment or a quotation"
        } else {
            continue;
        };
        let (path, name) = (path.to_owned(), name.to_owned());
        return Err(WriteError::UnfitName { path, node, name, reason });
    }
    Ok(())
}
