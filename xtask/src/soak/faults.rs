//! `cargo xtask soak faults`: where files cannot be written, a command says so, leaves no half of one,
//! and comes to the same bytes once there is room.

use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::draw::Draw;
use super::job_trial::JobTrial;
use super::jobs::Job;
use super::kills::kill;
use super::time_box::TimeBox;
use super::undisturbed::Undisturbed;
use super::workplace::Workplace;
use crate::table::{seconds, table};
use crate::workspace;

/// What to run.
#[derive(Args)]
pub(crate) struct FaultsArgs {
    /// How often each kind of fault meets each command
    #[arg(long, default_value_t = 20)]
    faults: usize,
    #[command(flatten)]
    trial: JobTrial,
}

impl FaultsArgs {
    /// One fault of each kind.
    pub(crate) fn short() -> Self {
        Self { faults: 1, trial: JobTrial::short() }
    }
}

/// What is wrong with where results go to.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// A disk of so many bytes.
    FullDisk(u64),
    /// No file may be longer than so many bytes.
    FileLimit(u64),
    /// Nothing may be written; what an earlier run left is there.
    ReadOnly,
}

const KINDS: [&str; 3] = ["full disk", "file limit", "read-only"];

/// The folder `out` as a disk of its own, and what was there at the end of it in `kept`.
const FULL_DISK: &str = "mount -t tmpfs -o size=$0 tmpfs out || exit 99; \"$@\"; code=$?; \
                         cp -a out/. kept/; exit $code";
/// The signal of a limit ends a process that does not ignore it, and a write could not fail.
const FILE_LIMIT: &str = "trap '' XFSZ; exec prlimit --fsize=$0 \"$@\"";
const READ_ONLY: &str =
    "mount --bind out out && mount -o remount,bind,ro out || exit 99; exec \"$@\"";
/// What the scripts above exit with where the system does not let them.
const NOT_ALLOWED: i32 = 99;

/// Tries all faults on all commands.
pub(crate) fn run(args: &FaultsArgs) -> Result<()> {
    let kinds = possible_kinds();
    let rows = args.trial.run("faults", |place, job, draw, time| {
        disturb_often(place, job, args.faults, &kinds, draw, time)
    })?;
    let columns = ["command", "undisturbed", KINDS[0], KINDS[1], KINDS[2], "not met"];
    print!("{}", table(columns, &rows));
    Ok(())
}

/// The kinds of faults that can be made on this machine, told where it is not all of them.
fn possible_kinds() -> Vec<&'static str> {
    let works = |program: &str, words: &[&str]| {
        let silent = Stdio::null;
        let status = Command::new(program).args(words).stdout(silent()).stderr(silent()).status();
        status.is_ok_and(|status| status.success())
    };
    let can_mount = works("unshare", &["-rm", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /tmp"]);
    let can_limit = works("prlimit", &["--fsize=4096", "true"]);
    let is_possible = |kind: &&str| if *kind == KINDS[1] { can_limit } else { can_mount };
    let (possible, other): (Vec<_>, Vec<_>) = KINDS.into_iter().partition(is_possible);
    for kind in other {
        eprintln!("skipped: {kind}, which this system does not let us make");
    }
    possible
}

fn disturb_often(
    place: &Workplace,
    job: &Job,
    n_faults: usize,
    kinds: &[&str],
    draw: &mut Draw,
    time: &TimeBox,
) -> Result<[String; 6]> {
    let whole = Undisturbed::run(place, job)?;
    let mut met = [0; KINDS.len()];
    let mut n_unmet = 0;
    for _ in 0..n_faults {
        for (at, kind) in KINDS.iter().enumerate().filter(|(_, kind)| kinds.contains(kind)) {
            if time.is_over() {
                break;
            }
            let fault = draw_fault(kind, &whole, draw);
            let was_met = disturb(place, job, &whole, fault, draw);
            match was_met.with_context(|| format!("{kind}: {fault:?}"))? {
                true => met[at] += 1,
                false => n_unmet += 1,
            }
        }
    }
    let [full, limit, read_only] = met.map(|count: usize| count.to_string());
    let took = seconds(whole.time.as_secs_f64());
    Ok([job.name.to_owned(), took, full, limit, read_only, n_unmet.to_string()])
}

fn draw_fault(kind: &str, whole: &Undisturbed, draw: &mut Draw) -> Fault {
    let page = 4096;
    let sizes: Vec<u64> = whole.files.values().map(|bytes| bytes.len() as u64).collect();
    if kind == KINDS[0] {
        let n_pages: u64 = sizes.iter().map(|size| size.div_ceil(page)).sum();
        Fault::FullDisk(page * (1 + draw.below(n_pages)))
    } else if kind == KINDS[1] {
        // Less than one of the files needs, be it large or small.
        let size = sizes[draw.below(sizes.len() as u64) as usize];
        Fault::FileLimit(draw.below(size.max(1)))
    } else {
        Fault::ReadOnly
    }
}

/// Runs a job with a fault, then without; whether the fault was met.
fn disturb(
    place: &Workplace,
    job: &Job,
    whole: &Undisturbed,
    fault: Fault,
    draw: &mut Draw,
) -> Result<bool> {
    place.empty("out")?;
    place.empty("kept")?;
    let mut words = job.words.clone();
    if matches!(fault, Fault::ReadOnly) && draw.coin() {
        job.prepare();
        kill(place, &words, whole.time.mul_f64(draw.fraction()))?;
        words = job.again(place);
    }
    job.prepare();
    let output = under(place, fault, &words)?;
    if matches!(fault, Fault::FullDisk(_)) {
        place.rename("kept", "out")?;
    }
    let was_met = match output.status.code() {
        Some(0) => false,
        Some(1) => {
            check_message(&output)?;
            whole.check_stopped(place)?;
            job.prepare();
            place.ok(&job.again(place))?;
            true
        }
        Some(NOT_ALLOWED) => bail!("the system does not let us make this fault"),
        _ => bail!("ended with {}:\n{}", output.status, said(&output)),
    };
    whole.check_ended(place)?;
    Ok(was_met)
}

fn under(place: &Workplace, fault: Fault, words: &str) -> Result<Output> {
    let (mut command, script, size) = match fault {
        Fault::FullDisk(bytes) => (place.program("unshare"), FULL_DISK, bytes),
        Fault::FileLimit(bytes) => (place.program("sh"), FILE_LIMIT, bytes),
        Fault::ReadOnly => (place.program("unshare"), READ_ONLY, 0),
    };
    if !matches!(fault, Fault::FileLimit(_)) {
        command.args(["-rm", "sh"]);
    }
    command.args(["-c", script]).arg(size.to_string());
    command.arg(workspace::command()).args(words.split_whitespace());
    command.output().with_context(|| format!("motifnet {words}"))
}

/// What failed is told: the file, and what would help.
fn check_message(output: &Output) -> Result<()> {
    let said = said(output);
    let error = said.lines().find(|line| line.starts_with("error: "));
    let error = error.with_context(|| format!("no error is told:\n{said}"))?;
    ensure!(!said.contains("panicked"), "it panicked:\n{said}");
    ensure!(error.contains("out"), "the error names no file:\n{said}");
    ensure!(error.contains("; ") || said.contains("hint: "), "the error has no remedy:\n{said}");
    Ok(())
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
