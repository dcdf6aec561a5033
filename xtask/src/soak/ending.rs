//! How a command ended, and whether a trusted one may end so.

use std::fs::{self, File};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::workplace::Workplace;

/// How a command ended, with all that it said.
pub(crate) struct Ending {
    words: String,
    status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) time: Duration,
}

impl Ending {
    /// Runs `command`, which `words` describe, in `place`; one that takes longer than `patience` is a finding.
    pub(crate) fn of(
        place: &Workplace,
        mut command: Command,
        words: &str,
        patience: Duration,
    ) -> Result<Self> {
        let [out, err] = ["stdout", "stderr"].map(|name| place.path(name));
        command.stdout(File::create(&out)?).stderr(File::create(&err)?);
        let start = Instant::now();
        let child = command.spawn().with_context(|| format!("motifnet {words}"))?;
        let Some(status) = wait(child, start + patience)? else {
            bail!("motifnet {words}: no end after {} s", patience.as_secs());
        };
        let time = start.elapsed();
        let stderr = String::from_utf8_lossy(&fs::read(err)?).into_owned();
        Ok(Self { words: words.to_owned(), status, stdout: fs::read(out)?, stderr, time })
    }

    /// Whether it did what was asked.
    pub(crate) fn is_success(&self) -> bool {
        self.status.success()
    }

    /// Refuses an end by a signal or a panic, and a failure that does not say why.
    pub(crate) fn check(&self) -> Result<()> {
        let Self { words, status, stderr, .. } = self;
        if !matches!(status.code(), Some(0..=2)) || stderr.contains("panicked") {
            bail!("motifnet {words} ended with {status}:\n{stderr}");
        }
        if !self.is_success() && self.error().is_none() {
            bail!("motifnet {words} failed without a word:\n{stderr}");
        }
        Ok(())
    }

    /// The error that it told.
    pub(crate) fn error(&self) -> Option<&str> {
        self.stderr.lines().find_map(|line| line.strip_prefix("error: "))
    }
}

/// `None` if it had to be stopped.
fn wait(mut child: Child, deadline: Instant) -> Result<Option<ExitStatus>> {
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(20));
    }
}
