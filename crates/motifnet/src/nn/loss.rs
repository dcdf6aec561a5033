//! Softmax cross-entropy on the labelled rows.

use rayon::prelude::*;

use crate::dense::{Real, RowsMut};

/// What the outputs should be.
#[derive(Clone, Debug, PartialEq)]
pub struct LossTarget {
    classes: Vec<u32>,
    /// One weight a class.
    weights: Vec<f64>,
    /// Σ of the weights of all rows.
    total: f64,
}

impl LossTarget {
    /// The class of every row, and the weight of every class.
    ///
    /// # Panics
    /// If a class has no weight.
    pub fn new(classes: Vec<u32>, weights: Vec<f64>) -> Self {
        let total = classes.iter().map(|&class| weights[class as usize]).sum();
        Self { classes, weights, total }
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.classes.len()
    }

    /// The weight of a row's class, as a share of all rows' weights.
    fn share(&self, row: usize) -> f64 {
        self.weights[self.classes[row] as usize] / self.total
    }
}

/// How good the outputs are.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Scores {
    /// The mean cross-entropy, by the weights of the classes.
    pub loss: f64,
    /// The share of rows whose largest output is that of their class.
    pub accuracy: f64,
}

/// Rows that are summed together, whatever the threads.
const BLOCK: usize = 512;

/// The scores of `logits`, rows × classes; with `gradient` every logit is replaced by its gradient.
pub(super) fn cross_entropy<T: Real>(
    logits: RowsMut<'_, T>,
    target: &LossTarget,
    gradient: bool,
) -> Scores {
    let blocks = logits.into_par_blocks(BLOCK).enumerate();
    let parts: Vec<(f64, usize)> = blocks
        .map(|(block, mut logits)| {
            logits.iter_mut().enumerate().fold((0.0, 0), |(loss, n_right), (row, logits)| {
                let row = block * BLOCK + row;
                let class = target.classes[row] as usize;
                let (row_loss, is_right) = score_row(logits, class, target.share(row), gradient);
                (loss + row_loss, n_right + usize::from(is_right))
            })
        })
        .collect();
    let loss = parts.iter().map(|part| part.0).sum();
    let n_right: usize = parts.iter().map(|part| part.1).sum();
    Scores { loss, accuracy: n_right as f64 / target.n_rows() as f64 }
}

/// Loss of a row and whether it is right; of equal outputs the first counts.
fn score_row<T: Real>(logits: &mut [T], class: usize, share: f64, gradient: bool) -> (f64, bool) {
    let best = largest(logits);
    let most = logits[best];
    let own = (logits[class] - most).to_f64();
    let mut total = 0.0;
    for logit in logits.iter_mut() {
        let shifted = *logit - most;
        let power = shifted.exponential();
        total += power.to_f64();
        if gradient {
            *logit = power;
        }
    }
    if gradient {
        let scale = T::from_f64(share / total);
        logits.iter_mut().for_each(|logit| *logit = *logit * scale);
        logits[class] -= T::from_f64(share);
    }
    (share * (libm::log(total) - own), best == class)
}

/// The position of the largest number, the first of equal ones.
pub(crate) fn largest<T: Real>(row: &[T]) -> usize {
    let mut best = 0;
    for (at, &value) in row.iter().enumerate() {
        if value > row[best] {
            best = at;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loss_accuracy_and_gradient_of_two_rows() {
        let logits = [1.0, 0.0, -1.0, 0.5, 2.0, 0.5f64];
        let target = LossTarget::new(vec![0, 2], vec![1.0, 1.0, 3.0]);
        let scored = |logits: &mut [f64], gradient| {
            cross_entropy(RowsMut::new(logits, [2, 3]), &target, gradient)
        };
        let loss = |logits: &[f64]| scored(&mut logits.to_vec(), false);
        let log_sum = |row: &[f64]| row.iter().map(|x| x.exp()).sum::<f64>().ln();
        let expected =
            (log_sum(&logits[..3]) - 1.0) / 4.0 + 3.0 * (log_sum(&logits[3..]) - 0.5) / 4.0;
        let scores = loss(&logits);
        assert!((scores.loss - expected).abs() < 1e-12);
        assert_eq!(scores.accuracy, 0.5);

        let mut gradient = logits;
        assert_eq!(scored(&mut gradient, true), scores);
        for at in 0..6 {
            let moved = |by: f64| {
                let mut logits = logits;
                logits[at] += by;
                loss(&logits).loss
            };
            let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((slope - gradient[at]).abs() < 1e-9);
        }
    }

    #[test]
    fn huge_logits_give_no_nan() {
        let target = LossTarget::new(vec![1], vec![1.0; 2]);
        let mut logits = [3e38f32, -3e38];
        let scores = cross_entropy(RowsMut::new(&mut logits, [1, 2]), &target, false);
        assert!(scores.loss.is_infinite() || scores.loss > 1e30);
        assert_eq!(scores.accuracy, 0.0);
    }
}
