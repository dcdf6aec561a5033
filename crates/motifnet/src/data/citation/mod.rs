//! Papers that cite each other: a seeded generator of a directed graph with words and classes.
//!
//! Papers appear one after the other, each about a problem of a topic of a field. They cite earlier
//! papers of their problem and topics, the well-known and the recent rather than others; some
//! references are found through those before them, which closes triangles, and a few of the cited
//! cite back. Words come from everybody's vocabulary, the field's and the topic's, and topics
//! overlap. The class of a paper is its main topic.
//!
//! The parameters are set by matching the statistics of CORA-full; `docs/citations.md` has the
//! model in formulas and the comparison.
//!
//! ```text
//! CitationConfig → Topics → Papers → arcs, words → CitationData → write_dataset → folder
//! ```
//!
//! ```
//! use motifnet::data::citation::{self, CitationConfig};
//!
//! let config = CitationConfig::of_size(300);
//! let data = citation::generate(&config, 7)?;
//! assert_eq!(data.graph.n_nodes(), 300);
//! assert_eq!(data.labels.n_classes(), config.n_classes);
//! assert_eq!(data, citation::generate(&config, 7)?);
//! # Ok::<(), motifnet::data::citation::CitationError>(())
//! ```

mod arcs;
mod config;
mod draws;
mod error;
mod papers;
#[cfg(test)]
mod properties;
mod topics;
mod urn;
mod weighted;
mod words;
mod write;

pub use config::CitationConfig;
pub use error::CitationError;
pub use write::NewDatasetError;

use self::papers::Papers;
use self::topics::Topics;
use super::Labels;
use crate::graph::generate::stream::Streams;
use crate::graph::{BuildOptions, DiGraph, EdgeList};
use crate::memory::Need;
use crate::sparse::CsrMatrix;

/// A generated citation graph. Nodes are numbered in order of time.
#[derive(Clone, Debug, PartialEq)]
pub struct CitationData {
    /// Arcs from citing to cited papers.
    pub graph: DiGraph,
    /// The main topic of every paper.
    pub labels: Labels,
    /// The field of every class.
    pub fields: Vec<u32>,
    /// The year of every paper, ascending.
    pub years: Vec<u32>,
    /// Which words every paper has: nodes × vocabulary, every entry 1.
    pub words: CsrMatrix<f32>,
}

/// Generates a citation graph. The same seed gives the same bits on any number of threads.
///
/// Time O(arcs + words · log vocabulary), memory O(arcs + words); the arcs are drawn by one thread,
/// since every paper sees all before it.
///
/// # Errors
/// If a parameter lies outside its bounds.
pub fn generate(config: &CitationConfig, seed: u64) -> Result<CitationData, CitationError> {
    config.check()?;
    need(config).check()?;
    let streams = Streams::new(seed, "citation");
    let topics = Topics::draw(config, &streams);
    let papers = Papers::draw(config, &topics, &streams);
    let arcs = arcs::draw(config, &topics, &papers, &streams);
    let words = words::draw(config, &topics, &papers, &Streams::new(seed, "citation words"));
    let arcs = EdgeList::from_pairs(config.n_nodes, arcs);
    let (graph, _) = DiGraph::build_planned(arcs, &BuildOptions::default())
        .expect("all ends of arcs are papers, and their number was checked");
    let of_node = papers.main.into_iter().map(Some).collect();
    let labels = Labels::new(class_names(config.n_classes), of_node)
        .expect("every main topic is one of the classes");
    Ok(CitationData { graph, labels, fields: topics.field, years: papers.year, words })
}

/// What the papers take: their words as entries of a matrix, in pieces and in order, and for each of them some
/// references, a place in the urns of its topics and of its problem, and a graph.
fn need(config: &CitationConfig) -> Need {
    let bytes_a_paper = 16.0 * config.paper_words + 400.0;
    Need {
        what: "generating the papers",
        n_bytes: (bytes_a_paper * config.n_nodes as f64) as u64,
        remedy: "generate fewer of them",
    }
}

/// `topic-01`, `topic-02`, …, with as many digits as the last needs, so that they stand in order.
fn class_names(n_classes: usize) -> Vec<String> {
    let digits = n_classes.to_string().len().max(2);
    (1..=n_classes).map(|number| format!("topic-{number:0digits$}")).collect()
}
