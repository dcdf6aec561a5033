//! Files that hold more than there is memory for are refused while they are read, in the words of all plans.
//!
//! One test alone in its process, since the limit of memory is the whole process's.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use motifnet::data::read_node_labels;
use motifnet::graph::{NodeNames, ReadOptions, read_graph};
use motifnet::io::{TensorFile, read_npy_integers};
use motifnet::memory::{limit_memory, own_memory};
use motifnet::progress::Silent;

/// What the process may take beside what it has.
const LIMIT: u64 = 64 << 20;
const MEGABYTE: usize = 1 << 20;

/// The bytes of an array of so many pairs of zeros, one byte each; a megabyte at a time.
fn write_zeros(mut to: impl Write, n_megabytes: usize) {
    let shape = format!("({}, 2)", n_megabytes * MEGABYTE / 2);
    let header = format!("{{'descr': '|i1', 'fortran_order': False, 'shape': {shape}, }}\n");
    to.write_all(b"\x93NUMPY\x01\x00").unwrap();
    to.write_all(&(header.len() as u16).to_le_bytes()).unwrap();
    to.write_all(header.as_bytes()).unwrap();
    repeat(to, &[0; MEGABYTE], n_megabytes);
}

fn repeat(mut to: impl Write, bytes: &[u8], n_times: usize) {
    for _ in 0..n_times {
        to.write_all(bytes).unwrap();
    }
}

fn gzip(path: &Path) -> impl Write + use<> {
    flate2::write::GzEncoder::new(File::create(path).unwrap(), flate2::Compression::fast())
}

/// Five million rows of the same two numbers, in a few kilobytes.
#[cfg(feature = "parquet")]
fn write_parquet(path: &Path) {
    use parquet::column::writer::ColumnWriter;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    let schema = "message t { REQUIRED INT64 source; REQUIRED INT64 target; }";
    let schema = parse_message_type(schema).unwrap().into();
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        let ColumnWriter::Int64ColumnWriter(values) = column.untyped() else {
            panic!("not 64 bits")
        };
        for _ in 0..5 {
            values.write_batch(&vec![7; 1_000_000], None, None).unwrap();
        }
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn what_does_not_fit_is_refused_while_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| -> PathBuf { folder.path().join(name) };
    let mut archive = zip::ZipWriter::new(BufWriter::new(File::create(at("a.npz")).unwrap()));
    archive.start_file("edges.npy", zip::write::SimpleFileOptions::default()).unwrap();
    // A byte becomes eight: none of these arrays is too large as it stands in its file.
    write_zeros(&mut archive, 20);
    archive.finish().unwrap();
    write_zeros(gzip(&at("a.npy.gz")), 20);
    repeat(gzip(&at("a.txt.gz")), &b"0 1\n".repeat(MEGABYTE / 4), 80);
    repeat(gzip(&at("labels.csv.gz")), &b"0,a\n".repeat(MEGABYTE / 4), 80);
    File::create(at("model.safetensors")).unwrap().set_len(LIMIT).unwrap();
    #[cfg(feature = "parquet")]
    write_parquet(&at("a.parquet"));

    limit_memory(LIMIT);
    let start = Cell::new(0);
    let start_anew = || {
        // Makes the peak what there is now.
        std::fs::write("/proc/self/clear_refs", "5").unwrap();
        start.set(own_memory().unwrap().peak);
    };
    let read = |name: &str| -> String {
        let path = at(name);
        let options = ReadOptions::default();
        read_graph(&path, &options, &Silent).unwrap_err().to_string()
    };
    let refused = |name: &str, message: String| {
        let message = message.replace(&format!("{}/", folder.path().display()), "");
        assert!(
            message.starts_with(&format!("{name}what the file holds needs about ")),
            "{message}"
        );
        assert!(message.contains(" of memory, and there is "), "{message}");
        assert!(message.ends_with(", or raise the limit"), "{message}");
        // About as much room was left as was taken.
        let taken = own_memory().unwrap().peak - start.get();
        assert!(taken < LIMIT * 6 / 5, "{name}: took {} MB", taken >> 20);
        start_anew();
    };
    start_anew();
    #[cfg(feature = "parquet")]
    {
        refused("a.parquet: ", read("a.parquet"));
        let (file, names) = (at("a.parquet").display().to_string(), NodeNames::Indices(8));
        let error = read_node_labels(&file, &names, None, &Silent).unwrap_err();
        refused("a.parquet: ", error.to_string());
    }
    refused("a.npz[edges]: ", read("a.npz"));
    refused("", read_npy_integers(&at("a.npy.gz"), None, &Silent).unwrap_err().to_string());
    refused("a.txt.gz: ", read("a.txt.gz"));
    let (labels, names) = (at("labels.csv.gz").display().to_string(), NodeNames::Indices(2));
    let labels = read_node_labels(&labels, &names, None, &Silent).unwrap_err();
    refused("labels.csv.gz: ", labels.to_string());
    let model = TensorFile::read(&at("model.safetensors"), "model", 1).unwrap_err();
    refused("model.safetensors: ", model.to_string());
}
