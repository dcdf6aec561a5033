//! Runs that are stopped and taken up again.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::predict::people;
use crate::support::Folder;

const TRAIN: &str = "train --arcs arcs.csv --labels people.csv#team --features degrees \
                     --split 60/20/20 --width 16 --epochs 400 --patience 400 --checkpoint-seconds 0";

/// Everything that a run keeps, but the clock.
fn kept(folder: &Folder, run: &str) -> Vec<(String, Vec<u8>)> {
    let root = folder.path(run);
    let files = folder.files().into_iter().filter(|(path, _)| path.starts_with(&root));
    let named =
        files.map(|(path, bytes)| (path.strip_prefix(&root).unwrap().display().to_string(), bytes));
    named.filter(|(name, _)| !name.ends_with("timing.json")).collect()
}

fn assert_same(folder: &Folder, run: &str, other: &str) {
    let [one, two] = [run, other].map(|run| kept(folder, run));
    let names = |files: &[(String, Vec<u8>)]| {
        files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&one), names(&two));
    for ((name, one), (_, two)) in one.iter().zip(&two) {
        assert!(one == two, "{name} differs");
    }
}

/// Waits until a run has got somewhere.
pub(crate) fn wait_for(path: &Path) {
    wait_until(&format!("{} is there", path.display()), || path.exists());
}

/// Waits for what must come, and fails where it does not.
pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a signal; in place of one of Ctrl-C a polite kill where Ctrl-C is ignored, as by all that a script runs in
/// the background: it would be by the command too.
pub(crate) fn signal(child: &std::process::Child, name: &str) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    let of_interrupt = 1 << 1;
    send(child, if name == "-INT" && ignored & of_interrupt != 0 { "-TERM" } else { name });
}

fn send(child: &std::process::Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_signal_that_comes_twice_at_once_is_one_request() {
    let folder = people(0);
    let long = TRAIN
        .replace("--epochs 400", "--epochs 1000000")
        .replace("--patience 400", "--patience 1000000");
    let long = long.replace("--checkpoint-seconds 0", "--checkpoint-seconds 3600 --tensorboard");
    let mut child = folder.start(&format!("{long} --out run"));
    let n_event_bytes = || {
        let events = std::fs::read_dir(folder.path("run/events")).into_iter().flatten();
        events.map(|event| event.unwrap().metadata().unwrap().len()).sum::<u64>()
    };
    wait_until("some epochs are over", || n_event_bytes() > 4096);
    assert!(!folder.path("run/checkpoint.safetensors").exists());
    // As `timeout` does, to the process and to its group.
    let id = child.id();
    let sent = Command::new("kill").args(["-TERM", &id.to_string(), &id.to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(folder.path("run/checkpoint.safetensors").exists());
}

#[test]
fn a_run_goes_on_to_the_same_bits_after_ctrl_c_and_after_a_kill() {
    let folder = people(0);
    folder.ok(&format!("{TRAIN} --out whole"));
    for (run, name, code) in [("paused", "-INT", Some(130)), ("killed", "-KILL", None)] {
        let mut child = folder.start(&format!("{TRAIN} --out {run}"));
        wait_for(&folder.path(run).join("checkpoint.safetensors"));
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), code);
        assert!(!folder.path(run).join("metrics.json").exists(), "{run} was too quick");
        folder.ok(&format!("train --resume {run}"));
        assert_same(&folder, "whole", run);
    }
    // Once more, and nothing is left to do.
    let before = kept(&folder, "paused");
    folder.ok("train --resume paused");
    assert!(before == kept(&folder, "paused"));
}

#[test]
fn ctrl_c_is_answered_at_once_and_once_unless_quiet() {
    let folder = people(0);
    for (run, flag, n_told) in [("loud", "", 1), ("quiet", "--quiet", 0)] {
        let child = folder.start_heard(&format!("{TRAIN} --out {run} {flag}"));
        wait_for(&folder.path(run).join("checkpoint.safetensors"));
        signal(&child, "-INT");
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            said.matches("stopping; Ctrl-C again ends it at once").count(),
            n_told,
            "{said}"
        );
        assert!(said.contains("paused after epoch "), "{said}");
        assert!(said.contains(&format!("to go on: motifnet train --resume {run}")), "{said}");
    }
}

