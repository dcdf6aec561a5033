//! What is to be trained.

use super::contestant::Contestant;
use super::entry::Entry;
use crate::motif::MotifKind;
use crate::train::{RepeatConfig, RunConfig};

/// How thorough an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The orders of the paper's models.
    pub orders: &'static [usize],
    /// The largest order of ours.
    pub our_largest_order: usize,
    /// The splits.
    pub n_splits: usize,
    /// The learning rate.
    pub rate: f64,
    /// A training ends after so many epochs without a smaller validation loss.
    pub patience: usize,
}

impl Extent {
    /// A quick look: two or three minutes on a laptop, for a graph of some thousand nodes.
    ///
    /// Five times the paper's learning rate, for a third of the epochs. Waiting less at the paper's own
    /// rate would be unfair: ChebNet of a high order learns nothing for a hundred epochs, and then does.
    pub const QUICK: Self =
        Self { orders: &[1, 2, 4], our_largest_order: 1, n_splits: 5, rate: 5e-3, patience: 40 };
    /// The paper's evaluation; how many splits it had and when it stopped, it does not say.
    ///
    /// With half the patience one ChebNet in six of order 3 or more ended on the plateau it begins with, no better than
    /// chance; those that got away took up to 98 epochs. That would be no baseline.
    pub const FULL: Self = Self {
        orders: &[1, 2, 3, 4, 5, 6, 7, 8],
        our_largest_order: 5,
        n_splits: 10,
        rate: 1e-3,
        patience: 200,
    };
}

/// What is to be trained.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperPlan {
    /// The orders, from 1 on, rising.
    pub orders: Vec<usize>,
    /// The largest order of the models that the paper does not have.
    pub our_largest_order: usize,
    /// How many splits, from the first on.
    pub n_splits: usize,
    /// All else: data, features, operators, how it is trained, and the seed.
    pub base: RunConfig,
}

impl PaperPlan {
    /// All entries, contestant by contestant: each at every order of the plan that it goes to.
    pub fn entries(&self) -> Vec<Entry> {
        let of = |contestant: Contestant| {
            let orders = match contestant {
                Contestant::Candidates => vec![1],
                _ => self.orders.clone(),
            };
            let largest = match contestant.is_ours() {
                true => self.our_largest_order.min(contestant.largest_order()),
                false => contestant.largest_order(),
            };
            let orders = orders.into_iter().filter(move |&order| order <= largest);
            orders.map(move |order| Entry { contestant, order })
        };
        Contestant::ALL.into_iter().flat_map(of).collect()
    }

    /// All that is chosen for an entry.
    pub(super) fn config(&self, entry: Entry, selected: &[MotifKind]) -> RunConfig {
        let model = entry.contestant.model(entry.order, selected, &self.base.model);
        let run = RepeatConfig { repeat: self.n_splits, ..self.base.run };
        RunConfig { model, run, ..self.base.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_go_to_their_orders() {
        let plan = |orders: &[usize], our_largest_order| PaperPlan {
            orders: orders.to_vec(),
            our_largest_order,
            n_splits: 3,
            base: RunConfig::default(),
        };
        let count = |plan: &PaperPlan, contestant| {
            plan.entries().iter().filter(|entry| entry.contestant == contestant).count()
        };
        let full = plan(Extent::FULL.orders, 5);
        assert_eq!(count(&full, Contestant::ChebnetU), 8);
        assert_eq!(count(&full, Contestant::MotifnetD), 5);
        assert_eq!(count(&full, Contestant::Candidates), 1);
        assert_eq!(full.entries().len(), 2 * 8 + 6 * 5 + 1);
        // The selection is made at order 1, whatever else is asked for.
        let second = plan(&[2], 5);
        assert_eq!(count(&second, Contestant::Candidates), 1);
        assert_eq!(second.entries().len(), 9);
        let quick = plan(Extent::QUICK.orders, Extent::QUICK.our_largest_order);
        assert_eq!(quick.entries().len(), 5 * 3 + 3 + 1);
    }
}
