//! Arrays of Python as slices, and vectors as arrays of Python.

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use motifnet::sparse::CsrMatrix;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3_arrow::PyChunkedArray;

/// An array of integers.
#[derive(FromPyObject)]
pub(crate) enum Integers<'py> {
    Narrow(PyReadonlyArray1<'py, i32>),
    Wide(PyReadonlyArray1<'py, i64>),
    Nodes(PyReadonlyArray1<'py, u32>),
}

impl Integers<'_> {
    /// The integers, widened where they have to be.
    pub(crate) fn wide(&self) -> PyResult<Cow<'_, [i64]>> {
        Ok(match self {
            Self::Narrow(values) => values.as_slice()?.iter().map(|&value| value.into()).collect(),
            Self::Wide(values) => Cow::Borrowed(values.as_slice()?),
            Self::Nodes(values) => values.as_slice()?.iter().map(|&value| value.into()).collect(),
        })
    }

    /// The integers as numbers of nodes; `what` they are is told where one is none.
    pub(crate) fn nodes(&self, what: &str) -> PyResult<Vec<u32>> {
        fn convert<T: Copy + TryInto<u32> + Into<i64>>(
            values: &[T],
            what: &str,
        ) -> PyResult<Vec<u32>> {
            let node = |(position, &value): (usize, &T)| {
                value.try_into().map_err(|_| {
                    let value: i64 = value.into();
                    PyValueError::new_err(format!(
                        "{what} {position} is {value}, which is no number of a node; they go from 0 to \
                         4294967294 (pass ids=True if these are names)"
                    ))
                })
            };
            values.iter().enumerate().map(node).collect()
        }
        match self {
            Self::Narrow(values) => convert(values.as_slice()?, what),
            Self::Wide(values) => convert(values.as_slice()?, what),
            Self::Nodes(values) => Ok(values.as_slice()?.to_vec()),
        }
    }

    /// The integers as places in an array.
    pub(crate) fn offsets(&self) -> PyResult<Vec<usize>> {
        let offset = |&value: &i64| {
            usize::try_from(value)
                .map_err(|_| PyValueError::new_err(format!("the offset {value} is negative")))
        };
        self.wide()?.iter().map(offset).collect()
    }
}

/// An array of floats, as weights.
#[derive(FromPyObject)]
pub(crate) enum Weights<'py> {
    Narrow(PyReadonlyArray1<'py, f32>),
    Wide(PyReadonlyArray1<'py, f64>),
}

impl Weights<'_> {
    pub(crate) fn to_vec(&self) -> PyResult<Vec<f32>> {
        Ok(match self {
            Self::Narrow(values) => values.as_slice()?.to_vec(),
            Self::Wide(values) => values.as_slice()?.iter().map(|&value| value as f32).collect(),
        })
    }
}

/// Names of nodes: Arrow's strings, read where they lie, or strings of Python.
#[derive(FromPyObject)]
pub(crate) enum Names {
    Arrow(PyChunkedArray),
    List(Vec<PyBackedStr>),
}

impl Names {
    pub(crate) fn strings(&self, what: &str) -> PyResult<Vec<&str>> {
        match self {
            Self::List(names) => Ok(names.iter().map(|name| &**name).collect()),
            Self::Arrow(array) => {
                let mut strings = Vec::new();
                for chunk in array.chunks() {
                    add_strings(chunk, what, &mut strings)?;
                }
                Ok(strings)
            }
        }
    }
}

fn add_strings<'a>(chunk: &'a ArrayRef, what: &str, strings: &mut Vec<&'a str>) -> PyResult<()> {
    let missing = |place: usize| {
        PyValueError::new_err(format!("{what} {place} has no value; drop or fill such rows first"))
    };
    if chunk.null_count() > 0 {
        let place = (0..chunk.len()).find(|&place| chunk.is_null(place)).unwrap_or_default();
        return Err(missing(strings.len() + place));
    }
    match chunk.data_type() {
        DataType::Utf8 => strings.extend(chunk.as_string::<i32>().iter().flatten()),
        DataType::LargeUtf8 => strings.extend(chunk.as_string::<i64>().iter().flatten()),
        DataType::Utf8View => strings.extend(chunk.as_string_view().iter().flatten()),
        other => {
            return Err(PyTypeError::new_err(format!(
                "{what}s are of Arrow's type {other}; give strings or integers"
            )));
        }
    }
    Ok(())
}

/// Counts as NumPy's integers, without a copy.
pub(crate) fn counts(
    py: Python<'_>,
    counts: Vec<u64>,
    n_columns: usize,
) -> PyResult<Bound<'_, PyAny>> {
    if let Some(&most) = counts.iter().max()
        && i64::try_from(most).is_err()
    {
        let text = format!("a count of {most} does not fit in NumPy's 64-bit integers");
        return Err(PyOverflowError::new_err(text));
    }
    let n_rows = counts.len() / n_columns;
    let array = PyArray1::from_vec(py, bytemuck::allocation::cast_vec::<u64, i64>(counts));
    Ok(array.reshape([n_rows, n_columns])?.into_any())
}

/// Offsets, columns and values as SciPy has them: columns and values without a copy, in 32 bits where
/// they fit.
pub(crate) type CsrArrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

pub(crate) fn csr_arrays<'py>(py: Python<'py>, matrix: CsrMatrix) -> CsrArrays<'py> {
    let n_columns = matrix.n_columns();
    let (offsets, columns, values) = matrix.into_arrays();
    let (indptr, indices) = index_arrays(py, &offsets, columns, n_columns);
    (indptr, indices, PyArray1::from_vec(py, values).into_any())
}

pub(crate) fn index_arrays<'py>(
    py: Python<'py>,
    offsets: &[usize],
    columns: Vec<u32>,
    n_columns: usize,
) -> (Bound<'py, PyAny>, Bound<'py, PyAny>) {
    let most = columns.len().max(n_columns);
    if i32::try_from(most).is_ok() {
        let offsets: Vec<i32> = offsets.iter().map(|&offset| offset as i32).collect();
        let columns = bytemuck::allocation::cast_vec::<u32, i32>(columns);
        (PyArray1::from_vec(py, offsets).into_any(), PyArray1::from_vec(py, columns).into_any())
    } else {
        let offsets: Vec<i64> = offsets.iter().map(|&offset| offset as i64).collect();
        let columns: Vec<i64> = columns.into_iter().map(i64::from).collect();
        (PyArray1::from_vec(py, offsets).into_any(), PyArray1::from_vec(py, columns).into_any())
    }
}
