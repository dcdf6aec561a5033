//! The integral of several slopes whose sum has a known one.
//!
//! Slopes s_i(t) with Σ_i s_i = f′ are integrated over [0, 1] by Gauss's rule of three points on pieces. On every
//! piece the sum of the integrals is f at its end less f at its beginning, so that the error of a piece
//! is known and not guessed. The worst piece is halved until the errors' sum is small enough, and the root of
//! the sum of their squares as well: a sum may be small because errors of two signs cancel, which they
//! need not do in the single slopes. Between kinks the rule is exact for polynomials of degree five,
//! and halving closes in on a kink by one bit a time.

use crate::progress::{Progress, Unit};

/// The places and weights of Gauss's rule on [−1, 1].
const RULE: [(f64, f64); 3] =
    [(-0.774_596_669_241_483_4, 5.0 / 9.0), (0.0, 8.0 / 9.0), (0.774_596_669_241_483_4, 5.0 / 9.0)];
/// Pieces to begin with: on few a rule may be right by chance.
const N_PIECES: usize = 4;
/// What the rounding of f leaves, of its size.
const ROUNDING: f64 = 1e-13;
/// Slopes take about as long as three values: forward, and back by two products for each.
const SLOPES_WORK: f64 = 3.0;
/// What a piece takes beside one value between it and the next.
const PIECE_WORK: f64 = RULE.len() as f64 * SLOPES_WORK;
/// What the pieces to begin with take.
const LEAST_WORK: f64 = N_PIECES as f64 * PIECE_WORK + (N_PIECES + 1) as f64;
/// What halving a piece takes.
const HALVING_WORK: f64 = 2.0 * PIECE_WORK + 1.0;

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ExplainConfig {
    /// What is left unexplained may be this share of the change that is split.
    pub tolerance: f64,
    /// Slopes are computed at no more points than this, but at twelve at least.
    pub most_points: usize,
    /// About how many multiplications may be made. They are counted and not timed, so that what is
    /// found does not depend on the machine.
    pub most_work: f64,
    /// Whether twelve points are computed even where they are more work than that. Else nothing is
    /// split there.
    pub at_any_cost: bool,
}

impl Default for ExplainConfig {
    fn default() -> Self {
        Self { tolerance: 1e-3, most_points: 1200, most_work: 1e12, at_any_cost: false }
    }
}

/// A function along a path, and what its slope is made of.
pub(super) trait Curve {
    /// f(t).
    fn value(&self, t: f64) -> f64;
    /// The parts of the slope, of which the first [`Curve::n_summed`] sum to f′(t); others are
    /// integrated along.
    fn slopes(&self, t: f64) -> Vec<f64>;
    /// How many.
    fn n_summed(&self) -> usize;
    /// About how many multiplications a value takes.
    fn work(&self) -> f64;
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Integral {
    /// f(0) and f(1).
    pub(super) ends: [f64; 2],
    /// The integral of every part of the slope.
    pub(super) parts: Vec<f64>,
}

struct Piece {
    bounds: [f64; 2],
    /// f at the bounds.
    values: [f64; 2],
    parts: Vec<f64>,
    /// Of the sum of the parts.
    error: f64,
}

impl Piece {
    fn new(curve: &impl Curve, bounds: [f64; 2], values: [f64; 2]) -> Self {
        let half = (bounds[1] - bounds[0]) / 2.0;
        let middle = bounds[0] + half;
        let mut parts: Vec<f64> = Vec::new();
        for (place, weight) in RULE {
            let slopes = curve.slopes(middle + half * place);
            parts.resize(slopes.len(), 0.0);
            for (sum, slope) in parts.iter_mut().zip(slopes) {
                *sum += half * weight * slope;
            }
        }
        let sum: f64 = parts[..curve.n_summed()].iter().sum();
        Self { bounds, values, parts, error: sum - (values[1] - values[0]) }
    }

