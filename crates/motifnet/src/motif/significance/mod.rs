//! Which motifs are more than chance: counts beside those of randomised graphs (Milo et al. 2002).
//!
//! ```text
//! MotifEngine → chains of switched graphs → counts of every sample → Significance
//! ```

mod arc_switching;
mod chain;
mod class;
mod config;
mod mixing;
mod node;
mod pair_switching;
#[cfg(test)]
mod properties;
mod quads;
mod statistics;
mod switching;

use std::sync::{Mutex, OnceLock, PoisonError};

pub use class::ClassSignificance;
pub use config::{NullModel, SignificanceConfig, SignificanceError};
pub use mixing::Mixing;
pub use node::{NodeSignificance, Participation};

use super::engine::pass_need;
use super::{Instances, MotifEngine};
use crate::memory::Need;
use crate::progress::{Progress, Unit};
use crate::threads::side_by_side;
use chain::{ChainPlan, Walked};
use class::ClassCounts;
use node::NodeSums;

/// How the motif counts of a graph compare with those of graphs that are random but for what a null
/// model keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Significance {
    /// What was asked for.
    pub config: SignificanceConfig,
    /// M1 to M13, and of induced instances also the triads that are no motifs: 003, 012, 102.
    pub classes: Vec<ClassSignificance>,
    /// How well the samples are mixed; `None` where they are drawn and not walked to.
    pub mixing: Option<Mixing>,
    /// By node, if asked for: M1 to M13.
    pub nodes: Option<Vec<NodeSignificance>>,
}

/// Compares the counts of a graph with those of `config.n_samples` randomised ones.
///
/// Samples lie on chains of switches that begin at the graph itself and are independent of each other;
/// a chain depends on the seed and its number alone, so the result does not depend on threads. Time for a
/// sample: O(switches · arcs) and a triangle pass; memory about 120 bytes an arc and thread.
///
/// Milo, Shen-Orr, Itzkovitz, Kashtan, Chklovskii, Alon: Network motifs (2002); the profile is that of
/// Milo et al.: Superfamilies of evolved and designed networks (2004).
///
/// ```
/// use motifnet::graph::{DiGraph, EdgeList};
/// use motifnet::motif::{MotifEngine, MotifKind, SignificanceConfig, significance};
/// use motifnet::progress::Silent;
///
/// // Two feed-forward loops, which a graph with the same degrees has no reason to have.
/// let arcs = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (6, 0), (3, 7)];
/// let (graph, _) = DiGraph::build(EdgeList::from_pairs(8, arcs), &Default::default())?;
/// let engine = MotifEngine::new(&graph);
/// let found = significance(&engine, &SignificanceConfig::default(), &Silent)?;
/// let loops = found.class(MotifKind::M5);
/// assert_eq!(loops.count, 2);
/// assert!(loops.mean < 2.0 && loops.z.is_some_and(|z| z > 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there are fewer than two samples or no switches, or the system has no threads to give.
pub fn significance(
    engine: &MotifEngine<'_>,
    config: &SignificanceConfig,
    progress: &dyn Progress,
) -> Result<Significance, SignificanceError> {
    config.check()?;
    config.need(engine).check()?;
    let plan = ChainPlan::new(engine, config);
    let sums = config.per_node.then(|| Mutex::new(NodeSums::new(engine.graph().n_nodes())));
    let walked: Vec<OnceLock<Walked>> = vec![OnceLock::new(); plan.n_chains()];
    progress.begin("randomising", Some(config.n_samples as u64), Unit::Items);
    side_by_side(plan.n_chains(), |number| {
        let walk = plan.walk(number, |sample: &MotifEngine<'_>| {
            if let Some(sums) = &sums {
                let counts = sample.node_counts();
                // Integers: in whatever order samples come, the sums are the same.
                sums.lock().unwrap_or_else(PoisonError::into_inner).add(&counts, config.instances);
            }
            progress.advance(1);
        });
        walked[number].set(walk).is_ok()
    })
    .map_err(|error| SignificanceError::Threads(error.to_string()))?;
    progress.end();

    let walked: Vec<&Walked> = walked.iter().filter_map(OnceLock::get).collect();
    let chains: Vec<&[ClassCounts]> = walked.iter().map(|walk| walk.samples.as_slice()).collect();
    let real = class::counts(&engine.census(), config.instances);
    let classes = class::compare(&real, &chains, config.instances);
    let nodes = sums.map(|sums| {
        let sums = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
        sums.compare(&engine.node_counts(), config.instances, config.n_samples)
    });
    let mixing = Mixing::new(&plan, &walked, &classes);
    Ok(Significance { config: *config, classes, mixing, nodes })
}

impl SignificanceConfig {
    /// What the samples take: the arcs that chains begin with; of every worker, the arcs that are switched, a graph made of
    /// them and the pass over its triangles; of the nodes, if asked for, their counts and the sums of them.
    pub fn need(&self, engine: &MotifEngine<'_>) -> Need {
        let (n_nodes, n_arcs) = (engine.graph().n_nodes(), engine.graph().n_arcs());
        let n_chains = self.n_samples.div_ceil(chain::CHAIN_LENGTH);
        let n_workers = rayon::current_num_threads().clamp(1, n_chains.max(1)) as u64;
        // Samples have about as many mutual pairs as the graph.
        let pass = pass_need(n_nodes, engine.pattern().n_edges()).n_bytes;
        let (start, switched) = (34 * n_arcs as u64, 60 * n_arcs as u64 + 16 * n_nodes as u64);
        let per_node = if self.per_node { n_nodes as u64 } else { 0 };
        Need {
            what: "randomising the graph",
            n_bytes: start + n_workers * (pass + switched + 104 * per_node) + 416 * per_node,
            remedy: "use fewer threads",
        }
    }
}

impl Significance {
    /// What was found of one of M1 to M13.
    ///
    /// # Panics
    /// If `motif` is none of them.
    pub fn class(&self, motif: super::MotifKind) -> &ClassSignificance {
        let found = self.classes.iter().find(|class| class.motif == Some(motif));
        found.expect("one of M1 to M13")
    }

    /// The least p that so many samples can give.
    pub fn resolution(&self) -> f64 {
        1.0 / (self.config.n_samples as f64 + 1.0)
    }

    /// What an instance is.
    pub fn instances(&self) -> Instances {
        self.config.instances
    }
}
