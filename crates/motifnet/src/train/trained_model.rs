//! A trained model in two files: what it is, for people, and its numbers.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::TrainError;
use super::model::ModelConfig;
use super::operators::OperatorConfig;
use super::run_folder::RunFolder;
use super::setting_keys::SETTING_KEYS;
use crate::data::{FeaturePipeline, StepTensor};
use crate::io::{StoredFileError, Tensor, TensorFile, TensorValues, WriteError};
use crate::memory::Need;
use crate::nn::Network;

/// What a model is.
pub const MODEL_FILE: &str = "model.toml";
/// Its numbers.
pub const TENSORS_FILE: &str = "model.safetensors";
const KIND: &str = "model";
const VERSION: i64 = 1;
/// What stands before the names of the tensors of feature steps.
const STEPS: &str = "features.";

/// A model that has learnt, with all that it needs to be asked about another graph.
#[derive(Clone, Debug)]
pub struct TrainedModel {
    /// What it is.
    pub description: ModelDescription,
    /// What is done with features before it gets them.
    pub pipeline: Arc<FeaturePipeline>,
    /// The network.
    pub network: Arc<Network>,
    /// What it learnt.
    pub parameters: Vec<f32>,
}

/// What a trained model is; model.toml is this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelDescription {
    /// The version of the form of these files.
    pub version: i64,
    /// What the numbers beside it add up to, by which a model of another seed is known; written with them. Files of
    /// the first days do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sum: Option<String>,
    /// The classes, in the order of the outputs.
    pub classes: Vec<String>,
    /// Where the features came from: a file, or a word such as `degrees`.
    pub features: Option<String>,
    /// Columns of the features.
    pub n_columns: usize,
    /// What they are called, if they have names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// What is done with them, in words.
    pub steps: Vec<String>,
    /// The checksum of the graph, where what is learnt holds on no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    /// The model and its shape.
    pub model: ModelConfig,
    /// The matrices that it works on.
    pub operators: OperatorConfig,
}

impl ModelDescription {
    /// The version that is written.
    pub(super) const VERSION: i64 = VERSION;

    fn network(&self, n_features: usize) -> Result<Option<Network>, TrainError> {
        let Some(config) = self.model.network() else { return Ok(None) };
        let n_matrices = self.model.n_matrices();
        Ok(Some(Network::new(&config, n_features, self.classes.len(), n_matrices)?))
    }
}

impl TrainedModel {
    /// A model from its parts.
    ///
    /// # Errors
    /// If they do not fit together, or label propagation is asked for, which learns nothing.
    pub fn new(
        description: ModelDescription,
        pipeline: impl Into<Arc<FeaturePipeline>>,
        parameters: Vec<f32>,
    ) -> Result<Self, TrainError> {
        let pipeline = pipeline.into();
        let network = description.network(pipeline.n_columns_out())?;
        let network = network.ok_or(TrainError::NothingLearnt { model: description.model.kind })?;
        let [found, expected] = [parameters.len(), network.layout().n_parameters()];
        if found != expected {
            return Err(TrainError::Parameters { found, expected });
        }
        Ok(Self { description, pipeline, network: Arc::new(network), parameters })
    }

    /// What it takes to write a model with these numbers: they are gathered, and then made a file of.
    pub(super) fn writing_need(pipeline: &FeaturePipeline, n_parameters: usize) -> Need {
        Need {
            what: "writing the model",
            n_bytes: 2 * (8 * pipeline.n_numbers() + 4 * n_parameters) as u64,
            remedy: "reduce the features to fewer columns with max_columns, or lower the width",
        }
    }

