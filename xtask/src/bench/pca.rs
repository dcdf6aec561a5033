//! `cargo xtask bench pca`: the same variances on both sides, then times in turns.

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
use super::targets::{Bound, Target, targets_table};
use super::{engine, warn_if_busy};
use crate::record::write_whole;
use crate::table::{grouped, seconds, table};
use crate::workspace;

/// Options of the benchmark.
#[derive(Args)]
pub(crate) struct PcaArgs {
    /// Write everything that was measured to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Measure MotifNet alone
    #[arg(long)]
    no_peers: bool,
    /// Threads of both sides [default: all]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// How often both sides are timed, one after the other
    #[arg(long, value_name = "N", default_value = "3")]
    turns: NonZeroUsize,
}

const COMPONENTS: usize = 130;
/// Of either side in a turn: the first also pays for what a process does once.
const RUNS: usize = 2;
/// The most that the captured variance may differ.
const TOLERANCE: f64 = 1e-4;
/// What is wanted of scikit-learn's time over ours.
const LEAST_RATIO: f64 = 2.0;

/// What one side found, and how long it took; the peer also says which versions it is of.
#[derive(Deserialize, Serialize)]
pub(crate) struct Side {
    rows: u64,
    columns: u64,
    entries: u64,
    /// The share of the variance that each component has.
    shares: Vec<f64>,
    /// The least of all turns.
    seconds: f64,
    #[serde(default)]
    versions: BTreeMap<String, String>,
    /// By number of BLAS threads, of which the peer's fastest counts.
    #[serde(default)]
    seconds_each: BTreeMap<String, f64>,
}

impl Side {
    fn captured(&self) -> f64 {
        self.shares.iter().sum()
    }

    /// Keeps the lesser of the times.
    fn lower(&mut self, other: &Self) {
        self.seconds = self.seconds.min(other.seconds);
        for (threads, seconds) in &mut self.seconds_each {
            let other = other.seconds_each.get(threads).copied().unwrap_or(f64::INFINITY);
            *seconds = seconds.min(other);
        }
    }
}

/// Everything that was measured; what `--json` writes.
#[derive(Serialize)]
struct Measurements {
    threads: usize,
    turns: usize,
    ours: Side,
    #[serde(serialize_with = "super::peers::serialize")]
    peer: Measured<Side>,
    targets: Vec<Target>,
}

/// Runs the benchmark.
pub(crate) fn run(args: &PcaArgs) -> Result<()> {
    let threads =
        args.threads.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let bench = Bench { executable: engine::build("pca")?, threads };
    warn_if_busy();
    let peers = if args.no_peers { Peers::none() } else { Peers::install_for_pca() };
    let measurements = bench.measure(&peers, args.turns.get())?;
    print!("{}", report(&measurements));
    if let Some(file) = &args.json {
        write_whole(file, &serde_json::to_string_pretty(&measurements)?)?;
    }
    Ok(())
}

/// Our side's executable and how it is run.
struct Bench {
    executable: PathBuf,
    threads: usize,
}

impl Bench {
    fn command(&self, subcommand: &str) -> Command {
        let mut command = Command::new(&self.executable);
        command.arg(subcommand).args(["--threads", &self.threads.to_string()]);
        command
    }

    /// Ours, theirs, ours, theirs: the least of all turns.
    fn measure(&self, peers: &Peers, turns: usize) -> Result<Measurements> {
        let folder = workspace::target().join("bench-data");
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        let file = folder.join("topics.npz");
        let mut export = self.command("export");
        export.arg(&file);
        engine::output(export)?;
        let (mut ours, mut peer) = self.turn(peers, &file)?;
        for turn in 1..turns {
            eprintln!("timing, turn {} of {turns}", turn + 1);
            let (our_turn, peer_turn) = self.turn(peers, &file)?;
            ours.lower(&our_turn);
            if let (Ok(peer), Ok(turn)) = (&mut peer, peer_turn) {
                peer.lower(&turn);
            }
        }
        let ratio = peer.as_ref().map(|peer| peer.seconds / ours.seconds).map_err(Clone::clone);
        let name = "PCA: scikit-learn's time ÷ ours";
        let targets = vec![Target::new(name, Bound::AtLeast(LEAST_RATIO), "×", ratio)];
        Ok(Measurements { threads: self.threads, turns, ours, peer, targets })
    }

