//! Entries sorted by counting: dealt to ranges of neighbouring nodes, each of which is sorted on its own.

use rayon::prelude::*;

use super::Adjacency;

/// Entries dealt by their first node into ranges of neighbouring nodes.
pub(super) struct Buckets<T> {
    /// All buckets, one after the other.
    entries: Vec<T>,
    /// How many entries each bucket had when it was dealt.
    sizes: Vec<usize>,
    /// How many of them it still has, at its front.
    lengths: Vec<usize>,
}

/// Dealing to more buckets than this would outrun the cache's write streams.
const MAX_BUCKETS: usize = 512;
/// Entries dealt at a time by one thread.
const CHUNK: usize = 1 << 18;

/// What a bucket deals by: the arc's key.
pub(super) trait Keyed: Copy + Default + Send + Sync {
    fn first_node(&self) -> usize;
}

impl Keyed for u64 {
    fn first_node(&self) -> usize {
        (self >> 32) as usize
    }
}

impl Keyed for (u64, f32) {
    fn first_node(&self) -> usize {
        self.0.first_node()
    }
}

impl<T: Keyed> Buckets<T> {
    /// Deals the entries that `entry` gives for the positions `0..len`, keeping their order. They are counted first, so
    /// that each is written to its place at once.
    pub(super) fn deal(
        n_nodes: usize,
        len: usize,
        entry: impl Fn(usize) -> Option<T> + Sync,
    ) -> Self {
        let n_buckets = (len / 4096).clamp(1, MAX_BUCKETS).min(n_nodes.max(1));
        let width = n_nodes.div_ceil(n_buckets).max(1);
        let n_buckets = n_nodes.div_ceil(width).max(1);
        let n_chunks = len.div_ceil(CHUNK);
        let entries_of = |chunk: usize| {
            let positions = chunk * CHUNK..((chunk + 1) * CHUNK).min(len);
            positions.filter_map(&entry).map(|entry| (entry.first_node() / width, entry))
        };
        let counts: Vec<Vec<u32>> = (0..n_chunks)
            .into_par_iter()
            .map(|chunk| {
                let mut counts = vec![0; n_buckets];
                entries_of(chunk).for_each(|(bucket, _)| counts[bucket] += 1);
                counts
            })
            .collect();
        let size = |bucket| counts.iter().map(|counts| counts[bucket] as usize).sum();
        let sizes: Vec<usize> = (0..n_buckets).map(size).collect();
        let mut entries = vec![T::default(); sizes.iter().sum()];
        // Where each chunk writes in each bucket.
        let mut slots: Vec<Vec<_>> = (0..n_chunks).map(|_| Vec::with_capacity(n_buckets)).collect();
        let mut rest = entries.as_mut_slice();
        for bucket in 0..n_buckets {
            for (slots, counts) in slots.iter_mut().zip(&counts) {
                let (here, tail) = rest.split_at_mut(counts[bucket] as usize);
                slots.push(here.iter_mut());
                rest = tail;
            }
        }
        slots.into_par_iter().enumerate().for_each(|(chunk, mut slots)| {
            for (bucket, entry) in entries_of(chunk) {
                if let Some(slot) = slots[bucket].next() {
                    *slot = entry;
                }
            }
        });
        Self { entries, lengths: sizes.clone(), sizes }
    }

    pub(super) fn total(&self) -> usize {
        self.lengths.iter().sum()
    }

    fn iter(&self) -> impl Iterator<Item = &[T]> {
        let mut rest = self.entries.as_slice();
        self.sizes.iter().zip(&self.lengths).map(move |(&size, &length)| {
            let (bucket, tail) = rest.split_at(size);
            rest = tail;
            &bucket[..length]
        })
    }

    /// Changes every bucket; `change` returns how many entries it leaves, at the front.
    pub(super) fn each(&mut self, change: impl Fn(&mut [T]) -> usize + Sync + Send) {
        let mut rest = self.entries.as_mut_slice();
        let mut buckets = Vec::with_capacity(self.sizes.len());
        for (&size, length) in self.sizes.iter().zip(&mut self.lengths) {
            let (bucket, tail) = rest.split_at_mut(size);
            rest = tail;
            buckets.push((&mut bucket[..*length], length));
        }
        buckets.into_par_iter().for_each(|(bucket, length)| *length = change(bucket));
    }

    /// Writes the sorted buckets out as CSR.
    pub(super) fn into_adjacency(
        self,
        n_nodes: usize,
        key: fn(&T) -> u64,
        weight: Option<fn(&T) -> f32>,
    ) -> Adjacency {
        let mut offsets = vec![0; n_nodes + 1];
        for entry in self.iter().flatten() {
            offsets[entry.first_node() + 1] += 1;
        }
        for node in 0..n_nodes {
            offsets[node + 1] += offsets[node];
        }
        let neighbors = self.flatten(|entry| key(entry) as u32);
        let weights = weight.map(|weight| self.flatten(weight));
        Adjacency { offsets, neighbors, weights }
    }

    /// One value of every entry, in order.
    fn flatten<V: Copy + Default + Send>(&self, value: impl Fn(&T) -> V + Sync) -> Vec<V> {
        let mut flat = vec![V::default(); self.total()];
        let mut rest = flat.as_mut_slice();
        let mut parts = Vec::with_capacity(self.sizes.len());
        for bucket in self.iter() {
            let (part, tail) = rest.split_at_mut(bucket.len());
            parts.push((bucket, part));
            rest = tail;
        }
        parts.into_par_iter().for_each(|(bucket, part)| {
            for (slot, entry) in part.iter_mut().zip(bucket) {
                *slot = value(entry);
            }
        });
        flat
    }
}
