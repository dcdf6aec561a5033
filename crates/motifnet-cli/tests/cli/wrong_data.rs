//! Data that is not as it should be is refused with exit code 1, and nothing is written.

use std::fs;
use std::io::{Cursor, Write};

use crate::support::Folder;

#[test]
fn files_that_are_not_there() {
    let folder = Folder::with("folder/readme.txt", "");
    folder.put("broken/dataset.toml", "name = 'x'\n");
    folder.put("g.tsv", "0\t1\n");
    let said = folder.all_refused(
        1,
        &[
            "census missing.tsv",
            "inspect folder",
            "inspect broken",
            "census g.tsv --per-node nowhere/n.csv",
            "census g.tsv --roles folder",
            "motifs g.tsv --motif M5 --out g.tsv/m",
            "generate er --nodes 10 --arcs 5 -o nowhere/g.tsv",
            "generate dsbm --blocks 2 --connect 1 --labels nowhere/b.csv -o g2.tsv",
        ],
    );
    insta::assert_snapshot!(said);
}

#[test]
fn text_that_is_no_graph() {
    let folder = Folder::new();
    folder.put("short.tsv", "0\t1\n1\n2\t0\n");
    folder.put("weights.csv", "source,target,weight\n0,1,1\n1,2,heavy\n");
    folder.put("columns.csv", "from,to\na,b\n");
    folder.put("few.tsv", "0\t1\n7\t2\n");
    let said = folder.all_refused(
        1,
        &[
            "census short.tsv",
            "census weights.csv --weight weight",
            "census columns.csv --source from --target nowhere",
            "census columns.csv --source 9 --target 1",
            "census few.tsv --nodes 4",
        ],
    );
    insta::assert_snapshot!(said);
}

#[test]
fn decompression_has_a_cap_that_can_be_raised() {
    let folder = Folder::new();
    folder.ok("generate er --nodes 100000 --arcs 150000 --seed 1 -o g.tsv.gz");
    let said = folder.all_refused(1, &["inspect g.tsv.gz --max-decompressed 1"]);
    let expected = "g.tsv.gz: decompresses to more than 1000000 bytes; if it is to be trusted, allow \
                    more megabytes by --max-decompressed";
    assert!(said.contains(expected), "{said}");
    folder.ok("inspect g.tsv.gz --max-decompressed 3");
    folder.put("dataset.toml", "arcs = 'g.tsv.gz'\nfeatures = 'degrees'\n");
    let said = folder.all_refused(1, &["train . --max-decompressed 1 --epochs 1"]);
    assert!(said.contains(expected), "{said}");
}

/// The Parquet library panics at this file; who reads the error need not hear of it.
#[test]
fn a_panic_that_is_caught_is_not_told() {
    let folder = Folder::new();
    let damaged =
        "/../motifnet-fuzz/corpus/graph_parquet/damage that the Parquet library panics at";
    let damaged = [env!("CARGO_MANIFEST_DIR"), damaged].concat();
    folder.put("g.parquet", fs::read(damaged).unwrap());
    let said = folder.all_refused(1, &["inspect g.parquet"]);
    assert!(said.contains("g.parquet: cannot be read as Parquet: the file is damaged"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn archives_that_are_no_graph() {
    let folder = Folder::new();
    folder.ok("generate er --nodes 100 --arcs 900 -o g.tsv.gz");
    let whole = fs::read(folder.path("g.tsv.gz")).unwrap();
    folder.put("cut.tsv.gz", &whole[..whole.len() / 2]);
    folder.put("no.npz", "PK but no zip");
    folder.put("pickled.npz", pickled());
    folder.put("cut.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1\n");
    folder.put("no.gml", "graph [\n  node [ id 0 ]\n  edge [ source 0 ]\n]\n");
    folder.put("no.parquet", "PAR1");
    let said = folder.all_refused(
        1,
        &[
            "census cut.tsv.gz --per-node n.csv",
            "census no.npz",
            "census pickled.npz",
            "census cut.mtx",
            "census no.gml",
            "census no.parquet",
        ],
    );
    insta::assert_snapshot!(said);
}

/// An archive whose arcs are a pickled object, which must never be decoded.
fn pickled() -> Vec<u8> {
    let mut header = b"{'descr': '|O', 'fortran_order': False, 'shape': (3, 2), }".to_vec();
    header.resize(117, b' ');
    header.push(b'\n');
    let mut array = b"\x93NUMPY\x01\x00".to_vec();
    array.extend((header.len() as u16).to_le_bytes());
    array.extend(header);
    array.extend(b"\x80\x04N.");
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("edges.npy", zip::write::SimpleFileOptions::default()).unwrap();
    zip.write_all(&array).unwrap();
    zip.finish().unwrap().into_inner()
}

#[test]
fn matrices_that_are_too_large_or_have_no_laplacian() {
    let folder = Folder::new();
    folder.put("star.tsv", (1..100).map(|leaf| format!("0\t{leaf}\n")).collect::<String>());
    folder.put("negative.tsv", "0\t1\t1.5\n1\t2\t-2\n2\t0\t1\n");
    let said = folder.all_refused(
        1,
        &[
            "motifs star.tsv --motif M1,M8 --out m --max-entries 1000",
            "motifs star.tsv --motif all --out m --max-entries 1000",
            "motifs negative.tsv --motif M1 --weights mean --laplacian plain --out m",
        ],
    );
    insta::assert_snapshot!(said);
}
