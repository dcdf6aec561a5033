//! Samples kept in a file as they come.

use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::SignificanceError;
use super::chain::ChainPlan;
use super::class::{ClassCounts, N_CLASSES};
use super::node::NodeSums;
use super::samples::{Chain, Samples};
use crate::graph::DiGraph;
use crate::io::{NpzArchive, NpzWriter, WriteError};
use crate::progress::Silent;

/// Writing may take one part in so many of the time.
const SHARE: u32 = 20;
/// The form of the file.
const VERSION: i64 = 1;

/// Where samples are kept as they come, so that a comparison that was stopped can go on.
///
/// ```text
/// what       the version of this form, and a number that only this graph with these settings has
/// chains     for every chain, its samples so far and the switches made
/// counts     the counts of every sample, chain by chain, as lower and upper 64 bits
/// nodes      the sums of every node, likewise
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SampleKeeper<'a> {
    /// The file, a `.npz` archive.
    pub path: &'a Path,
    /// Set when the comparison is to pause.
    pub pause: &'a AtomicBool,
}

/// When samples were last written, and how long that took.
pub(super) struct LastWriting {
    end: Instant,
    took: Duration,
}

impl LastWriting {
    pub(super) fn none() -> Self {
        Self { end: Instant::now(), took: Duration::ZERO }
    }

    /// Whether it is time again. Large files are written rarely, so that writing never takes long
    /// beside what it keeps.
    pub(super) fn is_due(&self) -> bool {
        self.end.elapsed() >= SHARE * self.took
    }
}

impl SampleKeeper<'_> {
    /// What was kept, or nothing where nothing was.
    pub(super) fn read(&self, plan: &ChainPlan<'_>) -> Result<Samples, SignificanceError> {
        if !self.path.exists() {
            return Ok(plan.no_samples());
        }
        let refuse = |reason: &str| SignificanceError::Kept {
            path: self.path.to_owned(),
            reason: reason.to_owned(),
        };
        let mut archive = NpzArchive::open(self.path, None, &Silent)
            .map_err(|error| refuse(&format!("cannot be read: {error}")))?;
        let mut array = |name: &str| archive.integers(name).ok().map(|array| array.values);
        let damaged = || refuse("damaged, or none of ours");
        let what = array("what").ok_or_else(damaged)?;
        match what[..] {
            [VERSION, fingerprint] if fingerprint == fingerprint_of(plan) => {}
            [VERSION, _] => {
                return Err(refuse("its samples are of another graph or of other settings"));
            }
            [version, _] if version > VERSION => {
                return Err(refuse("written by a later motifnet; update this one"));
            }
            _ => return Err(damaged()),
        }
        let nodes = if plan.config.per_node { array("nodes") } else { None };
        samples(plan, &array("chains"), &array("counts"), nodes).ok_or_else(damaged)
    }

    /// Writes the samples so far, whole or not at all.
    pub(super) fn write(
        &self,
        plan: &ChainPlan<'_>,
        samples: &Samples,
        last: &mut LastWriting,
    ) -> Result<(), WriteError> {
        let start = Instant::now();
        let mut archive = NpzWriter::create(self.path)?;
        archive.array("what", &[2], [VERSION, fingerprint_of(plan)])?;
        let chains = &samples.chains;
        let about =
            chains.iter().flat_map(|chain| [chain.counts.len() as i64, chain.n_done as i64]);
        archive.array("chains", &[chains.len() as u64, 2], about)?;
        let counts = chains.iter().flat_map(|chain| &chain.counts).flatten();
        let shape = [samples.len() as u64, N_CLASSES as u64, 2];
        archive.array("counts", &shape, counts.flat_map(|&count| halves(count)))?;
        if let Some(nodes) = &samples.nodes {
            let numbers = nodes.numbers();
            let shape = [numbers.clone().count() as u64, 2];
            archive.array("nodes", &shape, numbers.flat_map(halves))?;
        }
        archive.commit()?;
        *last = LastWriting { end: Instant::now(), took: start.elapsed() };
        Ok(())
    }
}

