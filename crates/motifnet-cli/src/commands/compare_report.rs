//! What `motifnet compare` found.

use motifnet::experiment::{Comparison, Difference, Metric};
use serde::Serialize;

use crate::numbers::plural;
use crate::report::Report;
use crate::table::{Side, Table};

/// A comparison, as text and as JSON.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct CompareReport(pub(super) Comparison);

impl Report for CompareReport {
    fn text(&self) -> String {
        let found = &self.0;
        let mut table = Table::new([
            ("run", Side::Left),
            ("model", Side::Left),
            (in_words(found.metric), Side::Right),
            ("difference", Side::Right),
            ("95 % interval", Side::Right),
            ("p", Side::Right),
            ("Holm p", Side::Right),
        ]);
        for run in &found.runs {
            let sd = run.sd.map_or(String::new(), |sd| format!(" ± {sd:.4}"));
            let [difference, interval, p, p_holm] = cells(run.difference.as_ref());
            table.row([
                run.run.clone(),
                run.model.clone(),
                format!("{:.4}{sd}", run.mean),
                difference,
                interval,
                p,
                p_holm,
            ]);
        }
        let repeats = plural(found.n_repeats as u64, "repetition", "repetitions");
        let less = if found.metric == Metric::TestLoss { "; less is better" } else { "" };
        let mut text = format!(
            "{}, split {}, {repeats}; differences to {}{less}\n\n{}",
            found.dataset,
            found.split,
            found.baseline,
            table.render()
        );
        if found.n_tests() > 0 {
            text += &format!(
                "\n± standard deviation; p of the corrected resampled t test, two-sided; Holm p for {}\n",
                plural(found.n_tests() as u64, "comparison", "comparisons")
            );
        }
        text
    }
}

fn in_words(metric: Metric) -> &'static str {
    match metric {
        Metric::TestAccuracy => "test accuracy",
        Metric::ValAccuracy => "val accuracy",
        Metric::TestLoss => "test loss",
    }
}

/// Difference, interval, p and corrected p; none of the baseline has any.
fn cells(difference: Option<&Difference>) -> [String; 4] {
    let none = || "–".to_owned();
    let Some(difference) = difference else { return [(); 4].map(|()| none()) };
    let interval = difference.test.map_or_else(none, |test| {
        let [low, high] = test.interval;
        format!("{} to {}", signed(low), signed(high))
    });
    let p = difference.test.map(|test| test.p);
    [
        signed(difference.mean),
        interval,
        p.map_or_else(none, probability),
        difference.p_holm.map_or_else(none, probability),
    ]
}

/// Four decimals with a sign, as one reads it in print.
fn signed(number: f64) -> String {
    let text = format!("{number:+.4}");
    // What rounds to nothing has no sign.
    match text.as_str() {
        "+0.0000" | "-0.0000" => "0.0000".to_owned(),
        _ => text.replace('-', "−"),
    }
}

fn probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_signs_and_small_p_have_bounds() {
        assert_eq!(
            [0.01234, -0.5, 0.00001, -0.00001].map(signed),
            ["+0.0123", "−0.5000", "0.0000", "0.0000"]
        );
        assert_eq!(
            [0.0, 0.00009, 0.0001, 1.0].map(probability),
            ["< 0.0001", "< 0.0001", "0.0001", "1.0000"]
        );
    }
}
