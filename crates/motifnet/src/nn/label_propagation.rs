//! Label propagation (Zhou et al. 2004): no features, no training.

use super::{Propagator, ReceptiveField};
use crate::dense::{Block, Real};
use crate::memory::Need;
use crate::progress::Stop;
use crate::sparse::OperatorParts;

/// F ← μ A F + (1 − μ) Y until it stands still.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LabelPropagation {
    /// μ: how much comes from the neighbours. Below 1.
    pub spread: f64,
    /// When no number changes by more, it stands still.
    pub tolerance: f64,
    /// The most rounds.
    pub most_rounds: usize,
}

impl Default for LabelPropagation {
    fn default() -> Self {
        Self { spread: 0.9, tolerance: 1e-6, most_rounds: 1000 }
    }
}

impl LabelPropagation {
    /// What spreading `n_classes` labels takes: the scores of this round and of the last, and the operator.
    pub fn need<T: Real>(adjacency: &OperatorParts<T>, n_classes: usize) -> Need {
        let scores = Block::<T>::n_bytes(adjacency.n_nodes(), n_classes);
        Need {
            what: "label propagation",
            n_bytes: (2 * scores + Propagator::bytes_of(adjacency)) as u64,
            remedy: "merge some classes, or take a smaller graph",
        }
    }
}

/// The scores of every class at every node, n × classes, from those of `known` nodes.
///
/// `adjacency` is a normalised adjacency matrix, not a Laplacian. Time one sweep a round. `None` if `stop` was set
/// before they stood still.
pub fn propagate_labels<T: Real>(
    config: &LabelPropagation,
    adjacency: &OperatorParts<T>,
    known: &[(u32, u32)],
    n_classes: usize,
    stop: Stop<'_>,
) -> Option<Block<T>> {
    let n_nodes = adjacency.n_nodes();
    let propagator = Propagator::new(&[adjacency], &ReceptiveField::whole(n_nodes, 1));
    let mut scores = Block::zeros(n_nodes, n_classes);
    let start = T::from_f64(1.0 - config.spread);
    let add_known = |scores: &mut Block<T>| {
        let mut scores = scores.as_mut();
        known
            .iter()
            .for_each(|&(node, class)| scores.row_mut(node as usize)[class as usize] += start);
    };
    add_known(&mut scores);
    let mut next = Block::zeros_like(&scores);
    let spread = Block::filled(1, n_classes, T::from_f64(config.spread));
    for _ in 0..config.most_rounds {
        if stop.is_set() {
            return None;
        }
        propagator.forward(0, 0..1, spread.as_rows(), scores.as_rows(), next.as_mut());
        add_known(&mut next);
        let numbers = next.as_rows().values().iter().zip(scores.as_rows().values());
        let changes = numbers.map(|(&next, &score)| (next - score).to_f64().abs());
        let change = changes.fold(0.0, f64::max);
        std::mem::swap(&mut scores, &mut next);
        if change <= config.tolerance {
            break;
        }
    }
    Some(scores)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::CsrMatrix;

    /// On two nodes with an edge, F = (1 − μ)(I − μA)⁻¹ Y by hand.
    #[test]
    fn the_fixed_point_is_the_inverse() {
        let edge = CsrMatrix::new(2, vec![0, 1, 2], vec![1, 0], vec![1.0f64, 1.0]);
        let config = LabelPropagation { spread: 0.5, tolerance: 1e-12, ..Default::default() };
        let edge = OperatorParts::explicit(edge, true);
        let scores = propagate_labels(&config, &edge, &[(0, 0)], 2, Stop::NEVER).unwrap();
        for (found, expected) in
            scores.as_rows().iter().flatten().zip([2.0 / 3.0, 0.0, 1.0 / 3.0, 0.0])
        {
            assert!((found - expected).abs() < 1e-10, "{found}");
        }
    }
}
