//! The page of a clustering.

use motifnet::experiment::Agreement;
use motifnet::motif::MotifSpec;
use motifnet::spectral::cluster::{ClusterConfig, ClusterFacts, Clustering, MotifSum, SweepCurve};

use crate::Table;
use crate::chart::{Bar, BarChart, LineChart, Marker, Point, Series};
use crate::numbers::{grouped, share, value};
use crate::page::{Block, HeadlineNumber, Page, Section};

/// What the page needs.
pub struct ClusterParts<'a> {
    /// What the graph is called.
    pub graph: &'a str,
    /// The motifs whose graph was cut.
    pub motifs: &'a MotifSum,
    /// What their instances are.
    pub spec: &'a MotifSpec,
    /// What was asked for.
    pub config: &'a ClusterConfig,
    /// What was found.
    pub found: &'a Clustering,
    /// How it agrees with what is known.
    pub agreement: Option<&'a Agreement>,
}

/// The page of a clustering: how well the clusters are set apart, the sweep, how a recursive bisection went, and
/// how they agree with what is known.
pub fn cluster_page(parts: &ClusterParts<'_>) -> Page {
    let ClusterParts { graph, motifs, config, found, .. } = *parts;
    let mut sections = vec![overview(parts)];
    sections.extend(found.curve.as_ref().map(|curve| sweep(parts, curve)));
    sections.push(clusters(&found.clusters));
    if !found.bisections.is_empty() {
        sections.push(bisections(found));
    }
    Page {
        title: format!("Clusters of {graph} by {motifs}"),
        lead: format!(
            "{} clusters of {} nodes by the method {}, so that few instances are cut.",
            found.clusters.len(),
            grouped(found.n_clustered()),
            config.method
        ),
        sections,
    }
}

fn overview(parts: &ClusterParts<'_>) -> Section {
    let ClusterParts { motifs, config, found, .. } = *parts;
    let MotifSpec { support, instances, weights } = *parts.spec;
    let mut section = Section::new("overview", "Overview");
    let number = |label: &str, value: String, note: String| HeadlineNumber {
        label: label.to_owned(),
        value,
        note,
    };
    let mut headline = vec![number(
        "nodes in a cluster",
        grouped(found.n_clustered()),
        format!("of {}", grouped(found.of_node.len())),
    )];
    let best = found.best_sweep(config.min_size);
    headline.extend(best.map(|(_, conductance)| {
        let bound = found.cheeger_bound(config.laplacian);
        let bound = bound.map(|bound| format!("at most √(2 λ₂) = {}", value(bound)));
        number("best sweep's conductance", value(conductance), bound.unwrap_or_default())
    }));
    headline.extend(parts.agreement.map(|agreement| {
        let note = format!("with known classes of {} nodes", grouped(agreement.n_nodes));
        number("adjusted Rand index", share(agreement.ari), note)
    }));
    section.blocks.push(Block::Headline(headline));
    let eigenvalues: Vec<String> = found.eigenvalues.iter().map(|&lambda| value(lambda)).collect();
    let mut facts = vec![
        ("motif", format!("{motifs}, support {support}, {instances} instances, weights {weights}")),
        ("method", config.method.to_string()),
        ("Laplacian", config.laplacian.to_string()),
        ("eigenvalues", eigenvalues.join(", ")),
        ("seed", config.seed.to_string()),
    ];
    if let Some(agreement) = parts.agreement {
        facts.push(("normalised mutual information", share(agreement.nmi)));
        facts.push(("F1 of pairs", share(agreement.f1)));
        facts.push(("purity", share(agreement.purity)));
    }
    let facts = facts.into_iter().map(|(name, fact)| (name.to_owned(), fact));
    section.blocks.push(Block::Facts(facts.collect()));
    let left = &found.left_out;
    if left.without_instance > 0 {
        section.note(format!(
            "{} nodes are in no instance of {motifs}, and have no cluster.",
            grouped(left.without_instance)
        ));
    }
    if left.in_other_components > 0 {
        section.note(format!(
            "{} nodes are in {} smaller components of the motif graph, and have no cluster.",
            grouped(left.in_other_components),
            grouped(left.other_components)
        ));
    }
    section
}

