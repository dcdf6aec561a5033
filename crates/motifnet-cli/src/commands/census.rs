//! `motifnet census`: how many triads of each class, in all and for every node and edge.

use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::motif::{
    ClusteringKind, Instances, MotifEngine, MotifKind, NodeClustering, TRIAD_NAMES, TriadCensus,
    mean_clustering,
};
use serde::Serialize;

use super::census_files::{CensusFiles, FileReport};
use crate::failure::Failure;
use crate::graph_args::{GraphArgs, GraphConfig};
use crate::numbers::{Count, bytes, grouped, grouped_len};
use crate::report::{GraphReport, Report};
use crate::session::Session;
use crate::spec_args::InstancesArg;
use crate::table::{Side, Table};

/// Count the triads of every class, and the motifs of every node and edge
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet census graph.tsv
  motifnet census graph.tsv --per-node nodes.csv --roles roles.csv.gz
  motifnet census graph.tsv --instances subgraph --json

The triads are named after Holland and Leinhardt (1976), the motifs after Benson, Gleich and
Leskovec (2016), the clustering coefficients after Fagiolo (2007): of directed triangles at a node
that its degrees leave room for, the share that is there. Files are compressed where their names end in .gz or .zst.")]
pub(crate) struct CensusArgs {
    #[command(flatten)]
    graph: GraphArgs,

    #[command(flatten)]
    instances: InstancesArg,

    /// Write, for every node, the instances of each motif that contain it
    ///
    /// CSV with the columns node,M1,…,M13.
    #[arg(long, value_name = "FILE")]
    per_node: Option<PathBuf>,

    /// Write, for every pair of adjacent nodes, the instances of each motif that contain both
    ///
    /// CSV with the columns source,target,relation,M1,…,M13. Every pair stands once; the relation
    /// says whether its arc goes from source to target (out), back (in), or both.
    #[arg(long, value_name = "FILE")]
    per_edge: Option<PathBuf>,

    /// Write, for every node, how often it plays each of the thirty roles of the motifs
    ///
    /// CSV with the column node and one for each role: M5.0 is the vertex 0 of M5, whose arcs are
    /// those that the census prints. Induced instances only.
    #[arg(long, value_name = "FILE")]
    roles: Option<PathBuf>,

    /// Write the directed clustering coefficients of every node
    ///
    /// CSV with the columns node,cycle,middleman,in,out,total: the share of the directed triangles of
    /// each kind that its degrees leave room for (Fagiolo 2007); empty where there is room for none.
    #[arg(long, value_name = "FILE")]
    clustering: Option<PathBuf>,
}

/// A census to take.
pub(crate) struct CensusConfig {
    graph: GraphConfig,
    instances: Instances,
    pub(super) per_node: Option<PathBuf>,
    pub(super) per_edge: Option<PathBuf>,
    pub(super) roles: Option<PathBuf>,
    pub(super) clustering: Option<PathBuf>,
}

impl CensusArgs {
    pub(crate) fn check(self) -> Result<CensusConfig, Failure> {
        let instances = self.instances.instances;
        if instances == Instances::Subgraph && self.roles.is_some() {
            let message = anyhow::anyhow!("--roles counts induced instances only");
            return Err(Failure::usage(message).hint("leave out --instances subgraph or --roles"));
        }
        let graph = self.graph.check();
        let outputs = [&self.per_node, &self.per_edge, &self.roles, &self.clustering];
        let outputs: Vec<&Path> = outputs.into_iter().flatten().map(PathBuf::as_path).collect();
        graph.inputs().check_outputs(&outputs)?;
        let Self { per_node, per_edge, roles, clustering, .. } = self;
        Ok(CensusConfig { graph, instances, per_node, per_edge, roles, clustering })
    }
}

impl CensusConfig {
    pub(crate) fn run(&self, session: &Session) -> Result<CensusReport, Failure> {
        // First of all, so that a wrong name does not cost a long run.
        let files = CensusFiles::create(self)?;
        let (loaded, graph) = self.graph.read(session)?;
        let engine = MotifEngine::planned(&loaded.graph, session.progress())?;
        let census = engine.census();
        let clustering = engine.clustering();
        let files = files.write(&engine, &clustering, &loaded.names, self.instances, session)?;
        Ok(CensusReport {
            graph,
            triads: triads(&census),
            instances: self.instances.name(),
            motifs: motifs(&census, self.instances),
            clustering: coefficients(&clustering),
            files,
        })
    }
}

