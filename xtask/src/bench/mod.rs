//! `cargo xtask bench …`: MotifNet and its peers in the same run, equal results before any ratio.

mod cluster;
mod cluster_tables;
mod count;
mod engine;
mod family;
mod models;
mod models_entry;
mod models_list;
mod models_table;
mod motifs;
mod motifs_report;
mod pca;
mod peers;
mod python;
mod significance;
mod targets;
mod train;
mod train_report;
mod verify;

use std::fs;

use anyhow::Result;
use clap::Subcommand;

/// The benchmarks.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Clusters against motifcluster, and how well they find what is known
    Cluster(cluster::ClusterArgs),
    /// Every sort of convolution: what an epoch costs, beside ChebNet and PyG
    Family(family::FamilyArgs),
    /// The motif engine against motifcluster, GraphBLAS, igraph and polars
    Motifs(motifs::MotifsArgs),
    /// Every model on real data, as one table that can be taken up again
    Models(models::ModelsArgs),
    /// Principal components of a sparse matrix against scikit-learn
    Pca(pca::PcaArgs),
    /// What the Python package adds to the same work in Rust
    Python(python::PythonArgs),
    /// Motif significance against graph-tool
    Significance(significance::SignificanceArgs),
    /// Training against PyTorch and PyG
    Train(train::TrainArgs),
}

/// Runs one benchmark.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    match bench {
        Bench::Cluster(args) => cluster::run(args),
        Bench::Family(args) => family::run(args),
        Bench::Motifs(args) => motifs::run(args),
        Bench::Models(args) => models::run(args),
        Bench::Pca(args) => pca::run(args),
        Bench::Python(args) => python::run(args),
        Bench::Significance(args) => significance::run(args),
        Bench::Train(args) => train::run(args),
    }
}

/// Other work on the machine has been seen to double a peer's time, and so to flatter the ratios.
fn warn_if_busy() {
    // Linux alone has this file; elsewhere nobody is warned. The load averages in it would count
    // our own build.
    let load = fs::read_to_string("/proc/loadavg").ok();
    let running = load.as_deref().and_then(others_running);
    if let Some(running) = running.filter(|&running| running > 0) {
        eprintln!("warning: {running} other threads are running: the times will be too long");
    }
}

/// Threads that are running now apart from this one: the `3` of `0.42 0.56 0.38 4/512 1234`.
fn others_running(load: &str) -> Option<u32> {
    let running = load.split_whitespace().nth(3)?.split('/').next()?;
    running.parse::<u32>().ok()?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_not_among_the_others() {
        assert_eq!(others_running("0.42 0.56 0.38 4/512 1234\n"), Some(3));
        assert_eq!(others_running("0.42 0.56 0.38 1/512 1234\n"), Some(0));
    }
}
