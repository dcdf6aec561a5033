//! How good it is, class by class, and what it confuses.

use motifnet::train::{Evaluation, Predictions, evaluate};

use super::{Missing, RunParts};
use crate::Table;
use crate::chart::{Bar, BarChart, HeatMap, HeatScale, LineChart, Point, Series};
use crate::numbers::{grouped, share};
use crate::page::{Block, HeadlineNumber, Section};

/// Of more classes the worst are drawn.
const MOST_BARS: usize = 24;
/// Of more classes only the most frequent confusions are shown.
const MOST_CLASSES: usize = 80;
const MOST_CONFUSIONS: usize = 10;

/// What the model says of the nodes that it is judged by.
pub(super) struct Asked {
    pub(super) predictions: Predictions,
    pub(super) truth: Vec<u32>,
    pub(super) classes: Vec<String>,
    evaluation: Evaluation,
}

/// Asks the model about its test nodes.
pub(super) fn ask(parts: &RunParts<'_>) -> Result<Asked, Missing> {
    let dataset = parts.dataset.as_ref().map_err(Clone::clone)?;
    let model = parts.model.as_ref().map_err(Clone::clone)?;
    let predictor = parts.predictor.as_ref().map_err(Clone::clone)?;
    let classes = model.description.classes.clone();
    if dataset.labels.classes() != classes {
        return Err("the labels have changed: their classes are not the model's".to_owned());
    }
    let nodes = parts.test_nodes.as_ref().map_err(Clone::clone)?;
    let labelled: Vec<(u32, u32)> =
        nodes.iter().filter_map(|&node| Some((node, dataset.labels.of(node)?))).collect();
    if labelled.is_empty() {
        return Err("the split of the run has no test nodes".to_owned());
    }
    let (nodes, truth): (Vec<u32>, Vec<u32>) = labelled.into_iter().unzip();
    let predictions = predictor.probabilities(&nodes).map_err(|error| error.to_string())?;
    let evaluation = evaluate(&predictions.probabilities, predictions.n_classes, &truth);
    Ok(Asked { predictions, truth, classes, evaluation })
}

pub(super) fn section(parts: &RunParts<'_>, asked: Result<&Asked, &Missing>) -> Section {
    let mut section = Section::new("classes", "Class by class");
    let asked = match asked {
        Ok(asked) => asked,
        Err(why) => {
            section.note(format!("The model was not asked about its test nodes: {why}."));
            return section;
        }
    };
    let of = match parts.report.as_ref().map(|report| report.repeats.len()) {
        Ok(n @ 2..) => format!(" of split {} of {n}", parts.repetition + 1),
        _ => String::new(),
    };
    let Asked { evaluation, classes, .. } = asked;
    section.prose(format!("The {} test nodes{of}.", grouped(evaluation.n_rows)));
    section.blocks.push(Block::Headline(headline(evaluation)));
    section.blocks.push(Block::Table(scores(classes, evaluation)));
    let bars = f1(classes, evaluation);
    section.figure(bars.figure(), None);
    if classes.len() <= MOST_CLASSES {
        let confusion = confusion(classes, evaluation);
        section.figure(confusion.figure(), confusion.table());
    }
    let confusions = confusions(classes, evaluation);
    match confusions.rows.is_empty() {
        true => section.prose("No node is confused."),
        false => section.blocks.push(Block::Table(confusions)),
    }
    let calibration = calibration(evaluation);
    section.figure(calibration.figure(), calibration.table());
    section
}

fn headline(of: &Evaluation) -> Vec<HeadlineNumber> {
    let numbers = [
        ("Accuracy", of.accuracy, "the share that is right"),
        ("Macro-F1", of.macro_f1, "all classes alike"),
        ("Cross-entropy", of.cross_entropy, "less is better"),
        ("Calibration error", of.calibration_error, "how far confidence is off"),
    ];
    let number = |(label, value, note): (&str, f64, &str)| HeadlineNumber {
        label: label.to_owned(),
        value: share(value),
        note: note.to_owned(),
    };
    numbers.map(number).to_vec()
}

