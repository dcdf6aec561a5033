//! What is to be trained.

use super::contestant::Contestant;
use super::entry::Entry;
use crate::motif::MotifKind;
use crate::train::{RepeatConfig, RunConfig};

/// The orders of a quick look.
pub const QUICK_ORDERS: [usize; 3] = [1, 2, 4];
/// The splits of a quick look.
pub const QUICK_SPLITS: usize = 5;
/// The orders of the paper.
pub const FULL_ORDERS: [usize; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
/// The splits of the whole evaluation; the paper does not say how many it had.
pub const FULL_SPLITS: usize = 10;

/// What is to be trained.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperPlan {
    /// The orders, from 1 on, rising.
    pub orders: Vec<usize>,
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
            let orders = orders.into_iter().filter(move |&p| p <= contestant.largest_order());
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
        let plan = |orders: &[usize]| PaperPlan {
            orders: orders.to_vec(),
            n_splits: 3,
            base: RunConfig::default(),
        };
        let count = |plan: &PaperPlan, contestant| {
            plan.entries().iter().filter(|entry| entry.contestant == contestant).count()
        };
        let full = plan(&FULL_ORDERS);
        assert_eq!(count(&full, Contestant::ChebnetU), 8);
        assert_eq!(count(&full, Contestant::MotifnetD), 5);
        assert_eq!(count(&full, Contestant::Candidates), 1);
        assert_eq!(full.entries().len(), 2 * 8 + 6 * 5 + 1);
        // The selection is made at order 1, whatever else is asked for.
        let second = plan(&[2]);
        assert_eq!(count(&second, Contestant::Candidates), 1);
        assert_eq!(second.entries().len(), 9);
    }
}
