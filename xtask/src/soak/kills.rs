//! `cargo xtask soak kills`: what is killed at any moment leaves no half of a file, and comes to the
//! same bytes when it is run again.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::draw::Draw;
use super::jobs::{Job, Size, jobs};
use super::time_box::TimeBox;
use super::undisturbed::Undisturbed;
use super::workplace::Workplace;
use crate::table::{seconds, table};

/// What to run.
#[derive(Args)]
pub(crate) struct KillsArgs {
    /// How often each command is killed
    #[arg(long, default_value_t = 50)]
    kills: usize,
    /// Kill no more after so many minutes
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// Where the moments come from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Kill only the commands whose names have this in them
    #[arg(long)]
    only: Option<String>,
    #[arg(skip)]
    is_short: bool,
}

impl KillsArgs {
    /// Two kills of each.
    pub(crate) fn short() -> Self {
        Self { kills: 2, minutes: 5.0, seed: 0, only: None, is_short: true }
    }
}

/// Kills all commands.
pub(crate) fn run(args: &KillsArgs) -> Result<()> {
    let time = TimeBox::minutes(args.minutes);
    let place = Workplace::new("kills")?;
    let size = if args.is_short { Size::Short } else { Size::Long };
    let mut rows = Vec::new();
    for job in jobs(&place, size)? {
        if args.only.as_ref().is_some_and(|only| !job.name.contains(only)) {
            continue;
        }
        if time.is_over() {
            eprintln!("the time is over; {} and what comes after it were not tried", job.name);
            break;
        }
        eprintln!("{}", job.name);
        let mut draw = Draw::new(args.seed);
        let row = kill_often(&place, &job, args.kills, &mut draw, &time);
        rows.push(row.with_context(|| {
            format!("{}, seed {}: motifnet {}", job.name, args.seed, job.words)
        })?);
    }
    print!("{}", table(["command", "undisturbed", "files", "kills", "runs to the end"], &rows));
    Ok(())
}

fn kill_often(
    place: &Workplace,
    job: &Job,
    n_kills: usize,
    draw: &mut Draw,
    time: &TimeBox,
) -> Result<[String; 5]> {
    let whole = Undisturbed::run(place, job)?;
    let (mut n_killed, mut n_ended) = (0, 0);
    while n_killed < n_kills && !time.is_over() {
        place.empty("out")?;
        let mut words = job.words.clone();
        // Who was killed once may be killed again, before it is let go to its end.
        loop {
            let moment = whole.time.mul_f64(draw.fraction());
            job.prepare();
            if !kill(place, &words, moment)? {
                break;
            }
            n_killed += 1;
            whole.check_stopped(place).with_context(|| {
                format!("killed after {} of {:?}", seconds(moment.as_secs_f64()), whole.time)
            })?;
            words = job.again(place);
            if draw.coin() {
                job.prepare();
                place.ok(&words)?;
                break;
            }
        }
        whole.check_ended(place)?;
        n_ended += 1;
    }
    let counts = [whole.files.len(), n_killed, n_ended].map(|count| count.to_string());
    let [files, killed, ended] = counts;
    Ok([job.name.to_owned(), seconds(whole.time.as_secs_f64()), files, killed, ended])
}

/// Starts a command and kills it at a moment; `false` if it was done by then.
pub(super) fn kill(place: &Workplace, words: &str, moment: Duration) -> Result<bool> {
    let mut command = place.command(words);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    std::thread::sleep(moment);
    child.kill()?;
    let status = child.wait()?;
    match status.code() {
        None => Ok(true),
        Some(0) => Ok(false),
        Some(_) => bail!("motifnet {words} ended with {status} before it was killed"),
    }
}
