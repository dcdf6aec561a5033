//! `cargo xtask bench python`: what Python adds to the same work in Rust, in turns.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use motifnet::data::{DenseFeatures, Features, Labels, NodeDataset, Split};
use motifnet::graph::generate::rmat::{self, RmatConfig};
use motifnet::graph::{DiGraph, EdgeList, NodeNames, write_graph};
use motifnet::motif::{MotifEngine, MotifKind, MotifSpec, Representation};
use motifnet::progress::Silent;
use motifnet::train::{PreparedRun, Quiet, RunConfig};
use serde::{Deserialize, Serialize};

use super::targets::{Bound, Target, targets_table};
use super::warn_if_busy;
use crate::record::write_whole;
use crate::table::{seconds, table};
use crate::{python, workspace};

/// Options of the benchmark.
#[derive(Args)]
pub(crate) struct PythonArgs {
    /// Write everything that was measured to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// How often both sides are timed, one after the other
    #[arg(long, value_name = "N", default_value = "21")]
    turns: NonZeroUsize,
    /// Leave out motifcluster, which takes long
    #[arg(long)]
    no_peers: bool,
}

/// What Python may add to a motif matrix, and to a training, in per cent.
const MOST_FOR_A_MATRIX: f64 = 15.0;
const MOST_FOR_A_FIT: f64 = 5.0;

const MATRIX_NODES: usize = 1 << 17;
const MATRIX_ARCS: u64 = 1_000_000;
const FIT_NODES: usize = 1 << 14;
const FIT_ARCS: u64 = 65_000;
const FIT_FEATURES: usize = 130;
const FIT_CLASSES: u64 = 10;
const FIT_EPOCHS: usize = 20;

/// The seconds of both sides, turn by turn.
#[derive(Default, Serialize)]
struct Sides {
    rust: Vec<f64>,
    python: Vec<f64>,
}

/// Everything that was measured; what `--json` writes.
#[derive(Serialize)]
struct Measurements {
    turns: usize,
    matrix: Sides,
    fit: Sides,
    motifcluster_seconds: Option<f64>,
    targets: Vec<Target>,
}

/// What one run of Python says: how long it took, and a number that must be ours.
#[derive(Deserialize)]
struct Answer {
    seconds: f64,
    check: f64,
}

/// Our side once; gives a number that must be Python's.
type Solve<'a> = &'a dyn Fn() -> Result<f64>;

