//! MoNet (Monti, Boscaini, Masci, Rodolà, Svoboda, Bronstein 2017): Gaussians of learnt coordinates.
//!
//! Y = Σ_{m ≤ M} Ŵ_m X Θ_m + b,  Ŵ_m(i, j) = g_m(ũ_ij) / |N(i)| for every neighbour j ∈ N(i),
//!
//! g_m(ũ) = exp(−½ Σ_d (ũ_d − μ_md)² / (σ_md² + ε)),  ũ_ij = tanh(V u_ij + c).
//!
//! The pseudo-coordinates u come as operators, one a coordinate, all with entries in the same places;
//! those places are the neighbourhoods. X is n × F_in, Θ M × F_in × F_out, μ and σ M × D, V D × D, c D,
//! Y n × F_out. Time M sweeps and M products, forward; back M more of each and M inner products an entry.

use std::ops::Range;

use rayon::prelude::*;

use super::Propagator;
use super::layer::{Layer, Widths};
use super::parameters::{Initial, Layout};
use super::theta::Theta;
use crate::dense::{
    Block, Kernel, Real, Rows, RowsMut, Update, dispatch, multiply, multiply_by_transpose,
    multiply_transposed,
};
use crate::progress::Stop;
use crate::sparse::rows::balanced_parts;
use crate::sparse::sweep::{Gather, sweep};
use crate::sparse::{CsrMatrix, OperatorParts};

/// The most pseudo-coordinates.
pub(super) const MOST_COORDINATES: usize = 4;
/// Those of one entry.
type Coordinates = [f64; MOST_COORDINATES];

/// ε: keeps a Gaussian from becoming a point.
const EPSILON: f64 = 1e-6;
/// Parts that rows and entries are cut into, whatever the number of threads.
const N_PARTS: usize = 96;
/// Sorts of entries whose gradients are summed together.
const BLOCK: usize = 1024;

/// The parameters of a MoNet layer.
#[derive(Clone, Debug)]
pub(super) struct MonetConv {
    n_kernels: usize,
    n_coordinates: usize,
    theta: Theta,
    mean: Range<usize>,
    deviation: Range<usize>,
    projection: Range<usize>,
    offset: Range<usize>,
}

impl MonetConv {
    pub(super) fn new(
        name: &str,
        [n_kernels, n_coordinates]: [usize; 2],
        widths: Widths,
        layout: &mut Layout,
    ) -> Self {
        let theta = Theta::new(name, n_kernels, widths, layout);
        let mut add = |part: &str, shape: &[usize], initial| {
            layout.add(format!("{name}.{part}"), shape, initial)
        };
        let by_kernel = [n_kernels, n_coordinates];
        Self {
            theta,
            mean: add("mean", &by_kernel, Initial::Normal),
            deviation: add("deviation", &by_kernel, Initial::One),
            projection: add("projection", &[n_coordinates; 2], Initial::Glorot),
            offset: add("offset", &[n_coordinates], Initial::Zero),
            n_kernels,
            n_coordinates,
        }
    }

    pub(super) fn bind<T: Real>(&self, propagator: &Propagator<T>, hops: usize) -> BoundMonet<T> {
        let (n_rows, n_far) = (propagator.size(hops), propagator.size(hops + 1));
        let coordinates: Vec<_> = (0..self.n_coordinates)
            .map(|d| propagator.direct(d).first_rows(n_rows, n_far))
            .collect();
        let places = &coordinates[0];
        for matrix in &coordinates {
            let same = matrix.offsets() == places.offsets() && matrix.columns() == places.columns();
            assert!(same, "coordinates of the same neighbours");
        }
        let (sorts, sort_of) = sorted_out(&coordinates);
        let entries: Vec<u32> = (0..places.n_entries() as u32).collect();
        let turned = places.with_values(entries).transpose();
        let values = vec![T::default(); places.n_entries()];
        let shares = places.offsets().windows(2).flat_map(|row| {
            let n = row[1] - row[0];
            std::iter::repeat_n(T::from_f64(1.0 / n as f64), n)
        });
        let input = self.theta.widths().input;
        BoundMonet {
            shares: shares.collect(),
            parts: balanced_parts(places.offsets(), N_PARTS),
            turned_parts: balanced_parts(turned.offsets(), N_PARTS),
            turned_from: turned.values().to_vec(),
            turned: turned.with_values(values.clone()),
            weights: (0..self.n_kernels).map(|_| places.with_values(values.clone())).collect(),
            means: (0..self.n_kernels).map(|_| Block::zeros(n_rows, input)).collect(),
            d_mean: None,
            ones: Block::filled(1, input, T::from_f64(1.0)),
            sorts,
            sort_of,
            layer: self.clone(),
        }
    }

