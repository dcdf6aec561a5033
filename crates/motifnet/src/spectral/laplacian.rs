//! The normalised Laplacian of a motif matrix.

use super::krylov::{KrylovError, KrylovOptions, largest_eigenpairs};
use super::laplacian_config::{LambdaMax, LaplacianConfig, LaplacianForm, Normalization};
use crate::motif::{MatrixTooLarge, MotifKind, MotifOperator};
use crate::progress::Silent;
use crate::sparse::{CsrMatrix, LinearOperator, Scalar};

/// A degree would need the root of a negative number.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "{kind} has no Laplacian: some arc weights are negative, and a degree must not be; \
     use the weights `count`, which ignore them, or shift or drop the negative arcs"
)]
pub struct NegativeWeights {
    /// The motif.
    pub kind: MotifKind,
}

/// Why an operator has no Laplacian.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum LaplacianError {
    /// A degree would need the root of a negative number.
    #[error(transparent)]
    NegativeWeights(#[from] NegativeWeights),
    /// The largest eigenvalue was not found.
    #[error("the largest eigenvalue of the Laplacian of {kind}: {cause}")]
    LambdaMax {
        /// The motif.
        kind: MotifKind,
        /// Why not.
        cause: KrylovError,
    },
}

/// The residual of the largest eigenvalue, and so the most that it can be off.
const LAMBDA_TOLERANCE: f64 = 1e-6;

/// The normalised Laplacian of a motif operator, itself an operator: a I + b N with N = R W C, R
/// and C diagonal.
///
/// Plain: a = 1, b = −1. Rescaled: a = 2/λ − 1, b = −2/λ. A node in no instance has an empty row
/// in N, so Δ_ii = 1 there. What R and C are, [`Normalization`] says; what λ is, [`LambdaMax`].
#[derive(Clone, Debug)]
pub struct MotifLaplacian {
    operator: MotifOperator,
    identity: f64,
    scale: f64,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    is_symmetric: bool,
}

impl MotifLaplacian {
    /// The Laplacian of `operator` that `config`, or a [`LaplacianForm`] alone, says. Time: one
    /// multiplication (two for `out` and `in`), and what an exact λ takes.
    ///
    /// # Errors
    /// If negative arc weights went into the operator, or an exact λ was not found.
    pub fn new(
        operator: MotifOperator,
        config: impl Into<LaplacianConfig>,
    ) -> Result<Self, LaplacianError> {
        let LaplacianConfig { form, normalization, lambda_max } = config.into();
        let kind = operator.kind();
        if operator.has_negative_weights() {
            return Err(NegativeWeights { kind }.into());
        }
        let mut laplacian = Self::plain(operator, normalization);
        if form == LaplacianForm::Rescaled {
            let lambda = match lambda_max {
                LambdaMax::Two => 2.0,
                LambdaMax::Exact => laplacian
                    .largest_eigenvalue()
                    .map_err(|cause| LaplacianError::LambdaMax { kind, cause })?,
            };
            (laplacian.identity, laplacian.scale) = (2.0 / lambda - 1.0, -2.0 / lambda);
        }
        Ok(laplacian)
    }

    fn plain(operator: MotifOperator, normalization: Normalization) -> Self {
        let is_symmetric = operator.kind().is_symmetric();
        let row_sums = operator.degrees();
        let [row_scale, column_scale] = match normalization {
            Normalization::RandomWalk => {
                let ones = vec![1.0; row_sums.len()];
                [inverses(row_sums, |degree| degree), ones]
            }
            Normalization::Symmetric if is_symmetric => {
                let roots = inverses(row_sums, f64::sqrt);
                [roots.clone(), roots]
            }
            Normalization::Symmetric => {
                let column_sums = operator.transposed().degrees();
                [inverses(row_sums, f64::sqrt), inverses(column_sums, f64::sqrt)]
            }
        };
        let is_symmetric = is_symmetric && normalization == Normalization::Symmetric;
        Self { operator, identity: 1.0, scale: -1.0, row_scale, column_scale, is_symmetric }
    }

    /// The largest eigenvalue of the plain Laplacian that this is, or singular value if the
    /// operator is not symmetric. Neither is below 1, since the diagonal is 1 throughout.
    fn largest_eigenvalue(&self) -> Result<f64, KrylovError> {
        let options = KrylovOptions { tolerance: LAMBDA_TOLERANCE, ..KrylovOptions::default() };
        let largest = |operator: &dyn LinearOperator<f64>| -> Result<f64, KrylovError> {
            let pairs = largest_eigenpairs(operator, 1, &options, &Silent)?;
            Ok(pairs.values.first().map_or(1.0, |value| value.max(1.0)))
        };
        if self.is_symmetric {
            largest(self)
        } else if self.operator.kind().is_symmetric() {
            largest(&Self::plain(self.operator.clone(), Normalization::Symmetric))
        } else {
            Ok(largest(&Squared(self))?.sqrt())
        }
    }

