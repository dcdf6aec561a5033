//! A trained model.

use std::path::{Path, PathBuf};

use motifnet::data::{Labels, NodeDataset};
use motifnet::io::StoredFileError;
use motifnet::nn::{ExplainConfig, attention};
use motifnet::train::{
    CONFIG_FILE, Predictor, RunConfig, RunFolder, Settings, TrainError, TrainedModel,
};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrays::Integers;
use crate::errors::raise;
use crate::explain::Explained;
use crate::features::FeatureArrays;
use crate::graph::Graph;
use crate::settings::settings_of;
use crate::work;

/// Two texts and the numbers: all of a model.
type Contents<'py> = (String, String, Bound<'py, PyBytes>);

/// A model that has learnt, with all that it needs to be asked about another graph.
#[pyclass(frozen, module = "motifnet._motifnet")]
pub(crate) struct Model {
    pub(crate) model: TrainedModel,
    /// How it was trained.
    pub(crate) config: RunConfig,
}

#[pymethods]
impl Model {
    /// The model that a training of the command line or [`Model::save`] left in a folder.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        if !path.is_dir() {
            return Err(raise(motifnet::train::RunFolderError::Missing(path)));
        }
        let folder = RunFolder::at(&path);
        let model = TrainedModel::read(&folder).map_err(raise)?;
        let file = folder.file(CONFIG_FILE);
        let mut settings = Settings::default();
        if file.is_file() {
            settings.read(&file).map_err(raise)?;
        }
        let description = &model.description;
        let (of_model, operators) = (description.model.clone(), description.operators);
        let config = RunConfig { model: of_model, operators, ..settings.config().clone() };
        Ok(Self { model, config })
    }

    /// Writes model.toml, model.safetensors and config.toml, which the command line reads.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.write(&path)).map_err(raise)
    }

    /// What [`Model::from_bytes`] makes the model of again: two texts and the numbers.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Contents<'py>> {
        let (text, tensors) = self.model.to_bytes().map_err(raise)?;
        let config = toml::to_string(&self.config).map_err(raise)?;
        Ok((config, text, PyBytes::new(py, &tensors)))
    }

    /// A model from what [`Model::to_bytes`] gave.
    #[staticmethod]
    fn from_bytes(config: &str, text: &str, tensors: &[u8]) -> PyResult<Self> {
        let config = toml::from_str(config).map_err(raise)?;
        Ok(Self { model: TrainedModel::from_bytes(text, tensors).map_err(raise)?, config })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Contents<'py>)> {
        let rebuild = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((rebuild, self.to_bytes(py)?))
    }

    /// The settings that it was trained with.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        settings_of(py, &self.config)
    }

    /// Its classes, in the order of the probabilities.
    #[getter]
    fn classes(&self) -> Vec<String> {
        self.model.description.classes.clone()
    }

    /// How many columns its features have.
    #[getter]
    fn n_features(&self) -> usize {
        self.model.description.n_columns
    }

    /// How many numbers it learnt.
    #[getter]
    fn n_parameters(&self) -> usize {
        self.model.parameters.len()
    }

    /// What it works on.
    #[getter]
    fn operators(&self) -> Vec<&'static str> {
        self.config.model.operators().into_iter().map(|kind| kind.name()).collect()
    }

    /// Whether what it learnt means anything on another graph.
    #[getter]
    fn can_move(&self) -> bool {
        self.config.model.kind.can_move() && self.model.pipeline.can_move()
    }

    /// The probability of every class for `nodes`, or for all.
    fn probabilities<'py>(
        &self,
        py: Python<'py>,
        graph: &Graph,
        features: FeatureArrays<'_>,
        nodes: Option<Integers<'_>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let dataset = self.dataset(graph, &features)?;
        let nodes = asked(nodes, dataset.n_nodes())?;
        let found = work::run(py, progress.as_ref(), |relay| {
            Predictor::new(&self.model, &dataset, None, relay)?.probabilities(&nodes)
        })?;
        let found = found.map_err(raise)?;
        let shape = [nodes.len(), found.n_classes];
        Ok(PyArray1::from_vec(py, found.probabilities).reshape(shape)?.into_any())
    }

    /// The last hidden layer for all nodes.
    fn embeddings<'py>(
        &self,
        py: Python<'py>,
        graph: &Graph,
        features: FeatureArrays<'_>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let dataset = self.dataset(graph, &features)?;
        let nodes = asked(None, dataset.n_nodes())?;
        let found = work::run(py, progress.as_ref(), |relay| {
            Predictor::new(&self.model, &dataset, None, relay)?.embeddings(&nodes)
        })?;
        let (width, values) = found.map_err(raise)?;
        Ok(PyArray1::from_vec(py, values).reshape([nodes.len(), width])?.into_any())
    }

    /// The attention: layer, head, order, operator, mean and deviation over the features, row by row.
    fn attention(&self) -> Vec<(String, usize, usize, usize, f64, f64)> {
        let parameters: Vec<f64> =
            self.model.parameters.iter().map(|&value| value.into()).collect();
        let rows = attention(&self.model.network, &parameters).into_iter();
        rows.map(|row| (row.layer, row.head, row.order, row.operator, row.mean, row.deviation))
            .collect()
    }

    /// Why the node gets the logit of a class, or of its likeliest.
    fn explain(
        &self,
        py: Python<'_>,
        graph: &Graph,
        features: FeatureArrays<'_>,
        node: u32,
        class_: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Explained> {
        let dataset = self.dataset(graph, &features)?;
        let n_nodes = dataset.n_nodes();
        if node as usize >= n_nodes {
            let text = format!("there is no node {node}: the graph has {n_nodes}, numbered from 0");
            return Err(PyIndexError::new_err(text));
        }
        work::run(py, progress.as_ref(), |relay| {
            let predictor = Predictor::new(&self.model, &dataset, None, relay).map_err(raise)?;
            let predictions = predictor.probabilities(&[node]).map_err(raise)?;
            let class = class_.unwrap_or(predictions.likeliest(0).0 as usize);
            // Whoever asks for a node waits for it.
            let config = ExplainConfig { at_any_cost: true, ..ExplainConfig::default() };
            let wide = predictor.widened().map_err(raise)?;
            let found = wide.explain(node, class, &config, relay).map_err(raise)?;
            Ok(Explained::new(found, &predictions))
        })?
    }
}

impl Model {
    fn dataset(&self, graph: &Graph, features: &FeatureArrays<'_>) -> PyResult<NodeDataset> {
        features.dataset(graph, Labels::none(graph.graph.n_nodes()))
    }

    fn write(&self, path: &Path) -> Result<(), TrainError> {
        let (folder, _claim) = RunFolder::claim(path)?;
        let text = toml::to_string(&self.config).map_err(|error| StoredFileError::Damaged {
            path: folder.file(CONFIG_FILE),
            reason: error.to_string(),
        })?;
        self.model.write(&folder)?;
        Ok(folder.write(CONFIG_FILE, text.as_bytes())?)
    }
}

/// The nodes that are asked about: those named, or all.
fn asked(nodes: Option<Integers<'_>>, n_nodes: usize) -> PyResult<Vec<u32>> {
    let Some(nodes) = nodes else { return Ok((0..n_nodes as u32).collect()) };
    let nodes = nodes.nodes("node")?;
    match nodes.iter().find(|&&node| node as usize >= n_nodes) {
        None => Ok(nodes),
        Some(node) => {
            let text = format!("there is no node {node}: the graph has {n_nodes}, numbered from 0");
            Err(PyIndexError::new_err(text))
        }
    }
}
