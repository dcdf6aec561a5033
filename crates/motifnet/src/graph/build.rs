//! From arcs in any order to a simple, sorted graph, in parallel.
//!
//! Arcs are first dealt into buckets of neighbouring sources, chunk by chunk, then every bucket
//! is sorted on its own. Both steps are parallel, touch memory in order, and keep the order of
//! repeated arcs, so the result (the sum of repeated weights too) does not depend on threads.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::buckets::Buckets;
use super::{Adjacency, Cleaning, DiGraph, EdgeList};
use crate::choice::words;
use crate::memory::{MemoryError, Need};

/// How a graph is made of an [`EdgeList`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildOptions {
    /// Add the reverse of every arc first.
    pub symmetrise: bool,
    /// What the weight of an arc that occurs several times is.
    pub repeats: RepeatedArcs,
}

/// What becomes of the weights when an arc occurs several times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RepeatedArcs {
    /// They are added up.
    #[default]
    Sum,
    /// The largest is kept.
    Max,
    /// The first is kept.
    First,
}

words!(RepeatedArcs, "repeats", Sum = "sum", Max = "max", First = "first");

/// Why no graph could be built.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BuildError {
    /// An arc names a node that does not exist.
    #[error(
        "arc {position} goes from {source_node} to {target_node}, but there are {n_nodes} nodes"
    )]
    NodeOutOfRange {
        /// The arc's place in the list, from 0.
        position: usize,
        /// Its source.
        source_node: u32,
        /// Its target.
        target_node: u32,
        /// Number of nodes of the list.
        n_nodes: usize,
    },
    /// An end that is none of the nodes.
    #[error(
        "arc {position} has an end called {name:?}, which is not among the nodes; add it to them, \
         or leave the arc out"
    )]
    UnknownNode {
        /// The arc's place in the list, from 0.
        position: usize,
        /// What the end is called.
        name: String,
    },
    /// Two nodes of one name.
    #[error("two nodes are called {name:?}; a node is named once")]
    RepeatedNode {
        /// The name.
        name: String,
    },
    /// More memory than there is.
    #[error("{0}")]
    Memory(#[from] MemoryError),
    /// More nodes than a 32-bit node number can tell apart.
    #[error("{0} nodes: a graph has at most 4294967295")]
    TooManyNodes(usize),
    /// Sources, targets and weights of different lengths.
    #[error("{sources} sources, {targets} targets and {weights} weights: the lengths must agree")]
    UnequalLengths {
        /// Number of sources.
        sources: usize,
        /// Number of targets.
        targets: usize,
        /// Number of weights.
        weights: usize,
    },
}

impl DiGraph {
    /// Builds the graph of `arcs` and tells what was dropped or merged.
    ///
    /// Time O(arcs · log(arcs of a bucket)), memory about three times that of the arcs.
    ///
    /// # Errors
    /// If an endpoint is not below `arcs.n_nodes`, there are more than 2³² − 1 nodes, the
    /// arrays of `arcs` differ in length, or there is too little memory.
    pub fn build(
        arcs: EdgeList,
        options: &BuildOptions,
    ) -> Result<(DiGraph, Cleaning), BuildError> {
        let n_arcs = if options.symmetrise { 2 * arcs.len() } else { arcs.len() };
        Self::build_need(arcs.n_nodes, n_arcs, arcs.weights.is_some()).check()?;
        Self::build_planned(arcs, options)
    }

    /// What building takes beside the list of arcs: every arc once as a key, the graph, and the list's other half
    /// where arcs are turned round. The list has gone when the second direction is made.
    pub fn build_need(n_nodes: usize, n_arcs: usize, is_weighted: bool) -> Need {
        let bytes_an_arc = if is_weighted { 32 } else { 16 };
        Need {
            what: "building the graph",
            n_bytes: bytes_an_arc * n_arcs as u64 + 24 * n_nodes as u64,
            remedy: "take fewer arcs, or leave their weights out",
        }
    }

