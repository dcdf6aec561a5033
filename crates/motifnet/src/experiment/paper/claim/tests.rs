use super::*;
use crate::experiment::paper::{Entry, Published};
use crate::train::RunMetrics;

/// An entry with these test accuracies, tested on as many nodes as it was trained on.
fn result(contestant: Contestant, order: usize, accuracies: &[f64]) -> EntryResult {
    let training = |(split, &accuracy): (usize, &f64)| RepeatReport {
        split,
        seed: split as u64,
        n_train: 50,
        n_validation: 50,
        n_test: 50,
        metrics: RunMetrics {
            test_accuracy: Some(accuracy),
            val_accuracy: accuracy,
            train_accuracy: None,
            test_loss: None,
            val_loss: None,
            train_loss: None,
            best_epoch: 1,
            epochs: 1,
            parameters: 1,
        },
    };
    let entry = Entry { contestant, order };
    EntryResult {
        entry,
        title: contestant.title(),
        is_ours: contestant.is_ours(),
        operators: Vec::new(),
        parameters: 1,
        test_accuracy: mean(accuracies),
        test_accuracy_sd: None,
        published: Published::of(entry),
        trainings: accuracies.iter().enumerate().map(training).collect(),
        failure: None,
    }
}

const BASE: [f64; 5] = [0.60, 0.61, 0.62, 0.60, 0.61];

fn shifted(by: f64, noise: f64) -> Vec<f64> {
    let noise = [noise, -noise, noise, -noise, 0.0];
    BASE.iter().zip(noise).map(|(base, noise)| base + by + noise).collect()
}

fn first_claim(orders: &[Vec<f64>]) -> Claim {
    let of = |contestant, at: usize, values: &[f64]| result(contestant, at + 1, values);
    let entries = orders.iter().enumerate().flat_map(|(at, values)| {
        [of(Contestant::MotifnetM, at, values), of(Contestant::ChebnetU, at, &BASE)]
    });
    Claim::all(&entries.collect::<Vec<_>>()).swap_remove(0)
}

#[test]
fn a_verdict_goes_by_what_is_beyond_chance() {
    let (better, worse, same) = (shifted(0.05, 0.002), shifted(-0.05, 0.002), shifted(0.0, 0.02));
    let verdict = |orders: &[&Vec<f64>]| {
        first_claim(&orders.iter().map(|&values| values.clone()).collect::<Vec<_>>()).verdict
    };
    assert_eq!(verdict(&[&better, &better]), Verdict::Holds);
    assert_eq!(verdict(&[&better, &same]), Verdict::Partly);
    assert_eq!(verdict(&[&better, &worse]), Verdict::Partly);
    assert_eq!(verdict(&[&same, &same]), Verdict::Open);
    assert_eq!(verdict(&[&same, &worse]), Verdict::Reversed);
}

#[test]
fn a_claim_has_a_duel_an_order_corrected_together() {
    let claim = first_claim(&[shifted(0.05, 0.001), shifted(0.04, 0.002)]);
    let labels: Vec<&str> = claim.duels.iter().map(|duel| duel.label.as_str()).collect();
    assert_eq!(labels, ["MotifNet-m − ChebNet U, order 1", "MotifNet-m − ChebNet U, order 2"]);
    // Of two, the smaller p counts twice and the larger once.
    let [first, second] = [0, 1].map(|at| claim.duels[at].test.as_ref().unwrap().p);
    assert!(2.0 * first < second, "{first} {second}");
    assert_eq!(claim.duels[0].p_holm, Some(2.0 * first));
    assert_eq!(claim.duels[1].p_holm, Some(second));
    assert!(claim.duels.iter().all(|duel| (duel.n_ahead, duel.n_splits) == (5, 5)));
    assert_eq!(
        claim.finding,
        "ahead in 2 of 2 comparisons, by +4.0 to +5.0 points; 2 of 2 differences are beyond chance"
    );
}

#[test]
fn accuracy_lost_with_the_order_is_compared_too() {
    let entries = [
        result(Contestant::MotifnetM, 1, &shifted(0.02, 0.001)),
        result(Contestant::MotifnetM, 4, &shifted(0.01, 0.001)),
        result(Contestant::ChebnetU, 1, &BASE),
        result(Contestant::ChebnetU, 4, &shifted(-0.06, 0.001)),
    ];
    let claims = Claim::all(&entries);
    let [duel] = &claims[1].duels[..] else { panic!("one duel") };
    assert!((duel.difference - 0.05).abs() < 1e-12);
    assert!(duel.label.starts_with("change from order 1 to 4"));
    assert_eq!(claims.len(), 2, "claims about models that were not trained are not made");
}

#[test]
fn what_failed_or_has_one_split_is_not_tested() {
    let mut failed = result(Contestant::MotifnetM, 1, &BASE);
    failed.failure = Some("too large".to_owned());
    assert!(Claim::all(&[failed, result(Contestant::ChebnetU, 1, &BASE)]).is_empty());
    let [one, other] =
        [Contestant::MotifnetM, Contestant::ChebnetU].map(|it| result(it, 1, &[0.7]));
    let claims = Claim::all(&[one, other]);
    assert_eq!((claims[0].verdict, claims[0].duels[0].p_holm), (Verdict::Open, None));
    assert_eq!(claims[0].finding, "a difference of +0.0 points, not tested, on one split");
}
