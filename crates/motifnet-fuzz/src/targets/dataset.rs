//! Data sets: a folder with a description and its files.

use motifnet::data::{DatasetSource, read_source};

use super::arrays::{floats, integers, npy};
use crate::pieces::{joined, write_all};
use crate::seed::Seed;
use crate::target::Target;
use crate::trial::Trial;

pub(super) const DATASET: Target = Target { name: "dataset", read, seeds };

fn read(trial: &Trial, bytes: &[u8]) -> bool {
    write_all(trial, bytes);
    let source = DatasetSource { dataset: Some(trial.folder().to_owned()), ..limited(trial) };
    read_source(&source, trial.folder(), trial).is_ok()
}

/// A source with a cap on decompression, and nothing else yet.
pub(super) fn limited(trial: &Trial) -> DatasetSource {
    DatasetSource { max_decompressed: trial.limit_in_megabytes(), ..Default::default() }
}

fn seeds() -> Vec<Seed> {
    let tables = joined(&[
        (
            "dataset.toml",
            "name = 'trio'\narcs = 'arcs.tsv'\nlabels = 'people.csv#team'\n\
             features = 'people.csv#age'\nsplit = '60/20/20'\nnames = 'people.csv#id'",
        ),
        ("arcs.tsv", "ann\tbob\nbob\tcat\ncat\tann\n"),
        ("people.csv", "id,age,team\ncat,31,red\nann,27,blue\nbob,9,red\n"),
    ]);
    let kept = joined(&[
        (
            "dataset.toml",
            "arcs = 'arcs.mtx'\nlabels = 'l.csv#class'\nfeatures = 'degrees'\nisolated = 'keep'\n\
             split = 'l.csv#when 50/25/25'",
        ),
        ("arcs.mtx", "%%MatrixMarket matrix coordinate pattern general\n4 4 2\n1 2\n2 3\n"),
        (
            "l.csv",
            "node,class,when\n1,a,2020-01-01\n2,b,2020-01-02\n3,a,2021-01-01\n4,b,2022-03-04\n",
        ),
    ]);
    let archive = joined(&[
        ("dataset.toml", b"npz = 'all.npz'\nsplit = 'masks'".to_vec()),
        ("all.npz/edges", integers("3, 2", &[0, 1, 1, 2, 2, 3])),
        ("all.npz/node_labels", integers("4,", &[0, 1, 1, 0])),
        ("all.npz/node_features", floats("4, 2", &[1.0; 8])),
        ("all.npz/train_masks", npy("|b1", "1, 4", &[1, 1, 0, 0])),
        ("all.npz/val_masks", npy("|b1", "1, 4", &[0, 0, 1, 0])),
        ("all.npz/test_masks", npy("|b1", "1, 4", &[0, 0, 0, 1])),
        ("all.npz/class_names", npy("|S1", "2,", b"ab")),
    ]);
    let sparse = joined(&[
        ("dataset.toml", b"npz = 'all.npz'".to_vec()),
        ("all.npz/adj_data", floats("2,", &[1.0; 2])),
        ("all.npz/adj_indices", integers("2,", &[1, 2])),
        ("all.npz/adj_indptr", integers("4,", &[0, 1, 2, 2])),
        ("all.npz/adj_shape", integers("2,", &[3, 3])),
        ("all.npz/attr_data", floats("2,", &[1.0; 2])),
        ("all.npz/attr_indices", integers("2,", &[1, 0])),
        ("all.npz/attr_indptr", integers("4,", &[0, 1, 2, 2])),
        ("all.npz/attr_shape", integers("2,", &[3, 2])),
        ("all.npz/labels", integers("3,", &[0, -1, 1])),
    ]);
    vec![
        Seed::new("tables", tables),
        Seed::new("matrix and times", kept),
        Seed::new("archive with masks", archive),
        Seed::new("archive of sparse matrices", sparse),
    ]
}
