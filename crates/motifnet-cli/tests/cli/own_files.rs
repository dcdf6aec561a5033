//! What a user has in a folder is not replaced unasked, and one command's result not by another's.

use std::fs;
use std::process::{Child, Command};

use crate::predict::people;
use crate::resume::{signal, wait_for, wait_until};
use crate::support::Folder;

const DATA: &str =
    "--arcs arcs.csv --labels people.csv#team --features degrees --split 60/20/20 --width 8";
const QUICK: &str = "--model gcn --epochs 3";
/// Fails before its first checkpoint.
const FAILING: &str = "--model gcn --epochs 50 --lr 1e30";

fn train(words: &str) -> String {
    format!("train {DATA} {words}")
}

/// What a command says that fails and may tidy up what a killed one left.
fn said(folder: &Folder, words: &str, code: i32) -> String {
    let output = folder.run(words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "motifnet {words}: {said}");
    said
}

#[test]
fn files_under_the_names_of_a_runs_are_not_replaced_unasked() {
    let folder = people(0);
    let names = ["metrics.json", "model.safetensors", "timing.json", "model.toml", "history.jsonl"];
    for name in names.into_iter().chain(["split-01/metrics.json"]) {
        folder.put(&format!("run/{name}"), "mine");
        let said = folder.refused(&train(&format!("{QUICK} --out run")));
        assert!(said.contains(&format!("run/{name} is there already")), "{said}");
        assert!(said.contains("add --force"), "{said}");
        fs::remove_dir_all(folder.path("run")).unwrap();
    }
    // Nor is a finished run that lies where a split would.
    folder.ok(&train(&format!("{QUICK} --out r/split-01")));
    let said = folder.refused(&train(&format!("{QUICK} --repeat 2 --out r")));
    assert!(said.contains("r/split-01/config.toml is there already"), "{said}");
    // What no run writes is in nobody's way.
    folder.put("own/notes.txt", "mine");
    folder.ok(&train(&format!("{QUICK} --out own")));
    assert_eq!(folder.text("own/notes.txt"), "mine");
}

#[test]
fn they_are_set_aside_until_a_run_that_was_forced_has_something_to_go_on_from() {
    let folder = people(0);
    folder.put("run/metrics.json", "mine");
    folder.put("run/split-02/history.jsonl", "mine");
    folder.put("run/report.html", "mine");
    folder.refused(&train(&format!("{FAILING} --force --out run")));
    // As a kill leaves it between the first file of the new run and its first checkpoint.
    fs::create_dir(folder.path("run/.replaced")).unwrap();
    for name in ["metrics.json", "split-02"] {
        let aside = folder.path("run/.replaced").join(name);
        fs::rename(folder.path("run").join(name), aside).unwrap();
    }
    folder.put("run/config.toml", "[train]\nepochs = 3\n");
    let told = said(&folder, &train(&format!("{QUICK} --out run")), 2);
    assert!(told.contains("run/metrics.json is there already"), "{told}");
    assert_eq!(folder.text("run/metrics.json"), "mine");
    assert!(!folder.path("run/config.toml").exists() && !folder.path("run/.replaced").exists());

    folder.ok(&train(&format!("{QUICK} --force --out run")));
    assert_ne!(folder.text("run/metrics.json"), "mine");
    assert!(!folder.path("run/split-02").exists() && !folder.path("run/.replaced").exists());
    // There was no run for it to tell of.
    assert_eq!(folder.text("run/report.html"), "mine");
}

#[test]
fn what_tells_of_a_run_goes_with_it_and_comes_back_with_it() {
    let folder = people(0);
    let spectral = "--model spectral --eigenvectors 5 --epochs 3 --tensorboard";
    folder.ok(&train(&format!("{spectral} --out run")));
    folder.ok("report run");
    folder.put("run/events/mine.txt", "mine");
    let events = || fs::read_dir(folder.path("run/events")).unwrap().count();
    assert_eq!(events(), 2);
    folder.refused(&train(&format!("{FAILING} --tensorboard --force --out run")));
    folder.ok(&train(&format!("{QUICK} --force --out run")));
    assert!(!folder.path("run/report.html").exists() && !folder.path("run/.replaced").exists());
    assert_eq!(events(), 1);
    assert_eq!(folder.text("run/events/mine.txt"), "mine");
    // Known by what it is of, so that the next spectral network has it.
    assert!(folder.path("run/eigenbasis.npz").exists());
}

