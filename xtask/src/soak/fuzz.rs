//! `cargo xtask soak fuzz`: every reader on inputs that libFuzzer makes up, for a time each.
//!
//! The seeds and the corpus of `crates/motifnet-fuzz` are where it begins; what it finds on its way is kept in
//! `target/soak/fuzz`, and the next run goes on from there. How long each target has been tried is a line of
//! `docs/fuzz.jsonl`: one that has had its time is passed over, so that hours can be had in parts.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::nightly;
use super::time_box::TimeBox;
use crate::record::{Line, Record};
use crate::table::{grouped, table};
use crate::workspace;

/// What to run.
#[derive(Args)]
pub(crate) struct FuzzArgs {
    /// Targets [default: all]
    #[arg(long, value_delimiter = ',')]
    targets: Vec<String>,
    /// Minutes for each of them, those that the record has included
    #[arg(long, default_value_t = 15.0)]
    minutes: f64,
    /// Begin no further target after so many minutes
    #[arg(long)]
    total: Option<f64>,
    /// Where is kept what has been tried; a record to begin anew is deleted [default: docs/fuzz.jsonl]
    #[arg(long)]
    record: Option<PathBuf>,
    /// Targets at a time
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
}

/// Inputs are at most so long.
const MOST_BYTES: usize = 1 << 16;
/// Seconds after which an input hangs for good; what takes a second of processor time is found by the target.
const HANG: u32 = 20;

/// Builds the programs and runs one after the other.
pub(crate) fn run(args: &FuzzArgs) -> Result<()> {
    let place = workspace::target().join("soak/fuzz");
    install()?;
    let known = write_seeds(&place.join("seeds"))?;
    let targets = match &args.targets[..] {
        [] => &known,
        asked => asked,
    };
    if let Some(unknown) = targets.iter().find(|target| !known.contains(target)) {
        bail!("there is no target {unknown:?}; the targets are {}", known.join(", "));
    }
    let programs = build(&place)?;
    let scratch = Scratch::new()?;
    let path = args.record.clone().unwrap_or_else(|| workspace::root().join("docs/fuzz.jsonl"));
    let record = Mutex::new(Record::read(&path)?);
    let time = args.total.map(TimeBox::minutes);
    let queue = Mutex::new(targets.iter());
    let work = || -> Result<usize> {
        let mut n_findings = 0;
        loop {
            let Some(target) = queue.lock().expect("no panic").next() else { break };
            let known = record.lock().expect("no panic").get(&[target]).cloned();
            let before = known.unwrap_or_else(|| Tried::nothing(target));
            let minutes = args.minutes - before.minutes;
            if minutes <= 0.0 {
                continue;
            }
            if time.as_ref().is_some_and(TimeBox::is_over) {
                eprintln!("the time is over; {target} was not tried");
                continue;
            }
            eprintln!("{target}: {minutes:.1} minutes");
            let outcome = fuzz(target, minutes, &place, &programs.join(target), &scratch)?;
            if let Some(finding) = &outcome.finding {
                eprintln!("{target}: {finding}");
                n_findings += 1;
            }
            record.lock().expect("no panic").put(before.and(&outcome))?;
        }
        Ok(n_findings)
    };
    let n_findings: usize = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..args.jobs).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join().expect("no panic"));
        joined.sum::<Result<usize>>()
    })?;
    let record = record.into_inner().expect("no panic");
    let tried = targets.iter().filter_map(|target| record.get(&[target]));
    print!("{}", table(Tried::HEADER, &tried.map(Tried::row).collect::<Vec<_>>()));
    if n_findings > 0 {
        bail!(
            "{n_findings} inputs that a reader fails on; run a program again with one to see how"
        );
    }
    Ok(())
}

/// How long a target has been tried, and with how many inputs.
#[derive(Clone, Serialize, Deserialize)]
struct Tried {
    target: String,
    minutes: f64,
    n_executions: u64,
    /// Inputs that a reader failed on, each mended since or to be mended.
    n_findings: usize,
}

impl Line for Tried {
    fn key(&self) -> Vec<&str> {
        vec![&self.target]
    }
}

impl Tried {
    const HEADER: [&str; 4] = ["target", "minutes", "executions", "findings"];

    fn nothing(target: &str) -> Self {
        Self { target: target.to_owned(), minutes: 0.0, n_executions: 0, n_findings: 0 }
    }

    fn and(self, outcome: &Outcome) -> Self {
        Self {
            minutes: ((self.minutes + outcome.seconds / 60.0) * 100.0).round() / 100.0,
            n_executions: self.n_executions + outcome.n_executions,
            n_findings: self.n_findings + usize::from(outcome.finding.is_some()),
            ..self
        }
    }

