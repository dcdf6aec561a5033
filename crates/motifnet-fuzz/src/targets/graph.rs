//! Graphs, in every format.

use motifnet::graph::{
    DiGraph, EdgeList, GraphFormat, NodeNames, ReadOptions, read_graph, write_graph,
};

use super::arrays::{csr_archive, floats, integers};
use super::compressed::{gzip, zstandard};
use super::parquet_seeds::arc_tables;
use crate::pieces::{archive, joined};
use crate::seed::{Seed, written};
use crate::target::Target;
use crate::trial::Trial;

pub(super) const TEXT: Target = Target {
    name: "graph_text",
    read: |trial, bytes| read(trial, bytes, Some(GraphFormat::Text)),
    seeds: text_seeds,
};
pub(super) const MTX: Target = Target {
    name: "graph_mtx",
    read: |trial, bytes| read(trial, bytes, Some(GraphFormat::MatrixMarket)),
    seeds: mtx_seeds,
};
pub(super) const NPZ: Target = Target {
    name: "graph_npz",
    read: |trial, bytes| read(trial, &archive(bytes), Some(GraphFormat::Npz)),
    seeds: npz_seeds,
};
pub(super) const GML: Target = Target {
    name: "graph_gml",
    read: |trial, bytes| read(trial, bytes, Some(GraphFormat::Gml)),
    seeds: gml_seeds,
};
pub(super) const PARQUET: Target = Target {
    name: "graph_parquet",
    read: |trial, bytes| read(trial, bytes, Some(GraphFormat::Parquet)),
    seeds: arc_tables,
};
pub(super) const DETECTED: Target = Target {
    name: "graph_detected",
    read: |trial, bytes| read(trial, bytes, None),
    seeds: detected_seeds,
};

fn read(trial: &Trial, bytes: &[u8], format: Option<GraphFormat>) -> bool {
    let path = trial.file("graph", bytes);
    let options =
        ReadOptions { format, max_decompressed_bytes: trial.limit(), ..ReadOptions::default() };
    read_graph(&path, &options, trial).is_ok()
}

/// A weighted triangle with a tail, as the library writes it to a file called `name`.
fn library_file(name: &str) -> Vec<u8> {
    let arcs = EdgeList {
        n_nodes: 5,
        sources: vec![0, 1, 2, 2],
        targets: vec![1, 2, 0, 3],
        weights: Some(vec![1.0, 0.5, 2.0, -1.0]),
    };
    let (graph, _) = DiGraph::build(arcs, &Default::default()).expect("a graph");
    written(name, |path| write_graph(path, &graph, &NodeNames::Indices(5)).map(|_| ()))
}

fn text_seeds() -> Vec<Seed> {
    vec![
        Seed::new("written", library_file("a.tsv")),
        Seed::new("header", "source,target,weight\nann,bob,1\nbob,\"c,at\",2.5\n"),
        Seed::new("comments", "# nodes: 9\n% x\n0 1\n1 8\n"),
        Seed::new("wide ids", "-9223372036854775808;9223372036854775807\n5;-3\n"),
        Seed::new("blanks", "  a\t b  1e3\r\n\r\nb  a -0.5\r\n"),
        Seed::new("gzip", gzip(b"0 1\n1 2\n")),
    ]
}

fn mtx_seeds() -> Vec<Seed> {
    let head = "%%MatrixMarket matrix coordinate";
    vec![
        Seed::new("written", library_file("a.mtx")),
        Seed::new("pattern", format!("{head} pattern general\n% x\n4 4 3\n1 2\n2 3\n4 1\n")),
        Seed::new("symmetric", format!("{head} real symmetric\n3 3 2\n2 1 0.5\n3 3 nan\n")),
        Seed::new("skew", format!("{head} integer skew-symmetric\n3 3 1\n2 1 7\n")),
    ]
}

fn npz_seeds() -> Vec<Seed> {
    let shape = || integers("2,", &[3, 3]);
    let indices = || integers("3,", &[1, 2, 0]);
    let starts = || integers("4,", &[0, 1, 2, 3]);
    vec![
        Seed::new("written", library_file("a.npz")),
        Seed::new("scipy", csr_archive()),
        Seed::new(
            "prefixed",
            joined(&[
                ("adj_data", floats("3,", &[1.0, 2.0, 3.0])),
                ("adj_indices", indices()),
                ("adj_indptr", starts()),
                ("adj_shape", shape()),
            ]),
        ),
        Seed::new(
            "coordinates",
            joined(&[
                ("format", super::arrays::npy("|S3", "", b"coo")),
                ("row", integers("3,", &[0, 1, 2])),
                ("col", indices()),
                ("data", floats("3,", &[1.0, 2.0, 3.0])),
                ("shape", shape()),
            ]),
        ),
        Seed::new(
            "edges",
            joined(&[
                ("edges", integers("2, 2", &[0, 1, 1, 2])),
                ("node_labels", integers("4,", &[0, 1, 1, 0])),
            ]),
        ),
        Seed::new("edge index", joined(&[("edge_index", integers("2, 3", &[0, 1, 2, 1, 2, 0]))])),
    ]
}

fn gml_seeds() -> Vec<Seed> {
    vec![
        Seed::new(
            "labels",
            "Creator \"me\"\ngraph [\n  directed 1\n  node [ id 0 label \"a &amp; b\" ]\n  node [ id \
             7 label \"c\" graphics [ x 1 y [ z 2 ] ] ]\n  edge [ source 0 target 7 weight 2.5 ]\n]\n",
        ),
        Seed::new(
            "values",
            "# x\ngraph [ node [ id -1 ] node [ id 2 ] edge [ source -1 target 2 value 3 ] ] graph [ ]",
        ),
    ]
}

fn detected_seeds() -> Vec<Seed> {
    let text = b"0 1\n1 2\n";
    let mut seeds = vec![
        Seed::new("zstd", zstandard(text)),
        Seed::new("npz in gzip", gzip(&csr_archive())),
        Seed::new("mtx in zstd", zstandard(&library_file("a.mtx"))),
    ];
    seeds.extend(
        [text_seeds(), mtx_seeds(), gml_seeds(), arc_tables()]
            .into_iter()
            .filter_map(|seeds| seeds.into_iter().next()),
    );
    seeds
}

#[cfg(test)]
mod tests {
    use motifnet::graph::GraphFormat;

    use crate::target;

    #[test]
    fn every_format_of_a_graph_has_a_target() {
        for format in GraphFormat::ALL {
            let name = format!("graph_{}", format.name());
            assert!(target(&name).is_some(), "{name}");
        }
    }
}
