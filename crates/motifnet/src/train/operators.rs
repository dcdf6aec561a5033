//! The operators of a model, ready to be multiplied with.

use std::path::Path;
use std::time::Instant;

use super::eigen_file;
use super::error::TrainError;
use super::model::{ModelConfig, ModelKind};
use crate::graph::DiGraph;
use crate::io::WriteError;
use crate::memory::Need;
use crate::motif::{MotifEngine, MotifKind, MotifOperator, MotifSpec, Representation, Scaling};
use crate::nn::GraphView;
use crate::progress::Progress;
use crate::sparse::{CsrMatrix, OperatorParts};
use crate::spectral::{
    Eigenbasis, LaplacianConfig, LaplacianError, LaplacianForm, MotifLaplacian, NegativeWeights,
};

/// Which matrices are made of motifs.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct OperatorConfig {
    /// What the entries of motif matrices count.
    #[serde(flatten)]
    pub spec: MotifSpec,
    /// Which Laplacian of them the model works on.
    #[serde(flatten)]
    pub laplacian: LaplacianConfig,
}

/// What a model works on, of a graph.
#[derive(Clone, Debug)]
pub struct OperatorSet {
    /// What it is made of.
    pub kinds: Vec<MotifKind>,
    /// Their matrices, as sums of sparse matrices and products of such.
    pub parts: Vec<OperatorParts<f32>>,
    /// Eigenvectors, for models that compute in them.
    pub eigenbasis: Option<Eigenbasis<f32>>,
    /// Seconds that it took to find them; none where they were read from a file, or are not needed.
    pub eigenbasis_seconds: Option<f64>,
    /// What there is to know of how it was made.
    pub notes: Vec<String>,
}

impl OperatorSet {
    /// As a network takes it.
    pub fn view(&self) -> GraphView<'_, f32> {
        GraphView { operators: self.parts.iter().collect(), eigenbasis: self.eigenbasis.as_ref() }
    }
}

/// A wedge motif is multiplied out where that has at most this many times the entries that its
/// factors visit: what a row gathers lies closer together then, and nothing is kept between.
const EXPLICIT_FACTOR: f64 = 1.5;

/// The operators that `model` works on, from one pass over the triangles of `graph`; an eigenbasis is
/// looked for in the folder `cache`, and left there.
///
/// # Errors
/// If the model cannot work on an operator: one with negative arc weights, one that is not symmetric,
/// one too large to be stored entry by entry; or if eigenvalues are not found.
pub fn build_operators(
    graph: &DiGraph,
    model: &ModelConfig,
    config: &OperatorConfig,
    cache: Option<&Path>,
    progress: &dyn Progress,
) -> Result<OperatorSet, TrainError> {
    let OperatorConfig { spec, laplacian } = config;
    let kinds = model.operators();
    let mut set = OperatorSet {
        kinds,
        parts: Vec::new(),
        eigenbasis: None,
        eigenbasis_seconds: None,
        notes: Vec::new(),
    };
    if set.kinds.is_empty() {
        return Ok(set);
    }
    if let Some(kind) = set.kinds.iter().find(|kind| !kind.is_symmetric())
        && model.kind.needs_symmetry()
    {
        return Err(TrainError::NotSymmetric { model: model.kind, operator: *kind });
    }
    let operators = {
        let engine = MotifEngine::planned(graph, progress)?;
        engine.operators_need(set.kinds.len()).check()?;
        engine.operators(&set.kinds, spec, Representation::Factored)
    };
    for operator in operators {
        let limit = (EXPLICIT_FACTOR * operator.cost() as f64) as u64;
        let operator = operator.multiplied_out(limit)?;
        parts_need(&operator).check()?;
        match model.kind {
            ModelKind::Gcn => set.parts.push(smoothing(&operator)?),
            ModelKind::Monet => set.parts.extend(degree_coordinates(operator)?),
            // N itself: the opposite of the rescaled Laplacian.
            ModelKind::Labelprop | ModelKind::Cayley => {
                let config = LaplacianConfig::default();
                set.parts.push(scaled(&MotifLaplacian::new(operator, config)?, -1.0));
            }
            ModelKind::Spectral | ModelKind::Spline => {
                let (basis, seconds) = eigenbasis(graph, operator, model, spec, cache, progress)?;
                let source = match seconds {
                    Some(seconds) => format!("found in {seconds:.1} s"),
                    None => format!("read from {}", eigen_file::EIGEN_FILE),
                };
                let megabytes = basis.n_bytes() as f64 / 1e6;
                set.notes.push(format!(
                    "{} eigenvectors of {} nodes, {megabytes:.1} MB, {source}",
                    basis.len(),
                    graph.n_nodes()
                ));
                set.eigenbasis = Some(basis);
                set.eigenbasis_seconds = seconds;
            }
            _ => set.parts.push(scaled(&MotifLaplacian::new(operator, *laplacian)?, 1.0)),
        }
    }
    Ok(set)
}

/// What an operator takes as a model works on it: its entries with their columns, scaled in 64 bits and then in 32.
fn parts_need(operator: &MotifOperator) -> Need {
    Need {
        what: "scaling a motif matrix",
        n_bytes: 16 * operator.cost() as u64,
        remedy: "ask for fewer motifs",
    }
}

