//! The eigenbasis of a run, kept beside it.

use std::hash::{Hash, Hasher};
use std::path::Path;

use crate::graph::DiGraph;
use crate::io::{NpzArchive, NpzWriter, Place, WriteError};
use crate::progress::Silent;
use crate::spectral::Eigenbasis;

/// The name of the file in the folder of a run.
pub const EIGEN_FILE: &str = "eigenbasis.npz";

/// What an eigenbasis belongs to: a graph, an operator on it, and how many vectors.
///
/// A number that another graph has by chance with probability 2⁻⁶⁴.
pub(super) fn fingerprint(graph: &DiGraph, what: &str, k: usize) -> i64 {
    let mut hasher = rustc_hash::FxHasher::default();
    let arcs = graph.outgoing();
    (arcs.offsets(), arcs.neighbors(), what, k).hash(&mut hasher);
    for weight in arcs.weights().unwrap_or(&[]) {
        weight.to_bits().hash(&mut hasher);
    }
    hasher.finish() as i64
}

/// Reads an eigenbasis, if there is one and it is the one that is wanted; anything else will be
/// computed and written anew.
pub(super) fn read(
    folder: &Path,
    fingerprint: i64,
    n_nodes: usize,
    k: usize,
) -> Option<Eigenbasis<f32>> {
    // A pipe under that name would be waited for.
    let path = Some(folder.join(EIGEN_FILE)).filter(|path| path.is_file())?;
    let mut archive = NpzArchive::open(&path, None, &Silent).ok()?;
    if archive.integers("fingerprint").ok()?.values != [fingerprint] {
        return None;
    }
    let values = archive.floats_f32("values").ok()?.values;
    let vectors = archive.floats_f32("vectors").ok()?.values;
    let is_whole = values.len() == k && vectors.len() == n_nodes * k;
    let is_finite = values.iter().chain(&vectors).all(|value| value.is_finite());
    (is_whole && is_finite).then_some(Eigenbasis { values, vectors })
}

/// Writes it, whole or not at all.
pub(super) fn write(
    folder: &Path,
    fingerprint: i64,
    basis: &Eigenbasis<f32>,
) -> Result<(), WriteError> {
    let mut archive = NpzWriter::create(Place::within(folder, EIGEN_FILE))?;
    let (n, k) = (basis.n_nodes() as u64, basis.len() as u64);
    archive.array("fingerprint", &[1], [fingerprint])?;
    archive.array("values", &[k], basis.values.iter().copied())?;
    archive.array("vectors", &[n, k], basis.vectors.iter().copied())?;
    archive.commit()
}
