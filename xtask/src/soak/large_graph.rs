//! A graph of more arcs than threads share out at a time.
//!
//! Files are read a mebibyte at a time, arcs sorted by 2¹⁸, drawn by 2¹⁶: what is smaller than that is the work of
//! one thread, whatever their number.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::workplace::{Files, Workplace};

/// The name of the data set's folder.
pub(super) const NAME: &str = "large";

/// Makes the arcs of hubs with names and weights, and weighted blocks in every format that is read.
pub(super) fn write(place: &Workplace) -> Result<()> {
    place.empty(NAME)?;
    place.ok("generate rmat --nodes 65536 --arcs 700000 --seed 3 -o large/hubs.tsv --quiet")?;
    place.put("large/named.tsv", named(&fs::read_to_string(place.path("large/hubs.tsv"))?)?)?;
    for format in ["tsv", "tsv.gz", "parquet", "mtx", "npz"] {
        place.ok(&format!(
            "generate dsbm --blocks 20000,15000 --connect 0.0009,0.0003;0.0006,0.0005 \
             --weights-matrix 2.5,5;0.75,2 --weight-kind poisson --seed 4 -o large/blocks.{format} --quiet"
        ))?;
    }
    place.put("large/blocks.gml", gml(&fs::read_to_string(place.path("large/blocks.tsv"))?)?)
}

/// The arcs of numbered nodes with names that are no numbers, and weights whose sums depend on their order.
fn named(arcs: &str) -> Result<String> {
    let mut text = String::from("source\ttarget\tweight\n");
    for (at, line) in arcs.lines().filter(|line| !line.starts_with('#')).enumerate() {
        let (source, target) = line.split_once('\t').context("an arc has two ends")?;
        let weight = 0.1 + (at * 7919 % 997) as f64 / 13.0;
        writeln!(text, "page {source}\tpage {target}\t{weight:.3}")?;
    }
    Ok(text)
}

/// Weighted arcs as GML, which the command reads and does not write.
fn gml(arcs: &str) -> Result<String> {
    let mut lines = arcs.lines();
    let n_nodes = lines.next().and_then(|line| line.strip_prefix("# nodes: "));
    let n_nodes: usize = n_nodes.context("the file tells how many nodes it has")?.parse()?;
    let mut text = String::from("graph [\ndirected 1\n");
    for node in 0..n_nodes {
        writeln!(text, "node [ id {node} ]")?;
    }
    for line in lines {
        let mut words = line.split('\t');
        let mut next = || words.next().context("an arc has two ends and a weight");
        writeln!(text, "edge [ source {} target {} value {} ]", next()?, next()?, next()?)?;
    }
    text += "]\n";
    Ok(text)
}

/// Refuses matrices of the same arcs that depend on the format which they were read from.
pub(super) fn check_formats(files: &Files) -> Result<()> {
    let of = |format: &str| files.get(Path::new(&format!("from-{format}/M5.npz")));
    let first = of("tsv").context("there is no matrix of the arcs read from text")?;
    for format in ["parquet", "mtx", "npz", "gml"] {
        ensure!(
            of(format) == Some(first),
            "read from {format}, the arcs have another matrix than from text"
        );
    }
    Ok(())
}
