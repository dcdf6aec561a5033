//! Clusters of nodes by motifs.

use motifnet::motif::MotifEngine;
use motifnet::spectral::cluster::{ClusterConfig, Clustering, MotifSum, cluster};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raise;
use crate::graph::Graph;
use crate::motifs::motif_spec;
use crate::work;

/// The nodes of a sweep, their values and the conductance of the cut after each.
type Curve = (Py<PyArray1<u32>>, Py<PyArray1<f64>>, Py<PyArray1<f64>>);

/// Clusters of the nodes of a graph.
#[pyclass(frozen, get_all, module = "motifnet._motifnet")]
pub(crate) struct Clusters {
    /// The cluster of every node, −1 of those that were left out.
    labels: Py<PyArray1<i64>>,
    /// By cluster: nodes, volume, cut and conductance.
    facts: Vec<(usize, f64, f64, f64)>,
    /// Nodes in no instance, nodes in other components, and how many components they make.
    left_out: (usize, usize, usize),
    eigenvalues: Py<PyArray1<f64>>,
    curve: Option<Curve>,
    /// The rows that k-means works on.
    points: Option<Py<PyArray2<f64>>>,
    /// Why bisection stopped.
    stop: Option<&'static str>,
    /// How far the eigenvectors are from such, as a share of the largest eigenvalue.
    residual: f64,
    /// Whether that is as little as was wanted.
    is_converged: bool,
}

/// The settings that are numbers, with their defaults.
#[pyfunction]
pub(crate) fn cluster_defaults(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let ClusterConfig { min_size, max_conductance, n_starts, tolerance, max_products, .. } =
        ClusterConfig::default();
    let found = PyDict::new(py);
    found.set_item("min_size", min_size)?;
    found.set_item("max_conductance", max_conductance)?;
    found.set_item("n_starts", n_starts)?;
    found.set_item("tolerance", tolerance)?;
    found.set_item("max_products", max_products)?;
    Ok(found)
}

/// Clusters the nodes so that few instances of the motifs have nodes in several clusters.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the words of the command line")]
pub(crate) fn motif_clusters(
    py: Python<'_>,
    graph: &Graph,
    motifs: &str,
    support: &str,
    instances: &str,
    weights: &str,
    n_clusters: usize,
    method: &str,
    laplacian: &str,
    components: &str,
    min_size: usize,
    max_conductance: f64,
    n_starts: usize,
    tolerance: f64,
    max_products: usize,
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Clusters> {
    let motifs = motifs.parse::<MotifSum>().map_err(raise)?;
    let spec = motif_spec(support, instances, weights)?;
    let config = ClusterConfig {
        method: method.parse().map_err(raise)?,
        n_clusters,
        laplacian: laplacian.parse().map_err(raise)?,
        components: components.parse().map_err(raise)?,
        min_size,
        max_conductance,
        n_starts,
        tolerance,
        max_products,
        seed,
    };
    config.check().map_err(raise)?;
    let found = work::run(py, progress.as_ref(), |relay| {
        let engine = MotifEngine::with_progress(&graph.graph, relay);
        cluster(&engine, &motifs, &spec, &config, relay)
    })?;
    Clusters::new(py, found.map_err(raise)?, &config)
}

impl Clusters {
    fn new(py: Python<'_>, found: Clustering, config: &ClusterConfig) -> PyResult<Self> {
        let (residual, is_converged) = (found.residual, found.is_converged(config));
        let label = |cluster: &Option<u32>| cluster.map_or(-1, i64::from);
        let labels = PyArray1::from_vec(py, found.of_node.iter().map(label).collect()).unbind();
        let clusters = found.clusters.iter();
        let facts = clusters
            .map(|cluster| (cluster.n_nodes, cluster.volume, cluster.cut, cluster.conductance));
        let points = match found.points {
            Some((values, width)) => {
                let n_rows = values.len() / width.max(1);
                Some(PyArray1::from_vec(py, values).reshape([n_rows, width])?.unbind())
            }
            None => None,
        };
        let left_out = found.left_out;
        Ok(Self {
            labels,
            facts: facts.collect(),
            left_out: (
                left_out.without_instance,
                left_out.in_other_components,
                left_out.other_components,
            ),
            eigenvalues: PyArray1::from_vec(py, found.eigenvalues).unbind(),
            curve: found.curve.map(|curve| {
                (
                    PyArray1::from_vec(py, curve.nodes).unbind(),
                    PyArray1::from_vec(py, curve.values).unbind(),
                    PyArray1::from_vec(py, curve.conductances).unbind(),
                )
            }),
            points,
            stop: found.stop.map(|stop| stop.name()),
            residual,
            is_converged,
        })
    }
}
