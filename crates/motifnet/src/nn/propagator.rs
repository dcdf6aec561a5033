//! Operators cut to a receptive field: what a convolution multiplies with.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::ReceptiveField;
use crate::dense::{Block, Real, Rows, RowsMut, Update};
use crate::sparse::rows::balanced_parts;
use crate::sparse::sweep::{Gather, sweep, sweep_back};
use crate::sparse::{CsrMatrix, OperatorParts};

/// Parts that the rows of a sweep are cut into, whatever the number of threads.
const N_PARTS: usize = 96;

/// K operators on the nodes of a receptive field, in its order.
///
/// Hop h leads from the nodes within h + 1 hops to those within h: forward it multiplies the rows of
/// the nearer ones, backward the rows of the farther ones of the transposed operators.
#[derive(Debug)]
pub struct Propagator<T> {
    /// By number of hops: how many nodes are that near.
    sizes: Vec<usize>,
    terms: Vec<Term<T>>,
    /// By hop: how the rows are shared out, forward and backward.
    forward_parts: Vec<Vec<Range<usize>>>,
    backward_parts: Vec<Vec<Range<usize>>>,
}

/// One operator and its transpose.
#[derive(Debug)]
struct Term<T> {
    direct: Arc<CsrMatrix<T>>,
    direct_transpose: Arc<CsrMatrix<T>>,
    products: Vec<CutProduct<T>>,
}

/// A product of factors, the nodes between them in an order of their own in which those that are
/// needed for a hop are a prefix, too.
#[derive(Debug)]
struct CutProduct<T> {
    left: CsrMatrix<T>,
    right: CsrMatrix<T>,
    left_transpose: CsrMatrix<T>,
    right_transpose: CsrMatrix<T>,
    /// By hop: how many nodes between are needed.
    n_between: Vec<usize>,
}

impl<T: Real> Propagator<T> {
    /// Cuts `operators` to `field`. Memory: about 8 bytes an entry in `f32`, twice that for an
    /// operator that is not symmetric, beside the operators themselves.
    pub fn new(operators: &[&OperatorParts<T>], field: &ReceptiveField) -> Self {
        let sizes: Vec<usize> = (0..=field.n_hops()).map(|hops| field.size(hops)).collect();
        let terms: Vec<Term<T>> = operators.iter().map(|parts| Term::new(parts, field)).collect();
        let shared_out = |work: Vec<usize>, rows: &dyn Fn(usize) -> usize| {
            (0..field.n_hops()).map(|hop| balanced_parts(&work[..=rows(hop)], N_PARTS)).collect()
        };
        let forward = row_work(field.nodes().len(), &terms, |term| {
            (&term.direct, term.products.iter().map(|product| &product.left).collect())
        });
        let backward = row_work(field.nodes().len(), &terms, |term| {
            let products = term.products.iter().map(|product| &product.right_transpose);
            (&term.direct_transpose, products.collect())
        });
        Self {
            forward_parts: shared_out(forward, &|hop| sizes[hop]),
            backward_parts: shared_out(backward, &|hop| sizes[hop + 1]),
            sizes,
            terms,
        }
    }

    /// About how many bytes it takes to keep an operator on all of its nodes: one that is not symmetric is kept with
    /// its transpose.
    pub fn bytes_of(operator: &OperatorParts<T>) -> usize {
        let factors: usize = operator.products.iter().flatten().map(CsrMatrix::n_bytes).sum();
        let turned = if operator.is_symmetric { 1 } else { 2 };
        turned * operator.direct.n_bytes() + 2 * factors
    }

    /// K.
    pub fn n_operators(&self) -> usize {
        self.terms.len()
    }

    /// How many nodes are within `hops`.
    pub fn size(&self, hops: usize) -> usize {
        self.sizes[hops]
    }

    /// Memory that the cut operators take.
    pub fn n_bytes(&self) -> usize {
        let of = |term: &Term<T>| {
            let turned = if Arc::ptr_eq(&term.direct, &term.direct_transpose) { 1 } else { 2 };
            let products = term.products.iter().map(|product| {
                let factors = [&product.left, &product.right];
                let turned = [&product.left_transpose, &product.right_transpose];
                factors.into_iter().chain(turned).map(CsrMatrix::n_bytes).sum::<usize>()
            });
            turned * term.direct.n_bytes() + products.sum::<usize>()
        };
        self.terms.iter().map(of).sum()
    }

    /// What is stored of an operator entry by entry, in the order of the field.
    pub(super) fn direct(&self, operator: usize) -> &CsrMatrix<T> {
        &self.terms[operator].direct
    }

