//! Inputs that are no text: small as files, large in memory.
//!
//! Of text a plan knows how much is to come from how long the file is. Here it cannot.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::Result;
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

use super::generated;
use super::workplace::Workplace;

/// The name of the data set's folder.
pub(super) const NAME: &str = "packed";

/// Nodes that have features.
const N_NODES: u64 = 1000;
/// Columns that a file of four entries declares, and columns of which every one has an entry.
const N_DECLARED: u64 = 20_000_000;
const N_WIDE: u64 = 2_000_000;

/// The graphs: the same arc again and again, and arcs all different.
const GRAPHS: [&str; 4] = ["equal.npz", "arcs.tsv.gz", "arcs.tsv.zst", "arcs.parquet"];

/// A data set of few nodes, with its files of features, and graphs of `n_arcs`.
pub(super) fn write(place: &Workplace, n_arcs: u64) -> Result<()> {
    let few = format!("generate er --nodes {N_NODES} --arcs 5000 --seed 1");
    generated::write(place, NAME, &few, "degrees")?;
    place.put("packed/equal.npz", equal_arcs(10 * n_arcs)?)?;
    let n_nodes = (n_arcs / 12).next_power_of_two();
    for name in &GRAPHS[1..] {
        place.ok(&format!(
            "generate rmat --nodes {n_nodes} --arcs {n_arcs} --seed 1 -o packed/{name} --quiet"
        ))?;
    }
    place.put("packed/declared.mtx", matrix(N_DECLARED, 4)?)?;
    place.put("packed/wide.mtx", matrix(N_WIDE, N_WIDE)?)
}

/// What reads them.
pub(super) fn commands() -> Vec<String> {
    let of_graph = |name: &str| {
        [
            format!("inspect packed/{name} --json"),
            format!("census packed/{name} --per-node out/{name}.csv --json"),
            format!("motifs packed/{name} --motif M8 --support edges --out out/{name}-matrix"),
            format!("significance packed/{name} --samples 2 --switches 1 --json"),
        ]
    };
    let of_features = |name: &str| {
        [
            format!("train packed --features packed/{name}.mtx --epochs 2 --out out/{name}"),
            format!(
                "train packed --features packed/{name}.mtx --tf-idf --model mlp --width 4 \
                 --max-features 30000000 --epochs 2 --out out/{name}-all"
            ),
        ]
    };
    GRAPHS
        .iter()
        .copied()
        .flat_map(of_graph)
        .chain(["declared", "wide"].into_iter().flat_map(of_features))
        .collect()
}

/// An archive of NumPy with so many arcs from node 1 to node 2, in two bytes each: a thousandth of that as a file.
fn equal_arcs(n_arcs: u64) -> Result<Vec<u8>> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .large_file(true);
    archive.start_file("edges.npy", options)?;
    let shape = format!("{{'descr': '|i1', 'fortran_order': False, 'shape': ({n_arcs}, 2), }}");
    // The header ends on a multiple of 64 bytes, as the format asks for.
    let header = format!("{shape:117}\n");
    archive.write_all(b"\x93NUMPY\x01\x00")?;
    archive.write_all(&(header.len() as u16).to_le_bytes())?;
    archive.write_all(header.as_bytes())?;
    let block = [1, 2].repeat(1 << 15);
    let mut left = 2 * n_arcs;
    while left > 0 {
        let n = left.min(block.len() as u64);
        archive.write_all(&block[..n as usize])?;
        left -= n;
    }
    Ok(archive.finish()?.into_inner())
}

/// Sparse features in MatrixMarket: entries spread over all columns, node after node.
fn matrix(n_columns: u64, n_entries: u64) -> Result<String> {
    let mut text = String::from("%%MatrixMarket matrix coordinate real general\n");
    writeln!(text, "{N_NODES} {n_columns} {n_entries}")?;
    for entry in 0..n_entries {
        let column = 1 + entry * (n_columns / n_entries);
        writeln!(text, "{} {column} {}", 1 + entry % N_NODES, 1 + entry % 7)?;
    }
    Ok(text)
}
