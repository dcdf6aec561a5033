//! The commands of the README and of the other pages, run in order as a reader would, and the output that
//! they show.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod pages;
mod steps;

use std::path::Path;
use std::process::Command;

use steps::{Step, steps, words};

/// What `cargo xtask` knows; the README's tests are among what it runs, so it is not run from here.
const TASKS: [&str; 8] = [
    "test",
    "bench cluster",
    "bench motifs",
    "bench significance",
    "bench train",
    "bench models",
    "figures",
    "wheel",
];

/// Whether `cargo xtask` has it, options or not.
fn is_task(task: &str) -> bool {
    TASKS.iter().any(|known| task == *known || task.starts_with(&format!("{known} ")))
}

fn run(step: &Step, folder: &Path) {
    let line = &step.line;
    if let (Some(name), Some(content)) = (line.strip_prefix("write "), &step.output) {
        std::fs::write(folder.join(name), content).unwrap();
        return;
    }
    if let Some(task) = line.strip_prefix("cargo xtask ") {
        assert!(is_task(task), "there is no `{line}`");
        return;
    }
    if line.starts_with("cargo build") || line.starts_with("cargo install") {
        return;
    }
    let prefixes = ["cargo run --release -- ", "motifnet "];
    let Some(rest) = prefixes.iter().find_map(|prefix| line.strip_prefix(prefix)) else {
        panic!("the README has a command that no test runs: {line}");
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_motifnet"));
    let output = command.args(words(rest)).current_dir(folder).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{line}\n{said}");
    if let Some(expected) = &step.output {
        let shown = said + &String::from_utf8(output.stdout).unwrap();
        assert_eq!(&shown, expected, "the README shows another output of {line}");
    }
}

#[test]
fn every_command_works_and_shows_what_the_readme_shows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let steps = steps(&std::fs::read_to_string(path).unwrap());
    assert!(steps.len() >= 8, "{steps:?}");
    let folder = tempfile::tempdir().unwrap();
    for step in &steps {
        run(step, folder.path());
    }
}

#[test]
#[should_panic(expected = "no test runs")]
fn an_unknown_command_is_noticed() {
    run(&Step { line: "rm -r /".to_owned(), output: None }, Path::new("."));
}
