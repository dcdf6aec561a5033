//! What was run, and on what.

use motifnet::data::Contract;
use motifnet::train::{RunReport, TrainedModel};

use super::RunParts;
use crate::Table;
use crate::chart::{Bar, BarChart};
use crate::numbers::{grouped, share};
use crate::page::{Block, Section};

/// More classes than this make a list, not a picture.
const MOST_CLASSES: usize = 40;

pub(super) fn section(parts: &RunParts<'_>) -> Section {
    let mut section = Section::new("run", "What was run");
    section.blocks.push(Block::Facts(model_facts(parts)));
    if let Ok(report) = &parts.report
        && !report.can_move
    {
        section.note(format!(
            "{} computes in the eigenvectors of this graph: what it learnt holds for no other.",
            report.model
        ));
    }
    section.blocks.push(Block::Listing {
        title: "All settings (config.toml, which repeats the run)".to_owned(),
        text: parts.settings.to_toml(),
    });

    section.blocks.push(Block::Heading("The data, as they were understood".to_owned()));
    match &parts.dataset {
        Ok(dataset) => {
            section.blocks.push(Block::Facts(contract_facts(&dataset.contract)));
            dataset.notes.iter().for_each(|note| section.note(sentence(note)));
            let sizes = dataset.labels.class_sizes();
            if (2..=MOST_CLASSES).contains(&sizes.len()) {
                let chart = class_sizes(dataset.labels.classes(), &sizes);
                section.figure(chart.figure(), chart.table());
            }
        }
        Err(why) => section.note(format!("The data are not to be had: {why}. {}", known(parts))),
    }
    if let Some(drawing) = &parts.drawing {
        section.figure(drawing.clone(), None);
    }
    if let Ok(model) = parts.model {
        section.blocks.push(Block::Heading("How the features were prepared".to_owned()));
        section.prose(steps(model));
    }
    section
}

/// A row for every split.
pub(super) fn repetitions(report: &RunReport) -> Table {
    let mut table = Table::new(
        "Every split: its nodes, its epochs and how good it is",
        ["split"],
        [
            "train",
            "validation",
            "test",
            "epochs",
            "best epoch",
            "val loss",
            "val accuracy",
            "test accuracy",
        ],
    );
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), share);
    for repeat in &report.repeats {
        let metrics = &repeat.metrics;
        table.row([
            (repeat.split + 1).to_string(),
            grouped(repeat.n_train),
            grouped(repeat.n_validation),
            grouped(repeat.n_test),
            metrics.epochs.to_string(),
            metrics.best_epoch.to_string(),
            number(metrics.val_loss),
            number(Some(metrics.val_accuracy)),
            number(metrics.test_accuracy),
        ]);
    }
    table
}

fn model_facts(parts: &RunParts<'_>) -> Vec<(String, String)> {
    let config = parts.settings.config();
    let model = &config.model;
    let mut facts = vec![("model".to_owned(), model.kind.to_string())];
    let mut fact = |name: &str, value: String| facts.push((name.to_owned(), value));
    if model.kind.has_order() {
        fact("order", model.order.to_string());
    }
    if let Ok(report) = &parts.report
        && let Some(heads) = report.heads
    {
        fact("heads", heads.to_string());
    }
    let operators: Vec<&str> = model.operators().into_iter().map(|kind| kind.name()).collect();
    if !operators.is_empty() {
        fact("works on", operators.join(", "));
        let spec = &config.operators.spec;
        let (support, instances) = (spec.support.name(), spec.instances.name());
        fact(
            "motifs",
            format!("{instances} instances, support {support}, weights {}", spec.weights.name()),
        );
    }
    if model.network().is_some() {
        let train = &config.train;
        let epochs =
            format!("at most {}, patience {}", grouped(train.epochs), grouped(train.patience));
        fact("epochs", epochs);
    }
    fact("splits", config.run.repeat.to_string());
    fact("seed", config.train.seed.to_string());
    facts
}

/// The lines of a contract, which have names and what they tell.
fn contract_facts(contract: &Contract) -> Vec<(String, String)> {
    let lines = contract.lines();
    let parted = lines.iter().filter_map(|line| line.split_once("  "));
    parted.map(|(name, told)| (name.trim().to_owned(), told.trim().to_owned())).collect()
}

/// What the result still tells of data that are gone.
fn known(parts: &RunParts<'_>) -> String {
    let Ok(report) = &parts.report else { return String::new() };
    format!(
        "They were {}: {} nodes, {} arcs, {} classes, split {}.",
        report.dataset,
        grouped(report.n_nodes),
        grouped(report.n_arcs),
        grouped(report.n_classes),
        report.split
    )
}

fn steps(model: &TrainedModel) -> String {
    let steps = model.pipeline.steps();
    let (n_in, n_out) = (model.pipeline.n_columns_in(), model.pipeline.n_columns_out());
    let how = match steps.is_empty() {
        true => "as they are".to_owned(),
        false => steps.join("; "),
    };
    format!("{} columns in, {} out: {how}.", grouped(n_in), grouped(n_out))
}

fn class_sizes(names: &[String], sizes: &[usize]) -> BarChart {
    let bar = |(name, &size): (&String, &usize)| Bar {
        label: name.clone(),
        value: size as f64,
        spread: None,
    };
    BarChart {
        name: "class-sizes".to_owned(),
        title: "How large the classes are".to_owned(),
        caption: "Labelled nodes of every class.".to_owned(),
        value_label: "nodes".to_owned(),
        bars: names.iter().zip(sizes).map(bar).collect(),
    }
}

/// A remark with a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    let text: String = first.into_iter().flatten().chain(letters).collect();
    if text.ends_with('.') { text } else { text + "." }
}
