//! `motifnet inspect`: what a graph is like, and what its motif matrices will cost.

use std::time::{Duration, Instant};

use clap::Args;
use motifnet::graph::{DegreeSummary, GraphSummary};
use motifnet::motif::{
    DEFAULT_SIZE_WORK, Instances, MatrixSize, MotifEngine, MotifKind, MotifSpec,
    PASS_BYTES_AN_EDGE, Pattern, Ranking, Representation, Support, Weights,
};
use motifnet::progress::Unit;
use serde::Serialize;

use super::inspect_text;
use crate::failure::Failure;
use crate::graph_args::{GraphArgs, GraphConfig};
use crate::numbers::Count;
use crate::report::{GraphReport, Report};
use crate::session::Session;
use crate::spec_args::{InstancesArg, WeightsArg};

/// Describe a graph and the size of its motif matrices
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet inspect graph.tsv
  motifnet inspect graph.csv --source from --target to --weight none
  motifnet inspect graph.mtx --instances subgraph --json

Sizes are exact, or within about ten per cent where they are marked with ≈.")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    graph: GraphArgs,

    #[command(flatten)]
    instances: InstancesArg,

    #[command(flatten)]
    weights: WeightsArg,
}

/// A graph to describe.
pub(crate) struct InspectConfig {
    graph: GraphConfig,
    instances: Instances,
    weights: Weights,
}

impl InspectArgs {
    pub(crate) fn check(self) -> InspectConfig {
        InspectConfig {
            graph: self.graph.check(),
            instances: self.instances.instances,
            weights: self.weights.weights,
        }
    }
}

impl InspectConfig {
    /// Operators that are held at the same time: more take memory, fewer take passes over the
    /// edges, which are dear where every instance has to be weighed.
    fn batch(&self) -> usize {
        match self.weights {
            Weights::Count | Weights::Scaled => 7,
            Weights::Mean | Weights::Product => MotifKind::ALL.len(),
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<InspectReport, Failure> {
        let start = Instant::now();
        let (loaded, graph_report) = self.graph.read(session)?;
        let read_seconds = start.elapsed().as_secs_f64();
        let graph = &loaded.graph;
        let summary = GraphSummary::planned(graph)?;

        let start = Instant::now();
        MotifEngine::check_memory(graph)?;
        let pattern = Pattern::new(graph);
        let ranking = Ranking::new(&pattern);
        let engine = MotifEngine::from_parts(graph, pattern, &ranking, session.progress());
        let pass_seconds = start.elapsed().as_secs_f64();
        drop(ranking);

        let n_kinds = MotifKind::ALL.len() as u64;
        engine.operators_need(self.batch()).check()?;
        session.progress().begin("sizing motif matrices", Some(n_kinds), Unit::Items);
        let mut operator_time = Duration::ZERO;
        let mut motifs = Vec::new();
        for kinds in MotifKind::ALL.chunks(self.batch()) {
            motifs.extend(self.size_batch(&engine, kinds, &mut operator_time, session));
        }
        session.progress().end();
        let costs = Costs {
            read_seconds,
            pass_seconds,
            pass_steps: engine.n_steps() as u64,
            threads: rayon::current_num_threads(),
            operators_seconds: operator_time.as_secs_f64(),
            graph_bytes: graph.n_bytes() as u64,
            pattern_bytes: engine.pattern().n_bytes() as u64,
            pass_bytes: (PASS_BYTES_AN_EDGE * engine.pattern().n_edges()) as u64,
            operators_bytes: motifs.iter().map(|motif| motif.operator_bytes).sum(),
        };
        Ok(InspectReport {
            graph: graph_report,
            summary,
            n_edges: engine.pattern().n_edges(),
            n_triangles: Count(engine.n_triangles()),
            instances: self.instances.name(),
            weights: self.weights.name(),
            motifs,
            costs,
        })
    }

    fn size_batch(
        &self,
        engine: &MotifEngine<'_>,
        kinds: &[MotifKind],
        operator_time: &mut Duration,
        session: &Session,
    ) -> Vec<MotifSize> {
        let spec =
            |support| MotifSpec { support, instances: self.instances, weights: self.weights };
        let operators = engine.operators(kinds, &spec(Support::Edges), Representation::Factored);
        // Counting what is on the edges takes no products, so it is always affordable.
        let edges: Vec<MatrixSize> =
            operators.iter().map(|operator| operator.size(u64::MAX)).collect();
        drop(operators);

        let start = Instant::now();
        let operators = engine.operators(kinds, &spec(Support::Pairs), Representation::Auto);
        *operator_time += start.elapsed();
        let sizes = operators.into_iter().zip(edges).map(|(operator, edges)| {
            let pairs = operator.size(DEFAULT_SIZE_WORK);
            session.progress().advance(1);
            MotifSize {
                motif: operator.kind().name(),
                edges,
                pairs,
                kept: if operator.is_explicit() { "explicit" } else { "factored" },
                operator_bytes: operator.n_bytes() as u64,
                pairs_csr_bytes: csr_bytes(pairs.entries, engine.graph().n_nodes()),
            }
        });
        sizes.collect()
    }
}

/// A column and a value for each entry, and where each row begins.
fn csr_bytes(entries: u64, n_nodes: usize) -> u64 {
    entries.saturating_mul(12).saturating_add(8 * n_nodes as u64)
}

/// What a graph is like.
#[derive(Serialize)]
pub(crate) struct InspectReport {
    pub(super) graph: GraphReport,
    pub(super) summary: GraphSummary,
    /// Pairs of adjacent nodes.
    pub(super) n_edges: usize,
    pub(super) n_triangles: Count,
    pub(super) instances: &'static str,
    pub(super) weights: &'static str,
    pub(super) motifs: Vec<MotifSize>,
    pub(super) costs: Costs,
}

/// How large one motif matrix is.
#[derive(Serialize)]
pub(super) struct MotifSize {
    pub(super) motif: &'static str,
    /// Entries with support `edges`.
    pub(super) edges: MatrixSize,
    /// Entries with support `pairs`.
    pub(super) pairs: MatrixSize,
    /// How the operator with support `pairs` is kept.
    pub(super) kept: &'static str,
    /// Memory of that operator, beside what all share.
    pub(super) operator_bytes: u64,
    /// Memory of the matrix with support `pairs`, multiplied out.
    pub(super) pairs_csr_bytes: u64,
}

/// Times as measured, memory as laid out.
#[derive(Serialize)]
pub(super) struct Costs {
    pub(super) threads: usize,
    pub(super) read_seconds: f64,
    pub(super) pass_seconds: f64,
    /// Look-ups of the triangle pass.
    pub(super) pass_steps: u64,
    /// All twenty operators with support `pairs`.
    pub(super) operators_seconds: f64,
    pub(super) graph_bytes: u64,
    pub(super) pattern_bytes: u64,
    /// The most that the triangle pass takes beside the pattern.
    pub(super) pass_bytes: u64,
    /// All twenty operators, beside what they share.
    pub(super) operators_bytes: u64,
}

impl Report for InspectReport {
    fn text(&self) -> String {
        inspect_text::render(self)
    }
}

/// The degrees by name.
pub(super) fn degrees(summary: &GraphSummary) -> [(&'static str, &DegreeSummary); 3] {
    [("out", &summary.out_degree), ("in", &summary.in_degree), ("total", &summary.total_degree)]
}
