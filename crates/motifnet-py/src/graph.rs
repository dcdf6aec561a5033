//! The graph, and what its nodes are called.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{
    ArrayRef, Float32Array, Int64Array, RecordBatch, StringArray, StructArray, UInt32Array,
};
use arrow_schema::{DataType, Field, Schema};
use motifnet::graph::read::{Column, ColumnOptions, WeightColumn};
use motifnet::graph::{
    BuildOptions, Cleaning, DiGraph, EdgeList, NodeNames, ReadOptions, RepeatedArcs, arcs_among,
    arcs_of_integers, arcs_of_names, read_graph, write_graph,
};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use pyo3_arrow::ffi::{ArrayIterator, to_stream_pycapsule};

use crate::arrays::{Integers, Names, Weights, index_arrays};
use crate::errors::raise;
use crate::work;

/// A directed graph that is simple and sorted, and what was dropped on the way to it.
#[pyclass(frozen, module = "motifnet._motifnet")]
pub(crate) struct Graph {
    pub(crate) graph: Arc<DiGraph>,
    names: NodeNames,
    cleaning: Cleaning,
    #[pyo3(get)]
    notes: Vec<String>,
}

/// What becomes of arcs that are repeated, and of directions.
fn build_options(repeats: &str, undirected: bool) -> PyResult<BuildOptions> {
    let repeats = repeats.parse::<RepeatedArcs>().map_err(raise)?;
    Ok(BuildOptions { symmetrise: undirected, repeats })
}

impl Graph {
    fn build(
        py: Python<'_>,
        arcs: EdgeList,
        names: Option<NodeNames>,
        options: &BuildOptions,
    ) -> PyResult<Self> {
        let names = names.unwrap_or(NodeNames::Indices(arcs.n_nodes));
        let built = work::run(py, None, |_| DiGraph::build(arcs, options))?;
        let (graph, cleaning) = built.map_err(raise)?;
        Ok(Self { graph: Arc::new(graph), names, cleaning, notes: Vec::new() })
    }
}

#[pymethods]
impl Graph {
    /// A graph of arcs between nodes that are numbered from 0 on.
    #[staticmethod]
    fn from_numbers(
        py: Python<'_>,
        sources: Integers<'_>,
        targets: Integers<'_>,
        weights: Option<Weights<'_>>,
        n_nodes: Option<usize>,
        repeats: &str,
        undirected: bool,
    ) -> PyResult<Self> {
        let options = build_options(repeats, undirected)?;
        let (sources, targets) = (sources.nodes("source")?, targets.nodes("target")?);
        let weights = weights.map(|weights| weights.to_vec()).transpose()?;
        let n_nodes = match n_nodes {
            Some(n_nodes) => n_nodes,
            None => plausible_nodes(&sources, &targets)?,
        };
        let arcs = EdgeList { n_nodes, sources, targets, weights };
        Self::build(py, arcs, None, &options)
    }

    /// A graph of a sparse matrix: an arc from row to column for every entry.
    #[staticmethod]
    fn from_csr(
        py: Python<'_>,
        indptr: Integers<'_>,
        indices: Integers<'_>,
        weights: Option<Weights<'_>>,
        repeats: &str,
        undirected: bool,
    ) -> PyResult<Self> {
        let options = build_options(repeats, undirected)?;
        let offsets = indptr.offsets()?;
        let targets = indices.nodes("column")?;
        let n_nodes = offsets.len().saturating_sub(1);
        let mut sources = Vec::with_capacity(targets.len());
        for (row, bounds) in offsets.windows(2).enumerate() {
            if bounds[0] > bounds[1] || bounds[1] > targets.len() {
                let text =
                    format!("row {row} has the offsets {bounds:?}, which is no range of entries");
                return Err(PyValueError::new_err(text));
            }
            sources.resize(sources.len() + bounds[1] - bounds[0], row as u32);
        }
        let weights = weights.map(|weights| weights.to_vec()).transpose()?;
        let arcs = EdgeList { n_nodes, sources, targets, weights };
        Self::build(py, arcs, None, &options)
    }

