//! `cargo xtask bench motifs`: generate, run both sides, verify, then print times, ratios and targets.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::engine::{Census, Engine, Generate, Read, Run};
use super::motifs_report::report;
use super::peers::{self, Graphblas, Igraph, Measured, Motifcluster, Peers, Polars};
use super::targets::{Bound, Target};
use super::{verify, warn_if_busy};
use crate::record::write_whole;
use crate::workspace;

/// Options of the benchmark.
#[derive(Args)]
pub(crate) struct MotifsArgs {
    /// Write everything that was measured to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The R-MAT graphs to measure, by their number of arcs
    #[arg(long, value_enum, value_delimiter = ',', default_value = "200k,1m,10m")]
    sizes: Vec<Size>,
    /// Measure MotifNet alone
    #[arg(long)]
    no_peers: bool,
    /// Threads beside the one-thread runs [default: all]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Runs that the least time is taken of [default: 9, or 3 for 10m]
    #[arg(long, value_name = "N")]
    runs: Option<NonZeroUsize>,
}

/// The sizes that the targets speak of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
pub(crate) enum Size {
    #[value(name = "200k")]
    #[serde(rename = "200k")]
    K200,
    #[value(name = "1m")]
    #[serde(rename = "1m")]
    M1,
    #[value(name = "10m")]
    #[serde(rename = "10m")]
    M10,
}

impl Size {
    /// As it is typed and printed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::K200 => "200k",
            Self::M1 => "1m",
            Self::M10 => "10m",
        }
    }

    fn graph(self) -> Generate {
        let (nodes, arcs) = match self {
            Self::K200 => (32_768, 200_000),
            Self::M1 => (131_072, 1_000_000),
            Self::M10 => (1_048_576, 10_000_000),
        };
        Generate { nodes, arcs, seed: SEED, erdos_renyi: false }
    }
}

const SEED: u64 = 1;

/// Everything that was measured; what `--json` writes.
#[derive(Serialize)]
pub(crate) struct Measurements {
    pub(crate) threads: usize,
    pub(crate) sizes: Vec<SizeMeasurements>,
    /// Erdős–Rényi, one million arcs: R-MAT's hubs would keep igraph busy for hours.
    pub(crate) census: Option<CensusMeasurements>,
    pub(crate) targets: Vec<Target>,
}

#[derive(Serialize)]
pub(crate) struct SizeMeasurements {
    pub(crate) size: Size,
    pub(crate) one_thread: Run,
    /// The same on all threads, where that is more than one.
    pub(crate) many_threads: Option<Run>,
    pub(crate) read: Read,
    #[serde(serialize_with = "peers::serialize")]
    pub(crate) polars: Measured<Polars>,
    #[serde(serialize_with = "peers::serialize_option")]
    pub(crate) motifcluster: Option<Measured<Motifcluster>>,
    #[serde(serialize_with = "peers::serialize_option")]
    pub(crate) graphblas: Option<Measured<Graphblas>>,
}

#[derive(Serialize)]
pub(crate) struct CensusMeasurements {
    pub(crate) ours: Census,
    #[serde(serialize_with = "peers::serialize")]
    pub(crate) igraph: Measured<Igraph>,
}

/// Runs the benchmark.
pub(crate) fn run(args: &MotifsArgs) -> Result<()> {
    let threads =
        args.threads.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let mut sizes = args.sizes.clone();
    sizes.sort();
    sizes.dedup();
    let engine = Engine::build()?;
    warn_if_busy();
    let peers = if args.no_peers { Peers::none() } else { Peers::install() };
    let folder = workspace::target().join("bench-data");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;

    let bench = Bench { engine, peers, folder, threads, runs: args.runs };
    let sizes = sizes.into_iter().map(|size| bench.size(size)).collect::<Result<Vec<_>>>()?;
    let wants_census = sizes.iter().any(|measured| measured.size == Size::M1);
    let census = if wants_census { Some(bench.census()?) } else { None };
    let targets = targets(threads, &sizes);
    let measurements = Measurements { threads, sizes, census, targets };

    print!("{}", report(&measurements));
    if let Some(file) = &args.json {
        write_whole(file, &serde_json::to_string_pretty(&measurements)?)?;
    }
    Ok(())
}

struct Bench {
    engine: Engine,
    peers: Peers,
    folder: PathBuf,
    threads: usize,
    runs: Option<NonZeroUsize>,
}

