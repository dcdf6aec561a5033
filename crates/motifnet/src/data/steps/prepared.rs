//! Features as a network takes them: few columns, of numbers around one.

/// Features as a network takes them.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedFeatures {
    /// Number of rows.
    pub n_nodes: usize,
    /// Number of columns.
    pub width: usize,
    /// The values, row after row.
    pub values: Vec<f32>,
    /// What was done, in words and in order.
    pub steps: Vec<String>,
}
