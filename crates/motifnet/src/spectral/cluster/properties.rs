//! The motif graph, sweeps and clusters against brute force, and the laws that hold for any graph.

use proptest::prelude::*;

use super::spectrum::ClusterLaplacian;
use super::{
    ClusterConfig, ClusterError, ClusterMethod, Clustering, ComponentChoice, MotifGraph, MotifSum,
    Spectrum, Stop, SweepCurve, cluster, oracle,
};
use crate::graph::generate::dsbm::{self, DsbmConfig};
use crate::graph::{BuildOptions, DiGraph, EdgeList};
use crate::motif::{Instances, MotifEngine, MotifKind, MotifSpec, Support, Weights};
use crate::progress::Silent;
use crate::sparse::LinearOperator;
use crate::spectral::KrylovOptions;

fn build(n_nodes: usize, arcs: impl IntoIterator<Item = (u32, u32, f32)>) -> DiGraph {
    let list = EdgeList::from_triples(n_nodes, arcs);
    DiGraph::build(list, &BuildOptions::default()).unwrap().0
}

/// Graphs of up to `most` nodes and of any density.
fn graphs(most: usize) -> impl Strategy<Value = DiGraph> {
    (2..most, 0.0..1.2).prop_flat_map(|(n, density)| {
        let n_arcs = (density * (n * n) as f64) as usize;
        let node = 0..n as u32;
        let arc = (node.clone(), node, (1i8..12).prop_map(|quarters| f32::from(quarters) / 4.0));
        prop::collection::vec(arc, 0..=n_arcs).prop_map(move |arcs| build(n, arcs))
    })
}

fn specs() -> impl Strategy<Value = MotifSpec> {
    let support = prop::sample::select(Support::ALL.to_vec());
    let instances = prop::sample::select(Instances::ALL.to_vec());
    let weights = prop::sample::select(Weights::ALL.to_vec());
    (support, instances, weights).prop_map(|(support, instances, weights)| MotifSpec {
        support,
        instances,
        weights,
    })
}

fn symmetric() -> Vec<MotifKind> {
    MotifKind::ALL.into_iter().filter(|kind| kind.is_symmetric()).collect()
}

/// A motif, or two of them.
fn sums() -> impl Strategy<Value = MotifSum> {
    let kind = || prop::sample::select(symmetric());
    (kind(), prop::option::of(kind())).prop_map(|(first, second)| {
        let second = second.map(|kind| (kind, 0.5));
        MotifSum::new([(first, 1.0)].into_iter().chain(second)).unwrap()
    })
}

fn one(kind: MotifKind) -> MotifSum {
    MotifSum::new([(kind, 1.0)]).unwrap()
}

