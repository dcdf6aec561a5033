//! `motifnet generate`: random graphs and data sets from a seed.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use motifnet::graph::generate::dsbm::{self, ArcWeights, DsbmConfig};
use motifnet::graph::generate::erdos_renyi::{self, ArcCount, ErdosRenyiConfig};
use motifnet::graph::generate::rmat::{self, RmatConfig};
use motifnet::graph::{BuildOptions, DiGraph, NodeNames, OutputFormat, write_graph};
use motifnet::io::CsvFile;
use motifnet::progress::Unit;
use serde::Serialize;

use super::generate_citation::{CitationArgs, CitationCommand, CitationReport};
use crate::failure::Failure;
use crate::input_files::InputFiles;
use crate::matrix_arg::MatrixArg;
use crate::numbers::{bytes, grouped_len, plural};
use crate::report::Report;
use crate::session::Session;
use crate::table::Table;

/// Generate a random directed graph
///
/// The same seed gives the same graph, whatever the number of threads.
#[derive(Debug, Subcommand)]
#[command(after_help = "\
Examples:
  motifnet generate rmat --nodes 4096 --arcs 40000 --seed 1 -o graph.tsv
  motifnet generate er --nodes 1000 --probability 0.01 -o graph.npz
  motifnet generate dsbm --blocks 50,50 --connect \"0.3,0.05;0.1,0.3\" -o graph.csv
  motifnet generate citation --nodes 2000 --seed 1 -o citations

Files are written as text (.tsv, .txt, .csv), MatrixMarket (.mtx), NumPy archives (.npz) or Parquet
(.parquet); text and MatrixMarket are compressed where .gz or .zst follows.")]
pub(crate) enum GenerateCommand {
    Rmat(RmatArgs),
    Er(ErArgs),
    Dsbm(DsbmArgs),
    Citation(CitationArgs),
}

/// R-MAT: skewed degrees, communities within communities
///
/// The adjacency matrix is cut into quarters again and again; an arc falls into the upper left one
/// with probability a, the upper right b, the lower left c, the lower right 1 − a − b − c.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  motifnet generate rmat --nodes 4096 --arcs 40000 --seed 1 -o graph.tsv")]
pub(crate) struct RmatArgs {
    /// Number of nodes, a power of two
    #[arg(long, value_name = "N")]
    nodes: usize,

    /// Number of distinct arcs
    #[arg(long, value_name = "N")]
    arcs: u64,

    /// Probability that both ends of an arc are in the first half
    #[arg(short, value_name = "P", allow_negative_numbers = true, default_value_t = 0.57)]
    a: f64,

    /// Probability that the source is in the first half and the target in the second
    #[arg(short, value_name = "P", allow_negative_numbers = true, default_value_t = 0.19)]
    b: f64,

    /// Probability that the source is in the second half and the target in the first
    #[arg(short, value_name = "P", allow_negative_numbers = true, default_value_t = 0.19)]
    c: f64,

    /// Renumber the nodes at random, so that a number says nothing of the degree
    #[arg(long)]
    scramble: bool,

    #[command(flatten)]
    output: OutputArgs,
}

/// Erdős–Rényi: every arc alike
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet generate er --nodes 1000 --arcs 5000 -o graph.tsv
  motifnet generate er --nodes 1000 --probability 0.01 --seed 7 -o graph.npz")]
pub(crate) struct ErArgs {
    /// Number of nodes
    #[arg(long, value_name = "N")]
    nodes: usize,

    #[command(flatten)]
    count: ArcCountArgs,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct ArcCountArgs {
    /// Number of distinct arcs
    #[arg(long, value_name = "N")]
    arcs: Option<u64>,

    /// Probability of every arc
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    probability: Option<f64>,
}

/// Directed stochastic block model: a probability for each pair of blocks
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet generate dsbm --blocks 50,50 --connect \"0.3,0.05;0.1,0.3\" -o graph.csv
  motifnet generate dsbm --blocks 20,30 --connect \"0.2,0.6;0.1,0.2\" --weights-matrix \"2,5;5,2\" \\
    --weight-kind poisson --labels blocks.csv -o graph.npz")]
pub(crate) struct DsbmArgs {
    /// Number of nodes of each block
    #[arg(long, value_name = "N,N,…", required = true, value_delimiter = ',')]
    blocks: Vec<usize>,

