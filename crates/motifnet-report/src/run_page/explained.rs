//! Why it says what it says of some nodes.

use motifnet::data::NodeDataset;
use motifnet::motif::{MotifKind, instances};
use motifnet::nn::{ExplainConfig, GraphSplit, Neighbour, NoSplit};
use motifnet::progress::Progress;
use motifnet::train::{Predictor, TrainedModel};

use super::RunParts;
use super::judged::Asked;
use crate::chart::{Bar, BarChart};
use crate::numbers::{grouped, share, signed, value};
use crate::page::{Block, Section};
use crate::{Table, slug};

const MOST_NEIGHBOURS: usize = 6;
/// Of so many neighbours the motifs are told.
const MOST_TIED: usize = 3;
const MOST_INSTANCES: usize = 3;
/// The share of what the graph did that may be missed without a word.
const GAP: f64 = 1e-3;
/// Multiplications for a node that nobody asked for: some seconds.
const UNASKED_WORK: f64 = 1e11;

pub(super) fn section(parts: &RunParts<'_>, asked: Option<&Asked>) -> Section {
    let mut section = Section::new("nodes", "Why some nodes get their class");
    let (dataset, model, predictor) = match (&parts.dataset, &parts.model, &parts.predictor) {
        (Ok(dataset), Ok(model), Ok(predictor)) => (*dataset, *model, *predictor),
        (Err(why), ..) | (_, Err(why), _) | (_, _, Err(why)) => {
            section.note(format!("No node was explained: {why}."));
            return section;
        }
    };
    let chosen = match parts.explained.is_empty() {
        true => asked.map_or_else(Vec::new, choose),
        false => parts.explained.iter().map(|&node| (node, String::new())).collect(),
    };
    if chosen.is_empty() {
        section.note(
            "No node was explained: there are no test nodes to choose from, and none was named.",
        );
        return section;
    }
    section.prose(
        "What the graph did to the logit of the predicted class, split among the operators by integrated \
         gradients (all of them switched on together, from nothing to full), so that the parts add up.",
    );
    // Who names nodes waits for them.
    let effort = match parts.explained.is_empty() {
        true => ExplainConfig { most_work: UNASKED_WORK, ..ExplainConfig::default() },
        false => ExplainConfig { at_any_cost: true, ..ExplainConfig::default() },
    };
    let told = Told { dataset, model, effort, progress: parts.progress };
    if let Err(why) = told.add(&mut section, predictor, &chosen) {
        section.note(format!("Not all nodes were explained: {why}."));
    }
    section
}

/// The surest of those that are right, the surest that are wrong, and the one that is least sure.
fn choose(asked: &Asked) -> Vec<(u32, String)> {
    let rows = asked.truth.iter().enumerate();
    let rows: Vec<(usize, f32, bool)> = rows
        .map(|(row, &truth)| {
            let (class, probability) = asked.predictions.likeliest(row);
            (row, probability, class == truth)
        })
        .collect();
    // Of equal ones the first.
    let surest = |is_right: bool| {
        let of = rows.iter().rev().filter(move |row| row.2 == is_right);
        of.max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let unsure = rows.iter().min_by(|a, b| a.1.total_cmp(&b.1));
    let found = [
        (surest(true), "the surest of the test nodes that are right"),
        (surest(false), "the surest of those that are wrong"),
        (unsure, "the one that it is least sure of"),
    ];
    let mut chosen: Vec<(u32, String)> = Vec::new();
    for (row, why) in found {
        let Some(&(row, ..)) = row else { continue };
        let node = asked.predictions.nodes[row];
        if chosen.iter().all(|(other, _)| *other != node) {
            chosen.push((node, why.to_owned()));
        }
    }
    chosen
}

/// A model and its data, telling of nodes.
struct Told<'a> {
    dataset: &'a NodeDataset,
    model: &'a TrainedModel,
    effort: ExplainConfig,
    progress: &'a dyn Progress,
}

