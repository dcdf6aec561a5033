//! What the engine has to reach, and whether it did.

use serde::Serialize;

use super::peers::{self, Measured};
use crate::table::table;

/// A figure and its bound.
#[derive(Serialize)]
pub(crate) struct Target {
    name: String,
    bound: Bound,
    unit: &'static str,
    /// The figure, or why it was not measured.
    #[serde(serialize_with = "peers::serialize")]
    measured: Measured<f64>,
    verdict: Verdict,
}

/// Which side of the bound is good.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Reached,
    Missed,
    NotMeasured,
}

impl Target {
    /// Judges `measured` by `bound`.
    pub(crate) fn new(
        name: impl Into<String>,
        bound: Bound,
        unit: &'static str,
        measured: Measured<f64>,
    ) -> Self {
        let verdict = match (&measured, bound) {
            (Err(_), _) => Verdict::NotMeasured,
            (Ok(figure), Bound::AtLeast(least)) if *figure >= least => Verdict::Reached,
            (Ok(figure), Bound::AtMost(most)) if *figure <= most => Verdict::Reached,
            (Ok(_), _) => Verdict::Missed,
        };
        Self { name: name.into(), bound, unit, measured, verdict }
    }
}

/// The targets as a table.
pub(crate) fn targets_table(targets: &[Target]) -> String {
    let rows: Vec<_> = targets
        .iter()
        .map(|target| {
            let unit = target.unit;
            let bound = match target.bound {
                Bound::AtLeast(least) => format!("≥ {least}{unit}"),
                Bound::AtMost(most) => format!("≤ {most}{unit}"),
            };
            let (measured, verdict) = match (&target.measured, target.verdict) {
                (Ok(figure), Verdict::Reached) => (format!("{figure:.2}{unit}"), "reached".into()),
                (Ok(figure), _) => (format!("{figure:.2}{unit}"), "missed".into()),
                (Err(reason), _) => (String::new(), format!("not measured ({reason})")),
            };
            [target.name.clone(), bound, measured, verdict]
        })
        .collect();
    table(["target", "wanted", "measured", "verdict"], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(bound: Bound, measured: Measured<f64>) -> Verdict {
        Target::new("x", bound, "×", measured).verdict
    }

    #[test]
    fn the_bound_itself_is_reached() {
        assert_eq!(verdict(Bound::AtLeast(200.0), Ok(200.0)), Verdict::Reached);
        assert_eq!(verdict(Bound::AtMost(2.5), Ok(2.5)), Verdict::Reached);
    }

    #[test]
    fn the_wrong_side_is_missed_and_no_number_is_reached_by_nothing() {
        assert_eq!(verdict(Bound::AtMost(2.5), Ok(2.6)), Verdict::Missed);
        assert_eq!(verdict(Bound::AtLeast(0.5), Ok(f64::NAN)), Verdict::Missed);
        assert_eq!(verdict(Bound::AtMost(2.5), Err("--no-peers".into())), Verdict::NotMeasured);
    }
}