    /// Writes the two files to the folder of a run.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, folder: &RunFolder) -> Result<(), TrainError> {
        let (text, tensors) = self.contents()?;
        tensors.write(folder.place(TENSORS_FILE))?;
        folder.write(MODEL_FILE, text.as_bytes())?;
        Ok(())
    }

    /// What the two files hold: the text of model.toml and the bytes of model.safetensors.
    ///
    /// # Errors
    /// If they cannot be made.
    pub fn to_bytes(&self) -> Result<(String, Vec<u8>), TrainError> {
        let (text, tensors) = self.contents()?;
        let bytes = tensors.to_bytes();
        Ok((text, bytes.map_err(|error| WriteError::io(Path::new(TENSORS_FILE), error))?))
    }

    fn contents(&self) -> Result<(String, TensorFile), TrainError> {
        let mut file = TensorFile::new(KIND, VERSION);
        for tensor in self.network.layout().tensors() {
            let values = self.parameters[tensor.range()].to_vec();
            file.add(tensor.name(), Tensor::f32(tensor.shape().to_vec(), values));
        }
        for StepTensor { name, shape, values } in self.pipeline.tensors() {
            file.add(format!("{STEPS}{name}"), Tensor::f64(shape, values));
        }
        // Each file knows the other: of two models that differ in their numbers alone, too.
        let description = ModelDescription { sum: Some(file.sum()), ..self.description.clone() };
        let text = toml::to_string(&description).map_err(|error| {
            let (path, reason) = (PathBuf::from(MODEL_FILE), error.to_string());
            StoredFileError::Damaged { path, reason }
        })?;
        file.about.insert("description".to_owned(), fingerprint(&text).into());
        Ok((text, file))
    }

    /// Reads the model of a run. Nothing in its files is executed.
    ///
    /// # Errors
    /// If there is none, or its files are damaged, do not belong together or come from a later
    /// version.
    pub fn read(folder: &RunFolder) -> Result<Self, TrainError> {
        if !folder.file(MODEL_FILE).exists() {
            let path = folder.path().to_owned();
            return Err(match folder.first_split() {
                Some(example) => TrainError::SeveralModels { path, example },
                None => TrainError::NoModel { path },
            });
        }
        let text = folder.read(MODEL_FILE)?;
        folder.check_file(TENSORS_FILE)?;
        let path = folder.file(TENSORS_FILE);
        let file = TensorFile::read(&path, KIND, VERSION)?;
        Self::of_contents(&text, file, folder)
    }

    /// A model from what [`TrainedModel::to_bytes`] gave. Nothing in it is executed.
    ///
    /// # Errors
    /// If it is damaged, does not belong together or comes from a later version.
    pub fn from_bytes(text: &str, tensors: &[u8]) -> Result<Self, TrainError> {
        let file = TensorFile::from_bytes(tensors, Path::new(TENSORS_FILE), KIND, VERSION)?;
        Self::of_contents(text, file, &RunFolder::at(Path::new("")))
    }

    fn of_contents(
        text: &str,
        mut file: TensorFile,
        folder: &RunFolder,
    ) -> Result<Self, TrainError> {
        let description = read_description(text, folder)?;
        let path = folder.file(TENSORS_FILE);
        let damaged = |reason: String| {
            TrainError::from(StoredFileError::Damaged { path: path.clone(), reason })
        };
        let told = file.about.get("description").and_then(toml::Value::as_str);
        let is_its_sum = description.sum.as_ref().is_none_or(|sum| *sum == file.sum());
        if told != Some(&fingerprint(text)) || !is_its_sum {
            return Err(damaged(format!("it does not belong to the {MODEL_FILE} beside it")));
        }
        let steps = file.tensors().iter().filter_map(|(name, tensor)| {
            let name = name.strip_prefix(STEPS)?.to_owned();
            match &tensor.values {
                TensorValues::F64(values) => {
                    Some(StepTensor { name, shape: tensor.shape.clone(), values: values.clone() })
                }
                TensorValues::F32(_) => None,
            }
        });
        let steps: Vec<StepTensor> = steps.collect();
        let pipeline = FeaturePipeline::from_tensors(description.n_columns, &steps)
            .map_err(|error| damaged(error.to_string()))?;
        let network = description.network(pipeline.n_columns_out())?;
        let network = network.ok_or(TrainError::NothingLearnt { model: description.model.kind })?;
        let mut parameters = Vec::new();
        for tensor in network.layout().tensors() {
            let values = file.take_f32(tensor.name(), tensor.shape());
            let missing = || damaged(format!("it lacks {} as {:?}", tensor.name(), tensor.shape()));
            parameters.extend(values.ok_or_else(missing)?);
        }
        Self::new(description, pipeline, parameters)
    }
}

