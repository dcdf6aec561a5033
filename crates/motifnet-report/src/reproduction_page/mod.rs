//! The page of the paper's evaluation.
//!
//! ```text
//! ReproductionParts (results, data, the model that operators were selected from) → reproduction_page → Page
//! ```

mod accuracy;
mod claims;
mod drawings;
mod parameters;
mod selected;

use motifnet::data::NodeDataset;
use motifnet::experiment::paper::{EntryResult, Extent, PaperResults};
use motifnet::train::TrainedModel;

use crate::numbers::{grouped, value};
use crate::page::{Block, HeadlineNumber, Page, Section};

/// What the page is made of.
#[derive(Clone, Copy)]
pub struct ReproductionParts<'a> {
    /// What was found.
    pub results: &'a PaperResults,
    /// What was learnt from.
    pub dataset: &'a NodeDataset,
    /// The model that operators were selected from.
    pub model: &'a TrainedModel,
    /// The command that makes this page again.
    pub command: &'a str,
}

/// The page: what holds of the paper, what was run and on what, the operators that matter, the figures
/// and tables, the graph, and drawings of what motifs are.
pub fn reproduction_page(parts: &ReproductionParts<'_>) -> Page {
    let results = parts.results;
    Page {
        title: format!("MotifNet on {}", results.dataset),
        lead: "Do directed motifs help to tell what the nodes of a graph are? The evaluation of \
            Monti, Otness and Bronstein (MotifNet, 2018), run again, with tests of what it claims."
            .to_owned(),
        sections: vec![
            claims::section(results),
            told(parts),
            selected::section(parts),
            accuracy::undirected(results),
            accuracy::directed(results),
            accuracy::ours(results),
            parameters::section(results),
            drawings::graph(parts),
            drawings::motifs(parts),
        ],
    }
}

fn told(parts: &ReproductionParts<'_>) -> Section {
    let results = parts.results;
    let mut section = Section::new("data", "What was run, and on what");
    let trainings = || results.entries.iter().flat_map(|entry| &entry.trainings);
    let number = |label: &str, value: usize, note: &str| HeadlineNumber {
        label: label.to_owned(),
        value: grouped(value),
        note: note.to_owned(),
    };
    let n_epochs = trainings().map(|training| training.metrics.epochs).sum();
    section.blocks.push(Block::Headline(vec![
        number("Models", results.entries.len(), "a contestant at an order"),
        number("Trainings", trainings().count(), "each model on every split"),
        number("Epochs", n_epochs, "of all trainings"),
    ]));
    let line = |line: &String| {
        let (name, told) = line.split_once(' ').unwrap_or((line, ""));
        (name.to_owned(), told.trim().to_owned())
    };
    let mut facts: Vec<(String, String)> = results.contract.iter().map(line).collect();
    facts.push(("features as learnt from".to_owned(), results.features.join("; ")));
    facts.push(("splits".to_owned(), results.n_splits.to_string()));
    facts.push(("seed".to_owned(), results.seed.to_string()));
    facts.push(("learning rate".to_owned(), value(results.rate)));
    let patience = format!("{} epochs without a smaller validation loss", results.patience);
    facts.push(("a training ends after".to_owned(), patience));
    section.blocks.push(Block::Facts(facts));
    section.prose(
        "Every network is the paper's: two convolutions and two dense layers, 130 wide, dropout 0.5, Adam \
         with weight decay, the epoch of least validation cross-entropy. All models see the same splits and \
         are trained alike. Test nodes have no say in anything but the accuracy.",
    );
    if results.rate != Extent::FULL.rate {
        section.note(format!(
            "A quick look: the learning rate is {}, the paper's {}, so that trainings are short. Accuracies are a \
             little lower than with --full, for all models.",
            value(results.rate),
            value(Extent::FULL.rate)
        ));
    }
    section.blocks.push(Block::Listing {
        title: "The command that makes this page again".to_owned(),
        text: parts.command.to_owned(),
    });
    for EntryResult { title, entry, failure, .. } in &results.entries {
        if let Some(failure) = failure {
            section.note(format!("{title}, order {}, was not trained: {failure}.", entry.order));
        }
    }
    section
}
