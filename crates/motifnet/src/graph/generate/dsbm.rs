//! The directed stochastic block model: arcs between blocks, each pair of blocks with its own
//! probability.

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::bernoulli::Bernoulli;
use super::poisson::{MAX_MEAN, Poisson};
use super::stream::Streams;
use super::{GenerateError, check_arcs, check_nodes, n_possible_arcs};
use crate::graph::EdgeList;

/// A directed stochastic block model; nodes are numbered block after block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DsbmConfig {
    /// Number of nodes of each block.
    pub block_sizes: Vec<usize>,
    /// `connections[i][j]`: probability of an arc from a node of block i to another of block j.
    pub connections: Vec<Vec<f64>>,
    /// What the arcs weigh.
    pub weights: ArcWeights,
}

/// What the arcs of a block model weigh. An arc whose weight is 0 is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ArcWeights {
    /// They have no weights.
    #[default]
    Unweighted,
    /// `[i][j]` is the weight of every arc from block i to block j.
    Constant(Vec<Vec<f64>>),
    /// `[i][j]` is the mean of the Poisson distribution that the weights of the arcs from block i
    /// to block j are drawn from. A draw of 0 takes the arc away.
    Poisson(Vec<Vec<f64>>),
}

/// The arcs of a block model without loops, pair of blocks after pair of blocks, each by source,
/// then target. [`DsbmConfig::block_of_each_node`] tells which block a node is in.
///
/// Time and memory O(arcs + blocks²). The model is that of Cucuringu, Li, Sun, Zanetti (2020).
///
/// ```
/// use motifnet::graph::generate::dsbm::{self, DsbmConfig};
///
/// let config = DsbmConfig {
///     block_sizes: vec![3, 2],
///     connections: vec![vec![0.0, 1.0], vec![0.0, 0.0]],
///     ..DsbmConfig::default()
/// };
/// assert_eq!(dsbm::generate(&config, 1)?.len(), 6);
/// assert_eq!(config.block_of_each_node()?, [0, 0, 0, 1, 1]);
/// # Ok::<(), motifnet::graph::generate::GenerateError>(())
/// ```
///
/// # Errors
/// No blocks, empty blocks, more than 2³² − 1 nodes, matrices of another shape, numbers that are
/// not probabilities, weights that are negative or not finite, or so many arcs that no memory
/// would hold them.
pub fn generate(config: &DsbmConfig, seed: u64) -> Result<EdgeList, GenerateError> {
    config.check()?;
    let streams = Streams::new(seed, "dsbm");
    let pieces: Vec<EdgeList> = config
        .tasks()
        .into_par_iter()
        .enumerate()
        .map(|(number, (pair, block))| pair.draw(block, &mut streams.block(number as u64)))
        .collect();
    let n_arcs = pieces.iter().map(EdgeList::len).sum();
    let mut arcs = EdgeList {
        n_nodes: config.block_sizes.iter().sum(),
        sources: Vec::with_capacity(n_arcs),
        targets: Vec::with_capacity(n_arcs),
        weights: (config.weights != ArcWeights::Unweighted).then(Vec::new),
    };
    for piece in pieces {
        arcs.sources.extend(piece.sources);
        arcs.targets.extend(piece.targets);
        if let (Some(weights), Some(more)) = (&mut arcs.weights, piece.weights) {
            weights.extend(more);
        }
    }
    Ok(arcs)
}

impl DsbmConfig {
    /// The block of every node: the truth that a clustering of the graph is measured by.
    ///
    /// # Errors
    /// As [`generate`].
    pub fn block_of_each_node(&self) -> Result<Vec<u32>, GenerateError> {
        self.check()?;
        let sizes = self.block_sizes.iter().enumerate();
        Ok(sizes.flat_map(|(block, &size)| std::iter::repeat_n(block as u32, size)).collect())
    }

    /// Whether a graph can be generated from this.
    fn check(&self) -> Result<(), GenerateError> {
        if self.block_sizes.is_empty() {
            return Err(GenerateError::NoBlocks);
        }
        if let Some(block) = self.block_sizes.iter().position(|&size| size == 0) {
            return Err(GenerateError::EmptyBlock(block));
        }
        check_nodes(self.block_sizes.iter().map(|&size| size as u128).sum())?;
        self.check_shape("the connection matrix", &self.connections)?;
        for (row, column, value) in cells(&self.connections) {
            if !(0.0..=1.0).contains(&value) {
                let what = format!("the connection from block {row} to block {column}");
                return Err(GenerateError::NotAProbability { what, value });
            }
        }
        let (matrix, most) = match &self.weights {
            ArcWeights::Unweighted => return self.check_size(),
            ArcWeights::Constant(matrix) => (matrix, f64::from(f32::MAX)),
            ArcWeights::Poisson(matrix) => (matrix, MAX_MEAN),
        };
        self.check_shape("the weight matrix", matrix)?;
        for (row, column, value) in cells(matrix) {
            if !(0.0..=most).contains(&value) {
                return Err(GenerateError::WeightOutOfRange { row, column, value, most });
            }
        }
        self.check_size()
    }

