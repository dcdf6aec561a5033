//! Features as a network takes them: few columns, of numbers around one.

use super::{DataError, DenseFeatures, FeatureError, Features};
use crate::io::text::grouped;
use crate::progress::Progress;
use crate::sparse::CsrMatrix;
use crate::spectral::principal_components;

/// The components are exact: the seed of the start vectors decides nothing but the last digits.
const SEED: u64 = 0;

/// How features are prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FeatureConfig {
    /// More columns than this are replaced by as many principal components (fewer if there are
    /// fewer nodes).
    pub max_columns: usize,
    /// Whether all numbers are divided by their standard deviation, one for all columns.
    pub scale: bool,
}

impl Default for FeatureConfig {
    fn default() -> Self {
        Self { max_columns: 130, scale: true }
    }
}

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

/// Makes the dense block of `n_nodes` rows that a network takes of `features`.
///
/// X (n × d) with d > `max_columns` becomes its scores (X − 1μᵀ)V on the first
/// min(`max_columns`, n) principal components V. Then X := X/σ, σ the standard deviation of all
/// its entries; a constant block is left as it is.
///
/// Time and memory are those of [`principal_components`], and O(n · columns) for the rest.
///
/// # Errors
/// If there are no features, they are not for `n_nodes` nodes, or the components are not found.
///
/// ```
/// use motifnet::data::{FeatureConfig, Features, prepare};
/// use motifnet::progress::Silent;
///
/// let prepared = prepare(&Features::OneHot, 2, &FeatureConfig::default(), &Silent)?;
/// assert_eq!(prepared.values, [2.0, 0.0, 0.0, 2.0]);
/// assert_eq!(prepared.steps, ["scaled by 2"]);
/// # Ok::<(), motifnet::data::DataError>(())
/// ```
pub fn prepare(
    features: &Features,
    n_nodes: usize,
    config: &FeatureConfig,
    progress: &dyn Progress,
) -> Result<PreparedFeatures, DataError> {
    if *features == Features::None {
        return Err(FeatureError::Missing.into());
    }
    features.check(n_nodes)?;
    let width = features.width(n_nodes);
    let mut prepared = if width > config.max_columns {
        components(features, n_nodes, config.max_columns, progress)?
    } else {
        PreparedFeatures { n_nodes, width, values: dense(features, n_nodes), steps: Vec::new() }
    };
    if config.scale {
        prepared.scale();
    }
    Ok(prepared)
}

/// The scores of the features on their principal components.
fn components(
    features: &Features,
    n_nodes: usize,
    max_columns: usize,
    progress: &dyn Progress,
) -> Result<PreparedFeatures, DataError> {
    let matrix = csr(features, n_nodes);
    let found = principal_components(&matrix, max_columns.min(n_nodes), SEED, progress)
        .map_err(|error| FeatureError::Components(error.to_string()))?;
    let step = format!(
        "PCA {} → {} ({:.1} % of the variance)",
        grouped(matrix.n_columns() as u64),
        grouped(found.k as u64),
        100.0 * found.captured_variance
    );
    let values = found.scores.iter().map(|&score| score as f32).collect();
    // Scores of very large features may be too large for an f32.
    let values = DenseFeatures::new(n_nodes, found.k, values)?.into_values();
    Ok(PreparedFeatures { n_nodes, width: found.k, values, steps: vec![step] })
}

impl PreparedFeatures {
    /// Divides all values by their standard deviation, if they have one.
    fn scale(&mut self) {
        let n = self.values.len() as f64;
        let mean = self.values.iter().map(|&value| f64::from(value)).sum::<f64>() / n;
        let squares = self.values.iter().map(|&value| (f64::from(value) - mean).powi(2));
        let factor = 1.0 / (squares.sum::<f64>() / n).sqrt();
        // Neither empty nor constant, and not so small that the factor is too large for an f32.
        if !(factor as f32).is_finite() || factor == 0.0 {
            return;
        }
        for value in &mut self.values {
            *value = (f64::from(*value) * factor) as f32;
        }
        self.steps.push(format!("scaled by {}", three_digits(factor)));
    }
}

/// A number to three significant digits.
fn three_digits(number: f64) -> String {
    let rounded: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    rounded.to_string()
}

/// All values, row after row.
fn dense(features: &Features, n_nodes: usize) -> Vec<f32> {
    let width = features.width(n_nodes);
    let mut values = vec![0.0; n_nodes * width];
    match features {
        Features::None => {}
        Features::OneHot => (0..n_nodes).for_each(|node| values[node * width + node] = 1.0),
        Features::Dense(dense) => values.copy_from_slice(dense.values()),
        Features::Sparse(matrix) => {
            for (node, column, &value) in matrix.entries() {
                values[node * width + column as usize] = value;
            }
        }
    }
    values
}

