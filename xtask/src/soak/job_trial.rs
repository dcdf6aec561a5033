//! What trials of interrupted commands have in common: which commands, for how long, with which chance.

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::draw::Draw;
use super::jobs::{Job, Size, jobs};
use super::time_box::TimeBox;
use super::workplace::Workplace;

/// Which commands to try.
#[derive(Args)]
pub(crate) struct JobTrial {
    /// Disturb nothing more after so many minutes
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// Where chance comes from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Try only the commands whose names have this in them
    #[arg(long)]
    only: Option<String>,
    /// Go on after a finding, and tell all of them at the end
    #[arg(long)]
    keep_going: bool,
    #[arg(skip)]
    is_short: bool,
}

impl JobTrial {
    /// All commands on small data.
    pub(crate) fn short() -> Self {
        Self { minutes: 5.0, seed: 0, only: None, keep_going: false, is_short: true }
    }

    /// Does `disturb` to every command in turn, in the folder `name`, and gives what came of each to `tell`.
    pub(crate) fn run<R>(
        &self,
        name: &str,
        disturb: impl Fn(&Workplace, &Job, &mut Draw, &TimeBox) -> Result<R>,
        tell: impl FnOnce(Vec<R>) -> Result<()>,
    ) -> Result<()> {
        let time = TimeBox::minutes(self.minutes);
        let place = Workplace::new(name)?;
        let size = if self.is_short { Size::Short } else { Size::Long };
        let (mut done, mut findings) = (Vec::new(), Vec::new());
        for job in jobs(&place, size)? {
            if self.only.as_ref().is_some_and(|only| !job.name.contains(only)) {
                continue;
            }
            if time.is_over() {
                eprintln!("the time is over; {} and what comes after it were not tried", job.name);
                break;
            }
            eprintln!("{}", job.name);
            let outcome =
                disturb(&place, &job, &mut Draw::new(self.seed), &time).with_context(|| {
                    format!("{}, seed {}: motifnet {}", job.name, self.seed, job.words)
                });
            match outcome {
                Ok(outcome) => done.push(outcome),
                Err(finding) if self.keep_going => findings.push(format!("{finding:#}")),
                Err(finding) => return Err(finding),
            }
        }
        tell(done)?;
        ensure!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
        Ok(())
    }
}
