//! Y = X Θ + b.

use std::ops::Range;

use super::layer::{Layer, Widths};
use super::parameters::{Initial, Layout};
use crate::dense::{
    Real, Rows, RowsMut, Update, multiply, multiply_by_transpose, multiply_transposed,
};
use crate::progress::Stop;

/// The parameters of a dense layer: Θ of F_in × F_out.
#[derive(Clone, Debug)]
pub(super) struct DenseLayer {
    widths: Widths,
    theta: Range<usize>,
}

impl DenseLayer {
    pub(super) fn new(name: &str, widths: Widths, layout: &mut Layout) -> Self {
        let shape = [widths.input, widths.output];
        Self { widths, theta: layout.add(format!("{name}.weight"), &shape, Initial::Glorot) }
    }

    /// Θ, row after row.
    pub(super) fn theta<'a, T>(&self, parameters: &'a [T]) -> &'a [T] {
        &parameters[self.theta.clone()]
    }

    /// The layer on `n_rows` rows.
    pub(super) fn bind(&self, n_rows: usize) -> BoundDense {
        BoundDense { layer: self.clone(), n_rows }
    }
}

/// A dense layer on a number of rows.
pub(super) struct BoundDense {
    layer: DenseLayer,
    n_rows: usize,
}

impl<T: Real> Layer<T> for BoundDense {
    fn forward(&mut self, parameters: &[T], x: Rows<'_, T>, y: RowsMut<'_, T>, _: Stop<'_>) {
        let Widths { input, output } = self.layer.widths;
        let theta = Rows::new(&parameters[self.layer.theta.clone()], [input, output]);
        multiply(x.first(self.n_rows), theta, Update::Replace, y);
    }

    fn backward(
        &mut self,
        parameters: &[T],
        x: Rows<'_, T>,
        dy: Rows<'_, T>,
        gradients: &mut [T],
        dx: Option<RowsMut<'_, T>>,
        stop: Stop<'_>,
    ) {
        let Widths { input, output } = self.layer.widths;
        let theta = self.layer.theta.clone();
        let d_theta = RowsMut::new(&mut gradients[theta.clone()], [input, output]);
        multiply_transposed(x.first(self.n_rows), dy, Update::Replace, d_theta);
        if let Some(dx) = dx.filter(|_| !stop.is_set()) {
            let theta = Rows::new(&parameters[theta], [input, output]);
            multiply_by_transpose(dy, theta, Update::Replace, dx);
        }
    }
}
