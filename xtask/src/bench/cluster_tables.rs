//! How well clusters find what is known: classes of real graphs, and blocks of random ones.

use std::path::Path;

use anyhow::Result;
use motifnet::data::read_dataset;
use motifnet::experiment::Agreement;
use motifnet::graph::generate::dsbm::{self, DsbmConfig};
use motifnet::graph::{BuildOptions, DiGraph};
use motifnet::motif::{Instances, MotifEngine, MotifKind, MotifSpec};
use motifnet::progress::Silent;
use motifnet::spectral::cluster::{
    ClusterConfig, ClusterLaplacian, ClusterMethod, MotifSum, cluster,
};

use crate::table::{grouped, table};

/// Starts of k-means: enough for tables of many clusterings.
const STARTS: usize = 10;

/// Every motif that is symmetric on polblogs and email-eu-core, as many clusters as there are classes.
pub(super) fn motifs(data: &Path) -> Result<()> {
    for name in ["polblogs", "email-eu-core"] {
        let dataset = read_dataset(&data.join(name), &Silent)?;
        let engine = MotifEngine::new(&dataset.graph);
        let n_clusters = dataset.labels.n_classes();
        let mut rows = Vec::new();
        for kind in MotifKind::ALL.into_iter().filter(|kind| kind.is_symmetric()) {
            let config = ClusterConfig {
                method: ClusterMethod::Embedding,
                n_clusters,
                n_starts: STARTS,
                ..ClusterConfig::default()
            };
            let motifs = MotifSum::new([(kind, 1.0)])?;
            let found = match cluster(&engine, &motifs, &MotifSpec::default(), &config, &Silent) {
                Ok(found) => found,
                Err(error) => {
                    eprintln!("{name}, {kind}: {error}");
                    continue;
                }
            };
            let truth = dataset.labels.of_nodes();
            let Some(agreement) = Agreement::of(&found.of_node, truth) else { continue };
            let mean = found.clusters.iter().map(|cluster| cluster.conductance).sum::<f64>()
                / found.clusters.len() as f64;
            let sweep = found.best_sweep(1).map_or(f64::NAN, |best| best.1);
            rows.push([
                kind.to_string(),
                grouped(found.n_clustered() as u64),
                format!("{:.3}", agreement.ari).replace("-0.000", "0.000"),
                format!("{:.3}", agreement.nmi),
                format!("{mean:.3}"),
                format!("{sweep:.3}"),
            ]);
        }
        println!("{name}: {n_clusters} clusters by the embedding, against its classes\n");
        let header = ["motif", "clustered", "ARI", "NMI", "mean conductance", "best sweep"];
        println!("{}", table(header, &rows));
    }
    Ok(())
}

/// The motifs of motifcluster's experiments that have instances in such graphs.
const DSBM_MOTIFS: [MotifKind; 9] = [
    MotifKind::Single,
    MotifKind::Double,
    MotifKind::M1,
    MotifKind::M5,
    MotifKind::M8,
    MotifKind::M9,
    MotifKind::M10,
    MotifKind::M11,
    MotifKind::M13,
];
const REPEATS: u64 = 20;

/// Two blocks, `subgraph` instances, the random-walk Laplacian and one eigenvector, as in the experiments of
/// Underwood, Elliott and Cucuringu: the mean adjusted Rand index of graphs of the seeds 0, 1, ….
pub(super) fn dsbm() -> Result<()> {
    println!(
        "Blocks of 100 nodes, arcs inside with probability p and 0.1 between: mean ARI of {REPEATS} graphs\n"
    );
    let ps = [0.10, 0.12, 0.14, 0.15, 0.16, 0.18, 0.20];
    recovery("p", &ps.map(|p| (p, [[p, 0.1], [0.1, p]])))?;
    println!(
        "Blocks of 100 nodes, inside 0.2, from the first to the second q and back 0.4 − q: mean ARI of {REPEATS} \
         graphs\n"
    );
    let qs = [0.20, 0.24, 0.28, 0.32, 0.35, 0.38];
    recovery("q", &qs.map(|q| (q, [[0.2, q], [0.4 - q, 0.2]])))
}

fn recovery(name: &str, settings: &[(f64, [[f64; 2]; 2])]) -> Result<()> {
    let mut rows = Vec::new();
    for &(value, connections) in settings {
        let mut sums = [0.0; DSBM_MOTIFS.len()];
        for seed in 0..REPEATS {
            let config = DsbmConfig {
                block_sizes: vec![100; 2],
                connections: connections.map(|row| row.to_vec()).to_vec(),
                ..DsbmConfig::default()
            };
            let graph = DiGraph::build(dsbm::generate(&config, seed)?, &BuildOptions::default())?.0;
            let truth: Vec<Option<u32>> =
                config.block_of_each_node()?.into_iter().map(Some).collect();
            let engine = MotifEngine::new(&graph);
            for (sum, kind) in sums.iter_mut().zip(DSBM_MOTIFS) {
                *sum += ari(&engine, kind, &truth)? / REPEATS as f64;
            }
        }
        let cells = sums.map(|mean| format!("{mean:.2}").replace("-0.00", "0.00"));
        let [s, d, a, b, c, e, f, g, h] = cells;
        rows.push([format!("{value:.2}"), s, d, a, b, c, e, f, g, h]);
    }
    let [s, d, a, b, c, e, f, g, h] = DSBM_MOTIFS.map(MotifKind::name);
    println!("{}", table([name, s, d, a, b, c, e, f, g, h], &rows));
    Ok(())
}

fn ari(engine: &MotifEngine<'_>, kind: MotifKind, truth: &[Option<u32>]) -> Result<f64> {
    let config = ClusterConfig {
        method: ClusterMethod::Embedding,
        laplacian: ClusterLaplacian::RandomWalk,
        n_starts: STARTS,
        ..ClusterConfig::default()
    };
    let spec = MotifSpec { instances: Instances::Subgraph, ..MotifSpec::default() };
    let motifs = MotifSum::new([(kind, 1.0)])?;
    // A graph without instances tells nothing of the blocks.
    let Ok(found) = cluster(engine, &motifs, &spec, &config, &Silent) else { return Ok(0.0) };
    Ok(Agreement::of(&found.of_node, truth).map_or(0.0, |agreement| agreement.ari))
}
