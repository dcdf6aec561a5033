//! `cargo xtask bench significance`: randomised graphs counted, beside graph-tool.

use std::collections::BTreeMap;
use std::env;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::peers::{Measured, Peers};
use super::targets::{Bound, Target, targets_table};
use super::{engine, warn_if_busy};
use crate::record::write_whole;
use crate::table::{grouped, seconds, table};
use crate::workspace;

/// Options of the benchmark.
#[derive(Args)]
pub(crate) struct SignificanceArgs {
    /// Write everything that was measured to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Measure MotifNet alone
    #[arg(long)]
    no_peers: bool,
    /// Randomised graphs of the small data set
    #[arg(long, value_name = "N", default_value = "1000")]
    samples: NonZeroUsize,
}

/// What is wanted of graph-tool's time over ours.
const LEAST_RATIO: f64 = 20.0;
/// Two z of as many samples may differ by so much of their size: four standard errors of a spread from a thousand
/// samples, on each side, correlated ones at that.
const TOLERANCE: f64 = 0.25;

/// What `motifnet significance --json` says.
#[derive(Deserialize)]
struct Found {
    classes: Vec<Class>,
}

#[derive(Deserialize)]
struct Class {
    name: String,
    count: u64,
    z: Option<f64>,
}

/// One side of one case.
#[derive(Deserialize, Serialize)]
pub(crate) struct Side {
    #[serde(default)]
    pub(crate) versions: BTreeMap<String, String>,
    /// Of the peer the call alone; of ours the whole command, reading and writing included.
    seconds: f64,
    counts: BTreeMap<String, f64>,
    z: Option<BTreeMap<String, f64>>,
}

/// A case: the same arcs on both sides.
#[derive(Serialize)]
struct Case {
    graph: &'static str,
    what: String,
    ours: Side,
    #[serde(serialize_with = "super::peers::serialize")]
    peer: Measured<Side>,
}

#[derive(Serialize)]
struct Measurements {
    cases: Vec<Case>,
    targets: Vec<Target>,
}

/// Runs the benchmark.
pub(crate) fn run(args: &SignificanceArgs) -> Result<()> {
    let data = env::var_os("MOTIFNET_DATA").map(PathBuf::from);
    let data = data.context("MOTIFNET_DATA does not say where the data sets are")?;
    workspace::build_command()?;
    warn_if_busy();
    let peers = if args.no_peers { Peers::none() } else { Peers::install_graph_tool() };

    let samples = args.samples.get();
    let ecoli = data.join("ecoli/coliInterNoAutoRegVec.txt");
    // graph-tool makes one switch an arc for every sample.
    let ours = ours(&ecoli, &["--weight", "none", "--switches", "1"], samples)?;
    let case = Case {
        graph: "ecoli",
        what: format!("{} samples, 1 switch an arc", grouped(samples as u64)),
        ours,
        peer: peers.graph_tool(&ecoli, "significance", samples),
    };
    let wiki = data.join("wiki-vote/wiki-Vote.txt");
    let two = Case {
        graph: "wiki-vote",
        what: "2 samples, 10 switches an arc; of graph-tool 1 count, no sample".to_owned(),
        ours: self::ours(&wiki, &["--switches", "10"], 2)?,
        peer: peers.graph_tool(&wiki, "count", 0),
    };
    let cases = vec![case, two];
    cases.iter().try_for_each(verify)?;
    let targets = cases.iter().map(|case| {
        let ratio = case.peer.as_ref().map(|peer| peer.seconds / case.ours.seconds);
        let name = format!("{}: graph-tool's time ÷ ours", case.graph);
        Target::new(name, Bound::AtLeast(LEAST_RATIO), "×", ratio.map_err(Clone::clone))
    });
    let targets = targets.collect();
    let measurements = Measurements { cases, targets };
    print!("{}", report(&measurements));
    if let Some(file) = &args.json {
        write_whole(file, &serde_json::to_string_pretty(&measurements)?)?;
    }
    Ok(())
}

/// The whole command, once.
fn ours(graph: &Path, options: &[&str], samples: usize) -> Result<Side> {
    let mut command = Command::new(workspace::command());
    command.arg("significance").arg(graph).args(options);
    command.args(["--samples", &samples.to_string(), "--json", "--quiet"]);
    eprintln!("measuring motifnet significance on {}", graph.display());
    let start = Instant::now();
    let output = engine::output(command)?;
    let seconds = start.elapsed().as_secs_f64();
    let found: Found = serde_json::from_slice(&output)?;
    let counts = found.classes.iter().map(|class| (class.name.clone(), class.count as f64));
    let z = found.classes.iter().filter_map(|class| Some((class.name.clone(), class.z?)));
    let (counts, z) = (counts.collect(), Some(z.collect()));
    Ok(Side { versions: BTreeMap::new(), seconds, counts, z })
}

/// The same counts, and where there are many instances about the same z.
fn verify(case: &Case) -> Result<()> {
    let Ok(peer) = &case.peer else { return Ok(()) };
    for (motif, count) in &peer.counts {
        let ours = case.ours.counts.get(motif);
        ensure!(
            ours == Some(count),
            "{}: {motif} is {ours:?}, graph-tool says {count}",
            case.graph
        );
    }
    let (Some(ours), Some(theirs)) = (&case.ours.z, &peer.z) else { return Ok(()) };
    for (motif, &theirs) in theirs.iter().filter(|(motif, _)| peer.counts[*motif] > 0.0) {
        let ours = ours.get(motif).copied().context("no z")?;
        let near = (ours - theirs).abs() <= TOLERANCE * theirs.abs().max(1.0);
        ensure!(near, "{}: z of {motif} is {ours:.2}, graph-tool says {theirs:.2}", case.graph);
    }
    Ok(())
}

fn report(measurements: &Measurements) -> String {
    let rows = measurements.cases.iter().map(|case| {
        let z = |side: &Side| {
            let z = side.z.as_ref().and_then(|z| z.get("M5"));
            z.map_or("–".to_owned(), |z| format!("{z:.2}"))
        };
        let peer = |show: &dyn Fn(&Side) -> String| case.peer.as_ref().map_or("–".into(), show);
        [
            case.graph.to_owned(),
            case.what.clone(),
            seconds(case.ours.seconds),
            peer(&|side| seconds(side.seconds)),
            peer(&|side| format!("{:.0}", side.seconds / case.ours.seconds)),
            z(&case.ours),
            peer(&z),
        ]
    });
    let header = ["graph", "what", "ours", "graph-tool", "ratio", "z of M5", "graph-tool's"];
    let rows: Vec<_> = rows.collect();
    format!("{}\n{}", table(header, &rows), targets_table(&measurements.targets))
}
