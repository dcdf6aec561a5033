//! `cargo xtask soak numbers`: data at the edge of sense gives numbers or a reason, never NaN.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::cases::CASES;
use super::ending::Ending;
use super::finite::{check_files, check_text};
use super::odd_data::{OddData, odd_data};
use super::time_box::TimeBox;
use super::workplace::Workplace;
use crate::table::table;

/// What to run.
#[derive(Args)]
pub(crate) struct NumbersArgs {
    /// Leaves of the largest star
    #[arg(long, default_value_t = 1_000_000)]
    leaves: usize,
    /// Nodes of the largest clique
    #[arg(long, default_value_t = 2_000)]
    clique: usize,
    /// Only the data sets of these names
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
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

impl NumbersArgs {
    /// What is small, once each.
    pub(crate) fn short() -> Self {
        let only = ["one-node", "no-arcs", "lone-class", "huge-constant"];
        Self {
            leaves: 2_000,
            clique: 60,
            only: only.map(str::to_owned).to_vec(),
            patience: 60,
            keep_going: false,
            minutes: 10.0,
        }
    }
}

/// Models whose polynomials have an order, and orders at its ends.
const MODELS: [&str; 5] = ["chebnet", "motifnet-m", "motifnet-d", "polynomial", "cayley"];
const ORDERS: [u32; 2] = [0, 30];
/// The data set on which the orders are tried.
const ORDERED: &str = "component-of-a-class";

/// Runs everything on everything.
pub(crate) fn run(args: &NumbersArgs) -> Result<()> {
    let time = TimeBox::minutes(args.minutes);
    let is_wanted =
        |data: &OddData| args.only.is_empty() || args.only.iter().any(|name| name == data.name);
    let mut rows = Vec::new();
    let mut findings = Vec::new();
    for data in odd_data(args.leaves, args.clique).iter().filter(|data| is_wanted(data)) {
        if time.is_over() {
            eprintln!("the time is over; {} and what comes after it were not tried", data.name);
            break;
        }
        eprintln!("{}", data.name);
        rows.push(try_commands(args, data, &mut findings)?);
    }
    // A trial in which nothing is ever learnt has a mistake of its own.
    let n_trained: usize = rows.iter().map(|row| row.n_trained).sum();
    ensure!(rows.is_empty() || n_trained > 0, "no training succeeded on any data set");
    let rows: Vec<[String; 6]> = rows.into_iter().map(|row| row.cells).collect();
    print!("{}", table(["data", "commands", "refused", "files", "slowest", "seconds"], &rows));
    ensure!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
    Ok(())
}

/// What was tried on a data set.
struct Tried {
    n_trained: usize,
    cells: [String; 6],
}

/// All commands on one data set.
fn try_commands(args: &NumbersArgs, data: &OddData, findings: &mut Vec<String>) -> Result<Tried> {
    let place = Workplace::new(&format!("numbers-{}", data.name))?;
    data.write(&place)?;
    std::fs::create_dir(place.path("out"))?;
    let patience = Duration::from_secs(args.patience);
    let (mut n_refused, mut n_trained) = (0, 0);
    let mut slowest = (Duration::ZERO, String::new());
    let all = commands(data);
    for words in &all {
        let tried = Ending::of(&place, place.command(words), words, patience).and_then(|ending| {
            ending.check()?;
            let is_json = check_text(&String::from_utf8_lossy(&ending.stdout))
                .with_context(|| format!("what `motifnet {words}` printed"))?;
            let asks_for_json = words.ends_with("--json") && ending.is_success();
            ensure!(is_json || !asks_for_json, "what `motifnet {words}` printed is no JSON");
            Ok(ending)
        });
        match tried {
            Ok(ending) => {
                n_refused += usize::from(!ending.is_success());
                n_trained += usize::from(ending.is_success() && words.starts_with("train "));
                if ending.time > slowest.0 {
                    slowest =
                        (ending.time, words.split(" --out").next().unwrap_or_default().into());
                }
            }
            Err(finding) if args.keep_going => findings.push(format!("{}: {finding:#}", data.name)),
            Err(finding) => return Err(finding.context(data.name)),
        }
    }
    let n_files = match check_files(&place, "out", &place.path(data.name)) {
        Ok(n_files) => n_files,
        Err(finding) if args.keep_going => {
            findings.push(format!("{}: {finding:#}", data.name));
            0
        }
        Err(finding) => return Err(finding.context(data.name)),
    };
    let seconds = format!("{:.1}", slowest.0.as_secs_f64());
    let counts = [all.len(), n_refused, n_files].map(|count| count.to_string());
    let [commands, refused, files] = counts;
    let cells = [data.name.to_owned(), commands, refused, files, slowest.1, seconds];
    Ok(Tried { n_trained, cells })
}

/// What is run on a data set; on one whose features are odd, only what has to do with them.
fn commands(data: &OddData) -> Vec<String> {
    let cases = CASES.iter().filter(|case| case.needs_labels || !data.is_of_features());
    let mut commands: Vec<String> = cases.map(|case| case.words(data.name)).collect();
    if data.name == ORDERED {
        for model in MODELS {
            commands.extend(ORDERS.map(|order| {
                let name = data.name;
                format!("train {name} --model {model} --order {order} --epochs 3 --out out/{model}-{order}")
            }));
        }
    }
    commands
}
