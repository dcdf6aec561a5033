//! What a training run found, for people.

use std::path::PathBuf;

use motifnet::train::RunReport;
use serde::Serialize;

use crate::numbers::grouped_len;
use crate::report::Report;
use crate::table::{Side, Table};

/// What a run found, and where it is kept.
#[derive(Serialize)]
pub(crate) struct TrainReport {
    #[serde(flatten)]
    pub(super) run: RunReport,
    #[serde(skip)]
    pub(super) folder: Option<PathBuf>,
}

impl Report for TrainReport {
    fn text(&self) -> String {
        let run = &self.run;
        let order = run.order.map_or(String::new(), |order| format!(", order {order}"));
        let heads = match run.heads {
            Some(heads) if heads > 1 => format!(", {heads} heads"),
            _ => String::new(),
        };
        let on = match run.operators.is_empty() {
            true => String::new(),
            false => format!(" on {}", run.operators.join(", ")),
        };
        let mut text = format!(
            "{}: {}{order}{heads}{on}; {} parameters\n\n",
            run.dataset,
            run.model,
            grouped_len(run.parameters)
        );
        let right = |name| (name, Side::Right);
        let mut table = Table::new([
            right("split"),
            right("train"),
            right("validation"),
            right("test"),
            right("best epoch"),
            right("epochs"),
            right("val loss"),
            right("val acc"),
            right("test acc"),
        ]);
        let number =
            |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.4}"));
        for repeat in &run.repeats {
            let metrics = &repeat.metrics;
            table.row([
                (repeat.split + 1).to_string(),
                grouped_len(repeat.n_train),
                grouped_len(repeat.n_validation),
                grouped_len(repeat.n_test),
                metrics.best_epoch.to_string(),
                metrics.epochs.to_string(),
                number(metrics.val_loss),
                number(Some(metrics.val_accuracy)),
                number(metrics.test_accuracy),
            ]);
        }
        text += &table.render();
        if let (Some(mean), Some(deviation)) = (run.test_accuracy, run.test_accuracy_sd) {
            text += &format!("\ntest accuracy {mean:.4} ± {deviation:.4} (standard deviation)\n");
        }
        if !run.can_move {
            text += &format!(
                "\n{} computes in the eigenvectors of this graph: what it learnt holds for no other\n",
                run.model
            );
        }
        text += &match &self.folder {
            Some(folder) => format!("\nkept in {}\n", folder.display()),
            None => "\nnothing was kept; with --out RUN the model is\n".to_owned(),
        };
        text
    }
}
