//! Erdős–Rényi: every arc alike.

use rayon::prelude::*;

use super::bernoulli::Bernoulli;
use super::distinct::first_distinct;
use super::stream::{Streams, below};
use super::{GenerateError, check_arcs, check_nodes, n_possible_arcs};
use crate::graph::EdgeList;

/// A directed Erdős–Rényi graph without loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErdosRenyiConfig {
    /// Number of nodes.
    pub n_nodes: usize,
    /// How many arcs there are.
    pub arcs: ArcCount,
}

/// How many arcs an Erdős–Rényi graph has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArcCount {
    /// G(n, m): exactly so many distinct arcs, every such set as likely as any other.
    Exactly(u64),
    /// G(n, p): every possible arc with this probability, independently.
    Probability(f64),
}

/// The arcs of a random graph, ordered by source, then target.
///
/// Time and memory O(arcs), for G(n, p) too. Erdős, Rényi (1959); Gilbert (1959).
///
/// ```
/// use motifnet::graph::generate::erdos_renyi::{self, ArcCount, ErdosRenyiConfig};
///
/// let config = ErdosRenyiConfig { n_nodes: 100, arcs: ArcCount::Exactly(250) };
/// assert_eq!(erdos_renyi::generate(&config, 1)?.len(), 250);
/// # Ok::<(), motifnet::graph::generate::GenerateError>(())
/// ```
///
/// # Errors
/// More than 2³² − 1 nodes, more arcs than n(n − 1), a probability outside [0, 1], or so many
/// arcs that no memory would hold them.
pub fn generate(config: &ErdosRenyiConfig, seed: u64) -> Result<EdgeList, GenerateError> {
    config.check()?;
    generate_planned(config, seed)
}

/// As [`generate`], by someone who has made sure that the graph can be and that there is memory for it.
pub(crate) fn generate_planned(
    config: &ErdosRenyiConfig,
    seed: u64,
) -> Result<EdgeList, GenerateError> {
    let n_nodes = config.n_nodes;
    let n_possible = n_possible_arcs(n_nodes);
    let cells = match config.arcs {
        ArcCount::Exactly(n_arcs) => exactly(n_possible, n_arcs, seed)?,
        ArcCount::Probability(p) => with_probability(n_possible, p, seed),
    };
    let width = (n_nodes as u64).saturating_sub(1).max(1);
    let (sources, targets) = cells.into_par_iter().map(|cell| arc_of_cell(cell, width)).unzip();
    Ok(EdgeList { n_nodes, sources, targets, weights: None })
}

impl ErdosRenyiConfig {
    /// Whether a graph can be generated from this.
    fn check(&self) -> Result<(), GenerateError> {
        check_nodes(self.n_nodes as u128)?;
        let most = n_possible_arcs(self.n_nodes);
        let expected = match self.arcs {
            ArcCount::Exactly(n_arcs) if n_arcs > most => {
                return Err(GenerateError::TooManyArcs { n_arcs, n_nodes: self.n_nodes, most });
            }
            ArcCount::Probability(value) if !(0.0..=1.0).contains(&value) => {
                let what = "the probability of an arc".to_owned();
                return Err(GenerateError::NotAProbability { what, value });
            }
            ArcCount::Exactly(n_arcs) => n_arcs as f64,
            ArcCount::Probability(p) => p * most as f64,
        };
        check_arcs(expected)
    }
}

/// Cell numbers run over the rows of the adjacency matrix with the diagonal left out.
fn arc_of_cell(cell: u64, width: u64) -> (u32, u32) {
    let (source, target) = (cell / width, cell % width);
    (source as u32, (target + u64::from(target >= source)) as u32)
}

fn exactly(n_possible: u64, n_arcs: u64, seed: u64) -> Result<Vec<u64>, GenerateError> {
    let streams = Streams::new(seed, "erdos-renyi n m");
    // Past one half it is quicker to draw the arcs that are missing.
    let complement = n_arcs > n_possible / 2;
    let n_drawn = if complement { n_possible - n_arcs } else { n_arcs };
    let draw_block = |block: u64, count: usize, cells: &mut Vec<u64>| {
        let mut rng = streams.block(block);
        cells.extend((0..count).map(|_| below(&mut rng, n_possible)));
    };
    let drawn = first_distinct(n_drawn as usize, u64::MAX, draw_block).map_err(|stuck| {
        GenerateError::Stuck { found: stuck.found as u64, wanted: n_drawn, draws: stuck.draws }
    })?;
    Ok(if complement { all_but(n_possible, n_arcs, &drawn) } else { drawn })
}

/// The numbers below `end` that the ascending `missing` lacks; there are `n_left` of them.
fn all_but(end: u64, n_left: u64, missing: &[u64]) -> Vec<u64> {
    let mut left = Vec::with_capacity(n_left as usize);
    let mut start = 0;
    for &gap in missing {
        left.extend(start..gap);
        start = gap + 1;
    }
    left.extend(start..end);
    left
}

