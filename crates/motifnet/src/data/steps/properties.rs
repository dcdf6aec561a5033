//! The steps beside dense algebra, scikit-learn's figures and themselves.

use proptest::prelude::*;

use super::{FeatureConfig, FeaturePipeline, PreparedFeatures, StepTensor};
use crate::data::{DenseFeatures, Features};
use crate::progress::Silent;
use crate::sparse::CsrMatrix;
use crate::spectral::principal_components;

/// Rows of numbers, the slow way.
type Table = Vec<Vec<f64>>;

fn sparse(rows: &[Vec<f32>], width: usize) -> Features {
    let entries = |row: &Vec<f32>| {
        (0..).zip(row.iter().copied()).filter(|(_, value)| *value != 0.0).collect()
    };
    Features::Sparse(CsrMatrix::from_rows(width, rows.iter().map(entries).collect()))
}

fn dense(rows: &[Vec<f32>], width: usize) -> Features {
    Features::Dense(DenseFeatures::new(rows.len(), width, rows.concat()).unwrap())
}

fn fit(features: &Features, n_nodes: usize, config: &FeatureConfig) -> FeaturePipeline {
    FeaturePipeline::fit(features, n_nodes, config, &Silent).unwrap()
}

fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    (mean, (numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt())
}

/// tf-idf, rows and columns by their definitions.
fn oracle(rows: &[Vec<f32>], width: usize, config: &FeatureConfig) -> Table {
    let mut table: Table =
        rows.iter().map(|row| row.iter().map(|&value| f64::from(value)).collect()).collect();
    let column = |table: &Table, j: usize| table.iter().map(|row| row[j]).collect::<Vec<f64>>();
    if config.tf_idf {
        for j in 0..width {
            let with = column(&table, j).iter().filter(|&&value| value != 0.0).count();
            let idf = ((1 + rows.len()) as f64 / (1 + with) as f64).ln() + 1.0;
            table.iter_mut().for_each(|row| row[j] *= idf);
        }
    }
    if config.normalize_rows {
        for row in &mut table {
            let sum: f64 = row.iter().map(|value| value.abs()).sum();
            row.iter_mut().for_each(|value| *value /= if sum > 0.0 { sum } else { 1.0 });
        }
    }
    if config.standardize {
        for j in 0..width {
            let (mean, deviation) = mean_and_deviation(&column(&table, j));
            let is_constant = deviation < 1e-12 * mean.abs() || deviation == 0.0;
            let by = if is_constant { f64::INFINITY } else { deviation };
            table.iter_mut().for_each(|row| row[j] = (row[j] - mean) / by);
        }
    }
    table
}

/// Compares with the oracle, and its principal components where there are too many columns.
fn check(rows: &[Vec<f32>], width: usize, config: &FeatureConfig) {
    let features = sparse(rows, width);
    let pipeline = fit(&features, rows.len(), config);
    let found = pipeline.apply(&features, rows.len()).unwrap();
    let table = oracle(rows, width, config);
    let mut expected = table.concat();
    if width > config.max_columns {
        let whole = (0..width as u32).collect::<Vec<_>>();
        let matrix = CsrMatrix::new(
            width,
            (0..=rows.len()).map(|row| row * width).collect(),
            whole.repeat(rows.len()),
            expected.clone(),
        );
        let pca = principal_components(&matrix, config.max_columns, 0, &Silent).unwrap();
        let tensor =
            |name: &str| pipeline.tensors().into_iter().find(|tensor| tensor.name == name).unwrap();
        let captured = tensor("pca.captured_variance").values[0];
        assert!((captured - pca.captured_variance).abs() < 1e-9);
        // Components of equal variance may be turned, so the pipeline's own are taken.
        let (mean, components) = (tensor("pca.mean"), tensor("pca.components"));
        assert_eq!(components.shape, [pca.k, width]);
        expected = table
            .iter()
            .flat_map(|row| components.values.chunks_exact(width).map(move |axis| (row, axis)))
            .map(|(row, axis)| {
                let centred = row.iter().zip(&mean.values).map(|(value, mean)| value - mean);
                centred.zip(axis).map(|(value, entry)| value * entry).sum()
            })
            .collect();
    }
    if config.scale {
        let (mean, deviation) = mean_and_deviation(&expected);
        let is_constant = expected.iter().all(|value| (value - mean).abs() < 1e-12);
        let by = if is_constant { 1.0 } else { deviation };
        expected.iter_mut().for_each(|value| *value /= by);
    }
    let largest = expected.iter().fold(1.0, |largest: f64, value| largest.max(value.abs()));
    assert_eq!(found.values.len(), expected.len());
    for (&found, expected) in found.values.iter().zip(&expected) {
        assert!((f64::from(found) - expected).abs() < 1e-6 * largest, "{found} {expected}");
    }
}