    /// A graph of arcs between nodes that integers name; `nodes` are all of them, in order.
    #[staticmethod]
    fn from_ids(
        py: Python<'_>,
        sources: Integers<'_>,
        targets: Integers<'_>,
        weights: Option<Weights<'_>>,
        nodes: Option<Integers<'_>>,
        repeats: &str,
        undirected: bool,
    ) -> PyResult<Self> {
        let options = build_options(repeats, undirected)?;
        let (sources, targets) = (sources.wide()?, targets.wide()?);
        let (mut arcs, names) = match nodes {
            None => py.detach(|| arcs_of_integers(&sources, &targets)).map_err(raise)?,
            Some(nodes) => {
                let nodes = nodes.wide()?;
                let arcs = py.detach(|| arcs_among(&nodes, &sources, &targets)).map_err(raise)?;
                (arcs, NodeNames::Integers(nodes.to_vec()))
            }
        };
        arcs.weights = weights.map(|weights| weights.to_vec()).transpose()?;
        Self::build(py, arcs, Some(names), &options)
    }

    /// A graph of arcs between nodes that text names; `nodes` are all of them, in order.
    #[staticmethod]
    fn from_names(
        py: Python<'_>,
        sources: Names,
        targets: Names,
        weights: Option<Weights<'_>>,
        nodes: Option<Names>,
        repeats: &str,
        undirected: bool,
    ) -> PyResult<Self> {
        let options = build_options(repeats, undirected)?;
        let (sources, targets) = (sources.strings("source")?, targets.strings("target")?);
        let (mut arcs, names) = match &nodes {
            None => py.detach(|| arcs_of_names(&sources, &targets)).map_err(raise)?,
            Some(nodes) => {
                let nodes = nodes.strings("node")?;
                let arcs = py.detach(|| arcs_among(&nodes, &sources, &targets)).map_err(raise)?;
                (arcs, NodeNames::Strings(nodes.iter().collect()))
            }
        };
        arcs.weights = weights.map(|weights| weights.to_vec()).transpose()?;
        Self::build(py, arcs, Some(names), &options)
    }