    fn check_shape(&self, what: &'static str, matrix: &[Vec<f64>]) -> Result<(), GenerateError> {
        let n_blocks = self.block_sizes.len();
        let found = match matrix.iter().position(|row| row.len() != n_blocks) {
            _ if matrix.len() != n_blocks => format!("{} rows", matrix.len()),
            Some(row) => format!("{} numbers in row {row}", matrix[row].len()),
            None => return Ok(()),
        };
        Err(GenerateError::MatrixShape { what, found, n_blocks })
    }

    fn check_size(&self) -> Result<(), GenerateError> {
        let size = |block: usize| self.block_sizes[block] as f64;
        let expected: f64 =
            cells(&self.connections).map(|(row, column, p)| size(row) * size(column) * p).sum();
        check_arcs(expected)
    }

    /// Every block of cells of every pair of blocks of nodes, in order.
    fn tasks(&self) -> Vec<(BlockPair, u64)> {
        let mut starts = vec![0];
        for size in &self.block_sizes {
            starts.push(starts[starts.len() - 1] + *size as u64);
        }
        let mut tasks = Vec::new();
        for (row, column, probability) in cells(&self.connections) {
            let (n_rows, n_columns) = (self.block_sizes[row], self.block_sizes[column]);
            let diagonal = row == column;
            let n_cells =
                if diagonal { n_possible_arcs(n_rows) } else { n_rows as u64 * n_columns as u64 };
            let pair = BlockPair {
                first_source: starts[row],
                first_target: starts[column],
                width: (n_columns as u64 - u64::from(diagonal)).max(1),
                diagonal,
                bernoulli: Bernoulli::new(n_cells, probability),
                weight: match &self.weights {
                    ArcWeights::Unweighted => Weight::Constant(1.0),
                    ArcWeights::Constant(matrix) => Weight::Constant(matrix[row][column] as f32),
                    ArcWeights::Poisson(matrix) => {
                        Weight::Poisson(Poisson::new(matrix[row][column]))
                    }
                },
            };
            tasks.extend((0..pair.bernoulli.n_blocks()).map(|block| (pair, block)));
        }
        tasks
    }
}

/// The entries of a matrix with their places.
fn cells(matrix: &[Vec<f64>]) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
    matrix.iter().enumerate().flat_map(|(row, values)| {
        values.iter().enumerate().map(move |(column, &value)| (row, column, value))
    })
}

#[derive(Clone, Copy)]
enum Weight {
    Constant(f32),
    Poisson(Poisson),
}

impl Weight {
    fn draw(&self, rng: &mut ChaCha8Rng) -> f32 {
        match self {
            Self::Constant(weight) => *weight,
            Self::Poisson(poisson) => poisson.draw(rng) as f32,
        }
    }
}

/// The arcs from one block of nodes to another.
#[derive(Clone, Copy)]
struct BlockPair {
    first_source: u64,
    first_target: u64,
    /// Cells a row: one fewer than the targets where the diagonal is left out.
    width: u64,
    diagonal: bool,
    bernoulli: Bernoulli,
    weight: Weight,
}

impl BlockPair {
    fn draw(&self, block: u64, rng: &mut ChaCha8Rng) -> EdgeList {
        let mut arcs = EdgeList::default();
        let mut weights = Vec::new();
        self.bernoulli.each(block, rng, |cell, rng| {
            let weight = self.weight.draw(rng);
            if weight > 0.0 {
                let (row, column) = (cell / self.width, cell % self.width);
                let column = column + u64::from(self.diagonal && column >= row);
                arcs.sources.push((self.first_source + row) as u32);
                arcs.targets.push((self.first_target + column) as u32);
                weights.push(weight);
            }
        });
        arcs.weights = Some(weights);
        arcs
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_simple, assert_within_5_sigma, first_arcs, on_threads};
    use super::*;

    fn config(weights: ArcWeights) -> DsbmConfig {
        DsbmConfig {
            block_sizes: vec![400, 300, 1],
            connections: vec![vec![0.1, 0.6, 0.5], vec![0.02, 0.9, 0.0], vec![1.0, 0.5, 1.0]],
            weights,
        }
    }

    fn poisson() -> ArcWeights {
        ArcWeights::Poisson(vec![vec![3.0, 20.0, 1.0], vec![0.5, 0.0, 1.0], vec![1.0, 1.0, 1.0]])
    }

    /// Arcs and sum of weights from one block to another.
    fn between(config: &DsbmConfig, arcs: &EdgeList, from: u32, to: u32) -> (f64, f64) {
        let blocks = config.block_of_each_node().unwrap();
        let (mut count, mut sum) = (0.0, 0.0);
        for i in 0..arcs.len() {
            let ends = (blocks[arcs.sources[i] as usize], blocks[arcs.targets[i] as usize]);
            if ends == (from, to) {
                count += 1.0;
                sum += arcs.weights.as_ref().map_or(1.0, |weights| f64::from(weights[i]));
            }
        }
        (count, sum)
    }

