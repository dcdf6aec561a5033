//! `cargo xtask test`: every check of the repository, one after the other, up to the first failure.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::browser;
use crate::table::{seconds, table};
use crate::workspace::cargo;

/// One check: a cargo command that must succeed.
struct Step {
    name: &'static str,
    /// What follows `cargo`.
    arguments: &'static str,
    environment: &'static [(&'static str, &'static str)],
}

/// All in the release profile, so that steps share what they build.
const STEPS: [Step; 8] = [
    Step { name: "format", arguments: "fmt --all --check", environment: &[] },
    Step {
        name: "lint",
        arguments: "clippy --release --workspace --all-targets -- -D warnings",
        environment: &[],
    },
    // Clippy rather than `check` with RUSTFLAGS: the flags would build every dependency again.
    Step {
        name: "lint without default features",
        arguments: "clippy --release -p motifnet --no-default-features -- -D warnings",
        environment: &[],
    },
    Step { name: "test", arguments: "test --release --workspace", environment: &[] },
    Step { name: "soak", arguments: "xtask soak quick", environment: &[] },
    Step {
        name: "documentation",
        arguments: "doc --release --workspace --no-deps",
        environment: &[("RUSTDOCFLAGS", "-Dwarnings")],
    },
    Step { name: "dependencies", arguments: "xtask deny --offline", environment: &[] },
    Step { name: "python", arguments: "xtask python", environment: &[] },
];

/// How a step ended.
enum Outcome {
    Passed(Duration),
    Failed(Duration),
    NotRun,
}

/// Prepares, runs the steps and prints a summary whose last line is `N passed, N failed`.
pub(crate) fn run() -> ExitCode {
    println!("{}", about_real_data());
    install_components();
    println!("{}", about_pages());
    let mut outcomes = Vec::new();
    let mut failed = 0;
    for step in &STEPS {
        if failed > 0 {
            outcomes.push(Outcome::NotRun);
            continue;
        }
        println!("\n── {}: cargo {}", step.name, step.arguments);
        let start = Instant::now();
        let failure = run_step(step).err();
        let elapsed = start.elapsed();
        match failure {
            None => outcomes.push(Outcome::Passed(elapsed)),
            Some(reason) => {
                failed += 1;
                outcomes.push(Outcome::Failed(elapsed));
                eprintln!("\nerror: the step `{}` failed: {reason}", step.name);
                eprintln!("hint: to repeat it alone: {}", as_typed(step));
            }
        }
        println!("── {}: {}", step.name, seconds(elapsed.as_secs_f64()));
    }
    print!("\n{}", summary(&outcomes));
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn about_real_data() -> String {
    match env::var_os("MOTIFNET_DATA") {
        Some(folder) if Path::new(&folder).is_dir() => {
            format!("MOTIFNET_DATA is {}: tests on real graphs run", Path::new(&folder).display())
        }
        Some(folder) => {
            let folder = Path::new(&folder).display();
            format!("MOTIFNET_DATA is {folder}, which is no folder: tests on real graphs fail")
        }
        None => "MOTIFNET_DATA is not set: tests on real graphs are skipped".to_owned(),
    }
}

/// Adds the parts of the toolchain that the steps need and that a minimal one lacks.
fn install_components() {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let silent = || Stdio::null();
        let status =
            cargo().args([subcommand, "--version"]).stdout(silent()).stderr(silent()).status();
        if status.is_ok_and(|status| status.success()) {
            continue;
        }
        println!("installing {component}");
        // Without rustup there is nothing to be done here: the step that needs it will say so.
        let _ = Command::new("rustup").args(["component", "add", component]).status();
    }
}

fn about_pages() -> &'static str {
    match browser::ensure() {
        Some(_) => "Chromium is there: tests of pages run",
        None => "there is no Chromium on the path: tests of pages are skipped",
    }
}

fn run_step(step: &Step) -> Result<(), String> {
    let mut command = cargo();
    command.args(step.arguments.split_whitespace()).envs(step.environment.iter().copied());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(format!("cargo could not be started: {error}")),
    }
}

fn as_typed(step: &Step) -> String {
    let environment = step.environment.iter().map(|(name, value)| format!("{name}={value} "));
    format!("{}cargo {}", environment.collect::<String>(), step.arguments)
}

fn summary(outcomes: &[Outcome]) -> String {
    let rows: Vec<_> = STEPS
        .iter()
        .zip(outcomes)
        .map(|(step, outcome)| {
            let (result, time) = match outcome {
                Outcome::Passed(time) => ("passed", seconds(time.as_secs_f64())),
                Outcome::Failed(time) => ("failed", seconds(time.as_secs_f64())),
                Outcome::NotRun => ("not run", String::new()),
            };
            [step.name.to_owned(), result.to_owned(), time]
        })
        .collect();
    let count = |result: &str| rows.iter().filter(|row| row[1] == result).count();
    let (passed, failed) = (count("passed"), count("failed"));
    format!("{}{passed} passed, {failed} failed\n", table(["step", "result", "time"], &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_ends_with_a_line_of_counts() {
        let time = Duration::from_secs(1);
        let not_run = STEPS.iter().skip(2).map(|_| Outcome::NotRun);
        let outcomes: Vec<_> =
            [Outcome::Passed(time), Outcome::Failed(time)].into_iter().chain(not_run).collect();
        assert!(summary(&outcomes).ends_with("\n1 passed, 1 failed\n"));
    }

    #[test]
    fn a_failed_step_is_shown_as_it_is_typed() {
        let step = STEPS.iter().find(|step| step.name == "documentation").unwrap();
        assert_eq!(
            as_typed(step),
            "RUSTDOCFLAGS=-Dwarnings cargo doc --release --workspace --no-deps"
        );
    }
}
