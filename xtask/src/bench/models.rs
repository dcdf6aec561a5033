//! `cargo xtask bench models`: every model on real data, one table that can be taken up again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;

use super::{warn_if_busy, write_whole};
use crate::workspace;

/// What to run.
#[derive(Args)]
pub(crate) struct ModelsArgs {
    /// The data sets, by the names of their folders
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "cora-ml,citeseer,amazon-photo,telegram,chameleon-filtered,squirrel-filtered,\
                         email-eu-core,polblogs"
    )]
    datasets: Vec<String>,
    /// The folder with the data sets' folders [default: $MOTIFNET_DATA]
    #[arg(long)]
    data: Option<PathBuf>,
    /// Splits to average over
    #[arg(long, default_value_t = 10)]
    splits: usize,
    /// Trainings at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Threads for each of them; the numbers do not depend on it
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Only make the table of what is already there
    #[arg(long)]
    only_table: bool,
    /// Write the table to this file as well
    #[arg(long)]
    markdown: Option<PathBuf>,
}

/// A model and its options on the command line.
struct Model {
    name: &'static str,
    options: &'static str,
}

/// Every baseline on U, W and Wᵀ where it can be, so that a win is never due to its view of the graph.
const MODELS: [Model; 27] = [
    Model { name: "MLP", options: "--model mlp" },
    Model { name: "label propagation U", options: "--model labelprop" },
    Model { name: "label propagation W", options: "--model labelprop --operator out" },
    Model { name: "label propagation Wᵀ", options: "--model labelprop --operator in" },
    Model { name: "GCN U", options: "--model gcn" },
    Model { name: "GCN W", options: "--model gcn --operator out" },
    Model { name: "GCN Wᵀ", options: "--model gcn --operator in" },
    Model { name: "ChebNet U, order 1", options: "--model chebnet --operator U --order 1" },
    Model { name: "ChebNet W, order 1", options: "--model chebnet --operator out --order 1" },
    Model { name: "ChebNet Wᵀ, order 1", options: "--model chebnet --operator in --order 1" },
    Model { name: "ChebNet U, order 2", options: "--model chebnet --operator U --order 2" },
    Model { name: "ChebNet W, order 2", options: "--model chebnet --operator out --order 2" },
    Model { name: "ChebNet Wᵀ, order 2", options: "--model chebnet --operator in --order 2" },
    Model { name: "MoNet U", options: "--model monet --operator U" },
    Model { name: "MoNet W", options: "--model monet --operator out" },
    Model { name: "MoNet Wᵀ", options: "--model monet --operator in" },
    Model { name: "CayleyNet U, order 1", options: "--model cayley --order 1" },
    Model { name: "CayleyNet U, order 2", options: "--model cayley --order 2" },
    Model { name: "spectral CNN U", options: "--model spectral" },
    Model { name: "spline CNN U", options: "--model spline" },
    Model { name: "MotifNet-d, order 1", options: "--model motifnet-d --order 1" },
    Model { name: "MotifNet-d, order 2", options: "--model motifnet-d --order 2" },
    Model { name: "MotifNet-m, order 1", options: "--model motifnet-m --order 1" },
    Model { name: "MotifNet-m, order 2", options: "--model motifnet-m --order 2" },
    Model {
        name: "MotifNet-m, order 1, 4 heads",
        options: "--model motifnet-m --order 1 --heads 4",
    },
    Model {
        name: "MotifNet-m, order 2, 4 heads",
        options: "--model motifnet-m --order 2 --heads 4",
    },
    Model {
        name: "polynomial U, in, out, order 1",
        options: "--model polynomial --motifs U,in,out --order 1",
    },
];

/// Citations are few and lie apart: there motifs join what is not adjacent. Elsewhere, where the
/// graph is dense, they weigh its edges.
fn support(dataset: &str) -> &'static str {
    if matches!(dataset, "cora-ml" | "citeseer") { "pairs" } else { "edges" }
}

/// What is read of a metrics.json.
#[derive(Deserialize)]
struct Metrics {
    test_accuracy: Option<f64>,
    test_accuracy_sd: Option<f64>,
    repeats: Vec<serde::de::IgnoredAny>,
}

/// What is read of a plan.
#[derive(Deserialize)]
struct Plan {
    n_parameters: usize,
    seconds_per_epoch: Option<f64>,
}

/// Runs what is missing, then prints the table.
pub(crate) fn run(args: &ModelsArgs) -> Result<()> {
    let runs = workspace::target().join("models");
    if !args.only_table {
        let data = args.data.clone().or_else(|| std::env::var_os("MOTIFNET_DATA").map(Into::into));
        let data =
            data.context("set MOTIFNET_DATA, or pass --data, to the folder of the data sets")?;
        build()?;
        train_missing(args, &data, &runs)?;
        time_missing(args, &data, &runs)?;
    }
    let table = markdown(args, &runs);
    print!("{table}");
    if let Some(path) = &args.markdown {
        fs::write(path, table).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// Several at a time; after a failure nothing new is begun.
fn train_missing(args: &ModelsArgs, data: &Path, runs: &Path) -> Result<()> {
    let all =
        args.datasets.iter().flat_map(|dataset| MODELS.iter().map(move |model| (dataset, model)));
    let is_missing = |(dataset, model): &(&String, &Model)| {
        whole(&folder(runs, dataset, model), args.splits).is_none()
    };
    let missing: Vec<_> = all.filter(is_missing).collect();
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        while let Some((dataset, model)) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            eprintln!("{dataset}, {}", model.name);
            let out = folder(runs, dataset, model);
            let done = train(args, &data.join(dataset), dataset, model, &out);
            if done.is_err() {
                next.store(missing.len(), Ordering::Relaxed);
            }
            done?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.collect::<Vec<_>>().into_iter().try_for_each(|done| done.expect("no panic"))
    })
}

