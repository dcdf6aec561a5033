//! How many numbers the models learn.

use motifnet::experiment::paper::{Contestant, PaperResults};

use crate::Table;
use crate::numbers::grouped;
use crate::page::{Block, Section};

/// The classes of CORA-full, which the paper's numbers of parameters go with.
const CLASSES_OF_CORA_FULL: usize = 70;

pub(super) fn section(results: &PaperResults) -> Section {
    let mut section = Section::new("parameters", "Parameters");
    section.prose(format!(
        "The paper's numbers are for 130 features and {CLASSES_OF_CORA_FULL} classes; with other data the \
         last layer, and with fewer features the first, is of another size."
    ));
    let columns: Vec<String> =
        results.orders.iter().map(|order| format!("order {order}")).collect();
    let columns = || columns.iter().map(String::as_str);
    let mut table = Table::new("Numbers that are learnt", ["model"], columns());
    for contestant in Contestant::ALL.into_iter().filter(|&it| it != Contestant::Candidates) {
        let at = |order: usize| results.of(contestant).find(|it| it.entry.order == order);
        let orders = || results.orders.iter().map(|&order| at(order));
        let own = orders().map(|it| it.map_or_else(String::new, |it| grouped(it.parameters)));
        table.row([contestant.title()].into_iter().chain(own));
        let published = || orders().map(|it| it.and_then(|it| it.published.parameters_k));
        if published().any(|thousands| thousands.is_some()) {
            let cells = published().map(|thousands| {
                thousands.map_or_else(String::new, |n| format!("{}K", grouped(n as usize)))
            });
            table.row([format!("{}, the paper's", contestant.title())].into_iter().chain(cells));
        }
    }
    section.blocks.push(Block::Table(table));
    section
}
