//! What a citation graph is generated from.

use super::CitationError;

/// The parameters of a citation graph. [`CitationConfig::of_size`] has the defaults for a number of
/// papers; how they were found, and what they mean in formulas, is in `docs/citations.md`.
#[derive(Clone, Debug, PartialEq)]
pub struct CitationConfig {
    /// Number of papers: the nodes, in order of time.
    pub n_nodes: usize,
    /// Number of topics: the classes.
    pub n_classes: usize,
    /// Number of fields that the topics belong to.
    pub n_fields: usize,
    /// Number of words of the vocabulary.
    pub n_words: usize,
    /// The year of the first papers.
    pub first_year: u32,
    /// Number of years.
    pub n_years: u32,
    /// A year has e^growth times as many papers as the one before.
    pub growth: f64,
    /// Shape of the Weibull distribution of the topics' sizes; the larger, the more equal they are.
    pub size_shape: f64,
    /// Spread (σ of a log-normal) of how much topics attract references from others.
    pub generality: f64,

    /// How much of a paper may belong to its second topic: that share is `overlap`·u, u uniform.
    pub overlap: f64,
    /// Probability that a paper's second topic, or one that it looks into, is of its own field.
    pub field_preference: f64,
    /// Probability that a fresh reference goes to a related topic, whether or not the paper has a
    /// part in it.
    pub crossing: f64,

    /// Probability that a paper begins a new problem of its topic, rather than take up an old one.
    pub novelty: f64,
    /// Probability that a fresh reference within the paper's topics is about its own problem.
    pub focus: f64,

    /// Probability that a paper has no references among the papers of the data set.
    pub no_references: f64,
    /// How long, as a share of all papers, the first papers find little to cite: their references
    /// lie before the data set begins.
    pub horizon: f64,
    /// Scale s of the number of references beyond the first, a Lomax distribution.
    pub reference_scale: f64,
    /// Tail α of that distribution; the larger, the nearer to a geometric one.
    pub reference_tail: f64,
    /// Probability that a reference after the first is found through those before it.
    pub closure: f64,
    /// Of the references so found, the share that is in the bibliography of one before; the others
    /// cite one before.
    pub closure_down: f64,
    /// Probability that one so found is taken though it is found as a paper of another topic.
    pub closure_across: f64,
    /// Preference for recent papers: density ∝ placeʳ in the order of time.
    pub recency: f64,
    /// How recent a cited paper must be to cite back, as a share of all papers so far.
    pub answer_window: f64,
    /// Probability that a cited paper of the same class cites back (preprints, companion papers).
    pub reciprocity: f64,
    /// The same for papers of another class, as a share of it.
    pub reciprocity_across: f64,

    /// Median number of different words of a paper.
    pub paper_words: f64,
    /// Spread (σ of a log-normal) of that number.
    pub paper_words_spread: f64,
    /// Share of a paper's words that come from its topics; the others are everybody's.
    pub topical_words: f64,
    /// Share of the topical words that are the field's rather than the topic's.
    pub field_words: f64,
    /// Number of words that a topic, or a field, has for its own; topics may share them.
    pub topic_words: usize,
    /// Exponent of Zipf's law, of all words and of each topic's.
    pub zipf: f64,
}

/// CORA-full: its nodes, classes and words, which the sizes of others are derived from.
const CORA_FULL: (f64, f64, f64) = (19_793.0, 70.0, 8_710.0);

