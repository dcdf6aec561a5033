//! `cargo xtask soak memory`: every command on what does not fit, ended by an error and never by the system.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use clap::Args;

use super::cases::CASES;
use super::ending::Ending;
use super::time_box::TimeBox;
use super::workplace::{Files, Workplace};
use super::{generated, packed};
use crate::table::table;

/// What to run.
#[derive(Args)]
pub(crate) struct MemoryArgs {
    /// The memory that a command may have, in megabytes
    #[arg(long, default_value_t = 1000)]
    megabytes: u64,
    /// Arcs of the largest graphs, in millions
    #[arg(long, default_value_t = 12.0)]
    million_arcs: f64,
    /// Also run everything in this control group, the folder of one with such a limit
    #[arg(long)]
    cgroup: Option<PathBuf>,
    /// Only the data sets of these names
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only some commands on each, so that all take seconds
    #[arg(long)]
    some: bool,
    /// A command that takes longer than so many seconds is a finding
    #[arg(long, default_value_t = 600)]
    patience: u64,
    /// Go on after a finding, and tell all of them at the end
    #[arg(long)]
    keep_going: bool,
    /// Begin no further data set after so many minutes
    #[arg(long, default_value_t = 120.0)]
    minutes: f64,
}

impl MemoryArgs {
    /// A fifth of the memory and of the graphs, and one command of each kind.
    pub(crate) fn short() -> Self {
        Self {
            megabytes: 150,
            million_arcs: 1.2,
            cgroup: None,
            only: ["rmat", "wide", "packed"].map(str::to_owned).to_vec(),
            some: true,
            patience: 60,
            keep_going: false,
            minutes: 10.0,
        }
    }

    /// So many times as many arcs as a million.
    fn arcs(&self, share: f64) -> u64 {
        (share * self.million_arcs * 1e6) as u64
    }
}

/// Who says how much there is.
#[derive(Clone, Copy)]
enum Limit {
    /// The user.
    Flag,
    /// The process's limit of addresses, as `ulimit -v` sets it.
    Addresses,
    /// A control group.
    Group,
}

impl Limit {
    const ALL: [Self; 3] = [Self::Flag, Self::Addresses, Self::Group];

    fn name(self) -> &'static str {
        match self {
            Self::Flag => "--memory-limit",
            Self::Addresses => "ulimit -v",
            Self::Group => "cgroup",
        }
    }

    /// The command `words` under this limit; `None` where there is none.
    fn command(self, place: &Workplace, words: &str, args: &MemoryArgs) -> Option<Command> {
        let megabytes = args.megabytes;
        match self {
            Self::Flag => Some(place.command(&format!("{words} --memory-limit {megabytes}MB"))),
            Self::Addresses => {
                Some(place.command_after(&format!("ulimit -v {}", megabytes * 1000), words))
            }
            Self::Group => {
                let processes = args.cgroup.as_ref()?.join("cgroup.procs");
                Some(place.command_after(&format!("echo $$ > {}", processes.display()), words))
            }
        }
    }
}

/// A data set that does not fit, and what is run on it beside all cases.
struct Large {
    name: &'static str,
    arcs: Arcs,
    features: &'static str,
    extra: Vec<String>,
}

/// Where its arcs come from.
enum Arcs {
    /// These words generate them.
    Generated(String),
    /// Every node but the first is a leaf.
    Star,
    /// Files that are no text: only what reads them is run.
    Packed,
}

fn large(args: &MemoryArgs) -> Vec<Large> {
    let n_nodes = (args.arcs(0.08) as u32).next_power_of_two();
    let n_dense = (args.arcs(1.0) as f64 / 0.8).sqrt() as u64;
    let of = |name, arcs, features| Large { name, arcs, features, extra: Vec::new() };
    let new = |name, words, features| of(name, Arcs::Generated(words), features);
    let far = 1u64 << 31;
    vec![
        new("rmat", format!("generate rmat --nodes {n_nodes} --arcs {} --seed 1", args.arcs(1.0)), "motifs"),
        new("dense", format!("generate er --nodes {n_dense} --probability 0.8 --seed 1"), "degrees"),
        of("star", Arcs::Star, "degrees"),
        Large {
            extra: [
                "train wide --model mlp --max-features 100000 --epochs 2 --out out/all-columns",
                "train wide --model mlp --max-features 2000 --epochs 2 --out out/columns",
                "train wide --model spectral --features degrees --eigenvectors 20000 --epochs 2 --out out/vectors",
                "train wide --features degrees --width 20000 --order 9 --epochs 2 --out out/width",
                "cluster wide --motif U --method embedding -k 2000 -o out/many.csv",
                "significance wide --samples 50 --switches 1 --per-node out/samples.csv",
            ]
            .map(str::to_owned)
            .to_vec(),
            ..new("wide", format!("generate er --nodes 100000 --arcs {} --seed 1", args.arcs(0.05)), "one-hot")
        },
        Large {
            extra: [
                format!("generate rmat --nodes {far} --arcs 9000000000 --seed 1 -o out/a.tsv"),
                "generate er --nodes 4000000000 --arcs 5 --seed 1 -o out/b.tsv".to_owned(),
                "generate er --nodes 100000 --probability 0.5 --seed 1 -o out/c.tsv".to_owned(),
                "generate dsbm --blocks 90000,90000 --connect 0.5,0.5;0.5,0.5 --seed 1 -o out/d.tsv".to_owned(),
                "generate citation --nodes 900000000 --seed 1 -o out/citing".to_owned(),
            ]
            .to_vec(),
            ..new("small", "generate er --nodes 500 --arcs 3000 --seed 1".to_owned(), "degrees")
        },
        Large { extra: packed::commands(), ..of(packed::NAME, Arcs::Packed, "") },
    ]
}

