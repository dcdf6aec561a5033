use proptest::prelude::*;

use super::*;

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
}

fn all_close(found: impl IntoIterator<Item = f64>, expected: &[f64]) {
    let found: Vec<f64> = found.into_iter().collect();
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).for_each(|(&found, &expected)| close(found, expected));
}

/// Bins that have rows: number, count, confidence, accuracy.
fn filled(evaluation: &Evaluation) -> Vec<(usize, u64, f64, f64)> {
    let bins = evaluation.calibration.iter().enumerate();
    bins.filter_map(|(at, bin)| Some((at, bin.count, bin.confidence?, bin.accuracy?))).collect()
}

/// The figures are those of scikit-learn 1.9 on the same single-precision numbers widened to
/// double: accuracy_score, f1_score(average="macro"), precision_recall_fscore_support,
/// confusion_matrix, log_loss, brier_score_loss(scale_by_half=False). scikit-learn has no calibration
/// error: NumPy's, with digitize(right=True).
#[test]
fn four_classes_one_of_which_is_nowhere() {
    #[rustfmt::skip]
    let probabilities = [
        0.7, 0.2, 0.1, 0.0,
        0.1, 0.6, 0.2, 0.1,
        0.3, 0.3, 0.2, 0.2,
        0.05, 0.05, 0.9, 0.0,
        0.25, 0.25, 0.3, 0.2,
        0.9, 0.05, 0.05, 0.0,
        0.2, 0.5, 0.3, 0.0,
        0.4, 0.3, 0.2, 0.1,
    ];
    let found = evaluate(&probabilities, 4, &[0, 1, 1, 2, 0, 0, 1, 2]);
    assert_eq!(found.n_rows, 8);
    assert_eq!(found.accuracy, 0.625);
    close(found.macro_f1, 0.6238095238095238);
    let classes = || found.classes.iter();
    all_close(classes().map(|class| class.precision), &[0.5, 1.0, 0.5, 0.0]);
    let two_thirds = 2.0 / 3.0;
    all_close(classes().map(|class| class.recall), &[two_thirds, two_thirds, 0.5, 0.0]);
    all_close(classes().map(|class| class.f1), &[0.5714285714285714, 0.8, 0.5, 0.0]);
    assert!(classes().map(|class| class.support).eq([3, 3, 2, 0]));
    assert_eq!(found.confusion, [[2, 0, 1, 0], [1, 2, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]]);
    close(found.cross_entropy, 0.7463842291372543);
    close(found.brier, 0.3856250022724274);
    close(found.calibration_error, 0.30000000819563866);
    let bins = filled(&found);
    let counts: Vec<(usize, u64)> = bins.iter().map(|bin| (bin.0, bin.1)).collect();
    assert_eq!(counts, [(4, 2), (6, 1), (7, 1), (9, 1), (10, 1), (13, 2)]);
    all_close(bins.iter().map(|bin| bin.3), &[0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    close(bins[0].2, 0.30000001192092896);
    close(bins[5].2, 0.8999999761581421);
}

#[test]
fn a_class_that_is_predicted_but_never_true_counts_as_zero() {
    let probabilities = [0.6, 0.4, 0.0, 0.2, 0.5, 0.3, 0.1, 0.2, 0.7];
    let found = evaluate(&probabilities, 3, &[0, 0, 1]);
    close(found.accuracy, 1.0 / 3.0);
    close(found.macro_f1, 0.2222222222222222);
    assert_eq!(found.confusion, [[1, 1, 0], [0, 0, 1], [0, 0, 0]]);
    close(found.cross_entropy, 1.2432337930318134);
    close(found.brier, 0.8133333223064744);
    close(found.calibration_error, 0.5333333214124043);
}

#[test]
fn a_sure_mistake_is_dear_and_not_infinite() {
    let found = evaluate(&[1.0, 0.0, 1.0, 0.0], 2, &[1, 0]);
    close(found.cross_entropy, -f64::from(f32::EPSILON).ln() / 2.0);
    assert_eq!((found.brier, found.calibration_error), (1.0, 0.5));
}

#[test]
fn what_is_no_number_or_not_there_does_no_harm() {
    let found = evaluate(&[f32::NAN, 0.5, f32::INFINITY, -1.0], 2, &[0, 1]);
    assert_eq!(found.calibration.iter().map(|bin| bin.count).sum::<u64>(), 2);
    for n_classes in [0, 3] {
        let found = evaluate(&[], n_classes, &[]);
        assert!(found.accuracy.is_nan() && found.macro_f1.is_nan() && found.brier.is_nan());
        assert_eq!(found.classes.len(), n_classes);
    }
}

#[test]
#[should_panic(expected = "one probability a row and class")]
fn rows_that_do_not_fit_are_refused() {
    evaluate(&[0.5, 0.5, 0.5], 2, &[0, 1]);
}

/// Rows × classes of probabilities that add up to 1, and a class for each row.
fn cases() -> impl Strategy<Value = (usize, Vec<f32>, Vec<u32>)> {
    (1_usize..6, 1_usize..40).prop_flat_map(|(n_classes, n_rows)| {
        // Few values, so that ties and edges of bins come up.
        let row = prop::collection::vec(1_u8..6, n_classes).prop_map(|parts| {
            let total: f32 = parts.iter().map(|&part| f32::from(part)).sum();
            parts.iter().map(|&part| f32::from(part) / total).collect::<Vec<_>>()
        });
        let rows = prop::collection::vec(row, n_rows).prop_map(|rows| rows.concat());
        let classes = prop::collection::vec(0..n_classes as u32, n_rows);
        (Just(n_classes), rows, classes)
    })
}

proptest! {
    #[test]
    fn the_scores_are_those_of_their_definitions((n_classes, probabilities, truth) in cases()) {
        let found = evaluate(&probabilities, n_classes, &truth);
        let rows: Vec<&[f32]> = probabilities.chunks(n_classes).collect();
        let predicted: Vec<u32> = rows
            .iter()
            .map(|row| {
                let most = row.iter().copied().fold(f32::MIN, f32::max);
                row.iter().position(|&p| p == most).unwrap() as u32
            })
            .collect();
        let n = truth.len() as f64;
        let n_with = |test: &dyn Fn(u32, u32) -> bool| {
            truth.iter().zip(&predicted).filter(|&(&t, &p)| test(t, p)).count() as f64
        };
        close(found.accuracy, n_with(&|t, p| t == p) / n);
        let mut f1 = Vec::new();
        for class in 0..n_classes as u32 {
            let right = n_with(&|t, p| t == class && p == class);
            let missed = n_with(&|t, p| t == class && p != class);
            let wrong = n_with(&|t, p| t != class && p == class);
            let scores = found.classes[class as usize];
            prop_assert_eq!(scores.support as f64, right + missed);
            if right + missed + wrong > 0.0 {
                f1.push(2.0 * right / (2.0 * right + missed + wrong));
                close(scores.f1, f1[f1.len() - 1]);
            }
            if right > 0.0 {
                close(scores.precision, right / (right + wrong));
                close(scores.recall, right / (right + missed));
            }
        }
        close(found.macro_f1, f1.iter().sum::<f64>() / f1.len() as f64);

        let mut error = 0.0;
        for bin in 0..N_CALIBRATION_BINS {
            let inside: Vec<usize> = (0..rows.len())
                .filter(|&row| {
                    // 15 times a single-precision number is exact in double.
                    let place = 15.0 * f64::from(rows[row][predicted[row] as usize]);
                    place > bin as f64 && place <= (bin + 1) as f64
                })
                .collect();
            prop_assert_eq!(found.calibration[bin].count, inside.len() as u64);
            let confidence: f64 =
                inside.iter().map(|&row| f64::from(rows[row][predicted[row] as usize])).sum();
            let right = inside.iter().filter(|&&row| predicted[row] == truth[row]).count();
            error += (right as f64 - confidence).abs() / n;
        }
        close(found.calibration_error, error);
        prop_assert!((0.0..=1.0).contains(&found.calibration_error));
    }
}
