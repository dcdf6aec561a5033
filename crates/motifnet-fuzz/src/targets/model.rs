//! What trained models are kept in: arrays of numbers, the model itself, checkpoints, eigenvectors.
//!
//! Model files have checksums, which a fuzzer cannot guess; so inputs of pieces tell which arrays there are,
//! and the files are made of them.

use motifnet::data::{DenseFeatures, FeatureConfig, FeaturePipeline, Features};
use motifnet::graph::{DiGraph, EdgeList};
use motifnet::io::{NpzArchive, Tensor, TensorFile};
use motifnet::nn::Network;
use motifnet::progress::Silent;
use motifnet::train::{
    CHECKPOINT_FILE, EIGEN_FILE, MODEL_FILE, ModelConfig, ModelDescription, ModelKind,
    OperatorConfig, RunFolder, TENSORS_FILE, TrainConfig, TrainState, TrainedModel,
    build_operators,
};

use super::arrays::floats;
use crate::pieces::{archive, joined, pieces};
use crate::seed::{Seed, written};
use crate::target::Target;
use crate::trial::Trial;

pub(super) const TENSORS: Target =
    Target { name: "tensors", read: read_tensors, seeds: tensor_seeds };
pub(super) const MODEL: Target = Target { name: "model", read: read_model, seeds: model_seeds };
pub(super) const CHECKPOINT: Target =
    Target { name: "checkpoint", read: read_checkpoint, seeds: checkpoint_seeds };
pub(super) const EIGENBASIS: Target =
    Target { name: "eigenbasis", read: read_eigenbasis, seeds: eigenbasis_seeds };

/// The piece that lists the arrays of a file, one `type name shape` a line.
const ARRAYS: &str = "arrays";

fn read_tensors(trial: &Trial, bytes: &[u8]) -> bool {
    TensorFile::read(&trial.file(TENSORS_FILE, bytes), "model", 1).is_ok()
}

/// Arrays as they are listed, of numbers that are all alike.
fn add_arrays(file: &mut TensorFile, list: &[u8]) {
    for line in String::from_utf8_lossy(list).lines().take(64) {
        let mut words = line.split_whitespace();
        let (Some(kind), Some(name)) = (words.next(), words.next()) else { continue };
        let Ok(shape) = words.map(str::parse).collect::<Result<Vec<usize>, _>>() else { continue };
        let size = shape.iter().try_fold(1usize, |size, &length| size.checked_mul(length));
        let Some(size @ ..=4096) = size else { continue };
        file.add(
            name,
            match kind {
                "f64" => Tensor::f64(shape, vec![0.5; size]),
                "nan" => Tensor::f64(shape, vec![f64::NAN; size]),
                _ => Tensor::f32(shape, vec![0.5; size]),
            },
        );
    }
}

fn read_model(trial: &Trial, bytes: &[u8]) -> bool {
    let mut file = TensorFile::new("model", 1);
    for (name, piece) in pieces(bytes) {
        match name {
            MODEL_FILE => {
                trial.file(MODEL_FILE, piece);
                let belongs = format!("{:08x}", crc32c::crc32c(piece));
                file.about.insert("description".to_owned(), belongs.into());
            }
            ARRAYS => add_arrays(&mut file, piece),
            _ => {}
        }
    }
    // Names that safetensors keeps for itself cannot be written.
    if file.write(&trial.folder().join(TENSORS_FILE)).is_err() {
        return false;
    }
    TrainedModel::read(&RunFolder::at(trial.folder())).is_ok()
}

fn read_checkpoint(trial: &Trial, bytes: &[u8]) -> bool {
    let mut file = TensorFile::new("checkpoint", 1);
    for (name, piece) in pieces(bytes) {
        match name {
            "about" => {
                let about = String::from_utf8_lossy(piece).parse::<toml::Table>();
                file.about.extend(about.unwrap_or_default());
            }
            ARRAYS => add_arrays(&mut file, piece),
            _ => {}
        }
    }
    let path = trial.folder().join(CHECKPOINT_FILE);
    if file.write(&path).is_err() {
        return false;
    }
    match TrainState::read(&path, "run", 3, &TrainConfig::default()) {
        Ok(state) => {
            let _ = state.is_over(&TrainConfig::default());
            true
        }
        Err(_) => false,
    }
}

/// The eigenvectors of a ring of four nodes, from the folder `cache` if they are there; whether they were.
fn ring_eigenbasis(cache: &std::path::Path) -> bool {
    let (sources, targets) = (vec![0, 1, 2, 3], vec![1, 2, 3, 0]);
    let arcs = EdgeList { n_nodes: 4, sources, targets, weights: None };
    let (graph, _) = DiGraph::build(arcs, &Default::default()).expect("a ring");
    let model = ModelConfig { eigenvectors: 2, ..ModelConfig::paper(ModelKind::Spectral) };
    let set = build_operators(&graph, &model, &OperatorConfig::default(), Some(cache), &Silent);
    let set = set.expect("the eigenvectors of a ring");
    set.notes.iter().any(|note| note.contains("read from"))
}

