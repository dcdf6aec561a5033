//! Training.

use motifnet::data::{Labels, NodeDataset, Split};
use motifnet::train::{
    EpochRecord, MotifChoice, Predictions, PreparedRun, RunConfig, RunMetrics, TrainError,
    TrainedModel, select_motifs,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::Integers;
use crate::errors::raise;
use crate::features::FeatureArrays;
use crate::graph::Graph;
use crate::model::Model;
use crate::settings::config_of;
use crate::work::{self, Relay, Watcher};

/// What came of a training.
#[pyclass(frozen, get_all, module = "motifnet._motifnet")]
pub(crate) struct Fit {
    /// What was learnt; none of label propagation.
    model: Option<Py<Model>>,
    /// What label propagation says of every node.
    probabilities: Option<Py<PyArray2<f32>>>,
    /// The epochs, column by column.
    history: Py<PyDict>,
    /// The epoch of least validation loss, from 1 on; 0 where nothing is trained.
    best_epoch: usize,
    /// How many numbers were learnt.
    n_parameters: usize,
    /// What the model works on.
    operators: Vec<&'static str>,
    /// The nodes that training was stopped by.
    validation: Py<PyArray1<u32>>,
}

/// What was learnt, before Python sees it.
struct Learnt {
    model: Option<TrainedModel>,
    propagated: Option<Predictions>,
    metrics: RunMetrics,
    history: Vec<EpochRecord>,
    config: RunConfig,
}

/// Trains a model; `labels` are places among `classes`, or −1. The nodes of `validation`, or else a share
/// of the labelled ones, are held back to stop training by.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a training takes as much")]
pub(crate) fn fit(
    py: Python<'_>,
    graph: &Graph,
    features: FeatureArrays<'_>,
    labels: PyReadonlyArray1<'_, i64>,
    classes: Vec<String>,
    validation: Option<Integers<'_>>,
    hold_out: f64,
    settings: &Bound<'_, PyDict>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Fit> {
    let config = config_of(settings)?;
    let of_node = labels.as_slice()?.iter().map(|&label| u32::try_from(label).ok()).collect();
    let labels = Labels::new(classes, of_node).map_err(raise)?;
    let split = match validation {
        Some(validation) => {
            let validation = validation.nodes("validation node")?;
            let mut is_held_back = vec![false; labels.n_nodes()];
            for &node in &validation {
                if let Some(slot) = is_held_back.get_mut(node as usize) {
                    *slot = true;
                }
            }
            let train = labels.labelled().filter(|&node| !is_held_back[node as usize]).collect();
            Split::new(&labels, train, validation, Vec::new())
        }
        None => Split::hold_out(&labels, hold_out, config.train.seed),
    };
    let split = split.map_err(raise)?;
    let dataset = features.dataset(graph, labels)?;
    let learnt = work::run(py, progress.as_ref(), |relay| train(&dataset, config, &split, relay))?;
    // A run is paused only when a signal was heard, which `work` has raised already.
    let learnt = learnt.map_err(raise)?.ok_or_else(|| PyKeyboardInterrupt::new_err(()))?;
    learnt.into_python(py, &split)
}

fn train(
    dataset: &NodeDataset,
    mut config: RunConfig,
    split: &Split,
    relay: &Relay,
) -> Result<Option<Learnt>, TrainError> {
    let epochs = config.train.epochs;
    if config.model.motifs == MotifChoice::Auto {
        let mut watcher = Watcher::new(relay, "choose motifs", epochs);
        match select_motifs(dataset, &config, split, &mut watcher, relay)? {
            Some(selection) => config.model.motifs = MotifChoice::These(selection.kept),
            None => return Ok(None),
        }
    }
    let prepared = PreparedRun::new(dataset, &config, None, relay)?;
    let mut watcher = Watcher::new(relay, "train", epochs);
    let seed = config.train.seed;
    let Some(trained) = prepared.run(split, seed, None, &mut watcher)? else { return Ok(None) };
    Ok(Some(Learnt {
        model: prepared.model(&trained)?,
        propagated: prepared.propagated(split),
        metrics: trained.metrics,
        history: watcher.history,
        config: prepared.config().clone(),
    }))
}

impl Learnt {
    fn into_python(self, py: Python<'_>, split: &Split) -> PyResult<Fit> {
        let operators = self.config.model.operators().into_iter().map(|kind| kind.name()).collect();
        let history = PyDict::new(py);
        let column = |value: fn(&EpochRecord) -> f64| {
            PyArray1::from_vec(py, self.history.iter().map(value).collect())
        };
        history.set_item("train_loss", column(|epoch| epoch.train_loss))?;
        history.set_item("train_accuracy", column(|epoch| epoch.train_accuracy))?;
        history.set_item("val_loss", column(|epoch| epoch.val_loss))?;
        history.set_item("val_accuracy", column(|epoch| epoch.val_accuracy))?;
        let probabilities = match self.propagated {
            Some(Predictions { nodes, n_classes, probabilities }) => {
                let rows =
                    PyArray1::from_vec(py, probabilities).reshape([nodes.len(), n_classes])?;
                Some(rows.unbind())
            }
            None => None,
        };
        let model = match self.model {
            Some(model) => Some(Py::new(py, Model { model, config: self.config })?),
            None => None,
        };
        Ok(Fit {
            model,
            probabilities,
            history: history.unbind(),
            best_epoch: self.metrics.best_epoch,
            n_parameters: self.metrics.parameters,
            operators,
            validation: PyArray1::from_slice(py, split.validation()).unbind(),
        })
    }
}
