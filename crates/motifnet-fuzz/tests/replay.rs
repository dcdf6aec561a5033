//! Every reader on its seeds, and on all that was ever found against one.
//!
//! A file of the corpus is called after what it was found to do.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use motifnet_fuzz::{TARGETS, Target};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Inputs that a reader failed on, or that it should have taken.
#[derive(Default)]
struct Failures(Vec<String>);

impl Failures {
    /// Runs a target; whether it took the input.
    fn run(&mut self, target: &Target, input: &str, bytes: &[u8]) -> bool {
        let outcome = catch_unwind(|| target.run(bytes));
        outcome.unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().map_or("it panicked", String::as_str);
            self.0.push(format!("{} on {input}: {said}", target.name));
            true
        })
    }

    fn end(self) {
        assert!(self.0.is_empty(), "{} inputs:\n{}", self.0.len(), self.0.join("\n"));
    }
}

#[test]
fn every_reader_takes_its_seeds() {
    let mut failures = Failures::default();
    for target in &TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{} has no seeds", target.name);
        for seed in seeds {
            if !failures.run(target, &seed.name, &seed.bytes) {
                failures.0.push(format!("{} on {}: not taken", target.name, seed.name));
            }
        }
    }
    failures.end();
}

#[test]
fn no_reader_fails_on_the_corpus() {
    let mut failures = Failures::default();
    for target in &TARGETS {
        let Ok(files) = fs::read_dir(corpus().join(target.name)) else { continue };
        let files: BTreeSet<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        for file in files {
            let name = file.file_name().unwrap().to_string_lossy();
            failures.run(target, &name, &fs::read(&file).unwrap());
        }
    }
    failures.end();
}

/// Cut short anywhere, or with a byte changed, a seed is refused or taken; nothing else.
#[test]
fn no_reader_fails_on_a_damaged_seed() {
    let mut failures = Failures::default();
    for target in &TARGETS {
        for seed in (target.seeds)() {
            let places = (0..seed.bytes.len()).step_by(seed.bytes.len().div_ceil(40).max(1));
            for (number, place) in places.enumerate() {
                let cut = format!("{} cut at {place}", seed.name);
                failures.run(target, &cut, &seed.bytes[..place]);
                let mut changed = seed.bytes.clone();
                changed[place] ^= [0x01, 0x80, 0xff, 0x20][number % 4];
                failures.run(target, &format!("{} changed at {place}", seed.name), &changed);
            }
        }
    }
    failures.end();
}

#[test]
fn every_folder_of_the_corpus_and_every_program_of_libfuzzer_is_that_of_a_target() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|target| target.name.to_owned()).collect();
    assert_eq!(targets.len(), TARGETS.len(), "two targets have one name");
    for folder in fs::read_dir(corpus()).unwrap() {
        let name = folder.unwrap().file_name().into_string().unwrap();
        assert!(targets.contains(&name), "corpus/{name}");
    }
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest: toml::Table =
        fs::read_to_string(fuzz.join("Cargo.toml")).unwrap().parse().unwrap();
    let mut programs = BTreeSet::new();
    for program in manifest["bin"].as_array().unwrap() {
        let name = program["name"].as_str().unwrap();
        let source = fs::read_to_string(fuzz.join(program["path"].as_str().unwrap())).unwrap();
        assert!(
            source.contains(&format!("motifnet_fuzz::run({name:?}, bytes)")),
            "{name}: {source}"
        );
        programs.insert(name.to_owned());
    }
    assert_eq!(programs, targets);
}
