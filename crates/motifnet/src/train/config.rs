//! How a network is trained.

use crate::choice::words;
use crate::memory::MemorySize;
use crate::nn::AdamConfig;

/// How much the nodes of a class count in the loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClassWeights {
    /// All nodes alike.
    #[default]
    Equal,
    /// All classes alike: a node counts by one over the training nodes of its class.
    Balanced,
}

impl ClassWeights {
    /// The weight of every class, given the classes of the training nodes.
    pub(super) fn weights(self, classes: &[u32], n_classes: usize) -> Vec<f64> {
        match self {
            Self::Equal => vec![1.0; n_classes],
            Self::Balanced => {
                let mut counts = vec![0usize; n_classes];
                classes.iter().for_each(|&class| counts[class as usize] += 1);
                let n_found = counts.iter().filter(|&&count| count > 0).count();
                let mean = classes.len() as f64 / n_found.max(1) as f64;
                // A class with no training node never counts.
                counts
                    .iter()
                    .map(|&count| if count == 0 { 1.0 } else { mean / count as f64 })
                    .collect()
            }
        }
    }
}

words!(ClassWeights, "class_weights", Equal = "equal", Balanced = "balanced");

/// How long and by what rule a network is trained.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TrainConfig {
    /// The optimiser.
    #[serde(flatten)]
    pub adam: AdamConfig,
    /// The most epochs.
    pub epochs: usize,
    /// The run ends after so many epochs without a smaller validation loss.
    pub patience: usize,
    /// How much each class counts.
    pub class_weights: ClassWeights,
    /// What all draws come from: the weights at the start, and dropout.
    pub seed: u64,
    /// The most memory to take; without it, what the machine has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<MemorySize>,
}

impl Default for TrainConfig {
    fn default() -> Self {
        Self {
            adam: AdamConfig::default(),
            epochs: 1000,
            patience: 100,
            class_weights: ClassWeights::Equal,
            seed: 0,
            memory_limit: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balanced_classes_weigh_the_same_together() {
        let classes = [0, 0, 0, 1, 3, 3];
        let weights = ClassWeights::Balanced.weights(&classes, 4);
        let total = |class| {
            classes.iter().filter(|&&c| c == class).count() as f64 * weights[class as usize]
        };
        assert_eq!([total(0), total(1), total(3)], [2.0; 3]);
        assert!(weights.iter().all(|weight| weight.is_finite()));
    }
}
