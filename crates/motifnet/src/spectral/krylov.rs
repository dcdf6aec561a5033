//! The largest or smallest eigenpairs of a symmetric operator, from products with blocks of
//! vectors alone.

use super::lanczos::Lanczos;
use super::symmetric::SymmetricEigen;
use crate::memory::{MemoryError, Need};
use crate::progress::{Progress, Unit};
use crate::sparse::LinearOperator;

/// How precise eigenpairs must be, and what they may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KrylovOptions {
    /// The most that ‖A v − θ v‖ may be for a unit vector v, as a share of ‖A‖.
    pub tolerance: f64,
    /// The most vectors to multiply the operator by.
    pub max_products: usize,
    /// Whether what has been found when the products are spent is good enough: the pairs then have a larger
    /// residual than wanted, and say so.
    pub best_effort: bool,
    /// Of the random vectors to begin with.
    pub seed: u64,
}

impl Default for KrylovOptions {
    /// A residual of 10⁻⁸, at most 200,000 products, the seed 0.
    fn default() -> Self {
        Self { tolerance: 1e-8, max_products: 200_000, best_effort: false, seed: 0 }
    }
}

/// Some eigenvalues of a symmetric operator of size n, with their vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigenpairs {
    /// The eigenvalues, the wanted end first: descending for the largest, ascending for the
    /// smallest.
    pub values: Vec<f64>,
    /// The unit eigenvectors as the columns of a matrix of n × values, row after row.
    pub vectors: Vec<f64>,
    /// The largest ‖A v − θ v‖ among the pairs, as a share of ‖A‖.
    pub residual: f64,
    /// How many vectors the operator was multiplied by.
    pub n_products: usize,
}

/// Why there are no eigenpairs.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum KrylovError {
    /// The products allowed were not enough.
    #[error(
        "the {k} eigenpairs have a residual of {residual:.1e} after {n_products} products, and \
         {tolerance:.1e} is wanted; allow more products, a larger tolerance, or ask for another \
         number of pairs"
    )]
    NotConverged {
        /// Pairs wanted.
        k: usize,
        /// The largest residual reached, as a share of ‖A‖.
        residual: f64,
        /// The residual wanted.
        tolerance: f64,
        /// Products spent.
        n_products: usize,
    },
    /// More memory than there is.
    #[error("{0}")]
    Memory(#[from] MemoryError),
    /// A product has infinite numbers or NaN.
    #[error(
        "a product with the operator has numbers that are not finite; \
         look for NaN, infinities or very large values in what it was made from"
    )]
    NotFinite,
}

/// The `k` algebraically largest eigenpairs of the symmetric `operator`; all, if it has fewer.
///
/// Block Lanczos with full reorthogonalisation and thick restarts (Wu and Simon 2000): the
/// operator is applied to one block of vectors after another, each made orthogonal to all before,
/// and when the basis V is full it shrinks to the best Ritz vectors V s, where (VᵀAV) s = θ s. An
/// eigenvalue that is repeated more often than a block is wide is noticed, since then a whole block
/// of copies is found, and looked for again from fresh random vectors.
///
/// The result depends on the seed, but not on the number of threads. Vectors have no canonical
/// sign. Memory O(n·k); time, beside the products, O(n·k) for each vector multiplied. An operator
/// not larger than the basis is turned into a dense matrix.
///
/// Symmetry is not checked.
///
/// # Errors
/// If the products allowed are too few, or not finite.
///
/// # Panics
/// If the operator is not square.
///
/// ```
/// use motifnet::progress::Silent;
/// use motifnet::sparse::CsrMatrix;
/// use motifnet::spectral::{KrylovOptions, largest_eigenpairs};
///
/// // The undirected path of three nodes.
/// let path = CsrMatrix::new(3, vec![0, 1, 3, 4], vec![1, 0, 2, 1], vec![1.0; 4]);
/// let pairs = largest_eigenpairs(&path, 1, &KrylovOptions::default(), &Silent).unwrap();
/// assert!((pairs.values[0] - 2_f64.sqrt()).abs() < 1e-12);
/// ```
pub fn largest_eigenpairs(
    operator: &dyn LinearOperator<f64>,
    k: usize,
    options: &KrylovOptions,
    progress: &dyn Progress,
) -> Result<Eigenpairs, KrylovError> {
    let n = operator.n_rows();
    assert_eq!(n, operator.n_columns(), "a symmetric operator is square");
    let k = k.min(n);
    if k == 0 {
        return Ok(Eigenpairs { values: vec![], vectors: vec![], residual: 0.0, n_products: 0 });
    }
    let plan = Plan::new(k);
    eigenpairs_need(n, k).check()?;
    // Only then do the products that are allowed say how long it can take.
    let total = options.best_effort.then_some(options.max_products as u64);
    progress.begin("eigenvectors", total, Unit::Steps);
    let pairs = if plan.is_dense(n) {
        dense_eigenpairs(operator, k)
    } else {
        lanczos_eigenpairs(operator, k, plan, options, progress)
    };
    progress.end();
    pairs
}

