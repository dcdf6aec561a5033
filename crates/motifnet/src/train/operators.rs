//! The operators of a model, ready to be multiplied with.

use super::model::{ModelConfig, ModelKind};
use crate::graph::DiGraph;
use crate::motif::{MotifEngine, MotifKind, MotifOperator, MotifSpec, Representation, Scaling};
use crate::progress::Progress;
use crate::sparse::OperatorParts;
use crate::spectral::{LaplacianConfig, LaplacianError, MotifLaplacian, NegativeWeights};

/// The operators of a model on a graph.
#[derive(Clone, Debug)]
pub struct OperatorSet {
    /// What each is made of.
    pub kinds: Vec<MotifKind>,
    /// Their matrices, as sums of sparse matrices and products of such.
    pub parts: Vec<OperatorParts<f32>>,
}

/// A wedge motif is multiplied out where that has at most this many times the entries that its
/// factors visit: what a row gathers lies closer together then, and nothing is kept between.
const EXPLICIT_FACTOR: f64 = 1.5;

/// The operators that `model` works on, from one pass over the triangles of `graph`.
///
/// # Errors
/// If negative arc weights went into an operator, or its largest eigenvalue is not found.
pub fn build_operators(
    graph: &DiGraph,
    model: &ModelConfig,
    spec: &MotifSpec,
    laplacian: &LaplacianConfig,
    progress: &dyn Progress,
) -> Result<OperatorSet, LaplacianError> {
    let kinds = model.operators();
    if kinds.is_empty() {
        return Ok(OperatorSet { kinds, parts: Vec::new() });
    }
    let operators = {
        let engine = MotifEngine::with_progress(graph, progress);
        engine.operators(&kinds, spec, Representation::Factored)
    };
    let parts = operators.into_iter().map(|operator| {
        let limit = (EXPLICIT_FACTOR * operator.cost() as f64) as u64;
        let operator = operator.multiplied_out(limit);
        match model.kind {
            ModelKind::Gcn => smoothing(&operator),
            ModelKind::Labelprop => {
                let config = LaplacianConfig::default();
                Ok(scaled(&MotifLaplacian::new(operator, config)?, -1.0))
            }
            _ => Ok(scaled(&MotifLaplacian::new(operator, *laplacian)?, 1.0)),
        }
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    Ok(OperatorSet { kinds, parts })
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
    let roots = |sums: Vec<f64>| -> Vec<f64> {
        sums.into_iter().map(|sum| (sum + 1.0).sqrt().recip()).collect()
    };
    let rows = roots(operator.degrees());
    let columns = roots(operator.transposed().degrees());
    let diagonal: Vec<f64> = rows.iter().zip(&columns).map(|(row, column)| row * column).collect();
    let scaling = Scaling { scale: 1.0, rows: &rows, columns: &columns, diagonal: &diagonal };
    Ok(operator.scaled_parts(&scaling, operator.kind().is_symmetric()))
}
