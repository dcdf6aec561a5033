//! Which entries are dropped.

use super::philox;

/// Blocks of random bits that are made at once; each decides about eight entries.
const N_BLOCKS: usize = 8;
const N_ENTRIES: usize = 8 * N_BLOCKS;

/// The dropout of one layer's input in one step.
///
/// Whether an entry is dropped follows from (seed, step, layer, node, column) alone: neither from
/// the order of the nodes, nor from which of them are computed, nor from the threads. So it is
/// never stored: whoever needs it again makes it again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dropout {
    key: [u32; 2],
    layer: u32,
    step: u32,
    /// An entry is dropped if its sixteen bits are below this.
    threshold: u32,
    rate: f64,
}

impl Dropout {
    /// Drops each entry with probability `rate`, which is met to 1/65,536.
    pub(super) fn new(rate: f64, seed: u64, layer: usize, step: u64) -> Self {
        let key = [seed as u32, (seed >> 32) as u32 ^ (step >> 32) as u32];
        let threshold = (rate * 65_536.0).round() as u32;
        Self { key, layer: layer as u32, step: step as u32, threshold, rate }
    }

    /// What an entry that is kept is multiplied by, so that the expectation stays.
    pub(super) fn scale(&self) -> f64 {
        1.0 / (1.0 - self.rate)
    }

    /// Calls `visit(start, kept)` for every stretch of up to 64 columns of the row of `node`.
    #[inline(always)]
    pub(super) fn for_row(
        &self,
        node: u32,
        width: usize,
        mut visit: impl FnMut(usize, &[bool; N_ENTRIES]),
    ) {
        for start in (0..width).step_by(N_ENTRIES) {
            let counter = [node, (start / 8) as u32, self.layer, self.step];
            let words = philox::blocks::<N_BLOCKS>(self.key, counter);
            let mut kept = [false; N_ENTRIES];
            for (word, word_of) in words.iter().enumerate() {
                for block in 0..N_BLOCKS {
                    kept[word * 16 + block] = word_of[block] & 0xffff >= self.threshold;
                    kept[word * 16 + 8 + block] = word_of[block] >> 16 >= self.threshold;
                }
            }
            visit(start, &kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(dropout: Dropout, node: u32, width: usize) -> Vec<bool> {
        let mut mask = vec![false; width];
        dropout.for_row(node, width, |start, kept| {
            for (mask, &kept) in mask[start..].iter_mut().zip(kept) {
                *mask = kept;
            }
        });
        mask
    }

    #[test]
    fn the_rate_is_met_and_everything_counts() {
        for rate in [0.0, 0.2, 0.5, 0.9] {
            let rows = (0..400).map(|node| mask(Dropout::new(rate, 7, 1, 3), node, 130));
            let kept = rows.flatten().filter(|&kept| kept).count() as f64 / (400.0 * 130.0);
            assert!((kept - (1.0 - rate)).abs() < 0.01, "{rate}: {kept}");
        }
        let reference = mask(Dropout::new(0.5, 7, 1, 3), 9, 130);
        assert_eq!(mask(Dropout::new(0.5, 7, 1, 3), 9, 70), reference[..70]);
        for other in [
            mask(Dropout::new(0.5, 8, 1, 3), 9, 130),
            mask(Dropout::new(0.5, 7, 2, 3), 9, 130),
            mask(Dropout::new(0.5, 7, 1, 4), 9, 130),
            mask(Dropout::new(0.5, 7, 1, 3), 10, 130),
        ] {
            assert_ne!(other, reference);
        }
    }
}
