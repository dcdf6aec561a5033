//! The fixed splits that come with an archive.

use std::path::Path;

use crate::data::{DataError, Labels, Split};
use crate::io::{NpyArray, NpzArchive, NpzError, Reading};

/// The arrays of the parts, several splits or one.
const TRAIN: [&str; 2] = ["train_masks", "train_mask"];
const VALIDATION: [&str; 2] = ["val_masks", "val_mask"];
const TEST: [&str; 2] = ["test_masks", "test_mask"];

/// Whether an archive has fixed splits.
pub(super) fn are_in(archive: &NpzArchive<'_>) -> bool {
    TRAIN.iter().any(|key| archive.has(key))
}

/// Reads all fixed splits: masks of one row (or column) a split, one value a node.
pub(super) fn read(
    path: &Path,
    labels: &Labels,
    reading: Reading<'_>,
) -> Result<Vec<Split>, DataError> {
    let mut archive = reading.open_archive(path)?;
    let n_nodes = labels.n_nodes();
    let train = read_part(&mut archive, TRAIN, n_nodes)?;
    let validation = read_part(&mut archive, VALIDATION, n_nodes)?;
    let test = read_part(&mut archive, TEST, n_nodes)?;
    if train.len() != validation.len() || train.len() != test.len() {
        let message = format!(
            "has masks for {} training, {} validation and {} test parts; every split needs all \
             three",
            train.len(),
            validation.len(),
            test.len()
        );
        return Err(DataError::file(path, message));
    }
    let parts = train.into_iter().zip(validation).zip(test).enumerate();
    parts
        .map(|(number, ((train, validation), test))| {
            Split::new(labels, train, validation, test).map_err(|source| DataError::Mask {
                path: path.to_owned(),
                number,
                source,
            })
        })
        .collect()
}

/// The nodes of one part, split after split.
fn read_part(
    archive: &mut NpzArchive<'_>,
    keys: [&str; 2],
    n_nodes: usize,
) -> Result<Vec<Vec<u32>>, NpzError> {
    let key = keys.into_iter().find(|key| archive.has(key)).unwrap_or(keys[0]);
    let NpyArray { shape, values } = archive.integers(key)?;
    // How far apart the values of one node and the next, of one split and the next, are.
    let (n_splits, node_step, split_step) = match shape[..] {
        [found] if found == n_nodes => (1, 1, 0),
        // Masks of no nodes take no bytes, however many are declared.
        [n_splits, found] if found == n_nodes && found > 0 => (n_splits, 1, n_nodes),
        [found, n_splits] if found == n_nodes && found > 0 => (n_splits, n_splits, 1),
        _ => {
            let message = format!(
                "masks of shape {shape:?} for {n_nodes} nodes; a mask has one value a node"
            );
            return Err(archive.problem(key, message));
        }
    };
    let nodes = |split: usize| {
        let is_in = |node: &u32| values[split * split_step + *node as usize * node_step] != 0;
        (0..n_nodes as u32).filter(is_in).collect()
    };
    Ok((0..n_splits).map(nodes).collect())
}