    /// The multiple a of the identity.
    pub fn identity(&self) -> f64 {
        self.identity
    }

    /// The multiple b of the normalised matrix N.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The diagonal of R: what N multiplies the rows of W by.
    pub fn row_scale(&self) -> &[f64] {
        &self.row_scale
    }

    /// The diagonal of C: what N multiplies the columns of W by.
    pub fn column_scale(&self) -> &[f64] {
        &self.column_scale
    }

    /// The motif matrix W.
    pub fn operator(&self) -> &MotifOperator {
        &self.operator
    }

    /// Whether the Laplacian itself is symmetric: not if it is of a random walk, nor for `out`
    /// and `in`.
    pub fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// The Laplacian with every entry stored; no diagonal where a = 0.
    ///
    /// # Errors
    /// If the motif matrix has more than `limit` entries.
    pub fn to_csr(&self, limit: u64) -> Result<CsrMatrix, MatrixTooLarge> {
        let matrix = self.operator.to_csr(limit)?;
        let has_diagonal = self.identity != 0.0;
        let n_extra = if has_diagonal { matrix.n_rows() } else { 0 };
        let mut offsets = vec![0];
        let mut columns = Vec::with_capacity(matrix.n_entries() + n_extra);
        let mut values = Vec::with_capacity(matrix.n_entries() + n_extra);
        for row in 0..matrix.n_rows() {
            let (row_columns, row_values) = matrix.row(row);
            let below = row_columns.partition_point(|&column| (column as usize) < row);
            for (position, (&column, &value)) in row_columns.iter().zip(row_values).enumerate() {
                if has_diagonal && position == below {
                    columns.push(row as u32);
                    values.push(self.identity);
                }
                columns.push(column);
                let scale = self.row_scale[row] * self.column_scale[column as usize];
                values.push(self.scale * scale * value);
            }
            if has_diagonal && below == row_columns.len() {
                columns.push(row as u32);
                values.push(self.identity);
            }
            offsets.push(columns.len());
        }
        Ok(CsrMatrix::new(matrix.n_columns(), offsets, columns, values))
    }

    fn apply_scaled<T: Scalar>(
        &self,
        [inner, outer]: [&[f64]; 2],
        multiply: impl Fn(&[T], &mut [T]),
        x: &[T],
        width: usize,
        y: &mut [T],
    ) {
        let mut scaled = x.to_vec();
        scale_rows(&mut scaled, inner, width, 1.0);
        multiply(&scaled, y);
        scale_rows(y, outer, width, self.scale);
        if self.identity != 0.0 {
            let identity = T::from_f64(self.identity);
            for (y, &x) in y.iter_mut().zip(x) {
                *y += identity * x;
            }
        }
    }
}

/// 1/root(degree), zero for a degree of zero.
fn inverses(degrees: Vec<f64>, root: impl Fn(f64) -> f64) -> Vec<f64> {
    let inverse = |degree: f64| if degree > 0.0 { root(degree).recip() } else { 0.0 };
    degrees.into_iter().map(inverse).collect()
}

fn scale_rows<T: Scalar>(block: &mut [T], scale: &[f64], width: usize, factor: f64) {
    if width == 0 {
        return;
    }
    for (row, &scale) in block.chunks_exact_mut(width).zip(scale) {
        let scale = T::from_f64(factor * scale);
        row.iter_mut().for_each(|value| *value = scale * *value);
    }
}

/// ΔᵀΔ, whose eigenvalues are the squares of the singular values of Δ.
struct Squared<'a>(&'a MotifLaplacian);

impl LinearOperator<f64> for Squared<'_> {
    fn n_rows(&self) -> usize {
        self.0.operator.n_nodes()
    }

    fn n_columns(&self) -> usize {
        self.0.operator.n_nodes()
    }

    fn apply_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        self.0.apply_transpose_into(&self.0.apply(x, width), width, y);
    }

    fn apply_transpose_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        self.apply_into(x, width, y);
    }
}

impl<T: Scalar> LinearOperator<T> for MotifLaplacian {
    fn n_rows(&self) -> usize {
        self.operator.n_nodes()
    }

    fn n_columns(&self) -> usize {
        self.operator.n_nodes()
    }

    fn apply_into(&self, x: &[T], width: usize, y: &mut [T]) {
        let scales = [&self.column_scale[..], &self.row_scale];
        self.apply_scaled(scales, |x, y| self.operator.apply_into(x, width, y), x, width, y);
    }

    fn apply_transpose_into(&self, x: &[T], width: usize, y: &mut [T]) {
        let scales = [&self.row_scale[..], &self.column_scale];
        let multiply = |x: &[T], y: &mut [T]| self.operator.apply_transpose_into(x, width, y);
        self.apply_scaled(scales, multiply, x, width, y);
    }
}

#[cfg(test)]
mod tests;
