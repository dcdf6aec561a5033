//! What runs have written about themselves.

use motifnet::experiment::MetricsFile;
use motifnet::train::{HISTORY_FILE, METRICS_FILE, RunFolder};

use crate::seed::Seed;
use crate::target::Target;
use crate::trial::Trial;

pub(super) const HISTORY: Target =
    Target { name: "history", read: read_history, seeds: history_seeds };
pub(super) const METRICS: Target =
    Target { name: "metrics", read: read_metrics, seeds: metric_seeds };

fn read_history(trial: &Trial, bytes: &[u8]) -> bool {
    trial.file(HISTORY_FILE, bytes);
    let folder = RunFolder::at(trial.folder());
    let n_lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count();
    let beyond = folder.read_history(usize::MAX).is_ok();
    assert!(!beyond, "more epochs than a file can have");
    folder.read_history(n_lines).is_ok()
}

fn read_metrics(trial: &Trial, bytes: &[u8]) -> bool {
    let path = trial.file(METRICS_FILE, bytes);
    let metrics = MetricsFile::read(&path);
    let told = metrics.as_ref().map(MetricsFile::model_in_words).is_ok();
    let report = RunFolder::at(trial.folder()).read_report();
    told | matches!(report, Ok(Some(_)))
}

fn history_seeds() -> Vec<Seed> {
    let line = |epoch: u32| {
        format!(
            "{{\"epoch\":{epoch},\"train_loss\":1.5,\"train_accuracy\":0.5,\"val_loss\":1.25e-3,\
             \"val_accuracy\":0.0,\"is_best\":true}}\n"
        )
    };
    vec![Seed::new("one", line(1)), Seed::new("three", [1, 2, 3].map(line).concat())]
}

fn metric_seeds() -> Vec<Seed> {
    let text = r#"{"dataset": "d", "n_nodes": 9, "n_arcs": 20, "n_classes": 3, "model": "motifnet-m",
        "order": 2, "heads": 4, "operators": ["U", "in"], "split": "10/10/10", "seed": 7,
        "later": {"unknown": [1]},
        "repeats": [{"seed": 7, "n_train": 4, "n_validation": 2, "n_test": 3,
            "test_accuracy": null, "val_accuracy": 0.5}]}"#;
    vec![Seed::new("one", text)]
}