fn read_eigenbasis(trial: &Trial, bytes: &[u8]) -> bool {
    trial.file(EIGEN_FILE, &archive(bytes));
    ring_eigenbasis(trial.folder())
}

fn tensor_seeds() -> Vec<Seed> {
    let bytes = written(TENSORS_FILE, |path| {
        let mut file = TensorFile::new("model", 1);
        file.about.insert("classes".to_owned(), vec!["ä", "b"].into());
        file.add("theta", Tensor::f32(vec![2, 1], vec![1.5, f32::NAN]));
        file.add("scale", Tensor::f64(vec![], vec![0.1]));
        file.write(path)
    });
    vec![Seed::new("two arrays", bytes)]
}

fn model_seeds() -> Vec<Seed> {
    let kinds = ModelKind::ALL.into_iter().filter(|&kind| kind != ModelKind::Labelprop);
    kinds.map(|kind| Seed::new(kind.name(), model(kind))).collect()
}

/// A model of two features and two classes.
fn model(kind: ModelKind) -> Vec<u8> {
    let features = DenseFeatures::new(2, 2, vec![1.0, 2.0, 3.0, 4.0]).expect("features");
    let features = Features::Dense(features);
    let pipeline = FeaturePipeline::fit(&features, 2, &FeatureConfig::default(), &Silent);
    let pipeline = pipeline.expect("features");
    let small = ModelConfig { width: 3, order: 1, eigenvectors: 2, ..ModelConfig::paper(kind) };
    let description = ModelDescription {
        version: 1,
        sum: None,
        classes: vec!["a".to_owned(), "b".to_owned()],
        features: Some("x.npy".to_owned()),
        n_columns: 2,
        columns: None,
        steps: pipeline.steps(),
        graph: None,
        model: small.clone(),
        operators: OperatorConfig::default(),
    };
    let config = small.network().expect("a network");
    let n_matrices = match kind {
        ModelKind::Spectral | ModelKind::Spline => 0,
        ModelKind::Monet => 2,
        _ => small.operators().len(),
    };
    let network = Network::new(&config, 2, 2, n_matrices).expect("a network");
    let parameters = network.layout().initial(7);
    let model = TrainedModel::new(description, pipeline.clone(), parameters).expect("a model");
    let (text, _) = model.to_bytes().expect("its files");
    // No fuzzer guesses what the numbers add up to.
    let is_told = |line: &&str| !line.starts_with("sum = ");
    let text: String = text.lines().filter(is_told).map(|line| format!("{line}\n")).collect();
    let shape = |shape: &[usize]| shape.iter().map(|n| format!(" {n}")).collect::<String>();
    let tensors = network.layout().tensors().iter();
    let mut arrays: String =
        tensors.map(|tensor| format!("f32 {}{}\n", tensor.name(), shape(tensor.shape()))).collect();
    for step in pipeline.tensors() {
        arrays += &format!("f64 features.{}{}\n", step.name, shape(&step.shape));
    }
    joined(&[(MODEL_FILE, text), (ARRAYS, arrays)])
}

fn checkpoint_seeds() -> Vec<Seed> {
    let arrays = "f32 parameters 3\nf32 adam.mean 3\nf32 adam.square 3\n";
    let best = format!("{arrays}f32 best.parameters 3\nf64 best.scores 2 2\n");
    vec![
        Seed::new("first", joined(&[("about", "of = 'run'\nepoch = 1"), (ARRAYS, arrays)])),
        Seed::new(
            "best",
            joined(&[("about", "of = 'run'\nepoch = 7\nbest_epoch = 5"), (ARRAYS, best.as_str())]),
        ),
    ]
}

fn eigenbasis_seeds() -> Vec<Seed> {
    let folder = tempfile::tempdir().expect("a folder for a seed");
    ring_eigenbasis(folder.path());
    let path = folder.path().join(EIGEN_FILE);
    let mut archive = NpzArchive::open(&path, None, &Silent).expect("eigenvectors");
    let fingerprint = archive.integers("fingerprint").expect("a fingerprint").values;
    let arrays = [
        ("fingerprint", super::arrays::integers("1,", &fingerprint)),
        ("values", floats("2,", &[0.0, 1.0])),
        ("vectors", floats("4, 2", &[0.5; 8])),
    ];
    vec![
        Seed::new("written", std::fs::read(path).expect("eigenvectors")),
        Seed::new("pieces", joined(&arrays)),
    ]
}
