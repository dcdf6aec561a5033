//! From a motif graph to clusters, by any of the methods.

use serde::Serialize;

use super::recursive::{Cut, bisect, sweep_of};
use super::{
    Bisection, ClusterError, ClusterFacts, ClusterLaplacian, MotifGraph, MotifSum, Spectrum,
    SweepCurve,
};
use crate::choice::words;
use crate::graph::Components;
use crate::motif::{MotifEngine, MotifSpec};
use crate::progress::{Progress, Unit};
use crate::spectral::KrylovOptions;

/// How clusters are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ClusterMethod {
    /// Two: the best prefix of the order that the second eigenvector gives (Benson et al. 2016).
    #[default]
    Sweep,
    /// Sweeps of the largest part, again and again.
    Recursive,
    /// k-means of the rows of the first eigenvectors (Ng, Jordan, Weiss 2002).
    Embedding,
}

words!(ClusterMethod, "method", Sweep = "sweep", Recursive = "recursive", Embedding = "embedding",);

/// Which components of the motif graph are clustered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ComponentChoice {
    /// The one with most nodes.
    #[default]
    Largest,
    /// All that have instances: they are set apart first.
    All,
}

words!(ComponentChoice, "components", Largest = "largest", All = "all");

/// What clusters are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterConfig {
    /// How they are found.
    pub method: ClusterMethod,
    /// How many; recursive bisection may stop before.
    pub n_clusters: usize,
    /// The Laplacian whose eigenvectors tell them.
    pub laplacian: ClusterLaplacian,
    /// Which components are clustered.
    pub components: ComponentChoice,
    /// No sweep leaves fewer nodes than this on a side.
    pub min_size: usize,
    /// Recursive bisection leaves a part whole whose best cut has a conductance above this.
    pub max_conductance: f64,
    /// How often k-means starts.
    pub n_starts: usize,
    /// The residual of the eigenvectors, as a share of the largest eigenvalue.
    pub tolerance: f64,
    /// The most vectors to multiply the graph by on the way there. Where that is not enough, what was found is
    /// taken: its eigenvalues are above the true ones, and Cheeger's bound is that of what was found.
    pub max_products: usize,
    /// Of the first vectors of the eigenvalue iteration and of k-means.
    pub seed: u64,
}

impl Default for ClusterConfig {
    /// Two clusters by a sweep of the largest component, normalised; fifty starts of k-means; residuals of
    /// 10⁻⁶ or what 20,000 products give; no bounds.
    fn default() -> Self {
        Self {
            method: ClusterMethod::default(),
            n_clusters: 2,
            laplacian: ClusterLaplacian::default(),
            components: ComponentChoice::default(),
            min_size: 1,
            max_conductance: 1.0,
            n_starts: 50,
            tolerance: 1e-6,
            max_products: 20_000,
            seed: 0,
        }
    }
}

impl ClusterConfig {
    pub(super) fn krylov(&self) -> KrylovOptions {
        let Self { tolerance, max_products, seed, .. } = *self;
        KrylovOptions { tolerance, max_products, best_effort: true, seed }
    }

    /// Whether that can be meant.
    ///
    /// # Errors
    /// Fewer than two clusters, a sweep for more or over several components, or a number out of its bounds.
    pub fn check(&self) -> Result<(), ClusterError> {
        if self.n_clusters < 2 {
            return Err(ClusterError::TooFewClusters(self.n_clusters));
        }
        if self.method == ClusterMethod::Sweep {
            if self.n_clusters > 2 {
                return Err(ClusterError::SweepMakesTwo(self.n_clusters));
            }
            if self.components == ComponentChoice::All {
                return Err(ClusterError::SweepOfAllComponents);
            }
        }
        let Self { tolerance, max_conductance, n_starts, .. } = *self;
        let bounds = [
            (
                "tolerance",
                tolerance,
                tolerance.is_finite() && tolerance > 0.0,
                "a finite number above 0",
            ),
            (
                "max_conductance",
                max_conductance,
                (0.0..=1.0).contains(&max_conductance),
                "a number from 0 to 1",
            ),
            ("n_starts", n_starts as f64, n_starts > 0, "1 or above"),
        ];
        match bounds.into_iter().find(|(.., fits, _)| !fits) {
            Some((name, found, _, wanted)) => {
                Err(ClusterError::OutOfBounds { name, found, wanted })
            }
            None => Ok(()),
        }
    }
}

/// Why bisection stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There are as many clusters as wanted.
    Reached,
    /// Every part is too small to be cut.
    TooSmall,
    /// The parts that could be cut have no cut below the bound.
    Conductance,
}

words!(Stop, "stop", Reached = "reached", TooSmall = "too-small", Conductance = "conductance",);

/// What was not clustered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Nodes that are in no instance.
    pub without_instance: usize,
    /// Nodes of other components.
    pub in_other_components: usize,
    /// How many components they make.
    pub other_components: usize,
}