/// One at a time, after all trainings, so that nothing else runs beside.
fn time_missing(args: &ModelsArgs, data: &Path, runs: &Path) -> Result<()> {
    warn_if_busy();
    for dataset in &args.datasets {
        for model in &MODELS {
            let file = plan_file(runs, dataset, model);
            if file.is_file() {
                continue;
            }
            eprintln!("{dataset}, {}: an epoch", model.name);
            let mut command = command(args, &data.join(dataset), dataset, model);
            let output = command.args(["--dry-run", "--json"]).stderr(Stdio::inherit()).output()?;
            if !output.status.success() {
                bail!("{dataset}: {} could not be timed", model.name);
            }
            write_whole(&file, &String::from_utf8(output.stdout)?)?;
        }
    }
    Ok(())
}

fn build() -> Result<()> {
    let status = workspace::cargo().args(["build", "--release", "--quiet"]).status()?;
    if !status.success() {
        bail!("the command could not be built");
    }
    Ok(())
}

fn folder(runs: &Path, dataset: &str, model: &Model) -> PathBuf {
    let options = model.options.replace("--", "").replace([' ', ','], "_");
    runs.join(dataset).join(options)
}

fn plan_file(runs: &Path, dataset: &str, model: &Model) -> PathBuf {
    folder(runs, dataset, model).join("plan.json")
}

/// What a run found, if it has gone through all splits.
fn whole(folder: &Path, n_splits: usize) -> Option<Metrics> {
    let text = fs::read_to_string(folder.join("metrics.json")).ok()?;
    let found: Metrics = serde_json::from_str(&text).ok()?;
    (found.repeats.len() >= n_splits).then_some(found)
}

fn train(args: &ModelsArgs, data: &Path, dataset: &str, model: &Model, out: &Path) -> Result<()> {
    let mut command = command(args, data, dataset, model);
    command.args(["--repeat", &args.splits.to_string(), "--force", "--out"]).arg(out);
    if !command.stdout(Stdio::null()).status()?.success() {
        bail!("{dataset}: {} failed", model.name);
    }
    Ok(())
}

fn command(args: &ModelsArgs, data: &Path, dataset: &str, model: &Model) -> Command {
    let mut command = Command::new(workspace::target().join("release/motifnet"));
    command.arg("train").arg(data).args(model.options.split(' '));
    command.args(["--support", support(dataset), "--threads", &args.threads.to_string()]);
    command.arg("--quiet");
    command
}

/// A row for every model and a column for every data set, twice: how good, and at what cost.
fn markdown(args: &ModelsArgs, runs: &Path) -> String {
    let accuracies = format!("test accuracy in %, {} splits", args.splits);
    let accuracies = rows(args, &accuracies, |dataset, model| {
        whole(&folder(runs, dataset, model), args.splits).and_then(|found| accuracy(&found))
    });
    let costs = rows(args, "parameters, ms an epoch", |dataset, model| {
        let text = fs::read_to_string(plan_file(runs, dataset, model)).ok()?;
        Some(cost(&serde_json::from_str(&text).ok()?))
    });
    format!("{accuracies}\n{costs}")
}

fn rows(args: &ModelsArgs, title: &str, cell: impl Fn(&str, &Model) -> Option<String>) -> String {
    let mut text = format!("| {title} | {} |\n", args.datasets.join(" | "));
    text += &format!("|---|{}\n", "---|".repeat(args.datasets.len()));
    for model in &MODELS {
        let cells = args.datasets.iter().map(|dataset| cell(dataset, model).unwrap_or_default());
        text += &format!("| {} | {} |\n", model.name, cells.collect::<Vec<_>>().join(" | "));
    }
    text
}

/// Mean ± standard deviation.
fn accuracy(found: &Metrics) -> Option<String> {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let deviation = found.test_accuracy_sd.map(|sd| format!(" ± {}", percent(sd)));
    Some(percent(found.test_accuracy?) + &deviation.unwrap_or_default())
}

/// How many numbers are learnt, and the least time of an epoch on `threads` threads.
fn cost(plan: &Plan) -> String {
    let Some(seconds) = plan.seconds_per_epoch else { return "–".to_owned() };
    let size = match plan.n_parameters {
        n @ 10_000_000.. => format!("{}M", n / 1_000_000),
        n => format!("{}K", (n + 500) / 1000),
    };
    format!("{size}, {:.1}", 1e3 * seconds)
}
