//! What the evaluation found, for people.

use std::path::PathBuf;

use motifnet::experiment::paper::{Claim, Contestant, EntryResult, PaperResults, Selection};
use serde::Serialize;

use crate::numbers::{bytes, grouped_len};
use crate::page_files::WrittenPage;
use crate::report::Report;
use crate::table::{Side, Table};

/// What the evaluation found, and where it is kept.
#[derive(Serialize)]
pub(crate) struct ReproduceReport {
    #[serde(flatten)]
    pub(super) results: PaperResults,
    pub(super) folder: PathBuf,
    pub(super) page: WrittenPage,
}

impl Report for ReproduceReport {
    fn text(&self) -> String {
        let results = &self.results;
        let mut text = format!(
            "test accuracy in %, {}, split {}, mean ± standard deviation over {}\n\n",
            results.dataset,
            results.split,
            match results.n_splits {
                1 => "one split".to_owned(),
                n => format!("{n} splits"),
            }
        );
        text += &self.table(accuracy).render();
        text += "\nparameters\n\n";
        text += &self.table(|result| grouped_len(result.parameters)).render();
        text += &selection(&results.selection);
        text += &claims("\nWhat the paper claims:\n", &results.claims, false);
        text += &claims("\nWhat we asked beside it:\n", &results.claims, true);
        let failures = results.entries.iter().filter_map(|result| {
            let failure = result.failure.as_ref()?;
            Some(format!("\n{}, order {}: {failure}\n", result.title, result.entry.order))
        });
        text.extend(failures);
        let page = &self.page;
        text += &format!("\npage: {} ({})\n", page.file, bytes(page.n_bytes));
        text += &format!("kept in {}\n", self.folder.display());
        text
    }
}

impl ReproduceReport {
    /// A row a contestant, a column an order.
    fn table(&self, cell: impl Fn(&EntryResult) -> String) -> Table {
        let orders = self.results.orders.iter().map(|order| format!("order {order}"));
        let orders: Vec<String> = orders.collect();
        let columns = orders.iter().map(|order| (order.as_str(), Side::Right));
        let mut table = Table::new([("", Side::Left)].into_iter().chain(columns));
        for contestant in Contestant::ALL {
            if contestant == Contestant::Candidates {
                continue;
            }
            let cells = self.results.orders.iter().map(|&order| {
                let result = self.results.of(contestant).find(|one| one.entry.order == order);
                result.map_or(String::new(), &cell)
            });
            let ours = if contestant.is_ours() { " (ours)" } else { "" };
            let title = format!("{}{ours}", contestant.title());
            table.row([title].into_iter().chain(cells));
        }
        table
    }
}

fn accuracy(result: &EntryResult) -> String {
    match (result.test_accuracy, result.test_accuracy_sd) {
        (Some(mean), Some(sd)) => format!("{:.1} ± {:.1}", 100.0 * mean, 100.0 * sd),
        (Some(mean), None) => format!("{:.1}", 100.0 * mean),
        (None, _) => "–".to_owned(),
    }
}

fn selection(selection: &Selection) -> String {
    let shares = selection.attention.iter();
    let shares = shares.map(|(kind, share)| format!("{kind} {:.1} %", 100.0 * share));
    let kept: Vec<&str> = selection.kept.iter().map(|kind| kind.name()).collect();
    format!(
        "\nOperators selected at order 1: {}\nof the attention: {}\n{}\n",
        kept.join(", "),
        shares.collect::<Vec<_>>().join(", "),
        Selection::RULE
    )
}

fn claims(heading: &str, claims: &[Claim], is_ours: bool) -> String {
    let mut text = String::new();
    for claim in claims.iter().filter(|claim| claim.is_ours == is_ours) {
        text += &format!("  {}: {}\n    {}\n", claim.statement, claim.verdict, claim.finding);
    }
    if text.is_empty() { text } else { format!("{heading}{text}") }
}
