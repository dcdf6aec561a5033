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
use super::workplace::{Files, Workplace};
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

/// What may be wrong with where results go to.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    FullDisk,
    FileLimit,
    ReadOnly,
}

impl Kind {
    const ALL: [Self; 3] = [Self::FullDisk, Self::FileLimit, Self::ReadOnly];

    fn name(self) -> &'static str {
        match self {
            Self::FullDisk => "full disk",
            Self::FileLimit => "file limit",
            Self::ReadOnly => "read-only",
        }
    }

    /// What the system calls it; an error must say so.
    fn cause(self) -> &'static str {
        match self {
            Self::FullDisk => "No space left",
            Self::FileLimit => "File too large",
            Self::ReadOnly => "Read-only",
        }
    }

    /// The programs that it is made with.
    fn programs(self) -> &'static str {
        match self {
            Self::FullDisk | Self::ReadOnly => "unshare and mount",
            Self::FileLimit => "prlimit",
        }
    }
}

/// What is wrong.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// A disk of so many bytes.
    FullDisk(u64),
    /// No file may be longer than so many bytes.
    FileLimit(u64),
    /// Nothing may be written; what an earlier run left is there.
    ReadOnly,
}

impl Fault {
    fn kind(self) -> Kind {
        match self {
            Self::FullDisk(_) => Kind::FullDisk,
            Self::FileLimit(_) => Kind::FileLimit,
            Self::ReadOnly => Kind::ReadOnly,
        }
    }
}

/// The folder `out` as a disk of its own with what is in it, and what was there at the end of it in `kept`.
const FULL_DISK: &str = "cp -a out older && mount -t tmpfs -o size=$0 tmpfs out && cp -a older/. out || exit 99; \
                         \"$@\"; code=$?; cp -a out/. kept/; exit $code";
const FILE_LIMIT: &str = "exec prlimit --fsize=$0 \"$@\"";
const READ_ONLY: &str =
    "mount --bind out out && mount -o remount,bind,ro out || exit 99; exec \"$@\"";
/// What the scripts above exit with where the system does not let them.
const NOT_ALLOWED: i32 = 99;

/// What faults did to one command.
struct Disturbed {
    /// How often each kind was met.
    met: [usize; Kind::ALL.len()],
    cells: [String; 6],
}

/// Tries all faults on all commands.
pub(crate) fn run(args: &FaultsArgs) -> Result<()> {
    let possible = possible_kinds();
    args.trial.run(
        "faults",
        |place, job, draw, time| disturb_often(place, job, args.faults, &possible, draw, time),
        |disturbed| tell(disturbed, &possible),
    )
}

/// Prints what came of it; refuses a trial that tried nothing.
fn tell(disturbed: Vec<Disturbed>, possible: &[Kind]) -> Result<()> {
    let n_met = |kind: Kind| -> usize { disturbed.iter().map(|job| job.met[kind as usize]).sum() };
    let never: Vec<&str> =
        possible.iter().filter(|&&kind| n_met(kind) == 0).map(|kind| kind.name()).collect();
    let rows: Vec<[String; 6]> = disturbed.into_iter().map(|job| job.cells).collect();
    let [full, limit, read_only] = Kind::ALL.map(Kind::name);
    print!("{}", table(["command", "undisturbed", full, limit, read_only, "not met"], &rows));
    for kind in Kind::ALL.into_iter().filter(|kind| !possible.contains(kind)) {
        println!("not tried: {}, for which {} must work here", kind.name(), kind.programs());
    }
    ensure!(never.is_empty(), "no command ever met: {}", never.join(", "));
    Ok(())
}

/// The kinds of faults that can be made on this machine.
fn possible_kinds() -> Vec<Kind> {
    let works = |program: &str, words: &[&str]| {
        let silent = Stdio::null;
        let status = Command::new(program).args(words).stdout(silent()).stderr(silent()).status();
        status.is_ok_and(|status| status.success())
    };
    let can_mount = works("unshare", &["-rm", "sh", "-c", "mount -t tmpfs -o size=64k tmpfs /tmp"]);
    let can_limit = works("prlimit", &["--fsize=4096", "true"]);
    let is_possible = |kind: &Kind| if *kind == Kind::FileLimit { can_limit } else { can_mount };
    Kind::ALL.into_iter().filter(is_possible).collect()
}

