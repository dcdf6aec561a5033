//! The iteration behind [`super::krylov`]: a basis that grows by blocks and shrinks to its best
//! vectors.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::basis::Basis;
use super::krylov::{KrylovError, Plan};
use super::symmetric::SymmetricEigen;
use crate::dense::{Rows, RowsMut, Update, multiply, multiply_transposed};
use crate::sparse::LinearOperator;

/// A column of a product that is shorter than this share of ‖A‖ is rounding.
const ROUNDING: f64 = 1e-14;
/// A block whose scaled WᵀW has its eigenvalues above this is orthonormal once divided by their
/// roots; else that is repeated.
const WELL_CONDITIONED: f64 = 0.1;

/// A V = V T + F Cᵀ, where V is the basis, F (the front) the next block, orthogonal to V, and C
/// has rows for some vectors of V only.
pub(super) struct Lanczos<'a> {
    operator: &'a dyn LinearOperator<f64>,
    plan: Plan,
    basis: Basis,
    /// T, capacity × capacity.
    projected: Vec<f64>,
    front: Vec<f64>,
    coupling: Coupling,
    /// The longest product of a unit vector so far: a lower bound of ‖A‖.
    norm: f64,
    n_products: usize,
    /// Random vectors that were begun with. Those alone put no more copies of an eigenvalue into
    /// the basis; the ones that replace lost columns may be too new to have put in theirs.
    n_random: usize,
    rng: ChaCha8Rng,
}

/// C for the vectors from `start` on: rows × front width.
struct Coupling {
    start: usize,
    values: Vec<f64>,
}

/// The eigenpairs of T, and how far V times them is from an eigenvector of A.
pub(super) struct RitzPairs {
    pub(super) eigen: SymmetricEigen,
    /// ‖A v − θ v‖ / ‖A‖.
    pub(super) residuals: Vec<f64>,
}

impl<'a> Lanczos<'a> {
    pub(super) fn new(
        operator: &'a dyn LinearOperator<f64>,
        plan: Plan,
        seed: u64,
    ) -> Result<Self, KrylovError> {
        let mut lanczos = Self {
            operator,
            plan,
            basis: Basis::new(operator.n_rows(), plan.capacity),
            projected: vec![0.0; plan.capacity * plan.capacity],
            front: Vec::new(),
            coupling: Coupling { start: 0, values: Vec::new() },
            norm: 0.0,
            n_products: 0,
            n_random: 0,
            rng: ChaCha8Rng::seed_from_u64(seed),
        };
        lanczos.fresh_front()?;
        Ok(lanczos)
    }

    /// Vectors in the basis.
    pub(super) fn len(&self) -> usize {
        self.basis.len()
    }

    pub(super) fn n_products(&self) -> usize {
        self.n_products
    }

    /// Whether the front still fits.
    pub(super) fn has_room(&self) -> bool {
        self.len() + self.plan.width <= self.plan.capacity
    }

    /// Whether the operator maps the basis into itself, up to rounding.
    pub(super) fn is_closed(&self) -> bool {
        let coupling = &self.coupling.values;
        !coupling.is_empty() && coupling.iter().all(|value| value.abs() <= ROUNDING * self.norm)
    }

    /// Adds the front to the basis and finds the next; returns the number of products.
    pub(super) fn expand(&mut self) -> Result<usize, KrylovError> {
        let width = self.plan.width;
        let start = self.len();
        self.basis.push(&self.front, width);
        let mut block = self.operator.apply(&self.front, width);
        self.n_products += width;
        for length in column_lengths(&block, width) {
            if !length.is_finite() {
                return Err(KrylovError::NotFinite);
            }
            self.norm = self.norm.max(length);
        }

        // What is known of the product is taken out first, so that the pass over the whole basis
        // has only rounding to remove and once is enough.
        let known = std::mem::take(&mut self.coupling.values);
        let coupled = self.coupling.start..self.coupling.start + known.len() / width;
        self.basis.subtract(coupled.clone(), &known, &mut block, width);
        for (row, values) in coupled.zip(known.chunks_exact(width)) {
            for (column, &value) in (start..).zip(values) {
                self.set_projected(row, column, value);
            }
        }
        let own = start..start + width;
        let mut diagonal = self.basis.project(own.clone(), &block, width);
        self.basis.subtract(own, &diagonal, &mut block, width);
        let rest = self.remove_basis(&mut block, width);
        diagonal.iter_mut().zip(&rest[start * width..]).for_each(|(value, rest)| *value += rest);
        for row in 0..width {
            for column in 0..=row {
                let mean = 0.5 * (diagonal[row * width + column] + diagonal[column * width + row]);
                self.set_projected(start + row, start + column, mean);
            }
        }

        let factor = self.orthonormalize(&mut block, width, ROUNDING * self.norm)?;
        self.front = block;
        self.coupling = Coupling { start, values: transposed(&factor, width) };
        Ok(width)
    }

