//! What the tests of the readers share: files from strings, graphs as strings.

use std::path::Path;

use super::{LoadedGraph, NodeTable, ReadError, ReadOptions, read_graph};
use crate::progress::Silent;

/// Reads a file called `name` with these bytes; its folder is left out of error messages.
pub(super) fn read_bytes(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<LoadedGraph, String> {
    with_file(name, bytes, |path| read_graph(path, options, &Silent))
}

pub(super) fn with_file<T>(
    name: &str,
    bytes: &[u8],
    read: impl FnOnce(&Path) -> Result<T, ReadError>,
) -> Result<T, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let prefix = format!("{}/", folder.path().display());
    read(&path).map_err(|error| error.to_string().replace(&prefix, ""))
}

pub(super) fn read_text(name: &str, text: &str) -> LoadedGraph {
    read_bytes(name, text.as_bytes(), &ReadOptions::default()).unwrap()
}

pub(super) fn read_error(name: &str, text: &str) -> String {
    read_bytes(name, text.as_bytes(), &ReadOptions::default()).unwrap_err()
}

/// The arcs by name, such as `a>b:2.5 b>c:1`; without weights if the graph has none.
pub(super) fn arcs(loaded: &LoadedGraph) -> String {
    let names = &loaded.names;
    let arcs = loaded.graph.arcs().map(|(source, target, weight)| {
        let weight = if loaded.graph.is_weighted() { format!(":{weight}") } else { String::new() };
        format!("{}>{}{weight}", names.name(source), names.name(target))
    });
    arcs.collect::<Vec<_>>().join(" ")
}

/// The columns, then each row as `node=value,value`.
pub(super) fn table_in_words(table: &NodeTable) -> String {
    let mut told = vec![table.columns.join(",")];
    for row in 0..table.n_rows() {
        let key = table.keys.as_ref().map_or("", |keys| keys.get(row));
        let values: Vec<&str> =
            (0..table.columns.len()).map(|column| table.value(row, column)).collect();
        told.push(format!("{key}={}", values.join(",")));
    }
    told.join(" ")
}
