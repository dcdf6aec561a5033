//! Chains of samples.

use rand_chacha::ChaCha8Rng;

use super::arc_switching::ArcSwitching;
use super::class::{self, ClassCounts};
use super::config::{NullModel, SignificanceConfig};
use super::pair_switching::PairSwitching;
use super::switching::Switching;
use crate::graph::generate::erdos_renyi::{self, ArcCount, ErdosRenyiConfig};
use crate::graph::generate::stream::Streams;
use crate::graph::{DiGraph, EdgeList};
use crate::motif::MotifEngine;

/// Samples of a chain. Fewer would spend more on the way to the first; more would leave fewer chains to be
/// independent of each other.
pub(super) const CHAIN_LENGTH: usize = 25;
/// So many times the switches between samples come before the first.
const FIRST: u64 = 10;

/// Which chains there are.
pub(super) struct ChainPlan<'a> {
    graph: &'a DiGraph,
    pub(super) config: &'a SignificanceConfig,
    start: Start,
    streams: Streams,
}

/// Where chains begin.
enum Start {
    Arcs(ArcSwitching),
    Pairs(PairSwitching),
    /// Samples are drawn one by one.
    Drawn,
}

/// What a chain met.
#[derive(Clone, Debug, Default)]
pub(super) struct Walked {
    pub(super) samples: Vec<ClassCounts>,
    pub(super) n_tried: u64,
    pub(super) n_done: u64,
}

impl<'a> ChainPlan<'a> {
    pub(super) fn new(engine: &MotifEngine<'a>, config: &'a SignificanceConfig) -> Self {
        let graph = engine.graph();
        let start = match config.null {
            NullModel::Degree => Start::Arcs(ArcSwitching::new(graph)),
            NullModel::DegreeReciprocal => Start::Pairs(PairSwitching::new(graph)),
            NullModel::Erdos => Start::Drawn,
        };
        Self { graph, config, start, streams: Streams::new(config.seed, "significance") }
    }

    pub(super) fn n_chains(&self) -> usize {
        self.config.n_samples.div_ceil(CHAIN_LENGTH)
    }

    /// Walks a chain from its beginning and shows every sample.
    pub(super) fn walk(&self, number: usize, see: impl Fn(&MotifEngine<'_>)) -> Walked {
        let mut rng = self.streams.block(number as u64);
        match &self.start {
            Start::Arcs(start) => self.switch(number, start.clone(), &mut rng, see),
            Start::Pairs(start) => self.switch(number, start.clone(), &mut rng, see),
            Start::Drawn => {
                let mut walked = Walked::default();
                for _ in 0..self.n_samples(number) {
                    walked.samples.push(self.count(&self.draw(&mut rng), &see));
                }
                walked
            }
        }
    }

    fn n_samples(&self, number: usize) -> usize {
        (self.config.n_samples - number * CHAIN_LENGTH).min(CHAIN_LENGTH)
    }

    fn switch(
        &self,
        number: usize,
        mut graph: impl Switching,
        rng: &mut ChaCha8Rng,
        see: impl Fn(&MotifEngine<'_>),
    ) -> Walked {
        let mut walked = Walked::default();
        let between = self.config.switches as u64 * self.graph.n_arcs() as u64;
        let mut n_switches = FIRST * between;
        for _ in 0..self.n_samples(number) {
            walked.n_done += graph.switch(n_switches, rng);
            walked.n_tried += n_switches;
            walked.samples.push(self.count(&graph.graph(), &see));
            n_switches = between;
        }
        walked
    }

    fn count(&self, graph: &DiGraph, see: &impl Fn(&MotifEngine<'_>)) -> ClassCounts {
        let engine = MotifEngine::new(graph);
        see(&engine);
        class::counts(&engine.census(), self.config.instances)
    }

    /// A graph with as many nodes and arcs.
    fn draw(&self, rng: &mut ChaCha8Rng) -> DiGraph {
        let arcs = ArcCount::Exactly(self.graph.n_arcs() as u64);
        let config = ErdosRenyiConfig { n_nodes: self.graph.n_nodes(), arcs };
        let drawn: EdgeList = erdos_renyi::generate_planned(&config, rand::Rng::next_u64(rng))
            .expect("a graph has no more arcs than are possible");
        DiGraph::build_planned(drawn, &Default::default()).expect("as drawn").0
    }
}
