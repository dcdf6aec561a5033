//! How a command fails: an exit code, a chain of causes, and what would help.

use std::io::{self, Write};

use motifnet::data::citation::CitationError;
use motifnet::graph::ReadError;
use motifnet::graph::generate::GenerateError;
use motifnet::io::WriteError;
use motifnet::memory::MemoryError;
use motifnet::train::TrainError;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    error: anyhow::Error,
    hints: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// What was typed cannot be meant.
    Usage,
    /// The data is not as it should be, or the run failed.
    Run,
    /// The user stopped it.
    Paused,
    /// Nobody reads the output any more, which is nobody's fault.
    ReaderGone,
}

impl Failure {
    /// What was typed cannot be meant.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self { kind: Kind::Usage, error: error.into(), hints: Vec::new() }
    }

    /// The data is not as it should be, or the run failed.
    pub(crate) fn run(error: impl Into<anyhow::Error>) -> Self {
        Self { kind: Kind::Run, error: error.into(), hints: Vec::new() }
    }

    /// The user stopped it.
    pub(crate) fn paused(error: impl Into<anyhow::Error>) -> Self {
        Self { kind: Kind::Paused, error: error.into(), hints: Vec::new() }
    }

    /// A write to stdout failed.
    pub(crate) fn stdout(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => {
                Self { kind: Kind::ReaderGone, error: error.into(), hints: Vec::new() }
            }
            _ => Self::run(anyhow::Error::from(error).context("stdout cannot be written to")),
        }
    }

    /// Says what was being done.
    pub(crate) fn context(mut self, context: String) -> Self {
        self.error = self.error.context(context);
        self
    }

    /// Says what would help.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Whether the user stopped it.
    pub(crate) fn is_paused(&self) -> bool {
        self.kind == Kind::Paused
    }

    /// The error behind it, if it is of this type.
    pub(crate) fn cause<E: std::error::Error + Send + Sync + 'static>(&self) -> Option<&E> {
        self.error.downcast_ref()
    }

    /// What went wrong, in one line.
    pub(crate) fn reason(&self) -> String {
        self.error.to_string()
    }

    /// Tells the user, and gives the exit code.
    pub(crate) fn report(&self) -> u8 {
        if self.kind != Kind::ReaderGone {
            // Where stderr cannot be written to either, the exit code has to do.
            let _ = io::stderr().lock().write_all(self.message().as_bytes());
        }
        match self.kind {
            Kind::Usage => 2,
            Kind::Run => 1,
            Kind::Paused => crate::interrupt::EXIT_CODE,
            Kind::ReaderGone => 0,
        }
    }

    fn message(&self) -> String {
        let what = if self.kind == Kind::Paused { "" } else { "error: " };
        let mut message = format!("{what}{}\n", self.error);
        for cause in self.error.chain().skip(1).map(ToString::to_string) {
            // Many messages quote their cause.
            if !message.contains(&cause) {
                message += &format!("  caused by: {cause}\n");
            }
        }
        if self.error.chain().any(|cause| cause.is::<MemoryError>()) {
            message += "hint: --memory-limit SIZE sets another limit, as 2GB; the default is what is left \
                        of the machine's memory\n";
        }
        for hint in &self.hints {
            message += &format!("hint: {hint}\n");
        }
        message
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::run(error)
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::UnknownEnding { .. } | WriteError::FormatLeftOut { .. } => {
                Self::usage(error)
            }
            _ => Self::run(error),
        }
    }
}

impl From<MemoryError> for Failure {
    fn from(error: MemoryError) -> Self {
        Self::run(error)
    }
}

impl From<TrainError> for Failure {
    fn from(error: TrainError) -> Self {
        match error {
            TrainError::Network(_) | TrainError::NotSymmetric { .. } => Self::usage(error),
            _ => Self::run(error),
        }
    }
}

impl From<GenerateError> for Failure {
    fn from(error: GenerateError) -> Self {
        match error {
            GenerateError::Stuck { .. } | GenerateError::Memory(_) => Self::run(error),
            _ => Self::usage(error),
        }
    }
}

impl From<CitationError> for Failure {
    fn from(error: CitationError) -> Self {
        match error {
            CitationError::Memory(_) => Self::run(error),
            _ => Self::usage(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_told_once_and_hints_come_last() {
        let cause = io::Error::other("disk on fire");
        let quoted = WriteError::io("a.csv".as_ref(), io::Error::other("disk on fire"));
        let failure = Failure::run(cause).context("no luck".to_owned()).hint("use water");
        assert_eq!(
            failure.message(),
            "error: no luck\n  caused by: disk on fire\nhint: use water\n"
        );
        assert_eq!(Failure::from(quoted).message(), "error: a.csv: cannot write: disk on fire\n");
    }
}
