//! Real graphs load with the counts that are known of them.
//!
//! Runs where `MOTIFNET_DATA` names a folder of data sets; elsewhere it says that it is skipped.

mod common;

use common::{data_folder, skip};
use motifnet::graph::{LoadedGraph, ReadOptions, read_graph};
use motifnet::progress::Silent;

/// What is known of a graph.
struct Known {
    folder: &'static str,
    n_nodes: usize,
    n_arcs: usize,
    self_loops: u64,
    /// Percentage of arcs whose reverse is an arc too, to one decimal.
    reciprocated: &'static str,
}

const fn known(
    folder: &'static str,
    n_nodes: usize,
    n_arcs: usize,
    self_loops: u64,
    reciprocated: &'static str,
) -> Known {
    Known { folder, n_nodes, n_arcs, self_loops, reciprocated }
}

const GRAPHS: [Known; 17] = [
    known("cora-full", 19_793, 65_311, 0, "5.8"),
    known("cora-ml", 2_995, 8_416, 0, "6.1"),
    known("citeseer", 3_312, 4_591, 124, "2.4"),
    known("amazon-photo", 7_650, 143_662, 1, "34.2"),
    known("amazon-cs", 13_752, 287_209, 0, "28.8"),
    known("chameleon-filtered", 890, 13_534, 50, "69.2"),
    known("squirrel-filtered", 2_223, 65_578, 140, "56.7"),
    known("telegram", 245, 8_912, 0, "17.6"),
    known("email-eu-core", 1_005, 24_929, 642, "71.1"),
    known("polblogs", 1_490, 19_022, 3, "24.3"),
    known("florida-bay", 128, 2_106, 0, "2.9"),
    known("celegans", 297, 2_345, 0, "16.8"),
    known("ecoli", 418, 519, 0, "0.0"),
    known("wiki-vote", 7_115, 103_689, 0, "5.6"),
    known("cit-hepth", 27_770, 352_768, 39, "0.3"),
    known("soc-epinions1", 75_879, 508_837, 0, "40.5"),
    known("web-notredame", 325_729, 1_469_679, 27_455, "51.7"),
];

#[test]
fn real_graphs_have_their_known_counts() {
    let Some(data) = data_folder() else { return skip() };
    let mut differences = Vec::new();
    for expected in &GRAPHS {
        let path = data.join(expected.folder);
        let loaded = read_graph(&path, &ReadOptions::default(), &Silent).unwrap();
        let (found, known) = (describe(&loaded), expected.describe());
        if found != known {
            differences.push(format!("{}: found {found}, known {known}", expected.folder));
        }
        assert_eq!(loaded.names.len(), loaded.graph.n_nodes(), "{}", expected.folder);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

impl Known {
    fn describe(&self) -> String {
        let Self { n_nodes, n_arcs, self_loops, reciprocated, .. } = self;
        format!("{n_nodes} nodes, {n_arcs} arcs, {self_loops} loops, {reciprocated} % back")
    }
}

fn describe(loaded: &LoadedGraph) -> String {
    let graph = &loaded.graph;
    let share = 100.0 * graph.n_reciprocated_arcs() as f64 / graph.n_arcs() as f64;
    format!(
        "{} nodes, {} arcs, {} loops, {share:.1} % back",
        graph.n_nodes(),
        graph.n_arcs(),
        loaded.cleaning.self_loops
    )
}
