//! The generated citations are like CORA-full, figure by figure, within stated bounds.
//!
//! Runs where `MOTIFNET_DATA` names a folder of data sets; elsewhere it says that it is skipped. It
//! prints the table of `docs/citations.md`:
//! `cargo test --release -p motifnet --test citation_profile -- --nocapture`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{data_folder, skip};
use motifnet::data::citation::{self, CitationConfig};
use motifnet::data::read_dataset;
use motifnet::experiment::{GraphProfile, Statistic};
use motifnet::progress::Silent;

const SEEDS: [u64; 3] = [1, 2, 3];

/// Amounts may differ by this factor, shares by this difference.
const FACTOR: f64 = 1.35;
const DIFFERENCE: f64 = 0.05;

/// Figures that the model does not match so well, and how well it does; `docs/citations.md` says why.
const LOOSER: [(&str, f64); 0] = [];

/// The profile of the citations of one seed, at the size of CORA-full.
fn profile(seed: u64) -> Vec<Statistic> {
    let data = citation::generate(&CitationConfig::of_size(19_793), seed).unwrap();
    GraphProfile::of(&data.graph, &data.labels).statistics()
}

#[test]
fn citations_are_like_cora_full() {
    let Some(folder) = data_folder() else { return skip() };
    let cora = read_dataset(&folder.join("cora-full"), &Silent).unwrap();
    let cora = GraphProfile::of(&cora.graph, &cora.labels).statistics();
    let generated = SEEDS.map(profile);
    let mut apart = Vec::new();
    println!("| | CORA-full | generated | from | to |\n|---|---|---|---|---|");
    for (place, known) in cora.iter().enumerate() {
        let values = generated.each_ref().map(|statistics| statistics[place].value);
        let mean = values.iter().sum::<f64>() / SEEDS.len() as f64;
        let least = values.into_iter().fold(f64::INFINITY, f64::min);
        let most = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let text = |value| told(value, known.is_share);
        let row = [known.value, mean, least, most].map(text).join(" | ");
        println!("| {} | {row} |", known.name);
        if !is_near(known, mean) {
            apart.push(format!("{}: {} but {}", known.name, text(known.value), text(mean)));
        }
    }
    assert!(apart.is_empty(), "{}", apart.join("\n"));
}

fn told(value: f64, is_share: bool) -> String {
    match is_share {
        true => format!("{:.1} %", 100.0 * value),
        false if value < 1.0 => format!("{value:.4}"),
        false => format!("{value:.2}"),
    }
}

fn is_near(known: &Statistic, value: f64) -> bool {
    let looser = LOOSER.iter().find(|(name, _)| *name == known.name).map(|&(_, bound)| bound);
    match known.is_share {
        true => (value - known.value).abs() <= looser.unwrap_or(DIFFERENCE),
        false => (value / known.value).ln().abs() <= looser.unwrap_or(FACTOR).ln(),
    }
}
