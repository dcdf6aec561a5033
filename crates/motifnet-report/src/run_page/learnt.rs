//! How it learnt: losses and accuracies, epoch by epoch.

use motifnet::train::EpochRecord;

use super::RunParts;
use crate::chart::{LineChart, Marker, Point, Series};
use crate::page::Section;

pub(super) fn section(parts: &RunParts<'_>) -> Section {
    let mut section = Section::new("training", "How it learnt");
    let history = match &parts.history {
        Ok(history) if !history.is_empty() => history,
        Ok(_) => {
            section.note("There are no epochs.");
            return section;
        }
        Err(why) => {
            section.note(format!("There are no curves: {why}."));
            return section;
        }
    };
    let of = match parts.report.as_ref().map(|report| report.repeats.len()) {
        Ok(n @ 2..) => format!(" Split {} of {n}.", parts.repetition + 1),
        _ => String::new(),
    };
    let dropout = "Training values are those of the step itself, with dropout.";
    let loss = curves(
        history,
        ["loss", "Loss by epoch", "cross-entropy"],
        format!(
            "Cross-entropy of training and validation nodes; the epoch of least validation loss is kept. {dropout}{of}"
        ),
        [|record| record.train_loss, |record| record.val_loss],
    );
    section.figure(loss.figure(), loss.table());
    let accuracy = curves(
        history,
        ["accuracy", "Accuracy by epoch", "accuracy"],
        format!("The share of training and validation nodes that are right. {dropout}{of}"),
        [|record| record.train_accuracy, |record| record.val_accuracy],
    );
    section.figure(accuracy.figure(), accuracy.table());
    section
}

type Value = fn(&EpochRecord) -> f64;

fn curves(
    history: &[EpochRecord],
    [name, title, what]: [&str; 3],
    caption: String,
    [training, validation]: [Value; 2],
) -> LineChart {
    let series = |name: &str, value: Value| Series {
        name: name.to_owned(),
        points: history
            .iter()
            .map(|record| Point { x: record.epoch as f64, y: value(record), spread: None })
            .collect(),
        dashed: false,
    };
    let best = history.iter().rfind(|record| record.is_best).map(|record| record.epoch);
    LineChart {
        name: name.to_owned(),
        title: title.to_owned(),
        caption,
        x_label: "epoch".to_owned(),
        y_label: what.to_owned(),
        series: vec![series("training", training), series("validation", validation)],
        marker: best.map(|epoch| Marker { x: epoch as f64, label: format!("kept: epoch {epoch}") }),
        ..LineChart::default()
    }
}