    #[test]
    fn each_pair_of_blocks_has_its_probability() {
        let config = config(ArcWeights::Unweighted);
        let arcs = generate(&config, 12).unwrap();
        assert_simple(&arcs);
        assert_eq!(arcs.n_nodes, 701);
        for (from, to, cells) in [
            (0, 0, 400.0 * 399.0),
            (0, 1, 120_000.0),
            (0, 2, 400.0),
            (1, 0, 120_000.0),
            (1, 1, 300.0 * 299.0),
            (2, 1, 300.0),
        ] {
            let p = config.connections[from as usize][to as usize];
            let (count, _) = between(&config, &arcs, from, to);
            assert_within_5_sigma(count, cells * p, cells * p * (1.0 - p));
        }
        assert_eq!(between(&config, &arcs, 1, 2).0, 0.0);
        assert_eq!(between(&config, &arcs, 2, 0).0, 400.0);
        assert_eq!(between(&config, &arcs, 2, 2).0, 0.0);
    }

    #[test]
    fn poisson_weights_have_their_mean_and_zeros_are_no_arcs() {
        let config = config(poisson());
        let arcs = generate(&config, 13).unwrap();
        assert_simple(&arcs);
        assert!(arcs.weights.as_ref().unwrap().iter().all(|&weight| weight >= 1.0));
        for (from, to, cells, p, mean) in
            [(0, 0, 159_600.0, 0.1, 3.0_f64), (0, 1, 120_000.0, 0.6, 20.0)]
        {
            let (count, sum) = between(&config, &arcs, from, to);
            let kept = p * (1.0 - (-mean).exp());
            assert_within_5_sigma(count, cells * kept, cells * kept * (1.0 - kept));
            // Var(B·X) = p(λ + λ²) − p²λ².
            let variance = p * (mean + mean * mean) - (p * mean).powi(2);
            assert_within_5_sigma(sum, cells * p * mean, cells * variance);
        }
        assert_eq!(between(&config, &arcs, 1, 1).0, 0.0);
    }

    #[test]
    fn constant_weights_are_constant() {
        let weights = vec![vec![0.5, 2.0, 1.0], vec![0.0, 4.0, 1.0], vec![7.0, 1.0, 1.0]];
        let config = config(ArcWeights::Constant(weights));
        let arcs = generate(&config, 14).unwrap();
        let (count, sum) = between(&config, &arcs, 0, 0);
        assert_eq!(sum, count * 0.5);
        assert_eq!(between(&config, &arcs, 2, 0), (400.0, 2800.0));
        assert_eq!(between(&config, &arcs, 1, 0), (0.0, 0.0));
    }

    #[test]
    fn threads_do_not_change_the_arcs() {
        let run = || generate(&config(poisson()), 6);
        assert_eq!(on_threads(1, run), on_threads(4, run));
    }

    #[test]
    fn impossible_wishes_are_refused_with_what_is_possible() {
        let message = |change: fn(&mut DsbmConfig)| {
            let mut config = config(ArcWeights::Unweighted);
            change(&mut config);
            generate(&config, 0).unwrap_err().to_string()
        };
        insta::assert_snapshot!(message(|config| config.block_sizes.clear()), @"no blocks: a block model needs at least one block size");
        insta::assert_snapshot!(message(|config| config.block_sizes[1] = 0), @"block 1 has 0 nodes: every block needs at least one");
        insta::assert_snapshot!(message(|config| config.block_sizes = vec![usize::MAX; 3]), @"55340232221128654845 nodes: a graph has at most 4294967295");
        insta::assert_snapshot!(message(|config| config.block_sizes = vec![1_000_000_000; 3]), @"about 4.620e18 arcs: at most 17179869184 are generated; take fewer nodes or arcs");
        insta::assert_snapshot!(message(|config| config.block_sizes.push(4)), @"the connection matrix has 3 rows: 4 blocks need 4 rows of 4 numbers");
        insta::assert_snapshot!(message(|config| { config.connections[2].pop(); }), @"the connection matrix has 2 numbers in row 2: 3 blocks need 3 rows of 3 numbers");
        insta::assert_snapshot!(message(|config| config.connections[1][2] = -0.5), @"the connection from block 1 to block 2 is -0.5: a probability lies between 0 and 1");
        insta::assert_snapshot!(message(|config| config.weights = ArcWeights::Constant(vec![])), @"the weight matrix has 0 rows: 3 blocks need 3 rows of 3 numbers");
        insta::assert_snapshot!(message(|config| {
            config.weights = ArcWeights::Poisson(vec![vec![1.0, f64::NAN, 2.0]; 3]);
        }), @"the weight from block 0 to block 1 is NaN: weights lie between 0 and 16777216");
    }

    #[test]
    fn the_stream_has_not_changed() {
        let plain = generate(&config(ArcWeights::Unweighted), 42).unwrap();
        insta::assert_snapshot!(first_arcs(&plain, 6), @"0>6 0>8 0>62 0>65 0>79 0>90");
        let weighted = generate(&config(poisson()), 42).unwrap();
        insta::assert_snapshot!(first_arcs(&weighted, 6), @"0>6:1 0>9:2 0>22:6 0>32:7 0>48:1 0>49:4");
    }
}
