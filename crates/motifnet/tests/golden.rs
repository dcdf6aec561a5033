//! Golden facts: the engine against igraph's census and motifcluster's matrices.
//!
//! The synthetic graphs stand in their JSON files. The real ones are read from the folder that
//! `MOTIFNET_DATA` names, and skipped without it.

mod common;

use std::path::Path;

use common::{data_folder, skip};
use motifnet::graph::{DiGraph, EdgeList, ReadOptions, read_graph};
use motifnet::motif::{
    Instances, MotifEngine, MotifKind, MotifSpec, Representation, Support, Weights,
};
use motifnet::progress::Silent;
use motifnet::sparse::{CsrMatrix, LinearOperator};
use serde_json::Value;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");

fn golden_files() -> Vec<Value> {
    let mut paths: Vec<_> = std::fs::read_dir(GOLDEN)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    paths.sort();
    let read = |path: &Path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    paths.iter().map(|path| read(path)).collect()
}

fn arcs_of(facts: &Value) -> Option<DiGraph> {
    let arcs = facts["arcs"].as_array()?.iter().map(|arc| {
        let node = |end: usize| arc[end].as_u64().unwrap() as u32;
        (node(0), node(1), arc[2].as_f64().unwrap() as f32)
    });
    let list = EdgeList::from_triples(facts["n_nodes"].as_u64().unwrap() as usize, arcs);
    Some(DiGraph::build(list, &Default::default()).unwrap().0)
}

fn check(graph: &DiGraph, facts: &Value) {
    let name = facts["graph"].as_str().unwrap();
    assert_eq!(graph.n_nodes() as u64, facts["n_nodes"], "nodes of {name}");
    assert_eq!(graph.n_arcs() as u64, facts["n_arcs"], "arcs of {name}");
    let engine = MotifEngine::new(graph);
    for (class, count) in engine.census().iter() {
        assert_eq!(count.to_string(), facts["census"][class], "{class} of {name}");
    }
    for (motif, by_instances) in facts["matrices"].as_object().unwrap() {
        let kind: MotifKind = motif.parse().unwrap();
        for (instances, by_weights) in by_instances.as_object().unwrap() {
            for (weights, expected) in by_weights.as_object().unwrap() {
                let spec = MotifSpec {
                    support: Support::Pairs,
                    instances: match instances.as_str() {
                        "struc" => Instances::Induced,
                        _ => Instances::Subgraph,
                    },
                    weights: match weights.as_str() {
                        "unweighted" => Weights::Count,
                        "mean" => Weights::Mean,
                        _ => Weights::Product,
                    },
                };
                let what = format!("{name} {motif} {instances} {weights}");
                check_matrix(&engine, kind, &spec, expected, &what);
            }
        }
    }
}

fn check_matrix(
    engine: &MotifEngine<'_>,
    kind: MotifKind,
    spec: &MotifSpec,
    expected: &Value,
    what: &str,
) {
    let close = |found: f64, fact: &str| {
        let expected = expected[fact].as_f64().unwrap();
        let tolerance = if spec.weights == Weights::Count { 0.0 } else { 1e-10 * expected.abs() };
        assert!((found - expected).abs() <= tolerance, "{fact} of {what}: {found}, not {expected}");
    };
    let operator = engine.operators(&[kind], spec, Representation::Factored).remove(0);
    let matrix = operator.to_csr(u64::MAX).unwrap();
    assert_eq!(matrix.n_entries() as u64, expected["nnz"], "entries of {what}");
    close(matrix.values().iter().sum(), "sum");
    close(matrix.values().iter().map(|value| value * value).sum(), "sum_squares");
    close(probe(&matrix), "probe");
    close(probe(&operator), "probe");
}

/// zᵀ W x for two vectors that tell rows and columns apart.
fn probe(operator: &impl LinearOperator<f64>) -> f64 {
    let cycle = |length: usize| move |i: usize| 1.0 + (i % length) as f64;
    let x: Vec<f64> = (0..operator.n_columns()).map(cycle(7)).collect();
    let y = operator.apply(&x, 1);
    y.iter().enumerate().map(|(i, y)| cycle(5)(i) * y).sum()
}

#[test]
fn synthetic_graphs_have_the_facts_of_igraph_and_motifcluster() {
    let mut checked = 0;
    for facts in golden_files() {
        if let Some(graph) = arcs_of(&facts) {
            check(&graph, &facts);
            checked += 1;
        }
    }
    assert_eq!(checked, 4);
}

#[test]
fn real_graphs_have_the_facts_of_igraph_and_motifcluster() {
    let Some(data) = data_folder() else { return skip() };
    let mut checked = 0;
    for facts in golden_files() {
        if facts.get("arcs").is_some() {
            continue;
        }
        let folder = data.join(facts["graph"].as_str().unwrap());
        let loaded = read_graph(&folder, &ReadOptions::default(), &Silent).unwrap();
        check(&loaded.graph, &facts);
        checked += 1;
    }
    assert_eq!(checked, 8);
}

/// The size that the paper calls too dense to train on, and the others it compares it with.
#[test]
fn cora_full_has_the_matrix_sizes_of_the_paper() {
    let Some(data) = data_folder() else { return skip() };
    let loaded = read_graph(&data.join("cora-full"), &ReadOptions::default(), &Silent).unwrap();
    let engine = MotifEngine::new(&loaded.graph);
    let entries = |kind| {
        let operator = engine.operator(kind, &MotifSpec::default());
        let matrix: CsrMatrix = operator.to_csr(u64::MAX).unwrap();
        matrix.n_entries()
    };
    assert_eq!(entries(MotifKind::M10), 1_185_850);
    let others = MotifKind::triads().into_iter().filter(|&kind| kind != MotifKind::M10);
    assert_eq!(others.map(entries).max(), Some(365_614));
}
