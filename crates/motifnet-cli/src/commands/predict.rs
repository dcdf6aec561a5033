//! `motifnet predict`: a class and its probability for every node asked.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use motifnet::data::NodeDataset;
use motifnet::io::{TableColumn, check_table_name, write_table};
use motifnet::train::Predictions;
use serde::Serialize;

use crate::failure::Failure;
use crate::loaded_run::{LoadedRun, NewData, find_nodes};
use crate::numbers::{grouped_len, plural};
use crate::report::Report;
use crate::session::Session;
use crate::table::{Side, Table};

/// Predict the classes of nodes: of the training graph, of the same with new nodes, or of another
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet predict run -o classes.csv
  motifnet predict run --only unlabelled -o classes.parquet
  motifnet predict run --arcs today.csv --features today_people.csv --only new -o new.csv
  motifnet predict run --node ann --node bob

Without -o the first predictions are shown. Tables are written as .csv, .tsv or .parquet (.csv and
.tsv also as .gz and .zst), with the columns node, class and probability. With --arcs the file has all
arcs of the graph that is asked about, those of old nodes too: a node is predicted from its
neighbours.")]
pub(crate) struct PredictArgs {
    /// The folder of a run, as `motifnet train --out` wrote it
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Write the predictions to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Which nodes
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    only: Only,

    /// These nodes alone; any number of times
    #[arg(long, value_name = "ID", conflicts_with = "only")]
    node: Vec<String>,

    /// Write the probability of every class, a column each
    #[arg(long)]
    all_classes: bool,

    #[command(flatten)]
    data: NewData,
}

/// Which nodes are predicted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Only {
    /// every node of the graph
    #[default]
    All,
    /// those that have no label in the data of the run
    Unlabelled,
    /// those that are not in the data of the run
    New,
}

/// Nodes to predict.
pub(crate) struct PredictConfig {
    args: PredictArgs,
}

impl PredictArgs {
    pub(crate) fn check(self) -> Result<PredictConfig, Failure> {
        if self.only == Only::New && self.data.is_none() {
            let message = anyhow::anyhow!("the data of the run has no nodes that are new to it");
            return Err(Failure::usage(message).hint("name other data with --arcs and --features"));
        }
        self.output.as_deref().map_or(Ok(()), check_table_name)?;
        Ok(PredictConfig { args: self })
    }
}

impl PredictConfig {
    pub(crate) fn run(&self, session: &Session) -> Result<PredictReport, Failure> {
        let args = &self.args;
        let run = LoadedRun::open(&args.run)?;
        args.output.as_deref().map_or(Ok(()), |output| run.check_output(output, &args.data))?;
        let dataset = run.data(&args.data, session)?;
        let nodes = self.nodes(&run, &dataset, session)?;
        let predictor = run.predictor(&dataset, session)?;
        let predictions = predictor.probabilities(&nodes)?;
        let classes = &run.model.description.classes;
        if let Some(path) = &args.output {
            write(path, &predictions, &dataset, classes, args.all_classes)?;
        }
        Ok(PredictReport::new(&predictions, &dataset, classes, args.output.as_deref()))
    }

    fn nodes(
        &self,
        run: &LoadedRun,
        dataset: &NodeDataset,
        session: &Session,
    ) -> Result<Vec<u32>, Failure> {
        if !self.args.node.is_empty() {
            let mut nodes = find_nodes(dataset, &self.args.node)?;
            nodes.sort_unstable();
            nodes.dedup();
            return Ok(nodes);
        }
        let all = 0..dataset.n_nodes() as u32;
        if self.args.only == Only::All {
            return Ok(all.collect());
        }
        // Other data tells no labels: those of the run are meant, by name.
        let own;
        let labelled = match self.args.data.is_none() {
            true => dataset,
            false => {
                own = run.own_data(session)?;
                &own
            }
        };
        let known: HashSet<String> = (0..labelled.n_nodes() as u32)
            .filter(|&node| self.args.only == Only::New || labelled.labels.of(node).is_some())
            .map(|node| labelled.names.name(node).into_owned())
            .collect();
        Ok(all.filter(|&node| !known.contains(dataset.names.name(node).as_ref())).collect())
    }
}

