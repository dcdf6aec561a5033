//! The steps of features one after the other, fitted together.

use super::FeatureConfig;
use super::normalize_rows::normalize_rows;
use super::prepared::PreparedFeatures;
use super::projection::Projection;
use super::scale::Scale;
use super::shifted::ShiftedMatrix;
use super::standardize::Standardize;
use super::tf_idf::TfIdf;
use crate::data::{DataError, DenseFeatures, FeatureError, Features};
use crate::io::text::grouped;
use crate::memory::Need;
use crate::progress::Progress;
use crate::spectral::components_bytes;

/// Steps from features to what a network takes, fitted on the features of one graph and applied to
/// those and to others with the same columns.
///
/// In this order, each only if it was asked for; X is n × d:
///
/// - tf-idf: x_ij := x_ij · (ln((1 + n)/(1 + df_j)) + 1), where df_j rows have column j. This is
///   scikit-learn's `TfidfTransformer` without its L2 norm; rows are brought to one length by the
///   next step alone.
/// - rows: x_ij := x_ij / Σ_j |x_ij|, so that counts sum to 1, as in PyG's `NormalizeFeatures`.
/// - columns: x_ij := (x_ij − μ_j)/σ_j; columns that were constant become 0.
/// - principal components: X := (X − 1μᵀ)Vᵀ if d > `max_columns`, with V the first
///   min(`max_columns`, n) components.
/// - scale: X := X/σ, σ the standard deviation of all its entries; a constant block is left as it is.
///
/// Inside, numbers have 64 bits, and zeros are not stored before the components. A row of the result
/// depends on its own row of features alone and not on the number of threads, so the same features
/// give the same bits wherever they stand.
#[derive(Clone, Debug, PartialEq)]
pub struct FeaturePipeline {
    pub(super) n_columns_in: usize,
    pub(super) is_one_hot: bool,
    pub(super) tf_idf: Option<TfIdf>,
    pub(super) normalize_rows: bool,
    pub(super) standardize: Option<Standardize>,
    pub(super) projection: Option<Projection>,
    pub(super) scale: Option<Scale>,
}

impl FeaturePipeline {
    /// Fits the steps of `config` on the features of `n_nodes` nodes.
    ///
    /// Time and memory are those of [`principal_components`](crate::spectral::principal_components),
    /// and O(entries + n · columns out) for the rest.
    ///
    /// # Errors
    /// If there are no features, they are not for `n_nodes` nodes, or the components are not found.
    ///
    /// ```
    /// use motifnet::data::{FeatureConfig, FeaturePipeline, Features};
    /// use motifnet::progress::Silent;
    ///
    /// let config = FeatureConfig::default();
    /// let pipeline = FeaturePipeline::fit(&Features::OneHot, 2, &config, &Silent)?;
    /// assert_eq!(pipeline.steps(), ["scaled by 2"]);
    /// let prepared = pipeline.apply(&Features::OneHot, 2)?;
    /// assert_eq!(prepared.values, [2.0, 0.0, 0.0, 2.0]);
    /// # Ok::<(), motifnet::data::DataError>(())
    /// ```
    pub fn fit(
        features: &Features,
        n_nodes: usize,
        config: &FeatureConfig,
        progress: &dyn Progress,
    ) -> Result<Self, DataError> {
        if *features == Features::None {
            return Err(FeatureError::Missing.into());
        }
        features.check(n_nodes)?;
        let n_columns_out = match features.width(n_nodes) {
            width if width > config.max_columns => config.max_columns.min(n_nodes),
            width => width,
        };
        Self::need(features, n_nodes, n_columns_out).check().map_err(FeatureError::from)?;
        let mut fitted = Self {
            n_columns_in: features.width(n_nodes),
            is_one_hot: *features == Features::OneHot,
            tf_idf: None,
            normalize_rows: config.normalize_rows,
            standardize: None,
            projection: None,
            scale: None,
        };
        let mut current = ShiftedMatrix::new(features, n_nodes);
        if config.tf_idf {
            let step = fitted.tf_idf.insert(TfIdf::fit(&current));
            step.apply(&mut current);
        }
        if config.normalize_rows {
            normalize_rows(&mut current);
        }
        if config.standardize {
            let step = fitted.standardize.insert(Standardize::fit(&current));
            step.apply(&mut current);
        }
        if fitted.n_columns_in > config.max_columns {
            let k = config.max_columns.min(n_nodes);
            fitted.projection = Some(Projection::fit(&current, k, progress)?);
        }
        if config.scale {
            fitted.scale = Scale::fit(&fitted.projected(&current));
        }
        Ok(fitted)
    }