    /// Probability of an arc from block i (row) to block j (column)
    #[arg(long, value_name = "MATRIX", allow_hyphen_values = true)]
    connect: MatrixArg,

    /// Weights of the arcs from block i to block j [default: no weights]
    #[arg(long, value_name = "MATRIX", allow_hyphen_values = true)]
    weights_matrix: Option<MatrixArg>,

    /// Whether the weights are these numbers, or drawn with these means
    #[arg(long, value_enum, value_name = "KIND", default_value_t, requires = "weights_matrix")]
    weight_kind: WeightKind,

    /// Write the block of every node as CSV: node,block
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum WeightKind {
    /// every arc weighs so much
    #[default]
    Constant,
    /// Poisson draws; a draw of 0 takes the arc away
    Poisson,
}

#[derive(Debug, Args)]
struct OutputArgs {
    /// What the random numbers come from: the same seed gives the same graph
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The file to write; its ending says the format
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// What is to be generated.
pub(crate) enum GenerateConfig {
    /// A graph, in a file.
    Graph(GraphConfig),
    /// A data set, in a folder.
    Citation(CitationCommand),
}

/// A graph to generate.
pub(crate) struct GraphConfig {
    model: Model,
    seed: u64,
    output: PathBuf,
    labels: Option<PathBuf>,
}

enum Model {
    Rmat(RmatConfig),
    ErdosRenyi(ErdosRenyiConfig),
    Dsbm(DsbmConfig),
}

impl GenerateCommand {
    pub(crate) fn check(self) -> Result<GenerateConfig, Failure> {
        let (model, OutputArgs { seed, output }, labels) = match self {
            Self::Rmat(args) => (Model::Rmat(args.model()?), args.output, None),
            Self::Er(args) => (Model::ErdosRenyi(args.model()), args.output, None),
            Self::Dsbm(args) => (Model::Dsbm(args.model()), args.output, args.labels),
            Self::Citation(args) => return Ok(GenerateConfig::Citation(args.check()?)),
        };
        OutputFormat::of_path(&output)?;
        let outputs: Vec<&Path> =
            [Some(&output), labels.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        InputFiles::default().check_outputs(&outputs)?;
        Ok(GenerateConfig::Graph(GraphConfig { model, seed, output, labels }))
    }
}

impl RmatArgs {
    fn model(&self) -> Result<RmatConfig, Failure> {
        let Self { nodes, arcs, a, b, c, scramble, .. } = *self;
        // Decimals such as .5 + .3 + .2 seldom add up to 1 to the last bit.
        let rounded = |p: f64| (p * 1e9).round() / 1e9;
        let d = rounded(1.0 - a - b - c);
        if d < 0.0 && [a, b, c].iter().all(|p| (0.0..=1.0).contains(p)) {
            let message = anyhow::anyhow!("a + b + c is {}, which is above 1", rounded(a + b + c));
            return Err(Failure::usage(message)
                .hint("what they leave to 1 is the probability of the fourth quarter"));
        }
        Ok(RmatConfig { n_nodes: nodes, n_arcs: arcs, a, b, c, d, scramble })
    }
}

impl ErArgs {
    fn model(&self) -> ErdosRenyiConfig {
        let arcs = match (self.count.arcs, self.count.probability) {
            (Some(n_arcs), _) => ArcCount::Exactly(n_arcs),
            (None, probability) => ArcCount::Probability(probability.unwrap_or_default()),
        };
        ErdosRenyiConfig { n_nodes: self.nodes, arcs }
    }
}

impl DsbmArgs {
    fn model(&self) -> DsbmConfig {
        let weights = match (&self.weights_matrix, self.weight_kind) {
            (None, _) => ArcWeights::Unweighted,
            (Some(matrix), WeightKind::Constant) => ArcWeights::Constant(matrix.0.clone()),
            (Some(matrix), WeightKind::Poisson) => ArcWeights::Poisson(matrix.0.clone()),
        };
        let connections = self.connect.0.clone();
        DsbmConfig { block_sizes: self.blocks.clone(), connections, weights }
    }
}

impl GenerateConfig {
    pub(crate) fn run(&self, session: &Session) -> Result<GenerateReport, Failure> {
        Ok(match self {
            Self::Graph(config) => GenerateReport::Graph(config.run(session)?),
            Self::Citation(config) => GenerateReport::Citation(config.run(session)?),
        })
    }
}

impl GraphConfig {
    fn run(&self, session: &Session) -> Result<GraphReport, Failure> {
        let progress = session.progress();
        progress.begin("generating", None, Unit::Items);
        let arcs = match &self.model {
            Model::Rmat(config) => rmat::generate(config, self.seed)?,
            Model::ErdosRenyi(config) => erdos_renyi::generate(config, self.seed)?,
            Model::Dsbm(config) => dsbm::generate(config, self.seed)?,
        };
        let (graph, _) = DiGraph::build(arcs, &BuildOptions::default()).map_err(Failure::run)?;
        progress.end();

        progress.begin("writing", None, Unit::Items);
        let labels = match (&self.labels, &self.model) {
            (Some(path), Model::Dsbm(config)) => {
                Some((path, labels_file(path, &config.block_of_each_node()?)?))
            }
            _ => None,
        };
        let notes = write_graph(&self.output, &graph, &NodeNames::Indices(graph.n_nodes()))?;
        let labels = match labels {
            None => None,
            Some((path, file)) => {
                file.commit()?;
                Some(path.display().to_string())
            }
        };
        progress.end();
        let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        for note in &notes {
            session.note(note);
        }
        Ok(GraphReport {
            path: self.output.display().to_string(),
            model: match self.model {
                Model::Rmat(_) => "rmat",
                Model::ErdosRenyi(_) => "er",
                Model::Dsbm(_) => "dsbm",
            },
            seed: self.seed,
            n_nodes: graph.n_nodes(),
            n_arcs: graph.n_arcs(),
            is_weighted: graph.is_weighted(),
            bytes: std::fs::metadata(&self.output).map_or(0, |file| file.len()),
            labels,
            notes,
        })
    }
}

/// The block of every node, ready to be put in place.
fn labels_file(path: &Path, blocks: &[u32]) -> Result<CsvFile, Failure> {
    let mut file = CsvFile::create(path, ["node", "block"])?;
    file.write_rows(blocks.len(), |node, line| line.integer(node as u64).integer(blocks[node]))?;
    Ok(file)
}

/// What was generated.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum GenerateReport {
    Graph(GraphReport),
    Citation(CitationReport),
}

impl Report for GenerateReport {
    fn text(&self) -> String {
        match self {
            Self::Graph(report) => report.text(),
            Self::Citation(report) => report.text(),
        }
    }
}

/// A graph that was generated.
#[derive(Serialize)]
pub(crate) struct GraphReport {
    path: String,
    model: &'static str,
    seed: u64,
    n_nodes: usize,
    n_arcs: usize,
    is_weighted: bool,
    bytes: u64,
    labels: Option<String>,
    notes: Vec<String>,
}

impl Report for GraphReport {
    fn text(&self) -> String {
        let mut facts = Table::of_facts();
        facts.fact("file", format!("{} ({})", self.path, bytes(self.bytes)));
        facts.fact("nodes", grouped_len(self.n_nodes));
        let weighted = if self.is_weighted { ", weighted" } else { "" };
        facts.fact("arcs", format!("{}{weighted}", grouped_len(self.n_arcs)));
        facts.fact("seed", self.seed.to_string());
        if let Some(labels) = &self.labels {
            let rows = plural(self.n_nodes as u64, "node", "nodes");
            facts.fact("blocks", format!("{labels} ({rows})"));
        }
        facts.render()
    }
}
