//! Settings of a run as values of Python, checked as those of a configuration file.

use motifnet::train::{RunConfig, SETTING_KEYS, Settings};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};
use toml::{Table, Value};

use crate::errors::raise;

/// Who is told to have given a setting.
const ORIGIN: &str = "MotifNetClassifier";

/// Every setting with what it means and the words that it takes.
#[pyfunction]
pub(crate) fn setting_keys() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    SETTING_KEYS.iter().map(|key| (key.path, key.about, key.choices.to_vec())).collect()
}

/// Every setting that has a default, with it.
#[pyfunction]
pub(crate) fn default_settings(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    settings_of(py, &RunConfig::default())
}

/// The configuration that has these settings, the rest by default.
pub(crate) fn config_of(settings: &Bound<'_, PyDict>) -> PyResult<RunConfig> {
    let mut gathered = Settings::default();
    for (key, value) in settings {
        let key: String = key.extract()?;
        gathered.set(&key, to_toml(&key, &value)?, ORIGIN).map_err(raise)?;
    }
    Ok(gathered.config().clone())
}

/// The settings of a configuration, by their keys.
pub(crate) fn settings_of<'py>(
    py: Python<'py>,
    config: &RunConfig,
) -> PyResult<Bound<'py, PyDict>> {
    let tables = Table::try_from(config).map_err(raise)?;
    let found = PyDict::new(py);
    for (table, values) in &tables {
        for (name, value) in values.as_table().into_iter().flatten() {
            found.set_item(format!("{table}.{name}"), to_python(py, value)?)?;
        }
    }
    Ok(found)
}

fn to_toml(key: &str, value: &Bound<'_, PyAny>) -> PyResult<Value> {
    // True is an integer too.
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Value::Boolean(truth.is_true()));
    }
    if let Ok(number) = value.extract::<i64>() {
        return Ok(Value::Integer(number));
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(Value::Float(number));
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(Value::String(text));
    }
    let Ok(items) = value.try_iter() else {
        let text = format!("{ORIGIN}: {key} = {}: give a number, a word or a list", value.repr()?);
        return Err(PyTypeError::new_err(text));
    };
    items.map(|item| to_toml(key, &item?)).collect::<PyResult<Vec<_>>>().map(Value::Array)
}

fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Boolean(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::Float(number) => number.into_pyobject(py)?.into_any(),
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(values) => {
            let values = values.iter().map(|value| to_python(py, value));
            PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        other => other.to_string().into_pyobject(py)?.into_any(),
    })
}
