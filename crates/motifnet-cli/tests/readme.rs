//! The commands of the README, run in order as a reader would, and the output that it shows.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::Command;

/// What `cargo xtask` knows; the README's tests are among what it runs, so it is not run from here.
const TASKS: [&str; 4] = ["test", "bench motifs", "bench train", "figures"];

/// A command of the README, and what it shows of the output.
#[derive(Debug, PartialEq)]
struct Step {
    line: String,
    output: Option<String>,
}

/// The commands of the `sh` blocks, a line each, and of the `console` blocks, after `$ `.
fn steps(readme: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut language = None;
    for line in readme.lines() {
        match (line.strip_prefix("```"), language) {
            (Some(_), Some(_)) => language = None,
            (Some(opened), None) => language = Some(opened),
            (None, Some("sh")) if !line.is_empty() && !line.starts_with('#') => {
                steps.push(Step { line: line.to_owned(), output: None });
            }
            (None, Some("console")) => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => {
                    let output = Some(String::new());
                    steps.push(Step { line: command.to_owned(), output });
                }
                (None, Some(Step { output: Some(output), .. })) => *output += &format!("{line}\n"),
                (None, _) => panic!("output without a command: {line}"),
            },
            _ => {}
        }
    }
    steps
}

/// The words of a command; those in double quotes may have blanks.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    parts
        .flat_map(|(part, text)| match part % 2 {
            0 => text.split_whitespace().map(str::to_owned).collect(),
            _ => vec![text.to_owned()],
        })
        .collect()
}

fn run(step: &Step, folder: &Path) {
    let line = &step.line;
    if let Some(task) = line.strip_prefix("cargo xtask ") {
        let known =
            TASKS.iter().any(|known| task == *known || task.starts_with(&format!("{known} ")));
        assert!(known, "there is no `{line}`");
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
fn blocks_are_told_apart() {
    let readme = "```sh\n# why\na b\n```\n$ no\n```rust\nno\n```\n```console\n$ c\none\n$ d\n```\n";
    let step = |line: &str, output: Option<&str>| Step {
        line: line.to_owned(),
        output: output.map(str::to_owned),
    };
    assert_eq!(steps(readme), [step("a b", None), step("c", Some("one\n")), step("d", Some(""))]);
    assert_eq!(words("a \"b c\" d"), ["a", "b c", "d"]);
}

#[test]
#[should_panic(expected = "no test runs")]
fn an_unknown_command_is_noticed() {
    run(&Step { line: "rm -r /".to_owned(), output: None }, Path::new("."));
}
