//! `motifnet explain`: which operators, neighbours and motifs a prediction rests on.

use std::path::PathBuf;

use clap::Args;
use motifnet::data::NodeDataset;
use motifnet::motif::{MotifKind, instances};
use motifnet::nn::{ExplainConfig, attention, term_shares};
use motifnet::train::OperatorSet;

use super::explain_report::{
    ExplainReport, InstanceReport, ModelReport, NeighbourReport, NodeReport, Share, SplitReport,
};
use crate::failure::Failure;
use crate::loaded_run::{LoadedRun, NewData, find_nodes};
use crate::session::Session;

/// Explain a prediction, or what the whole model attends to
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet explain run
  motifnet explain run --node ann
  motifnet explain run --node ann --class red --top 20 --json
  motifnet explain run --node eve --arcs today.csv --features today_people.csv

Without --node: the attention of every layer, order, head and operator. With it: what the graph did to
the logit of the class, split among the operators by integrated gradients (all of them switched on
together, from nothing to full), so that the shares add up; among the neighbours; and the motifs that
tie the node to them.")]
pub(crate) struct ExplainArgs {
    /// The folder of a run, as `motifnet train --out` wrote it
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// The node to explain
    #[arg(long, value_name = "ID")]
    node: Option<String>,

    /// The class to explain [default: the one that is predicted]
    #[arg(long, value_name = "CLASS", requires = "node")]
    class: Option<String>,

    /// How many neighbours to tell of
    #[arg(long, default_value_t = 5, value_name = "N", requires = "node", value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,

    #[command(flatten)]
    data: NewData,
}

/// What to explain.
pub(crate) struct ExplainCommand {
    args: ExplainArgs,
}

impl ExplainArgs {
    pub(crate) fn check(self) -> Result<ExplainCommand, Failure> {
        if self.node.is_none() && !self.data.is_none() {
            let message = anyhow::anyhow!("what a model attends to does not depend on other data");
            return Err(Failure::usage(message).hint("ask about a node of it with --node"));
        }
        Ok(ExplainCommand { args: self })
    }
}

impl ExplainCommand {
    pub(crate) fn run(&self, session: &Session) -> Result<ExplainReport, Failure> {
        let run = LoadedRun::open(&self.args.run)?;
        match &self.args.node {
            None => Ok(ExplainReport::Model(explain_model(&run))),
            Some(node) => {
                let dataset = run.data(&self.args.data, session)?;
                let nodes = find_nodes(&dataset, std::slice::from_ref(node))?;
                let report = self.explain_node(&run, &dataset, nodes[0], session)?;
                Ok(ExplainReport::Node(Box::new(report)))
            }
        }
    }

    fn explain_node(
        &self,
        run: &LoadedRun,
        dataset: &NodeDataset,
        node: u32,
        session: &Session,
    ) -> Result<NodeReport, Failure> {
        let predictor = run.predictor(dataset, session)?;
        let predictions = predictor.probabilities(&[node])?;
        let classes = &run.model.description.classes;
        let class = match &self.args.class {
            None => predictions.likeliest(0).0 as usize,
            Some(name) => find_class(classes, name)?,
        };
        // Whoever asks for a node waits for it.
        let config = ExplainConfig { at_any_cost: true, ..ExplainConfig::default() };
        let wide = predictor.widened()?;
        let split = wide.explain(node, class, &config, session.progress()).map_err(Failure::run)?;
        let set = predictor.operators();
        let mut probabilities: Vec<Share> = classes
            .iter()
            .zip(predictions.row(0))
            .map(|(name, &value)| Share { name: name.clone(), value: value.into() })
            .collect();
        probabilities.sort_by(|a, b| b.value.total_cmp(&a.value));
        Ok(NodeReport {
            node: dataset.names.name(node).into_owned(),
            label: dataset
                .labels
                .of(node)
                .map(|class| dataset.labels.classes()[class as usize].clone()),
            class: classes[class].clone(),
            probability: predictions.row(0)[class],
            probabilities,
            logit: split.logit,
            why_not: split.split.as_ref().err().map(ToString::to_string),
            graph: split.split.ok().map(|graph| SplitReport {
                logit_without_graph: graph.logit_without_graph,
                shares: shares(set, &graph.shares),
                gap: graph.gap,
                beyond: shares(set, &graph.beyond),
                n_neighbours: graph.neighbours.len(),
                neighbours: graph
                    .neighbours
                    .iter()
                    .take(self.args.top as usize)
                    .map(|neighbour| {
                        let pair = [node, neighbour.node];
                        NeighbourReport {
                            node: dataset.names.name(neighbour.node).into_owned(),
                            total: neighbour.total,
                            instances: behind(run, dataset, set, pair, &neighbour.by_operator),
                            by_operator: shares(set, &neighbour.by_operator),
                        }
                    })
                    .collect(),
            }),
        })
    }
}

fn find_class(classes: &[String], name: &str) -> Result<usize, Failure> {
    classes.iter().position(|class| class == name).ok_or_else(|| {
        let message = anyhow::anyhow!("the model has no class {name:?}");
        Failure::usage(message).hint(format!("its classes are {}", classes.join(", ")))
    })
}

fn shares(set: &OperatorSet, values: &[f64]) -> Vec<Share> {
    let named = set.kinds.iter().zip(values);
    named.map(|(kind, &value)| Share { name: kind.name().to_owned(), value }).collect()
}

/// How many instances of a motif are told of.
const INSTANCES: usize = 3;

/// The instances that tie a pair together, of the motif operators that did something for it, those that
/// did most first.
fn behind(
    run: &LoadedRun,
    dataset: &NodeDataset,
    set: &OperatorSet,
    pair: [u32; 2],
    by_operator: &[f64],
) -> Vec<InstanceReport> {
    if pair[0] == pair[1] {
        return Vec::new();
    }
    let spec = &run.model.description.operators.spec;
    let mut kinds: Vec<(MotifKind, f64)> =
        set.kinds.iter().copied().zip(by_operator.iter().copied()).collect();
    kinds.retain(|&(_, value)| value != 0.0);
    kinds.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let mut reports = Vec::new();
    for (kind, value) in kinds {
        let found = instances(&dataset.graph, kind, spec, pair, INSTANCES);
        if found.triads.is_empty() {
            continue;
        }
        let name = |node: u32| dataset.names.name(node).into_owned();
        reports.push(InstanceReport {
            motif: kind.name(),
            value,
            total: found.total,
            triads: found.triads.iter().map(|triad| triad.map(name)).collect(),
        });
    }
    reports
}

fn explain_model(run: &LoadedRun) -> ModelReport {
    let parameters: Vec<f64> = run.model.parameters.iter().map(|&value| value.into()).collect();
    let network = &run.model.network;
    let model = &run.model.description.model;
    let operators: Vec<String> =
        model.operators().into_iter().map(|kind| kind.name().to_owned()).collect();
    ModelReport {
        model: model.kind,
        attention: attention(network, &parameters),
        terms: term_shares(network, &parameters),
        operators,
    }
}