fn read_description(text: &str, folder: &RunFolder) -> Result<ModelDescription, TrainError> {
    let damaged = |reason: String| TrainError::from(folder.damaged(MODEL_FILE, reason));
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| damaged(error.message().to_owned()))?;
    match table.get("version").and_then(toml::Value::as_integer) {
        Some(1..=VERSION) => {}
        Some(found) => {
            let path = folder.file(MODEL_FILE);
            return Err(StoredFileError::Version { path, found, known: VERSION }.into());
        }
        None => return Err(damaged("no version is told".to_owned())),
    }
    // No model was trained beyond what a configuration may say, and a file may say anything.
    for key in SETTING_KEYS.iter().filter(|key| key.table() == "model") {
        let value = table.get("model").and_then(|model| model.get(key.name()));
        if let Some(problem) = value.and_then(|value| key.bounds.problem_with(value)) {
            return Err(damaged(format!("{}: {problem}", key.path)));
        }
    }
    let n_columns = table.get("n_columns").and_then(toml::Value::as_integer);
    if n_columns.is_some_and(|n_columns| n_columns > i64::from(u32::MAX)) {
        return Err(damaged(format!("n_columns: it must be {} at most", u32::MAX)));
    }
    table.try_into().map_err(|error: toml::de::Error| damaged(error.message().trim().to_owned()))
}

fn fingerprint(text: &str) -> String {
    format!("{:08x}", crc32c::crc32c(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DenseFeatures, FeatureConfig, Features};
    use crate::progress::Silent;
    use crate::train::ModelKind;

    /// A small model; all seeds have the same description.
    fn model(seed: u64) -> TrainedModel {
        let features = DenseFeatures::new(2, 2, vec![1.0, 2.0, 3.0, 4.0]).unwrap();
        let features = Features::Dense(features);
        let config = FeatureConfig::default();
        let pipeline = FeaturePipeline::fit(&features, 2, &config, &Silent).unwrap();
        let model = ModelConfig { width: 3, ..ModelConfig::paper(ModelKind::Mlp) };
        let description = ModelDescription {
            version: VERSION,
            sum: None,
            classes: ["a", "b"].map(str::to_owned).to_vec(),
            features: None,
            n_columns: 2,
            columns: None,
            steps: pipeline.steps(),
            graph: None,
            model,
            operators: OperatorConfig::default(),
        };
        let network = description.network(2).unwrap().unwrap();
        let parameters = network.layout().initial(seed);
        TrainedModel::new(description, pipeline, parameters).unwrap()
    }

    #[test]
    fn the_files_of_two_seeds_are_not_taken_for_one_model() {
        let [(text, tensors), (other_text, other_tensors)] =
            [1, 2].map(|seed| model(seed).to_bytes().unwrap());
        let read = TrainedModel::from_bytes(&text, &tensors).unwrap();
        assert_eq!(read.parameters, model(1).parameters);
        // Written again, the same bytes.
        assert_eq!(read.to_bytes().unwrap(), (text.clone(), tensors.clone()));
        for (text, tensors) in [(&text, &other_tensors), (&other_text, &tensors)] {
            let said = TrainedModel::from_bytes(text, tensors).unwrap_err().to_string();
            assert!(said.contains("it does not belong to the model.toml beside it"), "{said}");
        }
    }

    #[test]
    fn a_model_that_does_not_say_what_its_numbers_add_up_to_is_read() {
        let (text, tensors) = model(1).to_bytes().unwrap();
        let sum = text.lines().find(|line| line.starts_with("sum = ")).unwrap();
        let old = text.replace(&format!("{sum}\n"), "");
        let mut file =
            TensorFile::from_bytes(&tensors, Path::new(TENSORS_FILE), KIND, VERSION).unwrap();
        file.about.insert("description".to_owned(), fingerprint(&old).into());
        TrainedModel::from_bytes(&old, &file.to_bytes().unwrap()).unwrap();
        // With a sum, and the wrong one.
        let wrong = text.replace(sum, "sum = \"00000000\"");
        file.about.insert("description".to_owned(), fingerprint(&wrong).into());
        assert!(TrainedModel::from_bytes(&wrong, &file.to_bytes().unwrap()).is_err());
    }
}
