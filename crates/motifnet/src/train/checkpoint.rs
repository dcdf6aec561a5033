//! The state of a training run in a file.

use std::path::Path;

use super::config::TrainConfig;
use super::error::TrainError;
use super::state::{BestEpoch, TrainState};
use crate::io::{Place, StoredFileError, Tensor, TensorFile, TensorValues, WriteError};
use crate::nn::{Adam, Scores};

/// The name of the file in the folder of a run.
pub const CHECKPOINT_FILE: &str = "checkpoint.safetensors";
const KIND: &str = "checkpoint";
const VERSION: i64 = 1;

impl TrainState {
    /// Writes the state, whole or not at all; `about` is what it belongs to, and must be the same when
    /// it is read.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, place: impl Into<Place>, about: &str) -> Result<(), WriteError> {
        let mut file = TensorFile::new(KIND, VERSION);
        file.about.insert("of".to_owned(), about.into());
        file.about.insert("epoch".to_owned(), (self.epoch as i64).into());
        let list = |values: &[f32]| Tensor::f32(vec![values.len()], values.to_vec());
        let [mean, square] = self.adam.state();
        file.add("parameters", list(&self.parameters));
        file.add("adam.mean", list(mean));
        file.add("adam.square", list(square));
        if let Some(best) = &self.best {
            file.about.insert("best_epoch".to_owned(), (best.epoch as i64).into());
            file.add("best.parameters", list(&best.parameters));
            let Scores { loss, accuracy } = best.train;
            let validation = best.validation;
            let scores = vec![loss, accuracy, validation.loss, validation.accuracy];
            file.add("best.scores", Tensor::f64(vec![2, 2], scores));
        }
        file.write(place)
    }

    /// Reads the state of a run of `n_parameters` numbers.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or belongs to another run.
    pub fn read(
        path: &Path,
        about: &str,
        n_parameters: usize,
        config: &TrainConfig,
    ) -> Result<Self, TrainError> {
        let mut file = TensorFile::read(path, KIND, VERSION)?;
        if file.about.get("of").and_then(toml::Value::as_str) != Some(about) {
            return Err(TrainError::OtherRun { path: path.to_owned() });
        }
        let state = Self::of_file(&mut file, n_parameters, config);
        state.ok_or_else(|| {
            let reason =
                "it lacks a part of the state, or its parts contradict each other".to_owned();
            StoredFileError::Damaged { path: path.to_owned(), reason }.into()
        })
    }

    fn of_file(file: &mut TensorFile, n_parameters: usize, config: &TrainConfig) -> Option<Self> {
        let number = |file: &TensorFile, key: &str| {
            let number = file.about.get(key)?.as_integer()?;
            usize::try_from(number).ok()
        };
        let mut list = |name: &str| file.take_f32(name, &[n_parameters]);
        let parameters = list("parameters")?;
        let (mean, square) = (list("adam.mean")?, list("adam.square")?);
        let best_parameters = list("best.parameters");
        let epoch = number(file, "epoch")?;
        let best = match (number(file, "best_epoch"), best_parameters) {
            (Some(best_epoch), Some(parameters)) if (1..=epoch).contains(&best_epoch) => {
                let TensorValues::F64(scores) = &file.tensors().get("best.scores")?.values else {
                    return None;
                };
                let &[train_loss, train_accuracy, val_loss, val_accuracy] = &scores[..] else {
                    return None;
                };
                let train = Scores { loss: train_loss, accuracy: train_accuracy };
                let validation = Scores { loss: val_loss, accuracy: val_accuracy };
                Some(BestEpoch { epoch: best_epoch, train, validation, parameters })
            }
            (None, None) => None,
            _ => return None,
        };
        let adam = Adam::resume(config.adam, epoch as u64, mean, square);
        Some(Self { epoch, parameters, adam, best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(config: &TrainConfig) -> TrainState {
        let scores = |loss| Scores { loss, accuracy: 1.0 / 3.0 };
        TrainState {
            epoch: 7,
            parameters: vec![0.1, f32::MIN_POSITIVE, -0.0],
            adam: Adam::resume(config.adam, 7, vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]),
            best: Some(BestEpoch {
                epoch: 5,
                train: scores(0.1 + 0.2),
                validation: scores(0.7),
                parameters: vec![7.0, 8.0, 9.0],
            }),
        }
    }

    #[test]
    fn a_state_comes_back_to_the_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(CHECKPOINT_FILE);
        let config = TrainConfig::default();
        let first = TrainState { best: None, ..state(&config) };
        for state in [state(&config), first] {
            state.write(&path, "run").unwrap();
            assert_eq!(TrainState::read(&path, "run", 3, &config).unwrap(), state);
        }
    }

    #[test]
    fn states_of_other_runs_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(CHECKPOINT_FILE);
        let config = TrainConfig::default();
        state(&config).write(&path, "run").unwrap();
        let message = |about, n_parameters| {
            let error = TrainState::read(&path, about, n_parameters, &config).unwrap_err();
            error.to_string().replace(&format!("{}/", folder.path().display()), "")
        };
        assert_eq!(
            message("another", 3),
            "checkpoint.safetensors: belongs to another run: its configuration or its data have \
             changed since; put them back, or train into another folder"
        );
        assert_eq!(
            message("run", 4),
            "checkpoint.safetensors: damaged: it lacks a part of the state, or its parts contradict \
             each other; restore it from a copy, or train again"
        );
    }

    #[test]
    fn the_best_epoch_is_one_of_those_that_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(CHECKPOINT_FILE);
        let config = TrainConfig::default();
        let read_back = |best_epoch| {
            let mut state = state(&config);
            state.best.as_mut().unwrap().epoch = best_epoch;
            state.write(&path, "run").unwrap();
            TrainState::read(&path, "run", 3, &config).is_ok()
        };
        assert_eq!([0, 1, 7, 8].map(read_back), [false, true, true, false]);
    }
}
