//! What trials of interrupted commands have in common: which commands, for how long, with which chance.

use anyhow::{Context, Result};
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
    #[arg(skip)]
    is_short: bool,
}

impl JobTrial {
    /// All commands on small data.
    pub(crate) fn short() -> Self {
        Self { minutes: 5.0, seed: 0, only: None, is_short: true }
    }

    /// Does `disturb` to every command in turn, in the folder `name`; gives a row of a table for each.
    pub(crate) fn run<const N: usize>(
        &self,
        name: &str,
        disturb: impl Fn(&Workplace, &Job, &mut Draw, &TimeBox) -> Result<[String; N]>,
    ) -> Result<Vec<[String; N]>> {
        let time = TimeBox::minutes(self.minutes);
        let place = Workplace::new(name)?;
        let size = if self.is_short { Size::Short } else { Size::Long };
        let mut rows = Vec::new();
        for job in jobs(&place, size)? {
            if self.only.as_ref().is_some_and(|only| !job.name.contains(only)) {
                continue;
            }
            if time.is_over() {
                eprintln!("the time is over; {} and what comes after it were not tried", job.name);
                break;
            }
            eprintln!("{}", job.name);
            let row = disturb(&place, &job, &mut Draw::new(self.seed), &time);
            rows.push(row.with_context(|| {
                format!("{}, seed {}: motifnet {}", job.name, self.seed, job.words)
            })?);
        }
        Ok(rows)
    }
}