fn scores(classes: &[String], of: &Evaluation) -> Table {
    let numbers = ["nodes", "precision", "recall", "F1"];
    let mut table = Table::new("Scores of every class", ["class"], numbers);
    for (name, scores) in classes.iter().zip(&of.classes) {
        table.row([
            name.clone(),
            grouped(scores.support as usize),
            share(scores.precision),
            share(scores.recall),
            share(scores.f1),
        ]);
    }
    table
}

fn f1(classes: &[String], of: &Evaluation) -> BarChart {
    let bar = |(name, f1): (&String, f64)| Bar { label: name.clone(), value: f1, spread: None };
    let mut bars: Vec<Bar> =
        classes.iter().zip(of.classes.iter().map(|scores| scores.f1)).map(bar).collect();
    let mut caption = "The harmonic mean of precision and recall.".to_owned();
    if bars.len() > MOST_BARS {
        bars.sort_by(|a, b| a.value.total_cmp(&b.value));
        bars.truncate(MOST_BARS);
        caption += &format!(" The {MOST_BARS} classes with the least.");
    }
    BarChart {
        name: "f1".to_owned(),
        title: "F1 of the classes".to_owned(),
        caption,
        value_label: "F1".to_owned(),
        bars,
    }
}

fn confusion(classes: &[String], of: &Evaluation) -> HeatMap {
    HeatMap {
        name: "confusion".to_owned(),
        title: "Confusion matrix".to_owned(),
        caption: "Nodes by their class and the class that is predicted; the darker, the larger the share of \
                  the class. Those on the diagonal are right."
            .to_owned(),
        row_label: "class".to_owned(),
        column_label: "predicted".to_owned(),
        rows: classes.to_vec(),
        columns: classes.to_vec(),
        values: of.confusion.iter().map(|row| row.iter().map(|&n| n as f64).collect()).collect(),
        unit: "nodes".to_owned(),
        scale: HeatScale::ShareOfRow,
    }
}

/// The most frequent.
fn confusions(classes: &[String], of: &Evaluation) -> Table {
    let mut pairs: Vec<(u64, usize, usize)> = Vec::new();
    for (is, row) in of.confusion.iter().enumerate() {
        let wrong = row.iter().enumerate().filter(|&(predicted, &n)| predicted != is && n > 0);
        pairs.extend(wrong.map(|(predicted, &n)| (n, is, predicted)));
    }
    pairs.sort_by_key(|&(n, is, predicted)| (std::cmp::Reverse(n), is, predicted));
    let mut table = Table::new(
        "The most frequent confusions",
        ["class", "predicted"],
        ["nodes", "of the class"],
    );
    for &(n, is, predicted) in pairs.iter().take(MOST_CONFUSIONS) {
        let of_class = of.confusion[is].iter().sum::<u64>();
        table.row([
            classes[is].clone(),
            classes[predicted].clone(),
            grouped(n as usize),
            format!("{:.1} %", 100.0 * n as f64 / of_class as f64),
        ]);
    }
    table
}

fn calibration(of: &Evaluation) -> LineChart {
    let point = |x: f64, y: f64| Point { x, y, spread: None };
    let found = of.calibration.iter().filter_map(|bin| Some(point(bin.confidence?, bin.accuracy?)));
    let found = Series { name: "found".to_owned(), points: found.collect(), dashed: false };
    let even = vec![point(0.0, 0.0), point(1.0, 1.0)];
    let even = Series { name: "as sure as right".to_owned(), points: even, dashed: true };
    LineChart {
        name: "calibration".to_owned(),
        title: "How sure, and how often right".to_owned(),
        caption: "Test nodes by the probability of their predicted class. Below the dashed line the model is \
                  surer than it is right."
            .to_owned(),
        x_label: "confidence".to_owned(),
        y_label: "share that is right".to_owned(),
        series: vec![found, even],
        ..LineChart::default()
    }
}
