//! What a command comes to when nothing disturbs it, and whether what a stopped one left is sound.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use motifnet::io::{NpzArchive, TensorFile};
use motifnet::progress::Silent;
use motifnet::train::{CHECKPOINT_FILE, HISTORY_FILE, METRICS_FILE, RunFolder, TIMING_FILE};

use super::jobs::Job;
use super::workplace::{Files, Workplace, difference};

/// A run that nothing disturbed.
pub(crate) struct Undisturbed {
    /// What it left, but clock readings.
    pub(crate) files: Files,
    /// How long it took.
    pub(crate) time: Duration,
}

impl Undisturbed {
    pub(crate) fn run(place: &Workplace, job: &Job) -> Result<Self> {
        place.empty("out")?;
        job.prepare();
        let start = Instant::now();
        place.ok(&job.words)?;
        let time = start.elapsed();
        let files = place.files("out")?;
        ensure!(!files.is_empty(), "motifnet {} wrote nothing", job.words);
        let hidden = files.keys().find(|path| is_passing(path));
        if let Some(path) = hidden {
            bail!("motifnet {} left {} behind", job.words, path.display());
        }
        Ok(Self { files, time })
    }

    /// Looks at what a command has left that was stopped: under the name of a result there is a whole
    /// one, or nothing.
    pub(crate) fn check_stopped(&self, place: &Workplace) -> Result<()> {
        let root = place.path("out");
        for (path, bytes) in place.all_files("out")? {
            if is_passing(&path) || self.files.get(&path) == Some(&bytes) {
                continue;
            }
            self.check_in_between(&root, &path, &bytes)
                .with_context(|| format!("{} is not whole", path.display()))?;
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
            TIMING_FILE => {
                serde_json::from_slice::<serde_json::Value>(bytes)?;
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

/// Whether a name is that of a file on its way to its own: hidden, or the part of what is fetched.
fn is_passing(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with('.') || name.ends_with(".part") || name.ends_with(".part.toml")
}
