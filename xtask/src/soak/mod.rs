//! `cargo xtask soak …`: the command tried as trusted systems are tried, for as long as one likes.
//!
//! Each trial has a short form, and `cargo xtask soak quick`, a step of `cargo xtask test`, runs them
//! all. A trial that finds something says how to see it again: the words that were run and the seed.

mod cases;
mod fuzz;
mod threads;
mod time_box;
mod workplace;

use anyhow::Result;
use clap::Subcommand;

/// The trials.
#[derive(Subcommand)]
pub(crate) enum Soak {
    /// The short form of every trial, as `cargo xtask test` runs it
    Quick,
    /// Every command on 1, 2, 3 and 8 threads: the same bytes
    Threads(threads::ThreadsArgs),
    /// Every reader on inputs that libFuzzer makes up; the short form is the crate motifnet-fuzz's own test
    Fuzz(fuzz::FuzzArgs),
}

/// Runs one trial.
pub(crate) fn run(soak: &Soak) -> Result<()> {
    if !matches!(soak, Soak::Fuzz(_)) {
        workplace::build()?;
    }
    match soak {
        Soak::Quick => quick(),
        Soak::Threads(args) => threads::run(args),
        Soak::Fuzz(args) => fuzz::run(args),
    }
}

/// The short forms, each in seconds.
fn quick() -> Result<()> {
    threads::run(&threads::ThreadsArgs::short())
}
