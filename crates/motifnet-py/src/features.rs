//! Features of nodes, and the data set that they make with a graph.

use motifnet::data::{DenseFeatures, Features, Labels, NodeDataset};
use motifnet::sparse::CsrMatrix;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::Integers;
use crate::errors::raise;
use crate::graph::Graph;

/// What the features are called in a model's description: they came from memory.
const ORIGIN: &str = "python";

/// A row of numbers for every node: an array, or offsets, columns, values and the number of columns.
#[derive(FromPyObject)]
pub(crate) enum FeatureArrays<'py> {
    Dense(PyReadonlyArray2<'py, f32>),
    Sparse(Integers<'py>, Integers<'py>, PyReadonlyArray1<'py, f32>, usize),
}

impl FeatureArrays<'_> {
    fn features(&self) -> PyResult<Features> {
        match self {
            Self::Dense(rows) => {
                let [n_nodes, width] = [rows.shape()[0], rows.shape()[1]];
                let dense = DenseFeatures::new(n_nodes, width, rows.as_slice()?.to_vec());
                Ok(Features::Dense(dense.map_err(raise)?))
            }
            Self::Sparse(offsets, columns, values, width) => {
                let (offsets, columns) = (offsets.offsets()?, columns.nodes("column")?);
                let is_sorted = offsets.windows(2).all(|row| {
                    columns.get(row[0]..row[1]).is_some_and(|row| {
                        row.is_sorted_by(|a, b| a < b)
                            && row.last().is_none_or(|&column| (column as usize) < *width)
                    })
                });
                let values = values.as_slice()?.to_vec();
                let fits = offsets.first() == Some(&0) && offsets.last() == Some(&columns.len());
                if !is_sorted || !fits || values.len() != columns.len() {
                    let text =
                        "the sparse features are no sorted matrix; call sum_duplicates() on it";
                    return Err(PyValueError::new_err(text));
                }
                Ok(Features::Sparse(CsrMatrix::new(*width, offsets, columns, values)))
            }
        }
    }

    /// The features with a graph and labels.
    pub(crate) fn dataset(&self, graph: &Graph, labels: Labels) -> PyResult<NodeDataset> {
        let features = (self.features()?, ORIGIN);
        NodeDataset::new(ORIGIN, (*graph.graph).clone(), features, labels).map_err(raise)
    }
}
