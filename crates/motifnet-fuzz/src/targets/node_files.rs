//! Files about nodes: labels, features, splits.

use motifnet::data::{DatasetSource, read_node_labels, read_source};
use motifnet::graph::NodeNames;

use super::arrays::{floats, integers, npy};
use super::compressed::gzip;
use super::dataset::limited;
use super::parquet_seeds::node_tables;
use crate::pieces::{archive, joined};
use crate::seed::Seed;
use crate::target::Target;
use crate::trial::Trial;

pub(super) const LABELS: Target = Target { name: "labels", read: read_labels, seeds: label_seeds };
pub(super) const FEATURES: Target =
    Target { name: "features", read: read_features, seeds: feature_seeds };
pub(super) const SPLIT_FILE: Target =
    Target { name: "split_file", read: read_split, seeds: split_seeds };

fn read_labels(trial: &Trial, bytes: &[u8]) -> bool {
    let path = trial.file("labels", &archive(bytes)).display().to_string();
    let named = NodeNames::Strings(["n0", "n1", "n2", "n3"].iter().collect());
    [NodeNames::Indices(4), named].iter().fold(false, |is_taken, names| {
        [path.clone(), format!("{path}#value")].iter().fold(is_taken, |is_taken, file| {
            is_taken | read_node_labels(file, names, trial.limit(), trial).is_ok()
        })
    })
}

/// Four nodes in a ring, and what else is told of them.
fn ring(trial: &Trial, source: DatasetSource) -> bool {
    trial.file("arcs.tsv", b"0 1\n1 2\n2 3\n3 0\n");
    let source = DatasetSource { arcs: Some("arcs.tsv".into()), ..source };
    read_source(&source, trial.folder(), trial).is_ok()
}

fn read_features(trial: &Trial, bytes: &[u8]) -> bool {
    trial.file("features", &archive(bytes));
    ["features", "features#value"].iter().fold(false, |is_taken, file| {
        is_taken | ring(trial, DatasetSource { features: Some((*file).into()), ..limited(trial) })
    })
}

fn read_split(trial: &Trial, bytes: &[u8]) -> bool {
    trial.file("split", &archive(bytes));
    trial.file("labels.csv", b"node,class\n0,a\n1,b\n2,a\n3,b\n");
    ["split#value", "split#value 50/25/25"].iter().fold(false, |is_taken, split| {
        let (labels, split) = (Some("labels.csv".into()), Some((*split).into()));
        is_taken | ring(trial, DatasetSource { labels, split, ..limited(trial) })
    })
}

fn label_seeds() -> Vec<Seed> {
    let gml = "graph [ node [ id 0 label \"n0\" value 1 ] node [ id 1 label \"n1\" value \"b\" ] ]";
    let mut seeds = vec![
        Seed::new("csv", "node,value\n0,red\n2,\n3,blue\n"),
        Seed::new("one column", "red\nblue\nred\n7\n"),
        Seed::new("gzip", gzip(b"id;value;other\nn1;a;b\n")),
        Seed::new("gml", gml),
        Seed::new("npy", integers("4,", &[0, -1, 1, 1])),
        Seed::new("npy text", npy("|S2", "4, 1", b"a\0bbb\0a\0")),
        Seed::new(
            "npz",
            joined(&[
                ("labels", integers("4,", &[0, 1, 1, 0])),
                ("class_names", npy("|S1", "2,", b"ab")),
            ]),
        ),
    ];
    seeds.extend(node_tables());
    seeds
}

fn feature_seeds() -> Vec<Seed> {
    let coordinate = "%%MatrixMarket matrix coordinate real general\n4 3 2\n1 2 0.5\n4 3 1\n";
    let mut seeds = vec![
        Seed::new("csv", "node,a,value\n0,1,2\n1,3,4\n2,5e-1,6\n3,7,8\n"),
        Seed::new("mtx", coordinate),
        Seed::new("dense mtx", "%%MatrixMarket matrix array real general\n4 1\n1\n2\n3\n4\n"),
        Seed::new("npy", floats("4, 2", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])),
        Seed::new("npz", joined(&[("features", floats("4, 1", &[0.0, 1.0, 2.0, 3.0]))])),
        Seed::new(
            "sparse npz",
            joined(&[
                ("data", floats("2,", &[1.0; 2])),
                ("indices", integers("2,", &[1, 0])),
                ("indptr", integers("5,", &[0, 1, 1, 1, 2])),
                ("shape", integers("2,", &[4, 2])),
            ]),
        ),
    ];
    seeds.extend(node_tables().into_iter().take(1));
    seeds
}

fn split_seeds() -> Vec<Seed> {
    vec![
        Seed::new("words", "node,value\n0,train\n1,train\n2,val\n3,test\n"),
        Seed::new(
            "times",
            "node,value\n0,1999-12-31\n1,2000-01-01\n2,2000-02-29T12:00:00Z\n3,2001-01-01\n",
        ),
        Seed::new("numbers", "node,value\n0,-1.5\n1,2e3\n2,7\n3,8\n"),
        Seed::new("npy", npy("|S5", "4,", b"traintrainval\0\0test\0")),
        Seed::new("npz", joined(&[("value", floats("4,", &[1.0, 2.0, 3.0, 4.0]))])),
    ]
}
