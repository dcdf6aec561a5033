//! Random streams: one for each block of work, all from one seed.
//!
//! Nothing here depends on the machine: ChaCha is integer arithmetic, and the few floating-point
//! functions that the generators need are `libm`'s, not the system's.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A family of independent streams.
pub(crate) struct Streams {
    key: [u8; 32],
}

impl Streams {
    /// The streams of `seed`. Those of different `purpose`s have nothing in common.
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        for (slot, byte) in key[8..].iter_mut().zip(purpose.bytes()) {
            *slot = byte;
        }
        Self { key }
    }

    /// The stream of one block.
    pub(crate) fn block(&self, number: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::from_seed(self.key);
        rng.set_stream(number);
        rng
    }
}

/// Uniform in (0, 1], a multiple of 2⁻⁵³.
pub(crate) fn unit(rng: &mut ChaCha8Rng) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

/// Uniform in `0..bound`, without bias (Lemire 2019).
pub(crate) fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    let mut product = u128::from(rng.next_u64()) * u128::from(bound);
    if (product as u64) < bound {
        let threshold = bound.wrapping_neg() % bound;
        while (product as u64) < threshold {
            product = u128::from(rng.next_u64()) * u128::from(bound);
        }
    }
    (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_purposes_have_their_own_streams() {
        let first = |seed, purpose, block| Streams::new(seed, purpose).block(block).next_u64();
        let mut firsts =
            vec![first(1, "a", 0), first(1, "a", 1), first(1, "b", 0), first(2, "a", 0)];
        assert_eq!(firsts[0], first(1, "a", 0));
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 4);
    }

    #[test]
    fn draws_below_a_bound_are_even() {
        let mut rng = Streams::new(3, "test").block(0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[below(&mut rng, 6) as usize] += 1;
        }
        // 5 standard deviations of a binomial(60000, 1/6) are 456.
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 456), "{counts:?}");
        assert_eq!(below(&mut rng, 1), 0);
        assert_eq!(below(&mut rng, 0), 0);
    }
}
