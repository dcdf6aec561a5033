//! `cargo xtask soak …`: the command tried as trusted systems are tried, for as long as one likes.
//!
//! Each trial has a short form, and `cargo xtask soak quick` runs them
//! all. A trial that finds something says how to see it again: the words that were run and the seed.

mod cases;
mod draw;
mod ending;
mod faults;
mod finite;
mod fuzz;
mod generated;
mod job_trial;
mod jobs;
mod kills;
mod large_graph;
#[path = "../../../crates/motifnet/tests/support/loopback.rs"]
#[allow(clippy::unwrap_used, reason = "a server for tests: one that cannot go on has failed")]
mod loopback;
mod memory;
mod nightly;
mod nulls;
mod numbers;
mod odd_data;
mod packed;
mod sanitizer;
mod threads;
mod time_box;
mod undisturbed;
mod workplace;

use anyhow::Result;
use clap::Subcommand;

use crate::workspace;

/// The trials.
#[derive(Subcommand)]
pub(crate) enum Soak {
    /// The short form of every trial
    Quick,
    /// Every command that writes where writing fails: full disk, limit on files, read-only folder
    Faults(faults::FaultsArgs),
    /// Every command that writes, killed at random moments and run again: the same bytes
    Kills(kills::KillsArgs),
    /// Every command with less memory than it would take: an error, never the system's kill
    Memory(memory::MemoryArgs),
    /// Every command on data at the edge of sense: numbers or a reason, never NaN
    Numbers(numbers::NumbersArgs),
    /// Every command as the address sanitizer watches it
    Sanitizer(sanitizer::SanitizerArgs),
    /// Every command on 1, 2, 3 and 8 threads: the same bytes
    Threads(threads::ThreadsArgs),
    /// Every reader on inputs that libFuzzer makes up; the short form is the crate motifnet-fuzz's own test
    Fuzz(fuzz::FuzzArgs),
}

/// Runs one trial.
pub(crate) fn run(soak: &Soak) -> Result<()> {
    if !matches!(soak, Soak::Fuzz(_) | Soak::Sanitizer(_)) {
        workspace::build_command()?;
    }
    match soak {
        Soak::Quick => quick(),
        Soak::Faults(args) => faults::run(args),
        Soak::Kills(args) => kills::run(args),
        Soak::Memory(args) => memory::run(args),
        Soak::Numbers(args) => numbers::run(args),
        Soak::Sanitizer(args) => sanitizer::run(args),
        Soak::Threads(args) => threads::run(args),
        Soak::Fuzz(args) => fuzz::run(args),
    }
}

/// The short forms, each in seconds.
fn quick() -> Result<()> {
    threads::run(&threads::ThreadsArgs::short())?;
    kills::run(&kills::KillsArgs::short())?;
    faults::run(&faults::FaultsArgs::short())?;
    numbers::run(&numbers::NumbersArgs::short())?;
    memory::run(&memory::MemoryArgs::short())
}