/// As `nohup` has it of the end of the terminal, and a script of Ctrl-C for what it runs in the background.
#[cfg(unix)]
#[test]
fn what_was_ignored_at_the_start_pauses_nothing() {
    let folder = people(0);
    let words = TRAIN.replace("400", "1000000");
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP INT; exec \"$@\"", "sh"]).current_dir(folder.path(""));
    command.arg(assert_cmd::cargo::cargo_bin!("motifnet")).args(words.split_whitespace());
    let silent = std::process::Stdio::null;
    command.args(["--out", "run"]).stdout(silent()).stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    let checkpoint = folder.path("run/checkpoint.safetensors");
    wait_for(&checkpoint);
    for name in ["-HUP", "-INT"] {
        send(&child, name);
        // A pause would come within an epoch and be the end of this.
        for _ in 0..5 {
            let before = std::fs::read(&checkpoint).unwrap();
            wait_until("it goes on", || std::fs::read(&checkpoint).unwrap() != before);
        }
    }
    signal(&child, "-TERM");
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert_eq!(said.matches("stopping; Ctrl-C again").count(), 1, "{said}");
}

#[test]
fn so_does_a_run_of_several_splits() {
    let folder = people(0);
    let words = TRAIN.replace("400", "150");
    folder.ok(&format!("{words} --repeat 3 --out whole"));
    let mut child = folder.start(&format!("{words} --repeat 3 --out run"));
    wait_for(&folder.path("run/split-02/checkpoint.safetensors"));
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    folder.ok("train --resume run");
    assert_same(&folder, "whole", "run");
}

#[test]
fn a_run_whose_data_has_changed_is_not_taken_up() {
    let folder = people(0);
    let mut child = folder.start(&format!("{TRAIN} --out run"));
    wait_for(&folder.path("run/checkpoint.safetensors"));
    signal(&child, "-INT");
    child.wait().unwrap();
    folder.put("arcs.csv", folder.text("arcs.csv") + "p0,p2\n");
    let said = folder.refused("train --resume run");
    assert!(said.contains("belongs to another run"), "{said}");
}

#[test]
fn what_is_to_be_replaced_stays_until_there_is_something_to_replace_it() {
    let folder = people(0);
    let words = TRAIN.replace("400", "5");
    folder.ok(&format!("{words} --repeat 2 --out run"));
    let before = kept(&folder, "run");
    folder.refused(&format!("{} --out run --force", words.replace("arcs.csv", "missing.csv")));
    folder.refused(&format!("{words} --model cayley --operator in --out run --force"));
    assert!(before == kept(&folder, "run"));
    // Nothing of the old run is taken for the new one's.
    folder.ok(&format!("{words} --out run --force"));
    folder.ok(&format!("{words} --out fresh"));
    assert_same(&folder, "fresh", "run");
}

#[test]
fn a_model_that_was_lost_is_written_again() {
    let folder = people(0);
    folder.ok(&format!("{TRAIN} --out run"));
    folder.ok(&format!("{TRAIN} --out whole"));
    for name in ["model.toml", "model.safetensors"] {
        std::fs::remove_file(folder.path("run").join(name)).unwrap();
        folder.ok("train --resume run");
        for name in ["model.toml", "model.safetensors", "metrics.json", "history.jsonl"] {
            let bytes = |run: &str| std::fs::read(folder.path(run).join(name)).unwrap();
            assert!(bytes("run") == bytes("whole"), "{name}");
        }
    }
    folder.put("run/model.safetensors", "half");
    folder.ok("train --resume run");
    folder.ok("evaluate run");
}

#[test]
fn finished_splits_of_other_data_are_not_taken_up() {
    let folder = people(0);
    folder.ok(&format!("{} --repeat 2 --out run", TRAIN.replace("400", "5")));
    folder.put("arcs.csv", folder.text("arcs.csv") + "p0,p2\n");
    let said = folder.refused("train --resume run");
    assert!(said.contains("belongs to another run"), "{said}");
}

#[test]
fn a_split_of_a_column_is_the_same_from_everywhere() {
    let folder = people(0);
    let part = |node: usize| ["train", "train", "val", "test"][node % 4];
    let labelled = (0..90).filter(|node| node / 3 % 3 != 2);
    let parts: String = labelled.map(|node| format!("p{node},{}\n", part(node))).collect();
    folder.put("parts.csv", format!("id,part\n{parts}"));
    let words = TRAIN.replace("60/20/20", "parts.csv#part").replace("400", "5");
    folder.ok(&format!("{words} --out run"));
    let before = kept(&folder, "run");
    std::fs::remove_file(folder.path("run/metrics.json")).unwrap();
    folder.ok("train --resume run");
    assert!(before == kept(&folder, "run"), "{}", folder.text("run/metrics.json"));
}

#[test]
fn labels_that_changed_are_not_judged_by() {
    let folder = people(0);
    folder.ok(&format!("{} --out run", TRAIN.replace("400", "5")));
    folder.put("people.csv", folder.text("people.csv").replace("p6,", "p6,33,amber\nx,"));
    folder.put(
        "people.csv",
        folder
            .text("people.csv")
            .lines()
            .filter(|line| !line.starts_with("x,"))
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    );
    let said = folder.refused("evaluate run --split labelled");
    assert!(said.contains("the labels have changed"), "{said}");
}
