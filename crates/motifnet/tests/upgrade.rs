//! What earlier versions wrote is read, or it is told what to do.
//!
//! `fixtures/make.sh` made each folder with the version that it is named after.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use motifnet::data::{NodeDataset, read_source};
use motifnet::io::{Tensor, TensorFile};
use motifnet::progress::Silent;
use motifnet::train::{
    CHECKPOINT_FILE, CONFIG_FILE, EIGEN_FILE, EpochRecord, MODEL_FILE, Observed, Observer,
    Predictor, PreparedRun, RunConfig, RunFolder, Settings, TENSORS_FILE, TrainState, TrainedModel,
};

/// The versions whose files are kept.
const VERSIONS: [&str; 1] = ["0.1"];

fn fixture(version: &str, run: &str) -> RunFolder {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    RunFolder::open(&fixtures.join(version).join(run)).unwrap()
}

/// What was chosen, and the data.
fn opened(folder: &RunFolder) -> (RunConfig, NodeDataset) {
    let mut settings = Settings::default();
    settings.read(&folder.file(CONFIG_FILE)).unwrap();
    let config = settings.config().clone();
    let dataset = read_source(&config.data, Path::new(""), &Silent).unwrap();
    (config, dataset)
}

/// The class of every node and the probabilities of all classes, as `predict` wrote them.
fn predicted(folder: &RunFolder) -> Vec<(String, String, Vec<f32>)> {
    let text = std::fs::read_to_string(folder.file("predictions.csv")).unwrap();
    let mut rows = text.lines().map(|line| line.split(',').map(str::to_owned));
    let header: Vec<String> = rows.next().unwrap().collect();
    assert_eq!(header[..3], ["node", "class", "probability"]);
    rows.map(|mut row| {
        let (node, class) = (row.next().unwrap(), row.next().unwrap());
        (node, class, row.skip(1).map(|number| number.parse().unwrap()).collect())
    })
    .collect()
}

#[test]
fn models_of_earlier_versions_say_the_same() {
    for version in VERSIONS {
        for run in ["motifnet-m", "spline"] {
            let folder = fixture(version, run);
            let (_, dataset) = opened(&folder);
            let model = TrainedModel::read(&folder).unwrap();
            let expected = predicted(&folder);
            assert_eq!(expected.len(), dataset.n_nodes());
            let predictor = Predictor::new(&model, &dataset, Some(folder.path()), &Silent).unwrap();
            let nodes: Vec<u32> =
                expected.iter().map(|(name, ..)| dataset.node(name).unwrap()).collect();
            let found = predictor.probabilities(&nodes).unwrap();
            for (place, (name, class, probabilities)) in expected.iter().enumerate() {
                let likeliest = found.likeliest(place).0 as usize;
                assert_eq!(&model.description.classes[likeliest], class, "{run}: {name}");
                // Sums of another order on another CPU.
                for (one, other) in found.row(place).iter().zip(probabilities) {
                    assert!((one - other).abs() < 1e-5, "{run}: {name}: {one} and {other}");
                }
            }
        }
    }
}

/// The eigenvectors of a graph may be others elsewhere, and what was learnt is of these.
#[test]
fn the_eigenvectors_that_a_model_was_trained_on_are_taken_from_their_file() {
    for version in VERSIONS {
        let folder = fixture(version, "spline");
        let file = folder.file(EIGEN_FILE);
        let before = (std::fs::read(&file).unwrap(), std::fs::metadata(&file).unwrap().modified());
        let (_, dataset) = opened(&folder);
        let model = TrainedModel::read(&folder).unwrap();
        Predictor::new(&model, &dataset, Some(folder.path()), &Silent).unwrap();
        let after = (std::fs::read(&file).unwrap(), std::fs::metadata(&file).unwrap().modified());
        assert!(before.0 == after.0 && before.1.unwrap() == after.1.unwrap(), "it was made anew");
    }
}

/// Gathers the epochs.
struct Epochs(Vec<EpochRecord>);