fn with_probability(n_possible: u64, probability: f64, seed: u64) -> Vec<u64> {
    let streams = Streams::new(seed, "erdos-renyi n p");
    let bernoulli = Bernoulli::new(n_possible, probability);
    let blocks: Vec<Vec<u64>> = (0..bernoulli.n_blocks())
        .into_par_iter()
        .map(|block| {
            let mut cells = Vec::new();
            bernoulli.each(block, &mut streams.block(block), |cell, _| cells.push(cell));
            cells
        })
        .collect();
    blocks.concat()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_simple, assert_within_5_sigma, first_arcs, on_threads};
    use super::*;

    fn config(n_nodes: usize, arcs: ArcCount) -> ErdosRenyiConfig {
        ErdosRenyiConfig { n_nodes, arcs }
    }

    fn exact(n_nodes: usize, n_arcs: u64, seed: u64) -> EdgeList {
        generate(&config(n_nodes, ArcCount::Exactly(n_arcs)), seed).unwrap()
    }

    fn random(n_nodes: usize, p: f64, seed: u64) -> EdgeList {
        generate(&config(n_nodes, ArcCount::Probability(p)), seed).unwrap()
    }

    #[test]
    fn exactly_m_distinct_arcs_sparse_or_dense() {
        for (n_nodes, n_arcs) in
            [(0, 0), (1, 0), (2, 2), (30, 0), (30, 200), (30, 700), (30, 870), (1000, 300_000)]
        {
            let arcs = exact(n_nodes, n_arcs, 4);
            assert_eq!(arcs.len() as u64, n_arcs);
            assert_simple(&arcs);
        }
    }

    #[test]
    fn every_arc_is_as_likely_as_any_other() {
        // 12 possible arcs, 3 of them in each of 20,000 graphs, and 9 of them in others.
        for n_arcs in [3, 9] {
            let mut counts = [[0_u32; 4]; 4];
            for seed in 0..20_000 {
                let arcs = exact(4, n_arcs, seed);
                for (&source, &target) in arcs.sources.iter().zip(&arcs.targets) {
                    counts[source as usize][target as usize] += 1;
                }
            }
            let p = n_arcs as f64 / 12.0;
            for (source, row) in counts.iter().enumerate() {
                for (target, &count) in row.iter().enumerate().filter(|(t, _)| *t != source) {
                    assert_ne!(source, target);
                    let variance = 20_000.0 * p * (1.0 - p);
                    assert_within_5_sigma(f64::from(count), 20_000.0 * p, variance);
                }
            }
        }
    }

    #[test]
    fn the_number_of_arcs_follows_p() {
        for p in [0.0005, 0.03, 0.5, 0.97] {
            let arcs = random(2000, p, 11);
            assert_simple(&arcs);
            let cells = 2000.0 * 1999.0;
            assert_within_5_sigma(arcs.len() as f64, cells * p, cells * p * (1.0 - p));
        }
        assert_eq!(random(300, 1.0, 1).len(), 300 * 299);
        assert_eq!(random(300, 0.0, 1).len(), 0);
        assert_eq!(random(0, 1.0, 1).len(), 0);
        assert_eq!(random(1, 1.0, 1).len(), 0);
    }

    #[test]
    fn huge_sparse_graphs_cost_their_arcs_only() {
        assert_eq!(exact(u32::MAX as usize, 1000, 2).len(), 1000);
        assert_simple(&random(u32::MAX as usize, 1e-16, 2));
    }

    #[test]
    fn threads_do_not_change_the_arcs() {
        let both = || (exact(5000, 400_000, 9), random(5000, 0.02, 9));
        assert_eq!(on_threads(1, both), on_threads(4, both));
    }

    #[test]
    fn impossible_wishes_are_refused_with_what_is_possible() {
        let message = |n_nodes, arcs| generate(&config(n_nodes, arcs), 0).unwrap_err().to_string();
        insta::assert_snapshot!(message(3, ArcCount::Exactly(7)), @"7 arcs on 3 nodes: at most 6 distinct arcs without loops are possible");
        insta::assert_snapshot!(message(3, ArcCount::Probability(1.5)), @"the probability of an arc is 1.5: a probability lies between 0 and 1");
        insta::assert_snapshot!(message(3, ArcCount::Probability(f64::NAN)), @"the probability of an arc is NaN: a probability lies between 0 and 1");
        insta::assert_snapshot!(message(4_000_000_000, ArcCount::Probability(0.5)), @"about 8.000e18 arcs: at most 17179869184 are generated; take fewer nodes or arcs");
        insta::assert_snapshot!(message(5_000_000_000, ArcCount::Exactly(1)), @"5000000000 nodes: a graph has at most 4294967295");
    }

    #[test]
    fn the_stream_has_not_changed() {
        insta::assert_snapshot!(first_arcs(&exact(100, 50, 42), 6), @"1>32 3>5 3>11 9>27 10>51 11>64");
        insta::assert_snapshot!(first_arcs(&random(100, 0.01, 42), 6), @"0>53 4>8 4>90 5>53 7>44 8>46");
    }
}
