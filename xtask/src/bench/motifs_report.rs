//! What `cargo xtask bench motifs` prints.

use std::collections::BTreeMap;

use super::motifs::{Measurements, peer};
use super::targets::targets_table;
use crate::table::{grouped, seconds, table};

/// Graphs, stages, peers and targets, one table each.
pub(crate) fn report(measurements: &Measurements) -> String {
    format!(
        "R-MAT, a,b,c = .57,.19,.19; the least time of several runs, ours and theirs (motifcluster, igraph and our census: of one)\n\n{}\n{}\n{}{}\n\n{}",
        sizes_table(measurements),
        stages_table(measurements),
        peers_table(measurements),
        versions(measurements),
        targets_table(&measurements.targets),
    )
}

fn sizes_table(measurements: &Measurements) -> String {
    let rows: Vec<_> = measurements
        .sizes
        .iter()
        .map(|measured| {
            let run = &measured.one_thread;
            let counts = [run.nodes, run.arcs, run.edges, run.triangles, run.steps].map(grouped);
            let [nodes, arcs, edges, triangles, steps] = counts;
            [measured.size.name().to_owned(), nodes, arcs, edges, triangles, steps]
        })
        .collect();
    table(["graph", "nodes", "arcs", "edges", "triangles", "steps"], &rows)
}

fn stages_table(measurements: &Measurements) -> String {
    let mut rows = Vec::new();
    for measured in &measurements.sizes {
        let runs = [(1, Some(&measured.one_thread))];
        let more = (measurements.threads, measured.many_threads.as_ref());
        for (threads, run) in runs.into_iter().chain([more]) {
            let Some(run) = run else { continue };
            let stages = &run.seconds;
            rows.push([
                measured.size.name().to_owned(),
                threads.to_string(),
                seconds(stages.read),
                seconds(stages.build),
                seconds(stages.pattern),
                seconds(stages.triangles),
                seconds(stages.operators),
                seconds(stages.total_to_operators),
                seconds(stages.multiply_64),
                format!("{:.2}", run.nanoseconds_per_step()),
                format!("{:.0}", run.peak_bytes as f64 / 1e6),
            ]);
        }
    }
    let header = [
        "graph",
        "threads",
        "read",
        "build",
        "pattern",
        "triangles",
        "operators",
        "graph to operators",
        "times 64 columns",
        "ns/step",
        "peak MB",
    ];
    table(header, &rows)
}

fn peers_table(measurements: &Measurements) -> String {
    let threads = measurements.threads;
    let mut rows = Vec::new();
    let mut add = |what: String, theirs: Result<f64, String>, ours: f64| {
        let cells = match theirs {
            Ok(theirs) => [seconds(theirs), seconds(ours), format!("{:.2}", theirs / ours)],
            // Why is said on stderr and among the targets.
            Err(_) => ["–".to_owned(), seconds(ours), String::new()],
        };
        let [theirs, ours, ratio] = cells;
        rows.push([what, theirs, ours, ratio]);
    };
    for measured in &measurements.sizes {
        let size = measured.size.name();
        let total = measured.one_thread.seconds.total_to_operators;
        if measured.motifcluster.is_some() {
            let theirs = peer(&measured.motifcluster).map(|theirs| theirs.seconds);
            add(format!("motifcluster, thirteen matrices, {size}, 1 thread"), theirs, total);
        }
        if measured.graphblas.is_some() {
            let theirs = peer(&measured.graphblas);
            let bare = theirs.clone().map(|theirs| theirs.seconds);
            add(format!("GraphBLAS, triangle count, {size}, 1 thread"), bare, total);
            let sorted = theirs.map(|theirs| theirs.seconds_with_sort);
            add(format!("GraphBLAS, the same with its sort, {size}, 1 thread"), sorted, total);
        }
        let theirs = measured.polars.as_ref().map(|theirs| theirs.seconds).map_err(Clone::clone);
        add(
            format!("polars, reading text, {size}, {threads} threads"),
            theirs,
            measured.read.seconds,
        );
    }
    if let Some(census) = &measurements.census {
        let theirs = census.igraph.as_ref().map(|theirs| theirs.seconds).map_err(Clone::clone);
        add(
            format!("igraph, census, Erdős–Rényi 1m, ours {threads} threads"),
            theirs,
            census.ours.seconds,
        );
    }
    table(["peer", "theirs", "ours", "theirs ÷ ours"], &rows)
}

/// Which peers these figures are of.
fn versions(measurements: &Measurements) -> String {
    let mut versions = BTreeMap::new();
    let mut variant = String::new();
    for measured in &measurements.sizes {
        if let Ok(polars) = &measured.polars {
            versions.extend(&polars.versions);
        }
        if let Ok(motifcluster) = peer(&measured.motifcluster) {
            versions.extend(&motifcluster.versions);
        }
        if let Ok(graphblas) = peer(&measured.graphblas) {
            versions.extend(&graphblas.versions);
            variant = format!("; GraphBLAS method: {}", graphblas.variant);
        }
    }
    if let Some(Ok(igraph)) = measurements.census.as_ref().map(|census| &census.igraph) {
        versions.extend(&igraph.versions);
    }
    if versions.is_empty() {
        return "no peers".to_owned();
    }
    let versions: Vec<_> =
        versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    format!("{}{variant}", versions.join(", "))
}
