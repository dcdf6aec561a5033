//! What `cargo xtask bench train` prints.

use super::targets::targets_table;
use super::train::{Growth, Measurements};
use crate::table::{grouped, seconds, table};

/// Times against the peers, parts of our time, growth and targets.
pub(crate) fn report(measurements: &Measurements) -> String {
    let problem = &measurements.problem;
    let mut text = format!(
        "{}: {} nodes, {} arcs, {} random features, {} classes, {} training and {} validation \
         nodes, {} threads;\nan epoch is a training step and a validation pass, the least time of \
         all turns, ours and theirs\n\n{}{}\n\n{}",
        problem.graph,
        grouped(problem.nodes),
        grouped(problem.arcs),
        problem.features,
        problem.classes,
        grouped(problem.train),
        grouped(problem.validation),
        measurements.threads,
        peers_table(measurements),
        peers(measurements),
        parts_table(measurements),
    );
    if let Some(machine) = &measurements.machine {
        text.push_str(&format!(
            "for comparison: a product of matrices of 1,024 rows and columns {:.0} GFLOP/s, \
             copying in memory {:.1} GB/s\n",
            machine.product_gflop_s, machine.copy_gb_s,
        ));
    }
    if let Some(growth) = &measurements.growth {
        text.push_str(&format!("\n{}", growth_table(growth)));
    }
    text.push_str(&format!("\n{}", targets_table(&measurements.targets)));
    text
}

fn peers_table(measurements: &Measurements) -> String {
    let least = |engine: &str, case: &str| {
        let timing = measurements.peers.get(engine).and_then(|cases| cases.get(case));
        timing.map_or("–".to_owned(), |timing| milliseconds(timing.least_ms))
    };
    let ratio = |engine: &str, case: &str| {
        measurements.ratio(engine, case).map_or("–".to_owned(), |ratio| format!("{ratio:.2}"))
    };
    let difference = |case: &str| {
        let engines = measurements.differences.values().filter_map(|cases| cases.get(case));
        let largest = engines.copied().reduce(f64::max);
        largest.map_or("–".to_owned(), |largest| format!("{largest:.0e}"))
    };
    let rows = measurements.ours.iter().map(|(case, ours)| {
        [
            case.clone(),
            least("torch", case),
            least("pyg", case),
            milliseconds(ours.least_ms),
            milliseconds(ours.train_ms),
            milliseconds(ours.validation_ms),
            ratio("torch", case),
            ratio("pyg", case),
            difference(case),
        ]
    });
    let header = [
        "ms an epoch",
        "PyTorch CSR",
        "PyG",
        "ours",
        "training",
        "validation",
        "PyTorch ÷ ours",
        "PyG ÷ ours",
        "losses differ by",
    ];
    table(header, &rows.collect::<Vec<_>>())
}

/// Which peers these figures are of.
fn peers(measurements: &Measurements) -> String {
    if measurements.versions.is_empty() {
        return "no peers".to_owned();
    }
    let list = |pairs: &std::collections::BTreeMap<String, String>| {
        let pairs = pairs.iter().map(|(name, what)| format!("{name} {what}"));
        pairs.collect::<Vec<_>>().join(", ")
    };
    format!("{}; {}", list(&measurements.versions), list(&measurements.variants))
}

/// Where our time goes: kernels that were timed apart, and what is left of the epoch.
fn parts_table(measurements: &Measurements) -> String {
    let mut rows = Vec::new();
    for (case, ours) in &measurements.ours {
        let rate = |amount: f64, ms: f64| {
            if amount > 0.0 { format!("{:.1}", amount / ms * 1e3) } else { "–".to_owned() }
        };
        let share = |ms: f64| format!("{:.0}", 100.0 * ms / ours.least_ms);
        for part in &ours.parts {
            rows.push([
                case.clone(),
                part.name.clone(),
                part.calls.to_string(),
                milliseconds(part.ms),
                share(part.ms),
                format!("{:.2}", part.gflop),
                rate(part.gflop, part.ms),
                rate(part.gathered_gb, part.ms),
            ]);
        }
        let rest = ours.least_ms - ours.parts.iter().map(|part| part.ms).sum::<f64>();
        if !ours.parts.is_empty() {
            let name = "the rest: dropout, activation, loss, Adam".to_owned();
            let none = || "–".to_owned();
            // Kernels timed apart may come out slower than within the epoch.
            let rest = rest.max(0.0);
            rows.push([
                case.clone(),
                name,
                none(),
                milliseconds(rest),
                share(rest),
                none(),
                none(),
                none(),
            ]);
        }
    }
    let header = ["of our epoch", "part", "calls", "ms", "%", "GFLOP", "GFLOP/s", "GB/s gathered"];
    table(header, &rows)
}

fn growth_table(growth: &Growth) -> String {
    let rows: Vec<_> =
        growth.seconds.iter().map(|(stage, &taken)| [stage.clone(), seconds(taken)]).collect();
    format!(
        "MotifNet-m, order 2, width 64, on R-MAT with {} nodes and {} arcs; operators of {} \
         entries, peak memory {:.2} GB\n\n{}",
        grouped(growth.nodes),
        grouped(growth.arcs),
        grouped(growth.entries),
        growth.peak_bytes as f64 / 1e9,
        table(["stage", "time"], &rows),
    )
}

fn milliseconds(ms: f64) -> String {
    if ms < 100.0 { format!("{ms:.1}") } else { format!("{ms:.0}") }
}