    /// As [`DiGraph::build`], by someone who has made sure that there is memory.
    pub(crate) fn build_planned(
        mut arcs: EdgeList,
        options: &BuildOptions,
    ) -> Result<(DiGraph, Cleaning), BuildError> {
        check(&arcs)?;
        if options.symmetrise {
            arcs.symmetrise();
        }
        let n_nodes = arcs.n_nodes;
        let mut cleaning = Cleaning { arcs_read: arcs.len() as u64, ..Cleaning::default() };
        let outgoing = match arcs.weights.take() {
            None => build_plain(n_nodes, &arcs.sources, &arcs.targets, &mut cleaning),
            Some(weights) => build_weighted(&arcs, &weights, options.repeats, &mut cleaning),
        };
        drop(arcs);
        let incoming = transpose(&outgoing);
        Ok((DiGraph::from_adjacencies(outgoing, incoming), cleaning))
    }
}

fn check(arcs: &EdgeList) -> Result<(), BuildError> {
    let n_weights = arcs.weights.as_ref().map_or(arcs.len(), Vec::len);
    if arcs.targets.len() != arcs.len() || n_weights != arcs.len() {
        return Err(BuildError::UnequalLengths {
            sources: arcs.len(),
            targets: arcs.targets.len(),
            weights: n_weights,
        });
    }
    let n_nodes = arcs.n_nodes;
    if n_nodes > u32::MAX as usize {
        return Err(BuildError::TooManyNodes(n_nodes));
    }
    let outside = |node: &u32| *node as usize >= n_nodes;
    let outlier = arcs
        .sources
        .par_iter()
        .zip(&arcs.targets)
        .position_first(|(source, target)| outside(source) || outside(target));
    match outlier {
        None => Ok(()),
        Some(position) => Err(BuildError::NodeOutOfRange {
            position,
            source_node: arcs.sources[position],
            target_node: arcs.targets[position],
            n_nodes,
        }),
    }
}

/// An arc as one integer that sorts by source, then target.
fn key(source: u32, target: u32) -> u64 {
    u64::from(source) << 32 | u64::from(target)
}

fn build_plain(
    n_nodes: usize,
    sources: &[u32],
    targets: &[u32],
    cleaning: &mut Cleaning,
) -> Adjacency {
    let mut buckets = Buckets::deal(n_nodes, sources.len(), |position| {
        let (source, target) = (sources[position], targets[position]);
        (source != target).then(|| key(source, target))
    });
    let kept = buckets.total();
    cleaning.self_loops = (sources.len() - kept) as u64;
    buckets.each(|bucket: &mut [u64]| {
        bucket.sort_unstable();
        compact(bucket, |last, key| last != Some(key))
    });
    cleaning.repeated = (kept - buckets.total()) as u64;
    buckets.into_adjacency(n_nodes, |&key| key, None)
}

fn build_weighted(
    arcs: &EdgeList,
    weights: &[f32],
    repeats: RepeatedArcs,
    cleaning: &mut Cleaning,
) -> Adjacency {
    let (sources, targets) = (&arcs.sources, &arcs.targets);
    let count = |matches: fn(u32, u32, f32) -> bool| {
        let positions = (0..sources.len()).into_par_iter();
        positions.filter(|&i| matches(sources[i], targets[i], weights[i])).count() as u64
    };
    cleaning.self_loops = count(|source, target, _| source == target);
    cleaning.not_finite_weight =
        count(|source, target, weight| source != target && !weight.is_finite());
    cleaning.zero_weight = count(|source, target, weight| source != target && weight == 0.0);

    let mut buckets = Buckets::deal(arcs.n_nodes, sources.len(), |position| {
        let (source, target, weight) = (sources[position], targets[position], weights[position]);
        let keep = source != target && weight.is_finite() && weight != 0.0;
        keep.then(|| (key(source, target), weight))
    });
    let kept = buckets.total();
    let clamped = AtomicU64::new(0);
    buckets.each(|bucket: &mut [(u64, f32)]| {
        // Stable, so that repeated arcs are merged in the order of the list.
        bucket.sort_by_key(|&(key, _)| key);
        let (n_left, n_clamped) = merge_repeats(bucket, repeats);
        clamped.fetch_add(n_clamped, Ordering::Relaxed);
        n_left
    });
    cleaning.clamped_weight = clamped.into_inner();
    cleaning.repeated = (kept - buckets.total()) as u64;
    let merged = buckets.total();
    buckets.each(|bucket| compact(bucket, |_, &(_, weight)| weight != 0.0));
    cleaning.zero_weight += (merged - buckets.total()) as u64;
    buckets.into_adjacency(arcs.n_nodes, |&(key, _)| key, Some(|&(_, weight)| weight))
}

