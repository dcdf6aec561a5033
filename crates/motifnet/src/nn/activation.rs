//! Bias, activation and dropout in one pass over the rows, and back.

use rayon::prelude::*;

use super::dropout::Dropout;
use crate::choice::words;
use crate::dense::{Kernel, Real, Rows, RowsMut, dispatch};

/// What is applied to every entry between two layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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
    h: RowsMut<'_, T>,
    bias: &[T],
    activation: Activation,
    dropout: Option<&Dropout>,
    nodes: &[u32],
) {
    let blocks = h.into_par_blocks(BLOCK).zip(nodes.par_chunks(BLOCK));
    blocks.for_each(|(h, nodes)| dispatch(Activate { h, bias, activation, dropout, nodes }));
}

struct Activate<'a, T> {
    h: RowsMut<'a, T>,
    bias: &'a [T],
    activation: Activation,
    dropout: Option<&'a Dropout>,
    nodes: &'a [u32],
}

impl<T: Real> Kernel for Activate<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        for (h, &node) in self.h.iter_mut().zip(self.nodes) {
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
    from: Rows<'_, T>,
    to: RowsMut<'_, T>,
    dropout: &Dropout,
    nodes: &[u32],
) {
    let blocks = to.into_par_blocks(BLOCK).zip(from.par_blocks(BLOCK));
    blocks.zip(nodes.par_chunks(BLOCK)).for_each(|((to, from), nodes)| {
        dispatch(DropInput { from, to, dropout, nodes });
    });
}

struct DropInput<'a, T> {
    from: Rows<'a, T>,
    to: RowsMut<'a, T>,
    dropout: &'a Dropout,
    nodes: &'a [u32],
}

impl<T: Real> Kernel for DropInput<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let rows = self.to.iter_mut().zip(self.from.iter());
        for ((to, from), &node) in rows.zip(self.nodes) {
            to.copy_from_slice(from);
            drop_row(to, self.dropout, node);
        }
    }
}

/// Turns dh into dz in place, where h = dropout(activation(z)), and writes d_bias = Σ_rows dz.
pub(super) fn activate_back<T: Real>(
    dh: RowsMut<'_, T>,
    h: Rows<'_, T>,
    activation: Activation,
    dropout: Option<&Dropout>,
    nodes: &[u32],
    d_bias: &mut [T],
) {
    let width = d_bias.len();
    let n_blocks = nodes.len().div_ceil(BLOCK);
    let mut partial = vec![T::default(); n_blocks * width];
    let blocks = dh.into_par_blocks(BLOCK).zip(h.par_blocks(BLOCK));
    let sums = partial.par_chunks_exact_mut(width);
    blocks.zip(nodes.par_chunks(BLOCK)).zip(sums).for_each(|(((dh, h), nodes), d_bias)| {
        dispatch(ActivateBack { dh, h, activation, dropout, nodes, d_bias });
    });
    add_up(Rows::new(&partial, [n_blocks, width]), d_bias);
}

/// h ← h + bias, for the last layer, which has no activation.
pub(super) fn add_bias<T: Real>(h: RowsMut<'_, T>, bias: &[T]) {
    h.into_par_blocks(BLOCK).for_each(|mut h| {
        for row in h.iter_mut() {
            row.iter_mut().zip(bias).for_each(|(value, &bias)| *value += bias);
        }
    });
}

/// d_bias ← Σ_rows dz, for the same.
pub(super) fn add_bias_back<T: Real>(dz: Rows<'_, T>, d_bias: &mut [T]) {
    let sum_of = |rows: Rows<'_, T>| {
        let mut sum = vec![T::default(); dz.width()];
        add_up(rows, &mut sum);
        sum
    };
    let partial: Vec<Vec<T>> = dz.par_blocks(BLOCK).map(sum_of).collect();
    add_up(Rows::new(&partial.concat(), [partial.len(), dz.width()]), d_bias);
}

fn add_up<T: Real>(rows: Rows<'_, T>, sum: &mut [T]) {
    sum.fill(T::default());
    for row in rows.iter() {
        for (sum, &value) in sum.iter_mut().zip(row) {
            *sum += value;
        }
    }
}

struct ActivateBack<'a, T> {
    dh: RowsMut<'a, T>,
    h: Rows<'a, T>,
    activation: Activation,
    dropout: Option<&'a Dropout>,
    nodes: &'a [u32],
    d_bias: &'a mut [T],
}

impl<T: Real> Kernel for ActivateBack<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let scale = T::from_f64(self.dropout.map_or(1.0, Dropout::scale));
        let rows = self.dh.iter_mut().zip(self.h.iter());
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