    /// Both sides once.
    ///
    /// # Errors
    /// If they have not found the same: then no time means anything.
    fn turn(&self, peers: &Peers, file: &Path) -> Result<(Side, Measured<Side>)> {
        let mut command = self.command("time");
        command.args(["--components", &COMPONENTS.to_string(), "--runs", &RUNS.to_string()]);
        let ours: Side = engine::parsed(command)?;
        let peer = peers.pca(file, [COMPONENTS, self.threads, RUNS]);
        if let Ok(peer) = &peer {
            verify(&ours, peer)?;
        }
        Ok((ours, peer))
    }
}

/// Makes sure that both sides had the same matrix and found the same variances.
fn verify(ours: &Side, peer: &Side) -> Result<()> {
    let size = |side: &Side| [side.rows, side.columns, side.entries, side.shares.len() as u64];
    ensure!(size(ours) == size(peer), "sizes differ: {:?}, {:?}", size(ours), size(peer));
    let (captured, expected) = (ours.captured(), peer.captured());
    let difference = (captured - expected).abs();
    // Written so that NaN is refused, too.
    ensure!(
        difference <= TOLERANCE,
        "captured variances differ: ours {captured}, scikit-learn's {expected}"
    );
    let apart = largest_difference(ours, peer);
    ensure!(apart <= TOLERANCE, "the share of a component differs by {apart:.1e}");
    Ok(())
}

/// Of the share of any component.
fn largest_difference(ours: &Side, peer: &Side) -> f64 {
    let pairs = ours.shares.iter().zip(&peer.shares);
    pairs.map(|(ours, peer)| (ours - peer).abs()).fold(0.0, f64::max)
}

fn report(measurements: &Measurements) -> String {
    let ours = &measurements.ours;
    let row = |name: String, side: &Side| {
        let ratio = side.seconds / ours.seconds;
        let captured = format!("{:.6}", side.captured());
        [name, seconds(side.seconds), format!("{ratio:.2}"), captured]
    };
    let mut rows = vec![row("MotifNet".to_owned(), ours)];
    let mut apart = String::new();
    if let Ok(peer) = &measurements.peer {
        let versions: Vec<_> =
            peer.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
        rows.push(row("scikit-learn, arpack".to_owned(), peer));
        let each: Vec<_> = peer
            .seconds_each
            .iter()
            .map(|(threads, &taken)| format!("{} with {threads}", seconds(taken)))
            .collect();
        apart = format!(
            "{}; by its BLAS threads {}; the share of no component differs by more than {:.0e}\n",
            versions.join(", "),
            each.join(", "),
            largest_difference(ours, peer)
        );
    }
    format!(
        "{} principal components of a sparse matrix of {} × {} with {} entries, documents about \
         topics;\n{} threads, least of {} turns\n\n{}{apart}\n{}",
        ours.shares.len(),
        grouped(ours.rows),
        grouped(ours.columns),
        grouped(ours.entries),
        measurements.threads,
        measurements.turns,
        table(["", "time", "÷ ours", "captured variance"], &rows),
        targets_table(&measurements.targets),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(entries: u64, shares: &[f64]) -> Side {
        let (shares, versions, seconds_each) = (shares.to_vec(), BTreeMap::new(), BTreeMap::new());
        Side { rows: 9, columns: 5, entries, shares, seconds: 1.0, versions, seconds_each }
    }

    #[test]
    fn only_equal_results_are_timed() {
        let ours = side(20, &[0.5, 0.25]);
        assert!(verify(&ours, &side(20, &[0.50005, 0.25])).is_ok());
        assert!(verify(&ours, &side(21, &[0.5, 0.25])).is_err());
        assert!(verify(&ours, &side(20, &[0.5])).is_err());
        assert!(verify(&ours, &side(20, &[0.5002, 0.25])).is_err());
        assert!(verify(&ours, &side(20, &[0.51, 0.24])).is_err());
        assert!(verify(&ours, &side(20, &[f64::NAN, 0.25])).is_err());
    }
}