impl Told<'_> {
    fn add(
        &self,
        section: &mut Section,
        predictor: &Predictor<'_>,
        chosen: &[(u32, String)],
    ) -> Result<(), String> {
        let wide = predictor.widened().map_err(|error| error.to_string())?;
        let kinds = &predictor.operators().kinds;
        for (node, why) in chosen {
            let said = predictor.probabilities(&[*node]).map_err(|error| error.to_string())?;
            let (class, probability) = said.likeliest(0);
            let explained = wide.explain(*node, class as usize, &self.effort, self.progress);
            let explained = explained.map_err(|error| error.to_string())?;
            self.head(section, *node, class, probability, why);
            match &explained.split {
                Ok(split) => self.split(section, *node, explained.logit, split, kinds),
                Err(NoSplit::Work) => section.note(format!(
                    "Its logit is {}: it rests on so much of the graph that its parts take minutes to find; \
                     make the page with --node {} to have them",
                    value(explained.logit),
                    self.name(*node)
                )),
                Err(reason) => {
                    section.note(format!("Its logit is {}: {reason}.", value(explained.logit)))
                }
            }
        }
        Ok(())
    }

    fn name(&self, node: u32) -> String {
        self.dataset.names.name(node).into_owned()
    }

    fn label(&self, node: u32) -> Option<&str> {
        let class = self.dataset.labels.of(node)?;
        Some(&self.dataset.labels.classes()[class as usize])
    }

    fn head(&self, section: &mut Section, node: u32, class: u32, probability: f32, why: &str) {
        let class = &self.model.description.classes[class as usize];
        section.blocks.push(Block::Heading(format!("Node {}", self.name(node))));
        let label = match self.label(node) {
            Some(label) if label == class => ", which is its label".to_owned(),
            Some(label) => format!("; its label is {label}"),
            None => ", and it has no label".to_owned(),
        };
        let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
        section.prose(format!(
            "{class} with probability {}{label}{why}.",
            share(f64::from(probability))
        ));
    }

    fn split(
        &self,
        section: &mut Section,
        node: u32,
        logit: f64,
        split: &GraphSplit,
        kinds: &[MotifKind],
    ) {
        let own = Bar {
            label: "without the graph".to_owned(),
            value: split.logit_without_graph,
            spread: None,
        };
        let parts = kinds.iter().zip(&split.shares);
        let parts = parts.map(|(kind, &value)| Bar {
            label: format!("through {}", kind.name()),
            value,
            spread: None,
        });
        let chart = BarChart {
            name: slug(&format!("node {}", self.name(node))),
            title: format!("What makes the logit of node {}", self.name(node)),
            caption: match split.gap > GAP * (logit - split.logit_without_graph).abs() {
                true => {
                    let gap = value(split.gap);
                    format!("The parts add up to the logit, {}, but for {gap}.", value(logit))
                }
                false => format!("The parts add up to the logit, {}.", value(logit)),
            },
            value_label: "part of the logit".to_owned(),
            bars: [own].into_iter().chain(parts).collect(),
        };
        section.figure(chart.figure(), chart.table());
        let n = split.neighbours.len();
        if n == 0 {
            section.prose("It has no neighbours.");
            return;
        }
        let caption = match n > MOST_NEIGHBOURS {
            true => format!("The {MOST_NEIGHBOURS} neighbours of {} that did most", grouped(n)),
            false => "What its neighbours did".to_owned(),
        };
        let names = kinds.iter().map(|kind| kind.name());
        let mut table =
            Table::new(caption, ["neighbour", "label"], ["all"].into_iter().chain(names));
        let mut ties = Table::new(
            "Motifs that tie the node to the first of them",
            ["neighbour", "motif", "for example (nodes that play its vertices 0, 1, 2)"],
            ["instances"],
        );
        for (at, neighbour) in split.neighbours.iter().take(MOST_NEIGHBOURS).enumerate() {
            let label = self.label(neighbour.node).unwrap_or("–").to_owned();
            let numbers = neighbour.by_operator.iter().map(|&value| signed(value));
            let cells = [self.name(neighbour.node), label, signed(neighbour.total)];
            table.row(cells.into_iter().chain(numbers));
            if at < MOST_TIED {
                self.add_ties(&mut ties, node, neighbour, kinds);
            }
        }
        section.blocks.push(Block::Table(table));
        if !ties.rows.is_empty() {
            section.blocks.push(Block::Table(ties));
        }
    }

    /// The instances of the motif operators that did something for the pair.
    fn add_ties(&self, ties: &mut Table, node: u32, neighbour: &Neighbour, kinds: &[MotifKind]) {
        if node == neighbour.node {
            return;
        }
        let spec = &self.model.description.operators.spec;
        for (&kind, &part) in kinds.iter().zip(&neighbour.by_operator) {
            if part == 0.0 {
                continue;
            }
            let pair = [node, neighbour.node];
            let found = instances(&self.dataset.graph, kind, spec, pair, MOST_INSTANCES);
            let triad = |nodes: &[u32; 3]| nodes.map(|node| self.name(node)).join(", ");
            let triads: Vec<String> = found.triads.iter().map(triad).collect();
            if !triads.is_empty() {
                let name = self.name(neighbour.node);
                let kind = kind.name().to_owned();
                ties.row([name, kind, triads.join("; "), grouped(found.total as usize)]);
            }
        }
    }
}
