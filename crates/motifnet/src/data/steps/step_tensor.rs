//! A part of a fitted step, as it is stored.

/// Numbers that a step was fitted to, with a name for a file.
#[derive(Clone, Debug, PartialEq)]
pub struct StepTensor {
    /// The step and what of it, such as `pca.mean`.
    pub name: String,
    /// Sizes, the slowest first.
    pub shape: Vec<usize>,
    /// The numbers, row after row.
    pub values: Vec<f64>,
}

impl StepTensor {
    pub(super) fn new(name: &str, shape: &[usize], values: &[f64]) -> Self {
        Self { name: name.to_owned(), shape: shape.to_vec(), values: values.to_vec() }
    }
}
