//! A contestant at an order.

use super::contestant::{Contestant, HEADS};

/// A contestant at an order: one point of a figure, trained on every split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Entry {
    /// The model.
    pub contestant: Contestant,
    /// p.
    pub order: usize,
}

impl Entry {
    /// What its folder is called.
    pub fn name(self) -> String {
        format!("{}-order-{}", self.contestant, self.order)
    }

    /// What it is called where people read.
    pub fn title(self) -> String {
        format!("{}, order {}", self.contestant.title(), self.order)
    }

    /// Roughly how long a training takes, in products of features with weights: what is shown of time
    /// left goes by it, and the longest are begun first.
    pub(super) fn cost(self) -> u64 {
        let order = self.order as u64;
        // A sweep over one motif takes about a third of a product.
        let motifs = |n_operators: u64| 1 + order + order * n_operators / 3;
        match self.contestant {
            Contestant::ChebnetU | Contestant::ChebnetW | Contestant::ChebnetWt => 1 + order,
            Contestant::MotifnetD => (2 << self.order.min(60)) - 1,
            Contestant::MotifnetM => motifs(6),
            Contestant::WithM10 | Contestant::Selected => motifs(8),
            Contestant::Heads => HEADS as u64 * motifs(6),
            Contestant::Candidates => motifs(18),
        }
    }
}
