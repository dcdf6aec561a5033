//! The papers, in order of time: what they are about and when they appear.

use rand_chacha::ChaCha8Rng;

use super::CitationConfig;
use super::draws::shuffle;
use super::topics::Topics;
use super::urn::Urn;
use crate::graph::generate::stream::{Streams, unit};

/// What every paper is about.
#[derive(Clone, Debug)]
pub(super) struct Papers {
    /// Its class.
    pub(super) main: Vec<u32>,
    /// A second topic.
    pub(super) second: Vec<u32>,
    /// How much of it belongs to the second topic.
    pub(super) share: Vec<f64>,
    /// The one of its topics as whose paper it is found.
    pub(super) home: Vec<u32>,
    /// The problem of that topic that it is about.
    pub(super) problem: Vec<u32>,
    /// Number of problems of all topics.
    pub(super) n_problems: usize,
    /// When it appears.
    pub(super) year: Vec<u32>,
}

impl Papers {
    /// Draws the papers of a checked configuration. Time O(nodes · log classes).
    pub(super) fn draw(config: &CitationConfig, topics: &Topics, streams: &Streams) -> Self {
        let mut rng = streams.block(1);
        let of_topic = topics.sizes.iter().enumerate();
        let mut main: Vec<u32> =
            of_topic.flat_map(|(topic, &size)| std::iter::repeat_n(topic as u32, size)).collect();
        shuffle(&mut main, &mut rng);
        let second = main.iter().map(|&topic| topics.related(topic, &mut rng)).collect();
        let share = main.iter().map(|_| config.overlap * unit(&mut rng)).collect();
        let year = (0..config.n_nodes).map(|paper| year(config, paper)).collect();
        let (home, problem) = (Vec::new(), Vec::new());
        let mut papers = Self { main, second, share, home, problem, n_problems: 0, year };
        papers.draw_problems(config, &mut rng);
        papers
    }

    /// A paper takes up the problem of an earlier one of its topic, or with probability `novelty` a
    /// new one, so problems grow in proportion to their size and go out of fashion.
    fn draw_problems(&mut self, config: &CitationConfig, rng: &mut ChaCha8Rng) {
        let mut earlier = vec![Urn::default(); config.n_classes];
        for paper in 0..config.n_nodes as u32 {
            let home = self.topic(paper, rng);
            let is_new = unit(rng) <= config.novelty;
            let urn = &mut earlier[home as usize];
            let problem = match urn.draw(config.recency, rng) {
                Some(like) if !is_new => self.problem[like as usize],
                _ => {
                    self.n_problems += 1;
                    self.n_problems as u32 - 1
                }
            };
            urn.add(paper);
            self.home.push(home);
            self.problem.push(problem);
        }
    }

    /// One of the topics of a paper, by how much of it belongs to each.
    pub(super) fn topic(&self, paper: u32, rng: &mut ChaCha8Rng) -> u32 {
        let paper = paper as usize;
        if unit(rng) <= self.share[paper] { self.second[paper] } else { self.main[paper] }
    }
}

/// The year of a paper by its place, where a year has e^growth times as many as the one before:
/// the first k of Y years have (e^(gk) − 1)/(e^(gY) − 1) of the papers.
fn year(config: &CitationConfig, paper: usize) -> u32 {
    let place = (paper as f64 + 0.5) / config.n_nodes as f64;
    let (growth, n_years) = (config.growth, f64::from(config.n_years));
    let years = match growth * n_years {
        whole if whole < 1e-9 => place * n_years,
        whole => libm::log1p(place * libm::expm1(whole)) / growth,
    };
    config.first_year + (years as u32).min(config.n_years - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_year_has_its_share_of_the_papers() {
        let count = |growth: f64| {
            let config = CitationConfig {
                n_years: 3,
                growth,
                first_year: 2000,
                ..CitationConfig::of_size(700)
            };
            let mut counts = [0; 3];
            (0..700).for_each(|paper| counts[year(&config, paper) as usize - 2000] += 1);
            counts
        };
        assert_eq!(count(std::f64::consts::LN_2), [100, 200, 400]);
        assert_eq!(count(0.0), [233, 234, 233]);
    }
}
