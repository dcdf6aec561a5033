//! Chains of samples.

use std::ops::Range;

use rand_chacha::ChaCha8Rng;

use super::arc_switching::ArcSwitching;
use super::config::{NullModel, SignificanceConfig};
use super::node::NodeSums;
use super::pair_switching::PairSwitching;
use super::samples::Samples;
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
    pub(super) graph: &'a DiGraph,
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

    pub(super) fn n_nodes(&self) -> usize {
        self.graph.n_nodes()
    }

    /// Samples of the chain with a `number`.
    pub(super) fn n_samples(&self, number: usize) -> usize {
        (self.config.n_samples - number * CHAIN_LENGTH).min(CHAIN_LENGTH)
    }

    /// Switches tried on all chains.
    pub(super) fn n_tried(&self) -> u64 {
        let of_chain = |number| FIRST + self.n_samples(number) as u64 - 1;
        self.between() * (0..self.n_chains()).map(of_chain).sum::<u64>()
    }

    /// No samples yet.
    pub(super) fn no_samples(&self) -> Samples {
        let nodes = self.config.per_node.then(|| NodeSums::new(self.n_nodes()));
        Samples::none(self.n_chains(), nodes)
    }

    /// Walks a chain from its beginning and shows its samples but the first `n_known`, each with the
    /// switches that were made up to it, until `see` says that it is enough, or `is_to_stop` on the way to one.
    ///
    /// The way to a sample that is known is walked again, since the next begins there; counting, which
    /// takes longer, is not done again.
    pub(super) fn walk(
        &self,
        number: usize,
        n_known: usize,
        is_to_stop: &dyn Fn() -> bool,
        mut see: impl FnMut(&DiGraph, u64) -> bool,
    ) {
        let mut rng = self.streams.block(number as u64);
        let places = 0..self.n_samples(number);
        if n_known >= places.end {
            return;
        }
        let switches = Switches { between: self.between(), places, n_known, is_to_stop };
        match &self.start {
            Start::Arcs(start) => switches.make(start.clone(), &mut rng, see),
            Start::Pairs(start) => switches.make(start.clone(), &mut rng, see),
            Start::Drawn => {
                for place in switches.places {
                    let seed = rand::Rng::next_u64(&mut rng);
                    if place >= n_known && !see(&self.draw(seed), 0) {
                        return;
                    }
                }
            }
        }
    }

    /// Switches between one sample and the next.
    fn between(&self) -> u64 {
        self.config.switches as u64 * self.graph.n_arcs() as u64
    }

    /// A graph with as many nodes and arcs.
    fn draw(&self, seed: u64) -> DiGraph {
        let arcs = ArcCount::Exactly(self.graph.n_arcs() as u64);
        let config = ErdosRenyiConfig { n_nodes: self.graph.n_nodes(), arcs };
        let drawn: EdgeList = erdos_renyi::generate_planned(&config, seed)
            .expect("a graph has no more arcs than are possible");
        DiGraph::build_planned(drawn, &Default::default()).expect("as drawn").0
    }
}

/// The switches of a chain.
struct Switches<'a> {
    /// Between one sample and the next.
    between: u64,
    places: Range<usize>,
    n_known: usize,
    is_to_stop: &'a dyn Fn() -> bool,
}

impl Switches<'_> {
    /// Makes them on `graph`, and shows the samples that are not known.
    fn make(
        self,
        mut graph: impl Switching,
        rng: &mut ChaCha8Rng,
        mut see: impl FnMut(&DiGraph, u64) -> bool,
    ) {
        let mut n_all_done = 0;
        for place in self.places {
            let n_switches = if place == 0 { FIRST * self.between } else { self.between };
            let Some(n_done) = graph.switch(n_switches, rng, self.is_to_stop) else { return };
            n_all_done += n_done;
            if place >= self.n_known && !see(&graph.graph(), n_all_done) {
                return;
            }
        }
    }
}