/// The `k` algebraically smallest eigenpairs of the symmetric `operator`: the largest of its
/// opposite, found as [`largest_eigenpairs`] finds them.
///
/// # Errors
/// If the products allowed are too few, or not finite.
///
/// # Panics
/// If the operator is not square.
pub fn smallest_eigenpairs(
    operator: &dyn LinearOperator<f64>,
    k: usize,
    options: &KrylovOptions,
    progress: &dyn Progress,
) -> Result<Eigenpairs, KrylovError> {
    let mut pairs = largest_eigenpairs(&Opposite(operator), k, options, progress)?;
    pairs.values.iter_mut().for_each(|value| *value = -*value);
    Ok(pairs)
}

/// −A.
struct Opposite<'a>(&'a dyn LinearOperator<f64>);

impl LinearOperator<f64> for Opposite<'_> {
    fn n_rows(&self) -> usize {
        self.0.n_rows()
    }

    fn n_columns(&self) -> usize {
        self.0.n_columns()
    }

    fn apply_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        self.0.apply_into(x, width, y);
        y.iter_mut().for_each(|y| *y = -*y);
    }

    fn apply_transpose_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        self.0.apply_transpose_into(x, width, y);
        y.iter_mut().for_each(|y| *y = -*y);
    }
}

/// Sizes of the iteration for a number of wanted pairs.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    /// Vectors of a block. Narrow blocks need fewer products, wide ones make them cheaper.
    pub(super) width: usize,
    /// Vectors of the basis when it is full.
    pub(super) capacity: usize,
    /// Vectors that a restart keeps.
    pub(super) kept: usize,
}

impl Plan {
    fn new(k: usize) -> Self {
        let width = k.div_ceil(8).next_multiple_of(4).min(16);
        let capacity = (3 * k).max(k + 8 * width);
        let kept = k + (capacity - k) * 3 / 10;
        Self { width, capacity, kept }
    }

    /// Whether an operator of size `n` is not larger than the basis would be.
    fn is_dense(self, n: usize) -> bool {
        n <= self.capacity + self.width
    }
}

/// What finding `k` pairs of an operator of size `n` takes: the basis, what is projected onto it, a few blocks on the
/// way through the operator, and the result; or a few dense matrices.
pub fn eigenpairs_need(n: usize, k: usize) -> Need {
    let plan = Plan::new(k);
    let n_numbers = match plan.is_dense(n) {
        true => 5 * n * n,
        false => n * (plan.capacity + 6 * plan.width + 2 * k) + 4 * plan.capacity.pow(2),
    };
    Need {
        what: "finding eigenvectors",
        n_bytes: (n_numbers * size_of::<f64>()) as u64,
        remedy: "ask for fewer of them",
    }
}

/// How many vectors at once an operator of size `n` is applied to when `k` of its pairs are found.
pub(super) fn widest_block(n: usize, k: usize) -> usize {
    let plan = Plan::new(k);
    if plan.is_dense(n) { n } else { plan.width }
}

