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
//! whose error shrinks by h/√(1 + h²) an iteration. N is real and h a number, so Re Z_j and Im Z_j are
//! polynomials of N with coefficients that are h's alone (`cayley_polynomial.rs`), and the layer is
//!
//! Y = Σ_m p_m(N) X Θ_m + b = Σ_m Σ_t c_mt NᵗX Θ_m + b,
//!
//! with Θ = C_0, 2 Re C_1, −2 Im C_1, 2 Re C_2, … The sweeps know no complex number and no h, whose
//! gradient needs none of its own: it is that of the sum, not of its limit. dX = Σ_t (Nᵗ)ᵀ Σ_m c_mt G_m by
//! Horner's rule.
//!
//! X is n × F_in, Y n × F_out. Time r (q + 1) sweeps of width F_in and 2r + 1 products, and as much
//! again for the way back; an input that needs no gradient needs no sweeps there.

use std::ops::Range;
use std::sync::Arc;

use super::cayley_polynomial::CayleyPolynomials;
use super::layer::{Layer, Widths};
use super::parameters::{Initial, Layout};
use super::term::Term;
use super::theta::Theta;
use super::{Propagator, ReceptiveField};
use crate::dense::{
    Block, Real, Rows, RowsMut, Update, combine, dot, multiply, multiply_by_transpose,
    multiply_transposed,
};
use crate::progress::Stop;

/// Powers that are summed up at a time, so that memory does not grow with the iterations.
const GROUP: usize = 8;
/// Powers of an input that never changes are kept if there are no more.
const MOST_KEPT: usize = 32;

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
        input_is_fixed: bool,
        training: bool,
    ) -> BoundCayley<T> {
        let width = self.widths.input;
        let block = |hops: usize| Block::zeros(propagator.size(hops), width);
        let parts = || (0..2 * self.order).map(|_| block(hops)).collect::<Vec<_>>();
        let keeps_powers = input_is_fixed && self.n_hops() <= MOST_KEPT;
        let n_powers = if keeps_powers { self.n_hops() } else { self.n_hops().min(GROUP) };
        let farthest = hops + self.n_hops();
        BoundCayley {
            powers: (1..=n_powers).map(|power| block(farthest - power)).collect(),
            powers_are_there: false,
            parts: parts(),
            training: training.then(|| Training {
                slopes: parts(),
                gradients: parts(),
                horner: [block(farthest), block(farthest)],
            }),
            ones: Block::filled(1, width, T::from_f64(1.0)),
            layer: self.clone(),
            propagator,
            hops,
            keeps_powers,
        }
    }

    /// The layer as a polynomial of N.
    pub(super) fn polynomial<'a>(&self, parameters: &'a [f64]) -> Term<'a> {
        let zoom = Zoom::new(parameters[self.zoom.start]);
        let coefficients = self.polynomials(zoom).coefficients;
        let thetas = self.theta.each(parameters);
        Term::of_polynomials(thetas, &coefficients, self.n_hops(), self.widths.input)
    }

    fn polynomials(&self, zoom: Zoom) -> CayleyPolynomials {
        CayleyPolynomials::new(zoom.h, [self.order, self.iterations])
    }

    /// The highest power of N.
    fn n_hops(&self) -> usize {
        self.order * (self.iterations + 1)
    }

    /// At most about how many bytes the bound layer takes: powers, and for training three blocks for
    /// every part of every order and two for the way back.
    pub(super) fn n_bytes<T: Real>(
        &self,
        field: &ReceptiveField,
        hops: usize,
        training: bool,
    ) -> usize {
        let most = if training { GROUP } else { MOST_KEPT };
        let (n_powers, n_parts) = (self.n_hops().min(most), 2 * self.order);
        let n_far = n_powers + if training { 2 } else { 0 };
        let n_near = n_parts * if training { 3 } else { 1 };
        let n_rows = n_far * field.size(hops + self.n_hops()) + n_near * field.size(hops);
        Block::<T>::n_bytes(n_rows, self.widths.input)
    }
}

/// h, and how it changes with the number that is learnt.
#[derive(Clone, Copy)]
struct Zoom {
    h: f64,
    slope: f64,
}

