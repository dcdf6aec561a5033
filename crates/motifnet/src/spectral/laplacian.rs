//! The normalised Laplacian of a motif matrix.

use std::fmt;
use std::str::FromStr;

use super::krylov::{KrylovError, KrylovOptions, largest_eigenpairs};
use crate::motif::{MatrixTooLarge, MotifKind, MotifOperator, Scaling};
use crate::progress::Silent;
use crate::sparse::{CsrMatrix, LinearOperator, Scalar};

/// Which Laplacian.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum LaplacianForm {
    /// Δ = I − D^-½ W D^-½.
    Plain,
    /// Δ̃ = 2Δ/λ − I with λ = 2, that is −D^-½ W D^-½: what polynomial filters work on.
    #[default]
    Rescaled,
}

impl LaplacianForm {
    /// Both forms.
    pub const ALL: [Self; 2] = [Self::Plain, Self::Rescaled];

    /// The word for it on the command line and in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Rescaled => "rescaled",
        }
    }
}

impl fmt::Display for LaplacianForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no Laplacian.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is not a Laplacian; there are plain and rescaled")]
pub struct UnknownForm(pub String);

impl FromStr for LaplacianForm {
    type Err = UnknownForm;

    fn from_str(word: &str) -> Result<Self, UnknownForm> {
        let found = Self::ALL.into_iter().find(|form| form.name() == word);
        found.ok_or_else(|| UnknownForm(word.to_owned()))
    }
}

/// How the adjacency matrix W is normalised to N.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Normalization {
    /// N = D^-½ W D^-½; of `out` D_out^-½ A D_in^-½, and of `in` its transpose.
    #[default]
    Symmetric,
    /// N = D^-1 W: every row with an entry sums to 1.
    RandomWalk,
}

impl Normalization {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Symmetric, Self::RandomWalk];

    /// The word for it on the command line and in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Symmetric => "symmetric",
            Self::RandomWalk => "random-walk",
        }
    }
}

/// What a rescaled Laplacian is divided by.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum LambdaMax {
    /// 2, which no eigenvalue of a normalised Laplacian is above.
    #[default]
    Two,
    /// The largest eigenvalue of Δ, found by products alone; of `out` and `in`, which are not
    /// symmetric, the largest singular value.
    Exact,
}

impl LambdaMax {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Two, Self::Exact];

    /// The word for it on the command line and in configurations.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Two => "two",
            Self::Exact => "exact",
        }
    }
}

/// Which Laplacian, in full.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct LaplacianConfig {
    /// Plain or rescaled.
    pub form: LaplacianForm,
    /// By what the adjacency matrix is normalised.
    pub normalization: Normalization,
    /// What a rescaled Laplacian is divided by; a plain one is not.
    pub lambda_max: LambdaMax,
}

impl From<LaplacianForm> for LaplacianConfig {
    fn from(form: LaplacianForm) -> Self {
        Self { form, ..Self::default() }
    }
}

/// Why there is no Laplacian.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum LaplacianError {
    /// A degree would need the root of a negative number.
    #[error(
        "{kind} has no Laplacian: some arc weights are negative, and a degree must not be; \
         use the weights `count`, which ignore them, or shift or drop the negative arcs"
    )]
    NegativeWeights {
        /// The motif.
        kind: MotifKind,
    },
    /// The largest eigenvalue was not found.
    #[error("the largest eigenvalue of {kind}'s Laplacian was not found: {error}")]
    LambdaMax {
        /// The motif.
        kind: MotifKind,
        /// Why.
        error: KrylovError,
    },
}

/// The normalised Laplacian of a motif operator, itself an operator: a·I + b·N with N = R W C.
///
/// With D = diag(W 1). A node in no instance has an empty row in N, so Δ_ii = 1 there.
///
/// | form | a | b |
/// |---|---|---|
/// | plain: Δ = I − N | 1 | −1 |
/// | rescaled: 2Δ/λ − I | 2/λ − 1 | −2/λ |
#[derive(Clone, Debug)]
pub struct MotifLaplacian {
    operator: MotifOperator,
    normalization: Normalization,
    identity: f64,
    scale: f64,
    /// R and C.
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
}