    /// The graph in a file.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "they are the options of the command line")]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        source: Option<&str>,
        target: Option<&str>,
        weight: &str,
        delimiter: Option<char>,
        header: Option<bool>,
        n_nodes: Option<u32>,
        repeats: &str,
        undirected: bool,
        max_decompressed: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let column = |text: Option<&str>| text.map(str::parse::<Column>).transpose().map_err(raise);
        let options = ReadOptions {
            format: format.map(str::parse).transpose().map_err(raise)?,
            build: build_options(repeats, undirected)?,
            n_nodes,
            columns: ColumnOptions {
                source: column(source)?,
                target: column(target)?,
                weight: weight.parse::<WeightColumn>().map_err(raise)?,
            },
            delimiter: delimiter
                .map(|delimiter| u8::try_from(delimiter).map_err(raise))
                .transpose()?,
            header,
            max_decompressed_bytes: max_decompressed
                .map(|megabytes| megabytes.saturating_mul(1_000_000)),
        };
        let read = work::run(py, progress.as_ref(), |relay| read_graph(&path, &options, relay))?;
        let loaded = read.map_err(raise)?;
        let (names, cleaning, notes) = (loaded.names, loaded.cleaning, loaded.notes);
        Ok(Self { graph: Arc::new(loaded.graph), names, cleaning, notes })
    }

    /// Writes the graph as the ending of `path` says; gives what the format could not hold.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
        let written = py.detach(|| write_graph(&path, &self.graph, &self.names)).map_err(raise)?;
        Ok(written.iter().map(ToString::to_string).collect())
    }

    #[getter]
    fn n_nodes(&self) -> usize {
        self.graph.n_nodes()
    }

    #[getter]
    fn n_arcs(&self) -> usize {
        self.graph.n_arcs()
    }

    #[getter]
    fn is_weighted(&self) -> bool {
        self.graph.is_weighted()
    }

    /// How many arcs were dropped or merged, by the reason.
    #[getter]
    fn cleaning<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        let Cleaning {
            arcs_read,
            self_loops,
            repeated,
            zero_weight,
            not_finite_weight,
            clamped_weight,
        } = self.cleaning;
        found.set_item("arcs_read", arcs_read)?;
        found.set_item("self_loops", self_loops)?;
        found.set_item("repeated", repeated)?;
        found.set_item("zero_weight", zero_weight)?;
        found.set_item("not_finite_weight", not_finite_weight)?;
        found.set_item("clamped_weight", clamped_weight)?;
        Ok(found)
    }

    /// What was dropped or merged, in words.
    fn describe_cleaning(&self) -> Option<String> {
        self.cleaning.describe()
    }

    /// The names of the nodes: integers, text, or none if they are called by their numbers.
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(match &self.names {
            NodeNames::Indices(_) => None,
            NodeNames::Integers(ids) => Some(PyArray1::from_slice(py, ids).into_any()),
            NodeNames::Strings(table) => {
                let names: Vec<&str> = table.iter().collect();
                Some(names.into_pyobject(py)?)
            }
        })
    }

    /// The arcs by source: offsets, targets and weights.
    fn csr<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyAny>, Bound<'py, PyAny>, Option<Bound<'py, PyArray1<f32>>>) {
        let arcs = self.graph.outgoing();
        let (indptr, indices) =
            index_arrays(py, arcs.offsets(), arcs.neighbors().to_vec(), self.graph.n_nodes());
        (indptr, indices, arcs.weights().map(|weights| PyArray1::from_slice(py, weights)))
    }

    /// The graph with every arc turned round.
    fn reversed(&self) -> Self {
        let (names, cleaning, notes) = (self.names.clone(), self.cleaning, self.notes.clone());
        Self { graph: Arc::new(self.graph.reversed()), names, cleaning, notes }
    }

    /// Whether the arcs are the same, whatever nodes are called.
    fn __eq__(&self, other: &Self) -> bool {
        self.graph == other.graph
    }

    /// The arcs as a table of Arrow, with the names of the nodes.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let (sources, targets): (Vec<u32>, Vec<u32>) =
            self.graph.arcs().map(|(source, target, _)| (source, target)).unzip();
        let mut columns: Vec<(&str, ArrayRef)> =
            vec![("source", self.named(sources)), ("target", self.named(targets))];
        if let Some(weights) = self.graph.outgoing().weights() {
            columns.push(("weight", Arc::new(Float32Array::from(weights.to_vec()))));
        }
        let fields: Vec<Field> = columns
            .iter()
            .map(|(name, column)| Field::new(*name, column.data_type().clone(), false))
            .collect();
        let schema = Arc::new(Schema::new(fields));
        let arrays = columns.into_iter().map(|(_, column)| column).collect();
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(raise)?;
        let field = Field::new("", DataType::Struct(schema.fields().clone()), false);
        let array: ArrayRef = Arc::new(StructArray::from(batch));
        let stream = ArrayIterator::new(std::iter::once(Ok(array)), Arc::new(field));
        Ok(to_stream_pycapsule(py, Box::new(stream), requested_schema)?)
    }
}

impl Graph {
    fn named(&self, nodes: Vec<u32>) -> ArrayRef {
        match &self.names {
            NodeNames::Indices(_) => Arc::new(UInt32Array::from(nodes)),
            NodeNames::Integers(ids) => {
                Arc::new(nodes.iter().map(|&node| ids[node as usize]).collect::<Int64Array>())
            }
            NodeNames::Strings(table) => {
                let names = nodes.iter().map(|&node| Some(table.get(node as usize)));
                Arc::new(names.collect::<StringArray>())
            }
        }
    }
}

/// The number of nodes that the largest number among the ends needs, unless that seems a mistake.
fn plausible_nodes(sources: &[u32], targets: &[u32]) -> PyResult<usize> {
    let most = sources.iter().chain(targets).max();
    let n_nodes = most.map_or(0, |&most| most as usize + 1);
    let n_arcs = sources.len();
    if n_nodes as u128 > (1 << 20) + 1024 * n_arcs as u128 {
        return Err(PyValueError::new_err(format!(
            "the largest number of a node is {}, for {n_arcs} arcs, which seems a mistake; pass ids=True \
             if the numbers are names, or n_nodes={n_nodes} if there are so many",
            n_nodes - 1
        )));
    }
    Ok(n_nodes)
}