/// The samples that arrays hold, if they fit the plan.
fn samples(
    plan: &ChainPlan<'_>,
    about: &Option<Vec<i64>>,
    counts: &Option<Vec<i64>>,
    nodes: Option<Vec<i64>>,
) -> Option<Samples> {
    let mut samples = plan.no_samples();
    let about = about.as_ref()?.as_chunks::<2>().0;
    let mut counts = counts.as_ref()?.chunks_exact(2 * N_CLASSES);
    if about.len() != samples.chains.len() {
        return None;
    }
    for (number, (chain, &[length, n_done])) in samples.chains.iter_mut().zip(about).enumerate() {
        let length = usize::try_from(length).ok()?;
        if length > plan.n_samples(number) {
            return None;
        }
        let of_sample = |halves: &[i64]| -> ClassCounts {
            std::array::from_fn(|class| whole(halves[2 * class], halves[2 * class + 1]))
        };
        let counts: Vec<ClassCounts> = counts.by_ref().take(length).map(of_sample).collect();
        if counts.len() != length {
            return None;
        }
        *chain = Chain { counts, n_done: u64::try_from(n_done).ok()? };
    }
    if let Some(sums) = &mut samples.nodes {
        let nodes = nodes?;
        let numbers = nodes.as_chunks().0.iter().map(|&[lower, upper]| whole(lower, upper));
        *sums = NodeSums::of_numbers(plan.n_nodes(), numbers)?;
    }
    Some(samples)
}

fn halves(number: u128) -> [i64; 2] {
    [number as i64, (number >> 64) as i64]
}

fn whole(lower: i64, upper: i64) -> u128 {
    u128::from(upper as u64) << 64 | u128::from(lower as u64)
}

