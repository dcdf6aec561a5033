//! The tree of topics: fields, and the topics of each.

use rand_chacha::ChaCha8Rng;

use super::CitationConfig;
use super::draws::{log_normal, shuffle};
use super::weighted::Weighted;
use crate::graph::generate::stream::{Streams, below, unit};

/// The topics, by field.
#[derive(Clone, Debug)]
pub(super) struct Topics {
    /// The field of every topic.
    pub(super) field: Vec<u32>,
    /// Papers of every topic; none has zero.
    pub(super) sizes: Vec<usize>,
    /// Topics of any field by size and generality.
    anywhere: Weighted,
    /// The same within each field: the topics, and their weights.
    within: Vec<(Vec<u32>, Weighted)>,
    field_preference: f64,
}

impl Topics {
    /// Draws the tree of a checked configuration. Time O(classes · log classes).
    pub(super) fn draw(config: &CitationConfig, streams: &Streams) -> Self {
        let mut rng = streams.block(0);
        let n_classes = config.n_classes;
        let mut shares: Vec<f64> = (0..n_classes)
            .map(|rank| weibull_quantile((rank as f64 + 0.5) / n_classes as f64, config.size_shape))
            .collect();
        shuffle(&mut shares, &mut rng);
        let sizes = apportion(config.n_nodes, &shares);

        // Every field has a topic, and the others go where they like.
        let n_fields = config.n_fields as u64;
        let mut field: Vec<u32> = (0..n_classes as u64)
            .map(|topic| if topic < n_fields { topic } else { below(&mut rng, n_fields) } as u32)
            .collect();
        field.sort_unstable();
        let weights: Vec<f64> = sizes
            .iter()
            .map(|&size| size as f64 * log_normal(config.generality, &mut rng))
            .collect();
        let within = (0..config.n_fields as u32)
            .map(|of| {
                let topics: Vec<u32> =
                    (0..n_classes as u32).filter(|&topic| field[topic as usize] == of).collect();
                let weighted = Weighted::new(topics.iter().map(|&topic| weights[topic as usize]));
                (topics, weighted)
            })
            .collect();
        let anywhere = Weighted::new(weights);
        Self { field, sizes, anywhere, within, field_preference: config.field_preference }
    }

    /// A topic that papers of `topic` look into: of its field or of any, by size and generality.
    /// It may be the topic itself.
    pub(super) fn related(&self, topic: u32, rng: &mut ChaCha8Rng) -> u32 {
        if unit(rng) <= self.field_preference {
            let (topics, weighted) = &self.within[self.field[topic as usize] as usize];
            topics[weighted.draw(rng)]
        } else {
            self.anywhere.draw(rng) as u32
        }
    }
}

/// x with 1 − e^(−xᵏ) = p, for a shape k.
fn weibull_quantile(p: f64, shape: f64) -> f64 {
    libm::pow(-libm::log1p(-p), 1.0 / shape)
}

/// Splits `total` in proportion to `shares`, at least one for each, by largest remainders.
fn apportion(total: usize, shares: &[f64]) -> Vec<usize> {
    let spare = (total - shares.len()) as f64;
    let sum: f64 = shares.iter().sum();
    let exact: Vec<f64> = shares.iter().map(|share| spare * share / sum).collect();
    let mut sizes: Vec<usize> = exact.iter().map(|&exact| 1 + exact as usize).collect();
    let mut by_remainder: Vec<usize> = (0..shares.len()).collect();
    by_remainder.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let missing = total - sizes.iter().sum::<usize>().min(total);
    for &topic in by_remainder.iter().cycle().take(missing) {
        sizes[topic] += 1;
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_shared_out_in_proportion_and_none_goes_without() {
        assert_eq!(apportion(10, &[1.0, 1.0, 2.0]), [3, 3, 4]);
        assert_eq!(apportion(3, &[1.0, 1000.0, 1.0]), [1, 1, 1]);
        assert_eq!(apportion(103, &[0.0, 3.0, 1.0]), [1, 76, 26]);
        // 1 − e^(−x) = ½ at ln 2.
        assert!((weibull_quantile(0.5, 1.0) - std::f64::consts::LN_2).abs() < 1e-15);
    }

    #[test]
    fn related_topics_are_of_the_field_as_often_as_asked() {
        let config = CitationConfig { field_preference: 0.7, ..CitationConfig::of_size(20_000) };
        let streams = Streams::new(1, "test");
        let topics = Topics::draw(&config, &streams);
        let mut rng = streams.block(9);
        let same_field = |topic: u32| topics.field[topic as usize] == topics.field[0];
        let mut share = |topics: &Topics| {
            (0..10_000).filter(|_| same_field(topics.related(0, &mut rng))).count() as f64 / 1e4
        };
        // Those drawn from anywhere may be of the field, too.
        let by_chance = share(&Topics { field_preference: 0.0, ..topics.clone() });
        let expected = 0.7 + 0.3 * by_chance;
        assert!((share(&topics) - expected).abs() < 0.03, "{expected}");
    }
}
