//! `cargo xtask bench train`: the same losses on both sides, then times in turns.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::peers::{Measured, Peers};
use super::targets::{Bound, Target};
use super::train_report::report;
use super::{engine, warn_if_busy};
use crate::record::write_whole;
use crate::workspace;

/// Options of the benchmark.
#[derive(Args)]
pub(crate) struct TrainArgs {
    /// Write everything that was measured to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Train one epoch on ten million arcs, too
    #[arg(long)]
    growth: bool,
    /// Measure MotifNet alone
    #[arg(long)]
    no_peers: bool,
    /// Threads of both sides [default: all]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// How often both sides are timed, one after the other
    #[arg(long, value_name = "N", default_value = "2")]
    turns: NonZeroUsize,
}

/// By case.
pub(crate) type Cases<T> = BTreeMap<String, T>;

/// Everything that was measured; what `--json` writes.
#[derive(Serialize)]
pub(crate) struct Measurements {
    pub(crate) threads: usize,
    pub(crate) problem: Facts,
    /// What the machine reaches at its best.
    pub(crate) machine: Option<Machine>,
    /// By engine and case: the largest difference of a loss to ours.
    pub(crate) differences: BTreeMap<String, Cases<f64>>,
    pub(crate) ours: Cases<Timing>,
    /// By engine and case.
    pub(crate) peers: BTreeMap<String, Cases<PeerTiming>>,
    pub(crate) versions: BTreeMap<String, String>,
    /// How PyTorch took the sparse products, by model.
    pub(crate) variants: BTreeMap<String, String>,
    pub(crate) growth: Option<Growth>,
    pub(crate) targets: Vec<Target>,
}

#[derive(Deserialize)]
struct OurCurves {
    losses: Cases<Vec<f64>>,
}

#[derive(Deserialize)]
struct PeerCurves {
    losses: BTreeMap<String, Cases<Vec<f64>>>,
}

#[derive(Deserialize)]
struct OurTimes {
    problem: Facts,
    machine: Option<Machine>,
    cases: Cases<Timing>,
}

#[derive(Deserialize)]
struct PeerTimes {
    versions: BTreeMap<String, String>,
    variants: BTreeMap<String, String>,
    times: BTreeMap<String, Cases<PeerTiming>>,
}

/// What is trained on.
#[derive(Deserialize, Serialize)]
pub(crate) struct Facts {
    pub(crate) graph: String,
    pub(crate) nodes: u64,
    pub(crate) arcs: u64,
    pub(crate) features: u64,
    pub(crate) classes: u64,
    pub(crate) train: u64,
    pub(crate) validation: u64,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Machine {
    pub(crate) product_gflop_s: f64,
    pub(crate) copy_gb_s: f64,
}

/// An epoch of ours: a training step and a validation pass.
#[derive(Deserialize, Serialize)]
pub(crate) struct Timing {
    pub(crate) least_ms: f64,
    pub(crate) median_ms: f64,
    pub(crate) train_ms: f64,
    pub(crate) validation_ms: f64,
    pub(crate) setup_ms: f64,
    /// To make the operators, or the eigenvectors.
    pub(crate) operators_ms: f64,
    pub(crate) parameters: u64,
    /// By pass and number of hops from the loss: the rows computed.
    pub(crate) rows: [Vec<u64>; 2],
    #[serde(default)]
    pub(crate) parts: Vec<Part>,
}

/// Kernels of an epoch that were timed apart.
#[derive(Deserialize, Serialize)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) calls: u64,
    pub(crate) ms: f64,
    pub(crate) gflop: f64,
    pub(crate) gathered_gb: f64,
}

/// An epoch of a peer.
#[derive(Deserialize, Serialize)]
pub(crate) struct PeerTiming {
    pub(crate) least_ms: f64,
    pub(crate) median_ms: f64,
}

/// One epoch on ten million arcs.
#[derive(Deserialize, Serialize)]
pub(crate) struct Growth {
    pub(crate) nodes: u64,
    pub(crate) arcs: u64,
    pub(crate) entries: u64,
    pub(crate) seconds: BTreeMap<String, f64>,
    pub(crate) peak_bytes: u64,
}

/// The most that a loss may differ, in any of the epochs.
const TOLERANCE: f64 = 1e-3;
const MOST_GIGABYTES: f64 = 8.0;

