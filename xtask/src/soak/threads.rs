//! `cargo xtask soak threads`: every command's files and results are the same bytes on any number of
//! threads.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::cases::{CASES, Case, LARGE_CASES};
use super::ending::Ending;
use super::generated::{self, GRAPHS};
use super::large_graph;
use super::time_box::TimeBox;
use super::workplace::{Files, Workplace, difference};
use crate::table::table;

/// What to run.
#[derive(Args)]
pub(crate) struct ThreadsArgs {
    /// Numbers of threads to compare
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,8")]
    threads: Vec<u16>,
    /// Real data sets, by the names of their folders
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "telegram,florida-bay,polblogs,email-eu-core,cora-ml"
    )]
    datasets: Vec<String>,
    /// The folder with the data sets' folders [default: $MOTIFNET_DATA]
    #[arg(long)]
    data: Option<PathBuf>,
    /// Generated graphs, up to six; the last is large, and nothing is trained on it
    #[arg(long, default_value_t = GRAPHS.len() + 1)]
    generated: usize,
    /// Only the graphs of these names
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Begin no further graph after so many minutes
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
}

impl ThreadsArgs {
    /// One generated graph, two numbers of threads.
    pub(crate) fn short() -> Self {
        Self {
            threads: vec![1, 3],
            datasets: Vec::new(),
            data: None,
            generated: 1,
            only: Vec::new(),
            minutes: 10.0,
        }
    }
}

/// A command that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(600);

/// Compares all commands on all graphs.
pub(crate) fn run(args: &ThreadsArgs) -> Result<()> {
    let time = TimeBox::minutes(args.minutes);
    let place = Workplace::new("threads")?;
    let mut data = Vec::new();
    let is_wanted = |name: &&str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    for (name, words) in GRAPHS.iter().take(args.generated).filter(|(name, _)| is_wanted(name)) {
        generated::write(&place, name, words, "motifs")?;
        data.push((*name, place.path(name)));
    }
    if args.generated > GRAPHS.len() && is_wanted(&large_graph::NAME) {
        large_graph::write(&place)?;
        data.push((large_graph::NAME, place.path(large_graph::NAME)));
    }
    let datasets = args.datasets.iter().map(String::as_str);
    let datasets: Vec<_> = datasets.filter(|name| !name.is_empty() && is_wanted(name)).collect();
    if !datasets.is_empty() {
        let folder =
            args.data.clone().or_else(|| std::env::var_os("MOTIFNET_DATA").map(Into::into));
        let folder = folder
            .context("set MOTIFNET_DATA, or pass --data, to the folder of the data sets")?
            .canonicalize()?;
        data.extend(datasets.into_iter().map(|name| (name, folder.join(name))));
    }
    let mut rows = Vec::new();
    for (name, folder) in data {
        if time.is_over() {
            eprintln!("the time is over; {name} and what comes after it were not tried");
            break;
        }
        eprintln!("{name}");
        let cases: &[Case] = if name == large_graph::NAME { &LARGE_CASES } else { &CASES };
        rows.push(compare(args, name, &folder, cases)?);
    }
    print!("{}", table(["graph", "commands", "refused", "files", "bytes", "threads"], &rows));
    Ok(())
}

/// All of `cases` on one graph, once for each number of threads.
fn compare(args: &ThreadsArgs, name: &str, data: &Path, cases: &[Case]) -> Result<[String; 6]> {
    let mut first: Option<Results> = None;
    for n_threads in &args.threads {
        let place = format!("threads-{name}-{n_threads}");
        let results = all_commands(&place, data, cases, *n_threads)?;
        match &first {
            None => first = Some(results),
            Some(first) => {
                if let Some(path) = difference(&first.files, &results.files) {
                    let path = path.display();
                    let one = args.threads[0];
                    bail!("{name}: {path} differs between {one} and {n_threads} threads");
                }
            }
        }
    }
    let Results { files, n_refused } = first.context("no number of threads was given")?;
    ensure!(2 * n_refused < cases.len(), "{name}: most commands are refused");
    if name == large_graph::NAME {
        large_graph::check_formats(&files)?;
    }
    let n_bytes: usize = files.values().map(Vec::len).sum();
    let threads = args.threads.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
    let counts = [cases.len(), n_refused, files.len(), n_bytes].map(|count| count.to_string());
    let [commands, refused, files, bytes] = counts;
    Ok([name.to_owned(), commands, refused, files, bytes, threads])
}

/// Everything that all commands write and print.
fn all_commands(name: &str, data: &Path, cases: &[Case], n_threads: u16) -> Result<Results> {
    let place = Workplace::new(name)?;
    std::fs::create_dir(place.path("out"))?;
    let data = data.to_str().context("the path of a data set is no text")?;
    let mut printed = Files::new();
    let mut n_refused = 0;
    for (number, case) in cases.iter().enumerate() {
        let words = case.words(data);
        let words = format!("{words} --quiet --threads {n_threads}");
        let ending = Ending::of(&place, place.command(&words), &words, PATIENCE)?;
        ending.check()?;
        // What is refused must be refused in the same words.
        if !ending.is_success() {
            n_refused += 1;
            let name = format!("stderr of {number}: {}", case.command());
            printed.insert(name.into(), comparable(ending.stderr.as_bytes(), &place));
        }
        let name = format!("stdout of {number}: {}", case.command());
        printed.insert(name.into(), comparable(&ending.stdout, &place));
    }
    let mut files = place.files("out")?;
    files.append(&mut printed);
    Ok(Results { files, n_refused })
}

/// What all commands left and said on one number of threads.
struct Results {
    files: Files,
    /// Commands that had a reason not to do it.
    n_refused: usize,
}

/// What was printed, but for the folder's name, and for what `inspect` tells of time and threads.
fn comparable(stdout: &[u8], place: &Workplace) -> Vec<u8> {
    let folder = place.path("").display().to_string();
    let text = String::from_utf8_lossy(stdout).replace(&folder, "./");
    let Ok(mut result) = serde_json::from_str::<serde_json::Value>(&text) else {
        return text.into_bytes();
    };
    match result.as_object_mut().and_then(|fields| fields.remove("costs")) {
        Some(_) => result.to_string().into_bytes(),
        None => text.into_bytes(),
    }
}
