//! CayleyNet (Levie, Monti, Bresson, Bronstein 2018), on any one symmetric operator.
//!
//! Y = X C_0 + 2 Re Σ_{1 ≤ j ≤ r} Z_j C_j + b,  Z_0 = X, Z_j = (hΔ − iI)(hΔ + iI)⁻¹ Z_{j−1}.
//!
//! Δ = I − N is the plain Laplacian, h > 0 a learnt zoom (the softplus of a number), C_0 real and the
//! other C_j complex. Instead of the inverse there are q Jacobi iterations: with ω = 1/(h + i) and
//! B = (h − i) Z_{j−1} − h N Z_{j−1},
//!
//! Z_j ≈ ω Σ_{t ≤ q} (ωhN)ᵗ B,
//!
//! whose error shrinks by h/√(1 + h²) an iteration. The gradient is that of the sum, not of its limit:
//! term t of it changes with h by ω²(t − (t+1)ωh) N (ωhN)ᵗ⁻¹ B, which is summed up beside it, so that
//! no iterate need be kept.
//!
//! X is n × F_in, Y n × F_out; a complex block has the real parts of F_in columns, then the imaginary
//! ones, and Θ_j stacks 2 Re C_j on −2 Im C_j, so that 2 Re(Z_j C_j) = Z_j Θ_j. Time r (q + 1) sweeps of
//! width 2 F_in and r + 1 products.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::cayley_polynomial::coefficients;
use super::layer::{Layer, Widths};
use super::parameters::{Initial, Layout};
use super::term::Term;
use super::theta::Theta;
use super::{Propagator, ReceptiveField};
use crate::dense::{
    Block, Complex, Real, Rows, RowsMut, Update, complex_scale, complex_scaled, dot, multiply,
    multiply_by_transpose, multiply_transposed,
};

/// Rows that one thread handles at a time.
const BLOCK: usize = 256;

/// The parameters of a CayleyNet layer.
#[derive(Clone, Debug)]
pub(super) struct CayleyConv {
    widths: Widths,
    order: usize,
    iterations: usize,
    theta: Theta,
    zoom: Range<usize>,
}

impl CayleyConv {
    pub(super) fn new(
        name: &str,
        [order, iterations]: [usize; 2],
        widths: Widths,
        layout: &mut Layout,
    ) -> Self {
        let theta = Theta::new(name, 1 + 2 * order, widths, layout);
        let zoom = layout.add(format!("{name}.zoom"), &[1], Initial::Zero);
        Self { widths, order, iterations, theta, zoom }
    }

    pub(super) fn bind<T: Real>(
        &self,
        propagator: Arc<Propagator<T>>,
        hops: usize,
        training: bool,
    ) -> BoundCayley<T> {
        let width = 2 * self.widths.input;
        let orders = (1..=self.order).map(|j| {
            let at = hops + (self.order - j) * (self.iterations + 1);
            let sizes = [at, at + self.iterations].map(|hop| propagator.size(hop));
            Order {
                first_hop: at + self.iterations,
                neighbours: Block::zeros(sizes[1], width),
                power: Block::zeros(sizes[0], width),
                by_zoom: training.then(|| Block::zeros(sizes[0], width)),
            }
        });
        let n_farthest = propagator.size(hops + self.n_hops());
        let room = || Block::zeros(n_farthest, width);
        BoundCayley {
            orders: orders.collect(),
            input: room(),
            scratch: [room(), room()],
            gradients: training.then(|| [room(), room()]),
            ones: Block::filled(1, width, T::from_f64(1.0)),
            layer: self.clone(),
            propagator,
            hops,
        }
    }

    /// The layer as a polynomial of N.
    pub(super) fn polynomial<'a>(&self, parameters: &'a [f64]) -> Term<'a> {
        let h = Zoom::new(parameters[self.zoom.start]).h;
        let coefficients = coefficients(h, [self.order, self.iterations]);
        let thetas = self.theta.each(parameters);
        Term::of_polynomials(thetas, &coefficients, self.n_hops(), self.widths.input)
    }

    fn n_hops(&self) -> usize {
        self.order * (self.iterations + 1)
    }

    /// About how many bytes the bound layer takes: three blocks an order, the input, and four of room.
    pub(super) fn n_bytes<T: Real>(&self, field: &ReceptiveField, hops: usize) -> usize {
        let farthest = field.size(hops + self.n_hops());
        Block::<T>::n_bytes((3 * self.order + 5) * farthest, 2 * self.widths.input)
    }

    /// Which matrices Θ_j is made of.
    fn terms(&self, j: usize) -> Range<usize> {
        if j == 0 { 0..1 } else { 2 * j - 1..2 * j + 1 }
    }
}

