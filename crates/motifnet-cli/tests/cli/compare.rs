use serde_json::json;

use crate::support::Folder;

/// The metrics of a run with these test accuracies, one a split.
fn metrics(model: &str, seed: u64, accuracies: &[f64]) -> serde_json::Value {
    let repeat = |(at, accuracy): (usize, &f64)| {
        json!({
            "seed": seed + at as u64, "n_train": 100, "n_validation": 100, "n_test": 800,
            "test_accuracy": accuracy, "val_accuracy": accuracy + 0.01,
            "train_accuracy": 0.9, "test_loss": 1.0 - accuracy, "val_loss": 0.6, "train_loss": 0.3,
            "best_epoch": 50, "epochs": 150, "parameters": 1000
        })
    };
    json!({
        "dataset": "cora-ml", "n_nodes": 2995, "n_arcs": 8416, "n_classes": 7, "model": model,
        "order": 2, "heads": null, "can_move": true, "operators": ["U"], "support": "pairs",
        "split": "10/10/80", "seed": seed, "parameters": 1000,
        "repeats": accuracies.iter().enumerate().map(repeat).collect::<Vec<_>>()
    })
}

fn put(folder: &Folder, run: &str, metrics: &serde_json::Value) {
    folder.put(&format!("{run}/metrics.json"), serde_json::to_string_pretty(metrics).unwrap());
}

/// Four runs: one that is much better than the first, one that hardly differs, and a copy of it.
fn runs() -> Folder {
    let folder = Folder::new();
    for (run, model, accuracies) in [
        ("a", "chebnet", [0.801, 0.812, 0.795, 0.806, 0.799]),
        ("b", "motifnet-m", [0.853, 0.861, 0.848, 0.856, 0.851]),
        ("c", "gcn", [0.804, 0.805, 0.801, 0.799, 0.808]),
        ("d", "chebnet", [0.801, 0.812, 0.795, 0.806, 0.799]),
    ] {
        put(&folder, run, &metrics(model, 7, &accuracies));
    }
    folder
}

#[test]
fn runs_are_compared_with_the_first_or_the_baseline() {
    let folder = runs();
    let commands = [
        "compare a b c d",
        "compare a b c --baseline c/ --metric val_accuracy",
        "compare a/metrics.json b --metric test_loss",
    ];
    let shown: String = commands
        .iter()
        .map(|words| format!("$ motifnet {words}\n{}\n", folder.ok(words)))
        .collect();
    insta::assert_snapshot!(shown);
}

/// scipy 1.17: stats.t.sf and stats.t.interval on the corrected standard error.
#[test]
fn json_has_the_figures_of_scipy() {
    let found = runs().json("compare a b c");
    let of_b = &found["runs"][1]["difference"];
    for (value, expected) in [
        (&of_b["mean"], 0.0512),
        (&of_b["test"]["interval"][0], 0.03813594802800463),
        (&of_b["test"]["interval"][1], 0.06426405197199524),
        (&of_b["test"]["p"], 0.000404912347742926),
        (&of_b["p_holm"], 2.0 * 0.000404912347742926),
        (&found["runs"][2]["difference"]["test"]["p"], 0.9718066368993402),
    ] {
        let value = value.as_f64().unwrap();
        assert!((value - expected).abs() < 1e-10 * expected, "{value}, not {expected}");
    }
    assert!(found["runs"][0]["difference"].is_null());
    assert_eq!((&found["metric"], &found["baseline"]), (&"test_accuracy".into(), &"a".into()));
}

#[test]
fn one_repetition_gives_no_test_and_says_so() {
    let folder = Folder::new();
    put(&folder, "a", &metrics("mlp", 0, &[0.75]));
    put(&folder, "b", &metrics("gcn", 0, &[0.8125]));
    let output = folder.run("compare a b");
    let said =
        String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
    insta::assert_snapshot!(said);
    let found = folder.json("compare a b");
    assert_eq!(found["runs"][1]["difference"]["mean"], 0.0625);
    assert!(found["runs"][1]["difference"]["test"].is_null());
}

#[test]
fn what_train_writes_is_what_compare_reads() {
    let folder = Folder::new();
    folder.ok("generate dsbm --blocks 40,40 --connect '0.2,0.02;0.02,0.2' --seed 1 --labels l.csv -o a.tsv");
    folder.put(
        "dataset.toml",
        "name = 'two'\narcs = 'a.tsv'\nlabels = 'l.csv#block'\nfeatures = 'one-hot'\nsplit = '30/20/50'\n",
    );
    for (model, run) in [("gcn", "g"), ("labelprop", "l")] {
        folder.ok(&format!(
            "train . --model {model} --repeat 3 --epochs 20 --width 8 --max-features 20 --out {run}"
        ));
    }
    let found = folder.json("compare g l");
    assert_eq!((&found["dataset"], &found["n_repeats"]), (&"two".into(), &3.into()));
    assert_eq!(found["runs"][1]["difference"]["test"]["n_pairs"], 3);
    // Label propagation has no loss.
    let said = folder.refused("compare g l --metric test_loss");
    assert!(said.contains("l: repetition 1 has no test_loss"), "{said}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = runs();
    folder.put("empty/notes.txt", "");
    folder.put("cut/metrics.json", &folder.text("a/metrics.json")[..300]);
    folder.put("other/metrics.json", "{\"accuracy\": 1}\n");
    put(&folder, "seed", &metrics("gcn", 8, &[0.8; 5]));
    put(&folder, "short", &metrics("gcn", 7, &[0.8; 4]));
    let changed = |run: &str, key: &str, value: serde_json::Value| {
        let mut metrics = metrics("gcn", 7, &[0.8; 5]);
        metrics[key] = value;
        put(&folder, run, &metrics);
    };
    changed("data", "dataset", "citeseer".into());
    changed("split", "split", "60/20/20".into());
    changed("none", "repeats", json!([]));
    let commands = [
        "compare",
        "compare a",
        "compare a a/",
        "compare a b --baseline c",
        "compare a b --metric f1",
        "compare a missing",
        "compare a empty",
        "compare a cut",
        "compare a other",
        "compare a none",
        "compare a data",
        "compare a split",
        "compare a seed",
        "compare a b short --baseline b",
    ];
    let said: String = commands.iter().map(|words| folder.refused(words)).collect();
    insta::assert_snapshot!(said);
}