impl MotifLaplacian {
    /// The Laplacian of `operator`. Time: one multiplication (two for `out` and `in`), and some tens
    /// more for an exact λ.
    ///
    /// # Errors
    /// If negative arc weights went into the operator, or the largest eigenvalue is not found.
    pub fn new(operator: MotifOperator, config: &LaplacianConfig) -> Result<Self, LaplacianError> {
        let kind = operator.kind();
        if operator.has_negative_weights() {
            return Err(LaplacianError::NegativeWeights { kind });
        }
        let inverse = |sums: Vec<f64>, power: fn(f64) -> f64| -> Vec<f64> {
            sums.into_iter().map(|sum| if sum > 0.0 { power(sum).recip() } else { 0.0 }).collect()
        };
        let [row_scale, column_scale] = match config.normalization {
            Normalization::RandomWalk => {
                [inverse(operator.row_sums(), |sum| sum), vec![1.0; operator.n_nodes()]]
            }
            Normalization::Symmetric => {
                let rows = inverse(operator.row_sums(), f64::sqrt);
                let columns = if kind.is_symmetric() {
                    rows.clone()
                } else {
                    inverse(operator.transposed().row_sums(), f64::sqrt)
                };
                [rows, columns]
            }
        };
        let normalization = config.normalization;
        let plain =
            Self { operator, normalization, identity: 1.0, scale: -1.0, row_scale, column_scale };
        let lambda = match (config.form, config.lambda_max) {
            (LaplacianForm::Plain, _) => return Ok(plain),
            (LaplacianForm::Rescaled, LambdaMax::Two) => 2.0,
            (LaplacianForm::Rescaled, LambdaMax::Exact) => {
                let largest = plain.largest_eigenvalue();
                largest.map_err(|error| LaplacianError::LambdaMax { kind, error })?
            }
        };
        // Without arcs Δ is the identity, and λ = 1; it is never zero.
        Ok(Self { identity: 2.0 / lambda - 1.0, scale: -2.0 / lambda, ..plain })
    }

    /// The largest eigenvalue of this Laplacian if W is symmetric (a random walk's are those of
    /// the symmetric normalisation), else its largest singular value. By products alone.
    ///
    /// # Errors
    /// If the Krylov method does not get there.
    pub fn largest_eigenvalue(&self) -> Result<f64, KrylovError> {
        let options = KrylovOptions::default();
        let largest = |operator: &dyn LinearOperator<f64>| {
            let pairs = largest_eigenpairs(operator, 1, &options, &Silent)?;
            Ok(pairs.values.first().copied().unwrap_or(1.0))
        };
        if !self.operator.kind().is_symmetric() {
            return largest(&Gram(self)).map(f64::sqrt);
        }
        match self.normalization {
            Normalization::Symmetric => largest(self),
            Normalization::RandomWalk => {
                let roots: Vec<f64> = self.row_scale.iter().map(|scale| scale.sqrt()).collect();
                let similar =
                    Self { row_scale: roots.clone(), column_scale: roots, ..self.clone() };
                largest(&similar)
            }
        }
    }

    /// a of a·I + b·N.
    pub fn identity(&self) -> f64 {
        self.identity
    }

    /// b of a·I + b·N.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// R of N = R W C.
    pub fn row_scale(&self) -> &[f64] {
        &self.row_scale
    }

    /// C of N = R W C.
    pub fn column_scale(&self) -> &[f64] {
        &self.column_scale
    }

    /// W.
    pub fn operator(&self) -> &MotifOperator {
        &self.operator
    }

    /// Whether the Laplacian is its own transpose.
    pub fn is_symmetric(&self) -> bool {
        self.operator.kind().is_symmetric() && self.normalization == Normalization::Symmetric
    }

