//! The same comparison for every node.

use super::statistics::Compared;
use crate::motif::Instances;
use crate::motif::kind::N_TRIADS;

/// How often a node takes part in a motif, in the graph and in the randomised ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Participation {
    /// Instances that contain the node.
    pub count: u128,
    /// Their mean number in the randomised graphs.
    pub mean: f64,
    /// Their standard deviation there.
    pub sd: f64,
    /// (count − mean) / sd; `None` where all randomised graphs have the same number.
    pub z: Option<f64>,
}

/// A node's part in M1 to M13.
pub type NodeSignificance = [Participation; N_TRIADS];

/// Sums over samples, of counts and of their squares, for every node: 416 bytes a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NodeSums {
    sums: Vec<[Sums; N_TRIADS]>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    /// Saturating: a count would have to pass 2⁵⁸, that of a node with 2²⁹ neighbours.
    counts: u128,
    squares: u128,
}

impl NodeSums {
    pub(super) fn new(n_nodes: usize) -> Self {
        Self { sums: vec![Default::default(); n_nodes] }
    }

    /// All sums, node by node and motif by motif, that of counts before that of squares.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u128> + Clone {
        self.sums.iter().flatten().flat_map(|sums| [sums.counts, sums.squares])
    }

    /// From [`NodeSums::numbers`], if there are as many as they should be.
    pub(super) fn of_numbers(
        n_nodes: usize,
        mut numbers: impl Iterator<Item = u128>,
    ) -> Option<Self> {
        let mut made = Self::new(n_nodes);
        for sums in made.sums.iter_mut().flatten() {
            *sums = Sums { counts: numbers.next()?, squares: numbers.next()? };
        }
        numbers.next().is_none().then_some(made)
    }

    /// Adds the counts of one sample.
    pub(super) fn add(&mut self, counts: &[[u64; N_TRIADS]], instances: Instances) {
        for (sums, counts) in self.sums.iter_mut().zip(counts) {
            for (sum, count) in sums.iter_mut().zip(instances.counts(&counts.map(u128::from))) {
                sum.counts = sum.counts.saturating_add(count);
                sum.squares = sum.squares.saturating_add(count.saturating_mul(count));
            }
        }
    }

    /// The counts of the graph beside them.
    pub(super) fn compare(
        &self,
        real: &[[u64; N_TRIADS]],
        instances: Instances,
        n_samples: usize,
    ) -> Vec<NodeSignificance> {
        let of_node = |(sums, real): (&[Sums; N_TRIADS], &[u64; N_TRIADS])| {
            let real = instances.counts(&real.map(u128::from));
            std::array::from_fn(|motif| sums[motif].compare(real[motif], n_samples))
        };
        self.sums.iter().zip(real).map(of_node).collect()
    }
}

impl Sums {
    fn compare(&self, count: u128, n_samples: usize) -> Participation {
        let n = n_samples as f64;
        let mean = self.counts as f64 / n;
        // n Σx² − (Σx)², exact where it fits: the difference of large numbers is small.
        let exact = self.squares.checked_mul(n_samples as u128).zip(self.counts.checked_pow(2));
        let squares = match exact {
            Some((squares, square)) => squares.saturating_sub(square) as f64 / n,
            None => self.squares as f64 - mean * self.counts as f64,
        };
        let Compared { mean, sd, z } = Compared::new(count as f64, mean, squares, n_samples);
        Participation { count, mean, sd, z }
    }
}
