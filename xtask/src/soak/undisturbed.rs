//! What a command comes to when nothing disturbs it, and whether what a stopped one left is sound.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use motifnet::io::{NpzArchive, TensorFile};
use motifnet::progress::Silent;
use motifnet::train::{CHECKPOINT_FILE, HISTORY_FILE, METRICS_FILE, RunFolder, TIMING_FILE};
use serde_json::Value;

use super::jobs::{Job, Unity};
use super::workplace::{Files, Workplace, difference};

/// A run that nothing disturbed.
pub(crate) struct Undisturbed {
    /// What it left, but clock readings.
    pub(crate) files: Files,
    /// What was there before, of an older result.
    pub(crate) older: Files,
    unity: Unity,
    /// How long it took.
    pub(crate) time: Duration,
}

impl Undisturbed {
    pub(crate) fn run(place: &Workplace, job: &Job) -> Result<Self> {
        let older = match &job.older {
            Some(words) => {
                place.empty("out")?;
                place.ok(words)?;
                place.all_files("out")?
            }
            None => Files::new(),
        };
        let mut whole = Self { files: Files::new(), older, unity: job.unity, time: Duration::ZERO };
        whole.begin(place)?;
        job.prepare();
        let start = Instant::now();
        place.ok(&job.words)?;
        whole.time = start.elapsed();
        whole.files = place.files("out")?;
        ensure!(!whole.files.is_empty(), "motifnet {} wrote nothing", job.words);
        let hidden = whole.files.keys().find(|path| is_passing(path));
        if let Some(path) = hidden {
            bail!("motifnet {} left {} behind", job.words, path.display());
        }
        if job.older.is_some() {
            let is_new = |(path, bytes)| whole.older.get(path).is_some_and(|old| old != bytes);
            ensure!(whole.files.iter().any(is_new), "the older result has the same bytes");
            whole.check_anew(place, job)?;
        }
        Ok(whole)
    }

    /// Puts into `out` what a command finds there when it begins.
    pub(crate) fn begin(&self, place: &Workplace) -> Result<()> {
        place.empty("out")?;
        self.older
            .iter()
            .try_for_each(|(path, bytes)| place.put(&format!("out/{}", path.display()), bytes))
    }

    /// Who replaces an older result leaves what he would without one.
    fn check_anew(&self, place: &Workplace, job: &Job) -> Result<()> {
        place.empty("out")?;
        place.ok(&job.words)?;
        self.check_ended(place).context("where nothing was there before")
    }

    /// Looks at what a command has left that was stopped: under the name of a result there is a whole
    /// one, the older or the new, or nothing; what is set aside is the older, whole.
    pub(crate) fn check_stopped(&self, place: &Workplace) -> Result<()> {
        let mut left = place.all_files("out")?;
        left.retain(|path, _| !is_passing(path));
        let aside: Files = left.extract_if(.., |path, _| is_aside(path)).collect();
        for (path, bytes) in &aside {
            let before = path.iter().filter(|name| *name != SET_ASIDE).collect::<PathBuf>();
            let is_older = self.older.get(&before) == Some(bytes);
            ensure!(is_older, "{} is not what was there before", path.display());
        }
        let (mut old, mut new) = (None, None);
        for (path, bytes) in &left {
            let is_of = |files: &Files| files.get(path) == Some(bytes);
            match (is_of(&self.older), is_of(&self.files)) {
                (true, true) => {}
                (true, false) => old = Some(path),
                (false, true) => new = Some(path),
                (false, false) => {
                    self.check_in_between(&place.path("out"), path, bytes)
                        .with_context(|| format!("{} is not whole", path.display()))?;
                    new = Some(path);
                }
            }
        }
        let (head, may_mix) = match self.unity {
            Unity::Files => (None, true),
            Unity::Search => (None, false),
            Unity::Run(head) => (Some(head), false),
            Unity::DataSet(head) => (Some(head), !left.contains_key(Path::new(head))),
        };
        if let (Some(old), Some(new), false) = (old, new, may_mix) {
            bail!("{} is of the older result, {} of the new", old.display(), new.display());
        }
        let Some(head) = head.and_then(|head| left.get_key_value(Path::new(head))) else {
            return Ok(());
        };
        let is_head_of = |files: &Files| files.get(head.0) == Some(head.1);
        if is_head_of(&self.older) && !is_head_of(&self.files) {
            check_all(&self.older, &left).with_context(|| format!("{} stays", head.0.display()))?;
        }
        if matches!(self.unity, Unity::DataSet(_)) && new.is_some() {
            check_all(&self.files, &left)
                .with_context(|| format!("{} is new", head.0.display()))?;
        }
        Ok(())
    }

