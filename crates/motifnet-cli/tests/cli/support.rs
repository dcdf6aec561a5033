//! A folder to run the command in, and what came out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own for one test.
pub(crate) struct Folder {
    root: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap() }
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.put(name, content);
        folder
    }

    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Every file below the folder, with its content.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        collect(self.root.path(), &mut files);
        files.sort();
        files
    }

    /// Runs `motifnet` with words separated by blanks; a word in single quotes may have blanks.
    pub(crate) fn run(&self, words: &str) -> Output {
        let mut command = Command::cargo_bin("motifnet").unwrap();
        command.current_dir(self.root.path()).env_remove("COLUMNS").env_remove("RUST_BACKTRACE");
        // Data sets that the developer has fetched are none of a test's.
        command.env("MOTIFNET_HOME", self.path("home"));
        command.args(split_words(words)).output().unwrap()
    }

    /// Starts `motifnet` in the background, for tests that stop it.
    pub(crate) fn start(&self, words: &str) -> std::process::Child {
        self.start_with(words, std::process::Stdio::null())
    }

    /// As [`Folder::start`], with what it says kept for the test.
    pub(crate) fn start_heard(&self, words: &str) -> std::process::Child {
        self.start_with(words, std::process::Stdio::piped())
    }

    fn start_with(&self, words: &str, stderr: std::process::Stdio) -> std::process::Child {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("motifnet"));
        command.current_dir(self.root.path()).env("MOTIFNET_HOME", self.path("home"));
        let silent = std::process::Stdio::null();
        command.args(split_words(words)).stdout(silent).stderr(stderr).spawn().unwrap()
    }

    /// Runs a command that must succeed; gives stdout.
    pub(crate) fn ok(&self, words: &str) -> String {
        let output = self.run(words);
        let talk = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "motifnet {words}\n{talk}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a command with `--json` that must succeed.
    pub(crate) fn json(&self, words: &str) -> Value {
        serde_json::from_str(&self.ok(&format!("{words} --json"))).unwrap()
    }

    /// Runs a command that must fail without leaving a trace; gives the command, the exit code
    /// and what it said.
    pub(crate) fn refused(&self, words: &str) -> String {
        let before = self.files();
        let output = self.run(words);
        let code = output.status.code().expect("no signal");
        assert_ne!(code, 0, "motifnet {words}");
        assert!(output.stdout.is_empty(), "motifnet {words}: an error is no result");
        assert_eq!(self.files(), before, "motifnet {words}: something was written");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("error: "), "motifnet {words}: {said}");
        assert!(!said.contains("panicked"), "motifnet {words}: {said}");
        format!("$ motifnet {words}\n{}[exit code {code}]\n\n", self.redact(&said))
    }

    /// The same of every command, all of which must end with `code`: 2 for wrong usage, 1 for wrong data.
    pub(crate) fn all_refused(&self, code: i32, commands: &[&str]) -> String {
        let end = format!("[exit code {code}]\n\n");
        let transcripts = commands.iter().map(|words| {
            let transcript = self.refused(words);
            assert!(transcript.ends_with(&end), "{transcript}");
            transcript
        });
        transcripts.collect()
    }

    pub(crate) fn redact(&self, text: &str) -> String {
        text.replace(&self.root.path().display().to_string(), "[folder]")
    }
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.push((path.clone(), Vec::new()));
            collect(&path, files);
        } else {
            files.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
}

fn split_words(words: &str) -> Vec<String> {
    let quoted = words.split('\'').enumerate();
    quoted
        .flat_map(|(part, text)| match part % 2 {
            0 => text.split_whitespace().map(str::to_owned).collect(),
            _ => vec![text.to_owned()],
        })
        .collect()
}

/// Rows of a CSV table without quotes, the header first.
pub(crate) fn rows(table: &str) -> Vec<Vec<&str>> {
    table.lines().map(|line| line.split(',').collect()).collect()
}
