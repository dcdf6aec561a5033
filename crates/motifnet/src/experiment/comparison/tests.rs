use proptest::prelude::*;

use super::*;

/// A run with these accuracies, one a split of 100 training, 50 validation and 200 test nodes.
fn run(name: &str, accuracies: &[f64]) -> MetricsFile {
    let repeat = |(at, &accuracy): (usize, &f64)| Repetition {
        seed: 3 + at as u64,
        n_train: 100,
        n_validation: 50,
        n_test: 200,
        test_accuracy: Some(accuracy),
        val_accuracy: Some(accuracy / 2.0),
        test_loss: None,
    };
    MetricsFile {
        run: name.to_owned(),
        dataset: "cora".to_owned(),
        n_nodes: 400,
        n_arcs: 1000,
        n_classes: 7,
        model: "gcn".to_owned(),
        order: None,
        heads: None,
        operators: vec!["U".to_owned()],
        split: "25/12.5/50".to_owned(),
        seed: 3,
        repeats: accuracies.iter().enumerate().map(repeat).collect(),
    }
}

fn three_runs() -> Vec<MetricsFile> {
    vec![
        run("a", &[0.70, 0.72, 0.71, 0.69]),
        run("b", &[0.75, 0.76, 0.74, 0.745]),
        run("c", &[0.71, 0.70, 0.72, 0.68]),
    ]
}

#[test]
fn every_run_is_tested_against_the_baseline() {
    let found = Comparison::new(&three_runs(), 0, Metric::TestAccuracy).unwrap();
    assert_eq!((found.n_tests(), found.n_repeats, found.baseline.as_str()), (2, 4, "a"));
    assert_eq!(found.runs[0].difference, None);
    let of_b = found.runs[1].difference.unwrap();
    let expected =
        PairedTest::new(&[0.75 - 0.70, 0.76 - 0.72, 0.74 - 0.71, 0.745 - 0.69], 200.0 / 100.0);
    assert_eq!(of_b.test, expected);
    assert_eq!(of_b.mean, expected.unwrap().difference);
    let p_values: Vec<f64> =
        found.runs[1..].iter().map(|run| run.difference.unwrap().test.unwrap().p).collect();
    let corrected: Vec<f64> =
        found.runs[1..].iter().map(|run| run.difference.unwrap().p_holm.unwrap()).collect();
    assert_eq!(corrected, holm(&p_values));
    assert!(corrected[0] > p_values[0]);
}

#[test]
fn validation_has_a_ratio_of_its_own() {
    let found = Comparison::new(&three_runs(), 1, Metric::ValAccuracy).unwrap();
    let of_c = found.runs[2].difference.unwrap();
    let values = [0.71, 0.70, 0.72, 0.68].map(|x| x / 2.0);
    let base = [0.75, 0.76, 0.74, 0.745].map(|x| x / 2.0);
    let differences: Vec<f64> = values.iter().zip(base).map(|(a, b)| a - b).collect();
    assert_eq!(of_c.test, PairedTest::new(&differences, 0.5));
}

#[test]
fn one_split_has_a_difference_and_no_test() {
    let found =
        Comparison::new(&[run("a", &[0.5]), run("b", &[0.75])], 0, Metric::TestAccuracy).unwrap();
    let expected = Difference { mean: 0.25, test: None, p_holm: None };
    assert_eq!(found.runs[1].difference, Some(expected));
    assert_eq!((found.n_tests(), found.runs[0].sd), (0, None));
}

#[test]
fn what_differs_is_named() {
    type Change = fn(&mut MetricsFile);
    let changes: [(Change, &str); 8] = [
        (
            |run| run.dataset = "citeseer".to_owned(),
            "the data set is citeseer in the first and cora in the second; train both on the same \
             data set",
        ),
        (
            |run| run.n_arcs = 999,
            "the number of arcs is 999 in the first and 1000 in the second; train both on the same \
             version of the data set",
        ),
        (
            |run| run.split = "masks".to_owned(),
            "the split is masks in the first and 25/12.5/50 in the second; train both with the same \
             --split",
        ),
        (
            |run| run.seed = 4,
            "the seed is 4 in the first and 3 in the second; train both with the same --seed",
        ),
        (
            |run| run.repeats.truncate(1),
            "the number of repetitions is 1 in the first and 4 in the second; train both with the \
             same --repeat",
        ),
        (
            |run| run.repeats[1].seed = 9,
            "the seed of repetition 2 is 9 in the first and 4 in the second; train both with the same \
             --seed",
        ),
        (
            |run| run.repeats[3].n_train = 99,
            "the number of training nodes of repetition 4 is 99 in the first and 100 in the second; \
             train both on the same version of the data set",
        ),
        (
            |run| run.repeats[0].n_test = 1,
            "the number of test nodes of repetition 1 is 1 in the first and 200 in the second; train \
             both on the same version of the data set",
        ),
    ];
    for (change, expected) in changes {
        let mut runs = three_runs();
        change(&mut runs[2]);
        let error = Comparison::new(&runs, 0, Metric::TestAccuracy).unwrap_err().to_string();
        assert_eq!(error, format!("c and a cannot be paired: {expected}"));
    }
}

#[test]
fn what_is_missing_is_named() {
    let error = |runs: &[MetricsFile], baseline, metric| {
        Comparison::new(runs, baseline, metric).unwrap_err().to_string()
    };
    let mut runs = three_runs();
    runs[1].repeats[2].test_accuracy = None;
    assert_eq!(
        error(&runs, 0, Metric::TestAccuracy),
        "b: repetition 3 has no test_accuracy; compare by another metric, or leave the run out"
    );
    assert_eq!(
        error(&runs, 0, Metric::TestLoss),
        "a: repetition 1 has no test_loss; compare by another metric, or leave the run out"
    );
    assert_eq!(
        error(&runs[..1], 0, Metric::TestAccuracy),
        "1 runs: a comparison needs at least two; name more"
    );
    assert_eq!(
        error(&runs, 3, Metric::ValAccuracy),
        "the baseline is run 3, and there are 3, from 0 on"
    );
}

proptest! {
    #[test]
    fn turning_the_baseline_round_turns_the_difference(
        pairs in prop::collection::vec((0.0..1.0, 0.0..1.0), 1..10),
    ) {
        let (first, second): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let runs = [run("a", &first), run("b", &second)];
        let of = |baseline: usize| {
            let found = Comparison::new(&runs, baseline, Metric::TestAccuracy).unwrap();
            found.runs[1 - baseline].difference.unwrap()
        };
        let (forth, back) = (of(0), of(1));
        prop_assert_eq!(forth.mean, -back.mean);
        prop_assert_eq!(forth.p_holm, back.p_holm);
        prop_assert_eq!(forth.test.is_some(), first.len() > 1);
    }
}
