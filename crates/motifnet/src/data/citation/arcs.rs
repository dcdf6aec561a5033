//! Who cites whom: papers appear one after the other and choose their references.

use rand_chacha::ChaCha8Rng;

use super::CitationConfig;
use super::draws::{lomax, one_of};
use super::papers::Papers;
use super::topics::Topics;
use super::urn::Urn;
use crate::graph::generate::stream::{Streams, below, unit};

/// Draws for one reference, after which a paper makes do with fewer.
const TRIES: usize = 20;

/// The arcs, from the citing paper to the cited one: no loops, no repeats, in order of time.
///
/// Time and memory O(arcs · log classes), one thread: every paper sees all before it.
pub(super) fn draw(
    config: &CitationConfig,
    topics: &Topics,
    papers: &Papers,
    streams: &Streams,
) -> Vec<(u32, u32)> {
    let n_nodes = config.n_nodes;
    let mut growth = Growth {
        config,
        topics,
        papers,
        rng: streams.block(2),
        of_topic: vec![Urn::default(); config.n_classes],
        of_problem: vec![Urn::default(); papers.n_problems],
        references: vec![Vec::new(); n_nodes],
        citations: vec![Vec::new(); n_nodes],
        arcs: Vec::new(),
    };
    for paper in 0..n_nodes as u32 {
        growth.publish(paper);
    }
    growth.join_the_lonely();
    growth.arcs
}

/// The graph while it grows.
struct Growth<'a> {
    config: &'a CitationConfig,
    topics: &'a Topics,
    papers: &'a Papers,
    rng: ChaCha8Rng,
    /// The papers of every topic so far.
    of_topic: Vec<Urn>,
    /// The papers of every problem so far.
    of_problem: Vec<Urn>,
    references: Vec<Vec<u32>>,
    citations: Vec<Vec<u32>>,
    arcs: Vec<(u32, u32)>,
}

impl Growth<'_> {
    /// A paper chooses its references, some of which answer, and can be cited from now on.
    fn publish(&mut self, paper: u32) {
        let wanted = self.n_references(paper).min(paper as usize);
        let mut chosen = Vec::with_capacity(wanted);
        while chosen.len() < wanted
            && let Some(reference) = self.choose(paper, &chosen)
        {
            chosen.push(reference);
        }
        for &reference in &chosen {
            self.cite(paper, reference);
        }
        let (home, problem) = self.place(paper);
        self.of_topic[home].add(paper);
        self.of_problem[problem].add(paper);
        for &reference in &chosen {
            if unit(&mut self.rng) <= self.answers(paper, reference) {
                self.cite(reference, paper);
            }
        }
    }

    /// The topic and the problem as whose paper a paper is found.
    fn place(&self, paper: u32) -> (usize, usize) {
        let paper = paper as usize;
        (self.papers.home[paper] as usize, self.papers.problem[paper] as usize)
    }

    /// Number of references that a paper has among the others: 0, or 1 + ⌊Lomax⌋.
    fn n_references(&mut self, paper: u32) -> usize {
        let config = self.config;
        let place = f64::from(paper) / config.n_nodes as f64;
        let before_all = libm::exp(-place / config.horizon);
        if unit(&mut self.rng) <= before_all || unit(&mut self.rng) <= config.no_references {
            return 0;
        }
        1 + lomax(config.reference_scale, config.reference_tail, &mut self.rng) as usize
    }

    /// A reference that is not yet chosen; none if it is not found soon.
    fn choose(&mut self, paper: u32, chosen: &[u32]) -> Option<u32> {
        let close = !chosen.is_empty() && unit(&mut self.rng) <= self.config.closure;
        for attempt in 0..TRIES {
            // What cannot be found through others is looked for afresh.
            let found = match close && attempt < TRIES / 2 {
                true => self.through_others(paper, chosen),
                false => self.afresh(paper),
            };
            if let Some(found) = found
                && found < paper
                && !chosen.contains(&found)
            {
                return Some(found);
            }
        }
        None
    }

    /// Closes a triangle: a reference of a chosen one, or a paper that cites it. One of another
    /// topic is mostly passed over.
    fn through_others(&mut self, paper: u32, chosen: &[u32]) -> Option<u32> {
        let &CitationConfig { closure_down, closure_across, .. } = self.config;
        let rng = &mut self.rng;
        let via = one_of(chosen, rng)? as usize;
        let list = match unit(rng) <= closure_down {
            true => &self.references[via],
            false => &self.citations[via],
        };
        let found = one_of(list, rng)?;
        let home = &self.papers.home;
        let is_near = home[found as usize] == home[paper as usize];
        (is_near || unit(rng) <= closure_across).then_some(found)
    }

    /// A paper of the same problem, of the same topics or of a related one, by its citations.
    fn afresh(&mut self, paper: u32) -> Option<u32> {
        let &CitationConfig { crossing, focus, recency, .. } = self.config;
        let own = &self.of_problem[self.papers.problem[paper as usize] as usize];
        let rng = &mut self.rng;
        let urn = if unit(rng) <= crossing {
            let topic = self.topics.related(self.papers.main[paper as usize], rng);
            &self.of_topic[topic as usize]
        } else if unit(rng) <= focus && !own.is_empty() {
            own
        } else {
            &self.of_topic[self.papers.topic(paper, rng) as usize]
        };
        // The first papers of a topic have nothing to cite in it.
        let found = urn.draw(recency, rng);
        found.or_else(|| (paper > 0).then(|| below(rng, u64::from(paper)) as u32))
    }

    /// Probability that `reference` cites `paper` in turn.
    fn answers(&self, paper: u32, reference: u32) -> f64 {
        let &CitationConfig { answer_window, reciprocity, reciprocity_across, .. } = self.config;
        let main = &self.papers.main;
        if f64::from(paper - reference) > answer_window * f64::from(paper) {
            return 0.0;
        }
        match main[paper as usize] == main[reference as usize] {
            true => reciprocity,
            false => reciprocity * reciprocity_across,
        }
    }

    fn cite(&mut self, source: u32, target: u32) {
        self.references[source as usize].push(target);
        self.citations[target as usize].push(source);
        let (home, problem) = self.place(target);
        self.of_topic[home].add(target);
        self.of_problem[problem].add(target);
        self.arcs.push((source, target));
    }

    /// Joins papers that neither cite nor are cited, since such are no part of a citation graph: each
    /// with the next of its topic, which makes the small components that citation graphs have.
    fn join_the_lonely(&mut self) {
        let mut waiting = vec![None; self.config.n_classes];
        for paper in 0..self.config.n_nodes as u32 {
            if self.is_lonely(paper) {
                let (home, _) = self.place(paper);
                match waiting[home].take() {
                    Some(earlier) => self.cite(paper, earlier),
                    None => waiting[home] = Some(paper),
                }
            }
        }
        for paper in waiting.into_iter().flatten() {
            // Another may have come to cite it just now.
            if !self.is_lonely(paper) {
                continue;
            }
            match self.choose(paper, &[]) {
                Some(reference) => self.cite(paper, reference),
                // Only the very first papers find nothing.
                None if paper > 0 => self.cite(paper, paper - 1),
                None => self.cite(1, 0),
            }
        }
    }

    fn is_lonely(&self, paper: u32) -> bool {
        let paper = paper as usize;
        self.references[paper].is_empty() && self.citations[paper].is_empty()
    }
}