    /// Entries that a forward sweep of `hop` visits.
    pub fn n_entries(&self, hop: usize) -> usize {
        let rows = self.sizes[hop];
        let of = |term: &Term<T>| {
            let products = term.products.iter().map(|product| {
                product.left.offsets()[rows] + product.right.offsets()[product.n_between[hop]]
            });
            term.direct.offsets()[rows] + products.sum::<usize>()
        };
        self.terms.iter().map(of).sum()
    }

    /// y ← Σ_k α_k ∘ (A_k x) over `operators`, with a row of α for each, x on the nodes within
    /// `hop` + 1 hops and y on those within `hop`.
    pub fn forward(
        &self,
        hop: usize,
        operators: Range<usize>,
        alpha: Rows<'_, T>,
        x: Rows<'_, T>,
        y: RowsMut<'_, T>,
    ) {
        let sizes = [self.sizes[hop + 1], self.sizes[hop]];
        assert_eq!([x.n_rows(), y.n_rows()], sizes, "blocks of hop {hop}");
        let terms = &self.terms[operators];
        let between =
            self.between(hop, terms, |product| Gather { matrix: &product.right, source: x });
        let gathers = gathers(terms, &between, |term, between| {
            let direct = Gather { matrix: &*term.direct, source: x };
            let products = term.products.iter().zip(between).map(|(product, between)| Gather {
                matrix: &product.left,
                source: between.as_rows(),
            });
            std::iter::once(direct).chain(products).collect()
        });
        sweep(&gathers, alpha, &self.forward_parts[hop], Update::Replace, y);
    }

    /// dx ← or += Σ_k α_k ∘ (A_kᵀ g) over `operators`: the transpose of [`Propagator::forward`].
    pub fn forward_transposed(
        &self,
        hop: usize,
        operators: Range<usize>,
        alpha: Rows<'_, T>,
        g: Rows<'_, T>,
        update: Update,
        dx: RowsMut<'_, T>,
    ) {
        assert_eq!(dx.n_rows(), self.sizes[hop + 1], "the gradient of the input of hop {hop}");
        let terms = &self.terms[operators];
        let between = self.between_transposed(hop, terms, g);
        let gathers = transposed_gathers(terms, g, &between);
        sweep(&gathers, alpha, &self.backward_parts[hop], update, dx);
    }

    /// dx ← or += Σ_k α_k ∘ (A_kᵀ g) where it is wanted and dα_k ← Σ_rows g ∘ (A_k x), over
    /// `operators`.
    pub fn backward(
        &self,
        hop: usize,
        operators: Range<usize>,
        [alpha, x, g]: [Rows<'_, T>; 3],
        dx: Option<(Update, RowsMut<'_, T>)>,
        d_alpha: RowsMut<'_, T>,
    ) {
        assert_eq!(x.n_rows(), self.sizes[hop + 1], "the input of hop {hop}");
        let terms = &self.terms[operators];
        let between = self.between_transposed(hop, terms, g);
        let gathers = transposed_gathers(terms, g, &between);
        sweep_back(&gathers, alpha, x, &self.backward_parts[hop], dx, d_alpha);
    }

    fn between_transposed(
        &self,
        hop: usize,
        terms: &[Term<T>],
        g: Rows<'_, T>,
    ) -> Vec<Vec<Block<T>>> {
        assert_eq!(g.n_rows(), self.sizes[hop], "the output of hop {hop}");
        self.between(hop, terms, |product| Gather { matrix: &product.left_transpose, source: g })
    }

    /// The inner factors' products of all terms, on the nodes between that `hop` needs.
    fn between<'a>(
        &self,
        hop: usize,
        terms: &'a [Term<T>],
        inner: impl Fn(&'a CutProduct<T>) -> Gather<'a, T>,
    ) -> Vec<Vec<Block<T>>> {
        let of = |product: &'a CutProduct<T>| {
            let n_rows = product.n_between[hop];
            let gather = inner(product);
            let width = gather.source.width();
            let mut between = Block::zeros(n_rows, width);
            let ones = Block::filled(1, width, T::from_f64(1.0));
            let parts = balanced_parts(&gather.matrix.offsets()[..=n_rows], N_PARTS);
            sweep(&[vec![gather]], ones.as_rows(), &parts, Update::Replace, between.as_mut());
            between
        };
        terms.iter().map(|term| term.products.iter().map(of).collect()).collect()
    }
}

fn transposed_gathers<'a, T: Real>(
    terms: &'a [Term<T>],
    g: Rows<'a, T>,
    between: &'a [Vec<Block<T>>],
) -> Vec<Vec<Gather<'a, T>>> {
    gathers(terms, between, |term, between| {
        let direct = Gather { matrix: &*term.direct_transpose, source: g };
        let products = term.products.iter().zip(between).map(|(product, between)| Gather {
            matrix: &product.right_transpose,
            source: between.as_rows(),
        });
        std::iter::once(direct).chain(products).collect()
    })
}