    /// About how many bytes the bound layer takes.
    pub(super) fn n_bytes<T: Real>(
        &self,
        coordinates: &[&OperatorParts<T>],
        n_rows: usize,
    ) -> usize {
        let matrix = coordinates.first().map_or(0, |parts| parts.direct.n_bytes());
        let blocks = Block::<T>::n_bytes((self.n_kernels + 1) * n_rows, self.theta.widths().input);
        (2 * self.n_kernels + 4) * matrix + blocks
    }

    /// What tells the weights of neighbours, in 64 bits.
    fn shape<T: Real>(&self, parameters: &[T]) -> Shape {
        let of = |range: &Range<usize>| {
            parameters[range.clone()].iter().map(|value| value.to_f64()).collect()
        };
        Shape {
            n_coordinates: self.n_coordinates,
            mean: of(&self.mean),
            deviation: of(&self.deviation),
            projection: of(&self.projection),
            offset: of(&self.offset),
        }
    }
}

/// μ, σ, V and c; or their gradients.
#[derive(Clone)]
struct Shape {
    n_coordinates: usize,
    mean: Vec<f64>,
    deviation: Vec<f64>,
    projection: Vec<f64>,
    offset: Vec<f64>,
}

impl Shape {
    fn zeros(&self) -> Self {
        let zeros = |values: &Vec<f64>| vec![0.0; values.len()];
        Self {
            n_coordinates: self.n_coordinates,
            mean: zeros(&self.mean),
            deviation: zeros(&self.deviation),
            projection: zeros(&self.projection),
            offset: zeros(&self.offset),
        }
    }

    fn parts(&mut self) -> [&mut Vec<f64>; 4] {
        [&mut self.mean, &mut self.deviation, &mut self.projection, &mut self.offset]
    }

    fn add(mut self, mut other: Self) -> Self {
        for (sum, part) in self.parts().into_iter().zip(other.parts()) {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += *part);
        }
        self
    }

    /// ũ = tanh(V u + c).
    fn projected(&self, u: &Coordinates) -> Coordinates {
        let mut projected = [0.0; MOST_COORDINATES];
        let rows = self.projection.chunks_exact(self.n_coordinates).zip(&self.offset);
        for (projected, (row, offset)) in projected.iter_mut().zip(rows) {
            let sum: f64 = row.iter().zip(u).map(|(v, u)| v * u).sum();
            *projected = libm::tanh(sum + offset);
        }
        projected
    }

    /// The Gaussian m at ũ.
    fn gaussian(&self, m: usize, projected: &Coordinates) -> f64 {
        let at = m * self.n_coordinates;
        let squares = (0..self.n_coordinates).map(|d| {
            let (apart, width) = (projected[d] - self.mean[at + d], self.deviation[at + d]);
            apart * apart / (width * width + EPSILON)
        });
        libm::exp(-0.5 * squares.sum::<f64>())
    }

    /// Adds to `gradient` what follows from the gradients of the Gaussians at u.
    fn pull_back(&self, u: &Coordinates, d_gaussians: &[f64], gradient: &mut Self) {
        let n = self.n_coordinates;
        let projected = self.projected(u);
        let mut d_projected = [0.0; MOST_COORDINATES];
        for (m, d_gaussian) in d_gaussians.iter().enumerate() {
            let pulled = d_gaussian * self.gaussian(m, &projected);
            for d in 0..n {
                let at = m * n + d;
                let (apart, width) = (projected[d] - self.mean[at], self.deviation[at]);
                let square = width * width + EPSILON;
                d_projected[d] -= pulled * apart / square;
                gradient.mean[at] += pulled * apart / square;
                gradient.deviation[at] += pulled * apart * apart * width / (square * square);
            }
        }
        for d in 0..n {
            let slope = d_projected[d] * (1.0 - projected[d] * projected[d]);
            gradient.offset[d] += slope;
            for (into, u) in gradient.projection[d * n..][..n].iter_mut().zip(u) {
                *into += slope * u;
            }
        }
    }
}

