//! Where references are drawn from: papers that are well known have more tickets.

use rand_chacha::ChaCha8Rng;

use crate::graph::generate::stream::unit;

/// The papers of one topic or problem, one ticket for each arrival and for each citation, in order of
/// time: papers are drawn by how well they are known, and a draw from the end is a recent one.
#[derive(Clone, Debug, Default)]
pub(super) struct Urn {
    tickets: Vec<u32>,
}

impl Urn {
    /// A paper appears, or is cited.
    pub(super) fn add(&mut self, paper: u32) {
        self.tickets.push(paper);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tickets.is_empty()
    }

    /// The paper at place ⌊n·u^(1/(1 + recency))⌋ of n tickets: of density ∝ place^recency, which
    /// is uniform for 0. None if there are no tickets.
    pub(super) fn draw(&self, recency: f64, rng: &mut ChaCha8Rng) -> Option<u32> {
        let n_tickets = self.tickets.len();
        let place = libm::pow(unit(rng), 1.0 / (1.0 + recency)) * n_tickets as f64;
        // The unit interval is closed at 1.
        self.tickets.get((place as usize).min(n_tickets.saturating_sub(1))).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::generate::stream::Streams;

    #[test]
    fn the_known_and_the_recent_are_drawn_more_often() {
        let mut rng = Streams::new(1, "test").block(0);
        let mut count = |urn: &Urn, recency: f64, paper: u32| {
            let draws = (0..10_000).filter_map(|_| urn.draw(recency, &mut rng));
            draws.filter(|&drawn| drawn == paper).count()
        };
        let mut urn = Urn::default();
        (0..10).for_each(|paper| urn.add(paper));
        // Expected: 1/10, 1 − (9/10)³ and 11/20 of 10,000; standard deviations are below 50.
        assert!(count(&urn, 0.0, 0).abs_diff(1000) < 250);
        assert!(count(&urn, 2.0, 9).abs_diff(2710) < 250);
        (0..10).for_each(|_| urn.add(0));
        assert!(count(&urn, 0.0, 0).abs_diff(5500) < 250);
        assert_eq!(Urn::default().draw(0.0, &mut rng), None);
        assert!(Urn::default().is_empty() && !urn.is_empty());
    }
}
