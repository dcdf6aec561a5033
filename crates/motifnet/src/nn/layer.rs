//! What every layer can do.

use crate::dense::{Real, Rows, RowsMut};
use crate::progress::Stop;

/// A layer bound to the rows it computes, with the room it needs to do so.
///
/// Its blocks are padded, and may have more rows than are needed: the first ones count.
/// The bias is not the layer's: it is added where the activation is taken.
///
/// Between its sweeps and products it looks at `stop` and returns if that is set: what it has written is of
/// no use then, and it is not asked again.
pub(super) trait Layer<T: Real>: Send {
    /// y ← the layer's output for the input x, without the bias.
    fn forward(&mut self, parameters: &[T], x: Rows<'_, T>, y: RowsMut<'_, T>, stop: Stop<'_>);

    /// Writes the gradients of the layer's parameters, and of its input where it is wanted; x is what
    /// the last [`Layer::forward`] was given.
    fn backward(
        &mut self,
        parameters: &[T],
        x: Rows<'_, T>,
        dy: Rows<'_, T>,
        gradients: &mut [T],
        dx: Option<RowsMut<'_, T>>,
        stop: Stop<'_>,
    );
}

/// The sizes of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    pub(super) input: usize,
    pub(super) output: usize,
}
