//! Real data sets load with the features, labels and splits that are known of them.
//!
//! Runs where `MOTIFNET_DATA` names a folder of data sets; elsewhere it says that it is skipped.

#![allow(clippy::unwrap_used)]

mod common;

use common::{data_folder, skip};
use motifnet::data::{
    FeatureConfig, FeaturePipeline, Features, NodeDataset, SplitRule, read_dataset,
};
use motifnet::progress::Silent;

/// Folder, then nodes, features, classes, labelled nodes and split.
const DATASETS: [(&str, &str); 12] = [
    ("cora-full", "19793 nodes, no features, 70 classes, 19793 labelled, 10/10/10"),
    ("cora-ml", "2995 nodes, 2879 sparse features, 7 classes, 2995 labelled, 10/10/10"),
    ("citeseer", "3312 nodes, 3703 sparse features, 6 classes, 3312 labelled, 10/10/10"),
    ("amazon-photo", "7650 nodes, 745 sparse features, 8 classes, 7650 labelled, 10/10/10"),
    ("amazon-cs", "13752 nodes, 767 sparse features, 10 classes, 13752 labelled, 10/10/10"),
    ("chameleon-filtered", "890 nodes, 2325 dense features, 5 classes, 890 labelled, 10 masks"),
    ("squirrel-filtered", "2223 nodes, 2089 dense features, 5 classes, 2223 labelled, 10 masks"),
    ("telegram", "245 nodes, one-hot, 4 classes, 245 labelled, 60/20/20"),
    ("email-eu-core", "1005 nodes, one-hot, 42 classes, 1005 labelled, 60/20/20"),
    ("polblogs", "1490 nodes, one-hot, 2 classes, 1490 labelled, 60/20/20"),
    ("florida-bay", "128 nodes, one-hot, 11 classes, 62 labelled, 60/20/20"),
    ("celegans", "297 nodes, no features, 0 classes, 0 labelled, no split"),
];

/// Training, validation and test nodes of the fixed splits, counted apart from this library.
const CHAMELEON: [(usize, usize, usize); 10] = [
    (409, 287, 194),
    (427, 302, 161),
    (422, 290, 178),
    (412, 294, 184),
    (440, 268, 182),
    (434, 292, 164),
    (418, 284, 188),
    (421, 310, 159),
    (431, 287, 172),
    (426, 278, 186),
];
const SQUIRREL: [(usize, usize, usize); 10] = [
    (1053, 718, 452),
    (1080, 700, 443),
    (1047, 726, 450),
    (1060, 713, 450),
    (1055, 719, 449),
    (1077, 691, 455),
    (1085, 692, 446),
    (1051, 739, 433),
    (1049, 691, 483),
    (1074, 733, 416),
];

fn describe(dataset: &NodeDataset) -> String {
    let features = match &dataset.features {
        Features::None => "no features".to_owned(),
        Features::OneHot => "one-hot".to_owned(),
        Features::Dense(_) => format!("{} dense features", dataset.n_features()),
        Features::Sparse(_) => format!("{} sparse features", dataset.n_features()),
    };
    let split = match &dataset.split {
        None => "no split".to_owned(),
        Some(SplitRule::Masks(splits)) => format!("{} masks", splits.len()),
        Some(rule) => rule.to_string(),
    };
    let (n_nodes, labels) = (dataset.n_nodes(), &dataset.labels);
    let (n_classes, n_labelled) = (labels.n_classes(), labels.n_labelled());
    format!("{n_nodes} nodes, {features}, {n_classes} classes, {n_labelled} labelled, {split}")
}

#[test]
fn real_data_sets_have_what_is_known_of_them() {
    let Some(data) = data_folder() else { return skip() };
    let mut differences = Vec::new();
    for (folder, known) in DATASETS {
        let dataset = read_dataset(&data.join(folder), &Silent).unwrap();
        let found = describe(&dataset);
        if found != known {
            differences.push(format!("{folder}: found {found}, known {known}"));
        }
        assert_eq!(dataset.name, folder);
        let n_nodes = dataset.n_nodes();
        assert_eq!((dataset.names.len(), dataset.labels.n_nodes()), (n_nodes, n_nodes), "{folder}");
        if let Some(rule) = &dataset.split {
            rule.split(&dataset.labels, 0, 1).unwrap();
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn labels_and_names_stand_at_their_nodes() {
    let Some(data) = data_folder() else { return skip() };
    let class_of = |folder: &str, name: &str| {
        let dataset = read_dataset(&data.join(folder), &Silent).unwrap();
        let mut nodes = 0..dataset.n_nodes() as u32;
        let node = nodes.find(|&node| dataset.names.name(node) == name).unwrap();
        dataset.labels.of(node).map(|class| dataset.labels.classes()[class as usize].clone())
    };
    for (folder, name, class) in [
        ("polblogs", "100monkeystyping.com", Some("0")),
        ("email-eu-core", "2", Some("21")),
        ("florida-bay", "Synedococcus", None),
    ] {
        assert_eq!(class_of(folder, name).as_deref(), class, "{folder}, {name}");
    }
}

#[test]
fn fixed_splits_have_their_known_sizes() {
    let Some(data) = data_folder() else { return skip() };
    for (folder, known) in [("chameleon-filtered", CHAMELEON), ("squirrel-filtered", SQUIRREL)] {
        let dataset = read_dataset(&data.join(folder), &Silent).unwrap();
        let Some(SplitRule::Masks(splits)) = &dataset.split else { panic!("{folder}: no masks") };
        let sizes = splits
            .iter()
            .map(|split| (split.train().len(), split.validation().len(), split.test().len()));
        assert_eq!(sizes.collect::<Vec<_>>(), known, "{folder}");
    }
}

#[test]
fn real_features_become_130_columns_of_unit_deviation() {
    let Some(data) = data_folder() else { return skip() };
    // One-hot columns all vary alike: 130 of n nodes have 130/(n − 1) of the variance.
    for (folder, first_step) in [
        ("cora-ml", "PCA 2,879 → 130 ("),
        ("chameleon-filtered", "PCA 2,325 → 130 ("),
        ("telegram", "PCA 245 → 130 (53.3 % of the variance)"),
        ("polblogs", "PCA 1,490 → 130 (8.7 % of the variance)"),
    ] {
        let dataset = read_dataset(&data.join(folder), &Silent).unwrap();
        let config = FeatureConfig::default();
        let n_nodes = dataset.n_nodes();
        let pipeline = FeaturePipeline::fit(&dataset.features, n_nodes, &config, &Silent).unwrap();
        let found = pipeline.apply(&dataset.features, n_nodes).unwrap();
        assert_eq!((found.n_nodes, found.width), (dataset.n_nodes(), 130), "{folder}");
        assert!(found.steps[0].starts_with(first_step), "{folder}: {:?}", found.steps);
        let n = found.values.len() as f64;
        let mean = found.values.iter().map(|&value| f64::from(value)).sum::<f64>() / n;
        let squares = found.values.iter().map(|&value| (f64::from(value) - mean).powi(2));
        assert!((squares.sum::<f64>() / n - 1.0).abs() < 1e-4, "{folder}");
    }
}
