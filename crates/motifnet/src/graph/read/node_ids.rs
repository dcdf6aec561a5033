//! From the ids that a file gives its nodes to the numbers 0, 1, 2, ….
//!
//! Integer ids are numbered in ascending order, text in the order of first appearance. Integers
//! that lie close together are found and ranked by one bit for each possible id; only ids spread
//! over a range much larger than the file are sorted.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::arc_block::{ArcBlock, Ends};
use super::interner::Interner;
use super::plausible_nodes;
use crate::graph::{EdgeList, NodeNames};

/// Joins `blocks` in order and numbers their nodes.
///
/// If the nodes `0..n_nodes` are declared, every id must be an integer among them. If they are
/// only `suggested`, as by a comment, they are taken where that holds.
pub(super) fn number_nodes(
    blocks: Vec<ArcBlock>,
    n_nodes: Option<u32>,
    suggested: Option<u32>,
) -> (EdgeList, NodeNames) {
    if blocks.iter().any(|block| matches!(block.ends, Ends::Named { .. })) {
        number_text(blocks)
    } else if let Some(n_nodes) = n_nodes {
        let names = NodeNames::Indices(n_nodes as usize);
        (join(blocks, names.len(), &|id| id as u32), names)
    } else {
        number_integers(blocks, suggested)
    }
}

fn number_text(mut blocks: Vec<ArcBlock>) -> (EdgeList, NodeNames) {
    blocks.par_iter_mut().for_each(|block| block.ends.name());
    let tables: Vec<Interner> = blocks.iter_mut().map(|block| block.ends.take_table()).collect();
    let (names, numbers) = Interner::unite(&tables);
    drop(tables);
    let names = NodeNames::Strings(names);
    blocks.par_iter_mut().zip(numbers).for_each(|(block, numbers)| {
        if let Ends::Narrow { sources, targets } = &mut block.ends {
            let renumber = |place: &mut u32| *place = numbers[*place as usize];
            sources.iter_mut().chain(targets).for_each(renumber);
        }
    });
    (join(blocks, names.len(), &|id| id as u32), names)
}

