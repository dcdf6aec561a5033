//! Motif matrices and Laplacians to multiply with, at O(arcs) memory.

use motifnet::motif::{DEFAULT_SIZE_WORK, MotifEngine, MotifOperator, Representation};
use motifnet::sparse::{LinearOperator, Scalar};
use motifnet::spectral::MotifLaplacian;
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::raise;
use crate::graph::Graph;
use crate::motifs::{LaplacianWords, laplacian_config, motif_kinds, motif_spec};
use crate::work;

/// A matrix that is known by what it does to vectors.
#[pyclass(frozen, module = "motifnet._motifnet")]
pub(crate) struct Operator {
    matrix: Matrix,
}

enum Matrix {
    Motif(MotifOperator),
    Laplacian(Box<MotifLaplacian>),
}

/// Columns, in 32 or 64 bits.
#[derive(FromPyObject)]
enum Columns<'py> {
    Wide(PyReadonlyArray2<'py, f64>),
    Narrow(PyReadonlyArray2<'py, f32>),
}

#[pymethods]
impl Operator {
    #[getter]
    fn n_nodes(&self) -> usize {
        self.motif().n_nodes()
    }

    /// Whether it is its own transpose.
    #[getter]
    fn is_symmetric(&self) -> bool {
        match &self.matrix {
            Matrix::Motif(operator) => operator.kind().is_symmetric(),
            Matrix::Laplacian(laplacian) => laplacian.is_symmetric(),
        }
    }

    /// How many entries the motif's matrix has, and whether they were counted one by one.
    fn size(&self, py: Python<'_>) -> (u64, bool) {
        let size = py.detach(|| self.motif().size(DEFAULT_SIZE_WORK));
        (size.entries, size.exact)
    }

    /// The matrix, or its transpose, times the columns of `x`.
    fn apply<'py>(
        &self,
        py: Python<'py>,
        x: Columns<'py>,
        transpose: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        match x {
            Columns::Wide(x) => self.multiply(py, &x, transpose),
            Columns::Narrow(x) => self.multiply(py, &x, transpose),
        }
    }
}

impl Operator {
    fn motif(&self) -> &MotifOperator {
        match &self.matrix {
            Matrix::Motif(operator) => operator,
            Matrix::Laplacian(laplacian) => laplacian.operator(),
        }
    }

    fn multiply<'py, T: Scalar + Element>(
        &self,
        py: Python<'py>,
        x: &PyReadonlyArray2<'py, T>,
        transpose: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let [n_rows, width] = [x.shape()[0], x.shape()[1]];
        let n_nodes = self.motif().n_nodes();
        if n_rows != n_nodes {
            let text =
                format!("{n_rows} rows for a matrix of {n_nodes} nodes; give one for every node");
            return Err(PyValueError::new_err(text));
        }
        let x = x.as_slice()?;
        let apply = |operator: &dyn LinearOperator<T>| {
            let mut y = vec![T::default(); x.len()];
            match transpose {
                true => operator.apply_transpose_into(x, width, &mut y),
                false => operator.apply_into(x, width, &mut y),
            }
            y
        };
        let y = work::run(py, None, |_| match &self.matrix {
            Matrix::Motif(operator) => apply(operator),
            Matrix::Laplacian(laplacian) => apply(&**laplacian),
        })?;
        Ok(PyArray1::from_vec(py, y).reshape([n_nodes, width])?.into_any())
    }
}

/// The operators of motifs, or of their Laplacians.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are the words of the command line")]
pub(crate) fn motif_operators(
    py: Python<'_>,
    graph: &Graph,
    motifs: Vec<String>,
    support: &str,
    instances: &str,
    weights: &str,
    laplacian: Option<LaplacianWords>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<Operator>> {
    let kinds = motif_kinds(&motifs)?;
    let spec = motif_spec(support, instances, weights)?;
    let laplacian = laplacian.as_ref().map(laplacian_config).transpose()?;
    work::run(py, progress.as_ref(), |relay| {
        let engine = MotifEngine::with_progress(&graph.graph, relay);
        let operators = engine.operators(&kinds, &spec, Representation::Auto);
        let matrix = |operator| match laplacian {
            None => Ok(Matrix::Motif(operator)),
            Some(config) => MotifLaplacian::new(operator, config)
                .map(|laplacian| Matrix::Laplacian(Box::new(laplacian)))
                .map_err(raise),
        };
        operators.into_iter().map(|operator| Ok(Operator { matrix: matrix(operator)? })).collect()
    })?
}
