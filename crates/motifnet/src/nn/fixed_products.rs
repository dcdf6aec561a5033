//! Δ_k X of an input that never changes, computed once.

use rayon::prelude::*;

use super::Propagator;
use crate::dense::{Kernel, Real, dispatch};

/// Beyond this many bytes the products are not kept: to read them would take longer than to
/// compute them anew.
const MOST_BYTES: usize = 1 << 30;
/// Rows that one thread handles at a time; sums over rows are taken block by block.
const BLOCK: usize = 256;

/// The products of every operator with the input, if it is fixed and they are small enough.
pub(super) struct FixedProducts<T> {
    is_wanted: bool,
    width: usize,
    n_operators: usize,
    /// By row, operator, column: what is combined lies together.
    products: Vec<T>,
}

impl<T: Real> FixedProducts<T> {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, width: 0, n_operators: 0, products: Vec::new() }
    }

    pub(super) fn is_there(&self) -> bool {
        !self.products.is_empty()
    }

    /// Computes the products over `hop`, the first time.
    pub(super) fn fix(&mut self, propagator: &Propagator<T>, hop: usize, x: &[T], width: usize) {
        let (n_rows, n_operators) = (propagator.size(hop), propagator.n_operators());
        let n = n_rows * n_operators * width;
        if self.is_there() || !self.is_wanted || n * size_of::<T>() > MOST_BYTES {
            return;
        }
        (self.width, self.n_operators) = (width, n_operators);
        self.products = vec![T::default(); n];
        let ones = vec![T::from_f64(1.0); width];
        let mut product = vec![T::default(); n_rows * width];
        for k in 0..n_operators {
            propagator.forward(hop, k..k + 1, &ones, x, width, &mut product);
            let rows = self.products.chunks_exact_mut(n_operators * width);
            for (row, product) in rows.zip(product.chunks_exact(width)) {
                row[k * width..(k + 1) * width].copy_from_slice(product);
            }
        }
    }

    /// y ← Σ_k α_k ∘ (Δ_k X).
    pub(super) fn combine(&self, alpha: &[T], y: &mut [T]) {
        let products = self.products.par_chunks(BLOCK * alpha.len());
        y.par_chunks_mut(BLOCK * self.width).zip(products).for_each(|(y, products)| {
            dispatch(Combine { products, alpha, width: self.width, y });
        });
    }

    /// dα_k ← Σ_rows g ∘ (Δ_k X).
    pub(super) fn dots(&self, g: &[T], d_alpha: &mut [T]) {
        let n = d_alpha.len();
        let blocks = g.par_chunks(BLOCK * self.width).zip(self.products.par_chunks(BLOCK * n));
        let parts: Vec<Vec<T>> = blocks
            .map(|(g, products)| {
                let mut d_alpha = vec![T::default(); n];
                dispatch(Dots { products, g, width: self.width, d_alpha: &mut d_alpha });
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
    width: usize,
    y: &'a mut [T],
}

impl<T: Real> Kernel for Combine<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let width = self.width;
        let rows = self.products.chunks_exact(self.alpha.len());
        for (y, products) in self.y.chunks_exact_mut(width).zip(rows) {
            y.fill(T::default());
            let operators = products.chunks_exact(width).zip(self.alpha.chunks_exact(width));
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
    width: usize,
    d_alpha: &'a mut [T],
}

impl<T: Real> Kernel for Dots<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let width = self.width;
        let rows = self.products.chunks_exact(self.d_alpha.len());
        for (g, products) in self.g.chunks_exact(width).zip(rows) {
            let operators = products.chunks_exact(width).zip(self.d_alpha.chunks_exact_mut(width));
            for (product, d_alpha) in operators {
                for ((sum, &product), &g) in d_alpha.iter_mut().zip(product).zip(g) {
                    *sum += g * product;
                }
            }
        }
    }
}
