//! Reading as a caller sees it: compression, folders, options, progress.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use motifnet::graph::{BuildOptions, GraphFormat, LoadedGraph, NodeNames, ReadOptions, read_graph};
use motifnet::progress::{Progress, Silent, Unit};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn read(path: &Path) -> LoadedGraph {
    read_graph(path, &ReadOptions::default(), &Silent).unwrap()
}

#[test]
fn the_same_graph_comes_out_of_every_format_and_compression() {
    let folder = tempfile::tempdir().unwrap();
    let text = b"0 1\n1 2\n2 0\n".to_vec();
    let gml = b"graph [ directed 1 node [ id 0 ] node [ id 1 ] node [ id 2 ]
        edge [ source 0 target 1 ] edge [ source 1 target 2 ] edge [ source 2 target 0 ] ]"
        .to_vec();
    let mtx = b"%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 3\n3 1\n".to_vec();
    for (name, format, bytes) in [
        ("a.txt", GraphFormat::Text, text.clone()),
        ("a.txt.gz", GraphFormat::Text, gzip(&text)),
        // The bytes tell the compression, not the name.
        ("b.txt", GraphFormat::Text, zstd::encode_all(&text[..], 1).unwrap()),
        ("a.gml", GraphFormat::Gml, gml.clone()),
        ("b", GraphFormat::Gml, gzip(&gml)),
        ("a.mtx", GraphFormat::MatrixMarket, mtx.clone()),
        ("c", GraphFormat::MatrixMarket, zstd::encode_all(&mtx[..], 1).unwrap()),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let loaded = read(&path);
        assert_eq!(loaded.format, format, "{name}");
        let arcs: Vec<_> = loaded.graph.arcs().map(|(s, t, _)| (s, t)).collect();
        assert_eq!(arcs, [(0, 1), (1, 2), (2, 0)], "{name}");
    }
}

#[test]
fn a_folder_is_read_through_its_description() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("dataset.toml"), "name = 'x'\narcs = 'e.csv'\n").unwrap();
    std::fs::write(folder.path().join("e.csv"), "a,b\nb,c\n").unwrap();
    assert_eq!(read(folder.path()).graph.n_arcs(), 2);

    let empty = tempfile::tempdir().unwrap();
    let error = read_graph(empty.path(), &ReadOptions::default(), &Silent).unwrap_err();
    assert!(error.to_string().contains("a folder is read through its dataset.toml"), "{error}");
}

#[test]
fn the_build_options_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.txt");
    std::fs::write(&path, "0 1\n1 1\n").unwrap();
    let build = BuildOptions { symmetrise: true, ..BuildOptions::default() };
    let options = ReadOptions { build, ..ReadOptions::default() };
    let loaded = read_graph(&path, &options, &Silent).unwrap();
    assert_eq!((loaded.graph.n_arcs(), loaded.cleaning.self_loops), (2, 2));
    assert_eq!(loaded.names, NodeNames::Indices(2));
}

#[test]
fn a_compressed_file_may_not_outgrow_its_cap() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.txt.gz");
    std::fs::write(&path, gzip(&b"0 1\n".repeat(100_000))).unwrap();
    let options = ReadOptions { max_decompressed_bytes: Some(100_000), ..ReadOptions::default() };
    let error = read_graph(&path, &options, &Silent).unwrap_err().to_string();
    assert!(error.contains("decompresses to more than 100000 bytes"), "{error}");
    assert!(error.contains("--max-decompressed"), "{error}");
}

#[test]
fn a_file_that_never_ends_is_given_up() {
    let error = read_graph(Path::new("/dev/zero"), &ReadOptions::default(), &Silent).unwrap_err();
    assert!(error.to_string().contains("a line of more than"), "{error}");
}

#[derive(Default)]
struct Recorder {
    total: AtomicU64,
    advanced: AtomicU64,
}

impl Progress for Recorder {
    fn begin(&self, _stage: &str, total: Option<u64>, unit: Unit) {
        assert_eq!(unit, Unit::Bytes);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
    }
    fn advance(&self, amount: u64) {
        self.advanced.fetch_add(amount, Ordering::Relaxed);
    }
    fn end(&self) {}
}

#[test]
fn progress_counts_the_bytes_of_the_compressed_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.txt.gz");
    let text: String = (0..50_000).map(|i| format!("{i} {}\n", i * 7 % 50_000)).collect();
    std::fs::write(&path, gzip(text.as_bytes())).unwrap();
    let recorder = Recorder::default();
    read_graph(&path, &ReadOptions::default(), &recorder).unwrap();
    let length = std::fs::metadata(&path).unwrap().len();
    assert_eq!(recorder.total.into_inner(), length);
    assert_eq!(recorder.advanced.into_inner(), length);
}
