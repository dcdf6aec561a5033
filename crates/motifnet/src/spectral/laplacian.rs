//! The normalised Laplacian of a motif matrix.

use std::fmt;
use std::str::FromStr;

use crate::motif::{MatrixTooLarge, MotifKind, MotifOperator};
use crate::sparse::{CsrMatrix, LinearOperator, Scalar};

/// Which Laplacian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

/// A degree would need the root of a negative number.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "{kind} has no Laplacian: some arc weights are negative, and a degree must not be; \
     use the weights `count`, which ignore them, or shift or drop the negative arcs"
)]
pub struct NegativeWeights {
    /// The motif.
    pub kind: MotifKind,
}

/// The normalised Laplacian of a motif operator, itself an operator.
///
/// With D = diag(W 1). A node in no instance has an empty row in D^-½ W D^-½, so Δ_ii = 1 there.
/// `out` and `in` are normalised by both their degrees: D_out^-½ A D_in^-½ and its transpose.
#[derive(Clone, Debug)]
pub struct MotifLaplacian {
    operator: MotifOperator,
    form: LaplacianForm,
    /// D^-½ of the rows and of the columns.
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
}

impl MotifLaplacian {
    /// The Laplacian of `operator`. Time: one multiplication (two for `out` and `in`).
    ///
    /// # Errors
    /// If negative arc weights went into the operator.
    pub fn new(operator: MotifOperator, form: LaplacianForm) -> Result<Self, NegativeWeights> {
        let kind = operator.kind();
        if operator.has_negative_weights() {
            return Err(NegativeWeights { kind });
        }
        let inverse_roots = |sums: Vec<f64>| -> Vec<f64> {
            sums.into_iter().map(|sum| if sum > 0.0 { sum.sqrt().recip() } else { 0.0 }).collect()
        };
        let row_scale = inverse_roots(operator.row_sums());
        let column_scale = if kind.is_symmetric() {
            row_scale.clone()
        } else {
            inverse_roots(operator.transposed().row_sums())
        };
        Ok(Self { operator, form, row_scale, column_scale })
    }

    /// The Laplacian with every entry stored.
    ///
    /// # Errors
    /// If the motif matrix has more than `limit` entries.
    pub fn to_csr(&self, limit: u64) -> Result<CsrMatrix, MatrixTooLarge> {
        let matrix = self.operator.to_csr(limit)?;
        let plain = self.form == LaplacianForm::Plain;
        let n_extra = if plain { matrix.n_rows() } else { 0 };
        let mut offsets = vec![0];
        let mut columns = Vec::with_capacity(matrix.n_entries() + n_extra);
        let mut values = Vec::with_capacity(matrix.n_entries() + n_extra);
        for row in 0..matrix.n_rows() {
            let (row_columns, row_values) = matrix.row(row);
            let below = row_columns.partition_point(|&column| (column as usize) < row);
            for (position, (&column, &value)) in row_columns.iter().zip(row_values).enumerate() {
                if plain && position == below {
                    columns.push(row as u32);
                    values.push(1.0);
                }
                columns.push(column);
                let scale = self.row_scale[row] * self.column_scale[column as usize];
                values.push(-scale * value);
            }
            if plain && below == row_columns.len() {
                columns.push(row as u32);
                values.push(1.0);
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
        scale_rows(y, outer, width, -1.0);
        if self.form == LaplacianForm::Plain {
            for (y, &x) in y.iter_mut().zip(x) {
                *y += x;
            }
        }
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

    #[test]
    fn the_operator_and_the_matrix_agree() {
        let graph = graph(&ARCS);
        let engine = MotifEngine::new(&graph);
        let x: Vec<f64> = (0..10).map(|i| f64::from(i) * 0.5 - 2.0).collect();
        for kind in MotifKind::ALL {
            for form in LaplacianForm::ALL {
                for &weights in Weights::ALL {
                    let spec = MotifSpec { weights, ..MotifSpec::default() };
                    let laplacian =
                        MotifLaplacian::new(engine.operator(kind, &spec), form).unwrap();
                    let matrix = laplacian.to_csr(u64::MAX).unwrap();
                    let close =
                        |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
                    assert!(close(&laplacian.apply(&x, 2), &matrix.apply(&x, 2)), "{kind} {form}");
                    let mut turned = vec![0.0; 10];
                    laplacian.apply_transpose_into(&x, 2, &mut turned);
                    assert!(close(&turned, &matrix.transpose().apply(&x, 2)), "{kind}ᵀ {form}");
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
        let laplacian = MotifLaplacian::new(operator, LaplacianForm::Plain).unwrap();
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
            assert_eq!(MotifLaplacian::new(operator, LaplacianForm::Plain).is_err(), refused);
        }
    }
}
