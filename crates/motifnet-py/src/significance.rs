//! Motif counts beside those of randomised graphs.

use motifnet::motif::{
    ClassSignificance, MotifEngine, NodeSignificance, SignificanceConfig, significance,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raise;
use crate::graph::Graph;
use crate::work;

/// A motif or triad: its name, count, mean, deviation, z, p of more, p of less, profile.
type Row = (&'static str, u128, f64, f64, Option<f64>, f64, f64, Option<f64>);

/// How well samples are mixed: the share of switches that were made, the largest correlation of one
/// sample with the next, whether that is too much, and whether hardly any switch can be made.
type Mixed = (f64, Option<f64>, bool, bool);

/// How the motif counts of a graph compare with those of randomised ones.
#[pyclass(frozen, get_all, module = "motifnet._motifnet")]
pub(crate) struct Compared {
    classes: Vec<Row>,
    mixing: Option<Mixed>,
    /// z of every node and motif, NaN where all randomised graphs have the same number.
    node_z: Option<Py<PyArray2<f64>>>,
}

/// The settings that are numbers, with their defaults.
#[pyfunction]
pub(crate) fn significance_defaults(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let SignificanceConfig { n_samples, switches, .. } = SignificanceConfig::default();
    let found = PyDict::new(py);
    found.set_item("n_samples", n_samples)?;
    found.set_item("switches", switches)?;
    Ok(found)
}

/// Compares the counts of a graph with those of randomised ones.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the words of the command line")]
pub(crate) fn motif_significance(
    py: Python<'_>,
    graph: &Graph,
    null: &str,
    n_samples: usize,
    switches: usize,
    instances: &str,
    per_node: bool,
    seed: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Compared> {
    let config = SignificanceConfig {
        null: null.parse().map_err(raise)?,
        n_samples,
        switches,
        instances: instances.parse().map_err(raise)?,
        per_node,
        seed,
    };
    let found = work::run(py, progress.as_ref(), |relay| {
        let engine = MotifEngine::with_progress(&graph.graph, relay);
        significance(&engine, &config, relay)
    })?;
    let found = found.map_err(raise)?;
    let row = |class: &ClassSignificance| {
        let ClassSignificance { count, mean, sd, z, p_more, p_less, profile, .. } = *class;
        (class.name(), count, mean, sd, z, p_more, p_less, profile)
    };
    let mixing = found.mixing.map(|mixing| {
        (mixing.acceptance, mixing.autocorrelation, mixing.is_poor(), mixing.is_stuck())
    });
    let node_z = match &found.nodes {
        None => None,
        Some(nodes) => {
            let of_node = |node: &NodeSignificance| node.map(|part| part.z.unwrap_or(f64::NAN));
            let z: Vec<f64> = nodes.iter().flat_map(of_node).collect();
            let shape = [nodes.len(), z.len() / nodes.len().max(1)];
            Some(PyArray1::from_vec(py, z).reshape(shape)?.unbind())
        }
    };
    Ok(Compared { classes: found.classes.iter().map(row).collect(), mixing, node_z })
}
