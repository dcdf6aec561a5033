//! Our side of `cargo xtask bench pca`: one measurement a process, JSON on standard output.
//!
//! The matrix is made anew by every process, from the same seed; that ours and the exported one
//! are the same shows in the variances.

mod topics;

use std::path::PathBuf;
use std::time::Instant;

use clap::{Parser, Subcommand};
use motifnet::progress::Silent;
use motifnet::sparse::{CsrMatrix, MatrixFormat, write_csr};
use motifnet::spectral::{PrincipalComponents, principal_components};
use serde_json::{Value, json};

use topics::Topics;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Of the matrix and of the components.
const SEED: u64 = 1;

#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
    #[arg(long, global = true, default_value_t = 2)]
    threads: usize,
    /// Passed by `cargo bench`; says nothing.
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Task {
    /// Writes the matrix as SciPy does.
    Export { file: PathBuf },
    /// Times the components and tells the share of the variance that each has.
    Time {
        #[arg(long, default_value_t = 130)]
        components: usize,
        #[arg(long, default_value_t = 1)]
        runs: usize,
    },
}

fn main() -> Result<(), Failure> {
    let Arguments { task, threads, .. } = Arguments::parse();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let matrix = Topics::CORA_FULL.matrix(SEED);
    match task {
        Task::Export { file } => write_csr(&file, &matrix, MatrixFormat::Npz, false)?,
        Task::Time { components, runs } => {
            println!("{}", pool.install(|| time(&matrix, components, runs))?);
        }
    }
    Ok(())
}

fn time(matrix: &CsrMatrix<f64>, components: usize, runs: usize) -> Result<Value, Failure> {
    let mut least = f64::INFINITY;
    let mut shares = Vec::new();
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        let found = principal_components(matrix, components, SEED, &Silent)?;
        least = least.min(start.elapsed().as_secs_f64());
        shares = shares_of_variance(&found);
    }
    Ok(json!({
        "rows": matrix.n_rows(),
        "columns": matrix.n_columns(),
        "entries": matrix.n_entries(),
        "components": shares.len(),
        "seconds": least,
        "shares": shares,
    }))
}

/// The share of the total variance that each component has.
fn shares_of_variance(found: &PrincipalComponents) -> Vec<f64> {
    let mut squares = vec![0.0; found.k];
    for scores in found.scores.chunks_exact(found.k.max(1)) {
        squares.iter_mut().zip(scores).for_each(|(sum, score)| *sum += score * score);
    }
    let captured: f64 = squares.iter().sum();
    squares.into_iter().map(|sum| sum / captured * found.captured_variance).collect()
}
