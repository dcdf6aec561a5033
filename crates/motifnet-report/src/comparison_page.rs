//! The page of several runs, side by side.

use motifnet::experiment::{Comparison, Difference, Metric, MetricsFile};
use motifnet::train::{EpochRecord, SETTING_KEYS, Settings};

use crate::Table;
use crate::chart::{Bar, BarChart, LineChart, Point, Series};
use crate::numbers::{share, with_spread};
use crate::page::{Block, Page, Section};
use crate::run_page::Missing;

/// What the page needs of every run.
pub struct ComparedParts {
    /// What it found.
    pub metrics: MetricsFile,
    /// What was chosen.
    pub settings: Result<Settings, Missing>,
    /// The epochs of its first split.
    pub history: Result<Vec<EpochRecord>, Missing>,
}

/// The page of several runs: how good they are, whether the differences to the first are more than chance,
/// what was chosen differently, and how they learnt.
pub fn comparison_page(runs: &[ComparedParts]) -> Page {
    let metrics: Vec<MetricsFile> = runs.iter().map(|run| run.metrics.clone()).collect();
    let mut datasets: Vec<&str> = metrics.iter().map(|run| run.dataset.as_str()).collect();
    datasets.dedup();
    Page {
        title: format!("{} runs on {}", runs.len(), datasets.join(", ")),
        lead: format!(
            "How good they are, and whether what sets them apart from {} is more than chance.",
            metrics.first().map_or("", |run| run.run.as_str())
        ),
        sections: vec![compared(&metrics), chosen(runs), learnt(runs)],
    }
}

fn compared(metrics: &[MetricsFile]) -> Section {
    let mut section = Section::new("comparison", "Comparison");
    match Comparison::new(metrics, 0, Metric::TestAccuracy) {
        Ok(found) => {
            let splits = match found.n_repeats {
                1 => "the same split".to_owned(),
                n => format!("the same {n} splits"),
            };
            section.prose(format!(
                "{}, split {}; every run has {splits}.",
                found.dataset, found.split
            ));
            section.blocks.push(Block::Table(differences(&found)));
            match found.n_tests() {
                0 => section.note(
                    "One repetition a run: there are differences, but no test of them. Train with \
                     --repeat 5 or more.",
                ),
                _ => section.prose(
                    "p is that of the corrected resampled t test of Nadeau and Bengio, two-sided; Holm's \
                     correction is for the number of runs that are compared.",
                ),
            }
            let bars = means(&found);
            section.figure(bars.figure(), bars.table());
        }
        Err(error) => {
            section.note(format!("The runs were not tested against each other: {error}."))
        }
    }
    let splits = by_split(metrics);
    if splits.series.iter().any(|series| series.points.len() > 1) {
        section.figure(splits.figure(), splits.table());
    }
    section
}

fn differences(found: &Comparison) -> Table {
    let mut table = Table::new(
        format!("Test accuracy, and differences to {}", found.baseline),
        ["run", "model"],
        ["test accuracy", "difference", "95 % interval", "p", "Holm p"],
    );
    for run in &found.runs {
        let [difference, interval, p, p_holm] = cells(run.difference.as_ref());
        let mean = with_spread(run.mean, run.sd);
        table.row([run.run.clone(), run.model.clone(), mean, difference, interval, p, p_holm]);
    }
    table
}

/// Difference, interval, p and corrected p; none of the baseline has any.
fn cells(difference: Option<&Difference>) -> [String; 4] {
    let none = || "–".to_owned();
    let Some(difference) = difference else { return [(); 4].map(|()| none()) };
    let signed = |number: f64| format!("{}{}", if number > 0.0 { "+" } else { "" }, share(number));
    let probability = |p: f64| if p < 0.0001 { "< 0.0001".to_owned() } else { share(p) };
    let interval = difference.test.map_or_else(none, |test| {
        let [low, high] = test.interval;
        format!("{} to {}", signed(low), signed(high))
    });
    [
        signed(difference.mean),
        interval,
        difference.test.map_or_else(none, |test| probability(test.p)),
        difference.p_holm.map_or_else(none, probability),
    ]
}

fn means(found: &Comparison) -> BarChart {
    let bars = found.runs.iter();
    let bars = bars.map(|run| Bar { label: run.run.clone(), value: run.mean, spread: run.sd });
    BarChart {
        name: "test-accuracy".to_owned(),
        title: "Test accuracy".to_owned(),
        caption: format!(
            "The mean of {} splits; whiskers are one standard deviation.",
            found.n_repeats
        ),
        value_label: "test accuracy".to_owned(),
        bars: bars.collect(),
    }
}