fn number_integers(blocks: Vec<ArcBlock>, suggested: Option<u32>) -> (EdgeList, NodeNames) {
    let n_ends = 2 * blocks.iter().map(|block| block.ends.len()).sum::<usize>();
    let bounds = blocks.par_iter().filter_map(|block| bounds(&block.ends));
    let bounds = bounds.reduce_with(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    if let Some(n_nodes) = suggested
        && bounds.is_none_or(|(min, max)| min >= 0 && max < i64::from(n_nodes))
        && plausible_nodes(n_nodes as usize, n_ends as u64 / 2, None).is_ok()
    {
        let names = NodeNames::Indices(n_nodes as usize);
        return (join(blocks, names.len(), &|id| id as u32), names);
    }
    let Some((min, max)) = bounds else {
        return (EdgeList::default(), NodeNames::Indices(0));
    };
    let range = max.abs_diff(min);
    // A bit for each possible id may take up to as much memory as the ids themselves.
    let affordable = 32 * n_ends as u64 + (1 << 23);
    if range < affordable {
        let present = IdSet::collect(&blocks, min, range as usize + 1);
        let names = NodeNames::from_sorted_integers(present.ids());
        let arcs = match &names {
            NodeNames::Indices(n) => join(blocks, *n, &|id| id as u32),
            _ => join(blocks, names.len(), &|id| present.rank(id)),
        };
        return (arcs, names);
    }
    let mut ids: Vec<i64> =
        blocks.par_iter().flat_map_iter(|block| distinct(&block.ends)).collect();
    ids.par_sort_unstable();
    ids.dedup();
    ids.shrink_to_fit();
    let index = SortedIndex::new(&ids);
    let arcs = join(blocks, ids.len(), &|id| index.rank(id));
    (arcs, NodeNames::from_sorted_integers(ids))
}

fn bounds(ends: &Ends) -> Option<(i64, i64)> {
    fn of<T: Copy + Ord + Into<i64>>(sources: &[T], targets: &[T]) -> Option<(i64, i64)> {
        let min = sources.iter().min()?.min(targets.iter().min()?);
        let max = sources.iter().max()?.max(targets.iter().max()?);
        Some(((*min).into(), (*max).into()))
    }
    match ends {
        Ends::Narrow { sources, targets } | Ends::Named { sources, targets, .. } => {
            of(sources, targets)
        }
        Ends::Wide { sources, targets } => of(sources, targets),
    }
}

fn distinct(ends: &Ends) -> Vec<i64> {
    let mut ids = Vec::with_capacity(2 * ends.len());
    for_each_id(ends, |id| ids.push(id));
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn for_each_id(ends: &Ends, mut visit: impl FnMut(i64)) {
    match ends {
        Ends::Narrow { sources, targets } | Ends::Named { sources, targets, .. } => {
            sources.iter().chain(targets).for_each(|&id| visit(id.into()));
        }
        Ends::Wide { sources, targets } => {
            sources.iter().chain(targets).for_each(|&id| visit(id));
        }
    }
}

/// A set of integers in a range, one bit each, that knows how many lie below a member.
struct IdSet {
    min: i64,
    words: Vec<u64>,
    /// How many members lie before each word.
    before: Vec<u32>,
}

impl IdSet {
    fn collect(blocks: &[ArcBlock], min: i64, range: usize) -> Self {
        let words: Vec<AtomicU64> = (0..range.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        blocks.par_iter().for_each(|block| {
            for_each_id(&block.ends, |id| {
                let offset = id.abs_diff(min);
                let (word, bit) = (&words[(offset / 64) as usize], 1 << (offset % 64));
                // Most ids were met before, and looking costs less than writing.
                if word.load(Ordering::Relaxed) & bit == 0 {
                    word.fetch_or(bit, Ordering::Relaxed);
                }
            });
        });
        let words: Vec<u64> = words.into_iter().map(AtomicU64::into_inner).collect();
        let mut total = 0;
        let count = |word: &u64| {
            let before = total;
            total += word.count_ones();
            before
        };
        let before = words.iter().map(count).collect();
        Self { min, words, before }
    }

    /// The members, ascending.
    fn ids(&self) -> Vec<i64> {
        let n = self.before.last().map_or(0, |&n| n as usize) + 64;
        let mut ids = Vec::with_capacity(n);
        for (position, &word) in self.words.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                let offset = 64 * position as u64 + u64::from(left.trailing_zeros());
                ids.push(self.min.wrapping_add_unsigned(offset));
                left &= left - 1;
            }
        }
        ids
    }

    /// How many members lie below the member `id`.
    fn rank(&self, id: i64) -> u32 {
        let offset = id.abs_diff(self.min);
        let position = (offset / 64) as usize;
        let below = self.words[position] & ((1 << (offset % 64)) - 1);
        self.before[position] + below.count_ones()
    }
}

/// Finds members of an ascending list: their range is cut into about as many equal parts as there
/// are members, so that little is left to search.
struct SortedIndex<'a> {
    ids: &'a [i64],
    min: i64,
    shift: u32,
    /// How many ids lie before each part.
    starts: Vec<u32>,
}

impl<'a> SortedIndex<'a> {
    fn new(ids: &'a [i64]) -> Self {
        let (min, max) = (ids.first().copied().unwrap_or(0), ids.last().copied().unwrap_or(0));
        let range_bits = u64::BITS - max.abs_diff(min).leading_zeros();
        let shift = range_bits.saturating_sub(ids.len().ilog2());
        let n_parts = (max.abs_diff(min) >> shift) as usize + 1;
        let mut starts = vec![0; n_parts + 1];
        for id in ids {
            starts[(id.abs_diff(min) >> shift) as usize + 1] += 1;
        }
        for part in 0..n_parts {
            starts[part + 1] += starts[part];
        }
        Self { ids, min, shift, starts }
    }

