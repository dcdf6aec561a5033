//! `cargo xtask soak …`: the command tried as trusted systems are tried, for as long as one likes.
//!
//! Each trial has a short form, and `cargo xtask soak quick`, a step of `cargo xtask test`, runs them
//! all. A trial that finds something says how to see it again: the words that were run and the seed.

mod cases;
mod ending;
mod finite;
mod memory;
mod numbers;
mod odd_data;
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
    /// Every command with less memory than it would take: an error, never the system's kill
    Memory(memory::MemoryArgs),
    /// Every command on data at the edge of sense: numbers or a reason, never NaN
    Numbers(numbers::NumbersArgs),
    /// Every command on 1, 2, 3 and 8 threads: the same bytes
    Threads(threads::ThreadsArgs),
}

/// Runs one trial.
pub(crate) fn run(soak: &Soak) -> Result<()> {
    workplace::build()?;
    match soak {
        Soak::Quick => quick(),
        Soak::Memory(args) => memory::run(args),
        Soak::Numbers(args) => numbers::run(args),
        Soak::Threads(args) => threads::run(args),
    }
}

/// The short forms, each in seconds.
fn quick() -> Result<()> {
    threads::run(&threads::ThreadsArgs::short())?;
    numbers::run(&numbers::NumbersArgs::short())?;
    memory::run(&memory::MemoryArgs::short())
}
