//! `cargo xtask bench cluster`: the same clusters on both sides, then how large a graph each can do in a minute.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use clap::Args;
use motifnet::graph::generate::rmat::{self, RmatConfig};
use motifnet::graph::{BuildOptions, DiGraph, NodeNames, ReadOptions, read_graph, write_graph};
use motifnet::motif::{MotifEngine, MotifSpec};
use motifnet::progress::Silent;
use motifnet::spectral::cluster::{ClusterConfig, ClusterLaplacian, ClusterMethod, cluster};
use serde::Deserialize;

use super::cluster_tables;
use super::peers::{Measured, Peers};
use super::warn_if_busy;
use crate::table::{grouped, seconds, table};
use crate::workspace;

/// What to measure.
#[derive(Args)]
pub(crate) struct ClusterArgs {
    /// Only the table of all motifs on polblogs and email-eu-core: agreement and conductance
    #[arg(long)]
    table: bool,
    /// Only the recovery of the blocks of directed stochastic block models
    #[arg(long)]
    dsbm: bool,
    /// The folder with the data sets' folders [default: $MOTIFNET_DATA]
    #[arg(long)]
    data: Option<PathBuf>,
    /// Measure MotifNet alone
    #[arg(long)]
    no_peers: bool,
    /// Threads of our side [default: all]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// How long one clustering may take, in seconds
    #[arg(long, value_name = "S", default_value_t = 60)]
    limit: usize,
}

/// The motifs that are measured: a triangle and a wedge.
const MOTIFS: [usize; 2] = [5, 8];
/// The first graph has so many nodes, each next four times as many; eight arcs a node.
const FIRST_NODES: u64 = 1 << 10;
const MOST_NODES: u64 = 1 << 20;
const ARCS_A_NODE: u64 = 8;
/// The most that the second eigenvalues may differ; motifcluster's iteration has no tolerance of its own.
const TOLERANCE: f64 = 1e-4;

/// Of our eigenvectors: what the second eigenvalue is compared to.
const RESIDUAL: f64 = TOLERANCE;
/// Where that is out of reach, as on a graph of which many parts hang by a thread, we stop here.
const MOST_PRODUCTS: usize = 5000;

/// What one side found, and how long it took from the graph in memory.
#[derive(Deserialize)]
pub(crate) struct Clustered {
    #[serde(default)]
    versions: BTreeMap<String, String>,
    nodes: u64,
    arcs: u64,
    seconds: f64,
    n_clustered: u64,
    lambda_2: f64,
    /// Of our eigenvector; motifcluster does not tell its own.
    #[serde(default)]
    residual: f64,
}

/// Runs what was asked for.
pub(crate) fn run(args: &ClusterArgs) -> Result<()> {
    let data = args.data.clone().or_else(|| std::env::var_os("MOTIFNET_DATA").map(Into::into));
    let threads = args.threads.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    pool.install(|| match (args.table, args.dsbm) {
        (true, _) => {
            let data =
                data.context("set MOTIFNET_DATA, or pass --data: the folder of data sets")?;
            cluster_tables::motifs(&data)
        }
        (_, true) => cluster_tables::dsbm(),
        _ => measure(args, data.as_deref()),
    })
}

fn measure(args: &ClusterArgs, data: Option<&Path>) -> Result<()> {
    warn_if_busy();
    let peers = if args.no_peers { Peers::none() } else { Peers::install() };
    let folder = workspace::target().join("bench-data");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    println!(
        "Two clusters by the second eigenvector of the random-walk motif Laplacian, from the graph in memory; \
         R-MAT graphs;\n{} threads on our side, one on motifcluster's; at most {} s each\n",
        rayon::current_num_threads(),
        args.limit
    );
    let mut rows = Vec::new();
    let mut versions = String::new();
    for motif in MOTIFS {
        let (mut ours_goes_on, mut peer_goes_on) = (true, true);
        let mut nodes = FIRST_NODES;
        while nodes <= MOST_NODES && (ours_goes_on || peer_goes_on) {
            let graph = generate(nodes)?;
            let ours = ours_goes_on.then(|| ours(&graph, motif)).transpose()?;
            let peer = peer_goes_on.then(|| {
                let file = folder.join(format!("rmat-{nodes}.tsv"));
                write(&graph, &file)?;
                Ok::<_, anyhow::Error>(peers.clusters(&file, motif, args.limit))
            });
            let peer = peer.transpose()?;
            if let (Some(ours), Some(Ok(peer))) = (&ours, &peer) {
                verify(ours, peer).with_context(|| format!("M{motif} of {nodes} nodes"))?;
                let named = peer.versions.iter().map(|(name, version)| format!("{name} {version}"));
                versions = named.collect::<Vec<_>>().join(", ");
            }
            let limit = args.limit as f64;
            ours_goes_on = ours.as_ref().is_some_and(|ours| ours.seconds <= limit);
            peer_goes_on = peer.as_ref().is_some_and(|peer| peer.is_ok());
            rows.push(row(motif, &graph, ours.as_ref(), peer.as_ref()));
            nodes *= 4;
        }
        if let Some(data) = data.map(|data| data.join("web-notredame")).filter(|data| data.is_dir())
        {
            let graph = read_graph(&data, &ReadOptions::default(), &Silent)?.graph;
            let ours = ours(&graph, motif)?;
            let mut row = row(motif, &graph, Some(&ours), None);
            row[1] = "web-notredame".to_owned();
            rows.push(row);
        }
    }
    let header =
        ["motif", "graph", "arcs", "clustered", "λ₂", "residual", "ours", "motifcluster", "÷ ours"];
    println!("{}{versions}", table(header, &rows));
    Ok(())
}

