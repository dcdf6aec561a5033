//! The pages of the documentation, each run by a shell in an empty folder; numbers may differ in their last digits, since
//! the bits of a network depend on the vectors of the machine.

use std::path::Path;
use std::process::Command;

use crate::steps::steps;

/// Lines that depend on the machine and on what else it does.
const VARYING: [&str; 5] =
    ["memory ", "an epoch ", "all epochs ", "training: epoch ", "choosing motifs: "];

/// The text between the numbers, and the numbers.
fn parts(text: &str) -> (Vec<String>, Vec<f64>) {
    let (mut words, mut numbers) = (vec![String::new()], Vec::new());
    for line in text.lines().filter(|line| !VARYING.iter().any(|start| line.starts_with(start))) {
        for word in line.split_whitespace() {
            let bare = word.trim_matches(['(', ')', ',', ';', ':', '%']).replace(',', "");
            match bare.parse::<f64>() {
                Ok(number) => numbers.push(number),
                Err(_) => words.push(word.to_owned()),
            }
        }
        words.push("\n".to_owned());
    }
    (words, numbers)
}

/// How far two numbers of about one may be apart.
const TOLERANCE: f64 = 0.02;

fn check(shown: &str, expected: &str, line: &str) {
    let [(found, numbers), (words, known)] = [shown, expected].map(parts);
    assert_eq!(found, words, "the page shows another output of {line}:\n{shown}");
    assert_eq!(numbers.len(), known.len(), "{line}:\n{shown}");
    for (found, known) in numbers.iter().zip(&known) {
        let is_near = (found - known).abs() <= TOLERANCE * known.abs().max(1.0);
        assert!(is_near, "{found}, not {known}, in the output of {line}:\n{shown}");
    }
}

/// Runs every command of a page. Real data sets, `data/…`, are taken from where `MOTIFNET_DATA` names them;
/// elsewhere the commands that need them are skipped.
fn check_page(name: &str, n_least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let steps = steps(&std::fs::read_to_string(path).unwrap());
    assert!(steps.len() >= n_least, "{steps:?}");
    let folder = tempfile::tempdir().unwrap();
    let data = std::env::var("MOTIFNET_DATA").map(|data| format!("{data}/")).ok();
    let command = Path::new(env!("CARGO_BIN_EXE_motifnet"));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths =
        [command.parent().unwrap().to_owned()].into_iter().chain(std::env::split_paths(&paths));
    let paths = std::env::join_paths(paths).unwrap();
    for step in &steps {
        if let Some(task) = step.line.strip_prefix("cargo xtask ") {
            assert!(crate::is_task(task), "there is no `{}`", step.line);
            continue;
        }
        let mut line = step.line.clone();
        if line.contains(" data/") {
            let Some(data) = &data else {
                eprintln!("skipped: MOTIFNET_DATA is not set: {line}");
                continue;
            };
            line = line.replace(" data/", &format!(" {data}"));
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(folder.path()).env("PATH", &paths);
        let output = shell.env("MOTIFNET_HOME", folder.path()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{}\n{said}", step.line);
        if let Some(expected) = &step.output {
            let shown = said + &String::from_utf8(output.stdout).unwrap();
            let shown = data.iter().fold(shown, |shown, data| shown.replace(data, "data/"));
            check(&shown, expected, &step.line);
        }
    }
}

#[test]
fn the_tutorial_works_and_shows_what_it_shows() {
    check_page("tutorial.md", 10);
}

#[test]
fn so_does_the_page_on_significance() {
    check_page("significance.md", 5);
}

#[test]
fn so_does_the_page_on_clustering() {
    check_page("clustering.md", 8);
}

#[test]
fn other_words_and_other_numbers_are_noticed() {
    check("a  0.501, (7 %)", "a 0.5, (7 %)", "x");
    for other in ["b 0.5, (7 %)", "a 0.6, (7 %)", "a 0.5,", "a 0.5, (8 %)"] {
        assert!(std::panic::catch_unwind(|| check(other, "a 0.5, (7 %)", "x")).is_err(), "{other}");
    }
}