fn triads(census: &TriadCensus) -> Vec<Triad> {
    let motif_of = |name: &str| {
        MotifKind::triads().into_iter().find(|kind| kind.holland_leinhardt() == Some(name))
    };
    let triads = TRIAD_NAMES.into_iter().zip(census.counts());
    triads
        .map(|(name, &count)| Triad {
            name,
            motif: motif_of(name).map(MotifKind::name),
            count: Count(count),
        })
        .collect()
}

fn coefficients(nodes: &[NodeClustering]) -> Vec<Coefficient> {
    let kinds = ClusteringKind::ALL.into_iter();
    let coefficient = |kind| {
        let (mean, n_nodes) = mean_clustering(nodes, kind);
        Coefficient { triangles: kind, mean, n_nodes }
    };
    kinds.map(coefficient).collect()
}

fn motifs(census: &TriadCensus, instances: Instances) -> Vec<Motif> {
    let kinds = MotifKind::triads();
    let induced = kinds.map(|kind| census.motif(kind).unwrap_or_default());
    let counts = instances.counts(&induced);
    let motifs = kinds.into_iter().zip(counts);
    motifs
        .map(|(kind, count)| Motif {
            name: kind.name(),
            arcs: kind.arcs(),
            kind,
            count: Count(count),
        })
        .collect()
}

/// What the census found.
#[derive(Serialize)]
pub(crate) struct CensusReport {
    graph: GraphReport,
    triads: Vec<Triad>,
    instances: &'static str,
    motifs: Vec<Motif>,
    clustering: Vec<Coefficient>,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct Triad {
    name: &'static str,
    motif: Option<&'static str>,
    count: Count,
}

/// The mean clustering coefficient of the nodes that have one.
#[derive(Serialize)]
struct Coefficient {
    triangles: ClusteringKind,
    mean: Option<f64>,
    n_nodes: usize,
}

#[derive(Serialize)]
struct Motif {
    name: &'static str,
    /// On the vertices 0, 1, 2.
    arcs: &'static [(usize, usize)],
    #[serde(skip)]
    kind: MotifKind,
    count: Count,
}

impl Report for CensusReport {
    fn text(&self) -> String {
        let columns = [("triad", Side::Left), ("motif", Side::Left), ("count", Side::Right)];
        let mut triads = Table::new(columns);
        for triad in &self.triads {
            let motif = triad.motif.unwrap_or_default().to_owned();
            triads.row([triad.name.to_owned(), motif, grouped(triad.count.0)]);
        }
        let counted = format!("{} instances", self.instances);
        let columns = [("motif", Side::Left), ("arcs", Side::Left), (&counted, Side::Right)];
        let mut motifs = Table::new(columns);
        for motif in &self.motifs {
            motifs.row([motif.name.to_owned(), arcs_of(motif.kind), grouped(motif.count.0)]);
        }
        let columns = [
            ("triangles", Side::Left),
            ("mean clustering", Side::Right),
            ("of nodes", Side::Right),
        ];
        let mut clustering = Table::new(columns);
        for Coefficient { triangles, mean, n_nodes } in &self.clustering {
            let mean = mean.map_or_else(|| "–".to_owned(), |mean| format!("{mean:.4}"));
            clustering.row([triangles.name().to_owned(), mean, grouped_len(*n_nodes)]);
        }
        let mut text = format!("{}\n{}\n{}", triads.render(), motifs.render(), clustering.render());
        if !self.files.is_empty() {
            let columns = [("file", Side::Left), ("rows", Side::Right), ("size", Side::Right)];
            let mut files = Table::new(columns);
            for file in &self.files {
                files.row([file.path.clone(), grouped(file.rows), bytes(file.bytes)]);
            }
            text += &format!("\n{}", files.render());
        }
        text
    }
}

/// The arcs of a motif: `0↔1 1→2 2→0`.
fn arcs_of(kind: MotifKind) -> String {
    let arcs = kind.arcs();
    let pairs = arcs.iter().filter_map(|&(source, target)| {
        let mutual = arcs.contains(&(target, source));
        match (mutual, source < target) {
            (false, _) => Some(format!("{source}→{target}")),
            (true, true) => Some(format!("{source}↔{target}")),
            (true, false) => None,
        }
    });
    pairs.collect::<Vec<_>>().join(" ")
}