fn gathers<'a, T>(
    terms: &'a [Term<T>],
    between: &'a [Vec<Block<T>>],
    of_term: impl Fn(&'a Term<T>, &'a [Block<T>]) -> Vec<Gather<'a, T>>,
) -> Vec<Vec<Gather<'a, T>>> {
    terms.iter().zip(between).map(|(term, between)| of_term(term, between)).collect()
}

/// The running total over the rows of the entries that a sweep visits; a row itself is work, too.
fn row_work<T>(
    n_rows: usize,
    terms: &[Term<T>],
    matrices: impl Fn(&Term<T>) -> (&CsrMatrix<T>, Vec<&CsrMatrix<T>>),
) -> Vec<usize> {
    let mut work: Vec<usize> = (0..=n_rows).map(|row| 4 * row).collect();
    for (direct, factors) in terms.iter().map(matrices) {
        for matrix in std::iter::once(direct).chain(factors) {
            for (work, entries) in work.iter_mut().zip(matrix.offsets()) {
                *work += entries;
            }
        }
    }
    work
}

/// Stands for a node outside the field.
const OUTSIDE: u32 = u32::MAX;

impl<T: Real> Term<T> {
    fn new(parts: &OperatorParts<T>, field: &ReceptiveField) -> Self {
        let nodes = Numbering::new(field.nodes(), parts.n_nodes());
        let direct = Arc::new(renumbered(&parts.direct, &nodes, &nodes));
        let direct_transpose =
            if parts.is_symmetric { direct.clone() } else { Arc::new(direct.transpose()) };
        let products =
            parts.products.iter().map(|[left, right]| CutProduct::new(left, right, field, &nodes));
        Self { direct, direct_transpose, products: products.collect() }
    }
}

impl<T: Real> CutProduct<T> {
    fn new(
        left: &CsrMatrix<T>,
        right: &CsrMatrix<T>,
        field: &ReceptiveField,
        nodes: &Numbering<'_>,
    ) -> Self {
        let mut seen = vec![false; left.n_columns()];
        let mut between = Vec::new();
        let mut n_between = Vec::new();
        let mut start = 0;
        // Rows farther than the last hop lead nowhere: they are never an output.
        for hop in 0..field.n_hops() {
            for &node in &field.nodes()[start..field.size(hop)] {
                for &middle in left.row(node as usize).0 {
                    if !std::mem::replace(&mut seen[middle as usize], true) {
                        between.push(middle);
                    }
                }
            }
            start = field.size(hop);
            n_between.push(between.len());
        }
        let between = Numbering::new(&between, left.n_columns());
        let (left, right) = (renumbered(left, nodes, &between), renumbered(right, &between, nodes));
        let (left_transpose, right_transpose) = (left.transpose(), right.transpose());
        Self { left, right, left_transpose, right_transpose, n_between }
    }
}

/// Some of the nodes in an order, both ways.
struct Numbering<'a> {
    nodes: &'a [u32],
    number: Vec<u32>,
}

impl<'a> Numbering<'a> {
    fn new(nodes: &'a [u32], n_nodes: usize) -> Self {
        let mut number = vec![OUTSIDE; n_nodes];
        for (at, &node) in nodes.iter().enumerate() {
            number[node as usize] = at as u32;
        }
        Self { nodes, number }
    }
}

/// The rows and columns of `matrix` that are numbered, in that order.
fn renumbered<T: Real>(
    matrix: &CsrMatrix<T>,
    rows: &Numbering<'_>,
    columns: &Numbering<'_>,
) -> CsrMatrix<T> {
    let entries = |&node: &u32| {
        let (old, values) = matrix.row(node as usize);
        let new =
            old.iter().map(|&column| columns.number[column as usize]).zip(values.iter().copied());
        let mut row: Vec<(u32, T)> = new.filter(|&(column, _)| column != OUTSIDE).collect();
        row.sort_unstable_by_key(|&(column, _)| column);
        row
    };
    CsrMatrix::from_rows(columns.nodes.len(), rows.nodes.par_iter().map(entries).collect())
}