/// h and ω, and how h changes with the number that is learnt.
#[derive(Clone, Copy)]
struct Zoom {
    h: f64,
    omega: Complex,
    slope: f64,
}

impl Zoom {
    /// The softplus ln(1 + eˣ); its slope is 1/(1 + e⁻ˣ).
    fn new(learnt: f64) -> Self {
        let h = learnt.max(0.0) + libm::log1p(libm::exp(-learnt.abs()));
        let omega = Complex::new(h, 1.0).inverse();
        Self { h, omega, slope: 1.0 / (1.0 + libm::exp(-learnt)) }
    }
}

/// What is kept of one Z_j for the way back.
struct Order<T> {
    /// The hop that leads to B.
    first_hop: usize,
    /// N Z_{j−1}.
    neighbours: Block<T>,
    /// Z_j.
    power: Block<T>,
    /// How the sum changes with h while B stays; only for training.
    by_zoom: Option<Block<T>>,
}

/// CayleyNet on the rows it computes.
pub(super) struct BoundCayley<T> {
    layer: CayleyConv,
    propagator: Arc<Propagator<T>>,
    /// How many hops from the loss the output is.
    hops: usize,
    /// X as complex numbers.
    input: Block<T>,
    orders: Vec<Order<T>>,
    ones: Block<T>,
    /// Room for the terms of a sum.
    scratch: [Block<T>; 2],
    /// Room for the gradients of two Z; only for training.
    gradients: Option<[Block<T>; 2]>,
}

impl<T: Real> BoundCayley<T> {
    fn n_rows(&self) -> usize {
        self.propagator.size(self.hops)
    }

    fn zoom(&self, parameters: &[T]) -> Zoom {
        Zoom::new(parameters[self.layer.zoom.start].to_f64())
    }

    /// Z_j from Z_{j−1}.
    fn advance(&mut self, j: usize, zoom: Zoom) {
        let Zoom { h, omega, .. } = zoom;
        let (before, from_j) = self.orders.split_at_mut(j - 1);
        let last = before.last().map_or(&self.input, |order| &order.power).as_rows();
        let Order { first_hop, neighbours, power, by_zoom } = &mut from_j[0];
        let product = |hop: usize, x: Rows<'_, T>, y: RowsMut<'_, T>| {
            self.propagator.forward(hop, 0..1, self.ones.as_rows(), x, y);
        };
        product(*first_hop, last, neighbours.as_mut());
        let [mut term, mut next] = self.scratch.each_mut();
        let mut n_rows = neighbours.n_rows();
        let b = || last.first(n_rows);
        complex_scaled(Complex::new(h, -1.0), b(), Update::Replace, term.as_mut());
        complex_scaled((-h).into(), neighbours.as_rows(), Update::Add, term.as_mut());

        complex_scaled(omega, term.as_rows(), Update::Replace, power.as_mut());
        let mut add_slope = |slope: Complex, x: Rows<'_, T>, update: Update| {
            if let Some(by_zoom) = by_zoom {
                complex_scaled(omega * omega * slope, x, update, by_zoom.as_mut());
            }
        };
        add_slope((-1.0).into(), term.as_rows(), Update::Replace);
        let step = omega * h.into();
        for t in 1..=self.layer.iterations {
            let hop = *first_hop - t;
            let n_next = self.propagator.size(hop);
            product(hop, term.as_rows().first(n_rows), next.as_mut().first(n_next));
            n_rows = n_next;
            let t = t as f64;
            let slope = Complex::new(t - (t + 1.0) * step.re, -(t + 1.0) * step.im);
            add_slope(slope, next.as_rows().first(n_rows), Update::Add);
            complex_scale(step, next.as_mut().first(n_rows));
            complex_scaled(omega, next.as_rows().first(n_rows), Update::Add, power.as_mut());
            std::mem::swap(&mut term, &mut next);
        }
    }

    /// From the gradient of Z_j to that of Z_{j−1} where it is wanted; returns that of h.
    fn retreat(
        &mut self,
        j: usize,
        zoom: Zoom,
        g: Rows<'_, T>,
        before: Option<RowsMut<'_, T>>,
    ) -> f64 {
        let Zoom { h, omega, .. } = zoom;
        let Order { first_hop, neighbours, by_zoom, .. } = &self.orders[j - 1];
        let back = |hop: usize, x: Rows<'_, T>, y: RowsMut<'_, T>| {
            let ones = self.ones.as_rows();
            self.propagator.forward_transposed(hop, 0..1, ones, x, Update::Replace, y);
        };
        let mut d_h = by_zoom.as_ref().map_or(0.0, |by_zoom| dot(g, by_zoom.as_rows()));
        let [mut d_b, mut next] = self.scratch.each_mut();
        let mut n_rows = g.n_rows();
        complex_scaled(omega.conjugate(), g, Update::Replace, d_b.as_mut());
        let step = omega.conjugate() * h.into();
        for t in (1..=self.layer.iterations).rev() {
            let hop = *first_hop - t;
            let n_next = self.propagator.size(hop + 1);
            back(hop, d_b.as_rows().first(n_rows), next.as_mut().first(n_next));
            n_rows = n_next;
            complex_scale(step, next.as_mut().first(n_rows));
            complex_scaled(omega.conjugate(), g, Update::Add, next.as_mut());
            std::mem::swap(&mut d_b, &mut next);
        }
        let last = if j == 1 { &self.input } else { &self.orders[j - 2].power };
        let d_b = d_b.as_rows().first(n_rows);
        d_h += dot(d_b, last.as_rows().first(n_rows)) - dot(d_b, neighbours.as_rows());
        if let Some(mut before) = before {
            back(*first_hop, d_b, before.reborrow());
            complex_scale((-h).into(), before.reborrow());
            complex_scaled(Complex::new(h, 1.0), d_b, Update::Add, before);
        }
        d_h
    }
}