impl CitationConfig {
    /// The defaults for `n_nodes` papers.
    ///
    /// Classes and words grow with the papers as powers: 70 classes and 8,710 words at the 19,793
    /// papers of CORA-full, 10 classes at 2,000, and CORA-ML's 2,879 words at its 2,995.
    pub fn of_size(n_nodes: usize) -> Self {
        let (cora_nodes, cora_classes, cora_words) = CORA_FULL;
        let share = n_nodes as f64 / cora_nodes;
        let scaled = |of_cora: f64, power: f64| of_cora * libm::pow(share, power);
        let n_classes = (libm::round(scaled(cora_classes, 0.85)) as usize).clamp(2, n_nodes.max(2));
        Self {
            n_nodes,
            n_classes,
            n_fields: n_fields(n_classes),
            n_words: (libm::round(scaled(cora_words, 0.586)) as usize).max(100),
            first_year: 1980,
            n_years: 20,
            growth: 0.1,
            size_shape: 1.4,
            generality: 1.3,
            overlap: 0.45,
            field_preference: 0.79,
            crossing: 0.16,
            novelty: 0.044,
            focus: 0.85,
            no_references: 0.09,
            horizon: 0.04,
            reference_scale: 2.65,
            reference_tail: 7.5,
            closure: 0.54,
            closure_down: 0.72,
            closure_across: 0.25,
            recency: 0.9,
            answer_window: 0.47,
            reciprocity: 0.12,
            reciprocity_across: 0.65,
            paper_words: 46.0,
            paper_words_spread: 0.42,
            topical_words: 0.31,
            field_words: 0.3,
            topic_words: 150,
            zipf: 0.8,
        }
    }

    /// The same with another number of classes, and as many fields as go with it: √classes.
    pub fn with_classes(self, n_classes: usize) -> Self {
        Self { n_classes, n_fields: n_fields(n_classes), ..self }
    }

    /// Whether a graph can be generated from this.
    pub(super) fn check(&self) -> Result<(), CitationError> {
        let &Self { n_nodes, n_classes, n_fields, n_words, first_year, n_years, .. } = self;
        if !(10..=u32::MAX as usize).contains(&n_nodes) {
            return Err(CitationError::Nodes(n_nodes));
        }
        if !(1..=n_nodes).contains(&n_classes) {
            return Err(CitationError::Classes { n_classes, n_nodes });
        }
        if !(1..=n_classes).contains(&n_fields) {
            return Err(CitationError::Fields { n_fields, n_classes });
        }
        for n_words in [n_words, self.topic_words] {
            if !(1..=u32::MAX as usize).contains(&n_words) {
                return Err(CitationError::Words(n_words));
            }
        }
        if n_years == 0 || first_year.saturating_add(n_years) > 10_000 {
            return Err(CitationError::Years { first_year, n_years });
        }
        let probability = (0.0, 1.0);
        for (name, value, (least, most)) in [
            ("growth", self.growth, (0.0, 10.0)),
            ("size_shape", self.size_shape, (0.5, 100.0)),
            ("generality", self.generality, (0.0, 5.0)),
            ("overlap", self.overlap, probability),
            ("field_preference", self.field_preference, probability),
            ("crossing", self.crossing, probability),
            ("novelty", self.novelty, probability),
            ("focus", self.focus, probability),
            ("no_references", self.no_references, probability),
            ("horizon", self.horizon, (1e-9, 1.0)),
            ("reference_scale", self.reference_scale, (0.0, 1e3)),
            ("reference_tail", self.reference_tail, (1.0, 1e3)),
            ("closure", self.closure, probability),
            ("closure_down", self.closure_down, probability),
            ("closure_across", self.closure_across, probability),
            ("recency", self.recency, (0.0, 100.0)),
            ("answer_window", self.answer_window, probability),
            ("reciprocity", self.reciprocity, probability),
            ("reciprocity_across", self.reciprocity_across, probability),
            ("paper_words", self.paper_words, (1.0, 1e5)),
            ("paper_words_spread", self.paper_words_spread, (0.0, 2.0)),
            ("topical_words", self.topical_words, probability),
            ("field_words", self.field_words, probability),
            ("zipf", self.zipf, (0.0, 5.0)),
        ] {
            if !(least..=most).contains(&value) {
                return Err(CitationError::OutOfRange { name, value, least, most });
            }
        }
        Ok(())
    }
}

/// As many fields as there are topics in each.
fn n_fields(n_classes: usize) -> usize {
    (libm::round(libm::sqrt(n_classes as f64)) as usize).max(1)
}

/// The defaults for 2,000 papers.
impl Default for CitationConfig {
    fn default() -> Self {
        Self::of_size(2000)
    }
}