/// What samples belong to. A number that other ones have by chance with probability 2⁻⁶⁴.
fn fingerprint_of(plan: &ChainPlan<'_>) -> i64 {
    let graph: &DiGraph = plan.graph;
    let config = plan.config;
    let mut hasher = rustc_hash::FxHasher::default();
    let arcs = graph.outgoing();
    (arcs.offsets(), arcs.neighbors()).hash(&mut hasher);
    (config.null.name(), config.instances.name(), config.per_node).hash(&mut hasher);
    (config.n_samples, config.switches, config.seed).hash(&mut hasher);
    hasher.finish() as i64
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::graph::EdgeList;
    use crate::motif::significance::{significance, significance_kept};
    use crate::motif::{MotifEngine, NullModel, SignificanceConfig};
    use crate::progress::{Progress, Unit};

    fn graph() -> DiGraph {
        let arcs =
            (0..40_u32).flat_map(|node| [1, 2, 5].map(|step| (node, (node * step + 3) % 40)));
        DiGraph::build(EdgeList::from_pairs(40, arcs), &Default::default()).unwrap().0
    }

    fn config(null: NullModel) -> SignificanceConfig {
        SignificanceConfig {
            null,
            n_samples: 60,
            switches: 2,
            per_node: true,
            ..Default::default()
        }
    }

    /// Says to pause after so many samples, or after so many looks whether to.
    struct PauseAfter<'a> {
        n_left: AtomicUsize,
        n_looks: AtomicUsize,
        pause: &'a AtomicBool,
    }

    impl Progress for PauseAfter<'_> {
        fn begin(&self, _: &str, _: Option<u64>, _: Unit) {}
        fn advance(&self, amount: u64) {
            let n_left = self.n_left.load(Ordering::Relaxed).saturating_sub(amount as usize);
            self.n_left.store(n_left, Ordering::Relaxed);
            // Chains look side by side.
            let taken = |left: usize| left.checked_sub(usize::from(amount == 0));
            let is_last = self.n_looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
            if n_left == 0 || is_last.is_err() {
                self.pause.store(true, Ordering::Relaxed);
            }
        }
        fn end(&self) {}
    }

    type Found = Result<Option<crate::motif::Significance>, SignificanceError>;

    /// What comes of a comparison that is paused after so many samples, the kept ones counted.
    fn run_until(path: &Path, config: &SignificanceConfig, n: usize) -> Found {
        run_within(path, config, [n, usize::MAX])
    }

    /// What comes of one that is paused after so many samples, or so many looks whether it is to pause, most of which
    /// are between the samples.
    fn run_within(
        path: &Path,
        config: &SignificanceConfig,
        [n_samples, n_looks]: [usize; 2],
    ) -> Found {
        let graph = graph();
        let pause = AtomicBool::new(false);
        let (n_left, n_looks) = (n_samples.into(), n_looks.into());
        let progress = PauseAfter { n_left, n_looks, pause: &pause };
        significance_kept(
            &MotifEngine::new(&graph),
            config,
            &SampleKeeper { path, pause: &pause },
            &progress,
        )
    }

    #[test]
    fn a_comparison_that_is_stopped_goes_on_to_the_same_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let graph = graph();
        let engine = MotifEngine::new(&graph);
        for null in [NullModel::Degree, NullModel::DegreeReciprocal, NullModel::Erdos] {
            let config = config(null);
            let whole = significance(&engine, &config, &Silent).unwrap();
            let [path, other] = ["stopped.npz", "whole.npz"].map(|name| folder.path().join(name));
            // Chains side by side may finish the samples that they are at, so not up to the last.
            for n in [1, 2, 13, 26, 40, 55] {
                assert_eq!(run_until(&path, &config, n).unwrap(), None, "{null} {n}");
                for n_looks in [0, 3, 7] {
                    let found = run_within(&path, &config, [1000, n_looks]).unwrap();
                    assert_eq!(found, None, "{null} {n} {n_looks}");
                }
            }
            assert_eq!(run_until(&path, &config, 1000).unwrap().as_ref(), Some(&whole));
            // All is there, and nothing has to be done again.
            assert_eq!(run_until(&path, &config, 1000).unwrap().as_ref(), Some(&whole));
            run_until(&other, &config, 1000).unwrap();
            let [kept, undisturbed] = [&path, &other].map(|path| std::fs::read(path).unwrap());
            assert!(kept == undisturbed);
            [path, other].iter().for_each(|path| std::fs::remove_file(path).unwrap());
        }
    }

    #[test]
    fn samples_of_something_else_and_damaged_ones_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.npz");
        let config = config(NullModel::Degree);
        assert_eq!(run_until(&path, &config, 5).unwrap(), None);
        let refused = |config: &SignificanceConfig| {
            let error = run_until(&path, config, 9).unwrap_err().to_string();
            error.replace(&format!("{}/", folder.path().display()), "")
        };
        for other in [
            SignificanceConfig { seed: 1, ..config },
            SignificanceConfig { n_samples: 61, ..config },
            SignificanceConfig { switches: 3, ..config },
            SignificanceConfig { per_node: false, ..config },
            SignificanceConfig { null: NullModel::Erdos, ..config },
        ] {
            assert_eq!(
                refused(&other),
                "s.npz: its samples are of another graph or of other settings; name another file, or \
                 delete it to begin anew"
            );
        }
        let whole = std::fs::read(&path).unwrap();
        for damaged in [&whole[..whole.len() / 2], b"", b"nothing of the kind"] {
            std::fs::write(&path, damaged).unwrap();
            let said = refused(&config);
            assert!(said.starts_with("s.npz: ") && said.ends_with("to begin anew"), "{said}");
        }
        let mut later = NpzWriter::create(&path).unwrap();
        later.array("what", &[2], [VERSION + 1, 0_i64]).unwrap();
        later.commit().unwrap();
        assert!(refused(&config).contains("written by a later motifnet; update this one"));
    }

    #[test]
    fn numbers_come_back_from_their_halves() {
        for number in [0, 1, u128::from(u64::MAX), 1 << 64, (1 << 127) + 12_345, u128::MAX] {
            let [lower, upper] = halves(number);
            assert_eq!(whole(lower, upper), number);
        }
    }
}