/// Clusters of the nodes of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Clustering {
    /// The cluster of every node; cluster 0 is the largest, and clusters of one size go by their lowest
    /// nodes. None of what was left out.
    pub of_node: Vec<Option<u32>>,
    /// What is to be said of each cluster.
    pub clusters: Vec<ClusterFacts>,
    /// Of the nodes that were not clustered.
    pub left_out: LeftOut,
    /// The smallest eigenvalues of the Laplacian; one zero for every component.
    pub eigenvalues: Vec<f64>,
    /// The residual of their vectors.
    pub residual: f64,
    /// The sweep along the second eigenvector; none of several components.
    pub curve: Option<SweepCurve>,
    /// The places of the nodes in the space where k-means works, nodes × width, row after row; only of the
    /// method `embedding`, and with no row for what was left out.
    pub points: Option<(Vec<f64>, usize)>,
    /// The cuts of recursive bisection, in order.
    pub bisections: Vec<Bisection>,
    /// Why it stopped; none for the other methods.
    pub stop: Option<Stop>,
}

impl Clustering {
    /// Number of nodes that were clustered.
    pub fn n_clustered(&self) -> usize {
        self.clusters.iter().map(|cluster| cluster.n_nodes).sum()
    }

    /// √(2 λ₂), which the best of all sweeps along the second eigenvector of one component is not above, but for
    /// the Laplacian D − W.
    pub fn cheeger_bound(&self, laplacian: ClusterLaplacian) -> Option<f64> {
        let is_normalized = laplacian != ClusterLaplacian::Combinatorial;
        let lambda = self.eigenvalues.get(1).filter(|_| is_normalized && self.curve.is_some());
        lambda.map(|lambda| (2.0 * lambda).sqrt())
    }

    /// Whether the eigenvectors are as precise as was wanted.
    pub fn is_converged(&self, config: &ClusterConfig) -> bool {
        self.residual <= config.tolerance
    }

    /// How many nodes are before the best cut of the sweep, and its conductance.
    pub fn best_sweep(&self, min_size: usize) -> Option<(usize, f64)> {
        let curve = self.curve.as_ref()?;
        let size = curve.best(min_size)?;
        Some((size, curve.conductances[size - 1]))
    }
}