fn configs() -> impl Strategy<Value = FeatureConfig> {
    (any::<[bool; 4]>(), prop_oneof![0usize..6, Just(130)]).prop_map(|(flags, max_columns)| {
        let [tf_idf, normalize_rows, standardize, scale] = flags;
        FeatureConfig { tf_idf, normalize_rows, standardize, max_columns, scale }
    })
}

/// Up to 24 rows of up to 12 columns, many of them zero, some negative.
fn rows() -> impl Strategy<Value = (Vec<Vec<f32>>, usize)> {
    (1usize..13).prop_flat_map(|width| {
        let value = prop_oneof![
            4 => Just(0.0_f32),
            4 => (1u8..9).prop_map(f32::from),
            1 => -5.0_f32..5.0
        ];
        let row = prop::collection::vec(value, width);
        (prop::collection::vec(row, 1..25), Just(width))
    })
}

fn bits(prepared: &PreparedFeatures) -> Vec<u32> {
    prepared.values.iter().map(|value| value.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn steps_are_what_they_say((rows, width) in rows(), config in configs()) {
        check(&rows, width, &config);
    }

    #[test]
    fn stored_steps_give_the_same_bits((rows, width) in rows(), config in configs()) {
        let features = sparse(&rows, width);
        let pipeline = fit(&features, rows.len(), &config);
        let stored = FeaturePipeline::from_tensors(width, &pipeline.tensors()).unwrap();
        prop_assert_eq!(&stored, &pipeline);
        let [first, again] = [&pipeline, &stored].map(|p| p.apply(&features, rows.len()).unwrap());
        prop_assert_eq!(bits(&first), bits(&again));
        prop_assert_eq!(first.width, pipeline.n_columns_out());
        prop_assert_eq!(&first.steps, &pipeline.steps());
    }

    /// On another graph a row becomes what it became on the one that was fitted on.
    #[test]
    fn rows_do_not_depend_on_each_other(
        (rows, width) in rows(),
        config in configs(),
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..30),
    ) {
        let pipeline = fit(&sparse(&rows, width), rows.len(), &config);
        let here = pipeline.apply(&sparse(&rows, width), rows.len()).unwrap();
        let order: Vec<usize> = order.iter().map(|index| index.index(rows.len())).collect();
        let others: Vec<Vec<f32>> = order.iter().map(|&row| rows[row].clone()).collect();
        let bits = bits(&here);
        let out = here.width;
        let expected: Vec<u32> =
            order.iter().flat_map(|&row| &bits[row * out..][..out]).copied().collect();
        for features in [sparse(&others, width), dense(&others, width)] {
            let there = pipeline.apply(&features, others.len()).unwrap();
            prop_assert_eq!(self::bits(&there), expected.clone());
        }
    }
}

/// A few words of many in every row.
fn words(n_rows: usize, width: usize) -> Features {
    let row = |row: usize| {
        let mut row: Vec<(u32, f32)> = (0..9_usize)
            .map(|at| ((row * 7919 + at * at * 104_729 + row % 5 * at) % width, at))
            .map(|(column, at)| (column as u32, 1.0 + (at % 3) as f32))
            .collect();
        row.sort_by_key(|&(column, _)| column);
        row.dedup_by_key(|&mut (column, _)| column);
        row
    };
    Features::Sparse(CsrMatrix::from_rows(width, (0..n_rows).map(row).collect()))
}