/// MoNet on the rows it computes.
pub(super) struct BoundMonet<T> {
    layer: MonetConv,
    /// The coordinates that occur, and which of them every entry has: degrees repeat.
    sorts: Vec<Coordinates>,
    sort_of: Vec<u32>,
    /// 1/|N(i)| of every entry.
    shares: Vec<T>,
    parts: Vec<Range<usize>>,
    /// Ŵ_m.
    weights: Vec<CsrMatrix<T>>,
    /// Ŵ_mᵀ of the kernel at hand, and the entry of Ŵ_m that each of its entries is.
    turned: CsrMatrix<T>,
    turned_from: Vec<u32>,
    turned_parts: Vec<Range<usize>>,
    /// Ŵ_m X.
    means: Vec<Block<T>>,
    /// The gradient of the one at hand.
    d_mean: Option<Block<T>>,
    ones: Block<T>,
}

/// The coordinates that occur, in the order of their first entries, and which of them every entry has.
fn sorted_out<T: Real>(coordinates: &[CsrMatrix<T>]) -> (Vec<Coordinates>, Vec<u32>) {
    let mut numbers = rustc_hash::FxHashMap::default();
    let mut sorts = Vec::new();
    let sort = |entry: usize| {
        let mut u = [0.0; MOST_COORDINATES];
        u.iter_mut().zip(coordinates).for_each(|(u, of)| *u = of.values()[entry].to_f64());
        *numbers.entry(u.map(f64::to_bits)).or_insert_with(|| {
            sorts.push(u);
            sorts.len() as u32 - 1
        })
    };
    let n_entries = coordinates.first().map_or(0, CsrMatrix::n_entries);
    let sort_of = (0..n_entries).map(sort).collect();
    (sorts, sort_of)
}

impl<T: Real> BoundMonet<T> {
    fn weigh(&mut self, shape: &Shape) {
        let n_kernels = self.layer.n_kernels;
        let gaussians = |u: &Coordinates| {
            let projected = shape.projected(u);
            (0..n_kernels).map(move |m| shape.gaussian(m, &projected))
        };
        let gaussians: Vec<f64> = self.sorts.par_iter().flat_map_iter(gaussians).collect();
        let (shares, sort_of) = (&self.shares, &self.sort_of);
        self.weights.par_iter_mut().enumerate().for_each(|(m, weights)| {
            let entries = weights.values_mut().iter_mut().zip(shares.iter().zip(sort_of));
            for (weight, (share, &sort)) in entries {
                let gaussian = gaussians[sort as usize * n_kernels + m];
                *weight = T::from_f64(share.to_f64() * gaussian);
            }
        });
    }

    /// From the gradients of the weights, by kernel and entry, to that of what tells them.
    fn shape_gradient(&self, shape: &Shape, d_weights: &[Vec<T>]) -> Shape {
        let n_kernels = self.layer.n_kernels;
        // Every kernel is summed up by one thread, in the order of the entries.
        let sums = d_weights.par_iter().map(|d_weights| {
            let mut sums = vec![0.0; self.sorts.len()];
            for ((d_weight, share), &sort) in d_weights.iter().zip(&self.shares).zip(&self.sort_of)
            {
                sums[sort as usize] += share.to_f64() * d_weight.to_f64();
            }
            sums
        });
        let sums: Vec<Vec<f64>> = sums.collect();
        let blocks = self.sorts.par_chunks(BLOCK).enumerate().map(|(block, sorts)| {
            let mut gradient = shape.zeros();
            let mut d_gaussians = vec![0.0; n_kernels];
            for (at, u) in sorts.iter().enumerate() {
                let sort = block * BLOCK + at;
                d_gaussians.iter_mut().zip(&sums).for_each(|(d, sums)| *d = sums[sort]);
                shape.pull_back(u, &d_gaussians, &mut gradient);
            }
            gradient
        });
        let blocks: Vec<Shape> = blocks.collect();
        blocks.into_iter().fold(shape.zeros(), Shape::add)
    }
}

