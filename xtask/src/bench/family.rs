//! `cargo xtask bench family`: what an epoch of every sort of convolution costs, beside ChebNet and PyG.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;

use anyhow::Result;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::peers::Peers;
use super::train::{Bench, Measurements};
use super::{engine, warn_if_busy};
use crate::record::write_whole;
use crate::table::{grouped, table};

/// Options of the benchmark.
#[derive(Args)]
pub(crate) struct FamilyArgs {
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
    #[arg(long, value_name = "N", default_value = "2")]
    turns: NonZeroUsize,
}

const GRAPHS: [&str; 2] = ["cora-ml", "cora-full"];

#[derive(Serialize)]
struct Family {
    graphs: Vec<Measurements>,
    jacobi: Jacobi,
}

/// Errors of CayleyNet's iterations, by zoom and number of iterations.
#[derive(Deserialize, Serialize)]
struct Jacobi {
    graph: String,
    zooms: Vec<f64>,
    iterations: Vec<usize>,
    errors: Vec<Vec<f64>>,
}

/// Runs the benchmark.
pub(crate) fn run(args: &FamilyArgs) -> Result<()> {
    let threads =
        args.threads.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let executable = engine::build("train")?;
    warn_if_busy();
    let peers = if args.no_peers { Peers::none() } else { Peers::install_for_training() };
    let bench = |graph| Bench { executable: executable.clone(), threads, suite: "family", graph };
    let mut graphs = Vec::new();
    for graph in GRAPHS {
        let measured = bench(graph).measure(&peers, !args.no_peers, args.turns.get())?;
        print!("{}", costs(&measured));
        graphs.push(measured);
    }
    let jacobi: Jacobi = engine::parsed(bench(GRAPHS[0]).command("jacobi", &[]))?;
    print!("{}", errors(&jacobi));
    if let Some(file) = &args.json {
        write_whole(file, &serde_json::to_string_pretty(&Family { graphs, jacobi })?)?;
    }
    Ok(())
}

fn costs(measured: &Measurements) -> String {
    let chebnet = measured.ours.get("chebnet-1").map_or(f64::NAN, |timing| timing.least_ms);
    let dash = || "–".to_owned();
    let rows = measured.ours.iter().map(|(case, ours)| {
        let pyg = measured.peers.get("pyg").and_then(|cases| cases.get(case));
        let ratio = measured.ratio("pyg", case);
        let differences = measured.differences.get("pyg").and_then(|cases| cases.get(case));
        [
            case.clone(),
            grouped(ours.parameters),
            format!("{:.0}", ours.operators_ms),
            format!("{:.1}", ours.train_ms),
            format!("{:.1}", ours.validation_ms),
            format!("{:.1}", ours.least_ms),
            format!("{:.2}", ours.least_ms / chebnet),
            pyg.map_or_else(dash, |timing| format!("{:.1}", timing.least_ms)),
            ratio.map_or_else(|_| dash(), |ratio| format!("{ratio:.1}")),
            differences.map_or_else(dash, |difference| format!("{difference:.0e}")),
        ]
    });
    let header = [
        "ms an epoch",
        "parameters",
        "operators",
        "training",
        "validation",
        "ours",
        "÷ chebnet-1",
        "PyG",
        "PyG ÷ ours",
        "losses differ by",
    ];
    let problem = &measured.problem;
    format!(
        "{}: {} nodes, {} arcs, {} random features, {} threads; least of all turns\n\n{}\n",
        problem.graph,
        grouped(problem.nodes),
        grouped(problem.arcs),
        problem.features,
        measured.threads,
        table(header, &rows.collect::<Vec<_>>()),
    )
}

fn errors(jacobi: &Jacobi) -> String {
    let mut text = format!(
        "CayleyNet on {}: ‖z_q − z‖ / ‖z‖ after q Jacobi iterations, z the exact solution\n\n",
        jacobi.graph
    );
    let mut row = |name: String, cells: Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>9}")).collect();
        text += &format!("{name:<10}{cells}\n");
    };
    row("zoom h".to_owned(), jacobi.iterations.iter().map(|q| format!("q = {q}")).collect());
    for (zoom, errors) in jacobi.zooms.iter().zip(&jacobi.errors) {
        row(zoom.to_string(), errors.iter().map(|error| format!("{error:.1e}")).collect());
    }
    text
}
