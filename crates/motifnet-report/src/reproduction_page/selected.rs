//! Which operators matter, and to which features.

use motifnet::experiment::paper::Selection;
use motifnet::nn::feature_attention;
use motifnet::train::CANDIDATES;

use super::ReproductionParts;
use crate::chart::{Bar, BarChart};
use crate::page::Section;
use crate::run_page::feature_map;

/// The operators that the paper found relevant on CORA-full.
const OF_THE_PAPER: &str = "U, in, out, M5, M8, M9 and M10";

pub(super) fn section(parts: &ReproductionParts<'_>) -> Section {
    let selection = &parts.results.selection;
    let mut section = Section::new("selection", "Which operators matter");
    let kept: Vec<&str> = selection.kept.iter().map(|kind| kind.name()).collect();
    let among = match selection.n_models {
        1 => "One MotifNet-m of order 1 was trained over all sixteen operators.".to_owned(),
        n => format!(
            "{n} MotifNet-m of order 1, one a split, were trained over all sixteen operators; that \
             with the least validation cross-entropy ({:.4}, split {}) is looked at.",
            selection.val_loss,
            selection.split + 1
        ),
    };
    section.prose(format!(
        "{among} The rule: {}. Relevant here: {}.",
        Selection::RULE,
        kept.join(", ")
    ));
    section.prose(format!(
        "On CORA-full the paper found {OF_THE_PAPER} relevant; it does not say by which rule."
    ));
    let bar = |&(kind, value): &(_, f64)| Bar {
        label: format!("{kind}{}", if selection.kept.contains(&kind) { " ✓" } else { "" }),
        value,
        spread: None,
    };
    let bars = BarChart {
        name: "attention-shares".to_owned(),
        title: "Attention to every operator".to_owned(),
        caption: "The mean of α over all features and both layers; an even share is 0.0625. \
            Relevant operators have a tick."
            .to_owned(),
        value_label: "share of the attention".to_owned(),
        bars: selection.attention.iter().map(bar).collect(),
    };
    section.figure(bars.figure(), bars.table());
    let parameters: Vec<f64> = parts.model.parameters.iter().map(|&value| value.into()).collect();
    let operators: Vec<String> = CANDIDATES.iter().map(|kind| kind.name().to_owned()).collect();
    for place in feature_attention(&parts.model.network, &parameters) {
        section.figure(feature_map(&place, false, &operators).figure(), None);
    }
    section
}
