//! One number for every edge.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Pattern, PatternEntry};

/// A number for every edge of a [`Pattern`], by edge number, in the narrowest type that holds all
/// of them exactly: half the memory for counts, which rarely reach 2²⁴.
#[derive(Clone, Debug)]
pub(super) enum EdgeArray {
    Narrow(Vec<f32>),
    Wide(Vec<f64>),
}

impl EdgeArray {
    /// `n_arrays` arrays at once, filled by `values(lower node, entry, one slot an array)`;
    /// narrow ones are tried only if `may_be_narrow`.
    pub(super) fn fill(
        pattern: &Pattern,
        n_arrays: usize,
        may_be_narrow: bool,
        values: impl Fn(usize, PatternEntry, &mut [f64]) + Sync,
    ) -> Vec<Self> {
        if may_be_narrow && let Some(arrays) = Self::fill_narrow(pattern, n_arrays, &values) {
            return arrays;
        }
        let arrays = pattern.map_edges_many(n_arrays, values);
        arrays.into_iter().map(Self::Wide).collect()
    }

    /// `None` if some value is not exact in 32 bits.
    fn fill_narrow(
        pattern: &Pattern,
        n_arrays: usize,
        values: impl Fn(usize, PatternEntry, &mut [f64]) + Sync,
    ) -> Option<Vec<Self>> {
        const MOST: usize = 32;
        let inexact = AtomicBool::new(n_arrays > MOST);
        let arrays =
            pattern.map_edges_many(n_arrays.min(MOST), |node, entry, slots: &mut [f32]| {
                let mut wide = [0.0; MOST];
                let wide = &mut wide[..slots.len()];
                values(node, entry, wide);
                for (slot, &value) in slots.iter_mut().zip(&*wide) {
                    *slot = value as f32;
                    if f64::from(*slot) != value {
                        inexact.store(true, Ordering::Relaxed);
                    }
                }
            });
        let narrow = !inexact.into_inner();
        narrow.then(|| arrays.into_iter().map(Self::Narrow).collect())
    }

    /// The number of an edge.
    pub(super) fn get(&self, edge: usize) -> f64 {
        match self {
            Self::Narrow(values) => f64::from(values[edge]),
            Self::Wide(values) => values[edge],
        }
    }

    /// Memory that the numbers take.
    pub(super) fn n_bytes(&self) -> usize {
        match self {
            Self::Narrow(values) => size_of_val(&**values),
            Self::Wide(values) => size_of_val(&**values),
        }
    }

    /// How many edges have a number other than zero.
    pub(super) fn n_not_zero(&self) -> usize {
        match self {
            Self::Narrow(values) => values.iter().filter(|&&value| value != 0.0).count(),
            Self::Wide(values) => values.iter().filter(|&&value| value != 0.0).count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{DiGraph, EdgeList};

    #[test]
    fn numbers_that_do_not_fit_in_32_bits_are_kept_in_64() {
        let list = EdgeList::from_pairs(3, [(0, 1), (1, 2)]);
        let (graph, _) = DiGraph::build(list, &Default::default()).unwrap();
        let pattern = Pattern::new(&graph);
        for (largest, narrow) in [(16_777_216.0, true), (16_777_217.0, false)] {
            let arrays = EdgeArray::fill(&pattern, 1, true, |node, _, slots| {
                slots[0] = if node == 0 { 0.0 } else { largest };
            });
            assert_eq!(matches!(arrays[0], EdgeArray::Narrow(_)), narrow);
            assert_eq!((arrays[0].get(1), arrays[0].n_not_zero()), (largest, 1));
        }
    }
}
