//! What a search found, for people.

use std::path::Path;

use motifnet::experiment::{Outcome, Trial, TrialTable};
use motifnet::train::{RunFolder, Settings};
use serde::Serialize;
use toml::Value;

use super::train_line::{quoted, train_line};
use crate::numbers::plural;
use crate::report::Report;
use crate::table::{Side, Table};

/// How many trials are shown.
const MOST_ROWS: usize = 20;

/// What a search found, and how to use it.
#[derive(Serialize)]
pub(crate) struct TuneReport {
    #[serde(flatten)]
    table: TrialTable,
    folder: String,
    /// The command that predicts with the best model.
    predict: String,
    /// The command that trains it anew.
    train: String,
}

impl TuneReport {
    /// Of a search in `folder`, the best of which has `settings`.
    pub(super) fn new(table: TrialTable, folder: &Path, settings: &Settings) -> Self {
        let best = folder.join(table.best.as_deref().unwrap_or_default());
        let run = &settings.config().run;
        // A model is kept where one was trained: of several splits, the first.
        let model = match (run.repeat, RunFolder::open(&best)) {
            (2.., Ok(trial)) => trial.of_split(run.first_split).path().to_owned(),
            _ => best,
        };
        let predict = format!("motifnet predict {}", quoted(&model.display().to_string()));
        let train = train_line(settings);
        Self { table, folder: folder.display().to_string(), predict, train }
    }

    /// The trials, the best first and those that failed last.
    fn ranked(&self) -> Vec<&Trial> {
        let mut trials: Vec<&Trial> = self.table.trials.iter().collect();
        let loss = |trial: &Trial| trial.val_loss().unwrap_or(f64::INFINITY);
        trials.sort_by(|a, b| loss(a).total_cmp(&loss(b)));
        trials
    }
}

impl Report for TuneReport {
    fn text(&self) -> String {
        let trials = self.ranked();
        let keys = trials.first().map(|trial| trial.settings.keys().cloned().collect());
        let keys: Vec<String> = keys.unwrap_or_default();
        let name = |key: &String| key.split_once('.').map_or(key.clone(), |(_, name)| name.into());
        let names: Vec<String> = keys.iter().map(name).collect();
        let mut columns = vec![("trial", Side::Left)];
        columns.extend(names.iter().map(|name| (name.as_str(), Side::Right)));
        columns.extend([("val loss", Side::Right), ("val acc", Side::Right)]);
        let mut table = Table::new(columns);
        for trial in trials.iter().take(MOST_ROWS) {
            let mut row = vec![trial.folder.clone()];
            row.extend(keys.iter().map(|key| trial.settings.get(key).map_or(String::new(), short)));
            row.extend(match &trial.outcome {
                Outcome::Done { val_loss, val_accuracy, .. } => {
                    [format!("{val_loss:.4}"), format!("{val_accuracy:.4}")]
                }
                Outcome::Failed { .. } => ["failed".to_owned(), "–".to_owned()],
            });
            table.row(row);
        }
        let n_trials = plural(trials.len() as u64, "trial", "trials");
        let TrialTable { dataset, model, .. } = &self.table;
        let mut text = format!("{dataset}: {model}, {n_trials}\n\n{}", table.render());
        if trials.len() > MOST_ROWS {
            text += &format!("and {} more in tune.json\n", trials.len() - MOST_ROWS);
        }
        if let Some(Trial {
            folder,
            outcome: Outcome::Done { val_loss, val_accuracy, test_accuracy, .. },
            ..
        }) = self.table.best()
        {
            let test = test_accuracy.map_or(String::new(), |a| format!(", test accuracy {a:.4}"));
            text += &format!(
                "\nbest: {}/{folder}  validation loss {val_loss:.4}, accuracy {val_accuracy:.4}{test}\n",
                self.folder
            );
        }
        text + &format!("  {}\n  {}\n", self.predict, self.train)
    }
}

/// A value in few digits.
fn short(value: &Value) -> String {
    match value {
        Value::Float(number) if *number != 0.0 && number.abs() < 0.01 => format!("{number:.2e}"),
        Value::Float(number) => format!("{number:.3}"),
        Value::Array(values) => values.iter().map(short).collect::<Vec<_>>().join(","),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
