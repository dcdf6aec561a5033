//! What a polynomial filter does to one node of a grid: the same to all sides on the undirected
//! grid, more along one axis on the motifs of a directed one.
//!
//! Far from the border a motif matrix of a grid is a convolution: w_v instances hold both a node and
//! the one that is v away, as many as for −v. Its normalised form has the eigenvalue
//!
//! ```text
//! N(k) = Σ_v w_v cos(k·v) / Σ_v w_v ≈ 1 − ½ kᵀCk,   C = Σ_v w_v v vᵀ / Σ_v w_v
//! ```
//!
//! for the wave of frequency k, and p(N) depends on k through N(k) alone. So every filter of an
//! operator, whatever its coefficients, is stretched as that operator's C is:
//!
//! - The undirected grid looks the same after a quarter turn, and so do all its filters: C ∝ I,
//!   isotropic. No training can give them a direction.
//! - An out-star (M8) of arcs to the right and down holds the pairs →, ↓ and, between its leaves, ↗:
//!   C ∝ (2 −1; −1 2), three times as much along the rising diagonal as across. In fact →, ↓ and ↗
//!   are a triangular lattice, sheared, so the ratio is 3 for every filter, as for M1 and M5 of
//!   the crossed grid; a path (M9) goes along the falling diagonal, about 3 : 2.
//!
//! A motif matrix is symmetric all the same, so a filter does at −v what it does at v: it has an axis,
//! and no front and back. Those are told apart by `out` and `in`.

mod chebyshev_filter;
mod directed_grid;

pub use chebyshev_filter::{ChebyshevFilter, mexican_hat_response};
pub use directed_grid::DirectedGrid;

use crate::motif::{MotifEngine, MotifKind, MotifSpec};
use crate::spectral::{LaplacianForm, MotifLaplacian};

/// How far apart, to one side, two nodes of one motif instance can be: two arcs.
const REACH: u16 = 2;

/// What a filter on a motif's Laplacian makes of a one at the centre of a [`DirectedGrid`] that is
/// too large for the border to matter.
#[derive(Clone, Debug, PartialEq)]
pub struct GridFilter {
    /// The grid.
    pub grid: DirectedGrid,
    /// The motif.
    pub kind: MotifKind,
    radius: u16,
    /// Row after row from the upper left, (2·radius + 1)².
    response: Vec<f64>,
}

/// How much longer a filter is one way than across.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anisotropy {
    /// The larger over the smaller eigenvalue of Σ_v |y(v)| v vᵀ, the second moments of the
    /// response y: 1 if no axis is preferred, infinite if the response lies on a line.
    pub ratio: f64,
    /// The long axis, in degrees above the right: from −90, falling, to 90, rising. Means nothing
    /// where the ratio is 1.
    pub degrees: f64,
}

impl GridFilter {
    /// `filter` on the rescaled Laplacian of `kind`, induced instances counted for all their pairs.
    /// The response is that of an infinite grid. Time and memory O(degree³).
    ///
    /// # Panics
    /// If the degree is 256 or more.
    pub fn new(grid: DirectedGrid, kind: MotifKind, filter: &ChebyshevFilter) -> Self {
        let degree = filter.degree();
        assert!(degree < 256, "a filter of degree {degree} needs too large a grid");
        // Beyond what the filter reaches, a node all of whose instances are there.
        let radius = REACH * (degree as u16 + 1);
        let graph = grid.graph(radius);
        let operator = MotifEngine::new(&graph).operator(kind, &MotifSpec::default());
        let laplacian = MotifLaplacian::new(operator, LaplacianForm::Rescaled)
            .expect("no weight is negative and λ is 2");
        let mut one = vec![0.0; graph.n_nodes()];
        one[graph.n_nodes() / 2] = 1.0;
        Self { grid, kind, radius, response: filter.apply(&laplacian, &one) }
    }

    /// How far to one side of the centre the response can be other than zero.
    pub fn radius(&self) -> u16 {
        self.radius
    }

    /// The response so many nodes to the right of the centre and below it.
    pub fn response(&self, right: i32, down: i32) -> f64 {
        let radius = i32::from(self.radius);
        if right.abs() > radius || down.abs() > radius {
            return 0.0;
        }
        self.response[((down + radius) * (2 * radius + 1) + right + radius) as usize]
    }

    /// Every response that is not zero, with how far to the right of the centre and below it.
    pub fn responses(&self) -> impl Iterator<Item = (i32, i32, f64)> {
        let radius = i32::from(self.radius);
        (-radius..=radius)
            .flat_map(move |down| (-radius..=radius).map(move |right| (right, down)))
            .map(|(right, down)| (right, down, self.response(right, down)))
            .filter(|&(.., response)| response != 0.0)
    }

    /// Which way the response is stretched, and how much.
    pub fn anisotropy(&self) -> Anisotropy {
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        for (right, down, response) in self.responses() {
            // Up is positive here, so that a rising diagonal has a positive angle.
            let (x, y) = (f64::from(right), f64::from(-down));
            xx += response.abs() * x * x;
            xy += response.abs() * x * y;
            yy += response.abs() * y * y;
        }
        let mean = (xx + yy) / 2.0;
        let spread = libm::hypot((xx - yy) / 2.0, xy);
        let ratio = if mean == 0.0 { 1.0 } else { (mean + spread) / (mean - spread) };
        Anisotropy { ratio, degrees: (libm::atan2(2.0 * xy, xx - yy) / 2.0).to_degrees() }
    }
}

#[cfg(test)]
mod tests;