fn generate(nodes: u64) -> Result<DiGraph> {
    let config = RmatConfig {
        n_nodes: nodes as usize,
        n_arcs: nodes * ARCS_A_NODE,
        ..RmatConfig::default()
    };
    let arcs = rmat::generate(&config, 1)?;
    Ok(DiGraph::build(arcs, &BuildOptions::default())?.0)
}

fn write(graph: &DiGraph, file: &Path) -> Result<()> {
    let names = NodeNames::Indices(graph.n_nodes());
    write_graph(file, graph, &names)?;
    Ok(())
}

fn ours(graph: &DiGraph, motif: usize) -> Result<Clustered> {
    let config = ClusterConfig {
        method: ClusterMethod::Embedding,
        laplacian: ClusterLaplacian::RandomWalk,
        tolerance: RESIDUAL,
        max_products: MOST_PRODUCTS,
        ..ClusterConfig::default()
    };
    let start = Instant::now();
    let engine = MotifEngine::new(graph);
    let motifs = format!("M{motif}").parse()?;
    let found = cluster(&engine, &motifs, &MotifSpec::default(), &config, &Silent)?;
    Ok(Clustered {
        versions: BTreeMap::new(),
        nodes: graph.n_nodes() as u64,
        arcs: graph.n_arcs() as u64,
        seconds: start.elapsed().as_secs_f64(),
        n_clustered: found.n_clustered() as u64,
        lambda_2: found.eigenvalues[1],
        residual: found.residual,
    })
}

/// Makes sure that both sides had the same graph, found the same component and the same eigenvalue.
fn verify(ours: &Clustered, peer: &Clustered) -> Result<()> {
    let sizes = |side: &Clustered| [side.nodes, side.arcs, side.n_clustered];
    ensure!(sizes(ours) == sizes(peer), "sizes differ: {:?}, {:?}", sizes(ours), sizes(peer));
    let apart = (ours.lambda_2 - peer.lambda_2).abs();
    // Written so that NaN is refused, too.
    ensure!(
        apart <= TOLERANCE,
        "second eigenvalues differ: ours {}, motifcluster's {}",
        ours.lambda_2,
        peer.lambda_2
    );
    Ok(())
}

fn row(
    motif: usize,
    graph: &DiGraph,
    ours: Option<&Clustered>,
    peer: Option<&Measured<Clustered>>,
) -> [String; 9] {
    let none = || "–".to_owned();
    let time = |side: &Clustered| seconds(side.seconds);
    let ratio = match (ours, peer) {
        (Some(ours), Some(Ok(peer))) => format!("{:.1}", peer.seconds / ours.seconds),
        _ => none(),
    };
    [
        format!("M{motif}"),
        format!("{} nodes", grouped(graph.n_nodes() as u64)),
        grouped(graph.n_arcs() as u64),
        ours.map_or_else(none, |ours| grouped(ours.n_clustered)),
        ours.map_or_else(none, |ours| format!("{:.2e}", ours.lambda_2)),
        ours.map_or_else(none, |ours| format!("{:.0e}", ours.residual)),
        ours.map_or_else(none, time),
        match peer {
            Some(Ok(peer)) => time(peer),
            Some(Err(_)) => "not done".to_owned(),
            None => none(),
        },
        ratio,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(n_clustered: u64, lambda_2: f64) -> Clustered {
        let (nodes, arcs, seconds, versions) = (9, 20, 1.0, BTreeMap::new());
        Clustered { versions, nodes, arcs, seconds, n_clustered, lambda_2, residual: 0.0 }
    }

    #[test]
    fn only_equal_results_are_timed() {
        let ours = side(7, 0.25);
        assert!(verify(&ours, &side(7, 0.250_01)).is_ok());
        assert!(verify(&ours, &side(6, 0.25)).is_err());
        assert!(verify(&ours, &side(7, 0.26)).is_err());
        assert!(verify(&ours, &side(7, f64::NAN)).is_err());
    }
}
