//! Where references are drawn from: papers that everybody knows have more tickets.

use rand_chacha::ChaCha8Rng;

use crate::graph::generate::stream::unit;

/// The papers of one topic: each once, and in a second list once for its arrival and once for every
/// time it was cited. Both lists are in order of time, so a draw from their end is a recent one.
#[derive(Clone, Debug, Default)]
pub(super) struct Urn {
    papers: Vec<u32>,
    tickets: Vec<u32>,
}

impl Urn {
    /// A paper appears.
    pub(super) fn enter(&mut self, paper: u32) {
        self.papers.push(paper);
        self.tickets.push(paper);
    }

    /// A paper of this topic is cited.
    pub(super) fn cite(&mut self, paper: u32) {
        self.tickets.push(paper);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.papers.is_empty()
    }

    /// Any paper, however well known.
    pub(super) fn any(&self, recency: f64, rng: &mut ChaCha8Rng) -> Option<u32> {
        draw(&self.papers, recency, rng)
    }

    /// A paper by how often it was cited (preferential attachment).
    pub(super) fn known(&self, recency: f64, rng: &mut ChaCha8Rng) -> Option<u32> {
        draw(&self.tickets, recency, rng)
    }
}

/// The place ⌊n·u^(1/(1 + recency))⌋ of a list of n: of density ∝ placeʳ, which is uniform for 0.
fn draw(list: &[u32], recency: f64, rng: &mut ChaCha8Rng) -> Option<u32> {
    let place = libm::pow(unit(rng), 1.0 / (1.0 + recency)) * list.len() as f64;
    // The unit interval is closed at 1.
    list.get((place as usize).min(list.len().saturating_sub(1))).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate::stream::Streams;

    #[test]
    fn the_known_and_the_recent_are_drawn_more_often() {
        let mut urn = Urn::default();
        (0..10).for_each(|paper| urn.enter(paper));
        (0..10).for_each(|_| urn.cite(0));
        let mut rng = Streams::new(1, "test").block(0);
        let mut count = |known: bool, recency: f64, paper: u32| {
            let draws = (0..10_000).filter_map(|_| match known {
                true => urn.known(recency, &mut rng),
                false => urn.any(recency, &mut rng),
            });
            draws.filter(|&drawn| drawn == paper).count()
        };
        // Expected: 1/10, 11/20, and 1 − (9/10)³ of 10,000; standard deviations are below 50.
        assert!(count(false, 0.0, 0).abs_diff(1000) < 250);
        assert!(count(true, 0.0, 0).abs_diff(5500) < 250);
        assert!(count(false, 2.0, 9).abs_diff(2710) < 250);
        assert_eq!(Urn::default().any(0.0, &mut rng), None);
    }
}