/// Runs the benchmark.
pub(crate) fn run(args: &PythonArgs) -> Result<()> {
    let folder = workspace::target().join("bench-data");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let python = python::install()?;
    let matrix = MatrixProblem::new(&folder)?;
    let fit = FitProblem::new(&folder)?;
    warn_if_busy();
    let mut worker = Worker::start(&python, &folder)?;
    let turns = args.turns.get();
    let (mut of_matrix, mut of_fit) = (Sides::default(), Sides::default());
    // The first turn warms caches and threads up on both sides, and is not counted.
    for turn in 0..=turns {
        eprintln!("turn {turn} of {turns}");
        let pairs: [(&mut Sides, &str, Solve<'_>); 2] =
            [(&mut of_matrix, "matrix", &|| matrix.solve()), (&mut of_fit, "fit", &|| fit.solve())];
        for (sides, name, solve) in pairs {
            let ours = || {
                let start = Instant::now();
                Ok::<_, anyhow::Error>((solve()?, start.elapsed().as_secs_f64()))
            };
            // Each side is the first every other turn: whatever the one leaves to the other evens out.
            let ((expected, rust), Answer { seconds, check }) = if turn % 2 == 0 {
                let ours = ours()?;
                (ours, worker.ask(name)?)
            } else {
                let theirs = worker.ask(name)?;
                (ours()?, theirs)
            };
            ensure!(
                (check - expected).abs() <= 1e-4 * expected.abs(),
                "{name}: Python found {check}, and Rust {expected}: no time means anything"
            );
            if turn > 0 {
                sides.rust.push(rust);
                sides.python.push(seconds);
            }
        }
    }
    let motifcluster_seconds = match args.no_peers {
        true => None,
        false => Some(worker.ask("motifcluster")?.seconds),
    };
    let target =
        |name, most, sides: &Sides| Target::new(name, Bound::AtMost(most), " %", Ok(sides.added()));
    let targets = vec![
        target("what Python adds to motif_adjacency, 1M arcs", MOST_FOR_A_MATRIX, &of_matrix),
        target("what Python adds to fit", MOST_FOR_A_FIT, &of_fit),
    ];
    let measurements =
        Measurements { turns, matrix: of_matrix, fit: of_fit, motifcluster_seconds, targets };
    print!("{}", report(&measurements));
    if let Some(file) = &args.json {
        write_whole(file, &serde_json::to_string_pretty(&measurements)?)?;
    }
    Ok(())
}

impl Sides {
    /// What Python takes above Rust, in per cent: the median over the turns, since the speed of a machine
    /// changes from one to the next by more than that.
    fn added(&self) -> f64 {
        let ratios: Vec<f64> =
            self.python.iter().zip(&self.rust).map(|(python, rust)| python / rust).collect();
        100.0 * (median(&ratios) - 1.0)
    }
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    if times.len() % 2 == 1 { times[middle] } else { (times[middle - 1] + times[middle]) / 2.0 }
}

fn report(measured: &Measurements) -> String {
    let row = |name: &str, sides: &Sides| {
        let [rust, python] = [&sides.rust, &sides.python].map(|times| seconds(median(times)));
        [name.to_owned(), rust, python, format!("{:+.1} %", sides.added())]
    };
    let rows = [row("motif_adjacency", &measured.matrix), row("fit", &measured.fit)];
    let header = ["medians over the turns", "Rust", "Python", "added"];
    let mut text = table(header, &rows);
    if let Some(theirs) = measured.motifcluster_seconds {
        let ratio = theirs / median(&measured.matrix.python);
        text +=
            &format!("\nmotifcluster's M5, once: {}, {ratio:.0} times as long\n", seconds(theirs));
    }
    format!("{text}\n{}", targets_table(&measured.targets))
}

/// The matrix of M5, from arcs in memory to SciPy's arrays.
struct MatrixProblem {
    arcs: EdgeList,
}

impl MatrixProblem {
    fn new(folder: &Path) -> Result<Self> {
        let config =
            RmatConfig { n_nodes: MATRIX_NODES, n_arcs: MATRIX_ARCS, ..RmatConfig::default() };
        let arcs = rmat::generate(&config, 1)?;
        write_arcs(&folder.join("python-matrix.npz"), &arcs)?;
        Ok(Self { arcs })
    }

    fn solve(&self) -> Result<f64> {
        let (graph, _) = DiGraph::build(self.arcs.clone(), &Default::default())?;
        let spec = MotifSpec::default();
        let operators =
            MotifEngine::new(&graph).operators(&[MotifKind::M5], &spec, Representation::Factored);
        let matrix = operators[0].to_csr(u64::MAX)?;
        Ok(matrix.values().iter().sum())
    }
}

/// A training of some epochs, from arcs and features in memory to a model.
struct FitProblem {
    arcs: EdgeList,
    features: Vec<f32>,
    labels: Vec<i64>,
}

impl FitProblem {
    fn new(folder: &Path) -> Result<Self> {
        let config = RmatConfig { n_nodes: FIT_NODES, n_arcs: FIT_ARCS, ..RmatConfig::default() };
        let arcs = rmat::generate(&config, 2)?;
        write_arcs(&folder.join("python-fit.npz"), &arcs)?;
        // Any numbers do, if both sides have the same.
        let mix = |at: usize| (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let features: Vec<f32> = (0..FIT_NODES * FIT_FEATURES)
            .map(|at| mix(at) as f32 / (1 << 23) as f32 - 1.0)
            .collect();
        let labels: Vec<i64> = (0..FIT_NODES)
            .map(|node| if node % 10 == 0 { (mix(node) % FIT_CLASSES) as i64 } else { -1 })
            .collect();
        let bytes: Vec<u8> = features.iter().flat_map(|value| value.to_le_bytes()).collect();
        fs::write(folder.join("python-fit-features.bin"), bytes)?;
        let bytes: Vec<u8> = labels.iter().flat_map(|value| value.to_le_bytes()).collect();
        fs::write(folder.join("python-fit-labels.bin"), bytes)?;
        Ok(Self { arcs, features, labels })
    }

    fn solve(&self) -> Result<f64> {
        let (graph, _) = DiGraph::build(self.arcs.clone(), &Default::default())?;
        let labels = Labels::from_integers(&self.labels)?;
        let split = Split::hold_out(&labels, 0.2, 0)?;
        let dense = DenseFeatures::new(FIT_NODES, FIT_FEATURES, self.features.clone())?;
        let dataset = NodeDataset::new("bench", graph, (Features::Dense(dense), "memory"), labels)?;
        let mut config = RunConfig::default();
        (config.train.epochs, config.train.patience) = (FIT_EPOCHS, FIT_EPOCHS);
        let prepared = PreparedRun::new(&dataset, &config, None, &Silent)?;
        let trained = prepared.run(&split, 0, None, &mut Quiet)?.context("nobody paused it")?;
        let model = prepared.model(&trained)?.context("motifnet-m learns")?;
        std::hint::black_box(model);
        trained.metrics.val_loss.context("a network has a loss")
    }
}

fn write_arcs(path: &Path, arcs: &EdgeList) -> Result<()> {
    let (graph, _) = DiGraph::build(arcs.clone(), &Default::default())?;
    write_graph(path, &graph, &NodeNames::Indices(graph.n_nodes()))?;
    Ok(())
}

/// A Python that solves one problem a line.
struct Worker {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    fn start(python: &Path, folder: &Path) -> Result<Self> {
        let script = workspace::root().join("crates/motifnet-py/benches/overhead.py");
        let mut command = Command::new(python);
        command.arg(script).arg(folder).arg(FIT_EPOCHS.to_string());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let answers = BufReader::new(process.stdout.take().context("a pipe was asked for")?);
        Ok(Self { process, answers })
    }

    fn ask(&mut self, problem: &str) -> Result<Answer> {
        let stdin = self.process.stdin.as_mut().context("a pipe was asked for")?;
        writeln!(stdin, "{problem}")?;
        stdin.flush()?;
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            bail!("Python ended before it had an answer");
        }
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It ends when its input does.
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_is_a_median_over_turns() {
        let sides = Sides { rust: vec![1.0, 10.0, 2.0], python: vec![3.0, 11.0, 2.0] };
        assert!((sides.added() - 10.0).abs() < 1e-9);
        assert_eq!(median(&[4.0, 1.0]), 2.5);
    }
}
