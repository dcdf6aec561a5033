//! What `motifnet cluster` found.

use motifnet::experiment::Agreement;
use motifnet::graph::NodeNames;
use motifnet::motif::MotifSpec;
use motifnet::spectral::cluster::{ClusterConfig, Clustering, MotifSum, Stop};
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};
use serde_json::json;

use crate::numbers::{decimal, grouped, grouped_len, plural};
use crate::report::{GraphReport, Report};
use crate::table::{Side, Table};

/// Clusters, as text and as JSON.
pub(crate) struct ClusterReport {
    pub(super) graph: GraphReport,
    pub(super) motifs: MotifSum,
    pub(super) spec: MotifSpec,
    pub(super) config: ClusterConfig,
    pub(super) found: Clustering,
    pub(super) agreement: Option<Agreement>,
    pub(super) names: NodeNames,
    pub(super) files: Vec<String>,
}

impl Serialize for ClusterReport {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let found = &self.found;
        let best = found.best_sweep(self.config.min_size);
        let best = best.map(|(n_nodes, conductance)| {
            json!({ "n_nodes": n_nodes, "conductance": conductance, "bound": self.bound() })
        });
        let mut report = to.serialize_struct("ClusterReport", 18)?;
        report.serialize_field("graph", &self.graph)?;
        report.serialize_field("motif", &self.motifs)?;
        report.serialize_field("spec", &self.spec)?;
        report.serialize_field("method", &self.config.method)?;
        report.serialize_field("laplacian", &self.config.laplacian)?;
        report.serialize_field("components", &self.config.components)?;
        report.serialize_field("seed", &self.config.seed)?;
        report.serialize_field("n_clustered", &found.n_clustered())?;
        report.serialize_field("left_out", &found.left_out)?;
        report.serialize_field("eigenvalues", &found.eigenvalues)?;
        report.serialize_field("residual", &found.residual)?;
        report.serialize_field("best_sweep", &best)?;
        report.serialize_field("clusters", &found.clusters)?;
        report.serialize_field("bisections", &found.bisections)?;
        report.serialize_field("stop", &found.stop)?;
        report.serialize_field("agreement", &self.agreement)?;
        report.serialize_field("curve", &found.curve.as_ref().map(|_| Curve(self)))?;
        report.serialize_field("nodes", &Nodes(self))?;
        report.serialize_field("files", &self.files)?;
        report.end()
    }
}

/// The sweep, a row a node.
struct Curve<'a>(&'a ClusterReport);

impl Serialize for Curve<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Some(curve) = &self.0.found.curve else { return to.serialize_none() };
        to.collect_seq(curve.nodes.iter().enumerate().map(|(rank, &node)| {
            json!({
                "node": self.0.names.name(node),
                "value": curve.values[rank],
                "conductance": curve.conductances.get(rank),
            })
        }))
    }
}

/// The cluster of every node.
struct Nodes<'a>(&'a ClusterReport);

impl Serialize for Nodes<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let of_node = &self.0.found.of_node;
        let mut nodes = to.serialize_seq(Some(of_node.len()))?;
        for (node, cluster) in of_node.iter().enumerate() {
            let name = self.0.names.name(node as u32);
            nodes.serialize_element(&json!({ "node": name, "cluster": cluster }))?;
        }
        nodes.end()
    }
}

impl ClusterReport {
    /// √(2 λ₂), which no sweep along the second eigenvector of one component is above.
    fn bound(&self) -> Option<f64> {
        self.found.cheeger_bound(self.config.laplacian)
    }

    fn facts(&self) -> Table {
        let (found, config) = (&self.found, &self.config);
        let mut facts = Table::of_facts();
        let MotifSpec { support, instances, weights } = self.spec;
        facts.fact("motif", format!("{} ({support}, {instances}, {weights})", self.motifs));
        facts.fact("method", format!("{}, {} Laplacian", config.method, config.laplacian));
        facts.fact(
            "clustered",
            format!(
                "{} of {}",
                grouped_len(found.n_clustered()),
                plural(found.of_node.len() as u64, "node", "nodes")
            ),
        );
        let values = found.eigenvalues.iter().map(|value| decimals(*value));
        facts.fact("eigenvalues", values.collect::<Vec<_>>().join(", "));
        if let Some((n_nodes, conductance)) = found.best_sweep(config.min_size) {
            let bound =
                self.bound().map(|bound| format!("; at most √(2 λ₂) = {}", decimals(bound)));
            facts.fact(
                "best sweep",
                format!(
                    "conductance {} after {}{}",
                    decimals(conductance),
                    plural(n_nodes as u64, "node", "nodes"),
                    bound.unwrap_or_default()
                ),
            );
        }
        if let Some(stop) = found.stop {
            facts.fact("stopped", stopped(stop, config));
        }
        facts
    }

    fn bisections(&self) -> Table {
        let mut table = Table::new([
            ("cut", Side::Right),
            ("nodes", Side::Right),
            ("sides", Side::Right),
            ("conductance", Side::Right),
            ("λ₂", Side::Right),
        ]);
        for (at, cut) in self.found.bisections.iter().enumerate() {
            let [larger, smaller] = cut.sides.map(grouped_len);
            table.row([
                (at + 1).to_string(),
                grouped_len(cut.n_nodes),
                format!("{larger} + {smaller}"),
                decimals(cut.conductance),
                decimals(cut.lambda),
            ]);
        }
        table
    }
}

fn stopped(stop: Stop, config: &ClusterConfig) -> String {
    match stop {
        Stop::Reached => format!("{} clusters were reached", config.n_clusters),
        Stop::TooSmall => "no part can be cut any more".to_owned(),
        Stop::Conductance => format!(
            "no part has a cut with a conductance of at most {}",
            decimals(config.max_conductance)
        ),
    }
}

/// A sum of weights: a count where it is one.
fn weight(number: f64) -> String {
    match number.fract() == 0.0 && number < 1e15 {
        true => grouped(number as u64),
        false => decimal(number),
    }
}

/// Four digits that matter.
fn decimals(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        _ if number.abs() < 1e-4 => format!("{number:.1e}"),
        _ => format!("{number:.4}"),
    }
}

impl Report for ClusterReport {
    fn text(&self) -> String {
        let mut clusters = Table::new([
            ("cluster", Side::Right),
            ("nodes", Side::Right),
            ("volume", Side::Right),
            ("cut", Side::Right),
            ("conductance", Side::Right),
        ]);
        for (number, cluster) in self.found.clusters.iter().enumerate() {
            clusters.row([
                number.to_string(),
                grouped_len(cluster.n_nodes),
                weight(cluster.volume),
                weight(cluster.cut),
                decimals(cluster.conductance),
            ]);
        }
        let mut text = format!("{}\n{}", self.facts().render(), clusters.render());
        if !self.found.bisections.is_empty() {
            text += &format!("\n{}", self.bisections().render());
        }
        if let Some(agreement) = &self.agreement {
            let columns = ["compared", "ARI", "NMI", "F1 of pairs", "purity"];
            let mut table = Table::new(columns.map(|name| (name, Side::Right)));
            let Agreement { n_nodes, ari, nmi, f1, purity } = *agreement;
            let figures = [ari, nmi, f1, purity].map(|figure| format!("{figure:.4}"));
            table.row([grouped_len(n_nodes)].into_iter().chain(figures));
            text += &format!("\n{}", table.render());
        }
        for file in &self.files {
            text += &format!("\nwritten: {file}");
        }
        if !self.files.is_empty() {
            text.push('\n');
        }
        text
    }
}