/// The places whose bit is set, ascending.
fn chosen(n: usize, bits: u32) -> Vec<u32> {
    (0..n as u32).filter(|place| bits >> place & 1 == 1).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Of the whole and of any part: products, degrees, components, and the sweep in any order.
    #[test]
    fn a_motif_graph_is_the_matrix_of_brute_force(
        graph in graphs(12),
        motifs in sums(),
        spec in specs(),
        bits in any::<u32>(),
        values in prop::collection::vec(-1.0..1.0, 12),
    ) {
        let engine = MotifEngine::new(&graph);
        let dense = oracle::matrix(&graph, &motifs, &spec);
        let whole = MotifGraph::new(&engine, &motifs, &spec).unwrap();
        let places = chosen(graph.n_nodes(), bits);
        let parts = [(whole.clone(), dense.clone()), (whole.part(&places), oracle::part(&dense, &places))];
        for (found, expected) in parts {
            let n = expected.len();
            prop_assert_eq!(found.n_nodes(), n);
            prop_assert_eq!(found.components().labels, oracle::components(&expected));
            let mut identity = vec![0.0; n * n];
            identity.iter_mut().step_by(n + 1).for_each(|entry| *entry = 1.0);
            let entries = found.apply(&identity, n);
            for i in 0..n {
                let degree: f64 = expected[i].iter().sum();
                prop_assert!((found.degrees()[i] - degree).abs() <= 1e-9 * degree);
                for j in 0..n {
                    prop_assert!((entries[i * n + j] - expected[i][j]).abs() < 1e-9);
                }
            }
            let curve = SweepCurve::new(&found, &values[..n]);
            let mut is_inside = vec![false; n];
            for (&place, &conductance) in curve.places.iter().zip(&curve.conductances) {
                is_inside[place as usize] = true;
                let expected = oracle::conductance(&expected, &is_inside);
                prop_assert!((conductance - expected).abs() < 1e-7, "{conductance} {expected}");
            }
        }
    }

    /// φ of the pairs graph is the motif conductance for every set, and of every cluster.
    #[test]
    fn conductance_counts_the_instances_that_are_cut(
        graph in graphs(9),
        bits in any::<u32>(),
        instances in prop::sample::select(Instances::ALL.to_vec()),
    ) {
        let spec = MotifSpec { instances, ..MotifSpec::default() };
        let engine = MotifEngine::new(&graph);
        let n = graph.n_nodes();
        let clusters: Vec<u32> = (0..n).map(|place| bits >> place & 1).collect();
        for kind in MotifKind::triads() {
            let found = MotifGraph::new(&engine, &one(kind), &spec).unwrap();
            for (cluster, facts) in found.cluster_facts(&clusters, 2).into_iter().enumerate() {
                let is_inside: Vec<bool> = clusters.iter().map(|&c| c as usize == cluster).collect();
                let expected = oracle::motif_conductance(&graph, kind, &spec, &is_inside);
                prop_assert!((facts.conductance - expected).abs() < 1e-12, "{kind}");
            }
        }
    }

    /// No cut is better than the best, and the sweep's is within Cheeger's bound: φ* ≤ φ ≤ √(2 λ₂), and
    /// λ₂ / 2 ≤ φ*.
    #[test]
    fn a_sweep_lies_between_the_optimum_and_cheegers_bound(
        graph in graphs(10),
        motifs in sums(),
        spec in specs(),
    ) {
        let engine = MotifEngine::new(&graph);
        let config = ClusterConfig { tolerance: 1e-10, ..ClusterConfig::default() };
        let found = match cluster(&engine, &motifs, &spec, &config, &Silent) {
            Err(ClusterError::NoInstances { .. }) => return Ok(()),
            found => found.unwrap(),
        };
        let curve = found.curve.as_ref().unwrap();
        let mut nodes = curve.nodes.clone();
        nodes.sort_unstable();
        let matrix = oracle::part(&oracle::matrix(&graph, &motifs, &spec), &nodes);
        let least = oracle::least_conductance(&matrix);
        let (_, reached) = found.best_sweep(1).unwrap();
        let lambda = found.eigenvalues[1];
        prop_assert!(reached >= least - 1e-9, "{reached} below {least}");
        prop_assert!(reached <= (2.0 * lambda).sqrt() + 1e-7, "{reached}, λ₂ {lambda}");
        prop_assert!(least >= lambda / 2.0 - 1e-9);
        for facts in &found.clusters {
            prop_assert!((facts.conductance - reached).abs() < 1e-7);
        }
    }

    /// Eigenpairs are eigenpairs, of one component or several.
    #[test]
    fn the_spectrum_is_that_of_the_laplacian(graph in graphs(12), motifs in sums(), n_pairs in 1_usize..5) {
        let engine = MotifEngine::new(&graph);
        let whole = MotifGraph::new(&engine, &motifs, &MotifSpec::default()).unwrap();
        let (_, members) = whole.joined_components();
        let mut places = members.concat();
        places.sort_unstable();
        let graph = whole.part(&places);
        let (n, components) = (graph.n_nodes(), graph.components());
        let n_pairs = n_pairs.max(components.len()).min(n);
        if n == 0 {
            return Ok(());
        }
        for laplacian in ClusterLaplacian::ALL {
            let options = KrylovOptions::default();
            let found =
                Spectrum::new(&graph, &components, laplacian, n_pairs, &options, &Silent).unwrap();
            prop_assert!(found.eigenvalues.is_sorted());
            let images = graph.apply(&found.vectors, n_pairs);
            let degrees = graph.degrees();
            let scale = degrees.iter().copied().fold(1.0, f64::max);
            for (pair, &value) in found.eigenvalues.iter().enumerate() {
                let vector = found.vector(pair);
                prop_assert!((vector.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-9);
                let image = |node: usize| -> f64 {
                    match laplacian {
                        ClusterLaplacian::Combinatorial => {
                            degrees[node] * vector[node] - images[node * n_pairs + pair]
                        }
                        ClusterLaplacian::RandomWalk => {
                            vector[node] - images[node * n_pairs + pair] / degrees[node]
                        }
                        ClusterLaplacian::Normalized => {
                            let scaled: Vec<f64> =
                                vector.iter().zip(degrees).map(|(x, d)| x / d.sqrt()).collect();
                            vector[node] - graph.apply(&scaled, 1)[node] / degrees[node].sqrt()
                        }
                    }
                };
                for (node, entry) in vector.iter().enumerate() {
                    prop_assert!((image(node) - value * entry).abs() < 1e-6 * scale);
                }
            }
        }
    }

    /// Whatever is asked, every joined node has a cluster, none is empty, and they add up.
    #[test]
    fn clusters_share_out_the_nodes(
        graph in graphs(14),
        motifs in sums(),
        k in 2_usize..6,
        method in prop::sample::select(ClusterMethod::ALL.to_vec()),
        laplacian in prop::sample::select(ClusterLaplacian::ALL.to_vec()),
        components in prop::sample::select(ComponentChoice::ALL.to_vec()),
        min_size in 1_usize..4,
        max_conductance in 0.0..1.2,
    ) {
        let engine = MotifEngine::new(&graph);
        let config = ClusterConfig {
            method, n_clusters: k, laplacian, components, min_size, max_conductance, seed: 3,
            ..ClusterConfig::default()
        };
        let found = match cluster(&engine, &motifs, &MotifSpec::default(), &config, &Silent) {
            Err(error) => {
                prop_assert!(!matches!(error, ClusterError::Krylov(_)), "{error}");
                return Ok(());
            }
            Ok(found) => found,
        };
        let n_clustered = found.of_node.iter().flatten().count();
        prop_assert_eq!(n_clustered, found.n_clustered());
        let LeftOutSum(n_left) = left_out(&found);
        prop_assert_eq!(n_clustered + n_left, graph.n_nodes());
        prop_assert!(found.clusters.iter().all(|cluster| cluster.n_nodes > 0));
        prop_assert!(found.clusters.is_sorted_by(|a, b| a.n_nodes >= b.n_nodes));
        prop_assert!(found.clusters.len() <= k);
        match method {
            ClusterMethod::Sweep => prop_assert_eq!(found.clusters.len(), 2),
            ClusterMethod::Recursive => {
                prop_assert_eq!(found.clusters.len(), found.bisections.len() + 1);
                prop_assert_eq!(found.stop == Some(Stop::Reached), found.clusters.len() == k);
                for bisection in &found.bisections {
                    prop_assert!(bisection.sides[1] >= min_size);
                    prop_assert!(bisection.conductance <= max_conductance);
                }
            }
            ClusterMethod::Embedding => {}
        }
    }
}

struct LeftOutSum(usize);

fn left_out(found: &Clustering) -> LeftOutSum {
    LeftOutSum(found.left_out.without_instance + found.left_out.in_other_components)
}

/// Blocks of 60 nodes, dense inside and sparse between.
fn blocks(n_blocks: usize, inside: f64, between: f64) -> (DiGraph, Vec<u32>) {
    let probability = |a: usize, b: usize| if a == b { inside } else { between };
    let config = DsbmConfig {
        block_sizes: vec![60; n_blocks],
        connections: (0..n_blocks)
            .map(|a| (0..n_blocks).map(|b| probability(a, b)).collect())
            .collect(),
        ..DsbmConfig::default()
    };
    let (graph, _) =
        DiGraph::build(dsbm::generate(&config, 5).unwrap(), &BuildOptions::default()).unwrap();
    (graph, config.block_of_each_node().unwrap())
}

#[test]
fn planted_blocks_are_found_by_every_method() {
    let (graph, truth) = blocks(3, 0.3, 0.01);
    let engine = MotifEngine::new(&graph);
    for (method, laplacian) in [
        (ClusterMethod::Recursive, ClusterLaplacian::Normalized),
        (ClusterMethod::Embedding, ClusterLaplacian::Normalized),
        (ClusterMethod::Embedding, ClusterLaplacian::RandomWalk),
        (ClusterMethod::Embedding, ClusterLaplacian::Combinatorial),
    ] {
        for motifs in ["U", "M5", "M8", "M5+0.1*M9"] {
            let config = ClusterConfig { method, laplacian, n_clusters: 3, ..Default::default() };
            let motifs_ = motifs.parse().unwrap();
            let found =
                cluster(&engine, &motifs_, &MotifSpec::default(), &config, &Silent).unwrap();
            for (i, j) in (0..180).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let together = found.of_node[i] == found.of_node[j];
                assert_eq!(together, truth[i] == truth[j], "{method} {laplacian} {motifs} {i} {j}");
            }
        }
    }
}

