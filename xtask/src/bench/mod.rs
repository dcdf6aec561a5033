//! `cargo xtask bench …`: MotifNet and its peers in the same run, equal results before any ratio.

mod count;
mod engine;
mod motifs;
mod motifs_report;
mod peers;
mod targets;
mod verify;

use anyhow::Result;
use clap::Subcommand;

/// The benchmarks.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// The motif engine against motifcluster, GraphBLAS, igraph and polars
    Motifs(motifs::MotifsArgs),
}

/// Runs one benchmark.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    match bench {
        Bench::Motifs(args) => motifs::run(args),
    }
}
