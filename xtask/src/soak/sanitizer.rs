//! `cargo xtask soak sanitizer`: every command as LLVM's address sanitizer watches it.
//!
//! Of our own code only the command's allocator is `unsafe`, but what it is built of is not: vector kernels, mapped
//! memory, decompression, Arrow. The sanitizer looks at every byte that any of it reads or writes, and at what is
//! never given back. Miri cannot run most of it, since it knows neither the system's calls nor C.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

use super::cases::CASES;
use super::ending::Ending;
use super::time_box::TimeBox;
use super::workplace::Workplace;
use super::{generated, nightly};
use crate::table::{seconds, table};
use crate::workspace;

/// What to run.
#[derive(Args)]
pub(crate) struct SanitizerArgs {
    /// Begin no further command after so many minutes
    #[arg(long, default_value_t = 30.0)]
    minutes: f64,
}

/// What the sanitizer makes of a command that does wrong; it is no code of ours.
const FOUND: &str = "exitcode=86";
/// Memory that is not to be had is no fault: the allocator is to say so.
const OPTIONS: &str = "allocator_may_return_null=1:detect_leaks=1";
const PATIENCE: Duration = Duration::from_secs(300);

/// Builds with the sanitizer, runs the tests of the allocator, then every command.
pub(crate) fn run(args: &SanitizerArgs) -> Result<()> {
    let time = TimeBox::minutes(args.minutes);
    nightly::ensure()?;
    cargo(&["test", "--bin", "motifnet", "allocator"])?;
    let motifnet = build()?;
    let place = Workplace::of_program("sanitizer-run", motifnet)?;
    let (name, words) = generated::GRAPHS[0];
    generated::write(&place, name, words, "motifs")?;
    place.empty("out")?;
    let mut n_refused = 0;
    let mut n_tried = 0;
    for case in &CASES {
        if time.is_over() {
            eprintln!(
                "the time is over; {} and what comes after it were not tried",
                case.command()
            );
            break;
        }
        let words = case.words(name);
        let mut command = place.command(&words);
        command.env("ASAN_OPTIONS", format!("{FOUND}:{OPTIONS}"));
        let ending = Ending::of(&place, command, &words, PATIENCE)?;
        ending.check()?;
        n_tried += 1;
        n_refused += usize::from(!ending.is_success());
    }
    let took = seconds(time.elapsed().as_secs_f64());
    let row = [name.to_owned(), n_tried.to_string(), n_refused.to_string(), took];
    print!("{}", table(["graph", "commands", "refused", "time"], &[row]));
    Ok(())
}

/// Builds the command; gives its path.
fn build() -> Result<PathBuf> {
    cargo(&["build", "--bin", "motifnet"])?;
    Ok(target().join(nightly::host()?).join("release/motifnet"))
}

/// Runs cargo with the sanitizer on all that is built.
fn cargo(words: &[&str]) -> Result<()> {
    let mut cargo = nightly::cargo();
    cargo.args(words).args(["--release", "--package", "motifnet-cli", "--target"]);
    // Named, since build scripts and macros would be watched as well, and do not start.
    cargo.arg(nightly::host()?).arg("--target-dir").arg(target());
    cargo.env("RUSTFLAGS", "-Zsanitizer=address").env("ASAN_OPTIONS", OPTIONS);
    if !cargo.status()?.success() {
        bail!("cargo {} failed with the address sanitizer", words.join(" "));
    }
    Ok(())
}

fn target() -> PathBuf {
    workspace::target().join("soak/sanitizer")
}