fn write(
    path: &Path,
    predictions: &Predictions,
    dataset: &NodeDataset,
    classes: &[String],
    all_classes: bool,
) -> Result<(), Failure> {
    let nodes = &predictions.nodes;
    let mut columns = vec![
        TableColumn::text("node", |row| dataset.names.name(nodes[row])),
        TableColumn::text("class", |row| {
            classes[predictions.likeliest(row).0 as usize].as_str().into()
        }),
        TableColumn::float("probability", |row| predictions.likeliest(row).1),
    ];
    if all_classes {
        columns.extend(classes.iter().enumerate().map(|(class, name)| {
            TableColumn::float(format!("probability of {name}"), move |row| {
                predictions.row(row)[class]
            })
        }));
    }
    Ok(write_table(path, nodes.len(), &columns)?)
}

/// What was predicted.
#[derive(Serialize)]
pub(crate) struct PredictReport {
    n_nodes: usize,
    /// How many nodes of each class were predicted.
    classes: Vec<ClassCount>,
    /// All of them, or the first where they are in a file.
    predictions: Vec<Prediction>,
    written_to: Option<String>,
}

#[derive(Serialize)]
struct ClassCount {
    class: String,
    n_nodes: usize,
}

#[derive(Serialize)]
struct Prediction {
    node: String,
    class: String,
    probability: f32,
}

/// How many predictions are shown.
const SHOWN: usize = 10;

impl PredictReport {
    fn new(
        predictions: &Predictions,
        dataset: &NodeDataset,
        classes: &[String],
        output: Option<&Path>,
    ) -> Self {
        let mut counts = vec![0; classes.len()];
        let n_nodes = predictions.nodes.len();
        (0..n_nodes).for_each(|row| counts[predictions.likeliest(row).0 as usize] += 1);
        let n_kept = if output.is_some() { n_nodes.min(SHOWN) } else { n_nodes };
        let prediction = |row: usize| {
            let (class, probability) = predictions.likeliest(row);
            let node = dataset.names.name(predictions.nodes[row]).into_owned();
            Prediction { node, class: classes[class as usize].clone(), probability }
        };
        let counted = classes.iter().zip(counts);
        Self {
            n_nodes,
            classes: counted
                .map(|(class, n_nodes)| ClassCount { class: class.clone(), n_nodes })
                .collect(),
            predictions: (0..n_kept).map(prediction).collect(),
            written_to: output.map(|path| path.display().to_string()),
        }
    }
}

impl Report for PredictReport {
    fn text(&self) -> String {
        if self.n_nodes == 0 {
            return "there are no such nodes\n".to_owned();
        }
        let columns = [("node", Side::Left), ("class", Side::Left), ("probability", Side::Right)];
        let mut table = Table::new(columns);
        for Prediction { node, class, probability } in self.predictions.iter().take(SHOWN) {
            table.row([node.clone(), class.clone(), format!("{probability:.4}")]);
        }
        let mut text = table.render();
        if self.n_nodes > SHOWN {
            text += &format!("… and {} more\n", grouped_len(self.n_nodes - SHOWN));
        }
        let mut table = Table::new([("class", Side::Left), ("nodes", Side::Right)]);
        for ClassCount { class, n_nodes } in self.classes.iter().filter(|class| class.n_nodes > 0) {
            table.row([class.clone(), grouped_len(*n_nodes)]);
        }
        text += &format!("\n{}", table.render());
        if let Some(path) = &self.written_to {
            let nodes = plural(self.n_nodes as u64, "node", "nodes");
            text += &format!("\n{nodes} written to {path}\n");
        }
        text
    }
}
