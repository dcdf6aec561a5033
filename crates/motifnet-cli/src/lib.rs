//! The command `motifnet` as a library, so that other packages can ship it.
//!
//! Every subcommand has the same shape: what was typed (`…Args`) is checked into what is meant
//! (`…Config`), which runs and gives a report, shown as text or as JSON.
//!
//! ```text
//! words → Args → check → Config → run(Session) → Report → stdout
//! ```
//!
//! Results go to stdout and to files, everything else to stderr. The exit code is 0 for success,
//! 2 for usage and configuration, 1 for data and runs, 130 where the user stopped it.

#![forbid(unsafe_code)]

mod commands;
mod failure;
mod graph_args;
mod input_files;
mod interrupt;
mod loaded_run;
mod matrix_arg;
mod number_arg;
mod numbers;
mod page_files;
mod plot_args;
mod progress;
mod read_data;
mod report;
mod session;
mod setting_args;
mod spec_args;
mod table;

use std::ffi::OsString;

use clap::{Args, Parser};
use motifnet::memory::{MemorySize, SizeError, available_memory, limit_memory};

use commands::Command;
use failure::Failure;
use session::Session;

/// The thirteen directed three-node motifs: exact counts, matrices, and learning on them.
#[derive(Debug, Parser)]
#[command(
    name = "motifnet",
    version,
    max_term_width = 100,
    arg_required_else_help = true,
    subcommand_required = true,
    after_help = "\
Examples:
  motifnet generate rmat --nodes 4096 --arcs 40000 --seed 1 -o graph.tsv
  motifnet inspect graph.tsv
  motifnet census graph.tsv --per-node counts.csv
  motifnet motifs graph.tsv --motif M5,M8 --out matrices
  motifnet cluster graph.tsv --motif M6 -o clusters.csv
  motifnet train dataset --model motifnet-m --order 2 --out run
  motifnet predict run --only unlabelled -o classes.csv
  motifnet explain run --node 7
  motifnet tune dataset --model motifnet-m --out search
  motifnet compare run other-run
  motifnet report run
  motifnet data fetch cora-ml

Results go to stdout and to files; progress, notes and errors go to stderr.
Exit codes: 0 success, 2 wrong usage or configuration, 1 wrong data or a failed run, 130 stopped by
Ctrl-C."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: CommonArgs,
}

/// What every subcommand takes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Common options")]
struct CommonArgs {
    /// Print the result as one JSON object
    ///
    /// Counts are numbers where they fit in 64 bits, and decimal strings beyond.
    #[arg(long, global = true)]
    json: bool,

    /// Number of threads [default: one for each core]
    ///
    /// Results do not depend on it. No more than 256 are started, or one for each core.
    #[arg(
        long,
        global = true,
        value_name = "N",
        hide_default_value = true,
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    threads: Option<u16>,

    /// The most memory to take: 500MB, 2GB, or a number of megabytes [default: what the machine, its
    /// control groups and its limits have left]
    ///
    /// What would not fit is refused before it is begun.
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_limit)]
    memory_limit: Option<MemorySize>,

    /// Say only what went wrong and what was dropped: no progress, no remarks
    #[arg(long, short, global = true)]
    quiet: bool,
}

fn parse_limit(text: &str) -> Result<MemorySize, String> {
    let size = text.parse().map_err(|error: SizeError| error.to_string())?;
    if size == MemorySize::bytes(0) {
        return Err(
            "nothing can be done without memory; give a size above 0, or leave --memory-limit \
                    out to take what there is"
                .to_owned(),
        );
    }
    Ok(size)
}

/// Runs `motifnet` with `args`, the name of the program first, on the process's own streams; gives the
/// code to exit with.
pub fn run<A>(args: impl IntoIterator<Item = A>) -> u8
where
    A: Into<OsString> + Clone,
{
    run_within(args, &|_| ())
}

/// As [`run`]; `hold` is told how many bytes the command may take before it takes them, and may have the system see to
/// it.
pub fn run_within<A>(args: impl IntoIterator<Item = A>, hold: &dyn Fn(u64)) -> u8
where
    A: Into<OsString> + Clone,
{
    motifnet::io::silence_caught_panics();
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        // Help and version come this way too. A reader that has gone away needs neither.
        Err(error) => {
            let _ = error.print();
            return error.exit_code() as u8;
        }
    };
    match run_command(cli, hold) {
        Ok(()) => 0,
        Err(failure) => failure.report(),
    }
}

fn run_command(cli: Cli, hold: &dyn Fn(u64)) -> Result<(), Failure> {
    let Cli { command, common } = cli;
    let config = command.check()?;
    let session = Session::new(common.json, common.quiet);
    // 0 is one for each core.
    let threads = common.threads.map_or(0, |wanted| threads_to_start(wanted, &session));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| {
        let which = if threads == 0 { "the".to_owned() } else { threads.to_string() };
        Failure::run(error)
            .context(format!("{which} threads could not be started"))
            .hint("pass a smaller number to --threads, or raise the limit with --memory-limit")
    })?;
    // After the threads have their stacks: the limit is on what the work takes.
    if let Some(limit) = common.memory_limit {
        limit_memory(limit.n_bytes());
    }
    if let Some(n_bytes) = available_memory() {
        hold(n_bytes);
    }
    pool.install(|| config.run(&session))
}

/// Of what `--threads` asks for as many as can help: each looks for work with all others, so that thousands take
/// minutes to find that there is none. What comes out is the same.
fn threads_to_start(wanted: u16, session: &Session) -> usize {
    const ENOUGH: usize = 256;
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = n_cores.max(ENOUGH);
    if usize::from(wanted) > most {
        session.note(&format!(
            "--threads {wanted}: {most} are started, since more are no faster on {n_cores} {cores}",
            cores = if n_cores == 1 { "core" } else { "cores" }
        ));
    }
    usize::from(wanted).min(most)
}

/// The README's Rust, compiled and run by `cargo test`.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