/// Runs everything on everything, under every limit.
pub(crate) fn run(args: &MemoryArgs) -> Result<()> {
    let time = TimeBox::minutes(args.minutes);
    let is_wanted =
        |large: &Large| args.only.is_empty() || args.only.iter().any(|name| name == large.name);
    let (mut rows, mut findings) = (Vec::new(), Vec::new());
    for large in large(args).iter().filter(|large| is_wanted(large)) {
        let place = Workplace::new(&format!("memory-{}", large.name))?;
        write(&place, large, args)?;
        for limit in Limit::ALL {
            if time.is_over() {
                eprintln!(
                    "the time is over; {} and what comes after it were not tried",
                    large.name
                );
                break;
            }
            match try_commands(args, &place, large, limit, &mut findings)? {
                Some(row) => rows.push(row),
                None => eprintln!("{}: none was given", limit.name()),
            }
        }
    }
    print!("{}", table(["data", "limit", "commands", "done", "refused", "seconds"], &rows));
    ensure!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
    let refused = |row: &[String; 6]| row[4] != "0";
    ensure!(rows.iter().any(refused), "everything fits: the trial tries nothing");
    Ok(())
}

/// The data set, with classes by the nodes' numbers.
fn write(place: &Workplace, large: &Large, args: &MemoryArgs) -> Result<()> {
    let Large { name, arcs, features, .. } = large;
    place.empty(name)?;
    let n_nodes = match arcs {
        Arcs::Packed => return packed::write(place, args.arcs(1.0)),
        Arcs::Generated(words) => return generated::write(place, name, words, features),
        Arcs::Star => args.arcs(0.8) + 1,
    };
    let leaves: String = (1..n_nodes).map(|leaf| format!("0\t{leaf}\n")).collect();
    place.put(&format!("{name}/arcs.tsv"), format!("# nodes: {n_nodes}\n{leaves}"))?;
    generated::write_classes(place, name, n_nodes as usize, features)
}

/// One command of each kind.
const SOME: [&str; 6] = ["census", "motifs", "significance", "cluster", "train", "generate"];

fn commands(args: &MemoryArgs, large: &Large) -> Vec<String> {
    if matches!(large.arcs, Arcs::Packed) {
        return large.extra.clone();
    }
    let mut left = SOME.to_vec();
    let cases = CASES.iter().filter(|case| {
        let found = left.iter().position(|&command| command == case.command());
        !args.some || found.map(|at| left.remove(at)).is_some()
    });
    cases.map(|case| case.words(large.name)).chain(large.extra.iter().cloned()).collect()
}

/// All commands on one data set under one limit.
fn try_commands(
    args: &MemoryArgs,
    place: &Workplace,
    large: &Large,
    limit: Limit,
    findings: &mut Vec<String>,
) -> Result<Option<[String; 6]>> {
    let out = place.path("out");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    fs::create_dir(&out)?;
    let time = TimeBox::minutes(args.minutes);
    let patience = Duration::from_secs(args.patience);
    let (mut n_done, mut n_refused) = (0, 0);
    let all = commands(args, large);
    for words in &all {
        let Some(command) = limit.command(place, words, args) else { return Ok(None) };
        let tried = try_command(place, command, words, patience);
        match tried {
            Ok(ending) if ending.is_success() => n_done += 1,
            Ok(_) => n_refused += 1,
            Err(finding) => {
                let finding = finding.context(format!("{} MB by {}", args.megabytes, limit.name()));
                if !args.keep_going {
                    return Err(finding);
                }
                findings.push(format!("{finding:#}"));
            }
        }
    }
    let counts = [all.len(), n_done, n_refused].map(|count| count.to_string());
    let [commands, done, refused] = counts;
    let seconds = format!("{:.0}", time.elapsed().as_secs_f64());
    let [name, limit] = [large.name, limit.name()].map(str::to_owned);
    Ok(Some([name, limit, commands, done, refused, seconds]))
}

/// Runs a command, which ends in order and, if it fails, leaves what was there as it was.
fn try_command(
    place: &Workplace,
    command: Command,
    words: &str,
    patience: Duration,
) -> Result<Ending> {
    let before = place.files("out")?;
    let ending = Ending::of(place, command, words, patience)?;
    ending.check()?;
    // Below the plans the command has a net, the allocator's own error. Whoever falls into it was planned too low.
    if ending.error().is_some_and(|error| error.starts_with("out of memory")) {
        bail!("motifnet {words} was ended by the allocator, not by a plan:\n{}", ending.stderr);
    }
    let after = place.files("out")?;
    if !ending.is_success()
        && let Some(path) = changed(&before, &after)
    {
        bail!("motifnet {words} failed and left {}:\n{}", path.display(), ending.stderr);
    }
    Ok(ending)
}

/// What a command leaves that can be taken up with more memory: what it was to do, and what it had found before.
const TAKEN_UP: [&str; 6] =
    ["run.toml", "config.toml", "evaluation.toml", "tune.toml", "tune.json", "eigenbasis.npz"];

/// A file that is new or changed; the folder of what had begun may be there.
fn changed(before: &Files, after: &Files) -> Option<PathBuf> {
    let is_taken_up =
        |path: &PathBuf| TAKEN_UP.iter().any(|name| path.file_name() == Some(name.as_ref()));
    let differs = |path: &PathBuf| before.get(path) != after.get(path);
    after.keys().find(|path| differs(path) && !is_taken_up(path)).cloned()
}