impl<T: Real> Layer<T> for BoundMonet<T> {
    fn forward(&mut self, parameters: &[T], x: Rows<'_, T>, mut y: RowsMut<'_, T>, stop: Stop<'_>) {
        let layer = self.layer.clone();
        self.weigh(&layer.shape(parameters));
        let source = x.first(self.turned.n_rows());
        for (m, (matrix, mean)) in self.weights.iter().zip(&mut self.means).enumerate() {
            if stop.is_set() {
                return;
            }
            let gather = [vec![Gather { matrix, source }]];
            sweep(&gather, self.ones.as_rows(), &self.parts, Update::Replace, mean.as_mut());
            let update = if m == 0 { Update::Replace } else { Update::Add };
            multiply(mean.as_rows(), layer.theta.of(parameters, m), update, y.reborrow());
        }
    }

    fn backward(
        &mut self,
        parameters: &[T],
        x: Rows<'_, T>,
        dy: Rows<'_, T>,
        gradients: &mut [T],
        mut dx: Option<RowsMut<'_, T>>,
        stop: Stop<'_>,
    ) {
        let layer = self.layer.clone();
        let mut d_weights = Vec::with_capacity(layer.n_kernels);
        let d_mean = self.d_mean.get_or_insert_with(|| Block::zeros_like(&self.means[0]));
        for m in 0..layer.n_kernels {
            if stop.is_set() {
                return;
            }
            let d_theta = layer.theta.of_mut(gradients, m);
            multiply_transposed(self.means[m].as_rows(), dy, Update::Replace, d_theta);
            let theta = layer.theta.of(parameters, m);
            multiply_by_transpose(dy, theta, Update::Replace, d_mean.as_mut());
            d_weights.push(entry_dots(&self.weights[m], &self.parts, d_mean.as_rows(), x));
            if let Some(dx) = &mut dx {
                let weights = self.weights[m].values();
                let turned = self.turned.values_mut().par_iter_mut().zip(&self.turned_from);
                turned.for_each(|(to, &from)| *to = weights[from as usize]);
                let gather = [vec![Gather { matrix: &self.turned, source: d_mean.as_rows() }]];
                let update = if m == 0 { Update::Replace } else { Update::Add };
                sweep(&gather, self.ones.as_rows(), &self.turned_parts, update, dx.reborrow());
            }
        }
        let mut sum = self.shape_gradient(&layer.shape(parameters), &d_weights);
        let places = [layer.mean, layer.deviation, layer.projection, layer.offset];
        for (place, part) in places.into_iter().zip(sum.parts()) {
            let into = gradients[place].iter_mut().zip(part);
            into.for_each(|(into, value)| *into = T::from_f64(*value));
        }
    }
}

/// ⟨g_i, x_j⟩ for every entry (i, j) of `matrix`.
fn entry_dots<T: Real>(
    matrix: &CsrMatrix<T>,
    parts: &[Range<usize>],
    g: Rows<'_, T>,
    x: Rows<'_, T>,
) -> Vec<T> {
    let mut dots = vec![T::default(); matrix.n_entries()];
    let parts = crate::sparse::rows::split(parts.to_vec(), &mut dots, |row| matrix.offsets()[row]);
    parts.into_par_iter().for_each(|(rows, dots)| dispatch(EntryDots { matrix, rows, g, x, dots }));
    dots
}

struct EntryDots<'a, T> {
    matrix: &'a CsrMatrix<T>,
    rows: Range<usize>,
    g: Rows<'a, T>,
    x: Rows<'a, T>,
    dots: &'a mut [T],
}

impl<T: Real> Kernel for EntryDots<'_, T> {
    type Output = ();

    /// Over the padding, too, which is zero.
    #[inline(always)]
    fn run(self) {
        const LANES: usize = crate::dense::LANES;
        let stride = self.x.stride();
        let mut dots = self.dots.iter_mut();
        for row in self.rows {
            let g = &self.g.values()[row * stride..][..stride];
            for (&column, dot) in self.matrix.row(row).0.iter().zip(&mut dots) {
                let x = &self.x.values()[column as usize * stride..][..stride];
                let mut sums = [T::default(); LANES];
                for (g, x) in g.chunks_exact(LANES).zip(x.chunks_exact(LANES)) {
                    for lane in 0..LANES {
                        sums[lane] += g[lane] * x[lane];
                    }
                }
                *dot = sums.into_iter().sum();
            }
        }
    }
}