#[test]
fn the_bits_do_not_depend_on_the_threads() {
    let features = words(3000, 500);
    let config = FeatureConfig {
        tf_idf: true,
        normalize_rows: true,
        standardize: true,
        max_columns: 20,
        scale: true,
    };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let pipeline = fit(&features, 3000, &config);
            let prepared = pipeline.apply(&features, 3000).unwrap();
            (pipeline, bits(&prepared))
        })
    };
    let one = run(1);
    assert!(one.0.n_columns_out() == 20 && run(2) == one && run(4) == one);
}

#[test]
fn one_hot_steps_are_stored_as_such() {
    let config = FeatureConfig { max_columns: 3, ..FeatureConfig::default() };
    let pipeline = fit(&Features::OneHot, 9, &config);
    let stored = FeaturePipeline::from_tensors(9, &pipeline.tensors()).unwrap();
    assert_eq!(stored, pipeline);
    assert!(!stored.can_move());
}

/// Six documents of five words; the last word is in all of them.
fn documents() -> Vec<Vec<f32>> {
    [
        [3, 0, 1, 0, 1],
        [2, 0, 0, 0, 1],
        [3, 0, 0, 2, 1],
        [4, 1, 0, 0, 1],
        [3, 2, 0, 5, 1],
        [0, 0, 7, 1, 1_u8],
    ]
    .map(|row| row.map(f32::from).to_vec())
    .to_vec()
}

const ALL: FeatureConfig = FeatureConfig {
    tf_idf: true,
    normalize_rows: true,
    standardize: true,
    max_columns: 2,
    scale: true,
};

fn close(found: &[f32], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (&found, expected) in found.iter().zip(expected) {
        assert!((f64::from(found) - expected).abs() < 2e-6, "{found} is not {expected}");
    }
}

/// From scikit-learn 1.9.1: `TfidfTransformer(norm=None)`, `normalize(norm="l1")`, `StandardScaler()` and
/// `PCA(2, svd_solver="full")` with the signs of our components, over the deviation of all scores.
#[test]
fn scikit_learns_figures() {
    let features = sparse(&documents(), 5);
    let pipeline = fit(&features, 6, &ALL);
    assert_eq!(
        pipeline.steps(),
        [
            "tf-idf",
            "rows divided by their sums",
            "columns standardised",
            "PCA 5 → 2 (83.1 % of the variance)",
            "scaled by 0.694",
        ]
    );
    let tensors = pipeline.tensors();
    let check = |name: &str, expected: &[f64]| {
        let tensor = tensors.iter().find(|tensor| tensor.name == name).unwrap();
        assert_eq!(tensor.values.len(), expected.len());
        for (found, expected) in tensor.values.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-10, "{name}: {found} is not {expected}");
        }
    };
    check("tf_idf.idf", &[1.15415067983, 1.84729786039, 1.84729786039, 1.55961578794, 1.0]);
    check(
        "standardize.mean",
        &[0.423116475462, 0.0798432195008, 0.187922192918, 0.166808032308, 0.142310079812],
    );
    check(
        "standardize.deviation",
        &[0.242216584468, 0.113009036667, 0.308398175306, 0.204665604903, 0.0800147156706],
    );
    check("pca.mean", &[0.0; 5]);
    check(
        "pca.components",
        &[
            0.615028291469,
            -0.10026667562,
            -0.371979939216,
            -0.344753794201,
            0.59536756769,
            0.144550460267,
            0.609187754965,
            -0.605642781119,
            0.465896392639,
            -0.155347406292,
        ],
    );
    check("pca.captured_variance", &[0.831143688132]);
    check("scale.factor", &[0.693732339131]);
    close(
        &pipeline.apply(&features, 6).unwrap().values,
        &[
            0.461130152006,
            -0.674621961631,
            1.71074183789,
            -0.407740692963,
            -0.074072009695,
            0.371644466729,
            0.550182706874,
            0.711687189554,
            -1.08646843616,
            1.35373247884,
            -1.56151425092,
            -1.35470148053,
        ],
    );
    let new = [vec![1.0, 1.0, 1.0, 1.0, 2.0], vec![0.0, 0.0, 0.0, 0.0, 3.0]];
    let there = pipeline.apply(&dense(&new, 5), 2).unwrap();
    close(&there.values, &[-0.144818752724, 0.262171333891, 4.08328233768, -1.6363583097]);
}

