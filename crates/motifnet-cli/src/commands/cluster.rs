//! `motifnet cluster`: sets of nodes that few instances of a motif are cut between.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use motifnet::data::{DatasetSource, Labels, read_node_labels};
use motifnet::experiment::Agreement;
use motifnet::graph::NodeNames;
use motifnet::io::{CsvFile, WholeFile, WriteError};
use motifnet::motif::{MotifEngine, MotifSpec};
use motifnet::spectral::cluster::{
    ClusterConfig, ClusterError, ClusterLaplacian, ClusterMethod, Clustering, ComponentChoice,
    MotifSum, cluster,
};
use motifnet_report::{ClusterParts, cluster_page};

use super::cluster_report::ClusterReport;
use crate::failure::Failure;
use crate::graph_args::{GraphArgs, GraphConfig};
use crate::numbers::{grouped_len, plural};
use crate::plot_args::{PlotArgs, Plots};
use crate::session::Session;
use crate::spec_args::MotifSpecArgs;

/// Cluster the nodes so that few instances of a motif are cut
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet cluster graph.tsv --motif M6 -o clusters.csv
  motifnet cluster graph.tsv --motif M5+2*M8 --method embedding -k 4 --plot clusters.html
  motifnet cluster graph.tsv --motif M5 --method recursive -k 8 --max-conductance 0.4
  motifnet cluster graph.tsv --motif M6 --curve sweep.csv --truth groups.csv#class

The motif's matrix is taken as a weighted undirected graph, in which the conductance of a set of
nodes is the weight that leaves it over the lesser volume of the two sides: of a motif of three
nodes, the share of instances that are cut (Benson, Gleich and Leskovec 2016). Its largest
component is clustered; other nodes have none. Clusters are numbered from 0, the largest first.
Files are compressed where their names end in .gz or .zst.")]
pub(crate) struct ClusterArgs {
    #[command(flatten)]
    graph: GraphArgs,

    /// A motif, or a weighted sum of several, as in M5+2*M8
    ///
    /// M1 to M13, U, Ms, Md, Mcoll or Mexpa; not in and out, which are not symmetric.
    #[arg(long, short, value_name = "SUM")]
    motif: MotifSum,

    #[command(flatten)]
    spec: MotifSpecArgs,

    /// How clusters are found
    #[arg(long, value_name = "METHOD", default_value = ClusterMethod::default().name(), value_parser = method_parser())]
    method: ClusterMethod,

    /// How many clusters; recursive bisection may stop before
    #[arg(short = 'k', long = "clusters", value_name = "K", default_value_t = 2)]
    n_clusters: usize,

    /// The Laplacian whose eigenvectors tell the clusters
    #[arg(long, value_name = "WHICH", default_value = ClusterLaplacian::default().name(), value_parser = laplacian_parser())]
    laplacian: ClusterLaplacian,

    /// Which components of the motif graph are clustered
    #[arg(long, value_name = "WHICH", default_value = ComponentChoice::default().name(), value_parser = components_parser())]
    components: ComponentChoice,

    /// No cut leaves fewer nodes than this on a side (sweep, recursive)
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_size: usize,

    /// A part whose best cut has a conductance above this is left whole (recursive)
    #[arg(long, value_name = "PHI", allow_negative_numbers = true, default_value_t = 1.0)]
    max_conductance: f64,

    /// How often k-means starts anew; the best counts (embedding)
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        default_value_t = ClusterConfig::default().n_starts
    )]
    restarts: usize,

    /// How precise the eigenvectors are: their residual, as a share of the largest eigenvalue
    #[arg(
        long,
        value_name = "X",
        allow_negative_numbers = true,
        default_value_t = ClusterConfig::default().tolerance
    )]
    tolerance: f64,

    /// Stop looking for better eigenvectors after so many products with the graph, and take what there is
    #[arg(long, value_name = "N", default_value_t = ClusterConfig::default().max_products)]
    max_products: usize,

    /// What the random numbers come from: the same seed gives the same clusters
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Write the cluster of every node
    ///
    /// CSV with the columns node,cluster; a node that was left out has an empty cluster.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the sweep: the nodes in the order of the second eigenvector
    ///
    /// CSV with the columns rank,node,value,conductance: that of the nodes down to this one.
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,

    /// Compare with known classes: a CSV or Parquet table of nodes, an array, or FILE#COLUMN
    ///
    /// Over the nodes that have a cluster and a class: the adjusted Rand index, normalised mutual
    /// information, the F1 score of pairs, and purity.
    #[arg(long, value_name = "FILE")]
    truth: Option<String>,

    #[command(flatten)]
    plot: PlotArgs,
}

