//! `cargo xtask bench models`: every model on real data, one table that can be taken up again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;

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
    parameters: usize,
    repeats: Vec<Repeat>,
}

#[derive(Deserialize)]
struct Repeat {
    epochs: usize,
}

/// What is read of a timing.json.
#[derive(Deserialize)]
struct Timing {
    repeats: Vec<RepeatTime>,
}

#[derive(Deserialize)]
struct RepeatTime {
    seconds: f64,
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

/// What a run found, if it has gone through all splits.
fn whole(folder: &Path, n_splits: usize) -> Option<Metrics> {
    let text = fs::read_to_string(folder.join("metrics.json")).ok()?;
    let found: Metrics = serde_json::from_str(&text).ok()?;
    (found.repeats.len() >= n_splits).then_some(found)
}

fn train(args: &ModelsArgs, data: &Path, dataset: &str, model: &Model, out: &Path) -> Result<()> {
    let mut command = Command::new(workspace::target().join("release/motifnet"));
    command.arg("train").arg(data).args(model.options.split(' '));
    command.args(["--support", support(dataset), "--repeat", &args.splits.to_string()]);
    command.args(["--threads", &args.threads.to_string(), "--quiet", "--force", "--out"]).arg(out);
    if !command.stdout(Stdio::null()).status()?.success() {
        bail!("{dataset}: {} failed", model.name);
    }
    Ok(())
}

/// A row for every model and a column for every data set, twice: how good, and at what cost.
fn markdown(args: &ModelsArgs, runs: &Path) -> String {
    let mut text = String::new();
    for (title, cell) in [
        ("test accuracy in %", accuracy as fn(&Path, &Metrics) -> Option<String>),
        ("parameters, ms an epoch", cost),
    ] {
        text += &format!("| {title}, {} splits | {} |\n", args.splits, args.datasets.join(" | "));
        text += &format!("|---|{}\n", "---|".repeat(args.datasets.len()));
        for model in &MODELS {
            let cells = args.datasets.iter().map(|dataset| {
                let folder = folder(runs, dataset, model);
                whole(&folder, args.splits)
                    .and_then(|found| cell(&folder, &found))
                    .unwrap_or_default()
            });
            text += &format!("| {} | {} |\n", model.name, cells.collect::<Vec<_>>().join(" | "));
        }
        text.push('\n');
    }
    text
}

/// Mean ± standard deviation.
fn accuracy(_: &Path, found: &Metrics) -> Option<String> {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let deviation = found.test_accuracy_sd.map(|sd| format!(" ± {}", percent(sd)));
    Some(percent(found.test_accuracy?) + &deviation.unwrap_or_default())
}

/// How many numbers are learnt, and how long an epoch takes on `threads` threads while `jobs` trainings
/// run: the median over the splits, since what else the machine does should not count.
fn cost(folder: &Path, found: &Metrics) -> Option<String> {
    let text = fs::read_to_string(folder.join("timing.json")).ok()?;
    let timing: Timing = serde_json::from_str(&text).ok()?;
    let splits = timing.repeats.iter().zip(&found.repeats).filter(|(_, repeat)| repeat.epochs > 0);
    let mut each: Vec<f64> =
        splits.map(|(time, repeat)| 1e3 * time.seconds / repeat.epochs as f64).collect();
    each.sort_by(f64::total_cmp);
    let Some(median) = each.get(each.len() / 2) else { return Some("–".to_owned()) };
    let size = match found.parameters {
        n @ 10_000_000.. => format!("{}M", n / 1_000_000),
        n => format!("{}K", (n + 500) / 1000),
    };
    Some(format!("{size}, {median:.1}"))
}