impl<T: Real> Layer<T> for BoundCayley<T> {
    fn forward(&mut self, parameters: &[T], x: Rows<'_, T>, mut y: RowsMut<'_, T>) {
        let layer = self.layer.clone();
        let n_rows = self.n_rows();
        let input = self.input.as_mut().into_par_blocks(BLOCK).zip(x.par_blocks(BLOCK));
        input.for_each(|(mut to, from)| {
            let rows = to.iter_mut().zip(from.iter());
            rows.for_each(|(to, from)| to[..from.len()].copy_from_slice(from));
        });
        multiply(
            x.first(n_rows),
            layer.theta.stack(parameters, layer.terms(0)),
            Update::Replace,
            y.reborrow(),
        );
        let zoom = self.zoom(parameters);
        for j in 1..=layer.order {
            self.advance(j, zoom);
            let power = self.orders[j - 1].power.as_rows().first(n_rows);
            multiply(
                power,
                layer.theta.stack(parameters, layer.terms(j)),
                Update::Add,
                y.reborrow(),
            );
        }
    }

    fn backward(
        &mut self,
        parameters: &[T],
        x: Rows<'_, T>,
        dy: Rows<'_, T>,
        gradients: &mut [T],
        dx: Option<RowsMut<'_, T>>,
    ) {
        let layer = self.layer.clone();
        let n_rows = self.n_rows();
        multiply_transposed(
            x.first(n_rows),
            dy,
            Update::Replace,
            layer.theta.stack_mut(gradients, layer.terms(0)),
        );
        let zoom = self.zoom(parameters);
        let mut d_h = 0.0;
        let mut room = self.gradients.take().expect("room for gradients");
        let [mut g, mut before] = room.each_mut();
        for j in (1..=layer.order).rev() {
            let power = self.orders[j - 1].power.as_rows();
            let n_power = power.n_rows();
            let d_theta = layer.theta.stack_mut(gradients, layer.terms(j));
            multiply_transposed(power.first(n_rows), dy, Update::Replace, d_theta);
            // What the next order gave is already there; the last is on no more rows than the output.
            let update = if j == layer.order { Update::Replace } else { Update::Add };
            let theta = layer.theta.stack(parameters, layer.terms(j));
            multiply_by_transpose(dy, theta, update, g.as_mut().first(n_rows));
            let last = if j == 1 { &self.input } else { &self.orders[j - 2].power };
            let n_last = last.n_rows();
            let mut into = before.as_mut();
            let into = (j > 1 || dx.is_some()).then(|| into.first(n_last));
            d_h += self.retreat(j, zoom, g.as_rows().first(n_power), into);
            std::mem::swap(&mut g, &mut before);
        }
        gradients[layer.zoom.start] = T::from_f64(d_h * zoom.slope);
        if let Some(mut dx) = dx {
            let has_powers = layer.order > 0;
            if has_powers {
                for (to, from) in dx.iter_mut().zip(g.as_rows().iter()) {
                    to.copy_from_slice(&from[..to.len()]);
                }
            }
            let update = if has_powers { Update::Add } else { Update::Replace };
            multiply_by_transpose(
                dy,
                layer.theta.stack(parameters, layer.terms(0)),
                update,
                dx.first(n_rows),
            );
        }
        self.gradients = Some(room);
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{Dense, jacobi};

    /// A by Gauss's elimination, with the largest pivots.
    fn solve(mut a: Vec<Vec<f64>>) -> Vec<f64> {
        let n = a.len();
        for column in 0..n {
            let largest =
                (column..n).max_by(|&i, &j| a[i][column].abs().total_cmp(&a[j][column].abs()));
            a.swap(column, largest.unwrap());
            for row in (0..n).filter(|&row| row != column) {
                let factor = a[row][column] / a[column][column];
                let pivot = a[column].clone();
                a[row].iter_mut().zip(pivot).for_each(|(to, from)| *to -= factor * from);
            }
        }
        (0..n).map(|row| a[row][n] / a[row][row]).collect()
    }

    /// (hΔ + iI) z = (hΔ − iI) x as a real system in the parts of z, x real.
    fn exact(n: &Dense, h: f64, x: &[f64]) -> Vec<f64> {
        let size = x.len();
        let h_delta =
            |i: usize, j: usize| h * (f64::from(u8::from(i == j)) - n.values[i * size + j]);
        let row = |at: usize| {
            let (i, is_imaginary) = (at % size, at >= size);
            let column = |to: usize| match (is_imaginary, to >= size) {
                (false, false) | (true, true) => h_delta(i, to % size),
                (false, true) => -f64::from(u8::from(i == to % size)),
                (true, false) => f64::from(u8::from(i == to)),
            };
            let mut row: Vec<f64> = (0..2 * size).map(column).collect();
            let right: f64 = (0..size).map(|j| h_delta(i, j) * x[j]).sum();
            row.push(if is_imaginary { -x[i] } else { right });
            row
        };
        solve((0..2 * size).map(row).collect())
    }

    /// Two triangles that share a node, a tail, and a node on its own.
    #[test]
    fn jacobi_goes_to_the_exact_solution_at_its_rate() {
        let edges = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4), (4, 5)];
        let size = 7;
        let mut adjacency = vec![0.0; size * size];
        for (a, b) in edges {
            (adjacency[a * size + b], adjacency[b * size + a]) = (1.0, 1.0);
        }
        let degree = |i: usize| adjacency[i * size..][..size].iter().sum::<f64>().max(1.0);
        let normalised = (0..size * size)
            .map(|at| adjacency[at] / (degree(at / size) * degree(at % size)).sqrt());
        let n = Dense::new(size, normalised.collect());
        let x: Vec<f64> = (0..size).map(|i| (i as f64 * 1.7).sin()).collect();
        let start = [Dense::new(1, x.clone()), Dense::new(1, vec![0.0; size])];
        for h in [0.3f64, 1.0, 3.0] {
            let expected = exact(&n, h, &x);
            let error = |iterations: usize| {
                let found = jacobi(&n, h, iterations, &start);
                let found = found.iter().flat_map(|part| part.values.iter());
                let squares = found.zip(&expected).map(|(a, b)| (a - b) * (a - b));
                squares.sum::<f64>().sqrt()
            };
            assert!(error(800) < 1e-12, "{h}: {}", error(800));
            let rate = h / (1.0 + h * h).sqrt();
            // The first iterate is ωB, off by all later terms of the sum.
            let length: f64 = expected.iter().map(|z| z * z).sum::<f64>().sqrt();
            for iterations in [0, 1, 2, 5, 10] {
                let bound = length * rate.powi(iterations as i32 + 1);
                assert!(error(iterations) <= bound * (1.0 + 1e-9), "{h} {iterations}");
            }
        }
    }
}
