//! R-MAT: skewed degrees and communities within communities.

use rand::Rng;
use rayon::prelude::*;

use super::distinct::first_distinct;
use super::stream::Streams;
use super::{GenerateError, check_arcs, check_nodes};
use crate::graph::EdgeList;

/// An R-MAT graph: the adjacency matrix is cut into quarters, one is chosen with probability a
/// (upper left), b (upper right), c (lower left) or d (lower right), and so on down to one cell.
/// The probabilities are the same at every level (no noise).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RmatConfig {
    /// Number of nodes, a power of two.
    pub n_nodes: usize,
    /// Number of distinct arcs without loops.
    pub n_arcs: u64,
    /// Probability that both ends of an arc lie in the first half.
    pub a: f64,
    /// Probability that the source lies in the first half and the target in the second.
    pub b: f64,
    /// Probability that the source lies in the second half and the target in the first.
    pub c: f64,
    /// Probability that both ends lie in the second half; a + b + c + d = 1.
    pub d: f64,
    /// Whether the nodes are renumbered at random, so that a node's number says nothing of its
    /// degree.
    pub scramble: bool,
}

impl Default for RmatConfig {
    /// The probabilities of Graph500: .57, .19, .19, .05.
    fn default() -> Self {
        Self { n_nodes: 1, n_arcs: 0, a: 0.57, b: 0.19, c: 0.19, d: 0.05, scramble: false }
    }
}

/// How far the sum of the probabilities may be from 1.
const SUM_TOLERANCE: f64 = 1e-6;

/// The arcs of an R-MAT graph, ordered by source, then target: the first `n_arcs` distinct arcs
/// of an endless sequence of draws, loops passed over.
///
/// Probabilities are kept to 2⁻³². Time O(draws · log nodes), memory O(arcs). Chakrabarti, Zhan,
/// Faloutsos, "R-MAT" (2004).
///
/// # Errors
/// A number of nodes that is not a power of two, more arcs than the probabilities allow, numbers
/// that are not probabilities or do not add up to 1, or arcs so rare that the sampling got stuck.
pub fn generate(config: &RmatConfig, seed: u64) -> Result<EdgeList, GenerateError> {
    let levels = config.check()?;
    let quarters = Quarters::new(config);
    let streams = Streams::new(seed, "rmat");
    let scramble = config.scramble.then(|| Scramble::new(levels, seed));
    let draw_block = |block: u64, count: usize, keys: &mut Vec<u64>| {
        let mut rng = streams.block(block);
        for _ in 0..count {
            let (mut source, mut target) = quarters.draw(levels, &mut rng);
            if source != target {
                if let Some(scramble) = &scramble {
                    (source, target) = (scramble.node(source), scramble.node(target));
                }
                keys.push(u64::from(source) << 32 | u64::from(target));
            }
        }
    };
    let most_draws = config.n_arcs.saturating_mul(64).saturating_add(1 << 24);
    let keys = first_distinct(config.n_arcs as usize, most_draws, draw_block).map_err(|stuck| {
        GenerateError::Stuck {
            found: stuck.found as u64,
            wanted: config.n_arcs,
            draws: stuck.draws,
        }
    })?;
    let (sources, targets) =
        keys.into_par_iter().map(|key| ((key >> 32) as u32, key as u32)).unzip();
    Ok(EdgeList { n_nodes: config.n_nodes, sources, targets, weights: None })
}

