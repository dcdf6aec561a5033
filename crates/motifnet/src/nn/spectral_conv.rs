//! Convolutions in the eigenvectors of a Laplacian: free filters (Bruna, Zaremba, Szlam, LeCun 2014)
//! and splines of the eigenvalue (Henaff, Bruna, LeCun 2015).
//!
//! Y = Φ Ŷ + b, X̂ = Φᵀ X, where Φ (n × k) has the k smoothest eigenvectors and
//!
//! - free: ŷ_i = x̂_i Ĝ_i for every eigenvalue i, with Ĝ of k × F_in × F_out;
//! - spline: Ŷ = Σ_{m ≤ q} diag(β_m(λ)) X̂ Θ_m, with Θ of q × F_in × F_out and β_m cubic B-splines on
//!   [0, 2], where all eigenvalues of the plain Laplacian lie.
//!
//! X is n × F_in, Y n × F_out. Every output depends on all nodes, and what is learnt on the eigenvectors
//! of one graph. Time two products with Φ, and k·F_in·F_out or q of such products.

use std::sync::Arc;

use rayon::prelude::*;

use super::layer::{Layer, Widths};
use super::parameters::Layout;
use super::spline::b_splines;
use super::theta::Theta;
use crate::dense::{
    Block, Real, Rows, RowsMut, Update, multiply, multiply_by_transpose, multiply_transposed,
};
use crate::progress::Stop;
use crate::spectral::Eigenbasis;

/// Where eigenvalues of a plain Laplacian end.
const LARGEST_EIGENVALUE: f64 = 2.0;

/// An eigenbasis with its rows in the order of a receptive field.
pub(super) struct CutEigenbasis<T> {
    values: Vec<T>,
    vectors: Block<T>,
}

impl<T: Real> CutEigenbasis<T> {
    pub(super) fn new(basis: &Eigenbasis<T>, nodes: &[u32]) -> Self {
        let rows = Rows::new(&basis.vectors, [basis.n_nodes(), basis.len()]);
        let mut vectors = Block::zeros(nodes.len(), basis.len());
        for (to, &node) in vectors.as_mut().iter_mut().zip(nodes) {
            to.copy_from_slice(rows.row(node as usize));
        }
        Self { values: basis.values.clone(), vectors }
    }
}

/// The parameters of a spectral convolution.
#[derive(Clone, Debug)]
pub(super) struct SpectralConv {
    n_vectors: usize,
    /// q of a spline; none if every eigenvalue has a filter of its own.
    n_splines: Option<usize>,
    theta: Theta,
}

impl SpectralConv {
    pub(super) fn new(
        name: &str,
        n_vectors: usize,
        n_splines: Option<usize>,
        widths: Widths,
        layout: &mut Layout,
    ) -> Self {
        let theta = Theta::new(name, n_splines.unwrap_or(n_vectors), widths, layout);
        Self { n_vectors, n_splines, theta }
    }

    pub(super) fn bind<T: Real>(
        &self,
        basis: Arc<CutEigenbasis<T>>,
        n_rows: usize,
        input_is_fixed: bool,
    ) -> BoundSpectral<T> {
        assert_eq!(basis.values.len(), self.n_vectors, "as many eigenvectors as the layer is for");
        let Widths { input, output } = self.theta.widths();
        let n_splines = self.n_splines.unwrap_or(0);
        let mut splines = vec![T::default(); n_splines * self.n_vectors];
        if n_splines > 0 {
            for (at, value) in basis.values.iter().enumerate() {
                let of_value = b_splines(n_splines, LARGEST_EIGENVALUE, value.to_f64());
                for (m, spline) in of_value.into_iter().enumerate() {
                    splines[m * self.n_vectors + at] = T::from_f64(spline);
                }
            }
        }
        BoundSpectral {
            layer: self.clone(),
            n_rows,
            input_is_fixed,
            has_input: false,
            splines,
            input: Block::zeros(self.n_vectors, input),
            output: Block::zeros(self.n_vectors, output),
            basis,
        }
    }

    /// About how many bytes the bound layer takes beside the eigenvectors.
    pub(super) fn n_bytes<T: Real>(&self) -> usize {
        let Widths { input, output } = self.theta.widths();
        4 * Block::<T>::n_bytes(self.n_vectors, input.max(output))
    }
}

