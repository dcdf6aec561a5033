//! What a run will take, for people.

use std::time::Duration;

use motifnet::train::{EigenbasisPlan, Plan, RunConfig};
use serde::Serialize;

use crate::numbers::{bytes, grouped_len, time};
use crate::report::Report;
use crate::table::{Side, Table};

/// What a run will take.
#[derive(Serialize)]
pub(crate) struct PlanReport {
    #[serde(flatten)]
    plan: Plan,
    epochs: usize,
    repeat: usize,
    prepare_seconds: f64,
    #[serde(skip)]
    model: String,
}

impl PlanReport {
    pub(super) fn new(plan: Plan, config: &RunConfig, prepared: Duration) -> Self {
        let kind = config.model.kind;
        let order = if kind.has_order() {
            format!(", order {}", config.model.order)
        } else {
            String::new()
        };
        Self {
            plan,
            epochs: config.train.epochs,
            repeat: config.run.repeat,
            prepare_seconds: prepared.as_secs_f64(),
            model: format!("{kind}{order}"),
        }
    }
}

impl Report for PlanReport {
    fn text(&self) -> String {
        let plan = &self.plan;
        let mut facts = Table::of_facts();
        facts.fact("model", self.model.clone());
        facts.fact("features", format!("{} columns", grouped_len(plan.n_features)));
        facts.fact("parameters", grouped_len(plan.n_parameters));
        if let Some(EigenbasisPlan { n_vectors, n_bytes, seconds }) = &plan.eigenbasis {
            let source = match seconds {
                Some(seconds) => format!("found in {}", time(Duration::from_secs_f64(*seconds))),
                None => "left by an earlier run".to_owned(),
            };
            let size = bytes(*n_bytes);
            facts.fact("eigenvectors", format!("{}, {size}, {source}", grouped_len(*n_vectors)));
        }
        let available =
            plan.n_bytes_available.map_or(String::new(), |n| format!(" of {}", bytes(n)));
        facts.fact("memory", format!("{}{available}", bytes(plan.n_bytes)));
        if let Some(seconds) = plan.seconds_per_epoch {
            let most = seconds * self.epochs as f64 * self.repeat as f64;
            facts.fact("an epoch", time(Duration::from_secs_f64(seconds)));
            let all = time(Duration::try_from_secs_f64(most).unwrap_or(Duration::MAX));
            facts.fact("all epochs", format!("at most {all}, fewer if it stops early"));
        }
        let mut text = facts.render();
        if !plan.operators.is_empty() {
            let columns =
                [("operator", Side::Left), ("entries", Side::Right), ("size", Side::Right)];
            let mut table = Table::new(columns);
            for operator in &plan.operators {
                let entries = grouped_len(operator.n_entries);
                table.row([operator.name.to_owned(), entries, bytes(operator.n_bytes)]);
            }
            text += &format!("\n{}", table.render());
        }
        text + "\nnothing was trained and nothing written: leave out --dry-run to do it\n"
    }
}