/// Moves the entries that are kept to the front; `keep` also sees the last that was. Returns how many they are.
fn compact<T: Copy>(bucket: &mut [T], keep: impl Fn(Option<&T>, &T) -> bool) -> usize {
    let mut kept = 0;
    for read in 0..bucket.len() {
        if keep(bucket[..kept].last(), &bucket[read]) {
            bucket[kept] = bucket[read];
            kept += 1;
        }
    }
    kept
}

/// Merges neighbouring entries with the same key; sums are taken in f64. Returns how many are left, at the front, and how
/// many of their sums are too large.
fn merge_repeats(bucket: &mut [(u64, f32)], repeats: RepeatedArcs) -> (usize, u64) {
    let (mut written, mut n_clamped) = (0, 0);
    let mut read = 0;
    while read < bucket.len() {
        let (key, first) = bucket[read];
        let run = bucket[read..].iter().take_while(|entry| entry.0 == key).count();
        let run_weights = bucket[read..read + run].iter().map(|entry| entry.1);
        let weight = match repeats {
            RepeatedArcs::Sum => {
                let sum: f64 = run_weights.map(f64::from).sum();
                n_clamped += u64::from(sum.abs() > f64::from(f32::MAX));
                clamp_to_f32(sum)
            }
            RepeatedArcs::Max => run_weights.fold(first, f32::max),
            RepeatedArcs::First => first,
        };
        bucket[written] = (key, weight);
        written += 1;
        read += run;
    }
    (written, n_clamped)
}