    /// The dense block that a network takes of the features of `n_nodes` nodes, be it of the graph
    /// that the steps were fitted on or of another.
    ///
    /// Time O(entries · columns out), or O(n · columns) without components.
    ///
    /// # Errors
    /// If there are no features or not for `n_nodes` nodes, they have other columns than those the
    /// steps were fitted on, or a result is too large for 32 bits. One-hot features belong to their
    /// graph: on another number of nodes they are refused.
    pub fn apply(
        &self,
        features: &Features,
        n_nodes: usize,
    ) -> Result<PreparedFeatures, DataError> {
        self.check(features, n_nodes)?;
        Self::need(features, n_nodes, self.n_columns_out()).check().map_err(FeatureError::from)?;
        let mut current = ShiftedMatrix::new(features, n_nodes);
        if let Some(step) = &self.tf_idf {
            step.apply(&mut current);
        }
        if self.normalize_rows {
            normalize_rows(&mut current);
        }
        if let Some(step) = &self.standardize {
            step.apply(&mut current);
        }
        let mut values = self.projected(&current);
        if let Some(step) = self.scale {
            step.apply(&mut values);
        }
        let width = self.n_columns_out();
        let values = values.into_iter().map(|value| value as f32).collect();
        // What is finite in 64 bits need not be in 32.
        let values = DenseFeatures::new(n_nodes, width, values)?.into_values();
        Ok(PreparedFeatures { n_nodes, width, values, steps: self.steps() })
    }

    /// What preparing features takes: their entries in 64 bits, with the columns, twice while they are changed; a few numbers
    /// for every column, and its components if they are too many; and the dense result in 64 bits and in 32.
    pub fn need(features: &Features, n_nodes: usize, n_columns_out: usize) -> Need {
        /// The shift, the weights of tf-idf, and sums, counts and moments while columns are standardised.
        const COLUMN_BYTES: u64 = 72;
        let n_columns = features.width(n_nodes);
        let n_entries = match features {
            Features::None => 0,
            Features::OneHot => n_nodes,
            Features::Dense(dense) => n_nodes.saturating_mul(dense.width()),
            Features::Sparse(matrix) => matrix.n_entries(),
        };
        let components = match n_columns > n_columns_out {
            true => components_bytes([n_nodes, n_columns], n_columns_out),
            false => 0,
        };
        let n_values = (n_nodes as u64).saturating_mul(n_columns_out as u64);
        let parts = [
            (n_entries as u64).saturating_mul(24),
            (n_nodes as u64).saturating_mul(8),
            (n_columns as u64).saturating_mul(COLUMN_BYTES),
            components,
            n_values.saturating_mul(12),
        ];
        Need {
            what: "preparing the features",
            n_bytes: parts.into_iter().fold(0, u64::saturating_add),
            remedy: "reduce them to fewer columns with max_columns, or leave some out",
        }
    }

    /// Makes sure that the steps mean something on these features.
    fn check(&self, features: &Features, n_nodes: usize) -> Result<(), FeatureError> {
        if *features == Features::None {
            return Err(FeatureError::Missing);
        }
        features.check(n_nodes)?;
        let (found, expected) = (features.width(n_nodes), self.n_columns_in);
        match (self.is_one_hot, *features == Features::OneHot) {
            (true, true) if found != expected => {
                Err(FeatureError::OneHotElsewhere { fitted: expected, n_nodes })
            }
            (fitted_one_hot, one_hot) if fitted_one_hot != one_hot => {
                Err(FeatureError::OneHotMixed { fitted_one_hot })
            }
            _ if found != expected => Err(FeatureError::Columns { found, expected }),
            _ => Ok(()),
        }
    }

    /// All values before they are scaled.
    fn projected(&self, current: &ShiftedMatrix) -> Vec<f64> {
        match &self.projection {
            Some(step) => step.apply(current),
            None => current.dense(),
        }
    }

    /// Columns of the features that the steps take.
    pub fn n_columns_in(&self) -> usize {
        self.n_columns_in
    }

    /// Columns of what they make of them.
    pub fn n_columns_out(&self) -> usize {
        self.projection.as_ref().map_or(self.n_columns_in, |step| step.k)
    }

    /// Whether the steps mean something on another graph: not if they were fitted on one-hot
    /// features, which say which node it is.
    pub fn can_move(&self) -> bool {
        !self.is_one_hot
    }

    /// What is done, in words and in order.
    pub fn steps(&self) -> Vec<String> {
        let mut steps = Vec::new();
        if self.tf_idf.is_some() {
            steps.push("tf-idf".to_owned());
        }
        if self.normalize_rows {
            steps.push("rows divided by their sums".to_owned());
        }
        if let Some(step) = &self.standardize {
            let constant = match step.n_constant() {
                0 => String::new(),
                n => format!(" ({} of {} constant)", grouped(n as u64), self.told_columns()),
            };
            steps.push(format!("columns standardised{constant}"));
        }
        if let Some(step) = &self.projection {
            let [from, to] = [self.told_columns(), grouped(step.k as u64)];
            let share = 100.0 * step.captured_variance;
            steps.push(format!("PCA {from} → {to} ({share:.1} % of the variance)"));
        }
        if let Some(Scale { factor }) = self.scale {
            steps.push(format!("scaled by {}", three_digits(factor)));
        }
        steps
    }