    /// How many members lie below the member `id`.
    fn rank(&self, id: i64) -> u32 {
        let part = (id.abs_diff(self.min) >> self.shift) as usize;
        let (start, end) = (self.starts[part], self.starts[part + 1]);
        let candidates = &self.ids[start as usize..end as usize];
        start + candidates.partition_point(|&candidate| candidate < id) as u32
    }
}

/// Copies all arcs into one list, each block freed as it is done.
fn join(blocks: Vec<ArcBlock>, n_nodes: usize, number: &(impl Fn(i64) -> u32 + Sync)) -> EdgeList {
    let n_arcs = blocks.iter().map(|block| block.ends.len()).sum();
    let weighted = blocks.iter().any(|block| !block.weights.is_empty());
    let mut sources = vec![0; n_arcs];
    let mut targets = vec![0; n_arcs];
    let mut weights = vec![0.0; if weighted { n_arcs } else { 0 }];
    let mut places = Vec::with_capacity(blocks.len());
    let (mut sources_left, mut targets_left) = (&mut sources[..], &mut targets[..]);
    let mut weights_left = &mut weights[..];
    for block in blocks {
        let (s, t, w) = (
            sources_left.split_off_mut(..block.ends.len()).unwrap_or_default(),
            targets_left.split_off_mut(..block.ends.len()).unwrap_or_default(),
            weights_left.split_off_mut(..block.weights.len()).unwrap_or_default(),
        );
        places.push((block, s, t, w));
    }
    places.into_par_iter().for_each(|(block, sources, targets, weights)| {
        match &block.ends {
            Ends::Narrow { sources: from, targets: to }
            | Ends::Named { sources: from, targets: to, .. } => {
                fill(sources, from, |&id| number(id.into()));
                fill(targets, to, |&id| number(id.into()));
            }
            Ends::Wide { sources: from, targets: to } => {
                fill(sources, from, |&id| number(id));
                fill(targets, to, |&id| number(id));
            }
        }
        weights.copy_from_slice(&block.weights);
    });
    EdgeList { n_nodes, sources, targets, weights: weighted.then_some(weights) }
}

fn fill<T>(places: &mut [u32], values: &[T], number: impl Fn(&T) -> u32) {
    for (place, value) in places.iter_mut().zip(values) {
        *place = number(value);
    }
}

#[cfg(test)]
mod tests {
    use super::super::arc_block::Id;
    use super::*;

    fn number(pairs: &[(i64, i64)]) -> (Vec<(u32, u32)>, NodeNames) {
        let blocks = pairs.chunks(2).map(|pairs| {
            let mut block = ArcBlock::default();
            for &(source, target) in pairs {
                block.ends.push(Id::Integer(source), Id::Integer(target));
            }
            block
        });
        let (arcs, names) = number_nodes(blocks.collect(), None, None);
        (arcs.sources.into_iter().zip(arcs.targets).collect(), names)
    }

    #[test]
    fn integers_are_numbered_in_ascending_order() {
        for (pairs, expected, names) in [
            (vec![(0, 2), (2, 1)], vec![(0, 2), (2, 1)], NodeNames::Indices(3)),
            (vec![(9, 5), (5, 70), (5, 6)], vec![(2, 0), (0, 3), (0, 1)], integers(&[5, 6, 9, 70])),
            (vec![(-64, 64), (0, -1)], vec![(0, 3), (2, 1)], integers(&[-64, -1, 0, 64])),
            (
                vec![(i64::MAX, i64::MIN), (0, 1), (0, i64::MAX)],
                vec![(3, 0), (1, 2), (1, 3)],
                integers(&[i64::MIN, 0, 1, i64::MAX]),
            ),
            (vec![], vec![], NodeNames::Indices(0)),
        ] {
            assert_eq!(number(&pairs), (expected, names));
        }
    }

    fn integers(ids: &[i64]) -> NodeNames {
        NodeNames::Integers(ids.to_vec())
    }
}