/// Rounds to f32 without leaving the finite numbers.
fn clamp_to_f32(sum: f64) -> f32 {
    sum.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

fn transpose(outgoing: &Adjacency) -> Adjacency {
    let n_nodes = outgoing.offsets.len() - 1;
    let sources = row_of_each_entry(outgoing);
    match &outgoing.weights {
        None => {
            let mut buckets = Buckets::deal(n_nodes, sources.len(), |position| {
                Some(key(outgoing.neighbors[position], sources[position]))
            });
            buckets.each(|bucket: &mut [u64]| {
                bucket.sort_unstable();
                bucket.len()
            });
            buckets.into_adjacency(n_nodes, |&key| key, None)
        }
        Some(weights) => {
            let mut buckets = Buckets::deal(n_nodes, sources.len(), |position| {
                let key = key(outgoing.neighbors[position], sources[position]);
                Some((key, weights[position]))
            });
            buckets.each(|bucket: &mut [(u64, f32)]| {
                bucket.sort_unstable_by_key(|&(key, _)| key);
                bucket.len()
            });
            buckets.into_adjacency(n_nodes, |&(key, _)| key, Some(|&(_, weight)| weight))
        }
    }
}

fn row_of_each_entry(adjacency: &Adjacency) -> Vec<u32> {
    let mut rows = Vec::with_capacity(adjacency.neighbors.len());
    for (row, bounds) in adjacency.offsets.windows(2).enumerate() {
        rows.resize(rows.len() + bounds[1] - bounds[0], row as u32);
    }
    rows
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn build(arcs: EdgeList) -> (DiGraph, Cleaning) {
        DiGraph::build(arcs, &BuildOptions::default()).unwrap()
    }

    #[test]
    fn what_is_dropped_is_counted() {
        let arcs = EdgeList::from_triples(
            3,
            [
                (0, 1, 1.0),
                (1, 1, 5.0),
                (0, 1, 2.0),
                (1, 2, f32::NAN),
                (2, 1, 0.0),
                (2, 0, f32::INFINITY),
                (0, 2, 1.5),
                (0, 2, -1.5),
            ],
        );
        let (graph, cleaning) = build(arcs);
        assert_eq!(graph.arcs().collect::<Vec<_>>(), [(0, 1, 3.0)]);
        let expected = Cleaning {
            arcs_read: 8,
            self_loops: 1,
            repeated: 2,
            zero_weight: 2,
            not_finite_weight: 2,
            clamped_weight: 0,
        };
        assert_eq!(cleaning, expected);
    }

    #[test]
    fn sums_beyond_32_bits_are_told() {
        let arcs = [(0, 1, 3e38), (0, 1, 3e38), (1, 0, -3e38), (1, 0, -3e38), (1, 2, 3e38)];
        let (graph, cleaning) = build(EdgeList::from_triples(3, arcs));
        let weights: Vec<f32> = graph.arcs().map(|(_, _, weight)| weight).collect();
        assert_eq!(weights, [f32::MAX, f32::MIN, 3e38]);
        let told = "2 repeated arcs merged, 2 arcs whose weights add up to more than 32-bit numbers hold set to \
                    the largest";
        assert_eq!(cleaning.describe().as_deref(), Some(told));
    }

    #[test]
    fn repeated_weights_are_merged_as_asked() {
        for (repeats, weight) in
            [(RepeatedArcs::Sum, 6.0), (RepeatedArcs::Max, 3.0), (RepeatedArcs::First, 2.0)]
        {
            let arcs = EdgeList::from_triples(2, [(0, 1, 2.0), (0, 1, 3.0), (0, 1, 1.0)]);
            let options = BuildOptions { repeats, ..BuildOptions::default() };
            let (graph, _) = DiGraph::build(arcs, &options).unwrap();
            assert_eq!(graph.arcs().collect::<Vec<_>>(), [(0, 1, weight)]);
        }
    }

    #[test]
    fn an_arc_to_a_missing_node_is_named() {
        let error = DiGraph::build(EdgeList::from_pairs(2, [(0, 1), (1, 2)]), &Default::default());
        let message = error.unwrap_err().to_string();
        assert_eq!(message, "arc 1 goes from 1 to 2, but there are 2 nodes");
    }

    #[test]
    fn no_nodes_make_an_empty_graph() {
        let (graph, _) = build(EdgeList::default());
        assert_eq!((graph.n_nodes(), graph.n_arcs()), (0, 0));
    }

    proptest! {
        #[test]
        fn building_is_sorting_and_merging(
            triples in prop::collection::vec((0u32..40, 0u32..40, -3i8..4), 0..400),
        ) {
            let mut expected = BTreeMap::new();
            for &(source, target, weight) in &triples {
                if source != target && weight != 0 {
                    *expected.entry((source, target)).or_insert(0.0) += f32::from(weight);
                }
            }
            expected.retain(|_, weight| *weight != 0.0);
            let triples = triples.into_iter().map(|(s, t, w)| (s, t, f32::from(w)));
            let (graph, cleaning) = build(EdgeList::from_triples(40, triples));
            let arcs: Vec<_> = graph.arcs().map(|(s, t, w)| ((s, t), w)).collect();
            prop_assert_eq!(arcs, expected.into_iter().collect::<Vec<_>>());
            prop_assert_eq!(cleaning.arcs_read - cleaning.total(), graph.n_arcs() as u64);
            prop_assert_eq!(graph.reversed().reversed(), graph);
        }

        #[test]
        fn threads_do_not_change_the_graph(
            pairs in prop::collection::vec((0u32..3000, 0u32..3000), 0..20_000),
        ) {
            let on = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| build(EdgeList::from_pairs(3000, pairs.iter().copied())))
            };
            prop_assert_eq!(on(1), on(4));
        }
    }
}
