//! Documents about topics: a sparse matrix whose columns go together as words do.

use motifnet::sparse::CsrMatrix;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How large the matrix is, and what its documents are about.
pub(crate) struct Topics {
    /// Rows.
    pub(crate) n_documents: usize,
    /// Columns.
    pub(crate) n_words: usize,
    pub(crate) n_topics: usize,
    /// Words that a topic has for its own; topics may share some.
    pub(crate) words_of_topic: usize,
    /// Words drawn for a document, on average; those drawn twice count 2.
    pub(crate) length: usize,
}

impl Topics {
    /// Of CORA-full's size, and about as full.
    pub(crate) const CORA_FULL: Self =
        Self { n_documents: 19_793, n_words: 8_710, n_topics: 70, words_of_topic: 250, length: 56 };

    /// A row has how often each word is in one document: half of the words from one topic, a tenth from
    /// another, the rest from all, where the word of rank r is drawn with weight 1/(r + 10).
    pub(crate) fn matrix(&self, seed: u64) -> CsrMatrix<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let all = Ranks::new(self.n_words);
        let of_topic = Ranks::new(self.words_of_topic);
        let topics: Vec<Vec<u32>> = (0..self.n_topics)
            .map(|_| (0..self.words_of_topic).map(|_| below(&mut rng, self.n_words)).collect())
            .collect();
        let rows = (0..self.n_documents).map(|_| {
            let [main, other] = [(); 2].map(|()| below(&mut rng, self.n_topics) as usize);
            let length = self.length / 2 + below(&mut rng, self.length) as usize;
            let mut words: Vec<u32> = (0..length)
                .map(|_| match below(&mut rng, 10) {
                    0..5 => topics[main][of_topic.draw(&mut rng)],
                    5 => topics[other][of_topic.draw(&mut rng)],
                    _ => all.draw(&mut rng) as u32,
                })
                .collect();
            words.sort_unstable();
            words.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as f64)).collect()
        });
        CsrMatrix::from_rows(self.n_words, rows.collect())
    }
}

/// Ranks 0, 1, … with weights 1/(rank + 10): as words are, a few common and most rare.
struct Ranks {
    /// The running total of the weights.
    totals: Vec<f64>,
}

impl Ranks {
    fn new(n: usize) -> Self {
        let mut total = 0.0;
        let weights = (0..n).map(|rank| 1.0 / (rank as f64 + 10.0));
        Self {
            totals: weights
                .map(|weight| {
                    total += weight;
                    total
                })
                .collect(),
        }
    }

    fn draw(&self, rng: &mut ChaCha8Rng) -> usize {
        let last = self.totals.len() - 1;
        let goal = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * self.totals[last];
        self.totals.partition_point(|&total| total <= goal).min(last)
    }
}

/// In `0..bound`; the bias of a remainder is far below what a benchmark could show.
fn below(rng: &mut ChaCha8Rng, bound: usize) -> u32 {
    (rng.next_u64() % bound as u64) as u32
}
