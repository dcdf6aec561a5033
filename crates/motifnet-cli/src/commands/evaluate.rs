//! `motifnet evaluate`: how good a trained model is, class by class.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use motifnet::data::Split;
use motifnet::train::{Evaluation, evaluate};
use serde::Serialize;

use crate::failure::Failure;
use crate::loaded_run::LoadedRun;
use crate::numbers::grouped_len;
use crate::report::Report;
use crate::session::Session;
use crate::table::{Side, Table};

/// Say how good a trained model is: accuracy, F1, confusions, calibration
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet evaluate run
  motifnet evaluate run --split validation
  motifnet evaluate run/split-03 --json")]
pub(crate) struct EvaluateArgs {
    /// The folder of a run, as `motifnet train --out` wrote it
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// The nodes to judge by
    #[arg(long, value_enum, default_value_t, value_name = "PART")]
    split: Part,
}

/// Which nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    /// those that were learnt from
    Train,
    /// those that chose the epoch
    Validation,
    /// those that played no part
    #[default]
    Test,
    /// all that have a label
    Labelled,
}

/// A run to judge.
pub(crate) struct EvaluateConfig {
    run: PathBuf,
    part: Part,
}

impl EvaluateArgs {
    pub(crate) fn check(self) -> EvaluateConfig {
        EvaluateConfig { run: self.run, part: self.split }
    }
}

impl EvaluateConfig {
    pub(crate) fn run(&self, session: &Session) -> Result<EvaluateReport, Failure> {
        let run = LoadedRun::open(&self.run)?;
        let dataset = run.own_data(session)?;
        if dataset.labels.classes() != run.model.description.classes {
            let message =
                anyhow::anyhow!("the labels have changed: their classes are not the model's");
            let hint = format!(
                "put them back, or train again; the model knows {}",
                run.model.description.classes.join(", ")
            );
            return Err(Failure::run(message).hint(hint));
        }
        let nodes = match self.part {
            Part::Labelled => dataset.labels.labelled().collect(),
            part => part.of(&run.split(&dataset)?),
        };
        if nodes.is_empty() {
            let message = anyhow::anyhow!("the split of the run has no test nodes");
            return Err(Failure::run(message).hint("judge by --split validation"));
        }
        let predictions = run.predictor(&dataset, session)?.probabilities(&nodes)?;
        let truth: Vec<u32> = nodes.iter().filter_map(|&node| dataset.labels.of(node)).collect();
        let evaluation = evaluate(&predictions.probabilities, predictions.n_classes, &truth);
        let classes = run.model.description.classes.clone();
        Ok(EvaluateReport {
            run: self.run.display().to_string(),
            part: self.part,
            classes,
            evaluation,
        })
    }
}

impl Part {
    fn of(self, split: &Split) -> Vec<u32> {
        match self {
            Self::Train => split.train().to_vec(),
            Self::Validation => split.validation().to_vec(),
            Self::Test | Self::Labelled => split.test().to_vec(),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Train => "training nodes",
            Self::Validation => "validation nodes",
            Self::Test => "test nodes",
            Self::Labelled => "labelled nodes",
        }
    }
}

/// How good a model is.
#[derive(Serialize)]
pub(crate) struct EvaluateReport {
    run: String,
    part: Part,
    classes: Vec<String>,
    #[serde(flatten)]
    evaluation: Evaluation,
}

/// More classes than this make a table that no terminal holds.
const MOST_COLUMNS: usize = 12;

impl Report for EvaluateReport {
    fn text(&self) -> String {
        let of = &self.evaluation;
        let mut text = format!(
            "{}: {} {}\n\naccuracy {:.4}, macro-F1 {:.4}, cross-entropy {:.4}\n",
            self.run,
            grouped_len(of.n_rows),
            self.part.words(),
            of.accuracy,
            of.macro_f1,
            of.cross_entropy
        );
        text += &format!(
            "Brier score {:.4}, calibration error {:.4}\n\n{}\n{}\n{}",
            of.brier,
            of.calibration_error,
            self.class_table(),
            self.confusion_table(),
            self.calibration_table()
        );
        text
    }
}

impl EvaluateReport {
    fn class_table(&self) -> String {
        let right = |name| (name, Side::Right);
        let columns = ["nodes", "precision", "recall", "F1"].map(right);
        let mut table = Table::new([("class", Side::Left)].into_iter().chain(columns));
        for (name, scores) in self.classes.iter().zip(&self.evaluation.classes) {
            table.row([
                name.clone(),
                grouped_len(scores.support as usize),
                format!("{:.4}", scores.precision),
                format!("{:.4}", scores.recall),
                format!("{:.4}", scores.f1),
            ]);
        }
        table.render()
    }

    /// The whole table, or of many classes the confusions that are most frequent.
    fn confusion_table(&self) -> String {
        let confusion = &self.evaluation.confusion;
        if self.classes.len() <= MOST_COLUMNS {
            let names = self.classes.iter().map(|name| (name.as_str(), Side::Right));
            let mut table =
                Table::new([("true \\ predicted", Side::Left)].into_iter().chain(names));
            for (name, row) in self.classes.iter().zip(confusion) {
                let counts = row.iter().map(u64::to_string);
                table.row([name.clone()].into_iter().chain(counts));
            }
            return table.render();
        }
        let mut pairs: Vec<(u64, usize, usize)> = Vec::new();
        for (is, row) in confusion.iter().enumerate() {
            let wrong = row.iter().enumerate().filter(|&(predicted, &n)| predicted != is && n > 0);
            pairs.extend(wrong.map(|(predicted, &n)| (n, is, predicted)));
        }
        pairs.sort_by_key(|&(n, is, predicted)| (std::cmp::Reverse(n), is, predicted));
        let columns = [("true", Side::Left), ("predicted", Side::Left), ("nodes", Side::Right)];
        let mut table = Table::new(columns);
        for &(n, is, predicted) in pairs.iter().take(MOST_COLUMNS) {
            let [is, predicted] = [is, predicted].map(|class| self.classes[class].clone());
            table.row([is, predicted, n.to_string()]);
        }
        table.render()
    }

    fn calibration_table(&self) -> String {
        let right = |name| (name, Side::Right);
        let mut table = Table::new(["confidence", "nodes", "right"].map(right));
        for bin in &self.evaluation.calibration {
            if let (Some(confidence), Some(accuracy)) = (bin.confidence, bin.accuracy) {
                let count = grouped_len(bin.count as usize);
                table.row([format!("{confidence:.3}"), count, format!("{accuracy:.3}")]);
            }
        }
        table.render()
    }
}
