//! Adam (Kingma, Ba 2015) on one flat vector.

use rayon::prelude::*;

use crate::choice::words;
use crate::dense::{Kernel, Real, dispatch};

/// How weights are pulled towards zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Decay {
    /// The decay times the weight is added to its gradient, as PyTorch's Adam does.
    #[default]
    L2,
    /// The weight shrinks by rate times decay, apart from its gradient (AdamW: Loshchilov, Hutter 2019).
    Decoupled,
}

words!(Decay, "decay_kind", L2 = "l2", Decoupled = "decoupled");

/// The numbers that Adam goes by.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct AdamConfig {
    /// The learning rate.
    #[serde(rename = "lr")]
    pub rate: f64,
    /// How slowly the mean of the gradients changes.
    pub beta1: f64,
    /// How slowly the mean of their squares changes.
    pub beta2: f64,
    /// Keeps the quotient finite.
    pub epsilon: f64,
    /// The weight decay.
    pub decay: f64,
    /// The kind of decay.
    pub decay_kind: Decay,
}

impl Default for AdamConfig {
    fn default() -> Self {
        Self {
            rate: 1e-3,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            decay: 1e-3,
            decay_kind: Decay::L2,
        }
    }
}

/// Adam and all that it remembers: with these three a run can be taken up again to the same bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam<T> {
    config: AdamConfig,
    step: u64,
    mean: Vec<T>,
    square: Vec<T>,
}

impl<T: Real> Adam<T> {
    /// At the start.
    pub fn new(config: AdamConfig, n_parameters: usize) -> Self {
        let zeros = vec![T::default(); n_parameters];
        Self { config, step: 0, mean: zeros.clone(), square: zeros }
    }

    /// Where another left off: after `step` steps with these running means.
    ///
    /// # Panics
    /// If the two vectors differ in length.
    pub fn resume(config: AdamConfig, step: u64, mean: Vec<T>, square: Vec<T>) -> Self {
        assert_eq!(mean.len(), square.len(), "one mean and one square a parameter");
        Self { config, step, mean, square }
    }

    /// Becomes as another is, in the memory that it has.
    ///
    /// # Panics
    /// If the numbers of parameters differ.
    pub fn copy_from(&mut self, other: &Self) {
        (self.config, self.step) = (other.config, other.step);
        self.mean.copy_from_slice(&other.mean);
        self.square.copy_from_slice(&other.square);
    }

    /// Steps taken.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The running means of the gradients and of their squares.
    pub fn state(&self) -> [&[T]; 2] {
        [&self.mean, &self.square]
    }

    /// One step against `gradients`.
    ///
    /// # Panics
    /// If the number of parameters is not the one of the start.
    pub fn update(&mut self, parameters: &mut [T], gradients: &[T]) {
        assert_eq!([parameters.len(), gradients.len()], [self.mean.len(); 2], "one a parameter");
        self.step += 1;
        let AdamConfig { rate, beta1, beta2, epsilon, decay, decay_kind } = self.config;
        let steps = self.step as f64;
        let rule = Rule {
            rate: T::from_f64(rate / (1.0 - libm::pow(beta1, steps))),
            beta1: T::from_f64(beta1),
            beta2: T::from_f64(beta2),
            root_correction: T::from_f64((1.0 - libm::pow(beta2, steps)).sqrt()),
            epsilon: T::from_f64(epsilon),
            l2: T::from_f64(if decay_kind == Decay::L2 { decay } else { 0.0 }),
            shrink: T::from_f64(if decay_kind == Decay::Decoupled {
                1.0 - rate * decay
            } else {
                1.0
            }),
        };
        const CHUNK: usize = 1 << 14;
        let state = self.mean.par_chunks_mut(CHUNK).zip(self.square.par_chunks_mut(CHUNK));
        let chunks = parameters.par_chunks_mut(CHUNK).zip(gradients.par_chunks(CHUNK)).zip(state);
        chunks.for_each(|((parameters, gradients), (mean, square))| {
            dispatch(Step { rule, parameters, gradients, mean, square });
        });
    }
}

#[derive(Clone, Copy)]
struct Rule<T> {
    rate: T,
    beta1: T,
    beta2: T,
    root_correction: T,
    epsilon: T,
    l2: T,
    shrink: T,
}

struct Step<'a, T> {
    rule: Rule<T>,
    parameters: &'a mut [T],
    gradients: &'a [T],
    mean: &'a mut [T],
    square: &'a mut [T],
}

impl<T: Real> Kernel for Step<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let rule = self.rule;
        let one = T::from_f64(1.0);
        let state = self.mean.iter_mut().zip(self.square);
        for ((parameter, &gradient), (mean, square)) in
            self.parameters.iter_mut().zip(self.gradients).zip(state)
        {
            let gradient = gradient + rule.l2 * *parameter;
            *mean = rule.beta1 * *mean + (one - rule.beta1) * gradient;
            *square = rule.beta2 * *square + (one - rule.beta2) * gradient * gradient;
            let size = square.root() / rule.root_correction + rule.epsilon;
            *parameter = *parameter * rule.shrink - rule.rate * *mean / size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_run_has_the_same_bits() {
        let config = AdamConfig::default();
        let gradient = |step: u64| [0.5 * step as f32, -0.1, 3.0];
        let mut whole = Adam::new(config, 3);
        let mut parameters = vec![1.0f32, -2.0, 0.25];
        let mut halfway = None;
        for step in 1..=6 {
            whole.update(&mut parameters, &gradient(step));
            if step == 3 {
                halfway = Some((parameters.clone(), whole.clone()));
            }
        }
        let (mut again, adam) = halfway.unwrap();
        let [mean, square] = adam.state().map(<[f32]>::to_vec);
        let mut resumed = Adam::resume(config, adam.step(), mean, square);
        for step in 4..=6 {
            resumed.update(&mut again, &gradient(step));
        }
        assert_eq!((again, resumed), (parameters, whole));
    }

    #[test]
    fn the_first_step_is_the_rate_whatever_the_gradient() {
        for (decay_kind, expected) in [(Decay::L2, 0.999), (Decay::Decoupled, 0.999 - 1e-6)] {
            let config = AdamConfig { decay_kind, ..AdamConfig::default() };
            let mut parameters = [1.0f64];
            Adam::new(config, 1).update(&mut parameters, &[50.0]);
            assert!((parameters[0] - expected).abs() < 1e-9, "{}", parameters[0]);
        }
    }
}