/// `StandardScaler().fit_transform` of the counts; the last column is constant.
#[test]
fn scikit_learns_standardised_columns() {
    let config = FeatureConfig { standardize: true, scale: false, ..FeatureConfig::default() };
    let features = sparse(&documents(), 5);
    let pipeline = fit(&features, 6, &config);
    assert_eq!(pipeline.steps(), ["columns standardised (1 of 5 constant)"]);
    let [a, b, c, d, e] =
        [0.39735970712, 0.654653670708, 0.130188910981, 0.742781352708, 0.520755643923];
    #[rustfmt::skip]
    let expected = [
        a, -b, -c, -d, 0.0,
        -a, -b, -e, -d, 0.0,
        a, -b, -e, 0.371390676354, 0.0,
        1.19207912136, b, -e, -d, 0.0,
        a, 1.96396101212, -e, 2.04264871995, 0.0,
        -1.9867985356, -b, 2.21321148667, -0.185695338177, 0.0,
    ];
    close(&pipeline.apply(&features, 6).unwrap().values, &expected);
    // What was constant stays 0 where it is not.
    let other = dense(&[vec![3.0, 0.0, 1.0, 0.0, 9.0]], 5);
    close(&pipeline.apply(&other, 1).unwrap().values, &[a, -b, -c, -d, 0.0]);
}

#[test]
fn damaged_steps_are_refused() {
    let tensors = fit(&sparse(&documents(), 5), 6, &ALL).tensors();
    let names: Vec<&str> = tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "tf_idf.idf",
            "normalize_rows.sum",
            "standardize.mean",
            "standardize.deviation",
            "pca.mean",
            "pca.components",
            "pca.captured_variance",
            "scale.factor",
        ]
    );
    let error = |n_columns, damage: &dyn Fn(&mut Vec<StepTensor>)| {
        let mut damaged = tensors.clone();
        damage(&mut damaged);
        let error = FeaturePipeline::from_tensors(n_columns, &damaged).unwrap_err().to_string();
        let (start, end) = ("stored feature steps: ", "; fit the steps again and store them");
        assert!(error.starts_with(start) && error.ends_with(end), "{error}");
        error[start.len()..error.len() - end.len()].to_owned()
    };
    assert_eq!(error(5, &|t| t[4].name = "pca.man".into()), "pca.man is no part of a step");
    assert_eq!(error(5, &|t| t.push(t[0].clone())), "tf_idf.idf is there twice");
    assert_eq!(error(5, &|t| drop(t.remove(4))), "pca.mean is missing");
    assert_eq!(error(5, &|t| drop(t.remove(2))), "standardize.mean is missing");
    assert_eq!(error(4, &|_| ()), "tf_idf.idf has the shape [5], which is not [4]");
    assert_eq!(
        error(5, &|t| t[0].values.truncate(4)),
        "tf_idf.idf has 4 numbers for a shape of [5]"
    );
    assert_eq!(
        error(5, &|t| t[0].shape = vec![usize::MAX, 5]),
        format!("tf_idf.idf has 5 numbers for a shape of [{}, 5]", usize::MAX)
    );
    assert_eq!(error(5, &|t| t[0].values[2] = f64::NAN), "tf_idf.idf has NaN at 2");
    assert_eq!(error(5, &|t| t[1].values[0] = 2.0), "normalize_rows.sum is 2");
    assert_eq!(error(5, &|t| t[3].values[1] = -1.0), "standardize.deviation has -1 at 1");
    assert_eq!(
        error(5, &|t| t[5].shape = vec![10]),
        "pca.components has 10 components of 5 columns"
    );
    assert_eq!(
        error(5, &|t| t[5].shape = vec![5, 2]),
        "pca.components has the shape [5, 2], which is not [5, 5]"
    );
    assert_eq!(error(5, &|t| t[6].values[0] = 1.5), "pca.captured_variance is 1.5");
    assert_eq!(error(5, &|t| t[7].values[0] = 0.0), "scale.factor is 0");
}
