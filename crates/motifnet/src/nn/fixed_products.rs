//! Δ_k X of an input that never changes, computed once.

use rayon::prelude::*;

use super::Propagator;
use crate::dense::{Block, Kernel, Real, Rows, RowsMut, dispatch};
use crate::progress::Stop;

/// Beyond this many bytes the products are not kept: to read them would take longer than to
/// compute them anew.
const MOST_BYTES: usize = 1 << 30;
/// Rows that one thread handles at a time; sums over rows are taken block by block.
const BLOCK: usize = 256;

/// The products of every operator with the input, if it is fixed and they are small enough.
pub(super) struct FixedProducts<T> {
    is_wanted: bool,
    n_operators: usize,
    /// A row for every row of the input and operator: what is combined lies together.
    products: Option<Block<T>>,
}

impl<T: Real> FixedProducts<T> {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, n_operators: 0, products: None }
    }

    pub(super) fn is_there(&self) -> bool {
        self.products.is_some()
    }

    /// Computes the products over `hop`, the first time.
    pub(super) fn fix(
        &mut self,
        propagator: &Propagator<T>,
        hop: usize,
        x: Rows<'_, T>,
        stop: Stop<'_>,
    ) {
        let (n_rows, n_operators, width) =
            (propagator.size(hop), propagator.n_operators(), x.width());
        let too_large = Block::<T>::n_bytes(n_rows * n_operators, width) > MOST_BYTES;
        if self.is_there() || !self.is_wanted || too_large {
            return;
        }
        let mut products = Block::zeros(n_rows * n_operators, width);
        let ones = Block::filled(1, width, T::from_f64(1.0));
        let mut product = Block::zeros(n_rows, width);
        for k in 0..n_operators {
            if stop.is_set() {
                return;
            }
            propagator.forward(hop, k..k + 1, ones.as_rows(), x, product.as_mut());
            let mut products = products.as_mut();
            let rows = products.iter_mut().skip(k).step_by(n_operators);
            rows.zip(product.as_rows().iter()).for_each(|(to, from)| to.copy_from_slice(from));
        }
        (self.n_operators, self.products) = (n_operators, Some(products));
    }

    /// The products, by blocks of rows of the input.
    fn blocks(&self) -> impl IndexedParallelIterator<Item = &[T]> {
        let products = self.products.as_ref().expect("products that are there").as_rows();
        products.par_blocks(BLOCK * self.n_operators).map(|rows| rows.values())
    }

    /// y ← Σ_k α_k ∘ (Δ_k X).
    pub(super) fn combine(&self, alpha: Rows<'_, T>, y: RowsMut<'_, T>) {
        let (stride, alpha) = (alpha.stride(), alpha.values());
        y.into_par_blocks(BLOCK).zip(self.blocks()).for_each(|(y, products)| {
            dispatch(Combine { products, alpha, stride, y: y.into_values() });
        });
    }

    /// dα_k ← Σ_rows g ∘ (Δ_k X).
    pub(super) fn dots(&self, g: Rows<'_, T>, d_alpha: RowsMut<'_, T>) {
        let stride = g.stride();
        let d_alpha = d_alpha.into_values();
        let n = d_alpha.len();
        let parts: Vec<Vec<T>> = g
            .par_blocks(BLOCK)
            .zip(self.blocks())
            .map(|(g, products)| {
                let mut d_alpha = vec![T::default(); n];
                dispatch(Dots { products, g: g.values(), stride, d_alpha: &mut d_alpha });
                d_alpha
            })
            .collect();
        d_alpha.fill(T::default());
        for part in parts {
            for (sum, part) in d_alpha.iter_mut().zip(part) {
                *sum += part;
            }
        }
    }
}

struct Combine<'a, T> {
    products: &'a [T],
    alpha: &'a [T],
    stride: usize,
    y: &'a mut [T],
}

impl<T: Real> Kernel for Combine<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let stride = self.stride;
        let rows = self.products.chunks_exact(self.alpha.len());
        for (y, products) in self.y.chunks_exact_mut(stride).zip(rows) {
            y.fill(T::default());
            let operators = products.chunks_exact(stride).zip(self.alpha.chunks_exact(stride));
            for (product, alpha) in operators {
                for ((y, &product), &alpha) in y.iter_mut().zip(product).zip(alpha) {
                    *y += alpha * product;
                }
            }
        }
    }
}

struct Dots<'a, T> {
    products: &'a [T],
    g: &'a [T],
    stride: usize,
    d_alpha: &'a mut [T],
}

impl<T: Real> Kernel for Dots<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let stride = self.stride;
        let rows = self.products.chunks_exact(self.d_alpha.len());
        for (g, products) in self.g.chunks_exact(stride).zip(rows) {
            let operators =
                products.chunks_exact(stride).zip(self.d_alpha.chunks_exact_mut(stride));
            for (product, d_alpha) in operators {
                for ((sum, &product), &g) in d_alpha.iter_mut().zip(product).zip(g) {
                    *sum += g * product;
                }
            }
        }
    }
}
