use proptest::prelude::*;

use super::*;

fn space(entries: &str) -> Result<SearchSpace, String> {
    let table: Table = entries.parse().unwrap();
    SearchSpace::try_from(table).map_err(|error| error.to_string())
}

const ALL: &str = "order = [1, 2, 3]
    motifs = [['U'], ['U', 'in', 'out'], ['M5', 'M10']]
    heads = { from = 1, to = 8, log = true }
    width = { from = 16, to = 130 }
    dropout = { from = 0, to = 0.8 }
    lr = { from = 1e-4, to = 1e-1, log = true }
    decay = [0, 1e-4, 1e-3]";

/// A change of the streams would change every search that anyone has noted down.
#[test]
fn a_trial_is_known() {
    let trial = space(ALL).unwrap().sample(7, 2);
    let text: Vec<String> = trial.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn a_key_more_leaves_the_other_draws_as_they_were() {
    let (all, few) = (space(ALL).unwrap(), space("lr = { from = 1e-4, to = 1e-1, log = true }"));
    let few = few.unwrap();
    for trial in 0..20 {
        let of_all = all.sample(3, trial);
        assert!(of_all.contains(&few.sample(3, trial)[0]));
    }
    assert_ne!(all.sample(3, 0), all.sample(3, 1));
    assert_ne!(all.sample(3, 0), all.sample(4, 0));
}

/// How many of 20,000 draws of the only key a test holds for.
fn count(entries: &str, test: impl Fn(&Value) -> bool) -> f64 {
    let space = space(entries).unwrap();
    (0..20_000).filter(|&trial| test(&space.sample(1, trial)[0].1)).count() as f64
}

/// Five standard deviations of a count of 20,000 draws; seeds are fixed, so chance has no part.
fn near(count: f64, probability: f64) {
    let deviation = (20_000.0 * probability * (1.0 - probability)).sqrt();
    assert!((count - 20_000.0 * probability).abs() < 5.0 * deviation, "{count}, {probability}");
}

#[test]
fn draws_have_the_distribution_that_was_asked_for() {
    let below = |bound: f64| move |value: &Value| value.as_float().unwrap() < bound;
    near(count("lr = { from = 1e-4, to = 1e-1, log = true }", below(1e-3)), 1.0 / 3.0);
    near(count("lr = { from = 1e-4, to = 1e-1 }", below(1e-3)), 9.0 / 999.0);
    near(count("dropout = { from = 0.2, to = 0.6 }", below(0.3)), 0.25);
    let is = |wanted: i64| move |value: &Value| value.as_integer() == Some(wanted);
    for order in 1..=4 {
        near(count("order = { from = 1, to = 4 }", is(order)), 0.25);
        near(count("order = [1, 2, 3, 4]", is(order)), 0.25);
        let share = ((order + 1) as f64 / order as f64).ln() / 5_f64.ln();
        near(count("order = { from = 1, to = 4, log = true }", is(order)), share);
    }
}

#[test]
fn errors_name_the_key_the_value_and_the_remedy() {
    let keys = "order, motifs, heads, width, dropout, lr, decay";
    let unknown = format!("`depth` cannot be tuned; the keys of [tune] are {keys}");
    let nothing = format!("[tune] has no entries, so there is nothing to try; add one of {keys}");
    for (entries, expected) in [
        ("depth = [1]", unknown.as_str()),
        ("", &nothing),
        (
            "order = []",
            "tune.order is an empty list; give at least one choice, or leave the key out",
        ),
        (
            "order = 2",
            "tune.order is 2; give a list of choices, or a range such as { from = …, to = …, log = \
             true }",
        ),
        (
            "motifs = { from = 1, to = 2 }",
            "tune.motifs is { from = 1, to = 2 }; give a list of choices",
        ),
        ("order = [1, 2.5]", "tune.order: 2.5 will not do; give a whole number, 0 or above"),
        ("heads = [0]", "tune.heads: 0 will not do; give a whole number, 1 or above"),
        ("width = ['x']", "tune.width: \"x\" will not do; give a whole number, 1 or above"),
        ("lr = [0.0]", "tune.lr: 0.0 will not do; give a number above 0"),
        ("lr = [inf]", "tune.lr: inf will not do; give a number above 0"),
        ("decay = [nan]", "tune.decay: nan will not do; give a number, 0 or above"),
        (
            "dropout = { from = 0.1, to = 1 }",
            "tune.dropout: 1 will not do; give a number, at least 0 and below 1",
        ),
        (
            "order = [0, 101]",
            "tune.order: 101 will not do; it must be a whole number from 0 to 100",
        ),
        (
            "width = { from = 1, to = 9223372036854775807 }",
            "tune.width: 9223372036854775807 will not do; it must be a whole number from 1 to 100000",
        ),
        (
            "decay = { from = 1e-5, to = 1e300, log = true }",
            "tune.decay: 1e300 will not do; it must be a number from 0 to 1000000000",
        ),
        (
            "motifs = ['U']",
            "tune.motifs: \"U\" will not do; give a list of motifs as each choice, such as [\"U\", \
             \"in\", \"out\"]",
        ),
        (
            "motifs = [['U', 'M14']]",
            "tune.motifs: there is no motif \"M14\"; the motifs are M1 to M13, U, out, in, Ms, Md, \
             Mcoll and Mexpa",
        ),
        (
            "motifs = [['U', 'U']]",
            "tune.motifs: U stands twice in one choice; take one of them out",
        ),
        (
            "lr = { from = 1, to = 2, step = 1 }",
            "tune.lr: a range has no `step`; its keys are from, to and log",
        ),
        ("lr = { from = 1 }", "tune.lr: the range has no `to`; add it"),
        ("lr = { from = 2, to = 1 }", "tune.lr: the range goes from 2 down to 1; exchange the two"),
        (
            "decay = { from = 0, to = 1, log = true }",
            "tune.decay: a range with log = true cannot begin at 0; begin above it, or leave out log",
        ),
        ("lr = { from = 1, to = 2, log = 1 }", "tune.lr: log is 1; give true or false"),
    ] {
        assert_eq!(space(entries).unwrap_err(), expected, "{entries}");
    }
}

#[test]
fn a_wrong_table_in_a_file_is_an_error_of_the_file() {
    #[derive(Debug, Deserialize)]
    struct File {
        #[expect(dead_code, reason = "only its error is looked at")]
        tune: SearchSpace,
    }
    let error = toml::from_str::<File>("[tune]\nlr = [0]\n").unwrap_err();
    assert_eq!(error.message(), "tune.lr: 0 will not do; give a number above 0");
}

proptest! {
    #[test]
    fn draws_stay_within_their_range(
        ends in (1_i64..=100_000, 1_i64..=100_000),
        reals in (1e-300..1e9, 1e-300..1e9),
        log in any::<bool>(),
        (seed, trial) in any::<(u64, u64)>(),
    ) {
        let (from, to) = (ends.0.min(ends.1), ends.0.max(ends.1));
        let (low, high) = (f64::min(reals.0, reals.1), f64::max(reals.0, reals.1));
        let entries = format!(
            "width = {{ from = {from}, to = {to}, log = {log} }}\n\
             decay = {{ from = {low:e}, to = {high:e}, log = {log} }}"
        );
        let trial = space(&entries).unwrap().sample(seed, trial);
        let width = trial[0].1.as_integer().unwrap();
        prop_assert!((from..=to).contains(&width), "{width}");
        let decay = trial[1].1.as_float().unwrap();
        prop_assert!((low..=high).contains(&decay), "{decay}");
    }
}
