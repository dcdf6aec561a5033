//! What `motifnet inspect` prints.

use std::time::Duration;

use motifnet::graph::{ComponentSummary, GraphSummary};
use motifnet::motif::MatrixSize;

use super::inspect::{Costs, InspectReport, degrees};
use crate::numbers::{bytes, decimal, grouped, grouped_len, percent, plural, time};
use crate::table::{Side, Table};

pub(super) fn render(report: &InspectReport) -> String {
    [facts(report), degree_table(&report.summary), motif_table(report), costs(report)].join("\n")
}

fn facts(report: &InspectReport) -> String {
    let (graph, summary) = (&report.graph, &report.summary);
    let mut facts = Table::of_facts();
    facts.fact("graph", format!("{} ({})", graph.path, graph.format));
    facts.fact("nodes", with_isolated(summary));
    facts.fact("arcs", grouped_len(summary.n_arcs));
    facts.fact("reciprocated", share(summary.n_reciprocated_arcs, summary.n_arcs));
    let cleaning = graph.cleaning.describe();
    facts.fact("cleaning", cleaning.unwrap_or_else(|| "nothing".to_owned()));
    facts.fact("weights", weights(summary));
    facts.fact("adjacent pairs", grouped_len(report.n_edges));
    facts.fact("triangles", grouped(report.n_triangles.0));
    facts.fact("weak components", components(&summary.weak_components, summary.n_nodes));
    facts.fact("strong components", components(&summary.strong_components, summary.n_nodes));
    facts.render()
}

fn with_isolated(summary: &GraphSummary) -> String {
    let nodes = grouped_len(summary.n_nodes);
    match summary.n_isolated_nodes {
        0 => nodes,
        isolated => format!("{nodes}, {} without arcs", grouped_len(isolated)),
    }
}

fn weights(summary: &GraphSummary) -> String {
    match summary.weights {
        Some(weights) => {
            format!("{} to {}, sum {}", weights.min, weights.max, decimal(weights.sum))
        }
        None if summary.is_weighted => "yes".to_owned(),
        None => "none".to_owned(),
    }
}

fn share(part: usize, whole: usize) -> String {
    match whole {
        0 => grouped_len(part),
        _ => format!("{} ({})", grouped_len(part), percent(part, whole)),
    }
}

fn components(components: &ComponentSummary, n_nodes: usize) -> String {
    let largest = plural(components.largest as u64, "node", "nodes");
    let count = grouped_len(components.n_components);
    match n_nodes {
        0 => count,
        _ => {
            format!("{count}, the largest of {largest} ({})", percent(components.largest, n_nodes))
        }
    }
}

fn degree_table(summary: &GraphSummary) -> String {
    let mut table = Table::new([
        ("degree", Side::Left),
        ("min", Side::Right),
        ("median", Side::Right),
        ("mean", Side::Right),
        ("max", Side::Right),
    ]);
    for (name, degree) in degrees(summary) {
        table.row([
            name.to_owned(),
            grouped_len(degree.min),
            decimal(degree.median),
            decimal(degree.mean),
            grouped_len(degree.max),
        ]);
    }
    table.render()
}

fn motif_table(report: &InspectReport) -> String {
    let mut table = Table::new([
        ("motif", Side::Left),
        ("edges", Side::Right),
        ("pairs", Side::Right),
        ("operator", Side::Left),
        ("pairs as CSR", Side::Right),
    ]);
    for motif in &report.motifs {
        let approximately = if motif.pairs.exact { "" } else { "≈ " };
        table.row([
            motif.motif.to_owned(),
            size(&motif.edges),
            size(&motif.pairs),
            motif.kept.to_owned(),
            format!("{approximately}{}", bytes(motif.pairs_csr_bytes)),
        ]);
    }
    format!(
        "entries of the motif matrices ({} instances, weights {})\n{}",
        report.instances,
        report.weights,
        table.render()
    )
}

fn size(size: &MatrixSize) -> String {
    format!("{}{}", if size.exact { "" } else { "≈ " }, grouped(size.entries))
}

fn costs(report: &InspectReport) -> String {
    let Costs { threads, .. } = report.costs;
    let costs = &report.costs;
    let seconds = |seconds: f64| time(Duration::from_secs_f64(seconds));
    let mut table =
        Table::new([("cost", Side::Left), ("time", Side::Right), ("memory", Side::Right)]);
    let graph = bytes(costs.graph_bytes);
    table.row(["reading, the graph".to_owned(), seconds(costs.read_seconds), graph]);
    let engine = bytes(costs.pattern_bytes + costs.pass_bytes);
    let pass = format!("triangle pass, {}", plural(costs.pass_steps, "step", "steps"));
    table.row([pass, seconds(costs.pass_seconds), engine]);
    let operators = format!("{} operators, pairs", report.motifs.len());
    table.row([operators, seconds(costs.operators_seconds), bytes(costs.operators_bytes)]);
    format!("{}times measured on {}\n", table.render(), plural(threads as u64, "thread", "threads"))
}
