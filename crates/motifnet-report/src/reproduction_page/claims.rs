//! What holds of what the paper claims.

use motifnet::experiment::paper::{Claim, Duel, PaperResults, Verdict};

use crate::Table;
use crate::numbers::value;
use crate::page::{Block, Section};

pub(super) fn section(results: &PaperResults) -> Section {
    let mut section = Section::new("claims", "What holds, and what does not");
    section.prose(summary(results));
    section.blocks.push(Block::Table(verdicts(
        "What the paper claims, on these data",
        results.claims.iter().filter(|claim| !claim.is_ours),
    )));
    if results.claims.iter().any(|claim| claim.is_ours) {
        section.blocks.push(Block::Table(verdicts(
            "What we asked beside it",
            results.claims.iter().filter(|claim| claim.is_ours),
        )));
    }
    section.prose(
        "A difference is beyond chance if the corrected resampled t test of Nadeau and Bengio, which \
         allows for splits that share nodes, gives p < 0.05 after Holm's correction for all comparisons of the \
         claim. A claim holds if all its comparisons are beyond chance, and holds in part if some are. With few \
         splits only large differences can be told from chance.",
    );
    let mut table = Table::new(
        "Every comparison",
        ["comparison"],
        ["difference in points", "95 % interval", "ahead on", "p", "Holm p"],
    );
    results.claims.iter().flat_map(|claim| &claim.duels).for_each(|duel| table.row(cells(duel)));
    section.blocks.push(Block::Table(table));
    section
}

/// How many of the paper's claims hold, in a sentence.
fn summary(results: &PaperResults) -> String {
    let count = |verdict| {
        let of_paper = results.claims.iter().filter(|claim| !claim.is_ours);
        of_paper.filter(|claim| claim.verdict == verdict).count()
    };
    let n = Verdict::ALL.map(count).iter().sum::<usize>();
    let [holds, partly, open, reversed] =
        [Verdict::Holds, Verdict::Partly, Verdict::Open, Verdict::Reversed].map(count);
    format!(
        "Of {n} claims of the paper that were put to the test on {}, {holds} hold, {partly} hold in part, \
         {open} are not shown and {reversed} do not hold.",
        results.dataset
    )
}

fn verdicts<'a>(caption: &str, claims: impl Iterator<Item = &'a Claim>) -> Table {
    let mut table = Table::new(caption, ["claim", "verdict", "what was found"], []);
    for claim in claims {
        table.row([claim.statement.clone(), claim.verdict.to_string(), claim.finding.clone()]);
    }
    table
}

fn cells(duel: &Duel) -> [String; 6] {
    let none = || "–".to_owned();
    let points = |share: f64| format!("{:+.2}", 100.0 * share).replace('-', "−");
    let interval = duel.test.map_or_else(none, |test| {
        let [low, high] = test.interval.map(points);
        format!("{low} to {high}")
    });
    let probability = |p: f64| if p < 0.0001 { "< 0.0001".to_owned() } else { value(p) };
    [
        duel.label.clone(),
        points(duel.difference),
        interval,
        format!("{} of {} splits", duel.n_ahead, duel.n_splits),
        duel.test.map_or_else(none, |test| probability(test.p)),
        duel.p_holm.map_or_else(none, probability),
    ]
}