    fn halved(&self, curve: &impl Curve) -> [Self; 2] {
        let middle = (self.bounds[0] + self.bounds[1]) / 2.0;
        let value = curve.value(middle);
        [
            Self::new(curve, [self.bounds[0], middle], [self.values[0], value]),
            Self::new(curve, [middle, self.bounds[1]], [value, self.values[1]]),
        ]
    }
}

/// |Σ e|, or √(Σ e²) if that is more.
fn error_of(pieces: &[Piece]) -> f64 {
    let sum: f64 = pieces.iter().map(|piece| piece.error).sum();
    let squares: f64 = pieces.iter().map(|piece| piece.error * piece.error).sum();
    sum.abs().max(squares.sqrt())
}

/// How often a piece may be halved; `None` where not even the pieces to begin with may be computed.
fn most_halvings(work: f64, config: &ExplainConfig) -> Option<usize> {
    let left = config.most_work / work.max(1.0) - LEAST_WORK;
    if left < 0.0 && !config.at_any_cost {
        return None;
    }
    let by_points = (config.most_points / RULE.len()).saturating_sub(N_PIECES);
    // A number below zero becomes zero.
    Some(((left / HALVING_WORK) as usize).min(by_points))
}

/// The integrals over [0, 1] of the parts of the slope; `None` where they are more work than is allowed.
pub(super) fn integrate(
    curve: &impl Curve,
    config: &ExplainConfig,
    progress: &dyn Progress,
) -> Option<Integral> {
    let most_halvings = most_halvings(curve.work(), config)?;
    // As many as it may come to: most are done long before.
    let n_steps = N_PIECES + 2 * most_halvings;
    progress.begin("find the parts of the logit", Some(n_steps as u64), Unit::Steps);
    let at = |piece: usize| piece as f64 / N_PIECES as f64;
    let values: Vec<f64> = (0..=N_PIECES).map(|piece| curve.value(at(piece))).collect();
    let piece = |p: usize| {
        let piece = Piece::new(curve, [at(p), at(p + 1)], [values[p], values[p + 1]]);
        progress.advance(1);
        piece
    };
    let mut pieces: Vec<Piece> = (0..N_PIECES).map(piece).collect();
    let ends = [values[0], values[N_PIECES]];
    let rounding = ROUNDING * (ends[0].abs() + ends[1].abs());
    let allowed = (config.tolerance * (ends[1] - ends[0]).abs()).max(rounding);
    while error_of(&pieces) > allowed && pieces.len() < N_PIECES + most_halvings {
        let errors = pieces.iter().map(|piece| piece.error.abs()).enumerate();
        let worst = errors.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(at, _)| at);
        let halves = pieces[worst].halved(curve);
        pieces.splice(worst..=worst, halves);
        progress.advance(2);
    }
    progress.end();
    let mut parts = vec![0.0; pieces[0].parts.len()];
    for piece in &pieces {
        parts.iter_mut().zip(&piece.parts).for_each(|(sum, part)| *sum += part);
    }
    Some(Integral { ends, parts })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::progress::Silent;

    /// max(0, t − kink) + t⁶ − 2 sin 3t, its three slopes, and that of t² beside them.
    struct Kinked {
        kink: f64,
        n_points: Cell<usize>,
    }

    impl Curve for Kinked {
        fn value(&self, t: f64) -> f64 {
            (t - self.kink).max(0.0) + t.powi(6) - 2.0 * (3.0 * t).sin()
        }

        fn slopes(&self, t: f64) -> Vec<f64> {
            self.n_points.set(self.n_points.get() + 1);
            let step = if t > self.kink { 1.0 } else { 0.0 };
            vec![step, 6.0 * t.powi(5), -6.0 * (3.0 * t).cos(), 2.0 * t]
        }

        fn n_summed(&self) -> usize {
            3
        }

        fn work(&self) -> f64 {
            10.0
        }
    }

    #[test]
    fn every_part_is_found_past_a_kink() {
        let curve = Kinked { kink: 0.3217, n_points: Cell::new(0) };
        let config =
            ExplainConfig { tolerance: 1e-9, most_points: 10_000, ..ExplainConfig::default() };
        let found = integrate(&curve, &config, &Silent).unwrap();
        let expected = [1.0 - 0.3217, 1.0, -2.0 * 3.0f64.sin(), 1.0];
        for (found, expected) in found.parts.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-8, "{found} {expected}");
        }
        assert!(curve.n_points.get() < 600, "{} points", curve.n_points.get());
    }

    #[test]
    fn no_piece_is_halved_past_the_limit() {
        let curve = Kinked { kink: 0.3217, n_points: Cell::new(0) };
        let config = ExplainConfig { tolerance: 0.0, most_points: 60, ..ExplainConfig::default() };
        integrate(&curve, &config, &Silent).unwrap();
        // Of n pieces at the end, n − 4 were halved on the way.
        assert_eq!(curve.n_points.get(), 3 * (20 + 16));
        let least = Kinked { kink: 0.5, n_points: Cell::new(0) };
        integrate(&least, &ExplainConfig { most_points: 0, ..config }, &Silent).unwrap();
        assert_eq!(least.n_points.get(), 12);
    }

    #[test]
    fn work_is_counted_and_what_is_too_much_is_not_begun() {
        // Pieces to begin with take 10 · (4 · 9 + 5), halving one takes 10 · 19.
        let n_points = |most_work: f64, at_any_cost: bool| {
            let curve = Kinked { kink: 0.3217, n_points: Cell::new(0) };
            let config =
                ExplainConfig { tolerance: 0.0, most_points: 10_000, most_work, at_any_cost };
            let found = integrate(&curve, &config, &Silent);
            assert_eq!(found.is_some(), curve.n_points.get() > 0);
            curve.n_points.get()
        };
        assert_eq!(
            [n_points(409.0, false), n_points(409.0, true), n_points(410.0, false)],
            [0, 12, 12]
        );
        assert_eq!([n_points(599.0, false), n_points(600.0, false)], [12, 18]);
    }
}