    fn row(&self) -> [String; 4] {
        let minutes = format!("{:.1}", self.minutes);
        let n_findings = self.n_findings.to_string();
        [self.target.clone(), minutes, grouped(self.n_executions), n_findings]
    }
}

fn install() -> Result<()> {
    nightly::ensure()?;
    if nightly::succeeds(nightly::cargo().args(["fuzz", "--version"])) {
        return Ok(());
    }
    let status = workspace::cargo().args(["install", "cargo-fuzz", "--locked"]).status()?;
    if !status.success() {
        bail!("cargo-fuzz could not be installed; `cargo install cargo-fuzz` tells more");
    }
    Ok(())
}

/// Writes the seeds of every target; gives the names of the targets.
fn write_seeds(folder: &Path) -> Result<Vec<String>> {
    fs::create_dir_all(folder)?;
    let mut cargo = workspace::cargo();
    cargo.args(["run", "--release", "--quiet", "-p", "motifnet-fuzz", "--"]).arg(folder);
    let output = cargo.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the seeds could not be written");
    }
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// Builds all programs; gives their folder.
fn build(place: &Path) -> Result<PathBuf> {
    let built = place.join("build");
    // Memory is counted by the targets themselves, and nothing of ours is unsafe: no sanitizer is needed.
    let mut cargo = nightly::cargo();
    cargo.args(["fuzz", "build", "--sanitizer", "none", "--target-dir"]).arg(&built);
    if !cargo.status()?.success() {
        bail!("the programs in fuzz/ could not be built");
    }
    Ok(built.join(nightly::host()?).join("release"))
}

/// A folder for the files that readers are given, in memory where the system has such folders.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self> {
        let memory = PathBuf::from("/dev/shm");
        let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
        let folder = parent.join(format!("motifnet-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left in memory is lost with the machine's next start at the latest.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What came out of one target.
struct Outcome {
    n_executions: u64,
    seconds: f64,
    /// How it ended, if a reader failed, and the path of the input that shows it: libFuzzer stops there.
    finding: Option<String>,
}

fn fuzz(
    target: &str,
    minutes: f64,
    place: &Path,
    program: &Path,
    scratch: &Scratch,
) -> Result<Outcome> {
    let found = place.join("corpus").join(target);
    let findings = place.join("findings").join(target);
    fs::create_dir_all(&found)?;
    fs::create_dir_all(&findings)?;
    let kept = workspace::root().join("crates/motifnet-fuzz/corpus").join(target);
    let log = place.join(format!("{target}.log"));
    let mut command = Command::new(program);
    // New inputs go to the first folder alone.
    command.arg(&found).arg(place.join("seeds").join(target));
    if kept.is_dir() {
        command.arg(&kept);
    }
    command.arg(format!("-artifact_prefix={}/", findings.display())).args([
        format!("-max_total_time={}", (60.0 * minutes).ceil()),
        format!("-max_len={MOST_BYTES}"),
        format!("-timeout={HANG}"),
        "-rss_limit_mb=6000".to_owned(),
        "-print_final_stats=1".to_owned(),
    ]);
    command.env("TMPDIR", &scratch.0).env("RAYON_NUM_THREADS", "2").current_dir(place);
    command.stdout(Stdio::null()).stderr(File::create(&log)?);
    let start = Instant::now();
    let status = command.status().with_context(|| format!("running {}", program.display()))?;
    let seconds = start.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    let finding = (!status.success()).then(|| {
        let input = written_input(&text).unwrap_or("no input was kept");
        format!("{input} ({status}; see {})", log.display())
    });
    Ok(Outcome { n_executions: n_executions(&text), seconds, finding })
}

/// How many inputs libFuzzer ran, by what it said: at the end, or before it was stopped.
fn n_executions(log: &str) -> u64 {
    let mut at_end =
        log.lines().filter_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let mut on_the_way =
        log.lines().filter_map(|line| line.strip_prefix('#')?.split_whitespace().next());
    let last = at_end.next_back().or(on_the_way.next_back());
    last.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
}

/// Where libFuzzer put the input that it failed on.
fn written_input(log: &str) -> Option<&str> {
    log.lines().find_map(|line| Some(line.split_once("Test unit written to ")?.1.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_libfuzzer_says_is_understood() {
        let done = "#2\tINITED cov: 3\n#4096\tpulse  cov: 9\nDone 5000 runs in 2 second(s)\n\
                    stat::number_of_executed_units: 5000\nstat::average_exec_per_sec:     2500\n";
        assert_eq!((n_executions(done), written_input(done)), (5000, None));
        let failed = "#2\tINITED cov: 3\n#128\tNEW    cov: 9\n==7== ERROR: libFuzzer: deadly signal\n\
                      artifact_prefix='x/'; Test unit written to x/crash-1\n";
        assert_eq!((n_executions(failed), written_input(failed)), (128, Some("x/crash-1")));
    }
}