    fn set_projected(&mut self, row: usize, column: usize, value: f64) {
        self.projected[row * self.plan.capacity + column] = value;
        self.projected[column * self.plan.capacity + row] = value;
    }

    /// W ← W − V VᵀW; returns VᵀW.
    fn remove_basis(&self, block: &mut [f64], width: usize) -> Vec<f64> {
        let all = 0..self.len();
        let coefficients = self.basis.project(all.clone(), block, width);
        self.basis.subtract(all, &coefficients, block, width);
        coefficients
    }

    /// Makes the columns of W, which are orthogonal to the basis, orthonormal: W = Q R. Returns R.
    ///
    /// With WᵀW = D U Λ Uᵀ D, D the lengths of the columns, Q = W D⁻¹ U Λ^-½ (Stathopoulos and Wu
    /// 2002), repeated until it is well conditioned. A column no longer than `rounding` is replaced by a
    /// random one, and counts as zero in R.
    fn orthonormalize(
        &mut self,
        block: &mut Vec<f64>,
        width: usize,
        rounding: f64,
    ) -> Result<Vec<f64>, KrylovError> {
        let n = self.operator.n_rows();
        let mut factor = vec![0.0; width * width];
        factor.iter_mut().step_by(width + 1).for_each(|diagonal| *diagonal = 1.0);
        let mut shortest = rounding;
        for _ in 0..8 {
            let lengths = column_lengths(block, width);
            let mut lost = false;
            for (column, _) in lengths.iter().enumerate().filter(|(_, l)| **l <= shortest) {
                let rng = &mut self.rng;
                block[column..].iter_mut().step_by(width).for_each(|entry| *entry = centred(rng));
                factor[column * width..][..width].fill(0.0);
                lost = true;
            }
            if lost {
                self.remove_basis(block, width);
            }
            shortest = ROUNDING;

            let mut gram = vec![0.0; width * width];
            let rows = Rows::new(block, [n, width]);
            let into = RowsMut::new(&mut gram, [width; 2]);
            multiply_transposed(rows, rows, Update::Replace, into);
            let lengths: Vec<f64> = (0..width).map(|i| gram[i * width + i].sqrt()).collect();
            for (at, value) in gram.iter_mut().enumerate() {
                *value /= lengths[at / width] * lengths[at % width];
            }
            let eigen = SymmetricEigen::new(&gram, width).ok_or(KrylovError::NotFinite)?;
            let least = eigen.values[width - 1];
            // What is below the rounding of WᵀW is brought near to it, for the next pass to resolve.
            let floor = eigen.values[0] * f64::EPSILON * width as f64;
            let (mut into, mut back) = (vec![0.0; width * width], vec![0.0; width * width]);
            for (number, &value) in eigen.values.iter().enumerate() {
                let root = value.max(floor).sqrt();
                for (row, &entry) in eigen.vector(number).iter().enumerate() {
                    into[row * width + number] = entry / (lengths[row] * root);
                    back[number * width + row] = entry * lengths[row] * root;
                }
            }
            let mut scaled = vec![0.0; n * width];
            let small = |values| Rows::new(values, [width; 2]);
            let result = RowsMut::new(&mut scaled, [n, width]);
            multiply(Rows::new(block, [n, width]), small(&into), Update::Replace, result);
            *block = scaled;
            let mut product = vec![0.0; width * width];
            let result = RowsMut::new(&mut product, [width; 2]);
            multiply(small(&back), small(&factor), Update::Replace, result);
            factor = product;
            if least > WELL_CONDITIONED {
                break;
            }
            if least < 1e-8 || lost {
                self.remove_basis(block, width);
            }
        }
        Ok(factor)
    }

