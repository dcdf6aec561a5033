//! What people run while developing: `cargo xtask test`, `cargo xtask bench motifs`,
//! `cargo xtask bench pca`, `cargo xtask bench cluster`, `cargo xtask bench train`, `cargo xtask figures`,
//! `cargo xtask screenshot`.

mod bench;
mod browser;
mod debian;
mod figures;
mod screenshot;
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
    /// Draw the pictures of the documents
    Figures,
    /// Picture a report for the README
    Screenshot,
}

fn main() -> ExitCode {
    let outcome = match Args::parse().task {
        Task::Test => return test::run(),
        Task::Bench(bench) => bench::run(&bench),
        Task::Figures => figures::run(),
        Task::Screenshot => screenshot::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
