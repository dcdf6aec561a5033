//! A sparse matrix with its column means taken out, and its products with blocks of vectors.

use rayon::prelude::*;

use crate::dense::{Block, Kernel, LANES, Rows, Update, dispatch, multiply_transposed};
use crate::sparse::rows::{balanced_ranges, split};
use crate::sparse::{CsrMatrix, LinearOperator};

/// X − 1μᵀ for a sparse X, where μ has the means of the columns. Never made dense.
pub(super) struct Centred<'a> {
    matrix: &'a CsrMatrix,
    transpose: CsrMatrix,
    pub(super) mean: Vec<f64>,
    ones: Vec<f64>,
}

impl<'a> Centred<'a> {
    pub(super) fn new(matrix: &'a CsrMatrix) -> Self {
        let transpose = matrix.transpose();
        let n_rows = matrix.n_rows();
        let mean = (0..matrix.n_columns())
            .map(|column| transpose.row(column).1.iter().sum::<f64>() / n_rows.max(1) as f64)
            .collect();
        Self { matrix, transpose, mean, ones: vec![1.0; n_rows] }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.matrix.n_rows()
    }

    pub(super) fn n_columns(&self) -> usize {
        self.matrix.n_columns()
    }

    /// ‖X − 1μᵀ‖², the total variance times the rows.
    pub(super) fn squares(&self) -> f64 {
        let column = |(column, &mean): (usize, &f64)| {
            let values = self.transpose.row(column).1;
            let n_zeros = self.n_rows() - values.len();
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            squares + n_zeros as f64 * mean * mean
        };
        self.mean.iter().enumerate().map(column).sum()
    }

    /// ‖X‖².
    pub(super) fn raw_squares(&self) -> f64 {
        self.matrix.values().iter().map(|value| value * value).sum()
    }

    /// (X − 1μᵀ) V for V of n_columns × `width`.
    pub(super) fn times(&self, vectors: &[f64], width: usize) -> Vec<f64> {
        product(self.matrix, [&self.mean, &self.ones], vectors, width)
    }

    /// (X − 1μᵀ)ᵀ U for U of n_rows × `width`.
    pub(super) fn transpose_times(&self, vectors: &[f64], width: usize) -> Vec<f64> {
        product(&self.transpose, [&self.ones, &self.mean], vectors, width)
    }
}

/// (X − 1cᵀ) V for V of n_columns × `width` and any c.
///
/// Every row of the result is computed from its own row of X alone, in one order: the same row gives
/// the same bits in any matrix, on any number of threads. Time O((entries + n_columns)·width).
pub(crate) fn centred_product(
    matrix: &CsrMatrix,
    centre: &[f64],
    vectors: &[f64],
    width: usize,
) -> Vec<f64> {
    product(matrix, [centre, &vec![1.0; matrix.n_rows()]], vectors, width)
}

/// (M − left·rightᵀ) V.
fn product(
    matrix: &CsrMatrix,
    [right, left]: [&[f64]; 2],
    vectors: &[f64],
    width: usize,
) -> Vec<f64> {
    let right = Rows::new(right, [matrix.n_columns(), 1]);
    let rows = Rows::new(vectors, [matrix.n_columns(), width]);
    let mut along = Block::zeros(1, width);
    multiply_transposed(right, rows, Update::Replace, along.as_mut());
    // Rows that begin on cache lines are gathered from fewer of them.
    let vectors = Block::copy_of(rows);
    let (vectors, along) = (vectors.as_rows(), along.as_rows().values());
    let mut result = vec![0.0; matrix.n_rows() * width];
    let parts = split(balanced_ranges(matrix.offsets()), &mut result, |row| row * width);
    parts.into_par_iter().for_each(|(rows, result)| {
        let left = &left[rows.clone()];
        dispatch(CentredRows { matrix, first: rows.start, vectors, left, along, result });
    });
    result
}

struct CentredRows<'a> {
    matrix: &'a CsrMatrix,
    first: usize,
    vectors: Rows<'a, f64>,
    left: &'a [f64],
    /// As long as the padded rows of the vectors.
    along: &'a [f64],
    result: &'a mut [f64],
}

impl Kernel for CentredRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (width, stride) = (self.vectors.width(), self.vectors.stride());
        let vectors = self.vectors.values();
        let rows = self.result.chunks_exact_mut(width.max(1)).zip(self.left);
        for (row, (result, &left)) in (self.first..).zip(rows) {
            let (columns, values) = self.matrix.row(row);
            // As many columns as are summed in registers; the last ones run over the padding.
            for (tile, result) in (0..).step_by(LANES).zip(result.chunks_mut(LANES)) {
                let mut sums = [0.0; LANES];
                for (&column, &value) in columns.iter().zip(values) {
                    let vector = &vectors[column as usize * stride + tile..][..LANES];
                    for (sum, &entry) in sums.iter_mut().zip(vector) {
                        *sum += value * entry;
                    }
                }
                let along = &self.along[tile..][..LANES];
                for ((result, sum), along) in result.iter_mut().zip(sums).zip(along) {
                    *result = sum - left * along;
                }
            }
        }
    }
}

/// Which Gram matrix of Y = X − 1μᵀ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Y Yᵀ.
    Rows,
    /// Yᵀ Y.
    Columns,
}

/// The Gram matrix of a centred matrix as an operator: two sparse products a multiplication.
pub(super) struct Gram<'a> {
    pub(super) centred: &'a Centred<'a>,
    pub(super) side: Side,
}

impl LinearOperator<f64> for Gram<'_> {
    fn n_rows(&self) -> usize {
        match self.side {
            Side::Rows => self.centred.n_rows(),
            Side::Columns => self.centred.n_columns(),
        }
    }

    fn n_columns(&self) -> usize {
        self.n_rows()
    }

    fn apply_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        y.copy_from_slice(&self.apply(x, width));
    }

    fn apply_transpose_into(&self, x: &[f64], width: usize, y: &mut [f64]) {
        self.apply_into(x, width, y);
    }

    fn apply(&self, x: &[f64], width: usize) -> Vec<f64> {
        match self.side {
            Side::Rows => self.centred.times(&self.centred.transpose_times(x, width), width),
            Side::Columns => self.centred.transpose_times(&self.centred.times(x, width), width),
        }
    }
}