    /// Puts random vectors, orthogonal to the basis, to the front.
    fn fresh_front(&mut self) -> Result<(), KrylovError> {
        let n = self.operator.n_rows();
        let width = self.plan.width;
        let mut block: Vec<f64> = (0..n * width).map(|_| centred(&mut self.rng)).collect();
        self.n_random += width;
        self.remove_basis(&mut block, width);
        self.orthonormalize(&mut block, width, 0.0)?;
        self.front = block;
        self.coupling = Coupling { start: 0, values: Vec::new() };
        Ok(())
    }

    /// The eigenpairs of T. Time O(len³).
    pub(super) fn ritz_pairs(&self) -> Result<RitzPairs, KrylovError> {
        let len = self.len();
        let rows = self.projected.chunks_exact(self.plan.capacity).take(len);
        let projected: Vec<f64> = rows.flat_map(|row| &row[..len]).copied().collect();
        let eigen = SymmetricEigen::new(&projected, len).ok_or(KrylovError::NotFinite)?;
        let norm = eigen.values.iter().fold(self.norm, |norm, value| norm.max(value.abs()));
        let length = |number| {
            let squares = self.coupling_of(eigen.vector(number)).into_iter().map(|c| c * c);
            squares.sum::<f64>().sqrt()
        };
        let residuals = (0..len).map(|i| if norm > 0.0 { length(i) / norm } else { 0.0 }).collect();
        Ok(RitzPairs { eigen, residuals })
    }

    /// FᵀA V s.
    fn coupling_of(&self, vector: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.plan.width];
        let rows = self.coupling.values.chunks_exact(self.plan.width);
        for (&weight, row) in vector[self.coupling.start..].iter().zip(rows) {
            sum.iter_mut().zip(row).for_each(|(sum, &value)| *sum += weight * value);
        }
        sum
    }

    /// Shrinks the basis to its `n_kept` best vectors and keeps the front.
    pub(super) fn restart(&mut self, ritz: &RitzPairs, n_kept: usize) {
        let values = (0..n_kept).flat_map(|i| self.coupling_of(ritz.eigen.vector(i))).collect();
        self.coupling = Coupling { start: 0, values };
        self.basis.rotate(ritz.eigen.leading(n_kept), n_kept);
        self.projected.fill(0.0);
        for (number, &value) in ritz.eigen.values[..n_kept].iter().enumerate() {
            self.set_projected(number, number, value);
        }
    }

    /// Shrinks the basis to its `n_kept` best vectors, which have converged, and goes on from
    /// random ones.
    pub(super) fn restart_afresh(
        &mut self,
        ritz: &RitzPairs,
        n_kept: usize,
    ) -> Result<(), KrylovError> {
        self.restart(ritz, n_kept);
        self.fresh_front()
    }

    /// Whether some of these converged values is there as often as it can be, and copies of it
    /// that are not there would displace the last value.
    pub(super) fn may_lack_copies(&self, values: &[f64], tolerance: f64) -> bool {
        let near = tolerance * self.norm;
        let last = values.last().copied().unwrap_or_default();
        let above = values.iter().take_while(|&&value| value > last + near).count();
        values[..above].chunk_by(|a, b| a - b <= near).any(|run| run.len() >= self.n_random)
    }

    /// The first `n_vectors` Ritz vectors, n × `n_vectors`.
    pub(super) fn vectors(&self, ritz: &RitzPairs, n_vectors: usize) -> Vec<f64> {
        self.basis.combine(ritz.eigen.leading(n_vectors), n_vectors)
    }
}

/// Uniform in (−1, 1).
fn centred(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn column_lengths(block: &[f64], width: usize) -> Vec<f64> {
    let mut sums = vec![0.0; width];
    for row in block.chunks_exact(width) {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value * value);
    }
    sums.into_iter().map(f64::sqrt).collect()
}

fn transposed(matrix: &[f64], width: usize) -> Vec<f64> {
    (0..matrix.len()).map(|at| matrix[at % width * width + at / width]).collect()
}
