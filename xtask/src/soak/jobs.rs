//! What is stopped half-way, and how a user goes on with it.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Result;

use super::loopback::{Loopback, Reply};
use super::workplace::{Files, Workplace};

/// A command that writes below the folder `out`.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    /// What is typed.
    pub(crate) words: String,
    /// What was typed before and came to its end: an older result in the same place.
    pub(crate) older: Option<String>,
    /// Whether its files are one result, of which the old must not stand beside the new.
    pub(crate) unity: Unity,
    /// A file below `out` that says what was begun, and what is typed to go on with that; else the same is typed
    /// again.
    resume: Option<(&'static str, &'static str)>,
    /// Where its files come from, if they come from a server.
    server: Option<Loopback>,
}

/// What belongs together of all that a command writes.
#[derive(Clone, Copy)]
pub(crate) enum Unity {
    /// Nothing: every file is a result of its own.
    Files,
    /// The folder of a search; old and new do not mix.
    Search,
    /// The folder of a run; old and new do not mix, and where this file is, the old one is whole.
    Run(&'static str),
    /// The folder of a data set, which is none without this file: where it is, all of it is of one kind and whole.
    DataSet(&'static str),
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
    /// What a user types after it was stopped; `whole` is what it comes to.
    pub(crate) fn again(&self, place: &Workplace, whole: &Files) -> String {
        let has_begun = |file: &str| {
            // The older result has a file of this name too, and is not to be gone on with.
            let found = fs::read(place.path("out").join(file)).ok();
            found.is_some() && found.as_ref() == whole.get(Path::new(file))
        };
        match self.resume {
            Some((file, words)) if has_begun(file) => words.to_owned(),
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
    let job = |name, words: String| Job {
        name,
        words,
        older: None,
        unity: Unity::Files,
        resume: None,
        server: None,
    };
    let over = |older: String, job: Job| Job { older: Some(older), ..job };
    let run = Some(("run/config.toml", "train --resume out/run --quiet"));
    let search = Some(("search/tune.toml", "tune --resume out/search --quiet"));
    let tune = format!(
        "tune data/citations --model gcn --width 8 --patience 1000 --trials {} --epochs {few} --out out/search --quiet",
        either(2, 4)
    );
    let papers = either(1000, 8000);
    let cite = format!("generate citation --nodes {papers} --seed 5 -o out/citing --force --quiet");
    let significant = format!(
        "significance {graph} --samples {samples} --switches 2 -o out/motifs.csv --per-node \
         out/nodes.csv.gz --plot out/profile.svg --plot out/page.html --quiet"
    );
    let trained = format!("{train} --model motifnet-m --epochs {epochs} --out out/run --quiet");
    let of_data = Unity::DataSet("citing/dataset.toml");
    Ok(vec![
        Job { resume: run, ..job("train", trained.clone()) },
        over(
            // Of several splits, so that it has folders that the new one does not.
            "train data/citations --model gcn --width 2 --max-features 4 --epochs 3 --repeat 2 --seed 9 --out out/run --quiet".to_owned(),
            Job { resume: run, unity: Unity::Run("run/config.toml"), ..job("train --force", trained + " --force") },
        ),
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
        Job { resume: search, ..job("tune", tune.clone()) },
        over(
            "tune data/citations --model mlp --width 2 --max-features 4 --trials 6 --epochs 2 --seed 9 --out out/search --quiet".to_owned(),
            Job { resume: search, unity: Unity::Search, ..job("tune --force", tune + " --force") },
        ),
        job("significance", significant.clone()),
        over(
            significant.replace("--switches 2", "--switches 1 --seed 9"),
            job("significance, overwriting", significant),
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
        over(
            motifs(graph, "npz") + " --instances subgraph",
            job("motifs, overwriting", motifs(graph, "npz")),
        ),
        Job { unity: of_data, ..job("generate citation", cite.clone()) },
        over(
            "generate citation --nodes 200 --seed 6 -o out/citing --quiet".to_owned(),
            Job { unity: of_data, ..job("generate citation --force", cite) },
        ),
        over(
            format!("generate er --nodes {nodes} --arcs {arcs} --seed 6 -o out/graph.tsv --quiet"),
            job(
                "generate rmat, overwriting",
                format!("generate rmat --nodes {nodes} --arcs {arcs} --seed 5 -o out/graph.tsv --quiet"),
            ),
        ),
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
