//! A folder to run the command in, and what it left there.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Files by their paths below a folder, with their bytes.
pub(crate) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A folder of a trial under `target/soak`, emptied when it is made and left for looking at.
pub(crate) struct Workplace {
    root: PathBuf,
    /// The command under trial.
    motifnet: PathBuf,
}

impl Workplace {
    pub(crate) fn new(name: &str) -> Result<Self> {
        Self::of_program(name, workspace::command())
    }

    /// As [`Workplace::new`], for the command as it was built elsewhere.
    pub(crate) fn of_program(name: &str, motifnet: PathBuf) -> Result<Self> {
        let root = workspace::target().join("soak").join(name);
        empty(&root)?;
        Ok(Self { root, motifnet })
    }

    /// Makes a folder in it, or takes all out of one.
    pub(crate) fn empty(&self, name: &str) -> Result<()> {
        empty(&self.path(name))
    }

    /// Takes a folder away, if it is there.
    pub(crate) fn remove(&self, name: &str) -> Result<()> {
        self.empty(name)?;
        fs::remove_dir(self.path(name)).with_context(|| format!("removing {name}"))
    }

    /// Puts a folder in place of another.
    pub(crate) fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.empty(to)?;
        fs::rename(self.path(from), self.path(to)).with_context(|| format!("renaming {from}"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Writes an input of the trial.
    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) -> Result<()> {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, content).with_context(|| format!("writing {}", path.display()))
    }

    /// The command in this folder, with `words` separated by blanks; what the developer has fetched
    /// is none of a trial's.
    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = self.program(&self.motifnet);
        command.args(words.split_whitespace());
        command
    }

    /// Any program in this folder, with the environment of a trial.
    pub(crate) fn program(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("MOTIFNET_HOME", self.path("home"));
        command.env_remove("RUST_BACKTRACE").env_remove("COLUMNS");
        command
    }

    /// As [`Workplace::command`], in a shell that does `first` before it becomes the command.
    pub(crate) fn command_after(&self, first: &str, words: &str) -> Command {
        let command = self.command(words);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{first} && exec \"$0\" \"$@\""));
        shell.arg(command.get_program()).args(command.get_args()).current_dir(&self.root);
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        shell
    }

    /// Runs `words` and waits.
    pub(crate) fn run(&self, words: &str) -> Result<Output> {
        self.command(words).output().with_context(|| format!("motifnet {words}"))
    }

    /// Runs `words`, which must succeed; gives stdout.
    pub(crate) fn ok(&self, words: &str) -> Result<Vec<u8>> {
        let output = self.run(words)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("motifnet {words} ended with {}:\n{said}", output.status);
        }
        Ok(output.stdout)
    }

    /// All files below `name`, but clock readings.
    pub(crate) fn files(&self, name: &str) -> Result<Files> {
        let mut files = self.all_files(name)?;
        files.retain(|path, _| !path.ends_with("timing.json"));
        Ok(files)
    }

    /// All files below `name`.
    pub(crate) fn all_files(&self, name: &str) -> Result<Files> {
        let mut files = Files::new();
        let root = self.path(name);
        collect(&root, &root, &mut files)?;
        Ok(files)
    }
}

fn empty(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("emptying {}", folder.display()));
        }
        _ => {}
    }
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))
}

fn collect(root: &Path, folder: &Path, files: &mut Files) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else {
            let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            files.insert(path.strip_prefix(root)?.to_owned(), bytes);
        }
    }
    Ok(())
}

/// The first file in which two folders differ, if there is one.
pub(crate) fn difference(one: &Files, two: &Files) -> Option<PathBuf> {
    let all = one.keys().chain(two.keys());
    all.into_iter().find(|path| one.get(*path) != two.get(*path)).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_differs_or_lacks_is_found() {
        let files = |pairs: &[(&str, &str)]| -> Files {
            pairs.iter().map(|(path, text)| (path.into(), text.as_bytes().to_vec())).collect()
        };
        let one = files(&[("a", "1"), ("b", "2")]);
        assert_eq!(difference(&one, &one), None);
        assert_eq!(difference(&one, &files(&[("a", "1"), ("b", "3")])), Some("b".into()));
        assert_eq!(difference(&one, &files(&[("a", "1")])), Some("b".into()));
        assert_eq!(difference(&files(&[("a", "1")]), &one), Some("b".into()));
    }
}
