//! What it attends to: attention over the operators, or the weights of their products.

use motifnet::nn::{
    ConvKind, FeatureAttention, OperatorAttention, attention, feature_attention, term_shares,
};
use motifnet::train::TrainedModel;

use super::RunParts;
use crate::chart::{Bar, BarChart, HeatMap, HeatScale};
use crate::numbers::share;
use crate::page::Section;
use crate::slug;

/// Of more places (layers, heads, orders) the attention of single features is left out.
const MOST_MAPS: usize = 8;
/// And of more cells in all: the page should stay small.
const MOST_CELLS: usize = 8_000;
/// Of more terms the largest are drawn.
const MOST_TERMS: usize = 16;

pub(super) fn section(parts: &RunParts<'_>) -> Section {
    let mut section = Section::new("attention", "What it attends to");
    let model = match parts.model {
        Ok(model) => model,
        Err(ref why) => {
            section.note(format!("The model was not asked: {why}."));
            return section;
        }
    };
    let kinds = model.description.model.operators();
    let operators: Vec<String> = kinds.into_iter().map(|kind| kind.name().to_owned()).collect();
    match model.network.config().conv {
        ConvKind::Motif { .. } => attended(&mut section, model, &operators),
        ConvKind::Polynomial { .. } => weighed(&mut section, model, &operators),
        _ if operators.is_empty() => section.prose("The model sees no graph."),
        _ => section.prose(format!(
            "The model works on {} alone, so there is no choice to tell of.",
            operators.join(", ")
        )),
    }
    section
}

fn attended(section: &mut Section, model: &TrainedModel, operators: &[String]) {
    let parameters: Vec<f64> = model.parameters.iter().map(|&value| value.into()).collect();
    let rows = attention(&model.network, &parameters);
    let n = operators.len();
    if n == 0 || rows.is_empty() {
        section.prose("There is no operator to attend to.");
        return;
    }
    section.prose(format!(
        "At every layer, order and head each feature has a share of attention for every operator, and its \
         shares add up to one. Evenly spread they would be {}.",
        share(1.0 / n as f64)
    ));
    let places: Vec<_> = rows.chunks(n).collect();
    let mean = |operator: usize| {
        places.iter().map(|place| place[operator].mean).sum::<f64>() / places.len() as f64
    };
    let bar =
        |(at, name): (usize, &String)| Bar { label: name.clone(), value: mean(at), spread: None };
    let bars = BarChart {
        name: "attention-shares".to_owned(),
        title: "Attention to every operator".to_owned(),
        caption: "The mean over all layers, orders, heads and features.".to_owned(),
        value_label: "share of the attention".to_owned(),
        bars: operators.iter().enumerate().map(bar).collect(),
    };
    section.figure(bars.figure(), bars.table());
    let has_heads = rows.iter().any(|row| row.head > 1);
    let place_name = |place: &&[OperatorAttention]| {
        let at = &place[0];
        place_name(&at.layer, has_heads.then_some(at.head), at.order)
    };
    let map = HeatMap {
        name: "attention-places".to_owned(),
        title: "Attention by layer, head and order".to_owned(),
        caption: "The mean over the features; every row adds up to one.".to_owned(),
        row_label: "place".to_owned(),
        column_label: "operator".to_owned(),
        rows: places.iter().map(place_name).collect(),
        columns: operators.to_vec(),
        values: places.iter().map(|place| place.iter().map(|of| of.mean).collect()).collect(),
        unit: "of the attention".to_owned(),
        scale: HeatScale::Value,
    };
    section.figure(map.figure(), map.table());
    let mut n_cells = 0;
    let mut n_drawn = 0;
    for place in feature_attention(&model.network, &parameters).iter().take(MOST_MAPS) {
        n_cells += place.alpha.iter().map(Vec::len).sum::<usize>();
        if n_cells > MOST_CELLS {
            break;
        }
        section.figure(feature_map(place, has_heads, operators).figure(), None);
        n_drawn += 1;
    }
    if n_drawn < places.len() {
        section.prose(format!(
            "The attention of single features is drawn for {n_drawn} of {} places, so that the page stays \
             small.",
            places.len()
        ));
    }
}

fn place_name(layer: &str, head: Option<usize>, order: usize) -> String {
    let head = head.map_or_else(String::new, |head| format!("head {head}, "));
    format!("{layer}, {head}order {order}")
}

/// The attention of every feature to every operator, at one place of a network with heads or without.
pub(crate) fn feature_map(at: &FeatureAttention, has_heads: bool, operators: &[String]) -> HeatMap {
    let place = place_name(&at.layer, has_heads.then_some(at.head), at.order);
    let n_features = at.alpha.first().map_or(0, Vec::len);
    let is_first = at.layer == "conv1";
    HeatMap {
        name: slug(&format!("attention {place}")),
        title: format!("Attention of every feature: {place}"),
        caption: "A column for every feature, a row for every operator; columns add up to one."
            .to_owned(),
        row_label: "operator".to_owned(),
        column_label: if is_first { "input feature" } else { "hidden unit" }.to_owned(),
        rows: operators.to_vec(),
        columns: (1..=n_features).map(|number| number.to_string()).collect(),
        values: at.alpha.clone(),
        unit: "of the attention".to_owned(),
        scale: HeatScale::Value,
    }
}

fn weighed(section: &mut Section, model: &TrainedModel, operators: &[String]) {
    let parameters: Vec<f64> = model.parameters.iter().map(|&value| value.into()).collect();
    let rows = term_shares(&model.network, &parameters);
    section.prose(
        "Every product of operators has weights of its own. How large they are tells how much the network \
         could make of the product, not what the product holds.",
    );
    let word = |operators_of: &[usize]| {
        let names: Vec<&str> =
            operators_of.iter().rev().map(|&at| operators[at].as_str()).collect();
        if names.is_empty() { "own features".to_owned() } else { names.join("·") }
    };
    for layer in rows.chunk_by(|a, b| a.layer == b.layer) {
        let name = &layer[0].layer;
        let mut bars: Vec<Bar> = Vec::new();
        for row in layer {
            let label = word(&row.operators);
            bars.push(Bar { label, value: row.share, spread: None });
        }
        bars.sort_by(|a, b| b.value.total_cmp(&a.value));
        bars.truncate(MOST_TERMS);
        let chart = BarChart {
            name: format!("terms-{name}"),
            title: format!("The weights of every product: {name}"),
            caption: format!(
                "‖Θ‖ of the product over the sum of all {} of the layer; the largest.",
                layer.len()
            ),
            value_label: "share of the weights".to_owned(),
            bars,
        };
        section.figure(chart.figure(), chart.table());
    }
}