#[test]
fn what_a_training_or_a_search_reads_it_does_not_replace() {
    let folder = people(0);
    for name in ["z/metrics.json", "d/tune.json", "s/trial-001/people.csv"] {
        folder.put(name, folder.text("people.csv"));
    }
    folder.put("z/split-01/history.jsonl", folder.text("arcs.csv"));
    folder.put("ex/config.toml", "[data]\narcs = '../arcs.csv'\n");
    folder.put("s/tune.toml", "[tune]\nlr = [0.1]\n");
    folder.put("s/trial-001/config.toml", "");
    let of = |arcs: &str, labels: &str| {
        format!("--arcs {arcs} --labels {labels}#team --features degrees --split 60/20/20")
    };
    let cases = [
        (
            format!("train {} --force --out ./z", of("arcs.csv", "z/metrics.json")),
            "./z/metrics.json is a file of the data",
        ),
        (
            format!("train {} --out z", of("z/split-01/history.jsonl", "people.csv")),
            "z/split-01/history.jsonl is a file of the data",
        ),
        (
            "train --config ex/config.toml --out ex".to_owned(),
            "ex/config.toml is the file of --config",
        ),
        (
            "train --config ex/config.toml --force --out ex".to_owned(),
            "ex/config.toml is the file of --config",
        ),
        (
            format!("tune {} --out d", of("arcs.csv", "d/tune.json")),
            "d/tune.json is a file of the data",
        ),
        (
            format!("tune {} --space s/tune.toml --out s", of("arcs.csv", "people.csv")),
            "s/tune.toml is the file of --space",
        ),
        (
            format!("tune {} --force --out s", of("arcs.csv", "s/trial-001/people.csv")),
            "s/trial-001/people.csv is a file of the data",
        ),
    ];
    for (words, expected) in cases {
        let said = folder.refused(&words);
        assert!(said.contains(expected), "{said}");
        assert!(said.contains("hint: name another folder with --out\n[exit code 2]"), "{said}");
    }
}

#[test]
fn a_folder_holds_a_run_or_a_search_and_not_both() {
    let folder = people(0);
    folder.ok(&train(&format!("{QUICK} --out run")));
    folder.put("search/tune.toml", "");
    for force in ["", "--force"] {
        let said = folder.refused(&format!("tune {DATA} --trials 1 --out run {force}"));
        assert!(said.contains("error: run holds a run\n"), "{said}");
        let said = folder.refused(&train(&format!("{QUICK} --out search {force}")));
        assert!(said.contains("error: search holds a search\n"), "{said}");
        let said = folder.refused(&format!("reproduce --nodes 150 --out run {force}"));
        assert!(said.contains("error: run holds a run\n"), "{said}");
    }
    folder.put("other/trial-002/metrics.json", "mine");
    let said = folder.refused(&format!("tune {DATA} --trials 2 --out other"));
    assert!(said.contains("other/trial-002/metrics.json is there already"), "{said}");
}

#[test]
fn a_split_that_was_trained_otherwise_is_not_taken_for_the_runs_own() {
    let folder = people(0);
    let whole = train("--model gcn --epochs 6 --repeat 2");
    folder.ok(&format!("{whole} --out whole"));
    folder.ok(&format!("{whole} --out run"));
    folder.ok(&train("--model gcn --epochs 5 --force --out run/split-01"));
    let said = folder.refused("train --resume run");
    let expected = "run/split-01/config.toml is not what run/config.toml gives this split";
    assert!(said.contains(expected), "{said}");
    assert!(said.contains("or move run/split-01 away to have it trained again"), "{said}");
    // One that says nothing of its settings is not taken either.
    fs::remove_file(folder.path("run/split-01/config.toml")).unwrap();
    let said = folder.refused("train --resume run");
    assert!(said.contains("no config.toml says of which run it is"), "{said}");
    fs::remove_dir_all(folder.path("run/split-01")).unwrap();
    folder.ok("train --resume run");
    for name in ["metrics.json", "split-01/metrics.json", "split-01/history.jsonl"] {
        assert_eq!(folder.text(&format!("run/{name}")), folder.text(&format!("whole/{name}")));
    }
    // What changes no result may be changed.
    let config =
        folder.text("run/config.toml").replace("tensorboard = false", "tensorboard = true");
    folder.put("run/config.toml", config);
    folder.ok("train --resume run");
}

fn assert_refused(folder: &Folder, words: &str, place: &str, first: &Child) {
    let said = said(folder, words, 1);
    let expected = format!("{place}: process {} is at work in this folder", first.id());
    assert!(said.contains(&expected), "motifnet {words}: {said}");
}