    /// The Laplacian with every entry stored.
    ///
    /// # Errors
    /// If the motif matrix has more than `limit` entries.
    pub fn to_csr(&self, limit: u64) -> Result<CsrMatrix, MatrixTooLarge> {
        self.operator.check_size(limit)?;
        let explicit = self.operator.clone().into_explicit();
        let scaling = Scaling {
            scale: self.scale,
            rows: &self.row_scale,
            columns: &self.column_scale,
            diagonal: &vec![self.identity; self.operator.n_nodes()],
        };
        Ok(explicit.scaled_parts(&scaling, self.is_symmetric()).direct)
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

/// ΔᵀΔ, whose eigenvalues are the squares of the singular values.
struct Gram<'a>(&'a MotifLaplacian);

impl LinearOperator<f64> for Gram<'_> {
    fn n_rows(&self) -> usize {
        self.0.operator.n_nodes()
    }

    fn n_columns(&self) -> usize {
        self.0.operator.n_nodes()
    }

    fn apply_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        let mut between = vec![0.0; x.len()];
        self.0.apply_into(x, width, &mut between);
        self.0.apply_transpose_into(&between, width, y);
    }

    fn apply_transpose_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        self.apply_into(x, width, y);
    }
}

fn scale_rows<T: Scalar>(block: &mut [T], scale: &[f64], width: usize, sign: f64) {
    if width == 0 {
        return;
    }
    for (row, &scale) in block.chunks_exact_mut(width).zip(scale) {
        let scale = T::from_f64(sign * scale);
        row.iter_mut().for_each(|value| *value = scale * *value);
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
mod tests {
    use super::*;
    use crate::graph::{DiGraph, EdgeList};
    use crate::motif::{MotifEngine, MotifSpec, Weights};

    fn graph(arcs: &[(u32, u32, f32)]) -> DiGraph {
        let list = EdgeList::from_triples(5, arcs.iter().copied());
        DiGraph::build(list, &Default::default()).unwrap().0
    }

    const ARCS: [(u32, u32, f32); 6] =
        [(0, 1, 1.0), (1, 2, 2.0), (2, 0, 1.5), (0, 2, 1.0), (2, 3, 0.5), (3, 0, 3.0)];

    /// Every combination of the choices.
    fn configs() -> Vec<LaplacianConfig> {
        let mut configs = Vec::new();
        for form in LaplacianForm::ALL {
            for normalization in Normalization::ALL {
                for lambda_max in LambdaMax::ALL {
                    configs.push(LaplacianConfig { form, normalization, lambda_max });
                }
            }
        }
        configs
    }

    /// The dense Laplacian by its definition, from the dense motif matrix; λ is given.
    fn dense(w: &[f64], n: usize, config: &LaplacianConfig, lambda: f64) -> Vec<f64> {
        let out: Vec<f64> = (0..n).map(|i| (0..n).map(|j| w[i * n + j]).sum()).collect();
        let into: Vec<f64> = (0..n).map(|j| (0..n).map(|i| w[i * n + j]).sum()).collect();
        let entry = |at: usize| {
            let (i, j) = (at / n, at % n);
            let degree = match config.normalization {
                Normalization::Symmetric => (out[i] * into[j]).sqrt(),
                Normalization::RandomWalk => out[i],
            };
            let normal = if w[at] == 0.0 { 0.0 } else { w[at] / degree };
            let one = f64::from(i == j);
            match config.form {
                LaplacianForm::Plain => one - normal,
                LaplacianForm::Rescaled => 2.0 * (one - normal) / lambda - one,
            }
        };
        (0..n * n).map(entry).collect()
    }

    /// ‖Δ‖₂ of a dense matrix by many rounds of the power method on ΔᵀΔ.
    fn norm(matrix: &[f64], n: usize) -> f64 {
        let times = |x: &[f64], turned: bool| -> Vec<f64> {
            let entry =
                |i: usize, j: usize| if turned { matrix[j * n + i] } else { matrix[i * n + j] };
            (0..n).map(|i| (0..n).map(|j| entry(i, j) * x[j]).sum()).collect()
        };
        let mut x: Vec<f64> = (0..n).map(|i| 1.0 + 0.37 * i as f64).collect();
        let mut size = 0.0;
        for _ in 0..20_000 {
            x = times(&times(&x, false), true);
            size = x.iter().map(|x| x * x).sum::<f64>().sqrt();
            x.iter_mut().for_each(|x| *x /= size);
        }
        size.sqrt()
    }

    #[test]
    fn every_laplacian_is_its_definition() {
        let graph = graph(&ARCS);
        let engine = MotifEngine::new(&graph);
        for kind in MotifKind::ALL {
            let operator = engine.operator(kind, &MotifSpec::default());
            let mut w = vec![0.0; 25];
            for (row, column, value) in operator.to_csr(u64::MAX).unwrap().entries() {
                w[row * 5 + column as usize] = *value;
            }
            for config in configs() {
                // Eigenvalues of a random walk are those of the symmetric matrix like it.
                let symmetric =
                    kind.is_symmetric() || config.normalization == Normalization::Symmetric;
                let normalization =
                    if symmetric { Normalization::Symmetric } else { Normalization::RandomWalk };
                let plain = LaplacianConfig { form: LaplacianForm::Plain, normalization, ..config };
                let lambda = match config.lambda_max {
                    LambdaMax::Two => 2.0,
                    LambdaMax::Exact => norm(&dense(&w, 5, &plain, 2.0), 5),
                };
                let laplacian = MotifLaplacian::new(operator.clone(), &config).unwrap();
                let mut found = vec![0.0; 25];
                for (row, column, value) in laplacian.to_csr(u64::MAX).unwrap().entries() {
                    found[row * 5 + column as usize] = *value;
                }
                for (found, expected) in found.iter().zip(dense(&w, 5, &config, lambda)) {
                    assert!(
                        (found - expected).abs() < 1e-7,
                        "{kind} {config:?} {found} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_operator_and_the_matrix_agree() {
        let graph = graph(&ARCS);
        let engine = MotifEngine::new(&graph);
        let x: Vec<f64> = (0..10).map(|i| f64::from(i) * 0.5 - 2.0).collect();
        for kind in MotifKind::ALL {
            for config in configs() {
                for &weights in Weights::ALL {
                    let spec = MotifSpec { weights, ..MotifSpec::default() };
                    let laplacian =
                        MotifLaplacian::new(engine.operator(kind, &spec), &config).unwrap();
                    let matrix = laplacian.to_csr(u64::MAX).unwrap();
                    let close =
                        |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
                    assert!(
                        close(&laplacian.apply(&x, 2), &matrix.apply(&x, 2)),
                        "{kind} {config:?}"
                    );
                    let mut turned = vec![0.0; 10];
                    laplacian.apply_transpose_into(&x, 2, &mut turned);
                    assert!(close(&turned, &matrix.transpose().apply(&x, 2)), "{kind}ᵀ {config:?}");
                }
            }
        }
    }

    #[test]
    fn roots_of_degrees_are_in_the_kernel_and_a_node_apart_keeps_its_one() {
        let graph = graph(&ARCS);
        let engine = MotifEngine::new(&graph);
        let operator = engine.operator(MotifKind::Undirected, &MotifSpec::default());
        let roots: Vec<f64> = operator.row_sums().into_iter().map(f64::sqrt).collect();
        let laplacian = MotifLaplacian::new(operator, &LaplacianForm::Plain.into()).unwrap();
        assert!(laplacian.apply(&roots, 1).iter().all(|y| y.abs() < 1e-12));
        assert_eq!(laplacian.to_csr(u64::MAX).unwrap().row(4), (&[4u32][..], &[1.0][..]));
    }

    #[test]
    fn negative_weights_are_refused_where_they_count() {
        let graph = graph(&[(0, 1, 1.0), (1, 2, -2.0)]);
        let engine = MotifEngine::new(&graph);
        let weighted = MotifSpec { weights: Weights::Mean, ..MotifSpec::default() };
        for (spec, refused) in [(MotifSpec::default(), false), (weighted, true)] {
            let operator = engine.operator(MotifKind::M9, &spec);
            assert_eq!(
                MotifLaplacian::new(operator, &LaplacianForm::Plain.into()).is_err(),
                refused
            );
        }
    }
}
