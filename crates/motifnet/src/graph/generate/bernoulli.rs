//! Taking each of many cells with one probability, in time proportional to what is taken.

use rand_chacha::ChaCha8Rng;

use super::stream::unit;

/// Cells that a block takes on average.
const CELLS_PER_BLOCK: f64 = 65_536.0;

/// `n_cells` cells, each taken with the same probability, dealt into blocks.
///
/// The gap to the next cell taken is geometric: ⌊ln u / ln(1 − p)⌋ for a uniform u
/// (Batagelj, Brandes 2005).
#[derive(Clone, Copy, Debug)]
pub(super) struct Bernoulli {
    n_cells: u64,
    log_miss: f64,
    block_cells: u64,
}

impl Bernoulli {
    /// Cells taken with `probability`, which lies between 0 and 1.
    pub(super) fn new(n_cells: u64, probability: f64) -> Self {
        let n_cells = if probability > 0.0 { n_cells } else { 0 };
        // A cast to an integer saturates, for the smallest of probabilities too.
        let block_cells = ((CELLS_PER_BLOCK / probability) as u64).clamp(1, n_cells.max(1));
        Self { n_cells, log_miss: libm::log1p(-probability), block_cells }
    }

    /// Number of blocks, each of which needs its own stream.
    pub(super) fn n_blocks(&self) -> u64 {
        self.n_cells.div_ceil(self.block_cells)
    }

    /// Calls `take` for every cell of `block` that is taken, in ascending order. `take` may draw
    /// from the stream too.
    pub(super) fn each(
        &self,
        block: u64,
        rng: &mut ChaCha8Rng,
        mut take: impl FnMut(u64, &mut ChaCha8Rng),
    ) {
        let start = block * self.block_cells;
        let end = start.saturating_add(self.block_cells).min(self.n_cells);
        let mut cell = start;
        loop {
            let gap = (libm::log(unit(rng)) / self.log_miss) as u64;
            cell = cell.saturating_add(gap);
            if cell >= end {
                return;
            }
            take(cell, rng);
            cell += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::stream::Streams;
    use super::*;

    fn taken(n_cells: u64, probability: f64) -> Vec<u64> {
        let bernoulli = Bernoulli::new(n_cells, probability);
        let streams = Streams::new(1, "test");
        let mut cells = Vec::new();
        for block in 0..bernoulli.n_blocks() {
            bernoulli.each(block, &mut streams.block(block), |cell, _| cells.push(cell));
        }
        cells
    }

    #[test]
    fn probability_one_takes_everything_and_zero_nothing() {
        assert_eq!(taken(200_000, 1.0), (0..200_000).collect::<Vec<_>>());
        assert!(taken(200_000, 0.0).is_empty());
        assert!(taken(0, 0.5).is_empty());
    }

    #[test]
    fn extreme_probabilities_end() {
        assert!(taken(u64::MAX, f64::MIN_POSITIVE).is_empty());
        assert!(taken(u64::MAX, 5e-324).is_empty());
        assert_eq!(taken(10, 1.0 - f64::EPSILON).len(), 10);
    }
}