impl Zoom {
    /// The softplus ln(1 + eˣ); its slope is 1/(1 + e⁻ˣ).
    fn new(learnt: f64) -> Self {
        let h = learnt.max(0.0) + libm::log1p(libm::exp(-learnt.abs()));
        Self { h, slope: 1.0 / (1.0 + libm::exp(-learnt)) }
    }
}

/// CayleyNet on the rows it computes.
pub(super) struct BoundCayley<T> {
    layer: CayleyConv,
    propagator: Arc<Propagator<T>>,
    /// How many hops from the loss the output is.
    hops: usize,
    /// N X, N² X, …, each on fewer rows than the last; where there are more than blocks, later ones
    /// take the places of earlier ones.
    powers: Vec<Block<T>>,
    /// Whether they are computed once, since the input never changes.
    keeps_powers: bool,
    powers_are_there: bool,
    /// p_m(N) X for m from 1 on.
    parts: Vec<Block<T>>,
    training: Option<Training<T>>,
    ones: Block<T>,
}

/// What the way back needs.
struct Training<T> {
    /// How the parts change with h.
    slopes: Vec<Block<T>>,
    /// The gradients of the parts.
    gradients: Vec<Block<T>>,
    /// Room for Horner's rule.
    horner: [Block<T>; 2],
}

impl<T: Real> BoundCayley<T> {
    fn n_rows(&self) -> usize {
        self.propagator.size(self.hops)
    }

    fn zoom(&self, parameters: &[T]) -> Zoom {
        Zoom::new(parameters[self.layer.zoom.start].to_f64())
    }

    /// The hop that leads to a power of N, or back from it.
    fn hop(&self, power: usize) -> usize {
        self.hops + self.layer.n_hops() - power
    }

    /// Nᵗ X from the power before it.
    fn raise(&mut self, power: usize, x: Rows<'_, T>) {
        let (hop, n_blocks) = (self.hop(power), self.powers.len());
        let [from, to] = [self.propagator.size(hop + 1), self.propagator.size(hop)];
        let place = (power - 1) % n_blocks;
        // The last power is one place before, round the corner.
        let (before, from_place) = self.powers.split_at_mut(place);
        let (target, after) = from_place.split_first_mut().expect("a block for every place");
        let last = match power {
            1 => x,
            _ => before.last().or(after.last()).expect("a power before it").as_rows(),
        };
        let y = target.as_mut().into_slice(0..to);
        self.propagator.forward(hop, 0..1, self.ones.as_rows(), last.first(from), y);
    }

    /// All p_m(N) X, and how they change with h.
    fn filter(&mut self, polynomials: &CayleyPolynomials, x: Rows<'_, T>, stop: Stop<'_>) {
        let (n_rows, n_blocks) = (self.n_rows(), self.powers.len());
        let mut begun = 0;
        while begun <= self.layer.n_hops() {
            // X is in the first group, beside as many powers as there are blocks.
            let group = begun..(begun.max(1) + n_blocks).min(self.layer.n_hops() + 1);
            if !self.powers_are_there {
                let new = group.clone().filter(|&power| power > 0);
                new.take_while(|_| !stop.is_set()).for_each(|power| self.raise(power, x));
            }
            if stop.is_set() {
                return;
            }
            let rows = |power: usize| match power {
                0 => x,
                _ => self.powers[(power - 1) % n_blocks].as_rows(),
            };
            let update = if begun == 0 { Update::Replace } else { Update::Add };
            let sum = |coefficients: &[f64], into: &mut Block<T>| {
                let powers = group.clone().take_while(|&power| power < coefficients.len());
                let terms = powers
                    .map(|power| (T::from_f64(coefficients[power]), rows(power).first(n_rows)));
                combine(&terms.collect::<Vec<_>>(), update, into.as_mut());
            };
            let all = polynomials.coefficients.iter().skip(1).zip(&mut self.parts);
            all.for_each(|(coefficients, part)| sum(coefficients, part));
            if let Some(training) = &mut self.training {
                let all = polynomials.slopes.iter().skip(1).zip(&mut training.slopes);
                all.for_each(|(slopes, into)| sum(slopes, into));
            }
            begun = group.end;
        }
        self.powers_are_there = self.keeps_powers;
    }