/// The smoothest eigenvectors of the plain Laplacian, and the seconds that they took unless they were read.
fn eigenbasis(
    graph: &DiGraph,
    operator: MotifOperator,
    model: &ModelConfig,
    spec: &MotifSpec,
    cache: Option<&Path>,
    progress: &dyn Progress,
) -> Result<(Eigenbasis<f32>, Option<f64>), TrainError> {
    let (n, k) = (graph.n_nodes(), model.eigenvectors.min(graph.n_nodes()));
    let what = format!("{} {spec:?}", operator.kind());
    let fingerprint = eigen_file::fingerprint(graph, &what, k);
    if let Some(basis) = cache.and_then(|folder| eigen_file::read(folder, fingerprint, n, k)) {
        return Ok((basis, None));
    }
    let start = Instant::now();
    let config = LaplacianConfig { form: LaplacianForm::Plain, ..LaplacianConfig::default() };
    let basis = Eigenbasis::new(&MotifLaplacian::new(operator, config)?, k, progress)?;
    match cache.map_or(Ok(()), |folder| eigen_file::write(folder, fingerprint, &basis)) {
        // Who may only look at the folder of a run can ask its model all the same.
        Err(error) if !is_not_allowed(&error) => Err(error.into()),
        _ => Ok((basis, Some(start.elapsed().as_secs_f64()))),
    }
}

fn is_not_allowed(error: &WriteError) -> bool {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    let is_refusal =
        |source: &std::io::Error| matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem);
    match error {
        WriteError::Io { source, .. } => is_refusal(source),
        WriteError::ReadOnly(_) => true,
        _ => false,
    }
}

/// The most entries that a motif's matrix may have to be stored one by one.
const MOST_NEIGHBOURS: u64 = 1 << 30;

/// u_ij = (d̃_i^-½, d̃_j^-½) for every entry of W + I, with d̃ its degrees: MoNet's coordinates.
fn degree_coordinates(operator: MotifOperator) -> Result<[OperatorParts<f32>; 2], TrainError> {
    let kind = operator.kind();
    let operator = operator.multiplied_out(MOST_NEIGHBOURS)?;
    let places = smoothing(&operator)?;
    if !places.products.is_empty() {
        return Err(TrainError::TooManyNeighbours { operator: kind });
    }
    let [rows, columns] = smoothing_roots(&operator);
    let direct = places.direct;
    let entries: Vec<(usize, usize)> =
        direct.entries().map(|(row, column, _)| (row, column as usize)).collect();
    let coordinate = |of: &dyn Fn(&(usize, usize)) -> f64| {
        let values = entries.iter().map(|entry| of(entry) as f32).collect();
        let (offsets, places) = (direct.offsets().to_vec(), direct.columns().to_vec());
        OperatorParts::explicit(CsrMatrix::new(direct.n_columns(), offsets, places, values), false)
    };
    Ok([coordinate(&|entry| rows[entry.0]), coordinate(&|entry| columns[entry.1])])
}

/// `sign` times a Laplacian, in single precision.
fn scaled(laplacian: &MotifLaplacian, sign: f64) -> OperatorParts<f32> {
    let operator = laplacian.operator();
    let scaling = Scaling {
        scale: sign * laplacian.scale(),
        rows: laplacian.row_scale(),
        columns: laplacian.column_scale(),
        diagonal: &vec![sign * laplacian.identity(); operator.n_nodes()],
    };
    operator.scaled_parts(&scaling, laplacian.is_symmetric())
}

/// D̃^-½ (W + I) D̃^-½ with D̃ the degrees of W + I: GCN's operator.
fn smoothing(operator: &MotifOperator) -> Result<OperatorParts<f32>, LaplacianError> {
    if operator.has_negative_weights() {
        return Err(NegativeWeights { kind: operator.kind() }.into());
    }
    let [rows, columns] = smoothing_roots(operator);
    let diagonal: Vec<f64> = rows.iter().zip(&columns).map(|(row, column)| row * column).collect();
    let scaling = Scaling { scale: 1.0, rows: &rows, columns: &columns, diagonal: &diagonal };
    Ok(operator.scaled_parts(&scaling, operator.kind().is_symmetric()))
}

/// D̃^-½ of the rows and of the columns.
fn smoothing_roots(operator: &MotifOperator) -> [Vec<f64>; 2] {
    [operator.degrees(), operator.transposed().degrees()]
        .map(|sums| sums.into_iter().map(|sum| (sum + 1.0).sqrt().recip()).collect())
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn eigenvectors_may_go_unkept_where_nobody_may_write_and_not_where_a_disk_is_full() {
        let error = |kind: ErrorKind| WriteError::Io {
            path: "run/eigenbasis.npz".into(),
            source: kind.into(),
        };
        for (kind, expected) in [
            (ErrorKind::PermissionDenied, true),
            (ErrorKind::ReadOnlyFilesystem, true),
            (ErrorKind::StorageFull, false),
            (ErrorKind::FileTooLarge, false),
        ] {
            assert_eq!(is_not_allowed(&error(kind)), expected, "{kind}");
        }
    }
}