impl RmatConfig {
    /// The number of levels, if a graph can be generated from this.
    fn check(&self) -> Result<u32, GenerateError> {
        check_nodes(self.n_nodes as u128)?;
        if !self.n_nodes.is_power_of_two() {
            let nearest = nearest_powers_of_two(self.n_nodes);
            return Err(GenerateError::NotAPowerOfTwo { n_nodes: self.n_nodes, nearest });
        }
        let named = [("a", self.a), ("b", self.b), ("c", self.c), ("d", self.d)];
        if let Some((name, value)) = named.into_iter().find(|(_, p)| !(0.0..=1.0).contains(p)) {
            return Err(GenerateError::NotAProbability { what: name.to_owned(), value });
        }
        let sum = self.a + self.b + self.c + self.d;
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(GenerateError::ProbabilitySum(sum));
        }
        let levels = self.n_nodes.trailing_zeros();
        let most = self.n_reachable_arcs(levels);
        if self.n_arcs > most {
            return Err(GenerateError::TooManyArcs {
                n_arcs: self.n_arcs,
                n_nodes: self.n_nodes,
                most,
            });
        }
        check_arcs(self.n_arcs as f64)?;
        Ok(levels)
    }

    /// Number of arcs without loops whose probability is not zero; levels are below 32.
    fn n_reachable_arcs(&self, levels: u32) -> u64 {
        let count = |ps: &[f64]| ps.iter().filter(|&&p| p > 0.0).count() as u64;
        let cells = count(&[self.a, self.b, self.c, self.d]).pow(levels);
        let loops = count(&[self.a, self.d]).pow(levels);
        cells - loops
    }
}

fn nearest_powers_of_two(n_nodes: usize) -> String {
    let above = n_nodes.next_power_of_two();
    if n_nodes == 0 {
        "1 and 2".to_owned()
    } else if above > u32::MAX as usize {
        format!("{} (and no larger one)", above / 2)
    } else {
        format!("{} and {above}", above / 2)
    }
}

/// Where in 0..2³² the four quarters begin.
struct Quarters {
    b_from: u64,
    c_from: u64,
    d_from: u64,
}

impl Quarters {
    fn new(config: &RmatConfig) -> Self {
        let RmatConfig { a, b, c, d, .. } = *config;
        // Divided by the sum, so that a quarter of probability 0 is empty whatever the rounding.
        let from = |p: f64| libm::round(p / (a + b + c + d) * 4_294_967_296.0) as u64;
        Self { b_from: from(a), c_from: from(a + b), d_from: from(a + b + c) }
    }

    fn draw(&self, levels: u32, rng: &mut impl Rng) -> (u32, u32) {
        let (mut source, mut target) = (0, 0);
        for _ in 0..levels {
            let u = u64::from(rng.next_u32());
            let second_half = u >= self.c_from;
            let right = (u >= self.b_from) ^ second_half ^ (u >= self.d_from);
            source = source << 1 | u32::from(second_half);
            target = target << 1 | u32::from(right);
        }
        (source, target)
    }
}

/// A random renumbering of 2^levels nodes that needs no table: multiplying by an odd number and
/// folding the upper half of the bits into the lower are both one-to-one.
struct Scramble {
    mask: u32,
    shift: u32,
    rounds: [(u32, u32); 4],
}

impl Scramble {
    fn new(levels: u32, seed: u64) -> Self {
        let mut rng = Streams::new(seed, "rmat scramble").block(0);
        let rounds = std::array::from_fn(|_| (rng.next_u32() | 1, rng.next_u32()));
        let mask = ((1_u64 << levels) - 1) as u32;
        Self { mask, shift: levels.div_ceil(2).max(1), rounds }
    }

