//! The numbers that a network learns, as one vector with named parts.

use std::ops::Range;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::dense::Real;

/// How a tensor begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Initial {
    Zero,
    One,
    /// Uniform on ±√(6 / (fan in + fan out)) (Glorot, Bengio 2010), for the last two dimensions.
    Glorot,
    /// Normal with mean 0 and variance 1.
    Normal,
}

/// One named tensor in the vector of parameters.
#[derive(Clone, Debug)]
pub struct TensorSpec {
    name: String,
    shape: Vec<usize>,
    range: Range<usize>,
    initial: Initial,
}

impl TensorSpec {
    /// Its name, as `conv1.theta`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its shape; the numbers are kept row after row.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Where its numbers are in the vector.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

/// Which tensors a network has, and where in the vector each is.
///
/// One flat vector makes an optimiser one loop, and its state two more vectors.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    tensors: Vec<TensorSpec>,
    n_parameters: usize,
}

impl Layout {
    /// Adds a tensor at the end; returns where it is.
    pub(super) fn add(&mut self, name: String, shape: &[usize], initial: Initial) -> Range<usize> {
        let start = self.n_parameters;
        // More than can be counted are more than can be had; whoever asks for them hears that they lack.
        let size = shape.iter().fold(1usize, |size, &length| size.saturating_mul(length));
        self.n_parameters = start.saturating_add(size);
        let range = start..self.n_parameters;
        self.tensors.push(TensorSpec {
            name,
            shape: shape.to_vec(),
            range: range.clone(),
            initial,
        });
        range
    }

    /// The tensors, in order.
    pub fn tensors(&self) -> &[TensorSpec] {
        &self.tensors
    }

    /// The tensor of that name.
    pub fn tensor(&self, name: &str) -> Option<&TensorSpec> {
        self.tensors.iter().find(|tensor| tensor.name == name)
    }

    /// How many numbers there are.
    pub fn n_parameters(&self) -> usize {
        self.n_parameters
    }

    /// Numbers to begin with, drawn from `seed`.
    pub fn initial<T: Real>(&self, seed: u64) -> Vec<T> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut values = Vec::with_capacity(self.n_parameters);
        for tensor in &self.tensors {
            let mut draw = || match tensor.initial {
                Initial::Zero => 0.0,
                Initial::One => 1.0,
                Initial::Glorot => {
                    let fans: usize = tensor.shape.iter().rev().take(2).sum();
                    (2.0 * uniform(&mut rng) - 1.0) * (6.0 / fans as f64).sqrt()
                }
                Initial::Normal => {
                    // Box and Muller; 1 − u is never zero.
                    let radius = (-2.0 * libm::log(1.0 - uniform(&mut rng))).sqrt();
                    radius * libm::cos(std::f64::consts::TAU * uniform(&mut rng))
                }
            };
            values.extend(tensor.range.clone().map(|_| T::from_f64(draw())));
        }
        values
    }
}

/// Uniform on [0, 1).
fn uniform(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tensors_begin_as_they_should() {
        let mut layout = Layout::default();
        let theta = layout.add("theta".to_owned(), &[3, 40, 60], Initial::Glorot);
        let bias = layout.add("bias".to_owned(), &[60], Initial::Zero);
        let scores = layout.add("scores".to_owned(), &[50, 60], Initial::Normal);
        assert_eq!(layout.n_parameters(), 7200 + 60 + 3000);
        let values: Vec<f64> = layout.initial::<f64>(3);
        assert_eq!(values, layout.initial::<f64>(3));
        assert_ne!(values, layout.initial::<f64>(4));

        let limit = (6.0f64 / 100.0).sqrt();
        let moments = |values: &[f64]| {
            let n = values.len() as f64;
            (values.iter().sum::<f64>() / n, values.iter().map(|x| x * x).sum::<f64>() / n)
        };
        let (mean, square) = moments(&values[theta.clone()]);
        assert!(values[theta].iter().all(|x| x.abs() <= limit));
        assert!(mean.abs() < 0.01 && (square - limit * limit / 3.0).abs() < 0.002);
        assert!(values[bias].iter().all(|&x| x == 0.0));
        let (mean, square) = moments(&values[scores]);
        assert!(mean.abs() < 0.06 && (square - 1.0).abs() < 0.1, "{mean} {square}");
    }
}