    /// dX ← Σ_t (Nᵗ)ᵀ Σ_{m ≥ 1} c_mt G_m.
    fn pull_back(
        &mut self,
        polynomials: &CayleyPolynomials,
        mut dx: RowsMut<'_, T>,
        stop: Stop<'_>,
    ) {
        let (n_rows, n_hops) = (self.n_rows(), self.layer.n_hops());
        let Training { gradients, horner, .. } =
            self.training.as_mut().expect("room for gradients");
        // Σ_m c_mt G_m goes to the first rows.
        let add_power = |power: usize, update: Update, mut into: RowsMut<'_, T>| {
            let all = polynomials.coefficients.iter().skip(1).zip(&*gradients);
            let terms = all.filter_map(|(coefficients, g)| {
                Some((T::from_f64(*coefficients.get(power)?), g.as_rows()))
            });
            combine(&terms.collect::<Vec<_>>(), update, into.first(n_rows));
        };
        let [mut sum, mut next] = horner.each_mut();
        add_power(n_hops, Update::Replace, sum.as_mut());
        for power in (0..n_hops).rev().take_while(|_| !stop.is_set()) {
            let hop = self.hops + n_hops - power - 1;
            let [from, to] = [hop, hop + 1].map(|hops| self.propagator.size(hops));
            let mut into = if power == 0 { dx.reborrow() } else { next.as_mut().into_slice(0..to) };
            let (ones, g) = (self.ones.as_rows(), sum.as_rows().first(from));
            let update = Update::Replace;
            self.propagator.forward_transposed(hop, 0..1, ones, g, update, into.reborrow());
            add_power(power, Update::Add, into);
            std::mem::swap(&mut sum, &mut next);
        }
    }
}

impl<T: Real> Layer<T> for BoundCayley<T> {
    fn forward(&mut self, parameters: &[T], x: Rows<'_, T>, mut y: RowsMut<'_, T>, stop: Stop<'_>) {
        let polynomials = self.layer.polynomials(self.zoom(parameters));
        self.filter(&polynomials, x, stop);
        let parts = self.parts.iter().map(Block::as_rows);
        let mut update = Update::Replace;
        let parts = std::iter::once(x.first(self.n_rows())).chain(parts);
        for (m, part) in parts.take_while(|_| !stop.is_set()).enumerate() {
            multiply(part, self.layer.theta.of(parameters, m), update, y.reborrow());
            update = Update::Add;
        }
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
        let (n_rows, theta) = (self.n_rows(), self.layer.theta.clone());
        let zoom = self.zoom(parameters);
        let parts = self.parts.iter().map(Block::as_rows);
        let parts = std::iter::once(x.first(n_rows)).chain(parts);
        for (m, part) in parts.take_while(|_| !stop.is_set()).enumerate() {
            multiply_transposed(part, dy, Update::Replace, theta.of_mut(gradients, m));
        }
        let training = self.training.as_mut().expect("room for gradients");
        let mut d_h = 0.0;
        let slopes = training.gradients.iter_mut().zip(&training.slopes);
        for (at, (g, slope)) in slopes.take_while(|_| !stop.is_set()).enumerate() {
            let theta = theta.of(parameters, at + 1);
            multiply_by_transpose(dy, theta, Update::Replace, g.as_mut());
            d_h += dot(g.as_rows(), slope.as_rows());
        }
        gradients[self.layer.zoom.start] = T::from_f64(d_h * zoom.slope);
        if let Some(mut dx) = dx.filter(|_| !stop.is_set()) {
            let has_powers = self.layer.n_hops() > 0;
            if has_powers {
                self.pull_back(&self.layer.polynomials(zoom), dx.reborrow(), stop);
            }
            let update = if has_powers { Update::Add } else { Update::Replace };
            multiply_by_transpose(dy, theta.of(parameters, 0), update, dx.first(n_rows));
        }
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
