//! The table of models as Markdown: how good, and at what cost.

use super::models_entry::{Entry, whole};
use super::models_list::MODELS;
use crate::record::Record;

/// A row for every model and a column for every data set, twice.
pub(super) fn markdown(record: &Record<Entry>, datasets: &[String], n_splits: usize) -> String {
    let table = |title: &str, cell: fn(&Entry) -> String| {
        let mut text = format!("| {title} | {} |\n", datasets.join(" | "));
        text += &format!("|---|{}\n", "---|".repeat(datasets.len()));
        for model in &MODELS {
            let cells = datasets.iter().map(|dataset| {
                whole(record, dataset, model.name, n_splits).map(cell).unwrap_or_default()
            });
            text += &format!("| {} | {} |\n", model.name, cells.collect::<Vec<_>>().join(" | "));
        }
        text
    };
    let accuracies = table(&format!("test accuracy in %, {n_splits} splits"), accuracy);
    let costs = table("parameters, ms an epoch", cost);
    format!("{accuracies}\n{costs}")
}

/// Mean ± standard deviation, of n − 1.
fn accuracy(entry: &Entry) -> String {
    let n = entry.test_accuracy.len() as f64;
    let mean = entry.test_accuracy.iter().sum::<f64>() / n;
    let squares = entry.test_accuracy.iter().map(|accuracy| (accuracy - mean).powi(2)).sum::<f64>();
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    match n {
        n if n > 1.0 => format!("{} ± {}", percent(mean), percent((squares / (n - 1.0)).sqrt())),
        _ => percent(mean),
    }
}

/// How many numbers are learnt, and how long an epoch takes.
fn cost(entry: &Entry) -> String {
    let size = match entry.n_parameters {
        0 => return "–".to_owned(),
        n @ 10_000_000.. => format!("{}M", n / 1_000_000),
        n => format!("{}K", (n + 500) / 1000),
    };
    match entry.ms_per_epoch {
        Some(ms) => format!("{size}, {ms:.1}"),
        None => size,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_means_deviations_and_costs() {
        let entry = Entry {
            dataset: String::new(),
            model: String::new(),
            options: String::new(),
            test_accuracy: vec![0.5, 0.6, 0.7],
            n_parameters: 52_400,
            ms_per_epoch: Some(4.06),
        };
        assert_eq!(accuracy(&entry), "60.0 ± 10.0");
        assert_eq!(cost(&entry), "52K, 4.1");
        assert_eq!(cost(&Entry { n_parameters: 0, ms_per_epoch: None, ..entry }), "–");
    }
}