#[test]
fn a_split_is_trained_by_one_process_at_a_time() {
    let folder = people(0);
    let endless =
        train("--epochs 1000000 --patience 1000000 --checkpoint-seconds 0 --repeat 2 --out run");
    let checkpoint = folder.path("run/split-01/checkpoint.safetensors");
    let mut first = folder.start(&endless);
    wait_for(&checkpoint);
    let other = train(&format!("{QUICK} --force --out run/split-01"));
    for words in ["train --resume run/split-01", other.as_str()] {
        assert_refused(&folder, words, "run/split-01", &first);
    }
    signal(&first, "-KILL");
    first.wait().unwrap();
    assert!(folder.path("run/split-01/.lock").exists());

    let before = fs::read(&checkpoint).unwrap();
    let mut second = folder.start("train --resume run/split-01");
    wait_until("it goes on", || fs::read(&checkpoint).unwrap() != before);
    for words in ["train --resume run".to_owned(), format!("{endless} --force")] {
        assert_refused(&folder, &words, "run/split-01", &second);
    }
    assert!(folder.path("run/config.toml").exists() && !folder.path("run/.replaced").exists());
    signal(&second, "-KILL");
    second.wait().unwrap();
    // What dead processes left of their claims goes with what is replaced.
    folder.ok(&train(&format!("{QUICK} --force --out run")));
    assert!(!folder.path("run/split-01").exists());
}

#[test]
fn what_is_no_file_in_the_folder_of_a_run_is_not_waited_for() {
    let folder = people(0);
    folder.ok(&train(&format!("{QUICK} --out run")));
    folder.ok(&train(&format!("{QUICK} --seed 1 --out other")));
    let pipe = |name: &str| {
        fs::remove_file(folder.path(name)).unwrap();
        assert!(Command::new("mkfifo").arg(folder.path(name)).status().unwrap().success());
    };
    pipe("run/history.jsonl");
    folder.ok("report run");
    let page = folder.text("run/report.html");
    assert!(page.contains("history.jsonl: cannot be read: it is no file"));
    pipe("run/model.safetensors");
    assert!(
        said(&folder, "evaluate run", 1)
            .contains("model.safetensors: cannot be read: it is no file")
    );
    pipe("run/checkpoint.safetensors");
    let told = said(&folder, "train --resume run", 1);
    assert!(told.contains("checkpoint.safetensors: cannot be read: it is no file"), "{told}");
    pipe("run/metrics.json");
    let told = said(&folder, "compare run other", 1);
    assert!(told.contains("metrics.json: cannot be read: it is no file"), "{told}");
}

#[test]
fn an_evaluation_that_begins_anew_removes_its_own_trainings_alone() {
    let folder = Folder::new();
    let words = "reproduce --nodes 150 --orders 1 --epochs 2";
    folder.put("mine/runs/chebnet-u-order-1/split-01/metrics.json", "mine");
    for force in ["", "--force"] {
        let told = said(&folder, &format!("{words} --splits 1 --out mine {force}"), 2);
        assert!(told.contains("mine/runs: is there already, and no evaluation.toml"), "{told}");
        assert!(told.contains("move it away, or name another folder with --out"), "{told}");
        let kept = folder.text("mine/runs/chebnet-u-order-1/split-01/metrics.json");
        assert_eq!(kept, "mine");
    }
    folder.ok(&format!("{words} --splits 2 --out r"));
    let own = ["notes.txt", "chebnet-u-order-1/mine.txt", "mine-order-1/metrics.json"];
    let own = own.map(|name| format!("r/runs/{name}"));
    own.iter().for_each(|name| folder.put(name, "mine"));
    folder.ok(&format!("{words} --splits 1 --seed 3 --force --out r"));
    own.iter().for_each(|name| assert_eq!(folder.text(name), "mine", "{name}"));
    assert!(folder.path("r/runs/chebnet-u-order-1/split-01/metrics.json").exists());
    assert!(!folder.path("r/runs/chebnet-u-order-1/split-02").exists());
    let is_claim = |path: &std::path::Path| path.ends_with(".lock");
    assert!(!folder.files().iter().any(|(path, _)| is_claim(path)));
}

#[test]
fn tables_and_pages_that_no_such_command_wrote_are_not_replaced_unasked() {
    let folder = people(0);
    let tune = format!("tune {DATA} --model gcn --trials 1 --epochs 2 --out r");
    for (words, file, by_force) in [
        ("reproduce --nodes 150 --orders 1 --splits 1 --epochs 2 --out r", "r/results.csv", true),
        ("reproduce --nodes 150 --orders 1 --splits 1 --epochs 2 --out r", "r/report.html", true),
        (&tune, "r/tune.json", true),
        ("motifs arcs.csv --motif M5 --out r", "r/nodes.csv", false),
    ] {
        folder.put(file, "mine");
        let told = folder.refused(words);
        assert!(told.contains(&format!("{file} is there already")), "{told}");
        assert_eq!(told.contains("add --force"), by_force, "{told}");
        fs::remove_dir_all(folder.path("r")).unwrap();
    }
    // What the same command wrote is its own.
    for _ in 0..2 {
        folder.ok("motifs arcs.csv --motif M5 --out r");
    }
}