/// A spectral convolution on the rows it computes.
pub(super) struct BoundSpectral<T> {
    layer: SpectralConv,
    basis: Arc<CutEigenbasis<T>>,
    n_rows: usize,
    input_is_fixed: bool,
    has_input: bool,
    /// By spline: its value at every eigenvalue.
    splines: Vec<T>,
    /// X̂.
    input: Block<T>,
    /// Ŷ, and on the way back its gradient.
    output: Block<T>,
}

impl<T: Real> BoundSpectral<T> {
    fn spline(&self, m: usize) -> &[T] {
        &self.splines[m * self.layer.n_vectors..][..self.layer.n_vectors]
    }

    /// `block` with row i times the value of a spline at eigenvalue i.
    fn scaled(&self, m: usize, block: &Block<T>) -> Block<T> {
        let mut scaled = Block::copy_of(block.as_rows());
        for (row, &factor) in scaled.as_mut().iter_mut().zip(self.spline(m)) {
            row.iter_mut().for_each(|value| *value = *value * factor);
        }
        scaled
    }
}

impl<T: Real> Layer<T> for BoundSpectral<T> {
    fn forward(&mut self, parameters: &[T], x: Rows<'_, T>, y: RowsMut<'_, T>, stop: Stop<'_>) {
        let layer = self.layer.clone();
        let basis = self.basis.clone();
        if !(self.input_is_fixed && self.has_input) {
            let vectors = basis.vectors.as_rows();
            multiply_transposed(vectors, x, Update::Replace, self.input.as_mut());
            self.has_input = true;
        }
        if stop.is_set() {
            return;
        }
        match layer.n_splines {
            None => {
                let rows = self.input.as_rows().par_blocks(1);
                let rows = self.output.as_mut().into_par_blocks(1).zip(rows).enumerate();
                rows.for_each(|(at, (to, from))| {
                    multiply(from, layer.theta.of(parameters, at), Update::Replace, to);
                });
            }
            Some(n_splines) => {
                for m in 0..n_splines {
                    let scaled = self.scaled(m, &self.input);
                    let theta = layer.theta.of(parameters, m);
                    let update = if m == 0 { Update::Replace } else { Update::Add };
                    multiply(scaled.as_rows(), theta, update, self.output.as_mut());
                }
            }
        }
        let vectors = basis.vectors.as_rows().first(self.n_rows);
        multiply(vectors, self.output.as_rows(), Update::Replace, y);
    }

    fn backward(
        &mut self,
        parameters: &[T],
        _: Rows<'_, T>,
        dy: Rows<'_, T>,
        gradients: &mut [T],
        dx: Option<RowsMut<'_, T>>,
        stop: Stop<'_>,
    ) {
        let layer = self.layer.clone();
        let basis = self.basis.clone();
        let vectors = basis.vectors.as_rows();
        multiply_transposed(vectors.first(self.n_rows), dy, Update::Replace, self.output.as_mut());
        if stop.is_set() {
            return;
        }
        let mut d_input = dx.as_ref().map(|_| Block::zeros_like(&self.input));
        match layer.n_splines {
            None => {
                let Widths { input, output } = layer.theta.widths();
                let d_filters = gradients[layer.theta.range()].par_chunks_mut(input * output);
                let (left, right) = (self.input.as_rows(), self.output.as_rows());
                d_filters.enumerate().for_each(|(at, d_filter)| {
                    let column = Rows::new(left.row(at), [input, 1]);
                    let row = Rows::new(right.row(at), [1, output]);
                    let into = RowsMut::new(d_filter, [input, output]);
                    multiply(column, row, Update::Replace, into);
                });
                if let Some(d_input) = &mut d_input {
                    let rows = d_input.as_mut().into_par_blocks(1).zip(right.par_blocks(1));
                    rows.enumerate().for_each(|(at, (to, from))| {
                        let theta = layer.theta.of(parameters, at);
                        multiply_by_transpose(from, theta, Update::Replace, to);
                    });
                }
            }
            Some(n_splines) => {
                for m in 0..n_splines {
                    let scaled = self.scaled(m, &self.output);
                    let d_theta = layer.theta.of_mut(gradients, m);
                    multiply_transposed(
                        self.input.as_rows(),
                        scaled.as_rows(),
                        Update::Replace,
                        d_theta,
                    );
                    if let Some(d_input) = &mut d_input {
                        let theta = layer.theta.of(parameters, m);
                        multiply_by_transpose(
                            scaled.as_rows(),
                            theta,
                            Update::Add,
                            d_input.as_mut(),
                        );
                    }
                }
            }
        }
        if let (Some(d_input), Some(dx)) = (d_input, dx) {
            multiply(vectors, d_input.as_rows(), Update::Replace, dx);
        }
    }
}
