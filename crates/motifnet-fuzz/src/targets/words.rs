//! What is typed in one word: splits, sums of motifs, columns, choices.

use std::str::FromStr;

use motifnet::data::{Isolated, SplitSpec};
use motifnet::graph::GraphFormat;
use motifnet::graph::read::{Column, WeightColumn};
use motifnet::motif::{MotifKind, Support};
use motifnet::spectral::cluster::MotifSum;
use motifnet::train::{ModelKind, MotifChoice};

use crate::seed::Seed;
use crate::target::Target;
use crate::trial::Trial;

pub(super) const SPLIT_WORDS: Target = Target {
    name: "split_words",
    read: |trial, bytes| reads_back::<SplitSpec>(trial, bytes),
    seeds: || {
        all(&[
            "60/20/20",
            "stratified 10/10/80",
            "20 per class",
            "20 per class, 500, 1000",
            "masks",
        ])
        .chain(all(&["nodes.csv#part", "papers.csv#year 60/20/20"]))
        .collect()
    },
};
pub(super) const MOTIF_SUM: Target = Target {
    name: "motif_sum",
    read: |trial, bytes| reads_back::<MotifSum>(trial, bytes),
    seeds: || all(&["M5", "M5+2*M8", "0.25*U+M13", "1e-3*M9"]).collect(),
};
pub(super) const CHOICES: Target = Target {
    name: "choices",
    read: read_choices,
    seeds: || all(&["M1", "U,in,out", "all", "auto", "gcn", "edges", "7", "npz", "keep"]).collect(),
};

fn all<const N: usize>(words: &[&'static str; N]) -> impl Iterator<Item = Seed> {
    words.map(|word| Seed::new(word.replace(['/', '*'], " "), word)).into_iter()
}

/// What is read and written as text reads as the same again.
fn reads_back<T: FromStr + ToString + PartialEq>(_: &Trial, bytes: &[u8]) -> bool {
    let Some(found) = parsed::<T>(bytes) else { return false };
    let text = found.to_string();
    assert!(text.parse().ok() == Some(found), "{text:?} does not read as what it was written for");
    true
}

fn parsed<T: FromStr>(bytes: &[u8]) -> Option<T> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

fn read_choices(trial: &Trial, bytes: &[u8]) -> bool {
    let taken = [
        reads_back::<GraphFormat>(trial, bytes),
        reads_back::<MotifKind>(trial, bytes),
        reads_back::<Support>(trial, bytes),
        reads_back::<ModelKind>(trial, bytes),
        reads_back::<Isolated>(trial, bytes),
        parsed::<MotifChoice>(bytes).is_some(),
        parsed::<Column>(bytes).is_some_and(|column| matches!(column, Column::Position(_))),
        parsed::<WeightColumn>(bytes).is_some_and(|column| column == WeightColumn::None),
    ];
    taken.contains(&true)
}
