//! What plans say of memory, held against what is taken.
//!
//! One test alone in its process, since the peak of memory is the whole process's.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::process::Command;

use motifnet::data::{FeatureConfig, FeaturePipeline, Features};
use motifnet::graph::generate::rmat::{self, RmatConfig};
use motifnet::graph::{BuildOptions, DiGraph, EdgeList, GraphSummary};
use motifnet::memory::{Need, own_memory};
use motifnet::motif::{
    MotifEngine, MotifKind, MotifOperator, MotifSpec, Representation, SignificanceConfig,
    significance,
};
use motifnet::progress::Silent;
use motifnet::sparse::CsrMatrix;
use motifnet::spectral::{
    KrylovOptions, LaplacianConfig, MotifLaplacian, eigenpairs_need, largest_eigenpairs,
};

/// A plan is at most so many times what is taken: room for what the allocator keeps.
const TOO_HIGH: f64 = 2.5;
/// What is taken is at most so many times the plan.
const TOO_LOW: f64 = 1.2;

/// Does `work` and compares the most memory that it took with the plan.
fn compare<T>(need: Need, work: impl FnOnce() -> T) -> T {
    // Makes the peak what there is now.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = own_memory().unwrap().peak;
    let result = work();
    let taken = own_memory().unwrap().peak - before;
    let ratio = taken as f64 / need.n_bytes as f64;
    println!("{}: planned {} MB, took {} MB", need.what, need.n_bytes >> 20, taken >> 20);
    assert!(ratio < TOO_LOW, "{} took {ratio:.2} times what was planned", need.what);
    assert!(ratio > 1.0 / TOO_HIGH, "{} took only {ratio:.2} of what was planned", need.what);
    result
}

fn arcs(n_arcs: u64) -> EdgeList {
    rmat::generate(&RmatConfig { n_nodes: 1 << 16, n_arcs, ..RmatConfig::default() }, 1).unwrap()
}

/// Features of so many columns, of which each node has ten.
fn wide_features(n_nodes: usize, n_columns: usize) -> Features {
    let n_entries = 10 * n_nodes;
    let column =
        |entry: usize| (entry % 10 * (n_columns / 10) + entry * 7919 % (n_columns / 10)) as u32;
    let offsets = (0..=n_nodes).map(|node| 10 * node).collect();
    let values = (0..n_entries).map(|entry| 1.0 + (entry % 7) as f32).collect();
    Features::Sparse(CsrMatrix::new(
        n_columns,
        offsets,
        (0..n_entries).map(column).collect(),
        values,
    ))
}

/// Is set where plans are compared: each number of threads has a process of its own.
const MEASURED: &str = "MOTIFNET_MEASURED";

#[test]
fn plans_are_about_what_is_taken() {
    if std::env::var_os(MEASURED).is_some() {
        return compare_plans();
    }
    for n_threads in ["1", "2", "8"] {
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "plans_are_about_what_is_taken", "--nocapture"]);
        again.env(MEASURED, "1").env("RAYON_NUM_THREADS", n_threads);
        // What is given back goes to the system at once, and who comes next takes it anew.
        again.env("MALLOC_MMAP_THRESHOLD_", "131072");
        assert!(again.status().unwrap().success(), "on {n_threads} threads");
    }
}

fn compare_plans() {
    let (n_nodes, n_arcs) = (1 << 16, 1_000_000);
    let options = BuildOptions::default();
    let list = arcs(n_arcs as u64);
    let weighted = EdgeList { weights: Some(vec![0.5; n_arcs]), ..list.clone() };
    let need = DiGraph::build_need(n_nodes, n_arcs, false);
    let (graph, _) = compare(need, || DiGraph::build(list, &options).unwrap());
    let need = DiGraph::build_need(n_nodes, n_arcs, true);
    drop(compare(need, || DiGraph::build(weighted, &options).unwrap()));

    let engine = compare(MotifEngine::need(&graph), || MotifEngine::new(&graph));
    let kinds = MotifKind::ALL;
    let operators = || engine.operators(&kinds, &MotifSpec::default(), Representation::Factored);
    let mut operators = compare(engine.operators_need(kinds.len()), operators);

    let config = SignificanceConfig { n_samples: 2, switches: 1, ..SignificanceConfig::default() };
    compare(config.need(&engine), || significance(&engine, &config, &Silent).unwrap());
    let (triangle, _) =
        DiGraph::build(EdgeList::from_pairs(3, [(0, 1), (1, 2), (0, 2)]), &options).unwrap();
    let triangle = MotifEngine::new(&triangle);
    let many = SignificanceConfig { n_samples: 100_000, ..config };
    compare(many.samples_need(), || significance(&triangle, &many, &Silent).unwrap());

    let (lonely, _) = DiGraph::build(EdgeList::from_pairs(1 << 22, []), &options).unwrap();
    compare(GraphSummary::need(lonely.n_nodes()), || GraphSummary::of(&lonely));
    drop(lonely);

    // Steps whose sums are no steps, so that the leaves of a star are not adjacent.
    let steps = [1, 7, 31, 127, 511];
    let ring = (0..1 << 16).flat_map(|node: u32| steps.map(|by| (node, (node + by) & 0xffff)));
    let (ring, _) = DiGraph::build(EdgeList::from_pairs(1 << 16, ring), &options).unwrap();
    let engine = MotifEngine::new(&ring);
    let stars = engine.operators(&[MotifKind::M8], &MotifSpec::default(), Representation::Factored);
    let stars = stars.into_iter().next().unwrap();
    let need = MotifOperator::multiplying_need(stars.size(u64::MAX).entries, ring.n_nodes());
    compare(need, || stars.multiplied_out(u64::MAX).unwrap());

    let at = kinds.iter().position(|&kind| kind == MotifKind::Undirected).unwrap();
    let operator = MotifLaplacian::new(operators.swap_remove(at), LaplacianConfig::default());
    let (operator, k) = (operator.unwrap(), 60);
    let options = KrylovOptions { tolerance: 1e-2, ..KrylovOptions::default() };
    compare(eigenpairs_need(n_nodes, k), || {
        largest_eigenpairs(&operator, k, &options, &Silent).unwrap()
    });

    // Many columns of few entries: by Lanczos' steps on the rows, and by a dense matrix of them.
    for (n_columns, max_columns) in [(150_000, 20), (50_000, 130)] {
        let features = wide_features(200, n_columns);
        let config = FeatureConfig { max_columns, standardize: true, ..FeatureConfig::default() };
        compare(FeaturePipeline::need(&features, 200, max_columns), || {
            let pipeline = FeaturePipeline::fit(&features, 200, &config, &Silent).unwrap();
            pipeline.apply(&features, 200).unwrap()
        });
    }

    let n_nodes = 4000;
    let config = FeatureConfig { max_columns: n_nodes, ..FeatureConfig::default() };
    compare(FeaturePipeline::need(&Features::OneHot, n_nodes, n_nodes), || {
        let pipeline = FeaturePipeline::fit(&Features::OneHot, n_nodes, &config, &Silent).unwrap();
        pipeline.apply(&Features::OneHot, n_nodes).unwrap()
    });
}