/// Runs the benchmark.
pub(crate) fn run(args: &TrainArgs) -> Result<()> {
    let threads =
        args.threads.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let executable = engine::build("train")?;
    let bench = Bench { executable, threads, suite: "paper", graph: "cora-full" };
    warn_if_busy();
    let peers = if args.no_peers { Peers::none() } else { Peers::install_for_training() };
    let mut measurements = bench.measure(&peers, !args.no_peers, args.turns.get())?;
    if args.growth {
        eprintln!("training on ten million arcs");
        measurements.growth = Some(engine::parsed(bench.command("growth", &[]))?);
    }
    measurements.targets = targets(&measurements);

    print!("{}", report(&measurements));
    if let Some(file) = &args.json {
        write_whole(file, &serde_json::to_string_pretty(&measurements)?)?;
    }
    if let Some(growth) = &measurements.growth {
        let gigabytes = growth.peak_bytes as f64 / 1e9;
        ensure!(gigabytes <= MOST_GIGABYTES, "{gigabytes:.1} GB, more than {MOST_GIGABYTES} GB");
    }
    Ok(())
}

/// Our side's executable and what it is run on.
pub(super) struct Bench {
    pub(super) executable: PathBuf,
    pub(super) threads: usize,
    pub(super) suite: &'static str,
    pub(super) graph: &'static str,
}

impl Bench {
    pub(super) fn command(&self, subcommand: &str, arguments: &[&std::ffi::OsStr]) -> Command {
        let mut command = Command::new(&self.executable);
        command.current_dir(workspace::root()).arg(subcommand).args(arguments);
        command.args(["--threads", &self.threads.to_string()]);
        command.args(["--suite", self.suite, "--graph", self.graph]);
        command
    }

    /// Everything of one suite on one graph: what both sides train on, the losses, the times.
    pub(super) fn measure(
        &self,
        peers: &Peers,
        has_peers: bool,
        turns: usize,
    ) -> Result<Measurements> {
        let folder = workspace::target().join("bench-data").join(self.suite).join(self.graph);
        // Weights of an older suite would be taken for cases.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        engine::output(self.command("export", &[folder.as_os_str()]))?;
        let differences = if has_peers { self.compare(peers, &folder)? } else { None };
        // No times of peers whose losses nobody has seen.
        let nobody = Peers::none();
        let peers = if differences.is_some() { peers } else { &nobody };
        let mut measurements = self.time(peers, &folder, turns)?;
        measurements.differences = differences.unwrap_or_default();
        Ok(measurements)
    }

    /// The largest difference of the losses by engine and case; none if the peers have no losses.
    ///
    /// # Errors
    /// If a difference is too large.
    fn compare(
        &self,
        peers: &Peers,
        folder: &Path,
    ) -> Result<Option<BTreeMap<String, Cases<f64>>>> {
        eprintln!("comparing the losses");
        let ours: OurCurves = engine::parsed(self.command("curves", &[]))?;
        let theirs = peers.train::<PeerCurves>(folder, "curves").ok();
        theirs.map(|theirs| differences(&ours.losses, &theirs.losses)).transpose()
    }

    /// Ours, theirs, ours, theirs: the least of all turns. The parts are those of the first.
    fn time(&self, peers: &Peers, folder: &Path, turns: usize) -> Result<Measurements> {
        let breakdown = ["--breakdown".as_ref()];
        let mut measured = None;
        for turn in 0..turns {
            eprintln!("timing, turn {} of {turns}", turn + 1);
            let arguments = if turn == 0 { &breakdown[..] } else { &[] };
            let ours: OurTimes = engine::parsed(self.command("time", arguments))?;
            let measured = measured.get_or_insert_with(|| Measurements {
                threads: self.threads,
                problem: ours.problem,
                machine: ours.machine,
                differences: BTreeMap::new(),
                ours: BTreeMap::new(),
                peers: BTreeMap::new(),
                versions: BTreeMap::new(),
                variants: BTreeMap::new(),
                growth: None,
                targets: Vec::new(),
            });
            for (case, timing) in ours.cases {
                match measured.ours.get_mut(&case) {
                    Some(known) => known.lower(&timing),
                    None => drop(measured.ours.insert(case, timing)),
                }
            }
            let Ok(theirs) = peers.train::<PeerTimes>(folder, "time") else { continue };
            measured.versions = theirs.versions;
            measured.variants = theirs.variants;
            for (engine, cases) in theirs.times {
                let known = measured.peers.entry(engine).or_default();
                for (case, timing) in cases {
                    match known.get_mut(&case) {
                        Some(known) => known.lower(&timing),
                        None => drop(known.insert(case, timing)),
                    }
                }
            }
        }
        measured.context("no turns were asked for")
    }
}

