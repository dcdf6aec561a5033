//! `cargo xtask bench models`: every model on real data, one table that can be taken up again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;

use super::models_entry::{Entry, whole};
use super::models_list::{MODELS, Model, support};
use super::models_table::markdown;
use super::warn_if_busy;
use crate::record::Record;
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
    /// Where what was found is kept, a line for every model on every data set [default: docs/models.jsonl]
    #[arg(long)]
    record: Option<PathBuf>,
    /// Splits to average over
    #[arg(long, default_value_t = 10)]
    splits: usize,
    /// Trainings at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Begin no further training after so many minutes
    #[arg(long)]
    minutes: Option<f64>,
    /// Measure the time of an epoch of every model anew
    #[arg(long)]
    time_again: bool,
    /// Only make the table of what is already there
    #[arg(long)]
    only_table: bool,
    /// Write the table to this file as well
    #[arg(long)]
    markdown: Option<PathBuf>,
}

/// What is read of a metrics.json.
#[derive(Deserialize)]
struct Metrics {
    parameters: usize,
    repeats: Vec<Repeat>,
}

#[derive(Deserialize)]
struct Repeat {
    test_accuracy: Option<f64>,
}

/// What is read of a plan.
#[derive(Deserialize)]
struct Plan {
    seconds_per_epoch: Option<f64>,
}

/// One model on one data set.
#[derive(Clone, Copy)]
struct Job<'a> {
    dataset: &'a str,
    model: &'static Model,
}

/// Runs what is missing, then prints the table.
pub(crate) fn run(args: &ModelsArgs) -> Result<()> {
    let path = args.record.clone().unwrap_or_else(|| workspace::root().join("docs/models.jsonl"));
    let mut record = Record::read(&path)?;
    if !args.only_table {
        let data = args.data.clone().or_else(|| std::env::var_os("MOTIFNET_DATA").map(Into::into));
        let data =
            data.context("set MOTIFNET_DATA, or pass --data, to the folder of the data sets")?;
        workspace::build_command()?;
        record = train_missing(args, &data, record)?;
        time_missing(args, &data, &mut record)?;
    }
    let table = markdown(&record, &args.datasets, args.splits);
    print!("{table}");
    if let Some(path) = &args.markdown {
        fs::write(path, table).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// All models on all data sets.
fn jobs(args: &ModelsArgs) -> impl Iterator<Item = Job<'_>> {
    let datasets = args.datasets.iter();
    datasets.flat_map(|dataset| MODELS.iter().map(move |model| Job { dataset, model }))
}

/// Several at a time; after a failure, or when the time is over, nothing new is begun.
fn train_missing(args: &ModelsArgs, data: &Path, record: Record<Entry>) -> Result<Record<Entry>> {
    let start = Instant::now();
    let time = args.minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    // An entry made with other options is of another model.
    let is_missing = |job: &Job<'_>| {
        let entry = whole(&record, job.dataset, job.model.name, args.splits);
        entry.is_none_or(|entry| entry.options != job.options())
    };
    let missing: Vec<_> = jobs(args).filter(is_missing).collect();
    let record = Mutex::new(record);
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        while let Some(job) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            if time.is_some_and(|time| start.elapsed() > time) {
                return Ok(());
            }
            eprintln!("{}, {}", job.dataset, job.model.name);
            let done = train(args, data, *job)
                .and_then(|entry| record.lock().expect("no panic").put(entry));
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
    })?;
    Ok(record.into_inner().expect("no panic"))
}

/// One at a time, after all trainings, so that nothing else runs beside.
fn time_missing(args: &ModelsArgs, data: &Path, record: &mut Record<Entry>) -> Result<()> {
    warn_if_busy();
    for job in jobs(args) {
        let Some(entry) = whole(record, job.dataset, job.model.name, args.splits) else { continue };
        if entry.n_parameters == 0 || (entry.ms_per_epoch.is_some() && !args.time_again) {
            continue;
        }
        eprintln!("{}, {}: an epoch", job.dataset, job.model.name);
        let mut command = command(data, job);
        let output = command.args(["--dry-run", "--json"]).stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            bail!("{}: {} could not be timed", job.dataset, job.model.name);
        }
        let plan: Plan = serde_json::from_slice(&output.stdout)?;
        let ms = plan.seconds_per_epoch.map(|seconds| (1e4 * seconds).round() / 10.0);
        let entry = Entry { ms_per_epoch: ms, ..entry.clone() };
        record.put(entry)?;
    }
    Ok(())
}

/// Trains on all splits, or on those that an earlier call did not come to.
fn train(args: &ModelsArgs, data: &Path, job: Job<'_>) -> Result<Entry> {
    let out = workspace::target().join("models").join(job.dataset).join(job.folder());
    let mut command = if out.join("config.toml").is_file() {
        let mut command = motifnet();
        command.args(["train", "--threads", "1", "--quiet", "--resume"]);
        command
    } else {
        let mut command = command(data, job);
        command.args(["--repeat", &args.splits.to_string(), "--out"]);
        command
    };
    if !command.arg(&out).stdout(Stdio::null()).status()?.success() {
        bail!("{}: {} failed", job.dataset, job.model.name);
    }
    let text = fs::read_to_string(out.join("metrics.json"))?;
    let found: Metrics = serde_json::from_str(&text)?;
    let accuracies = found.repeats.iter().map(|repeat| repeat.test_accuracy);
    Ok(Entry {
        dataset: job.dataset.to_owned(),
        model: job.model.name.to_owned(),
        options: job.options(),
        test_accuracy: accuracies.collect::<Option<_>>().context("a split without test nodes")?,
        n_parameters: found.parameters,
        ms_per_epoch: None,
    })
}

impl Job<'_> {
    fn options(self) -> String {
        format!("{} --support {}", self.model.options, support(self.dataset))
    }

    fn folder(self) -> String {
        self.model.options.replace("--", "").replace([' ', ','], "_")
    }
}

fn motifnet() -> Command {
    Command::new(workspace::command())
}

/// On one thread: the numbers do not depend on it, and trainings go side by side.
fn command(data: &Path, job: Job<'_>) -> Command {
    let mut command = motifnet();
    command.arg("train").arg(data.join(job.dataset)).args(job.options().split(' '));
    command.args(["--threads", "1", "--quiet"]);
    command
}