impl Bench {
    /// Measures one R-MAT graph on both sides and verifies that the results are the same.
    fn size(&self, size: Size) -> Result<SizeMeasurements> {
        let runs = self.runs.map_or(if size == Size::M10 { 3 } else { 9 }, NonZeroUsize::get);
        let file = self.generate(&format!("rmat-{}.tsv", size.name()), &size.graph())?;
        let ours = |threads| {
            eprintln!("measuring MotifNet on {} (threads: {threads})", file.display());
            let run = self.engine.run(&file, threads, runs)?;
            verify::run(&run).map(|()| run)
        };
        let one_thread = ours(1)?;
        let many_threads = if self.threads > 1 { Some(ours(self.threads)?) } else { None };
        if let Some(many) = &many_threads {
            verify::same_counts(&one_thread, many)?;
        }
        let read = self.engine.read(&file, self.threads, runs)?;
        let polars = self.peers.polars(&file, self.threads, runs);
        if let Ok(theirs) = &polars {
            verify::polars(&read, theirs)?;
        }
        let motifcluster = (size == Size::K200).then(|| self.peers.motifcluster(&file));
        if let Some(Ok(theirs)) = &motifcluster {
            verify::motifcluster(&one_thread, theirs)?;
        }
        let graphblas = (size == Size::M1).then(|| self.peers.graphblas(&file, runs));
        if let Some(Ok(theirs)) = &graphblas {
            verify::graphblas(&one_thread, theirs)?;
        }
        Ok(SizeMeasurements {
            size,
            one_thread,
            many_threads,
            read,
            polars,
            motifcluster,
            graphblas,
        })
    }

    fn census(&self) -> Result<CensusMeasurements> {
        let graph = Generate { erdos_renyi: true, ..Size::M1.graph() };
        let file = self.generate("er-1m.tsv", &graph)?;
        eprintln!("measuring MotifNet's census on {}", file.display());
        let ours = self.engine.census(&file, self.threads)?;
        let igraph = self.peers.igraph(&file);
        if let Ok(theirs) = &igraph {
            verify::igraph(&ours, theirs)?;
        }
        Ok(CensusMeasurements { ours, igraph })
    }

    /// Always anew: it takes seconds, and a file left by an older generator would mislead.
    fn generate(&self, name: &str, graph: &Generate) -> Result<PathBuf> {
        let file = self.folder.join(name);
        eprintln!("generating {}", file.display());
        self.engine.generate(graph, &file)?;
        Ok(file)
    }
}

/// The targets of the engine, judged.
fn targets(threads: usize, sizes: &[SizeMeasurements]) -> Vec<Target> {
    let of = |size: Size| {
        let found = sizes.iter().find(|measured| measured.size == size);
        found.ok_or_else(|| format!("--sizes lacks {}", size.name()))
    };
    let mut targets = Vec::new();

    let speedup = |run: fn(&SizeMeasurements) -> Option<&Run>| {
        let measured = of(Size::K200)?;
        let ours = run(measured).ok_or("one thread only")?;
        let theirs = peer(&measured.motifcluster)?;
        Ok(theirs.seconds / ours.seconds.total_to_operators)
    };
    let name = "motifcluster's thirteen matrices ÷ our thirteen operators, 200k";
    targets.push(Target::new(
        format!("{name}, 1 thread"),
        Bound::AtLeast(200.0),
        "×",
        speedup(|measured| Some(&measured.one_thread)),
    ));
    if threads > 1 {
        targets.push(Target::new(
            format!("{name}, {threads} threads"),
            Bound::AtLeast(200.0),
            "×",
            speedup(|measured| measured.many_threads.as_ref()),
        ));
    }

    let over_triangle_count = of(Size::M1).and_then(|measured| {
        let theirs = peer(&measured.graphblas)?;
        Ok(measured.one_thread.seconds.total_to_operators / theirs.seconds)
    });
    targets.push(Target::new(
        "our thirteen operators ÷ a bare triangle count, 1m, 1 thread",
        Bound::AtMost(2.5),
        "×",
        over_triangle_count,
    ));

    let peak = |size, unit: f64| of(size).map(|measured| peak_bytes(measured) as f64 / unit);
    let megabytes = peak(Size::M1, 1e6);
    targets.push(Target::new("peak memory, 1m", Bound::AtMost(300.0), " MB", megabytes));
    let gigabytes = peak(Size::M10, 1e9);
    targets.push(Target::new("peak memory, 10m", Bound::AtMost(4.0), " GB", gigabytes));

    let steps = [Size::K200, Size::M1, Size::M10]
        .map(|size| of(size).map(|measured| measured.one_thread.nanoseconds_per_step()));
    let spread = steps.into_iter().collect::<Result<Vec<_>, _>>().map(|steps| {
        let largest = steps.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        largest / steps.iter().copied().fold(f64::INFINITY, f64::min)
    });
    targets.push(Target::new(
        "largest ÷ least time per intersection step, 200k to 10m",
        Bound::AtMost(3.0),
        "×",
        spread,
    ));

    for measured in sizes {
        let speed = measured.polars.as_ref().map_err(Clone::clone);
        targets.push(Target::new(
            format!("our reading speed ÷ polars', {}, {threads} threads", measured.size.name()),
            Bound::AtLeast(0.5),
            "×",
            speed.map(|theirs| theirs.seconds / measured.read.seconds),
        ));
    }
    targets
}

/// A peer's result, or why there is none.
pub(crate) fn peer<T>(measured: &Option<Measured<T>>) -> Result<&T, String> {
    match measured {
        Some(Ok(theirs)) => Ok(theirs),
        Some(Err(reason)) => Err(reason.clone()),
        None => Err("not run".to_owned()),
    }
}

fn peak_bytes(measured: &SizeMeasurements) -> u64 {
    let many = measured.many_threads.as_ref().map_or(0, |run| run.peak_bytes);
    measured.one_thread.peak_bytes.max(many)
}
