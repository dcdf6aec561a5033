//! The page of one training run.
//!
//! ```text
//! RunParts (what could be had of a run) → run_page → Page
//! ```
//!
//! A run outlives its data: whatever is gone is told as missing, and the rest is shown.

mod attended;
mod explained;
mod judged;
mod learnt;
mod told;

use motifnet::data::NodeDataset;
use motifnet::progress::Progress;
use motifnet::train::{EpochRecord, Predictor, RunReport, Settings, TrainedModel};

pub(crate) use attended::feature_map;

use crate::Figure;
use crate::numbers::{grouped, with_spread};
use crate::page::{Block, HeadlineNumber, Page, Section};

/// Why a part of a run could not be had, as a sentence without its full stop.
pub type Missing = String;

/// What the page of a run is made of.
pub struct RunParts<'a> {
    /// The run, as it was named.
    pub run: String,
    /// What was chosen.
    pub settings: &'a Settings,
    /// What it found.
    pub report: Result<RunReport, Missing>,
    /// The place, among the repetitions, of the one that history and model are of; from 0.
    pub repetition: usize,
    /// Its epochs.
    pub history: Result<Vec<EpochRecord>, Missing>,
    /// What it learnt from.
    pub dataset: Result<&'a NodeDataset, Missing>,
    /// What it learnt.
    pub model: Result<&'a TrainedModel, Missing>,
    /// The model, ready to be asked about the nodes of the data set.
    pub predictor: Result<&'a Predictor<'a>, Missing>,
    /// The nodes that it is judged by.
    pub test_nodes: Result<Vec<u32>, Missing>,
    /// The nodes to explain; of none, some are chosen.
    pub explained: Vec<u32>,
    /// A portion of the graph, drawn.
    pub drawing: Option<Figure>,
    /// Who hears how far explanations are.
    pub progress: &'a dyn Progress,
}

/// The page of a run: what was run and on what, how good it is, how it learnt, what it confuses, what it
/// attends to, and why it says what it says of some nodes.
pub fn run_page(parts: &RunParts<'_>) -> Page {
    let model = parts.settings.config().model.kind;
    let data = match (&parts.report, &parts.dataset) {
        (Ok(report), _) => report.dataset.clone(),
        (_, Ok(dataset)) => dataset.name.clone(),
        _ => parts.run.clone(),
    };
    let asked = judged::ask(parts);
    Page {
        title: format!("{model} on {data}"),
        lead: format!(
            "What was run, what came out and what it rests on. The run is kept in {}.",
            parts.run
        ),
        sections: vec![
            result(parts),
            told::section(parts),
            learnt::section(parts),
            judged::section(parts, asked.as_ref()),
            attended::section(parts),
            explained::section(parts, asked.as_ref().ok()),
        ],
    }
}

fn result(parts: &RunParts<'_>) -> Section {
    let mut section = Section::new("result", "Result");
    let report = match &parts.report {
        Ok(report) => report,
        Err(why) => {
            section.note(format!("The run has no result: {why}."));
            return section;
        }
    };
    let n = report.repeats.len();
    let over = match n {
        1 => "one split".to_owned(),
        n => format!("mean ± standard deviation of {n} splits"),
    };
    let number = |label: &str, value: String, note: &str| HeadlineNumber {
        label: label.to_owned(),
        value,
        note: note.to_owned(),
    };
    let mut numbers = Vec::new();
    if let Some(test) = report.test_accuracy {
        numbers.push(number("Test accuracy", with_spread(test, report.test_accuracy_sd), &over));
    }
    let validation = with_spread(report.val_accuracy, report.val_accuracy_sd);
    numbers.push(number("Validation accuracy", validation, &over));
    numbers.push(number("Parameters", grouped(report.parameters), "numbers that were learnt"));
    section.blocks.push(Block::Headline(numbers));
    section.blocks.push(Block::Table(told::repetitions(report)));
    section
}

#[cfg(test)]
mod tests;
