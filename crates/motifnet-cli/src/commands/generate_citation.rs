//! `motifnet generate citation`: papers that cite each other, as the folder of a data set.

use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::data::citation::{self, CitationConfig, NewDatasetError};
use motifnet::progress::Unit;
use serde::Serialize;

use super::train_run::check_is_folder;
use crate::failure::Failure;
use crate::numbers::{bytes, grouped_len};
use crate::report::Report;
use crate::session::Session;
use crate::table::Table;

/// Citations: papers with topics and words, a data set to train on
///
/// Papers appear one after the other and cite earlier ones: of their own topic rather than another,
/// well-known and recent ones rather than others, and what those cite in turn. The words of a paper
/// come from its topics, which overlap. Degrees, motifs and the agreement of topics along arcs are
/// like those of CORA-full.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet generate citation -o citations
  motifnet generate citation --nodes 20000 --classes 40 --seed 7 -o citations
  motifnet train citations --model motifnet-m
  motifnet train citations --split \"citations/nodes.csv#year 60/20/20\"

The folder gets arcs.tsv (citing, cited), nodes.csv (node, topic, year), words.npz (which words a
paper has) and dataset.toml, and is what `motifnet train` takes. Nodes are numbered in order of time.")]
pub(crate) struct CitationArgs {
    /// Number of papers
    #[arg(long, value_name = "N", default_value_t = CitationConfig::default().n_nodes)]
    nodes: usize,

    /// Number of topics [default: 10 for 2,000 papers, 70 for 20,000]
    #[arg(long, value_name = "N")]
    classes: Option<usize>,

    /// What the random numbers come from: the same seed gives the same files
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The folder to write
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,

    /// Write even if there is something in the folder
    #[arg(long)]
    force: bool,
}

/// Citations to generate.
pub(crate) struct CitationCommand {
    config: CitationConfig,
    seed: u64,
    output: PathBuf,
    force: bool,
}

impl CitationArgs {
    pub(super) fn check(self) -> Result<CitationCommand, Failure> {
        let Self { nodes, classes, seed, output, force } = self;
        check_is_folder(&output)?;
        // Looked at again when the folder is claimed; a wrong name should be told at once. The lock of another
        // process is left to that.
        let is_other = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.is_ok_and(|entry| entry.file_name() != ".lock")
        };
        let is_used = std::fs::read_dir(&output).is_ok_and(|mut entries| entries.any(is_other));
        if is_used && !force {
            return Err(used(NewDatasetError::Used(output)));
        }
        let default = CitationConfig::of_size(nodes);
        let config = match classes {
            Some(n_classes) => default.with_classes(n_classes),
            None => default,
        };
        Ok(CitationCommand { config, seed, output, force })
    }
}

impl CitationCommand {
    pub(super) fn run(&self, session: &Session) -> Result<CitationReport, Failure> {
        let progress = session.progress();
        progress.begin("generating", None, Unit::Items);
        let data = citation::generate(&self.config, self.seed)?;
        progress.end();
        progress.begin("writing", None, Unit::Items);
        match self.force {
            true => data.write_dataset(&self.output).map_err(Failure::run)?,
            false => data.write_new_dataset(&self.output).map_err(used)?,
        }
        progress.end();
        let years = (data.years.first().copied(), data.years.last().copied());
        Ok(CitationReport {
            path: self.output.display().to_string(),
            model: "citation",
            seed: self.seed,
            n_nodes: data.graph.n_nodes(),
            n_arcs: data.graph.n_arcs(),
            n_classes: data.labels.n_classes(),
            n_words: data.words.n_columns(),
            first_year: years.0.unwrap_or_default(),
            last_year: years.1.unwrap_or_default(),
            bytes: n_bytes(&self.output),
        })
    }
}

fn used(error: NewDatasetError) -> Failure {
    match error {
        NewDatasetError::Used(_) => Failure::usage(error)
            .hint("name another folder with --output, or add --force to write into this one"),
        NewDatasetError::Claim(error) => Failure::run(error),
    }
}

/// The size of the files in a folder.
fn n_bytes(folder: &Path) -> u64 {
    let files =
        ["arcs.tsv", "nodes.csv", "words.npz", "dataset.toml"].map(|name| folder.join(name));
    files.iter().filter_map(|file| std::fs::metadata(file).ok()).map(|file| file.len()).sum()
}

/// What was generated.
#[derive(Serialize)]
pub(crate) struct CitationReport {
    path: String,
    model: &'static str,
    seed: u64,
    n_nodes: usize,
    n_arcs: usize,
    n_classes: usize,
    n_words: usize,
    first_year: u32,
    last_year: u32,
    bytes: u64,
}

impl Report for CitationReport {
    fn text(&self) -> String {
        let mut facts = Table::of_facts();
        facts.fact("folder", format!("{} ({})", self.path, bytes(self.bytes)));
        let years = format!("from {} to {}", self.first_year, self.last_year);
        facts.fact("papers", format!("{}, {years}", grouped_len(self.n_nodes)));
        facts.fact("arcs", grouped_len(self.n_arcs));
        facts.fact("topics", grouped_len(self.n_classes));
        facts.fact("words", grouped_len(self.n_words));
        facts.fact("seed", self.seed.to_string());
        facts.render()
    }
}
