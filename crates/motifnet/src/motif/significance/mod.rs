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
mod sample_keeper;
mod samples;
mod statistics;
mod switching;
mod watched_pass;

use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use class::ClassSignificance;
pub use config::{NullModel, SignificanceConfig, SignificanceError};
pub use mixing::Mixing;
pub use node::{NodeSignificance, Participation};
pub use sample_keeper::SampleKeeper;

use super::engine::pass_need;
use super::{Instances, MotifEngine};
use crate::io::WriteError;
use crate::memory::Need;
use crate::progress::{Progress, Unit};
use crate::threads::side_by_side;
use chain::ChainPlan;
use class::ClassCounts;
use sample_keeper::LastWriting;
use samples::Samples;

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
    let found = find_out(engine, config, None, progress)?;
    Ok(found.expect("only a keeper can pause"))
}

/// As [`significance`], but samples are kept in a file as they come. What was kept there by an earlier
/// call that was stopped, however it was stopped, is gone on from; the result is the same, and the file
/// stays. `None` if the keeper said to pause, which is heard within a sample.
///
/// # Errors
/// As [`significance`], or if the file is of another graph or of other settings, or cannot be written.
pub fn significance_kept(
    engine: &MotifEngine<'_>,
    config: &SignificanceConfig,
    keeper: &SampleKeeper<'_>,
    progress: &dyn Progress,
) -> Result<Option<Significance>, SignificanceError> {
    find_out(engine, config, Some(keeper), progress)
}

/// What the counts of a sample take: its classes, a quarter more for room that is left over, and one class of it as an
/// integer and as a float.
const BYTES_A_SAMPLE: u64 = 370;

/// What the chains share.
struct Gathered {
    samples: Samples,
    last: LastWriting,
    failure: Option<WriteError>,
}

fn find_out(
    engine: &MotifEngine<'_>,
    config: &SignificanceConfig,
    keeper: Option<&SampleKeeper<'_>>,
    progress: &dyn Progress,
) -> Result<Option<Significance>, SignificanceError> {
    config.check()?;
    config.need(engine).check()?;
    let plan = ChainPlan::new(engine, config);
    let samples = match keeper {
        Some(keeper) => keeper.read(&plan)?,
        None => plan.no_samples(),
    };
    let known: Vec<usize> = samples.chains.iter().map(|chain| chain.counts.len()).collect();
    progress.begin("randomising", Some(config.n_samples as u64), Unit::Items);
    progress.advance(samples.len() as u64);
    let gathered = Mutex::new(Gathered { samples, last: LastWriting::none(), failure: None });
    let is_to_pause = || {
        // Who has no keeper stops by unwinding from here.
        progress.advance(0);
        keeper.is_some_and(|keeper| keeper.pause.load(Ordering::Relaxed))
    };
    side_by_side(plan.n_chains(), usize::MAX, |number| {
        let mut goes_on = !is_to_pause();
        if goes_on {
            plan.walk(number, known[number], &is_to_pause, |graph, n_done| {
                // A sample that is not finished is made again by whoever goes on.
                let Some(sample) = watched_pass::count(graph, &is_to_pause) else { return false };
                let nodes = config.per_node.then(|| sample.node_counts());
                let counts = class::counts(&sample.census(), config.instances);
                let mut gathered = lock(&gathered);
                let Gathered { samples, last, failure } = &mut *gathered;
                let chain = &mut samples.chains[number];
                chain.counts.push(counts);
                chain.n_done = n_done;
                if let (Some(sums), Some(nodes)) = (&mut samples.nodes, nodes) {
                    // Integers: in whatever order samples come, the sums are the same.
                    sums.add(&nodes, config.instances);
                }
                if let Some(keeper) = keeper.filter(|_| last.is_due()) {
                    *failure = keeper.write(&plan, samples, last).err().or(failure.take());
                }
                goes_on = failure.is_none() && !is_to_pause();
                progress.advance(1);
                goes_on
            });
        }
        goes_on && !is_to_pause()
    })
    .map_err(|error| SignificanceError::Threads(error.to_string()))?;
    progress.end();

    let gathered = gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Gathered { samples, mut last, failure } = gathered;
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    if let Some(keeper) = keeper {
        keeper.write(&plan, &samples, &mut last)?;
    }
    let is_whole = samples.len() == config.n_samples;
    Ok(is_whole.then(|| compared(engine, &plan, &samples)))
}

/// What all samples tell.
fn compared(engine: &MotifEngine<'_>, plan: &ChainPlan<'_>, samples: &Samples) -> Significance {
    let config = plan.config;
    let chains: Vec<&[ClassCounts]> =
        samples.chains.iter().map(|chain| chain.counts.as_slice()).collect();
    let real = class::counts(&engine.census(), config.instances);
    let classes = class::compare(&real, &chains, config.instances);
    let nodes = samples
        .nodes
        .as_ref()
        .map(|sums| sums.compare(&engine.node_counts(), config.instances, config.n_samples));
    let mixing = Mixing::new(plan, samples, &classes);
    Significance { config: *config, classes, mixing, nodes }
}

/// A chain that panicked leaves samples that are still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SignificanceConfig {
    /// What the counts of the samples take, whatever the graph: those of every class, in room that doubles as it grows,
    /// and one class of all samples when it is compared.
    pub fn samples_need(&self) -> Need {
        Need {
            what: "keeping the counts of the samples",
            n_bytes: (self.n_samples as u64).saturating_mul(BYTES_A_SAMPLE),
            remedy: "take fewer samples",
        }
    }

    /// What the samples take: the arcs that chains begin with; of every worker, the arcs that are switched, a graph made of
    /// them and the pass over its triangles; of the nodes, if asked for, their counts and the sums of them; and the counts of
    /// all samples.
    pub fn need(&self, engine: &MotifEngine<'_>) -> Need {
        let (n_nodes, n_arcs) = (engine.graph().n_nodes(), engine.graph().n_arcs());
        let n_chains = self.n_samples.div_ceil(chain::CHAIN_LENGTH);
        let n_workers = rayon::current_num_threads().clamp(1, n_chains.max(1)) as u64;
        // Samples have about as many mutual pairs as the graph.
        let pass = pass_need(n_nodes, engine.pattern().n_edges()).n_bytes;
        let (start, switched) = (34 * n_arcs as u64, 60 * n_arcs as u64 + 16 * n_nodes as u64);
        let per_node = if self.per_node { n_nodes as u64 } else { 0 };
        let samples = self.samples_need();
        let sampling = start + n_workers * (pass + switched + 104 * per_node) + 416 * per_node;
        // When all are there, the counts of the graph and what a node's part comes to; what was given back may
        // stay with the process.
        let comparing = (104 + size_of::<NodeSignificance>() as u64) * per_node;
        let graphs = sampling + comparing;
        Need {
            what: "randomising the graph",
            n_bytes: graphs.saturating_add(samples.n_bytes),
            remedy: if samples.n_bytes > graphs { samples.remedy } else { "use fewer threads" },
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
