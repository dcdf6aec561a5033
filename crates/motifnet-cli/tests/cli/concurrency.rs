//! Two processes and one folder.

use std::process::Child;

use crate::predict::people;
use crate::resume::{signal, wait_for, wait_until};
use crate::support::Folder;

/// Longer than any test waits.
const ENDLESS: &str = "--arcs arcs.csv --labels people.csv#team --features degrees --split 60/20/20 \
                       --width 16 --epochs 1000000 --patience 1000000 --checkpoint-seconds 0";

/// Runs a command that must be refused since `first` has the folder.
fn assert_refused(folder: &Folder, words: &str, first: &Child) {
    let output = folder.run(words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "motifnet {words}: {said}");
    let expected = format!(
        "process {} is at work in this folder; wait until it has ended, or stop it, or name another \
         folder\n",
        first.id()
    );
    assert!(said.ends_with(&expected), "motifnet {words}: {said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_second_training_is_refused_and_a_dead_one_is_not_in_the_way() {
    let folder = people(0);
    let train = format!("train {ENDLESS} --out run");
    let mut first = folder.start(&train);
    wait_for(&folder.path("run/checkpoint.safetensors"));
    for words in [train.as_str(), &format!("{train} --force"), "train --resume run"] {
        assert_refused(&folder, words, &first);
    }
    // What does not write there is none of its business.
    folder.ok(&format!("{} --dry-run", train.replace("--out run", "")));
    signal(&first, "-KILL");
    first.wait().unwrap();
    assert!(folder.path("run/.lock").exists());
    let (lock, checkpoint) = (folder.path("run/.lock"), folder.path("run/checkpoint.safetensors"));
    let before = std::fs::read(&checkpoint).unwrap();
    let mut second = folder.start("train --resume run");
    // From its first epoch on it hears Ctrl-C; before, that would end it at once.
    wait_until("the second goes on", || std::fs::read(&checkpoint).unwrap() != before);
    assert_refused(&folder, "train --resume run", &second);
    signal(&second, "-INT");
    assert_eq!(second.wait().unwrap().code(), Some(130));
    assert!(!lock.exists());
}

#[test]
fn a_second_search_or_evaluation_is_refused() {
    let folder = people(0);
    let tune = format!("tune {ENDLESS} --trials 2 --out search");
    let mut first = folder.start(&tune);
    wait_for(&folder.path("search/trial-001/checkpoint.safetensors"));
    for words in [&tune, &format!("{tune} --force"), "tune --resume search"] {
        assert_refused(&folder, words, &first);
    }
    // Nor can a trial be trained from elsewhere.
    assert_refused(&folder, "train --resume search/trial-001", &first);
    signal(&first, "-KILL");
    first.wait().unwrap();
    // A trial that is trained from elsewhere is not removed with its search.
    let checkpoint = folder.path("search/trial-001/checkpoint.safetensors");
    let before = std::fs::read(&checkpoint).unwrap();
    let mut first = folder.start("train --resume search/trial-001");
    wait_until("it goes on", || std::fs::read(&checkpoint).unwrap() != before);
    assert_refused(&folder, &format!("{tune} --force"), &first);
    assert!(checkpoint.exists());
    signal(&first, "-KILL");
    first.wait().unwrap();

    let reproduce = "reproduce --nodes 150 --orders 1 --splits 1 --epochs 100000 --set \
                     train.patience=100000 --out all";
    let mut first = folder.start(reproduce);
    wait_for(&folder.path("all/runs"));
    assert_refused(&folder, reproduce, &first);
    assert_refused(&folder, &format!("{reproduce} --force"), &first);
    signal(&first, "-KILL");
    first.wait().unwrap();
}

#[test]
fn a_run_stopped_before_its_first_checkpoint_begins_anew_and_says_so() {
    let folder = people(0);
    let train = ENDLESS.replace("1000000", "5");
    folder.ok(&format!("train {train} --out whole"));
    folder.ok(&format!("train {train} --out run"));
    // As a kill right after its first file would leave it.
    for name in ["history.jsonl", "checkpoint.safetensors", "model.safetensors", "model.toml"] {
        std::fs::remove_file(folder.path("run").join(name)).unwrap();
    }
    std::fs::remove_file(folder.path("run/metrics.json")).unwrap();
    let output = folder.run("train --resume run");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("run: stopped before its first checkpoint, so training begins anew"));
    assert_eq!(folder.text("run/history.jsonl"), folder.text("whole/history.jsonl"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_was_removed_or_holds_no_files_is_refused_and_not_tried_forever() {
    let folder = people(0);
    let data = format!(
        "--arcs {} --labels {}#team --features degrees --split 60/20/20 --epochs 3",
        folder.path("arcs.csv").display(),
        folder.path("people.csv").display()
    );
    std::fs::create_dir(folder.path("gone")).unwrap();
    for out in [".", "/proc"] {
        let script = format!("cd gone && rmdir ../gone && exec \"$0\" train {data} --out {out}");
        let mut command = std::process::Command::new("sh");
        command.current_dir(folder.path("")).args(["-c", &script]);
        let output = command.arg(assert_cmd::cargo::cargo_bin!("motifnet")).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{out}: {said}");
        let expected = format!("{out}: no file can be made in this folder");
        assert!(said.contains(&expected), "{out}: {said}");
        std::fs::create_dir(folder.path("gone")).unwrap();
    }
}