/// The features as a sparse matrix of 64-bit floats.
fn csr(features: &Features, n_nodes: usize) -> CsrMatrix<f64> {
    match features {
        Features::None => CsrMatrix::new(0, vec![0; n_nodes + 1], Vec::new(), Vec::new()),
        Features::OneHot => {
            let nodes = (0..n_nodes as u32).collect();
            CsrMatrix::new(n_nodes, (0..=n_nodes).collect(), nodes, vec![1.0; n_nodes])
        }
        Features::Dense(dense) => csr_of_dense(dense),
        Features::Sparse(matrix) => CsrMatrix::new(
            matrix.n_columns(),
            matrix.offsets().to_vec(),
            matrix.columns().to_vec(),
            matrix.values().iter().map(|&value| f64::from(value)).collect(),
        ),
    }
}

fn csr_of_dense(dense: &DenseFeatures) -> CsrMatrix<f64> {
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for node in 0..dense.n_nodes() as u32 {
        for (column, &value) in (0..).zip(dense.row(node)) {
            if value != 0.0 {
                columns.push(column);
                values.push(f64::from(value));
            }
        }
        offsets.push(columns.len());
    }
    CsrMatrix::new(dense.width(), offsets, columns, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    fn prepared(features: &Features, n_nodes: usize, max_columns: usize) -> PreparedFeatures {
        let config = FeatureConfig { max_columns, ..FeatureConfig::default() };
        prepare(features, n_nodes, &config, &Silent).unwrap()
    }

    fn dense_features(n_nodes: usize, width: usize, values: &[f32]) -> Features {
        Features::Dense(DenseFeatures::new(n_nodes, width, values.to_vec()).unwrap())
    }

    fn deviation(values: &[f32]) -> f64 {
        let n = values.len() as f64;
        let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / n;
        (values.iter().map(|&value| (f64::from(value) - mean).powi(2)).sum::<f64>() / n).sqrt()
    }

    #[test]
    fn few_columns_are_scaled_and_nothing_else() {
        let features = dense_features(2, 2, &[0.0, 4.0, 4.0, 0.0]);
        let found = prepared(&features, 2, 130);
        assert_eq!(found.values, [0.0, 2.0, 2.0, 0.0]);
        assert_eq!((found.n_nodes, found.width), (2, 2));
        assert_eq!(found.steps, ["scaled by 0.5"]);
        let sparse = CsrMatrix::new(2, vec![0, 1, 2], vec![1, 0], vec![4.0_f32, 4.0]);
        assert_eq!(prepared(&Features::Sparse(sparse), 2, 130), found);
        let config = FeatureConfig { scale: false, ..FeatureConfig::default() };
        let plain = prepare(&features, 2, &config, &Silent).unwrap();
        assert_eq!((plain.values, plain.steps), (vec![0.0, 4.0, 4.0, 0.0], Vec::new()));
    }

    #[test]
    fn constant_features_are_left_as_they_are() {
        for (n_nodes, values) in [(2, vec![0.0; 4]), (2, vec![3.0; 4]), (0, vec![])] {
            let found = prepared(&dense_features(n_nodes, 2, &values), n_nodes, 130);
            assert_eq!((found.values, found.steps), (values, Vec::new()));
        }
    }

    #[test]
    fn many_columns_become_principal_components() {
        // Two columns of which one is twice the other: one component has all of the variance.
        let features = dense_features(4, 2, &[1.0, 2.0, -1.0, -2.0, 2.0, 4.0, -2.0, -4.0]);
        let found = prepared(&features, 4, 1);
        assert_eq!((found.n_nodes, found.width), (4, 1));
        assert_eq!(found.steps[0], "PCA 2 → 1 (100.0 % of the variance)");
        assert!((deviation(&found.values) - 1.0).abs() < 1e-5);
        let ratio = found.values[2] / found.values[0];
        assert!((ratio - 2.0).abs() < 1e-5 && (found.values[1] + found.values[0]).abs() < 1e-5);
    }

    #[test]
    fn there_are_no_more_components_than_nodes() {
        let features = dense_features(2, 4, &[1.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 5.0]);
        let found = prepared(&features, 2, 3);
        assert_eq!((found.width, found.values.len()), (2, 4));
        assert!(found.values.iter().all(|value| value.is_finite()));
    }

    #[test]
    fn features_that_are_missing_or_of_another_size_are_refused() {
        let error = |features: &Features| {
            prepare(features, 3, &FeatureConfig::default(), &Silent).unwrap_err().to_string()
        };
        assert_eq!(
            error(&Features::None),
            "the data set has no features; add `features = \"one-hot\"` or `features = \
             \"degrees\"` to its dataset.toml, or name a file there"
        );
        assert_eq!(
            error(&dense_features(2, 1, &[1.0, 2.0])),
            "features of 2 rows for 3 nodes; there must be one row for every node"
        );
    }

    #[test]
    fn numbers_are_told_to_three_digits() {
        for (number, told) in [(12.3456, "12.3"), (0.000123456, "0.000123"), (98765.0, "98800")] {
            assert_eq!(three_digits(number), told);
        }
    }
}