impl Observer for Epochs {
    fn epoch(&mut self, record: &EpochRecord, _: &TrainState) -> Observed {
        self.0.push(*record);
        Ok(std::ops::ControlFlow::Continue(()))
    }
}

#[test]
fn a_checkpoint_of_an_earlier_version_is_taken_up_to_the_end() {
    for version in VERSIONS {
        let [stopped, whole] = ["stopped", "motifnet-m"].map(|run| fixture(version, run));
        let (mut config, dataset) = opened(&stopped);
        config.train.epochs = 30;
        let run = PreparedRun::new(&dataset, &config, None, &Silent).unwrap();
        let rule = dataset.split.as_ref().unwrap();
        let split = rule.split(&dataset.labels, 0, config.train.seed).unwrap();
        let state = run.take_up(&stopped, &split, config.train.seed).unwrap().unwrap();
        assert_eq!(state.epoch, 10);
        assert_eq!(stopped.read_history(10).unwrap().len(), 10);
        let mut epochs = Epochs(Vec::new());
        let trained =
            run.run(&split, config.train.seed, Some(state), &mut epochs).unwrap().unwrap();
        let expected = whole.read_history(30).unwrap();
        assert_eq!(epochs.0.len(), 20);
        for (found, expected) in epochs.0.iter().zip(&expected[10..]) {
            let [one, other] = [found, expected].map(|record| record.train_loss);
            assert!((one - other).abs() < 1e-3, "epoch {}: {one} and {other}", found.epoch);
        }
        let report = whole.read_report().unwrap().unwrap();
        assert_eq!(trained.metrics.parameters, report.parameters);
    }
}

/// A copy of a run that a test may change.
fn copy(folder: &RunFolder) -> (tempfile::TempDir, RunFolder) {
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
    }
    let folder = RunFolder::open(copy.path()).unwrap();
    (copy, folder)
}

/// Writes the file again, as of a later version.
fn make_later(folder: &RunFolder, name: &str, kind: &'static str) {
    let read = TensorFile::read(&folder.file(name), kind, 1).unwrap();
    let mut later = TensorFile::new(kind, 2);
    for (key, value) in &read.about {
        later.about.entry(key.clone()).or_insert(value.clone());
    }
    later.add("what nobody knows yet", Tensor::f32(vec![1], vec![0.0]));
    later.write(&folder.file(name)).unwrap();
}

#[test]
fn files_of_later_versions_are_refused_with_what_to_do() {
    let told = |name: &str, error: &dyn std::error::Error| {
        let said = error.to_string();
        let expected = format!(
            "{name}: of version 2, and this motifnet reads up to version 1; update motifnet"
        );
        assert!(said.ends_with(&expected), "{said}");
    };
    let model = fixture("0.1", "motifnet-m");

    let (_keep, later) = copy(&model);
    make_later(&later, TENSORS_FILE, "model");
    told(TENSORS_FILE, &TrainedModel::read(&later).unwrap_err());

    let (_keep, later) = copy(&model);
    let text = std::fs::read_to_string(later.file(MODEL_FILE)).unwrap();
    assert!(text.starts_with("version = 1\n"));
    let text = format!("{}\nunheard_of = true\n", text.replacen("version = 1", "version = 2", 1));
    std::fs::write(later.file(MODEL_FILE), text).unwrap();
    told(MODEL_FILE, &TrainedModel::read(&later).unwrap_err());

    let (_keep, later) = copy(&fixture("0.1", "stopped"));
    make_later(&later, CHECKPOINT_FILE, "checkpoint");
    let (config, dataset) = opened(&fixture("0.1", "stopped"));
    let run = PreparedRun::new(&dataset, &config, None, &Silent).unwrap();
    let split = dataset.split.as_ref().unwrap().split(&dataset.labels, 0, 0).unwrap();
    told(CHECKPOINT_FILE, &run.take_up(&later, &split, 0).unwrap_err());
}
