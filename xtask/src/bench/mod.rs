//! `cargo xtask bench …`: MotifNet and its peers in the same run, equal results before any ratio.

mod count;
mod engine;
mod models;
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
    /// Every model on real data, as one table that can be taken up again
    Models(models::ModelsArgs),
}

/// Runs one benchmark.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    match bench {
        Bench::Motifs(args) => motifs::run(args),
        Bench::Models(args) => models::run(args),
    }
}