fn disturb_often(
    place: &Workplace,
    job: &Job,
    n_faults: usize,
    kinds: &[Kind],
    draw: &mut Draw,
    time: &TimeBox,
) -> Result<Disturbed> {
    let whole = Undisturbed::run(place, job)?;
    let mut met = [0; Kind::ALL.len()];
    let mut n_unmet = 0;
    for _ in 0..n_faults {
        for &kind in kinds {
            if time.is_over() {
                break;
            }
            let fault = draw_fault(kind, &whole, draw);
            let was_met = disturb(place, job, &whole, fault, draw);
            match was_met.with_context(|| format!("{}: {fault:?}", kind.name()))? {
                true => met[kind as usize] += 1,
                false => n_unmet += 1,
            }
        }
    }
    let [full, limit, read_only] = met.map(|count: usize| count.to_string());
    let took = seconds(whole.time.as_secs_f64());
    let cells = [job.name.to_owned(), took, full, limit, read_only, n_unmet.to_string()];
    Ok(Disturbed { met, cells })
}

fn draw_fault(kind: Kind, whole: &Undisturbed, draw: &mut Draw) -> Fault {
    let page = 4096;
    let sizes =
        |files: &Files| -> Vec<u64> { files.values().map(|file| file.len() as u64).collect() };
    let pages =
        |files: &Files| -> u64 { sizes(files).iter().map(|size| size.div_ceil(page)).sum() };
    match kind {
        // With room for the older result, which may be gone before the new one is there.
        Kind::FullDisk => {
            // Where file after file is replaced, little room is needed, and only less than that is a fault.
            let most = if draw.coin() { pages(&whole.files) } else { 4 };
            let n_pages = pages(&whole.older) + 1 + draw.below(most);
            Fault::FullDisk(page * n_pages)
        }
        // Less than one of the files needs, be it large or small.
        Kind::FileLimit => {
            let sizes = sizes(&whole.files);
            let size = sizes[draw.below(sizes.len() as u64) as usize];
            Fault::FileLimit(draw.below(size.max(1)))
        }
        Kind::ReadOnly => Fault::ReadOnly,
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
    whole.begin(place)?;
    place.empty("kept")?;
    place.remove("older")?;
    let mut words = job.words.clone();
    if matches!(fault, Fault::ReadOnly) && draw.coin() {
        job.prepare();
        kill(place, &words, whole.time.mul_f64(draw.fraction()))?;
        words = job.again(place, &whole.files);
    }
    job.prepare();
    let output = under(place, fault, &words)?;
    if matches!(fault, Fault::FullDisk(_)) {
        place.rename("kept", "out")?;
    }
    let was_met = match output.status.code() {
        Some(0) => false,
        Some(1) => {
            check_message(&output, fault.kind())?;
            whole.check_stopped(place)?;
            job.prepare();
            place.ok(&job.again(place, &whole.files))?;
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

/// What failed is told: the file, why, and what would help.
fn check_message(output: &Output, kind: Kind) -> Result<()> {
    let said = said(output);
    let error = said.lines().find_map(|line| line.strip_prefix("error: "));
    let error = error.with_context(|| format!("no error is told:\n{said}"))?;
    ensure!(!said.contains("panicked"), "it panicked:\n{said}");
    ensure!(names_file(error), "the error names no file:\n{said}");
    ensure!(error.contains(kind.cause()), "the error is not {:?}:\n{said}", kind.cause());
    ensure!(error.contains("; ") || said.contains("hint: "), "the error has no remedy:\n{said}");
    Ok(())
}

/// Whether an error names a file below `out`.
fn names_file(error: &str) -> bool {
    let mut words = error.split(|c: char| c.is_whitespace() || "`\"'(),;:".contains(c));
    words.any(|word| word.strip_prefix("out/").is_some_and(|name| !name.is_empty()))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_a_file_and_not_merely_a_word() {
        assert!(names_file("out/run/history.jsonl: No space left on device (os error 28)"));
        assert!(names_file("`out/M1.npz` cannot be written"));
        for wrong in ["out of memory: 5 MB", "without room", "out/ is full", "about/this"] {
            assert!(!names_file(wrong), "{wrong}");
        }
    }
}
