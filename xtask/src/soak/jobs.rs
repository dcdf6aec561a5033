//! What is stopped half-way, and how a user goes on with it.

use std::io::Write;

use anyhow::Result;

use super::loopback::{Loopback, Reply};
use super::workplace::Workplace;

/// A command that writes below the folder `out`.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    /// What is typed.
    pub(crate) words: String,
    /// A folder of a run, and what is typed once that was begun; else the same is typed again.
    resume: Option<(&'static str, &'static str)>,
    /// Where its files come from, if they come from a server.
    server: Option<Loopback>,
}

/// How much is to be done.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    /// Tenths of a second each.
    Short,
    /// Seconds each, so that more lies between the beginning and the end.
    Long,
}

impl Job {
    /// What a user types after it was stopped.
    pub(crate) fn again(&self, place: &Workplace) -> String {
        match self.resume {
            Some((run, words)) if place.path(run).join("config.toml").is_file() => words.to_owned(),
            _ => self.words.clone(),
        }
    }

    /// Gets the server ready for one more run.
    pub(crate) fn prepare(&self) {
        if let Some(server) = &self.server {
            server.forget_replies();
            // As many as a fetch can ask for.
            server.then(&vec![Reply::Slowly; 20]);
        }
    }
}

/// Makes the data in `place`, and all jobs.
pub(crate) fn jobs(place: &Workplace, size: Size) -> Result<Vec<Job>> {
    let is_long = matches!(size, Size::Long);
    let either = |short: u32, long: u32| if is_long { long } else { short };
    let nodes = either(200, 600);
    place.ok(&format!("generate citation --nodes {nodes} --seed 3 -o data/citations"))?;
    let (nodes, arcs) = (either(1024, 8192), either(8000, 80_000));
    place.ok(&format!("generate rmat --nodes {nodes} --arcs {arcs} --seed 3 -o data/graph.tsv"))?;
    let train = "train data/citations --width 8 --patience 1000 --checkpoint-seconds 0";
    let (epochs, few) = (either(30, 120), either(10, 40));
    let (samples, graph) = (either(26, 30), "data/graph.tsv");
    let server = server(either(2, 12) as usize)?;
    let mirror = server.url();
    let job = |name, words: String| Job { name, words, resume: None, server: None };
    let run = Some(("out/run", "train --resume out/run --quiet"));
    Ok(vec![
        Job {
            resume: run,
            ..job(
                "train",
                format!("{train} --model motifnet-m --epochs {epochs} --out out/run --quiet"),
            )
        },
        Job {
            resume: run,
            ..job(
                "train on several splits",
                format!(
                    "{train} --model spline --eigenvectors 8 --repeat 3 --epochs {few} --out \
                     out/run --quiet"
                ),
            )
        },
        job(
            "reproduce",
            format!(
                "reproduce --nodes 150 --orders 1 --splits 2 --epochs {} --out out/all --quiet",
                either(3, 20)
            ),
        ),
        job(
            "significance",
            format!(
                "significance {graph} --samples {samples} --switches 2 -o out/motifs.csv --per-node \
                 out/nodes.csv.gz --plot out/profile.svg --plot out/page.html --quiet"
            ),
        ),
        job(
            "significance, kept",
            format!(
                "significance {graph} --samples {samples} --switches 2 --checkpoint out/samples.npz \
                 -o out/motifs.csv --per-node out/nodes.csv --quiet"
            ),
        ),
        Job {
            server: Some(server),
            ..job(
                "data fetch",
                format!(
                    "data fetch soc-epinions1 polblogs --retries 0 --to out --mirror {mirror} --quiet"
                ),
            )
        },
        job("motifs as npz", motifs(graph, "npz")),
        job("motifs as mtx", motifs(graph, "mtx")),
        job("motifs as parquet", motifs(graph, "parquet")),
        job(
            "census tables",
            format!(
                "census {graph} --per-node out/nodes.csv --per-edge out/edges.csv.zst --roles \
                 out/roles.csv.gz --clustering out/clustering.csv --quiet"
            ),
        ),
    ])
}

fn motifs(graph: &str, format: &str) -> String {
    format!("motifs {graph} --motif all --support edges --format {format} --out out --quiet")
}

/// A server on this machine with a file as it is and one in an archive.
fn server(megabytes: usize) -> Result<Loopback> {
    let arcs = |n_bytes: usize| {
        let lines = (0_u32..).map(|node| format!("{node}\t{}\n", node.wrapping_mul(7919) % 65_537));
        let mut text = String::new();
        for line in lines {
            if text.len() >= n_bytes {
                break;
            }
            text += &line;
        }
        text.into_bytes()
    };
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    // Stored, so that the archive is long enough to be stopped in.
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file("polblogs.gml", options)?;
    archive.write_all(&arcs(3 << 20))?;
    let archive = archive.finish()?.into_inner();
    Ok(Loopback::serving(&[
        ("/data/soc-Epinions1.txt.gz", &arcs(megabytes << 20)),
        ("/~mejn/netdata/polblogs.zip", &archive),
    ]))
}
