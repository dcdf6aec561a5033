//! What significance found, as text and as JSON.

use motifnet::motif::{ClassSignificance, Significance};
use serde::Serialize;

use crate::numbers::{Count, grouped, plural};
use crate::report::{GraphReport, Report};
use crate::table::{Side, Table};

/// What was found.
#[derive(Serialize)]
pub(crate) struct SignificanceReport {
    graph: GraphReport,
    null: &'static str,
    instances: &'static str,
    n_samples: usize,
    seed: u64,
    /// The least p that so many samples can give.
    p_resolution: f64,
    classes: Vec<Class>,
    mixing: Option<MixingReport>,
    files: Vec<String>,
}

#[derive(Serialize)]
struct Class {
    name: &'static str,
    motif: Option<&'static str>,
    triad: &'static str,
    count: Count,
    mean: f64,
    sd: f64,
    z: Option<f64>,
    p_more: f64,
    p_less: f64,
    profile: Option<f64>,
    autocorrelation: Option<f64>,
}

#[derive(Serialize)]
struct MixingReport {
    switches_per_arc: usize,
    n_chains: usize,
    n_switches: u64,
    acceptance: f64,
    autocorrelation: Option<f64>,
    autocorrelation_of_noise: f64,
    is_poor: bool,
}

impl SignificanceReport {
    pub(super) fn new(graph: GraphReport, found: &Significance, files: Vec<String>) -> Self {
        Self {
            graph,
            null: found.config.null.name(),
            instances: found.config.instances.name(),
            n_samples: found.config.n_samples,
            seed: found.config.seed,
            p_resolution: found.resolution(),
            classes: found.classes.iter().map(Class::new).collect(),
            mixing: found.mixing.map(|mixing| MixingReport {
                switches_per_arc: mixing.switches,
                n_chains: mixing.n_chains,
                n_switches: mixing.n_tried,
                acceptance: mixing.acceptance,
                autocorrelation: mixing.autocorrelation,
                autocorrelation_of_noise: mixing.noise,
                is_poor: mixing.is_poor(),
            }),
            files,
        }
    }
}

impl Class {
    fn new(class: &ClassSignificance) -> Self {
        Self {
            name: class.name(),
            motif: class.motif.map(|kind| kind.name()),
            triad: class.triad,
            count: Count(class.count),
            mean: class.mean,
            sd: class.sd,
            z: class.z,
            p_more: class.p_more,
            p_less: class.p_less,
            profile: class.profile,
            autocorrelation: class.autocorrelation,
        }
    }

    fn row(&self) -> [String; 9] {
        let or_none = |number: Option<f64>, digits| {
            number.map_or("–".to_owned(), |number: f64| signed(number, digits))
        };
        [
            self.motif.unwrap_or_default().to_owned(),
            self.triad.to_owned(),
            grouped(self.count.0),
            decimal(self.mean),
            decimal(self.sd),
            or_none(self.z, 2),
            format!("{:.4}", self.p_more),
            format!("{:.4}", self.p_less),
            self.profile.map_or(String::new(), |profile| signed(profile, 3)),
        ]
    }
}

/// One decimal, thousands apart; whole from a million on.
fn decimal(number: f64) -> String {
    let tenths = (10.0 * number).round();
    match number {
        ..1e6 => format!("{}.{}", grouped((tenths / 10.0) as u64), (tenths % 10.0) as u64),
        _ => grouped(number.round() as u128),
    }
}

fn signed(number: f64, digits: usize) -> String {
    // What rounds to zero has no sign.
    let text = format!("{number:+.digits$}");
    let is_zero = text.chars().all(|letter| !('1'..='9').contains(&letter));
    if is_zero { text[1..].to_owned() } else { text.replace('-', "−") }
}

impl Report for SignificanceReport {
    fn text(&self) -> String {
        let left = ["motif", "triad"].map(|name| (name, Side::Left));
        let right = ["count", "mean", "sd", "z", "p>=", "p<=", "profile"];
        let columns = left.into_iter().chain(right.map(|name| (name, Side::Right)));
        let mut table = Table::new(columns);
        self.classes.iter().for_each(|class| table.row(class.row()));
        let mut facts = Table::of_facts();
        facts.fact("null model", self.null);
        facts.fact("instances", self.instances);
        let resolution = format!("{:.4}", self.p_resolution);
        facts.fact(
            "samples",
            format!("{}; p is no less than {resolution}", grouped(self.n_samples as u64)),
        );
        if let Some(mixing) = &self.mixing {
            facts.fact(
                "switches",
                format!(
                    "{} an arc between samples, {:.0} % of them done, on {}",
                    mixing.switches_per_arc,
                    100.0 * mixing.acceptance,
                    plural(mixing.n_chains as u64, "chain", "chains"),
                ),
            );
            if let Some(largest) = mixing.autocorrelation.map(|largest| largest.max(0.0)) {
                let noise = mixing.autocorrelation_of_noise;
                facts.fact(
                    "autocorrelation",
                    format!("at most {largest:.2} from sample to sample (noise alone: {noise:.2})"),
                );
            }
        }
        self.files.iter().for_each(|file| facts.fact("written", file.clone()));
        format!("{}\n{}", table.render(), facts.render())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits_and_lose_a_sign_without_one() {
        assert_eq!(
            [0.0, 1234.56, 0.96, 2.5e7].map(decimal),
            ["0.0", "1,234.6", "1.0", "25,000,000"]
        );
        assert_eq!([2.345, -0.001, -3.0].map(|z| signed(z, 2)), ["+2.35", "0.00", "−3.00"]);
    }
}