fn dense_eigenpairs(
    operator: &dyn LinearOperator<f64>,
    k: usize,
) -> Result<Eigenpairs, KrylovError> {
    let n = operator.n_rows();
    let mut identity = vec![0.0; n * n];
    identity.iter_mut().step_by(n + 1).for_each(|diagonal| *diagonal = 1.0);
    let matrix = operator.apply(&identity, n);
    let eigen = SymmetricEigen::new(&matrix, n).ok_or(KrylovError::NotFinite)?;
    let mut vectors = vec![0.0; n * k];
    for number in 0..k {
        let entries = vectors[number..].iter_mut().step_by(k);
        entries.zip(eigen.vector(number)).for_each(|(into, &entry)| *into = entry);
    }
    Ok(Eigenpairs { values: eigen.values[..k].to_vec(), vectors, residual: 0.0, n_products: n })
}

fn lanczos_eigenpairs(
    operator: &dyn LinearOperator<f64>,
    k: usize,
    plan: Plan,
    options: &KrylovOptions,
    progress: &dyn Progress,
) -> Result<Eigenpairs, KrylovError> {
    let mut lanczos = Lanczos::new(operator, plan, options.seed)?;
    loop {
        while lanczos.has_room() && !(lanczos.is_closed() && lanczos.len() >= k) {
            progress.advance(lanczos.expand()? as u64);
        }
        let ritz = lanczos.ritz_pairs()?;
        let residual = ritz.residuals[..k].iter().copied().fold(0.0, f64::max);
        let (n_products, tolerance) = (lanczos.n_products(), options.tolerance);
        let is_spent = n_products >= options.max_products;
        if residual <= tolerance || (is_spent && options.best_effort) {
            if !is_spent && lanczos.may_lack_copies(&ritz.eigen.values[..k], tolerance) {
                lanczos.restart_afresh(&ritz, k)?;
                continue;
            }
            let vectors = lanczos.vectors(&ritz, k);
            let values = ritz.eigen.values[..k].to_vec();
            return Ok(Eigenpairs { values, vectors, residual, n_products });
        }
        progress.say(&format!("residual {residual:.1e}, to be {tolerance:.1e}"));
        if is_spent {
            return Err(KrylovError::NotConverged { k, residual, tolerance, n_products });
        }
        lanczos.restart(&ritz, plan.kept);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::progress::Silent;
    use crate::sparse::CsrMatrix;

    /// A symmetric sparse matrix with `values` on the diagonal and few entries beside it.
    fn symmetric(values: &[f64], n_beside: usize) -> CsrMatrix {
        let n = values.len();
        let mut rows = vec![std::collections::BTreeMap::new(); n];
        for (row, &value) in values.iter().enumerate() {
            rows[row].insert(row as u32, value);
        }
        for at in 0..n_beside {
            let (i, j) = (at * 7919 % n, at * 104_729 % n);
            let value = ((at * 31) % 17) as f64 / 4.0 - 2.0;
            rows[i].insert(j as u32, value);
            rows[j].insert(i as u32, value);
        }
        let mut offsets = vec![0];
        let (mut columns, mut entries) = (Vec::new(), Vec::new());
        for row in rows {
            columns.extend(row.keys());
            entries.extend(row.values());
            offsets.push(columns.len());
        }
        CsrMatrix::new(n, offsets, columns, entries)
    }

    /// All eigenvalues, descending.
    fn oracle(matrix: &CsrMatrix) -> Vec<f64> {
        dense_eigenpairs(matrix, matrix.n_rows()).unwrap().values
    }

    fn check(matrix: &CsrMatrix, k: usize) -> Eigenpairs {
        let options = KrylovOptions::default();
        let n = matrix.n_rows();
        let all = oracle(matrix);
        let norm = all.iter().fold(1e-300, |norm: f64, value| norm.max(value.abs()));
        let pairs = largest_eigenpairs(matrix, k, &options, &Silent).unwrap();
        let k = k.min(n);
        assert_eq!((pairs.values.len(), pairs.vectors.len()), (k, n * k));
        for (found, expected) in pairs.values.iter().zip(&all) {
            assert!((found - expected).abs() <= 1e-8 * norm, "{found} is not {expected}");
        }
        let images = matrix.apply(&pairs.vectors, k);
        for (image, vector) in
            images.chunks_exact(k.max(1)).zip(pairs.vectors.chunks_exact(k.max(1)))
        {
            for ((image, vector), value) in image.iter().zip(vector).zip(&pairs.values) {
                assert!((image - value * vector).abs() <= 1e-7 * norm);
            }
        }
        for i in 0..k {
            for j in 0..=i {
                let product: f64 = pairs.vectors.chunks_exact(k).map(|row| row[i] * row[j]).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-10, "{i} {j} {product}");
            }
        }
        let smallest = smallest_eigenpairs(matrix, k, &options, &Silent).unwrap();
        for (found, expected) in smallest.values.iter().zip(all.iter().rev()) {
            assert!((found - expected).abs() <= 1e-8 * norm, "{found} is not {expected}");
        }
        pairs
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn pairs_are_those_of_the_dense_matrix(
            values in prop::collection::vec(-3.0..3.0, 0..240),
            k in 0usize..20,
            density in 0usize..4,
        ) {
            check(&symmetric(&values, values.len() * density), k);
        }

        #[test]
        fn repeated_eigenvalues_are_all_found(
            levels in prop::collection::vec((0u8..8, 1usize..60), 1..8),
            k in 1usize..24,
        ) {
            let values: Vec<f64> =
                levels.iter().flat_map(|&(v, n)| std::iter::repeat_n(f64::from(v), n)).collect();
            check(&symmetric(&values, 0), k);
        }
    }

    #[test]
    fn what_was_found_when_the_products_are_spent_can_be_had() {
        let values: Vec<f64> = (0..2000).map(|i| 1.0 - f64::from(i) * 1e-6).collect();
        let matrix = symmetric(&values, 0);
        let few = KrylovOptions { max_products: 100, ..KrylovOptions::default() };
        let error = largest_eigenpairs(&matrix, 1, &few, &Silent).unwrap_err();
        assert!(matches!(error, KrylovError::NotConverged { .. }));
        let few = KrylovOptions { best_effort: true, ..few };
        let pairs = largest_eigenpairs(&matrix, 1, &few, &Silent).unwrap();
        assert!(pairs.residual > few.tolerance && pairs.values[0] < 1.0, "{}", pairs.residual);
    }

    #[test]
    fn a_repeated_value_and_a_closed_basis() {
        let values: Vec<f64> = (0..47).map(|i| f64::from(u8::from(i < 8))).collect();
        check(&symmetric(&values, 0), 5);
        // More components than the blocks are wide: 40 copies of 2, none of them the last pair.
        let values = (0..900).map(|i| if i < 40 { 2.0 } else { f64::from(i) / 900.0 });
        check(&symmetric(&values.collect::<Vec<_>>(), 0), 60);
    }

    #[test]
    fn the_identity_and_zero_take_few_products() {
        for value in [1.0, 0.0] {
            let pairs = check(&symmetric(&[value; 900], 0), 100);
            assert!(pairs.n_products < 200, "{}", pairs.n_products);
        }
    }

    #[test]
    fn the_bits_do_not_depend_on_the_threads() {
        let values: Vec<f64> = (0..3000).map(|i| f64::from(i % 97)).collect();
        let matrix = symmetric(&values, 9000);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| largest_eigenpairs(&matrix, 20, &KrylovOptions::default(), &Silent))
        };
        let one = run(1);
        assert!(one.is_ok() && run(2) == one && run(4) == one);
    }

    #[test]
    fn what_does_not_converge_says_how_far_it_came() {
        let values: Vec<f64> = (0..2000).map(|i| f64::from(i) * 1e-4).collect();
        let options = KrylovOptions { max_products: 50, ..KrylovOptions::default() };
        let error = largest_eigenpairs(&symmetric(&values, 0), 5, &options, &Silent).unwrap_err();
        assert!(error.to_string().contains("allow more products"), "{error}");
        let mut infinite = values;
        infinite[7] = f64::INFINITY;
        let found = largest_eigenpairs(&symmetric(&infinite, 0), 5, &options, &Silent);
        assert_eq!(found, Err(KrylovError::NotFinite));
    }
}