    /// A file that is rewritten as a run goes on: is it one that it had on the way?
    fn check_in_between(&self, root: &Path, path: &Path, bytes: &[u8]) -> Result<()> {
        let at = root.join(path);
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        match name {
            HISTORY_FILE => {
                let whole = self.files.get(path).context("no undisturbed run has it")?;
                ensure!(whole.starts_with(bytes) && bytes.ends_with(b"\n"), "lines are missing");
            }
            CHECKPOINT_FILE => {
                TensorFile::read(&at, "checkpoint", 1)?;
            }
            METRICS_FILE => {
                let folder = at.parent().context("a file has a folder")?;
                RunFolder::at(folder).read_report()?;
            }
            // What is in it is read when the command goes on.
            "samples.npz" => {
                let mut archive = NpzArchive::open(&at, None, &Silent)?;
                for array in ["what", "chains", "counts", "nodes"] {
                    archive.integers(array)?;
                }
            }
            // Trial after trial, and the best of them.
            "tune.json" => {
                let trials = |bytes: &[u8]| -> Result<Vec<Value>> {
                    let found: Value = serde_json::from_slice(bytes)?;
                    Ok(found["trials"].as_array().context("it has no trials")?.clone())
                };
                let whole = self.files.get(path).context("no undisturbed run has it")?;
                ensure!(trials(whole)?.starts_with(&trials(bytes)?), "it has other trials");
            }
            TIMING_FILE => {
                serde_json::from_slice::<Value>(bytes)?;
            }
            _ => bail!("no undisturbed run has these {} bytes at any time", bytes.len()),
        }
        Ok(())
    }

    /// Compares what a command came to in the end.
    pub(crate) fn check_ended(&self, place: &Workplace) -> Result<()> {
        let files = place.files("out")?;
        match difference(&self.files, &files) {
            None => Ok(()),
            Some(path) => {
                let how = match (self.files.get(&path), files.get(&path)) {
                    (Some(_), None) => "is missing",
                    (None, _) => "was left behind",
                    _ => "differs",
                };
                bail!("{} {how}, compared with a run that nothing disturbed", path.display())
            }
        }
    }
}

/// Refuses a folder that lacks one of `files`.
fn check_all(files: &Files, left: &Files) -> Result<()> {
    match files.iter().find(|(path, bytes)| left.get(*path) != Some(bytes)) {
        None => Ok(()),
        Some((path, _)) => bail!("{} of the same result is missing", path.display()),
    }
}

/// The folder in which a run keeps the one that it is to replace.
const SET_ASIDE: &str = ".replaced";

fn is_aside(path: &Path) -> bool {
    path.iter().any(|name| name == SET_ASIDE)
}

/// Whether a name is that of a file on its way to its own: hidden, or the part of what is fetched.
fn is_passing(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with('.') || name.ends_with(".part") || name.ends_with(".part.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a stopped command may leave `left` of the data set {head, a} that was old and is new.
    fn may_leave(unity: Unity, left: &[(&str, &str)]) -> bool {
        let files = |version: &str| -> Files {
            ["head", "a"].map(|name| (name.into(), version.as_bytes().to_vec())).into()
        };
        let time = Duration::ZERO;
        let whole = Undisturbed { files: files("new"), older: files("old"), unity, time };
        let place = Workplace::new("undisturbed-test").unwrap();
        place.empty("out").unwrap();
        for (path, bytes) in left {
            place.put(&format!("out/{path}"), bytes).unwrap();
        }
        whole.check_stopped(&place).is_ok()
    }

    #[test]
    fn what_belongs_together_is_old_or_new() {
        let mixed: [&[(&str, &str)]; 2] =
            [&[("head", "old"), ("a", "new")], &[("head", "new"), ("a", "old")]];
        for left in mixed {
            assert!(may_leave(Unity::Files, left));
            for unity in [Unity::Search, Unity::Run("head"), Unity::DataSet("head")] {
                assert!(!may_leave(unity, left), "{left:?}");
            }
        }
        for version in ["old", "new"] {
            for unity in [Unity::Files, Unity::Search, Unity::Run("head"), Unity::DataSet("head")] {
                assert!(may_leave(unity, &[("head", version), ("a", version)]));
                assert!(may_leave(unity, &[("a", version), (".lock", "1")]));
                assert!(!may_leave(unity, &[("a", "half")]));
            }
        }
        // Aside is the older alone.
        let aside =
            |version| [("head", "new"), (".replaced/head", "old"), (".replaced/a", version)];
        assert!(may_leave(Unity::Run("head"), &aside("old")));
        assert!(!may_leave(Unity::Run("head"), &aside("new")));
        // Where the head is, nothing lacks, but of a run that has begun.
        assert!(!may_leave(Unity::Run("head"), &[("head", "old")]));
        assert!(may_leave(Unity::Run("head"), &[("head", "new")]));
        assert!(!may_leave(Unity::DataSet("head"), &[("head", "new")]));
        assert!(!may_leave(Unity::DataSet("head"), &[("head", "old")]));
    }
}
