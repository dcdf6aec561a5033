//! What people run while developing: `cargo xtask test`, `cargo xtask bench …`, `cargo xtask figures`,
//! `cargo xtask python`, `cargo xtask screenshot`, `cargo xtask soak …`, `cargo xtask wheel`.

#![forbid(unsafe_code)]

mod bench;
mod browser;
mod debian;
mod deny;
mod figures;
mod python;
mod record;
mod screenshot;
mod soak;
mod table;
mod test;
mod venv;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "What people run while developing MotifNet")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every check: format, lints, tests, documentation
    Test,
    /// Measure against other tools
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Check licences, known holes and origins of all that is built in
    Deny {
        /// Only what needs no database of known holes
        #[arg(long)]
        offline: bool,
    },
    /// Draw the pictures of the documents
    Figures,
    /// Build the Python package, install it into an environment of its own and test it there
    Python,
    /// Picture a report for the README
    Screenshot,
    /// Try the command hard: threads, kills, faults, odd graphs, little memory, damaged files
    #[command(subcommand)]
    Soak(soak::Soak),
    /// Build the Python wheel for release
    Wheel,
}

fn main() -> ExitCode {
    let outcome = match Args::parse().task {
        Task::Test => return test::run(),
        Task::Bench(bench) => bench::run(&bench),
        Task::Deny { offline } => deny::run(offline),
        Task::Figures => figures::run(),
        Task::Python => python::test(),
        Task::Screenshot => screenshot::run(),
        Task::Soak(soak) => soak::run(&soak),
        Task::Wheel => python::wheel(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