#[test]
fn one_thread_and_many_give_the_same_clusters() {
    let (graph, _) = blocks(12, 0.2, 0.01);
    let engine = MotifEngine::new(&graph);
    for method in [ClusterMethod::Recursive, ClusterMethod::Embedding] {
        for motifs in ["M5", "M8+M10", "Mcoll"] {
            let config = ClusterConfig { method, n_clusters: 4, ..Default::default() };
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let (motifs, spec) = (motifs.parse().unwrap(), MotifSpec::default());
                pool.install(|| cluster(&engine, &motifs, &spec, &config, &Silent).unwrap())
            };
            let alone = run(1);
            assert!(alone == run(2) && alone == run(4), "{method} {motifs}");
        }
    }
}

fn refused(graph: &DiGraph, motifs: &str, spec: MotifSpec, config: ClusterConfig) -> String {
    let engine = MotifEngine::new(graph);
    let found = cluster(&engine, &motifs.parse().unwrap(), &spec, &config, &Silent);
    found.unwrap_err().to_string()
}

#[test]
fn what_cannot_be_clustered_says_why() {
    let graph = build(4, [(0, 1, 1.0), (1, 2, -2.0), (0, 2, 1.0)]);
    let (spec, config) = (MotifSpec::default(), ClusterConfig::default());
    let ask = |motifs, config| refused(&graph, motifs, spec, config);
    insta::assert_snapshot!(ask("M1+M6", config), @"the graph has no instance of M1+M6, so there is nothing to cluster by; choose a motif that it has, which its census tells, or count `subgraph` instances in place of induced ones");
    insta::assert_snapshot!(ask("M5", ClusterConfig { n_clusters: 1, ..config }), @"1 clusters: there must be at least 2");
    insta::assert_snapshot!(ask("M5", ClusterConfig { n_clusters: 3, ..config }), @"a sweep makes two clusters, not 3; use the method `recursive` or `embedding` to have more");
    let many = ClusterConfig { n_clusters: 4, method: ClusterMethod::Embedding, ..config };
    insta::assert_snapshot!(ask("M5", many), @"4 clusters of 3 nodes: so many nodes are joined by instances of M5; ask for fewer clusters");
    insta::assert_snapshot!(ask("M5", ClusterConfig { min_size: 2, ..config }), @"no cut of 3 nodes leaves 2 on either side; allow smaller clusters");
    insta::assert_snapshot!(ask("M5", ClusterConfig { components: ComponentChoice::All, ..config }), @"a sweep over all components would only tell one from the others; use the component that is the largest, or another method");
    let weighted = MotifSpec { weights: Weights::Mean, ..spec };
    insta::assert_snapshot!(refused(&graph, "M5", weighted, config), @"M5 has no Laplacian: some arc weights are negative, and a degree must not be; use the weights `count`, which ignore them, or shift or drop the negative arcs");
    let triangles = build(
        9,
        [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (6, 7), (7, 8), (6, 8)]
            .map(|(s, t)| (s, t, 1.0)),
    );
    let all = ClusterConfig {
        components: ComponentChoice::All,
        method: ClusterMethod::Embedding,
        ..config
    };
    insta::assert_snapshot!(refused(&triangles, "M5", spec, all), @"the graph of M5 has 3 components, more than the 2 clusters that are wanted; ask for more clusters, or cluster the largest component alone");
    let empty = build(0, []);
    insta::assert_snapshot!(refused(&empty, "U", spec, config), @"the graph has no instance of U, so there is nothing to cluster by; choose a motif that it has, which its census tells, or count `subgraph` instances in place of induced ones");
}