fn sweep(parts: &ClusterParts<'_>, curve: &SweepCurve) -> Section {
    let ClusterParts { config, found, .. } = *parts;
    let mut section = Section::new("sweep", "The sweep");
    section.prose(
        "The nodes are put in the order of the second eigenvector. The conductance of the first nodes of \
         that order is the weight that joins them to the others, over the lesser volume of the two sides; of \
         a motif of three nodes, the share of its instances that are cut.",
    );
    let points = curve.conductances.iter().enumerate();
    let points = points.map(|(at, &y)| Point { x: (at + 1) as f64, y, spread: None });
    let best = found.best_sweep(config.min_size);
    let chart = LineChart {
        name: "sweep".to_owned(),
        title: "Conductance along the sweep".to_owned(),
        caption: "Low places are good cuts; the lowest that was allowed is pointed out.".to_owned(),
        x_label: "nodes before the cut".to_owned(),
        y_label: "conductance".to_owned(),
        series: vec![Series {
            name: "conductance".to_owned(),
            points: points.collect(),
            dashed: false,
        }],
        marker: best.map(|(size, conductance)| Marker {
            x: size as f64,
            label: format!("{} after {}", value(conductance), grouped(size)),
        }),
        ..LineChart::default()
    };
    section.figure(chart.figure(), chart.table());
    section
}

/// More clusters than this are not drawn.
const MOST_DRAWN: usize = 40;

fn clusters(clusters: &[ClusterFacts]) -> Section {
    let mut section = Section::new("clusters", "The clusters");
    let bars = clusters.iter().take(MOST_DRAWN).enumerate().map(|(number, cluster)| Bar {
        label: format!("{number} ({} nodes)", grouped(cluster.n_nodes)),
        value: cluster.conductance,
        spread: None,
    });
    let chart = BarChart {
        name: "clusters".to_owned(),
        title: "Conductance of each cluster".to_owned(),
        caption: "Short bars are clusters that are well set apart.".to_owned(),
        value_label: "conductance".to_owned(),
        bars: bars.collect(),
    };
    let mut table =
        Table::new("The clusters", ["cluster"], ["nodes", "volume", "cut", "conductance"]);
    for (number, cluster) in clusters.iter().enumerate() {
        table.row([
            number.to_string(),
            grouped(cluster.n_nodes),
            value(cluster.volume),
            value(cluster.cut),
            value(cluster.conductance),
        ]);
    }
    section.figure(chart.figure(), table);
    section
}

fn bisections(found: &Clustering) -> Section {
    let mut section = Section::new("bisections", "Cut by cut");
    let mut table = Table::new(
        "Every cut, in order",
        ["cut"],
        ["nodes", "larger side", "smaller side", "conductance", "λ₂"],
    );
    for (at, cut) in found.bisections.iter().enumerate() {
        table.row([
            (at + 1).to_string(),
            grouped(cut.n_nodes),
            grouped(cut.sides[0]),
            grouped(cut.sides[1]),
            value(cut.conductance),
            value(cut.lambda),
        ]);
    }
    section.blocks.push(Block::Table(table));
    section
}

#[cfg(test)]
mod tests {
    use motifnet::graph::{DiGraph, EdgeList};
    use motifnet::motif::MotifEngine;
    use motifnet::progress::Silent;
    use motifnet::spectral::cluster::{ClusterMethod, cluster};

    use super::*;

    #[test]
    fn a_clustering_is_drawn_and_told() {
        let clique = |first: u32| {
            (first..first + 5).flat_map(move |s| (first..first + 5).map(move |t| (s, t)))
        };
        let arcs = clique(0).chain(clique(5)).chain([(0, 5), (5, 1), (0, 1)]);
        let arcs = EdgeList::from_pairs(12, arcs);
        let (graph, _) = DiGraph::build(arcs, &Default::default()).unwrap();
        let engine = MotifEngine::new(&graph);
        let (motifs, spec) = ("U".parse().unwrap(), MotifSpec::default());
        let config = ClusterConfig { method: ClusterMethod::Recursive, ..Default::default() };
        let found = cluster(&engine, &motifs, &spec, &config, &Silent).unwrap();
        let agreement = Agreement::of(&found.of_node, &[Some(0); 12]);
        let page = cluster_page(&ClusterParts {
            graph: "<b>",
            motifs: &motifs,
            spec: &spec,
            config: &config,
            found: &found,
            agreement: agreement.as_ref(),
        });
        assert_eq!(page.title, "Clusters of <b> by U");
        let names: Vec<&str> = page.figures().map(|figure| figure.name.as_str()).collect();
        assert_eq!(names, ["sweep", "clusters"]);
        assert_eq!(
            page.notes().collect::<Vec<_>>(),
            ["2 nodes are in no instance of U, and have no cluster."]
        );
        let html = page.to_html();
        for text in ["Cut by cut", "adjusted Rand index", "0.0000", "&lt;b&gt;"] {
            assert!(html.contains(text), "{text}");
        }
    }
}
