//! `cargo xtask soak kills`: what is killed at any moment leaves no half of a file, and comes to the
//! same bytes when it is run again. An older result in the same place is there whole until the new one begins.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::draw::Draw;
use super::job_trial::JobTrial;
use super::jobs::Job;
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
    #[command(flatten)]
    trial: JobTrial,
}

impl KillsArgs {
    /// Two kills of each.
    pub(crate) fn short() -> Self {
        Self { kills: 2, trial: JobTrial::short() }
    }
}

/// Kills all commands.
pub(crate) fn run(args: &KillsArgs) -> Result<()> {
    args.trial.run(
        "kills",
        |place, job, draw, time| kill_often(place, job, args.kills, draw, time),
        |rows| {
            print!(
                "{}",
                table(["command", "undisturbed", "files", "kills", "runs to the end"], &rows)
            );
            Ok(())
        },
    )
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
        whole.begin(place)?;
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
            words = job.again(place, &whole.files);
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