impl Timing {
    fn lower(&mut self, other: &Self) {
        self.least_ms = self.least_ms.min(other.least_ms);
        self.median_ms = self.median_ms.min(other.median_ms);
        self.train_ms = self.train_ms.min(other.train_ms);
        self.validation_ms = self.validation_ms.min(other.validation_ms);
    }
}

impl PeerTiming {
    fn lower(&mut self, other: &Self) {
        self.least_ms = self.least_ms.min(other.least_ms);
        self.median_ms = self.median_ms.min(other.median_ms);
    }
}

fn differences(
    ours: &Cases<Vec<f64>>,
    theirs: &BTreeMap<String, Cases<Vec<f64>>>,
) -> Result<BTreeMap<String, Cases<f64>>> {
    let mut all = BTreeMap::new();
    for (engine, cases) in theirs {
        let mut of_engine = Cases::new();
        for (case, theirs) in cases {
            let ours = ours.get(case).with_context(|| format!("{case} is no case of ours"))?;
            ensure!(ours.len() == theirs.len(), "{case}: not as many losses as {engine} has");
            let mut largest = 0.0;
            for (epoch, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                let difference = (ours - theirs).abs();
                ensure!(
                    difference <= TOLERANCE,
                    "{case}: in epoch {} our loss is {ours} and {engine}'s {theirs}; no times \
                     are compared where results differ by more than {TOLERANCE}",
                    epoch + 1
                );
                largest = difference.max(largest);
            }
            of_engine.insert(case.clone(), largest);
        }
        all.insert(engine.clone(), of_engine);
    }
    Ok(all)
}

impl Measurements {
    /// How many times as long as ours an epoch of the peer takes.
    pub(crate) fn ratio(&self, engine: &str, case: &str) -> Measured<f64> {
        let theirs = self.peers.get(engine).and_then(|cases| cases.get(case));
        let theirs = theirs.ok_or_else(|| format!("no times of {engine}"))?;
        let ours = self.ours.get(case).ok_or("not run")?;
        Ok(theirs.least_ms / ours.least_ms)
    }
}

fn targets(measurements: &Measurements) -> Vec<Target> {
    let wanted = [
        ("torch", "PyTorch with CSR products", "motifnet-m-1", 5.0),
        ("torch", "PyTorch with CSR products", "motifnet-m-2", 5.0),
        ("torch", "PyTorch with CSR products", "motifnet-m-4", 4.0),
        ("pyg", "PyG", "chebnet-1", 4.0),
        ("pyg", "PyG", "chebnet-2", 4.0),
        ("pyg", "PyG", "chebnet-4", 4.0),
    ];
    let mut targets: Vec<_> = wanted
        .into_iter()
        .map(|(engine, name, case, least)| {
            let ratio = measurements.ratio(engine, case);
            Target::new(format!("{name} ÷ ours, {case}"), Bound::AtLeast(least), "×", ratio)
        })
        .collect();
    if let Some(growth) = &measurements.growth {
        let gigabytes = Ok(growth.peak_bytes as f64 / 1e9);
        let bound = Bound::AtMost(MOST_GIGABYTES);
        targets.push(Target::new("peak memory, ten million arcs", bound, " GB", gigabytes));
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(losses: &[f64]) -> Cases<Vec<f64>> {
        Cases::from([("chebnet-1".to_owned(), losses.to_vec())])
    }

    #[test]
    fn the_largest_difference_of_a_case_is_told() {
        let theirs = BTreeMap::from([("torch".to_owned(), curve(&[4.0, 3.0005]))]);
        let found = differences(&curve(&[4.0001, 3.0]), &theirs).unwrap();
        assert!((found["torch"]["chebnet-1"] - 5e-4).abs() < 1e-9);
    }

    #[test]
    fn losses_that_differ_are_named_with_their_epoch() {
        for bad in [3.002, f64::NAN] {
            let theirs = BTreeMap::from([("pyg".to_owned(), curve(&[4.0, bad]))]);
            let error = differences(&curve(&[4.0, 3.0]), &theirs).unwrap_err().to_string();
            assert!(error.starts_with("chebnet-1: in epoch 2 our loss is 3 and pyg's"), "{error}");
        }
    }
}
