//! Clusters and clustering coefficients of real graphs, beside those that others have found.
//!
//! Runs where `MOTIFNET_DATA` names a folder of data sets; elsewhere it says that it is skipped.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use std::path::Path;

use common::{data_folder, skip};
use motifnet::data::{Labels, read_node_labels};
use motifnet::experiment::Agreement;
use motifnet::graph::{LoadedGraph, ReadOptions, read_graph};
use motifnet::motif::{ClusteringKind, MotifEngine, MotifSpec};
use motifnet::progress::Silent;
use motifnet::spectral::cluster::{
    ClusterConfig, ClusterMethod, Clustering, ComponentChoice, cluster,
};

/// The food web of Florida Bay and what is known of its species.
struct FloridaBay {
    loaded: LoadedGraph,
    groups: String,
}

impl FloridaBay {
    fn read(data: &Path) -> Self {
        let folder = data.join("florida-bay");
        let loaded = read_graph(&folder, &ReadOptions::default(), &Silent).unwrap();
        Self { loaded, groups: folder.join("groups.csv").display().to_string() }
    }

    fn groups(&self, column: &str) -> Labels {
        let file = format!("{}#{column}", self.groups);
        read_node_labels(&file, &self.loaded.names, None, &Silent).unwrap()
    }

    fn cluster(&self, motifs: &str, config: ClusterConfig) -> Clustering {
        let engine = MotifEngine::new(&self.loaded.graph);
        let motifs = motifs.parse().unwrap();
        cluster(&engine, &motifs, &MotifSpec::default(), &config, &Silent).unwrap()
    }

    fn ari(&self, found: &Clustering, column: &str) -> f64 {
        Agreement::of(&found.of_node, self.groups(column).of_nodes()).unwrap().ari
    }
}

fn four(method: ClusterMethod) -> ClusterConfig {
    let components = ComponentChoice::All;
    ClusterConfig { method, n_clusters: 4, components, ..ClusterConfig::default() }
}

/// Benson et al. cut the largest component of M6 into three and take the other, of twelve nodes, for the fourth:
/// what `--components all` does.
#[test]
fn the_groups_of_the_food_web_are_those_of_benson_gleich_and_leskovec() {
    let Some(data) = data_folder() else { return skip() };
    let food_web = FloridaBay::read(&data);
    for (method, theirs) in
        [(ClusterMethod::Embedding, "motif_embed"), (ClusterMethod::Recursive, "motif_recursive")]
    {
        let found = food_web.cluster("M6", four(method));
        assert_eq!(found.n_clustered(), 62, "{method}");
        assert_eq!(food_web.ari(&found, theirs), 1.0, "{method}");
    }
    // Of the largest component alone, three clusters.
    for (method, theirs) in
        [(ClusterMethod::Embedding, "motif_embed"), (ClusterMethod::Recursive, "motif_recursive")]
    {
        let config = ClusterConfig { method, n_clusters: 3, ..ClusterConfig::default() };
        let found = food_web.cluster("M6", config);
        assert_eq!((found.n_clustered(), found.left_out.in_other_components), (50, 12));
        assert_eq!(food_web.ari(&found, theirs), 1.0, "{method}");
    }
}

/// Table S10 of their supplement has 0.3005 and 0.2156.
#[test]
fn motifs_find_the_classes_of_species_better_than_edges() {
    let Some(data) = data_folder() else { return skip() };
    let food_web = FloridaBay::read(&data);
    let known = Agreement::of(
        food_web.groups("motif_embed").of_nodes(),
        food_web.groups("class1").of_nodes(),
    )
    .unwrap();
    assert_eq!(format!("{:.4} {:.4}", known.ari, known.f1), "0.3005 0.4437");
    for (method, published) in
        [(ClusterMethod::Embedding, 0.3005), (ClusterMethod::Recursive, 0.2156)]
    {
        let by_motif = food_web.ari(&food_web.cluster("M6", four(method)), "class1");
        let by_edges = food_web.ari(&food_web.cluster("U", four(method)), "class1");
        assert!(by_motif >= published - 5e-5, "{method}: {by_motif}");
        assert!(by_motif > by_edges, "{method}: {by_motif}, {by_edges}");
    }
}

/// `networkx.clustering` of a DiGraph is Fagiolo's total, 0 where there is none (networkx 3.6.1).
#[test]
fn coefficients_are_those_of_networkx() {
    let Some(data) = data_folder() else { return skip() };
    let food_web = FloridaBay::read(&data);
    let nodes = MotifEngine::new(&food_web.loaded.graph).clustering();
    let total = |node: usize| nodes[node].coefficient(ClusteringKind::Total).unwrap_or(0.0);
    let sum: f64 = (0..128).map(total).sum();
    assert!((sum - 22.616_582_101_546_16).abs() < 1e-12, "{sum}");
    for (node, expected) in [
        (0, 0.158_333_333_333_333_33),
        (7, 0.232_026_143_790_849_68),
        (50, 0.176_638_176_638_176_63),
        (125, 0.065_359_477_124_183_01),
    ] {
        assert!((total(node) - expected).abs() < 1e-15, "{node}: {}", total(node));
    }
}
