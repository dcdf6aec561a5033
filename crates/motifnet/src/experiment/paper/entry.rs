//! A contestant at an order.

use std::path::Path;

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

    /// Whether a folder is called as that of an entry of some evaluation.
    pub(super) fn is_name(path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some((contestant, order)) = name.rsplit_once("-order-") else { return false };
        let order = order.parse().ok();
        let entries = Contestant::ALL.into_iter().filter(|found| found.to_string() == contestant);
        // Written as we would: no sign, no zeros before it.
        order.is_some_and(|order| {
            entries.map(|contestant| Self { contestant, order }.name()).any(|own| own == name)
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_an_entrys_by_its_whole_name() {
        for contestant in Contestant::ALL {
            assert!(Entry::is_name(Path::new(&Entry { contestant, order: 12 }.name())));
        }
        for name in [
            "chebnet-u-order-01",
            "chebnet-u-order-+1",
            "chebnet-u-order-",
            "mine-order-1",
            "chebnet-u",
        ] {
            assert!(!Entry::is_name(Path::new(name)), "{name}");
        }
    }
}