fn method_parser() -> impl TypedValueParser<Value = ClusterMethod> {
    PossibleValuesParser::new(ClusterMethod::ALL.map(|method| {
        PossibleValue::new(method.name()).help(match method {
            ClusterMethod::Sweep => "two clusters: the best cut along the second eigenvector",
            ClusterMethod::Recursive => "sweeps of the part with most nodes, again and again",
            ClusterMethod::Embedding => "k-means of the rows of the first k eigenvectors",
        })
    }))
    .try_map(|word| word.parse::<ClusterMethod>())
}

fn laplacian_parser() -> impl TypedValueParser<Value = ClusterLaplacian> {
    PossibleValuesParser::new(ClusterLaplacian::ALL.map(|laplacian| {
        PossibleValue::new(laplacian.name()).help(match laplacian {
            ClusterLaplacian::Normalized => "I − D^-½ W D^-½; k-means of rows of unit length",
            ClusterLaplacian::RandomWalk => "I − D⁻¹ W; k-means without the first eigenvector",
            ClusterLaplacian::Combinatorial => "D − W; likewise",
        })
    }))
    .try_map(|word| word.parse::<ClusterLaplacian>())
}

fn components_parser() -> impl TypedValueParser<Value = ComponentChoice> {
    PossibleValuesParser::new(ComponentChoice::ALL.map(|components| {
        PossibleValue::new(components.name()).help(match components {
            ComponentChoice::Largest => "the one with most nodes",
            ComponentChoice::All => "all with an instance, set apart first (recursive, embedding)",
        })
    }))
    .try_map(|word| word.parse::<ComponentChoice>())
}

/// Clusters to find.
pub(crate) struct ClusterCommand {
    graph: GraphConfig,
    motifs: MotifSum,
    spec: MotifSpec,
    config: ClusterConfig,
    output: Option<PathBuf>,
    curve: Option<PathBuf>,
    truth: Option<String>,
    plots: Plots,
}

impl ClusterArgs {
    pub(crate) fn check(self) -> Result<ClusterCommand, Failure> {
        let config = ClusterConfig {
            method: self.method,
            n_clusters: self.n_clusters,
            laplacian: self.laplacian,
            components: self.components,
            min_size: self.min_size,
            max_conductance: self.max_conductance,
            n_starts: self.restarts,
            tolerance: self.tolerance,
            max_products: self.max_products,
            seed: self.seed,
        };
        config.check().map_err(Failure::usage)?;
        if self.components == ComponentChoice::All && self.curve.is_some() {
            let message = anyhow::anyhow!("--curve: there is no sweep of several components");
            return Err(Failure::usage(message).hint("leave out --components all or --curve"));
        }
        let (graph, plots) = (self.graph.check(), self.plot.check()?);
        let tables = [&self.output, &self.curve].into_iter().flatten().map(PathBuf::as_path);
        let outputs: Vec<&Path> = tables.chain(plots.paths()).collect();
        let truth = DatasetSource { labels: self.truth.clone(), ..DatasetSource::default() };
        graph.inputs().with_data(&truth, "the file of --truth").check_outputs(&outputs)?;
        let Self { motif: motifs, spec, output, curve, truth, .. } = self;
        let spec = spec.spec();
        Ok(ClusterCommand { graph, motifs, spec, config, output, curve, truth, plots })
    }
}

impl ClusterCommand {
    pub(crate) fn run(&self, session: &Session) -> Result<ClusterReport, Failure> {
        // First of all, so that a wrong name does not cost a long run.
        let clusters_file = begun(self.output.as_deref(), &["node", "cluster"])?;
        let curve_columns = ["rank", "node", "value", "conductance"];
        let curve_file = begun(self.curve.as_deref(), &curve_columns)?;
        let pictures = self.plots.create()?;
        let (loaded, graph) = self.graph.read(session)?;
        let truth = self.truth(&loaded.names, session)?;
        let progress = session.progress();
        let engine = MotifEngine::planned(&loaded.graph, progress)?;
        let found =
            cluster(&engine, &self.motifs, &self.spec, &self.config, progress).map_err(failure)?;
        drop(engine);
        if let Some(said) = left_out(&found, &self.motifs, self.config.components) {
            session.note(&said);
        }
        if !found.is_converged(&self.config) {
            session.note(&format!(
                "the eigenvectors have a residual of {:.1e} after {} products, and {:.1e} is wanted: \
                 eigenvalues are upper bounds, and better cuts may exist; --max-products takes more",
                found.residual,
                grouped_len(self.config.max_products),
                self.config.tolerance,
            ));
        }
        let agreement = truth.as_ref().and_then(|truth| agreement(&found, truth, session));

        let pictures = pictures.draw(|| {
            cluster_page(&ClusterParts {
                graph: &graph.path,
                motifs: &self.motifs,
                spec: &self.spec,
                config: &self.config,
                found: &found,
                agreement: agreement.as_ref(),
            })
        })?;
        let mut files = Vec::new();
        if let Some(mut file) = clusters_file {
            write_clusters(&mut file, &found, &loaded.names)?;
            files.push(file);
        }
        if let (Some(mut file), Some(_)) = (curve_file, &found.curve) {
            write_curve(&mut file, &found, &loaded.names)?;
            files.push(file);
        }
        files.into_iter().try_for_each(CsvFile::commit)?;
        pictures.into_iter().try_for_each(WholeFile::commit)?;
        let paths = [&self.output, &self.curve].into_iter().flatten().map(PathBuf::as_path);
        let paths = paths.chain(self.plots.paths());
        Ok(ClusterReport {
            graph,
            motifs: self.motifs.clone(),
            spec: self.spec,
            config: self.config,
            found,
            agreement,
            names: loaded.names,
            files: paths.map(|path| path.display().to_string()).collect(),
        })
    }

