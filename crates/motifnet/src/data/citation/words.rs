//! The words of the papers: most are everybody's, some those of their fields and topics.

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::CitationConfig;
use super::draws::log_normal;
use super::papers::Papers;
use super::topics::Topics;
use super::weighted::Weighted;
use crate::graph::generate::stream::{Streams, below, unit};
use crate::sparse::CsrMatrix;

/// Papers a stream: what is drawn does not depend on who draws it.
const BLOCK: usize = 1024;
/// Draws for each word that a paper should have, after which it makes do with fewer.
const TRIES: usize = 8;

/// Which words each paper has: papers × words, every entry 1.
///
/// Time O(words of all papers · log vocabulary), in parallel.
pub(super) fn draw(
    config: &CitationConfig,
    topics: &Topics,
    papers: &Papers,
    streams: &Streams,
) -> CsrMatrix<f32> {
    let vocabulary = Vocabulary::draw(config, streams);
    let starts: Vec<usize> = (0..config.n_nodes).step_by(BLOCK).collect();
    let blocks: Vec<Vec<Vec<u32>>> = starts
        .into_par_iter()
        .map(|start| {
            let mut rng = streams.block(1 + (start / BLOCK) as u64);
            let papers_of_block = start..(start + BLOCK).min(config.n_nodes);
            papers_of_block
                .map(|paper| vocabulary.paper(paper as u32, config, topics, papers, &mut rng))
                .collect()
        })
        .collect();
    let (mut offsets, mut columns) = (vec![0], Vec::new());
    for row in blocks.iter().flatten() {
        columns.extend_from_slice(row);
        offsets.push(columns.len());
    }
    let ones = vec![1.0; columns.len()];
    CsrMatrix::new(config.n_words, offsets, columns, ones)
}

/// Who says which words how often.
struct Vocabulary {
    /// All words, the most frequent first.
    common: Weighted,
    /// The words of every topic, its most frequent first; topics may share words.
    of_topic: Vec<Vec<u32>>,
    /// The same of every field.
    of_field: Vec<Vec<u32>>,
    /// How frequent the words of a list are, by their place.
    places: Weighted,
}

impl Vocabulary {
    fn draw(config: &CitationConfig, streams: &Streams) -> Self {
        let mut rng = streams.block(0);
        let n_own = config.topic_words.min(config.n_words);
        let mut lists = |n_lists: usize| -> Vec<Vec<u32>> {
            let mut word = || below(&mut rng, config.n_words as u64) as u32;
            (0..n_lists).map(|_| (0..n_own).map(|_| word()).collect()).collect()
        };
        Self {
            common: Weighted::zipf(config.n_words, config.zipf),
            of_topic: lists(config.n_classes),
            of_field: lists(config.n_fields),
            places: Weighted::zipf(n_own, config.zipf),
        }
    }

    /// The words of one paper, ascending.
    fn paper(
        &self,
        paper: u32,
        config: &CitationConfig,
        topics: &Topics,
        papers: &Papers,
        rng: &mut ChaCha8Rng,
    ) -> Vec<u32> {
        let length = config.paper_words * log_normal(config.paper_words_spread, rng);
        let wanted = (libm::round(length) as usize).clamp(1, config.n_words);
        let mut words = Vec::with_capacity(wanted);
        for _ in 0..TRIES * wanted {
            let word = if unit(rng) <= config.topical_words {
                let topic = papers.topic(paper, rng) as usize;
                let list = match unit(rng) <= config.field_words {
                    true => &self.of_field[topics.field[topic] as usize],
                    false => &self.of_topic[topic],
                };
                list[self.places.draw(rng)]
            } else {
                self.common.draw(rng) as u32
            };
            if let Err(place) = words.binary_search(&word) {
                words.insert(place, word);
                if words.len() == wanted {
                    break;
                }
            }
        }
        words
    }
}
