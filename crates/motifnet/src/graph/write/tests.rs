use std::fs;

use super::*;
use crate::graph::{BuildOptions, EdgeList, StringTable};

fn graph(n_nodes: usize, arcs: &[(u32, u32)]) -> DiGraph {
    let arcs = EdgeList::from_pairs(n_nodes, arcs.iter().copied());
    DiGraph::build(arcs, &BuildOptions::default()).unwrap().0
}

fn weighted() -> DiGraph {
    let arcs = EdgeList::from_triples(4, [(0, 1, 0.1), (1, 0, 3.0), (2, 0, -2.5)]);
    DiGraph::build(arcs, &BuildOptions::default()).unwrap().0
}

/// What `write_graph` puts into a file of this name.
fn written(name: &str, graph: &DiGraph, names: &NodeNames) -> (Vec<u8>, Vec<WriteNote>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let notes = write_graph(&path, graph, names).unwrap();
    (fs::read(&path).unwrap(), notes)
}

fn text(name: &str, graph: &DiGraph, names: &NodeNames) -> String {
    String::from_utf8(written(name, graph, names).0).unwrap()
}

#[test]
fn tsv_has_a_line_an_arc_and_says_how_many_nodes_there_are() {
    let names = NodeNames::Indices(4);
    assert_eq!(text("g.tsv", &weighted(), &names), "# nodes: 4\n0\t1\t0.1\n1\t0\t3\n2\t0\t-2.5\n");
    let names = NodeNames::Integers(vec![-7, 10, 20]);
    assert_eq!(text("g.TXT", &graph(3, &[(0, 2)]), &names), "# nodes: 3\n-7\t20\n");
    assert_eq!(text("g.txt", &graph(0, &[]), &NodeNames::Indices(0)), "# nodes: 0\n");
}

#[test]
fn csv_has_a_header_and_quotes() {
    let names = NodeNames::Strings(["a,b", "c", "d \"e\"", "f"].iter().collect());
    assert_eq!(
        text("g.csv", &weighted(), &names),
        "source,target,weight\n\"a,b\",c,0.1\nc,\"a,b\",3\n\"d \"\"e\"\"\",\"a,b\",-2.5\n"
    );
    let names = NodeNames::Indices(2);
    assert_eq!(text("g.csv", &graph(2, &[(1, 0)]), &names), "source,target\n1,0\n");
}

#[test]
fn matrix_market_counts_from_one() {
    let names = NodeNames::Indices(4);
    assert_eq!(
        text("g.mtx", &weighted(), &names),
        "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 2 0.1\n2 1 3\n3 1 -2.5\n"
    );
    assert_eq!(
        text("g.mtx", &graph(3, &[(2, 0)]), &NodeNames::Indices(3)),
        "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n3 1\n"
    );
}

#[test]
fn npz_has_the_arrays_that_scipy_expects() {
    let (bytes, _) = written("g.npz", &weighted(), &NodeNames::Indices(4));
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut integers = |name: &str| {
        let array = npyz::NpyFile::new(archive.by_name(name).unwrap()).unwrap();
        array.into_vec::<i32>().unwrap()
    };
    assert_eq!(integers("indptr.npy"), [0, 1, 2, 3, 3]);
    assert_eq!(integers("indices.npy"), [1, 0, 0]);
    let data = npyz::NpyFile::new(archive.by_name("data.npy").unwrap()).unwrap();
    assert_eq!(data.into_vec::<f32>().unwrap(), [0.1, 3.0, -2.5]);
    let shape = npyz::NpyFile::new(archive.by_name("shape.npy").unwrap()).unwrap();
    assert_eq!(shape.into_vec::<i64>().unwrap(), [4, 4]);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_has_a_row_an_arc() {
    use std::fs::File;

    use ::parquet::file::reader::{FileReader, SerializedFileReader};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.parquet");
    let names = NodeNames::Strings(["a", "b", "c", "d"].iter().collect());
    let rows = |path: &Path| {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect::<Vec<_>>()
    };
    write_graph(&path, &weighted(), &names).unwrap();
    assert_eq!(rows(&path)[2], "{source: \"c\", target: \"a\", weight: -2.5E0}");
    write_graph(&path, &graph(3, &[(2, 0)]), &NodeNames::Integers(vec![5, 6, 70])).unwrap();
    assert_eq!(rows(&path), ["{source: 70, target: 5}"]);
    write_graph(&path, &graph(3, &[]), &NodeNames::Indices(3)).unwrap();
    assert!(rows(&path).is_empty());
}

#[test]
fn what_a_format_loses_is_told() {
    let indices = NodeNames::Indices(4);
    let strings = NodeNames::Strings(["a", "b", "c", "d"].iter().collect());
    for (name, names, notes) in [
        ("g.tsv", &strings, vec![WriteNote::IsolatedNodes(1)]),
        ("g.tsv", &indices, vec![]),
        ("g.csv.gz", &indices, vec![WriteNote::IsolatedNodes(1)]),
        ("g.mtx.zst", &strings, vec![WriteNote::NamesLeftOut]),
        ("g.npz", &indices, vec![]),
    ] {
        assert_eq!(written(name, &weighted(), names).1, notes);
    }
    assert_eq!(written("g.tsv", &graph(2, &[(0, 1)]), &NodeNames::Indices(2)).1, []);
}

#[test]
fn unknown_endings_and_unfit_names_are_refused_before_a_file_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, names: &NodeNames| {
        let path = folder.path().join(name);
        let message = write_graph(&path, &weighted(), names).unwrap_err().to_string();
        message.rsplit_once('/').unwrap().1.to_owned()
    };
    let names = NodeNames::Indices(4);
    for name in ["g", "g.gml", "g.npz.gz", "g.parquet.zst", "tsv", "g.gz"] {
        let expected = format!("{name}: unknown ending; use {}", OutputFormat::ENDINGS);
        assert_eq!(message(name, &names), expected);
    }
    insta::assert_snapshot!(message("g.tsv", &NodeNames::Indices(3)), @"g.tsv: 3 names for 4 nodes; give one name a node");
    for odd in ["", "a b", "a\tb", "#a"] {
        let table: StringTable = ["x", odd, "y", "z"].iter().collect();
        let message = message("g.tsv", &NodeNames::Strings(table));
        assert!(message.contains(&format!("node 1 is called {odd:?}")), "{message}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn node_names_are_written_by_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nodes.csv");
    write_nodes_csv(&path, &NodeNames::Strings(["a", "b,c"].iter().collect())).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "row,name\n0,a\n1,\"b,c\"\n");
    write_nodes_csv(&path, &NodeNames::Integers(vec![-1, 8])).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "row,name\n0,-1\n1,8\n");
}

#[test]
fn large_graphs_come_back_arc_for_arc() {
    use crate::graph::generate::erdos_renyi::{self, ArcCount, ErdosRenyiConfig};

    let config = ErdosRenyiConfig { n_nodes: 5000, arcs: ArcCount::Exactly(400_000) };
    let arcs = erdos_renyi::generate(&config, 1).unwrap();
    let (graph, _) = DiGraph::build(arcs, &BuildOptions::default()).unwrap();
    let text = text("g.tsv", &graph, &NodeNames::Indices(5000));
    let read = text.lines().skip(1).map(|line| {
        let (source, target) = line.split_once('\t').unwrap();
        (source.parse::<u32>().unwrap(), target.parse::<u32>().unwrap())
    });
    assert!(read.eq(graph.arcs().map(|(source, target, _)| (source, target))));
}