    fn truth(&self, names: &NodeNames, session: &Session) -> Result<Option<Labels>, Failure> {
        let Some(file) = &self.truth else { return Ok(None) };
        let limit = self.graph.max_decompressed_bytes();
        let labels = read_node_labels(file, names, limit, session.progress());
        labels.map(Some).map_err(Failure::run)
    }
}

fn begun(path: Option<&Path>, header: &[&str]) -> Result<Option<CsvFile>, WriteError> {
    path.map(|path| CsvFile::create(path, header)).transpose()
}

fn failure(error: ClusterError) -> Failure {
    let hint = match &error {
        ClusterError::TooManyClusters { .. } | ClusterError::MoreComponents { .. } => {
            "pass another -k, or --components"
        }
        ClusterError::NoInstances { .. } => {
            "`motifnet census` counts the motifs; pass another --motif, or --instances subgraph"
        }
        ClusterError::NegativeWeights(_) => {
            "pass --weights count to ignore the weights of the arcs"
        }
        ClusterError::NoCut { .. } => "pass a smaller --min-size",
        ClusterError::Memory(_) => return Failure::run(error),
        ClusterError::Krylov(_) => "pass a larger --tolerance, or another --laplacian",
        _ => return Failure::usage(error),
    };
    Failure::run(error).hint(hint)
}

/// What was not clustered, in words; none if all was.
fn left_out(found: &Clustering, motifs: &MotifSum, components: ComponentChoice) -> Option<String> {
    let left = &found.left_out;
    let n_nodes = found.of_node.len();
    let n_left = n_nodes - found.n_clustered();
    if n_left == 0 {
        return None;
    }
    let mut reasons = Vec::new();
    if left.without_instance > 0 {
        reasons.push(format!("{} in no instance of {motifs}", grouped_len(left.without_instance)));
    }
    if left.in_other_components > 0 {
        reasons.push(format!(
            "{} in {} of its graph",
            grouped_len(left.in_other_components),
            plural(left.other_components as u64, "smaller component", "smaller components"),
        ));
    }
    let remedy = match components == ComponentChoice::Largest && left.in_other_components > 0 {
        true => "; --components all takes in the components",
        false => "",
    };
    Some(format!(
        "{} of {} have no cluster: {}{remedy}",
        grouped_len(n_left),
        plural(n_nodes as u64, "node", "nodes"),
        reasons.join(", ")
    ))
}

fn agreement(found: &Clustering, truth: &Labels, session: &Session) -> Option<Agreement> {
    let agreement = Agreement::of(&found.of_node, truth.of_nodes());
    if agreement.is_none() {
        session.note("no node has both a cluster and a class, so there is nothing to compare");
    }
    agreement
}

fn write_clusters(
    file: &mut CsvFile,
    found: &Clustering,
    names: &NodeNames,
) -> Result<(), WriteError> {
    file.write_rows(found.of_node.len(), |node, line| {
        let line = line.text(&names.name(node as u32));
        match found.of_node[node] {
            Some(cluster) => line.integer(cluster),
            None => line.empty(),
        }
    })
}

fn write_curve(
    file: &mut CsvFile,
    found: &Clustering,
    names: &NodeNames,
) -> Result<(), WriteError> {
    let Some(curve) = &found.curve else { return Ok(()) };
    file.write_rows(curve.nodes.len(), |rank, line| {
        let line = line.integer(rank as u64 + 1).text(&names.name(curve.nodes[rank]));
        let line = line.double(curve.values[rank]);
        // All nodes together leave nothing outside.
        match curve.conductances.get(rank) {
            Some(&conductance) => line.double(conductance),
            None => line.empty(),
        }
    })
}
