//! Bias, activation and dropout in one pass over the rows, and back.

use rayon::prelude::*;

use super::dropout::Dropout;
use crate::choice::words;
use crate::dense::{Kernel, Real, dispatch};

/// What is applied to every entry between two layers.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    /// max(0, z).
    #[default]
    Relu,
    /// z above zero, eᶻ − 1 below.
    Elu,
    /// The hyperbolic tangent.
    Tanh,
}

impl Activation {
    #[inline(always)]
    fn apply<T: Real>(self, z: T) -> T {
        let (zero, one) = (T::default(), T::from_f64(1.0));
        match self {
            Self::Relu => {
                if z > zero {
                    z
                } else {
                    zero
                }
            }
            Self::Elu if z > zero => z,
            Self::Elu => z.exponential() - one,
            Self::Tanh => {
                let e = (-(z + z)).exponential();
                if e > T::from_f64(1e30) { -one } else { (one - e) / (one + e) }
            }
        }
    }

    /// The derivative at z, told from a = activation(z).
    #[inline(always)]
    fn slope<T: Real>(self, a: T) -> T {
        let (zero, one) = (T::default(), T::from_f64(1.0));
        match self {
            Self::Relu | Self::Elu if a > zero => one,
            Self::Relu => zero,
            Self::Elu => a + one,
            Self::Tanh => one - a * a,
        }
    }
}

words!(Activation, "activation", Relu = "relu", Elu = "elu", Tanh = "tanh");

/// Rows that one thread handles at a time; sums over rows are taken block by block.
const BLOCK: usize = 128;

/// h ← dropout(activation(h + bias)), in place; row i belongs to `nodes[i]`.
pub(super) fn activate<T: Real>(
    h: &mut [T],
    bias: &[T],
    activation: Activation,
    dropout: Option<&Dropout>,
    nodes: &[u32],
) {
    let width = bias.len();
    let blocks = h.par_chunks_mut(BLOCK * width).zip(nodes.par_chunks(BLOCK));
    blocks.for_each(|(h, nodes)| dispatch(Activate { h, bias, activation, dropout, nodes }));
}

struct Activate<'a, T> {
    h: &'a mut [T],
    bias: &'a [T],
    activation: Activation,
    dropout: Option<&'a Dropout>,
    nodes: &'a [u32],
}

impl<T: Real> Kernel for Activate<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let width = self.bias.len();
        for (h, &node) in self.h.chunks_exact_mut(width).zip(self.nodes) {
            for (h, &bias) in h.iter_mut().zip(self.bias) {
                *h = self.activation.apply(*h + bias);
            }
            if let Some(dropout) = self.dropout {
                drop_row(h, dropout, node);
            }
        }
    }
}

#[inline(always)]
fn drop_row<T: Real>(row: &mut [T], dropout: &Dropout, node: u32) {
    let scale = T::from_f64(dropout.scale());
    dropout.for_row(node, row.len(), |start, kept| {
        for (value, &kept) in row[start..].iter_mut().zip(kept) {
            *value = if kept { *value * scale } else { T::default() };
        }
    });
}

/// `to` ← dropout(`from`): the input of the first layer.
pub(super) fn drop_input<T: Real>(
    from: &[T],
    to: &mut [T],
    width: usize,
    dropout: &Dropout,
    nodes: &[u32],
) {
    let blocks = to.par_chunks_mut(BLOCK * width).zip(from.par_chunks(BLOCK * width));
    blocks.zip(nodes.par_chunks(BLOCK)).for_each(|((to, from), nodes)| {
        dispatch(DropInput { from, to, width, dropout, nodes });
    });
}

struct DropInput<'a, T> {
    from: &'a [T],
    to: &'a mut [T],
    width: usize,
    dropout: &'a Dropout,
    nodes: &'a [u32],
}

impl<T: Real> Kernel for DropInput<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let rows = self.to.chunks_exact_mut(self.width).zip(self.from.chunks_exact(self.width));
        for ((to, from), &node) in rows.zip(self.nodes) {
            to.copy_from_slice(from);
            drop_row(to, self.dropout, node);
        }
    }
}

/// Turns dh into dz in place, where h = dropout(activation(z)), and writes d_bias = Σ_rows dz.
pub(super) fn activate_back<T: Real>(
    dh: &mut [T],
    h: &[T],
    activation: Activation,
    dropout: Option<&Dropout>,
    nodes: &[u32],
    d_bias: &mut [T],
) {
    let width = d_bias.len();
    let n_blocks = nodes.len().div_ceil(BLOCK);
    let mut partial = vec![T::default(); n_blocks * width];
    let blocks = dh.par_chunks_mut(BLOCK * width).zip(h.par_chunks(BLOCK * width));
    let sums = partial.par_chunks_exact_mut(width);
    blocks.zip(nodes.par_chunks(BLOCK)).zip(sums).for_each(|(((dh, h), nodes), d_bias)| {
        dispatch(ActivateBack { dh, h, activation, dropout, nodes, d_bias });
    });
    add_up(&partial, d_bias);
}

/// d_bias ← Σ_rows dz, for the last layer, which has no activation.
pub(super) fn sum_rows<T: Real>(dz: &[T], d_bias: &mut [T]) {
    let width = d_bias.len();
    let blocks = dz.par_chunks(BLOCK * width);
    let partial: Vec<Vec<T>> = blocks
        .map(|rows| {
            let mut sum = vec![T::default(); width];
            add_up(rows, &mut sum);
            sum
        })
        .collect();
    add_up(&partial.concat(), d_bias);
}

fn add_up<T: Real>(rows: &[T], sum: &mut [T]) {
    sum.fill(T::default());
    for row in rows.chunks_exact(sum.len()) {
        for (sum, &value) in sum.iter_mut().zip(row) {
            *sum += value;
        }
    }
}

struct ActivateBack<'a, T> {
    dh: &'a mut [T],
    h: &'a [T],
    activation: Activation,
    dropout: Option<&'a Dropout>,
    nodes: &'a [u32],
    d_bias: &'a mut [T],
}

impl<T: Real> Kernel for ActivateBack<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let width = self.d_bias.len();
        let scale = T::from_f64(self.dropout.map_or(1.0, Dropout::scale));
        let rows = self.dh.chunks_exact_mut(width).zip(self.h.chunks_exact(width));
        for ((dh, h), &node) in rows.zip(self.nodes) {
            match (self.activation, self.dropout) {
                // An entry that was dropped is zero, and so is the slope there.
                (Activation::Relu, _) | (_, None) => {
                    for (dh, &h) in dh.iter_mut().zip(h) {
                        *dh = *dh * scale * self.activation.slope(h);
                    }
                }
                (_, Some(dropout)) => {
                    let unscale = T::from_f64(1.0) / scale;
                    for (dh, &h) in dh.iter_mut().zip(h) {
                        *dh = *dh * self.activation.slope(h * unscale);
                    }
                    drop_row(dh, dropout, node);
                }
            }
            for (sum, &dh) in self.d_bias.iter_mut().zip(&*dh) {
                *sum += dh;
            }
        }
    }
}