#[test]
fn weights_beyond_the_range_of_floats_are_refused() {
    let clique = |weight| {
        let arcs = (0..12_u32).flat_map(|s| (0..12).map(move |t| (s, t, weight)));
        build(12, arcs.filter(|(s, t, _)| s != t))
    };
    let product = MotifSpec { weights: Weights::Product, ..MotifSpec::default() };
    let star = build(5, (1..5).map(|leaf| (0, leaf, 3e38)));
    let small_star = build(5, (1..5).map(|leaf| (0, leaf, 1e-30)));
    for laplacian in ClusterLaplacian::ALL {
        let config = ClusterConfig { laplacian, ..ClusterConfig::default() };
        for (graph, motif, spec) in [
            (clique(1.0), "1e308*U", MotifSpec::default()),
            (clique(1.0), "1e307*U", MotifSpec::default()),
            (clique(3e38), "1e300*M4", product),
            (star.clone(), "1e300*M8", product),
        ] {
            let said = refused(&graph, motif, spec, config);
            let told =
                " add up to more than 64-bit numbers hold; scale them down, or those of the arcs";
            assert!(said.ends_with(told), "{laplacian} {motif}: {said}");
        }
    }
    let said = refused(&small_star, "1e-300*M8", product, ClusterConfig::default());
    assert!(
        said.ends_with("less than 64-bit numbers hold; scale them up, or those of the arcs"),
        "{said}"
    );
}