fn by_split(metrics: &[MetricsFile]) -> LineChart {
    let series = |run: &MetricsFile| {
        let values = run.repeats.iter().enumerate();
        let points = values.filter_map(|(at, repeat)| {
            Some(Point { x: at as f64 + 1.0, y: repeat.test_accuracy?, spread: None })
        });
        Series { name: run.run.clone(), points: points.collect(), dashed: false }
    };
    let n = metrics.iter().map(|run| run.repeats.len()).max().unwrap_or(0);
    let tick = |number: usize| (number as f64, number.to_string());
    LineChart {
        name: "by-split".to_owned(),
        title: "Test accuracy, split by split".to_owned(),
        caption: "Runs are paired by their splits: some splits are harder for all.".to_owned(),
        x_label: "split".to_owned(),
        y_label: "test accuracy".to_owned(),
        series: metrics.iter().map(series).collect(),
        x_ticks: (n <= 20).then(|| (1..=n).map(tick).collect()),
        ..LineChart::default()
    }
}

/// The settings that are not the same in all runs.
fn chosen(runs: &[ComparedParts]) -> Section {
    let mut section = Section::new("settings", "What was chosen differently");
    let mut known = Vec::new();
    for run in runs {
        match &run.settings {
            Ok(settings) => known.push((run.metrics.run.as_str(), settings)),
            Err(why) => {
                section.note(format!("The settings of {} are missing: {why}.", run.metrics.run))
            }
        }
    }
    let mut table = Table::new(
        "Settings that differ",
        ["setting"].into_iter().chain(known.iter().map(|run| run.0)),
        [],
    );
    for key in &SETTING_KEYS {
        let texts: Vec<String> = known
            .iter()
            .map(|(_, settings)| settings.text_of(key.path).unwrap_or_else(|| "–".to_owned()))
            .collect();
        if texts.windows(2).any(|pair| pair[0] != pair[1]) {
            table.row([key.path.to_owned()].into_iter().chain(texts));
        }
    }
    match (known.len() > 1, table.rows.is_empty()) {
        (true, false) => section.blocks.push(Block::Table(table)),
        (true, true) => section.prose("Nothing: the runs have the same settings."),
        (false, _) => {}
    }
    section
}

fn learnt(runs: &[ComparedParts]) -> Section {
    let mut section = Section::new("training", "How they learnt");
    let mut series = Vec::new();
    for run in runs {
        match &run.history {
            Ok(history) => series.push(Series {
                name: run.metrics.run.clone(),
                points: history
                    .iter()
                    .map(|record| Point {
                        x: record.epoch as f64,
                        y: record.val_loss,
                        spread: None,
                    })
                    .collect(),
                dashed: false,
            }),
            Err(why) => section.note(format!("There is no curve of {}: {why}.", run.metrics.run)),
        }
    }
    if series.iter().any(|series| !series.points.is_empty()) {
        let chart = LineChart {
            name: "validation-loss".to_owned(),
            title: "Validation loss by epoch".to_owned(),
            caption: "Cross-entropy of the validation nodes of the first split.".to_owned(),
            x_label: "epoch".to_owned(),
            y_label: "validation loss".to_owned(),
            series,
            ..LineChart::default()
        };
        section.figure(chart.figure(), chart.table());
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, seed: u64, accuracies: &[f64]) -> ComparedParts {
        let repeat = |(at, accuracy): (usize, &f64)| {
            serde_json::json!({
                "seed": seed + at as u64, "n_train": 100, "n_validation": 100, "n_test": 800,
                "test_accuracy": accuracy
            })
        };
        let metrics = serde_json::json!({
            "dataset": "d<b>", "n_nodes": 9, "n_arcs": 9, "n_classes": 2, "model": "gcn", "split": "1/1/8",
            "seed": seed, "repeats": accuracies.iter().enumerate().map(repeat).collect::<Vec<_>>()
        });
        let metrics =
            MetricsFile { run: name.to_owned(), ..serde_json::from_value(metrics).unwrap() };
        ComparedParts {
            metrics,
            settings: Ok(Settings::default()),
            history: Err("it is gone".into()),
        }
    }

    #[test]
    fn differences_are_tested() {
        let runs = [run("a", 7, &[0.80, 0.81, 0.79]), run("b", 7, &[0.85, 0.86, 0.85])];
        let page = comparison_page(&runs);
        assert_eq!(page.title, "2 runs on d<b>");
        let html = page.to_html();
        for text in ["0.8533 ± 0.0058", "+0.0533", "There is no curve of b: it is gone."] {
            assert!(html.contains(text), "{text}");
        }
        assert!(html.contains("Nothing: the runs have the same settings."));
        assert_eq!(page.figures().count(), 2);
    }

    #[test]
    fn runs_on_other_splits_are_shown_untested() {
        let html = comparison_page(&[run("a", 7, &[0.8, 0.9]), run("b", 8, &[0.8, 0.7])]).to_html();
        assert!(html.contains("The runs were not tested against each other"), "{html}");
        assert!(html.contains("id=\"by-split\""));
    }
}
