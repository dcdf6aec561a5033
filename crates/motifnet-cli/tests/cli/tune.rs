use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::Folder;

/// Two communities of thirty nodes, as a data set.
fn communities() -> Folder {
    let folder = Folder::new();
    folder.ok("generate dsbm --blocks 30,30 --connect '0.2,0.03;0.03,0.2' --seed 1 --labels l.csv -o a.tsv");
    folder.put(
        "dataset.toml",
        "name = 'two'\narcs = 'a.tsv'\nlabels = 'l.csv#block'\nfeatures = 'one-hot'\nsplit = '30/20/50'\n",
    );
    folder
        .put("space.toml", "[tune]\norder = [1, 2]\nlr = { from = 1e-3, to = 1e-1, log = true }\n");
    folder
}

const SLOW: &str = "--space space.toml --trials 3 --repeat 2 --width 8 --max-features 20 --epochs 80 \
                    --patience 80";
const QUICK: &str = "--width 8 --max-features 20 --epochs 20";

fn json(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.text(name)).unwrap()
}

/// Waits until a file is there, while the command that writes it runs.
fn wait_for(path: &Path, child: &mut Child) {
    let start = Instant::now();
    while !path.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before {}", path.display());
        assert!(start.elapsed() < Duration::from_secs(120), "no {}", path.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn trials_differ_and_the_best_has_the_least_validation_loss() {
    let folder = communities();
    let found = folder.json(&format!("tune . --trials 4 --order 1 {QUICK} --seed 3 --out search"));
    let trials = found["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 4);
    let mut least = (f64::INFINITY, "");
    for (at, trial) in trials.iter().enumerate() {
        let name = trial["folder"].as_str().unwrap();
        assert_eq!(name, format!("trial-00{}", at + 1));
        let metrics = json(&folder, &format!("search/{name}/metrics.json"));
        assert_eq!(trial["val_loss"], metrics["repeats"][0]["val_loss"]);
        least = match trial["val_loss"].as_f64().unwrap() {
            loss if loss < least.0 => (loss, name),
            _ => least,
        };
        // What flags give is not searched; all else differs somewhere.
        let settings = trial["settings"].as_object().unwrap();
        let keys: Vec<_> = settings.keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            ["model.dropout", "model.heads", "model.motifs", "train.decay", "train.lr"]
        );
        assert!(trials[..at].iter().all(|other| other["settings"] != trial["settings"]));
    }
    assert_eq!(found["best"], least.1);
    for (key, value) in json(&folder, "search/tune.json").as_object().unwrap() {
        assert_eq!(&found[key], value, "{key}");
    }

    // The two lines do what they say.
    let command =
        |key: &str| found[key].as_str().unwrap().strip_prefix("motifnet ").unwrap().to_owned();
    assert_eq!(command("predict"), format!("predict search/{}", least.1));
    folder.ok(&command("predict"));
    folder.ok(&format!("{} --out again", command("train")));
    let best = format!("search/{}/metrics.json", least.1);
    assert_eq!(folder.text("again/metrics.json"), folder.text(&best));
    let shown = folder.ok("tune --resume search");
    assert!(shown.contains(&format!("best: search/{}  validation loss ", least.1)), "{shown}");
}

#[test]
fn a_search_that_was_stopped_comes_to_the_same_result() {
    let folder = communities();
    folder.ok(&format!("tune . {SLOW} --out whole"));
    let whole = folder.text("whole/tune.json");
    let signals: &[&str] = if cfg!(unix) { &["kill", "interrupt"] } else { &["kill"] };
    for signal in signals {
        let mut child =
            folder.start(&format!("tune . {SLOW} --checkpoint-seconds 0 --out {signal}"));
        // In the middle of the second trial's second split.
        wait_for(
            &folder.path(&format!("{signal}/trial-002/split-02/checkpoint.safetensors")),
            &mut child,
        );
        if *signal == "kill" {
            child.kill().unwrap();
        } else {
            crate::resume::signal(&child, "-INT");
        }
        let status = child.wait().unwrap();
        assert_eq!(status.code(), (*signal == "interrupt").then_some(130), "{signal}");
        let so_far = json(&folder, &format!("{signal}/tune.json"));
        // On a machine that is busy the signal may come late.
        assert!((1..3).contains(&so_far["trials"].as_array().unwrap().len()), "{so_far}");
        folder.ok(&format!("tune --resume {signal}"));
        assert_eq!(folder.text(&format!("{signal}/tune.json")), whole, "{signal}");
        for trial in 1..=3 {
            for name in ["metrics.json", "split-02/history.jsonl"] {
                let text = |search: &str| folder.text(&format!("{search}/trial-00{trial}/{name}"));
                assert_eq!(text(signal), text("whole"), "{signal}: trial {trial}, {name}");
            }
        }
    }
    // The mean over the splits is what counts.
    let metrics = json(&folder, "whole/trial-001/metrics.json");
    let losses = metrics["repeats"].as_array().unwrap().iter();
    let losses: Vec<f64> = losses.map(|repeat| repeat["val_loss"].as_f64().unwrap()).collect();
    let loss = json(&folder, "whole/tune.json")["trials"][0]["val_loss"].as_f64().unwrap();
    assert!((loss - (losses[0] + losses[1]) / 2.0).abs() < 1e-12);

    // What is lost of the table is found in the folders, and a trial that lost its result is made anew.
    std::fs::remove_file(folder.path("whole/tune.json")).unwrap();
    for name in ["metrics.json", "split-01/metrics.json", "split-01/checkpoint.safetensors"] {
        std::fs::remove_file(folder.path(&format!("whole/trial-003/{name}"))).unwrap();
    }
    folder.ok("tune --resume whole");
    assert_eq!(folder.text("whole/tune.json"), whole);

    // A short search that is made longer is the long one.
    folder.ok(&format!("tune . {} --out short", SLOW.replace("--trials 3", "--trials 1")));
    folder.ok("tune --resume short --trials 3");
    assert_eq!(folder.text("short/tune.json"), whole);
}

#[test]
fn a_trial_that_fails_does_not_end_the_search() {
    let folder = communities();
    folder.put("space.toml", "[tune]\nlr = [0.01, 1e30]\nwidth = [8]\n");
    let words = "--space space.toml --trials 6 --max-features 20 --epochs 20";
    let output = folder.run(&format!("tune . {words} --out search"));
    assert!(output.status.success());
    let table = json(&folder, "search/tune.json");
    let mut n_failed = 0;
    for trial in table["trials"].as_array().unwrap() {
        let diverges = trial["settings"]["train.lr"] == 1e30;
        assert_eq!(trial["state"], if diverges { "failed" } else { "done" });
        n_failed += usize::from(diverges);
        let message = trial["message"].as_str().unwrap_or_default();
        assert_eq!(message.contains("lower the learning rate"), diverges, "{message}");
    }
    assert!((1..6).contains(&n_failed), "{n_failed} of 6");
    let said = String::from_utf8(output.stderr).unwrap();
    // A step too large shows in the loss or, where an activation hides it, in the next gradients.
    let failed = said.lines().filter(|line| line.contains(" failed: "));
    let remedies = failed.filter(|line| line.contains("lower the learning rate"));
    assert_eq!(remedies.count(), n_failed, "{said}");

    // What has failed is not tried again.
    let again = folder.run("tune --resume search");
    assert!(again.status.success());
    assert!(!String::from_utf8(again.stderr).unwrap().contains("trial 1 of 6"));
    assert_eq!(json(&folder, "search/tune.json"), table);

    folder.put("space.toml", "[tune]\nlr = [1e30]\n");
    let output = folder.run(&format!("tune . {words} --out search --force"));
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    let error = said.lines().find(|line| line.starts_with("error: ")).unwrap();
    assert!(error.contains("none of the 6 trials came to a result; the first: "), "{error}");
    assert!(
        error.ends_with("lower the learning rate") || error.contains("lower the learning rate,")
    );
}

#[test]
fn a_trial_that_lacked_memory_is_made_when_there_is_more() {
    let folder = communities();
    folder.put("space.toml", "[tune]\nwidth = [8, 16]\n");
    let words = "tune . --space space.toml --trials 2 --max-features 20 --epochs 3";
    folder.ok(&format!("{words} --out roomy"));
    let output = folder.run(&format!("{words} --out search --set train.memory_limit=\"1kB\""));
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("there is 1.0 kB"), "{said}");
    assert!(said.contains("with more memory: motifnet tune --resume search"), "{said}");
    assert_eq!(json(&folder, "search/tune.json")["trials"][0]["lacks_memory"], true);

    let plan = folder.text("search/tune.toml");
    folder.put("search/tune.toml", plan.replace("1kB", "1GB"));
    folder.ok("tune --resume search");
    assert_eq!(json(&folder, "search/tune.json"), json(&folder, "roomy/tune.json"));
}

#[test]
fn a_search_that_is_replaced_leaves_nothing() {
    let folder = communities();
    folder.ok(&format!("tune . --space space.toml --trials 3 {QUICK} --out search"));
    let old = folder.text("search/trial-001/metrics.json");
    folder
        .ok(&format!("tune . --space space.toml --trials 1 {QUICK} --seed 9 --out search --force"));
    assert!(!folder.path("search/trial-002").exists());
    assert_ne!(folder.text("search/trial-001/metrics.json"), old);
    assert_eq!(json(&folder, "search/tune.json")["trials"].as_array().unwrap().len(), 1);
}

#[test]
fn the_space_of_every_model_is_printed_and_read() {
    let folder = communities();
    let said = folder.ok("tune --print-space");
    insta::assert_snapshot!("default_space", said);
    let said = folder.ok("tune --print-space --model polynomial --set train.lr=0.1");
    insta::assert_snapshot!("default_space_polynomial", said);
    for model in ["gcn", "cayley", "mlp"] {
        folder.put("printed.toml", folder.ok(&format!("tune --print-space --model {model}")));
        let words = format!("--model {model} --trials 2 --epochs 5");
        folder.ok(&format!("tune . {words} --space printed.toml --out a --force"));
        folder.ok(&format!("tune . {words} --out b --force"));
        assert_eq!(folder.text("a/tune.json"), folder.text("b/tune.json"), "{model}");
    }
    let space = folder.json("tune --print-space --model chebnet --dropout 0.5");
    assert_eq!(space["tune"]["order"], serde_json::json!([1, 2, 3]));
    assert!(space["tune"]["dropout"].is_null() && space["tune"]["heads"].is_null());
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let folder = communities();
    folder.put("settings.toml", "[tune]\nlr = [1]\n[train]\nepochs = 3\n");
    folder.put("empty.toml", "[tune]\n");
    folder.put("none.toml", "[model]\norder = 1\n");
    folder.put("wrong.toml", "[tune]\nlr = [0.1, -1]\n");
    folder.put("far.toml", "[tune]\norder = [0, 101]\n");
    folder.put("wide.toml", "[tune]\nwidth = { from = 1, to = 9223372036854775807 }\n");
    folder.put("cut.toml", "[tune]\nlr = [0.1,\n");
    folder.put("old/trial-001/config.toml", "");
    folder.put("search/tune.toml", "trials = 3\n[tune]\nlr = [1]\n[data]\ndataset = '..'\n");
    folder.put("damaged/tune.toml", "trials = 3\n[data]\n");
    folder.put("table/tune.toml", folder.text("search/tune.toml"));
    folder.put("changed/tune.toml", folder.text("search/tune.toml"));
    folder.put("changed/trial-001/config.toml", "[train]\nlr = 2.0\n");
    let all = "--order 1 --motifs U --heads 1 --width 8 --dropout 0 --lr 0.1 --decay 0";
    let commands = [
        "tune",
        "tune .",
        "tune --out new",
        "tune . --out new --trials 0",
        "tune . --out new --model labelprop",
        &format!("tune . --out new {all}"),
        "tune . --out new --space missing.toml",
        "tune . --out new --space settings.toml",
        "tune . --out new --space empty.toml",
        "tune . --out new --space none.toml",
        "tune . --out new --space wrong.toml",
        "tune . --out new --space far.toml",
        "tune . --out new --space wide.toml",
        "tune . --out new --space cut.toml",
        "tune . --out new --space space.toml --order 2",
        "tune . --out new --space space.toml --set train.lr=1",
        "tune . --out a.tsv",
        "tune . --out old",
        "tune . --out search",
        "tune --resume old",
        "tune --resume search --lr 1",
        "tune --resume search --trials 2",
        "tune --resume search --out new",
        "tune --resume damaged",
        "tune --print-space --model labelprop",
        "tune --print-space --out new",
    ];
    let said: String = commands.iter().map(|words| folder.refused(words)).collect();
    insta::assert_snapshot!(said);

    let said = |words: &str| {
        let output = folder.run(words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        folder.redact(&String::from_utf8(output.stderr).unwrap())
    };
    let changed = said("tune --resume changed");
    let expected = "changed/trial-001/config.toml is not what tune.toml gives this trial";
    assert!(changed.contains(expected), "{changed}");
    folder.put("table/tune.json", "{");
    let damaged = said("tune --resume table");
    assert!(damaged.contains("table/tune.json: damaged: EOF"), "{damaged}");
    // What is wrong with the data would stop every trial.
    let unsplit = said("tune --arcs a.tsv --labels l.csv#block --features one-hot --out unsplit");
    assert!(unsplit.contains("has no split of its own"), "{unsplit}");
}

#[test]
fn tune_explains_itself() {
    let said = Folder::new().ok("tune --help");
    // Settings are those of train, whose help has them.
    let (options, rest) = said.split_once("\nData:\n").unwrap();
    let (_, examples) = rest.split_once("\nExamples:\n").unwrap();
    let said = format!("{options}\n[…]\n\nExamples:\n{examples}");
    let said: String = said.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    insta::assert_snapshot!(said);
}
