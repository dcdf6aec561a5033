//! `motifnet embed`: what the last hidden layer makes of every node.

use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::io::{NpzWriter, TableColumn, WriteError, check_table_name, write_table};
use serde::Serialize;

use crate::failure::Failure;
use crate::loaded_run::{LoadedRun, NewData};
use crate::numbers::plural;
use crate::report::Report;
use crate::session::Session;

/// Write the last hidden layer of a trained model: a row of numbers for every node
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet embed run -o vectors.parquet
  motifnet embed run -o vectors.npz
  motifnet embed run --arcs today.csv --features today_people.csv -o vectors.csv

Tables (.csv, .tsv, .parquet) have the columns node, e0, e1, …; archives (.npz) have the arrays
`embeddings`, nodes × width, and `nodes`, the ids as text.")]
pub(crate) struct EmbedArgs {
    /// The folder of a run, as `motifnet train --out` wrote it
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Write the vectors to this file
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    data: NewData,
}

/// A run to take vectors from.
pub(crate) struct EmbedConfig {
    args: EmbedArgs,
}

impl EmbedArgs {
    pub(crate) fn check(self) -> Result<EmbedConfig, Failure> {
        if !is_archive(&self.output) {
            check_table_name(&self.output).map_err(with_npz)?;
        }
        Ok(EmbedConfig { args: self })
    }
}

impl EmbedConfig {
    pub(crate) fn run(&self, session: &Session) -> Result<EmbedReport, Failure> {
        let EmbedArgs { run, output, data } = &self.args;
        let run = LoadedRun::open(run)?;
        run.check_output(output, data)?;
        let dataset = run.data(data, session)?;
        let nodes: Vec<u32> = (0..dataset.n_nodes() as u32).collect();
        let (width, values) = run.predictor(&dataset, session)?.embeddings(&nodes)?;
        let name = |row: usize| dataset.names.name(nodes[row]);
        if is_archive(output) {
            let mut archive = NpzWriter::create(output)?;
            let shape = [nodes.len() as u64, width as u64];
            archive.array("embeddings", &shape, values.iter().copied())?;
            let names: Vec<String> = nodes.iter().map(|&node| name(node as usize).into()).collect();
            archive.strings("nodes", &names)?;
            archive.commit()?;
        } else {
            let mut columns = vec![TableColumn::text("node", name)];
            let values = &values;
            columns.extend((0..width).map(|at| {
                TableColumn::float(format!("e{at}"), move |row| values[row * width + at])
            }));
            write_table(output, nodes.len(), &columns)?;
        }
        Ok(EmbedReport { n_nodes: nodes.len(), width, written_to: output.display().to_string() })
    }
}

fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npz"))
}

/// Archives do as well as tables.
fn with_npz(error: WriteError) -> WriteError {
    match error {
        WriteError::UnknownEnding { path, .. } => {
            WriteError::UnknownEnding { path, allowed: ".csv, .tsv, .parquet or .npz" }
        }
        error => error,
    }
}

/// What was written.
#[derive(Serialize)]
pub(crate) struct EmbedReport {
    n_nodes: usize,
    width: usize,
    written_to: String,
}

impl Report for EmbedReport {
    fn text(&self) -> String {
        let Self { n_nodes, width, written_to } = self;
        let nodes = plural(*n_nodes as u64, "node", "nodes");
        format!("{width} numbers for each of {nodes} written to {written_to}\n")
    }
}