    fn node(&self, node: u32) -> u32 {
        self.rounds.iter().fold(node, |node, &(factor, summand)| {
            let node = node.wrapping_mul(factor).wrapping_add(summand) & self.mask;
            node ^ (node >> self.shift)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_simple, assert_within_5_sigma, first_arcs, on_threads};
    use super::*;

    fn config(n_nodes: usize, n_arcs: u64) -> RmatConfig {
        RmatConfig { n_nodes, n_arcs, ..RmatConfig::default() }
    }

    #[test]
    fn the_asked_number_of_distinct_arcs() {
        for (n_nodes, n_arcs) in [(1, 0), (2, 2), (4, 12), (64, 1500), (1 << 17, 200_000)] {
            let arcs = generate(&config(n_nodes, n_arcs), 3).unwrap();
            assert_eq!(arcs.len() as u64, n_arcs);
            assert_simple(&arcs);
        }
    }

    #[test]
    fn halves_have_their_probabilities() {
        // So sparse that hardly an arc is a repeat or a loop: the halves follow a + b and a + c.
        let n = 100_000;
        let skewed = RmatConfig { b: 0.25, c: 0.13, ..config(1 << 30, n) };
        let arcs = generate(&skewed, 8).unwrap();
        let in_first_half =
            |nodes: &[u32]| nodes.iter().filter(|&&node| node < 1 << 29).count() as f64;
        let n = n as f64;
        assert_within_5_sigma(in_first_half(&arcs.sources), n * 0.82, n * 0.82 * 0.18);
        assert_within_5_sigma(in_first_half(&arcs.targets), n * 0.70, n * 0.70 * 0.30);
    }

    #[test]
    fn scrambling_renumbers_the_nodes_one_to_one() {
        for levels in [0, 1, 2, 3, 8, 13] {
            let scramble = Scramble::new(levels, 77);
            let mut nodes: Vec<u32> = (0..1 << levels).map(|node| scramble.node(node)).collect();
            nodes.sort_unstable();
            assert_eq!(nodes, (0..1 << levels).collect::<Vec<u32>>());
        }
        let degrees = |scramble| {
            let config = RmatConfig { scramble, ..config(256, 3000) };
            let arcs = generate(&config, 5).unwrap();
            assert_simple(&arcs);
            let mut degrees = vec![0; 256];
            arcs.sources.iter().for_each(|&source| degrees[source as usize] += 1);
            degrees
        };
        let (mut plain, mut scrambled): (Vec<u32>, Vec<u32>) = (degrees(false), degrees(true));
        assert_ne!(plain, scrambled);
        plain.sort_unstable();
        scrambled.sort_unstable();
        assert_eq!(plain, scrambled);
    }

    #[test]
    fn threads_do_not_change_the_arcs() {
        let run = || generate(&config(1 << 14, 300_000), 6);
        assert_eq!(on_threads(1, run), on_threads(4, run));
    }

    #[test]
    fn impossible_wishes_are_refused_with_what_is_possible() {
        let message = |config: RmatConfig| generate(&config, 0).unwrap_err().to_string();
        insta::assert_snapshot!(message(config(1000, 5)), @"1000 nodes: R-MAT needs a power of two; the nearest are 512 and 1024");
        insta::assert_snapshot!(message(config(0, 0)), @"0 nodes: R-MAT needs a power of two; the nearest are 1 and 2");
        insta::assert_snapshot!(message(config(4_000_000_000, 5)), @"4000000000 nodes: R-MAT needs a power of two; the nearest are 2147483648 (and no larger one)");
        insta::assert_snapshot!(message(config(1 << 32, 5)), @"4294967296 nodes: a graph has at most 4294967295");
        insta::assert_snapshot!(message(config(4, 13)), @"13 arcs on 4 nodes: at most 12 distinct arcs without loops are possible");
        insta::assert_snapshot!(message(RmatConfig { a: 0.6, ..config(4, 5) }), @"a + b + c + d is 1.03: the four probabilities of R-MAT add up to 1");
        insta::assert_snapshot!(message(RmatConfig { a: f64::NAN, ..config(4, 5) }), @"a is NaN: a probability lies between 0 and 1");
        let loops = RmatConfig { a: 0.5, b: 0.0, c: 0.0, d: 0.5, ..config(8, 1) };
        insta::assert_snapshot!(message(loops), @"1 arcs on 8 nodes: at most 0 distinct arcs without loops are possible");
    }

    #[test]
    fn arcs_too_rare_to_find_end_in_an_error() {
        let stuck = generate(&config(256, 256 * 255), 0).unwrap_err();
        assert!(matches!(stuck, GenerateError::Stuck { wanted: 65_280, .. }), "{stuck}");
        // A probability below 2⁻³³ is rounded away.
        let tiny = RmatConfig { a: 1.0, b: 1e-300, c: 0.0, d: 0.0, ..config(2, 1) };
        assert!(matches!(generate(&tiny, 0), Err(GenerateError::Stuck { found: 0, .. })));
    }

    #[test]
    fn the_stream_has_not_changed() {
        insta::assert_snapshot!(first_arcs(&generate(&config(256, 200), 42).unwrap(), 6), @"0>2 0>3 0>6 0>9 0>12 0>14");
        let scrambled = RmatConfig { scramble: true, ..config(256, 200) };
        insta::assert_snapshot!(first_arcs(&generate(&scrambled, 42).unwrap(), 6), @"1>150 10>237 14>17 14>168 17>6 17>20");
    }
}