    fn told_columns(&self) -> String {
        grouped(self.n_columns_in as u64)
    }
}

/// A number to three significant digits.
fn three_digits(number: f64) -> String {
    let rounded: f64 = format!("{number:.2e}").parse().unwrap_or(number);
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;
    use crate::sparse::CsrMatrix;

    fn dense_features(n_nodes: usize, width: usize, values: &[f32]) -> Features {
        Features::Dense(DenseFeatures::new(n_nodes, width, values.to_vec()).unwrap())
    }

    fn fitted(features: &Features, n_nodes: usize, config: &FeatureConfig) -> FeaturePipeline {
        FeaturePipeline::fit(features, n_nodes, config, &Silent).unwrap()
    }

    fn prepared(features: &Features, n_nodes: usize, max_columns: usize) -> PreparedFeatures {
        let config = FeatureConfig { max_columns, ..FeatureConfig::default() };
        fitted(features, n_nodes, &config).apply(features, n_nodes).unwrap()
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
        let plain = fitted(&features, 2, &config).apply(&features, 2).unwrap();
        assert_eq!((plain.values, plain.steps), (vec![0.0, 4.0, 4.0, 0.0], Vec::new()));
    }

    #[test]
    fn constant_features_are_left_as_they_are() {
        for (n_nodes, values) in
            [(2, vec![0.0; 4]), (2, vec![3.0; 4]), (301, vec![0.1; 602]), (0, vec![])]
        {
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
            let config = FeatureConfig::default();
            FeaturePipeline::fit(features, 3, &config, &Silent).unwrap_err().to_string()
        };
        assert_eq!(
            error(&Features::None),
            "the data set has no features; name a table or an array, or take one-hot, degrees, motifs \
             or roles: with --features, or with the key `features` of its dataset.toml"
        );
        assert_eq!(
            error(&dense_features(2, 1, &[1.0, 2.0])),
            "features of 2 rows for 3 nodes; there must be one row for every node"
        );
    }

    #[test]
    fn what_the_steps_do_not_fit_is_refused() {
        let config = FeatureConfig::default();
        let features = dense_features(3, 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 7.0]);
        let pipeline = fitted(&features, 3, &config);
        assert!(pipeline.can_move());
        let error = |pipeline: &FeaturePipeline, features: &Features, n_nodes| {
            pipeline.apply(features, n_nodes).unwrap_err().to_string()
        };
        assert_eq!(
            error(&pipeline, &dense_features(1, 4, &[0.0; 4]), 1),
            "features of 4 columns, but the steps were fitted on 2; give features with the same \
             columns in the same order, or fit the steps on these"
        );
        assert!(error(&pipeline, &Features::None, 3).contains("no features"));
        assert!(error(&pipeline, &features, 2).contains("3 rows for 2 nodes"));
        assert_eq!(
            error(&pipeline, &Features::OneHot, 2),
            "one-hot features, but the steps were fitted on others; give features with the same \
             columns"
        );
        let huge = dense_features(1, 2, &[0.0, f32::MAX]);
        let small = fitted(&dense_features(2, 2, &[1e-9, 0.0, 0.0, 0.0]), 2, &config);
        assert!(error(&small, &huge, 1).starts_with("node 0, column 1 is inf"));
    }

    #[test]
    fn one_hot_features_stay_on_their_graph() {
        let pipeline = fitted(&Features::OneHot, 5, &FeatureConfig::default());
        assert!(!pipeline.can_move());
        assert_eq!(pipeline.apply(&Features::OneHot, 5).unwrap().width, 5);
        let error = |features: &Features, n_nodes| {
            pipeline.apply(features, n_nodes).unwrap_err().to_string()
        };
        assert_eq!(
            error(&Features::OneHot, 6),
            "one-hot features of 6 nodes, but the steps were fitted on those of 5: which node it \
             is means nothing on another graph; use features that both graphs have, such as \
             `features = \"degrees\"`"
        );
        assert_eq!(
            error(&dense_features(1, 5, &[0.0; 5]), 1),
            "the steps were fitted on one-hot features; which node it is means nothing for others"
        );
    }

    #[test]
    fn numbers_are_told_to_three_digits() {
        for (number, told) in [(12.3456, "12.3"), (0.000123456, "0.000123"), (98765.0, "98800")] {
            assert_eq!(three_digits(number), told);
        }
    }
}