/// Clusters the nodes of a graph so that few instances of `motifs` have nodes in several clusters.
///
/// W = Σ w_k W_k is taken as a weighted undirected graph on its largest component (or all); its second
/// eigenvector orders the nodes for a sweep, whose best prefix has φ ≤ √(2 λ₂) for the normalised Laplacian
/// (Cheeger); bisection repeats that, and the embedding takes the first `n_clusters` eigenvectors to k-means.
///
/// W is never formed: a product costs O(arcs) whatever the degrees, a sweep as much as one product. Memory
/// O(arcs + nodes · clusters). The same seed gives the same clusters on any number of threads.
///
/// Source: Benson, Gleich, Leskovec, "Higher-order organization of complex networks" (Science 2016).
///
/// # Errors
/// If there is no instance, there are fewer nodes than clusters, arc weights are negative, degrees are beyond
/// what `f64` holds, or the eigenvectors are not found.
///
/// ```
/// use motifnet::graph::{DiGraph, EdgeList};
/// use motifnet::motif::{MotifEngine, MotifSpec};
/// use motifnet::progress::Silent;
/// use motifnet::spectral::cluster::{ClusterConfig, cluster};
///
/// // Two cliques of cycles that share an arc: {0, 1, 2, 3} and {4, 5, 6, 7}.
/// let cycle = |n: u32| [(n, n + 1), (n + 1, n + 2), (n + 2, n), (n + 2, n + 3), (n + 3, n + 1)];
/// let arcs = cycle(0).into_iter().chain(cycle(4)).chain([(0, 4), (4, 1), (1, 0)]);
/// let (graph, _) = DiGraph::build(EdgeList::from_pairs(8, arcs), &Default::default())?;
/// let engine = MotifEngine::new(&graph);
/// let config = ClusterConfig::default();
/// let found = cluster(&engine, &"U".parse()?, &MotifSpec::default(), &config, &Silent)?;
/// let of = |node: usize| found.of_node[node];
/// assert!(of(5) == of(6) && of(6) == of(7) && of(2) == of(3) && of(3) != of(7));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cluster(
    engine: &MotifEngine<'_>,
    motifs: &MotifSum,
    spec: &MotifSpec,
    config: &ClusterConfig,
    progress: &dyn Progress,
) -> Result<Clustering, ClusterError> {
    config.check()?;
    progress.begin("joining nodes by motifs", None, Unit::Steps);
    let whole = MotifGraph::new(engine, motifs, spec)?;
    let (all, members) = whole.joined_components();
    progress.end();
    let Some(largest) = members.first() else {
        return Err(ClusterError::NoInstances { motifs: motifs.to_string() });
    };
    let (places, n_components) = match config.components {
        ComponentChoice::Largest => (largest.clone(), 1),
        ComponentChoice::All => {
            let mut places = members.concat();
            places.sort_unstable();
            (places, members.len())
        }
    };
    let n_joined: usize = members.iter().map(Vec::len).sum();
    let left_out = LeftOut {
        without_instance: whole.n_nodes() - n_joined,
        in_other_components: n_joined - places.len(),
        other_components: members.len() - n_components,
    };
    let ClusterConfig { n_clusters, min_size, .. } = *config;
    if n_clusters > places.len() {
        let (n_nodes, motifs) = (places.len(), motifs.to_string());
        return Err(ClusterError::TooManyClusters { n_clusters, n_nodes, motifs });
    }
    let n_nodes = whole.n_nodes();
    let graph = whole.part(&places);
    drop(whole);
    // All of them are in instances.
    if !graph.degrees().iter().all(|&degree| degree > 0.0) {
        return Err(ClusterError::WeightsTooSmall { motifs: motifs.to_string() });
    }
    let components = within(&all, &places, n_components);

    let mut found = Found::default();
    match config.method {
        ClusterMethod::Sweep | ClusterMethod::Recursive if n_components == 1 => {
            let (spectrum, curve) = sweep_of(&graph, &components, config, progress)?;
            let cut = Cut::of(&curve, &spectrum, config);
            let cut = cut.ok_or(ClusterError::NoCut { n_nodes: graph.n_nodes(), min_size })?;
            if config.method == ClusterMethod::Sweep {
                found.groups = cut.side.iter().map(|&is_on_side| u32::from(is_on_side)).collect();
                found.n_groups = 2;
            } else {
                found.bisect(&graph, Some(cut), config, progress)?;
            }
            (found.spectrum, found.curve) = (Some(spectrum), Some(curve));
        }
        ClusterMethod::Sweep | ClusterMethod::Recursive => {
            found.bisect(&graph, None, config, progress)?;
        }
        ClusterMethod::Embedding => {
            if n_components > n_clusters {
                let motifs = motifs.to_string();
                let error = ClusterError::MoreComponents { n_components, n_clusters, motifs };
                return Err(error);
            }
            let krylov = config.krylov();
            let laplacian = config.laplacian;
            let spectrum =
                Spectrum::new(&graph, &components, laplacian, n_clusters, &krylov, progress)?;
            found.groups = spectrum.groups(config, progress);
            found.n_groups = n_clusters;
            found.points = Some(spectrum.points(laplacian));
            if n_components == 1 {
                found.curve = Some(SweepCurve::new(&graph, &spectrum.fiedler(&graph, laplacian)));
            }
            found.spectrum = Some(spectrum);
        }
    }
    let groups = by_size(&found.groups, found.n_groups);
    let n_groups = groups.iter().max().map_or(0, |&most| most as usize + 1);
    let mut of_node = vec![None; n_nodes];
    for (&node, &group) in graph.nodes().iter().zip(&groups) {
        of_node[node as usize] = Some(group);
    }
    let spectrum = found.spectrum;
    Ok(Clustering {
        of_node,
        clusters: graph.cluster_facts(&groups, n_groups),
        left_out,
        eigenvalues: spectrum
            .as_ref()
            .map_or_else(|| vec![0.0; n_components], |spectrum| spectrum.eigenvalues.clone()),
        residual: spectrum.as_ref().map_or(0.0, |spectrum| spectrum.residual),
        curve: found.curve,
        points: found.points,
        bisections: found.bisections,
        stop: found.stop,
    })
}

/// What a method found, not yet in order.
#[derive(Default)]
struct Found {
    groups: Vec<u32>,
    n_groups: usize,
    spectrum: Option<Spectrum>,
    curve: Option<SweepCurve>,
    points: Option<(Vec<f64>, usize)>,
    bisections: Vec<Bisection>,
    stop: Option<Stop>,
}

impl Found {
    fn bisect(
        &mut self,
        graph: &MotifGraph,
        first: Option<Cut>,
        config: &ClusterConfig,
        progress: &dyn Progress,
    ) -> Result<(), ClusterError> {
        let bisected = bisect(graph, first, config, progress)?;
        (self.groups, self.n_groups) = (bisected.groups, bisected.n_groups);
        (self.bisections, self.stop) = (bisected.cuts, Some(bisected.stop));
        Ok(())
    }
}

/// The components that the nodes at `places` are in: the first `n_components` of `all`.
fn within(all: &Components, places: &[u32], n_components: usize) -> Components {
    let labels = places.iter().map(|&place| all.labels[place as usize]).collect();
    Components { labels, sizes: all.sizes[..n_components].to_vec() }
}

/// Groups renumbered by size, the largest first, then by their lowest members; empty ones are gone.
fn by_size(groups: &[u32], n_groups: usize) -> Vec<u32> {
    let mut sizes = vec![0_usize; n_groups];
    let mut order: Vec<u32> = Vec::new();
    for &group in groups {
        if sizes[group as usize] == 0 {
            order.push(group);
        }
        sizes[group as usize] += 1;
    }
    order.sort_by_key(|&group| std::cmp::Reverse(sizes[group as usize]));
    let mut rank = vec![0; n_groups];
    for (position, &group) in order.iter().enumerate() {
        rank[group as usize] = position as u32;
    }
    groups.iter().map(|&group| rank[group as usize]).collect()
}
