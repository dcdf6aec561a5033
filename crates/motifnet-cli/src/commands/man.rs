//! `motifnet man`: the manual.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use motifnet::io::{Place, WholeFile, WriteError};
use serde::Serialize;

use crate::Cli;
use crate::failure::Failure;
use crate::numbers::plural;
use crate::report::Report;

/// Print the manual page, or write a page for every subcommand
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet man > motifnet.1
  motifnet man --out ~/.local/share/man/man1

Pages are called motifnet.1, motifnet-train.1 and so on; what has their names is replaced.")]
pub(crate) struct ManArgs {
    /// Write a page for every subcommand into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Pages to make.
pub(crate) struct ManConfig {
    out: Option<PathBuf>,
}

impl ManArgs {
    pub(crate) fn check(self) -> Result<ManConfig, Failure> {
        if let Some(out) = self.out.as_ref().filter(|out| out.exists() && !out.is_dir()) {
            let message = anyhow::anyhow!("{} is a file, not a folder", out.display());
            return Err(Failure::usage(message).hint("name a folder with --out"));
        }
        Ok(ManConfig { out: self.out })
    }
}

impl ManConfig {
    pub(crate) fn run(&self) -> Result<ManReport, Failure> {
        let mut command = Cli::command().disable_help_subcommand(true);
        // Only then subcommands know their whole names and the common options.
        command.build();
        let Some(out) = &self.out else {
            return Ok(ManReport::Page { page: page(command)?.1 });
        };
        std::fs::create_dir_all(out).map_err(|error| {
            Failure::run(error).context(format!("{} cannot be made", out.display()))
        })?;
        let mut written = Vec::new();
        for command in with_subcommands(&command) {
            let (name, page) = page(command)?;
            let place = Place::within(out, name);
            let mut file = WholeFile::create_plain(&place)?;
            let done = file.write_all(page.as_bytes());
            done.map_err(|error| WriteError::io(place.path(), error))?;
            file.commit()?;
            written.push(place.path().display().to_string());
        }
        Ok(ManReport::Files { written, folder: out.display().to_string() })
    }
}

/// The name of a command's page, and the page.
fn page(command: Command) -> Result<(String, String), Failure> {
    let man = Man::new(command);
    let mut page = Vec::new();
    man.render(&mut page).map_err(Failure::run)?;
    Ok((man.get_filename(), String::from_utf8_lossy(&page).into_owned()))
}

/// A command and all below it.
fn with_subcommands(command: &Command) -> Vec<Command> {
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    std::iter::once(command.clone()).chain(below.flat_map(with_subcommands)).collect()
}

/// The manual.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum ManReport {
    Page {
        page: String,
    },
    Files {
        written: Vec<String>,
        #[serde(skip)]
        folder: String,
    },
}

impl Report for ManReport {
    fn text(&self) -> String {
        match self {
            Self::Page { page } => page.clone(),
            Self::Files { written, folder } => {
                format!("{} in {folder}\n", plural(written.len() as u64, "page", "pages"))
            }
        }
    }
}
