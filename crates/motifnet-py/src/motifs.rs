//! Census, counts, matrices and instances of motifs.

use motifnet::motif::{
    Instances, MotifEngine, MotifKind, MotifSpec, N_ROLES, N_TRIADS, ROLES, Representation,
    Support, Weights, instances,
};
use motifnet::spectral::{LaplacianConfig, MotifLaplacian};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyOverflowError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{CsrArrays, counts, csr_arrays};
use crate::errors::raise;
use crate::graph::Graph;
use crate::work;

/// The words that say which matrix of a motif.
pub(crate) fn motif_spec(support: &str, instances: &str, weights: &str) -> PyResult<MotifSpec> {
    Ok(MotifSpec {
        support: support.parse::<Support>().map_err(raise)?,
        instances: instances.parse::<Instances>().map_err(raise)?,
        weights: weights.parse::<Weights>().map_err(raise)?,
    })
}

/// The words that say which Laplacian: its form, its normalisation, its λ.
pub(crate) type LaplacianWords = (String, String, String);

pub(crate) fn laplacian_config(words: &LaplacianWords) -> PyResult<LaplacianConfig> {
    let (form, normalization, lambda_max) = words;
    Ok(LaplacianConfig {
        form: form.parse().map_err(raise)?,
        normalization: normalization.parse().map_err(raise)?,
        lambda_max: lambda_max.parse().map_err(raise)?,
    })
}

pub(crate) fn motif_kinds(motifs: &[String]) -> PyResult<Vec<MotifKind>> {
    motifs.iter().map(|motif| motif.parse().map_err(raise)).collect()
}

/// Every motif with its arcs and the name of its triad.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a table")]
pub(crate) fn motif_table() -> Vec<(&'static str, Vec<(usize, usize)>, Option<&'static str>)> {
    let row = |kind: MotifKind| (kind.name(), kind.arcs().to_vec(), kind.holland_leinhardt());
    MotifKind::ALL.into_iter().map(row).collect()
}

/// The triads of each of the sixteen classes.
#[pyfunction]
pub(crate) fn triad_census<'py>(
    py: Python<'py>,
    graph: &Graph,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let census = work::run(py, progress.as_ref(), |relay| {
        MotifEngine::with_progress(&graph.graph, relay).census()
    })?;
    let found = PyDict::new(py);
    for (name, count) in census.iter() {
        found.set_item(name, count)?;
    }
    Ok(found)
}

/// The instances of M1 to M13 that contain each node.
#[pyfunction]
pub(crate) fn node_counts<'py>(
    py: Python<'py>,
    graph: &Graph,
    instances: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let instances = instances.parse::<Instances>().map_err(raise)?;
    let found = work::run(py, progress.as_ref(), |relay| {
        MotifEngine::with_progress(&graph.graph, relay).node_counts()
    })?;
    counts(py, of_instances(found, instances)?, N_TRIADS)
}

/// The two ends of every edge, and the instances of M1 to M13 that contain both.
#[pyfunction]
pub(crate) fn edge_counts<'py>(
    py: Python<'py>,
    graph: &Graph,
    instances: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let instances = instances.parse::<Instances>().map_err(raise)?;
    let (ends, found) = work::run(py, progress.as_ref(), |relay| {
        let engine = MotifEngine::with_progress(&graph.graph, relay);
        let pattern = engine.pattern();
        let mut ends = vec![0i64; 2 * pattern.n_edges()];
        for node in 0..pattern.n_nodes() {
            for entry in pattern.row(node).filter(|entry| (entry.neighbor as usize) > node) {
                let edge = 2 * entry.edge as usize;
                (ends[edge], ends[edge + 1]) = (node as i64, entry.neighbor.into());
            }
        }
        (ends, engine.edge_counts())
    })?;
    let n_edges = found.len();
    let ends = PyArray1::from_vec(py, ends).reshape([n_edges, 2])?.into_any();
    Ok((ends, counts(py, of_instances(found, instances)?, N_TRIADS)?))
}

/// How often each node plays each of the thirty roles, and what the roles are called.
#[pyfunction]
pub(crate) fn role_counts<'py>(
    py: Python<'py>,
    graph: &Graph,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Vec<String>, Bound<'py, PyAny>)> {
    let found = work::run(py, progress.as_ref(), |relay| {
        MotifEngine::with_progress(&graph.graph, relay).role_counts()
    })?;
    let name = |(motif, vertex): &(MotifKind, usize)| format!("{motif}.{vertex}");
    Ok((ROLES.iter().map(name).collect(), counts(py, found.into_flattened(), N_ROLES)?))
}

/// Numbers of these instances from numbers of induced ones, row after row.
fn of_instances(induced: Vec<[u64; N_TRIADS]>, instances: Instances) -> PyResult<Vec<u64>> {
    if instances == Instances::Induced {
        return Ok(induced.into_flattened());
    }
    let all = induced.iter().flat_map(|row| instances.counts(&row.map(u128::from))).map(|count| {
        let too_large =
            |_| PyOverflowError::new_err(format!("a count of {count} does not fit in 64 bits"));
        u64::try_from(count).map_err(too_large)
    });
    all.collect()
}

/// The matrices of motifs, or their Laplacians, as offsets, columns and values.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the words of the command line")]
pub(crate) fn motif_matrices<'py>(
    py: Python<'py>,
    graph: &Graph,
    motifs: Vec<String>,
    support: &str,
    instances: &str,
    weights: &str,
    laplacian: Option<LaplacianWords>,
    max_entries: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<CsrArrays<'py>>> {
    let kinds = motif_kinds(&motifs)?;
    let spec = motif_spec(support, instances, weights)?;
    let laplacian = laplacian.as_ref().map(laplacian_config).transpose()?;
    let matrices = work::run(py, progress.as_ref(), |relay| {
        let engine = MotifEngine::with_progress(&graph.graph, relay);
        let operators = engine.operators(&kinds, &spec, Representation::Factored);
        drop(engine);
        let matrix = |operator| match laplacian {
            None => motifnet::motif::MotifOperator::to_csr(&operator, max_entries).map_err(raise),
            Some(config) => {
                let laplacian = MotifLaplacian::new(operator, config).map_err(raise)?;
                laplacian.to_csr(max_entries).map_err(raise)
            }
        };
        operators.into_iter().map(matrix).collect::<PyResult<Vec<_>>>()
    })??;
    Ok(matrices.into_iter().map(|matrix| csr_arrays(py, matrix)).collect())
}

/// The instances behind one entry of a motif's matrix: some of them, and how many there are.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the words of the command line")]
pub(crate) fn motif_instances(
    py: Python<'_>,
    graph: &Graph,
    motif: &str,
    first: u32,
    second: u32,
    support: &str,
    instances_: &str,
    limit: usize,
) -> PyResult<(Vec<[u32; 3]>, u64)> {
    let kind = motif.parse::<MotifKind>().map_err(raise)?;
    let spec = motif_spec(support, instances_, "count")?;
    let n_nodes = graph.graph.n_nodes();
    if let Some(node) = [first, second].into_iter().find(|&node| node as usize >= n_nodes) {
        let text = format!("there is no node {node}: the graph has {n_nodes}, numbered from 0");
        return Err(PyIndexError::new_err(text));
    }
    let found = py.detach(|| instances(&graph.graph, kind, &spec, [first, second], limit));
    Ok((found.triads, found.total))
}
