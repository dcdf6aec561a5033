//! `motifnet completions`: what a shell needs to complete the command line.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde::Serialize;

use crate::Cli;
use crate::report::Report;

/// Print a script that lets a shell complete the command line
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet completions bash > ~/.local/share/bash-completion/completions/motifnet
  motifnet completions zsh > ~/.zfunc/_motifnet
  motifnet completions fish > ~/.config/fish/completions/motifnet.fish

For zsh the folder must be in $fpath before compinit is called.")]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl CompletionsArgs {
    pub(crate) fn check(self) -> CompletionsConfig {
        CompletionsConfig { shell: self.shell }
    }
}

/// A script to print.
pub(crate) struct CompletionsConfig {
    shell: Shell,
}

impl CompletionsConfig {
    pub(crate) fn run(&self) -> CompletionsReport {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "motifnet", &mut script);
        let script = String::from_utf8_lossy(&script).into_owned();
        CompletionsReport { shell: self.shell.to_string(), script }
    }
}

/// The script.
#[derive(Serialize)]
pub(crate) struct CompletionsReport {
    shell: String,
    script: String,
}

impl Report for CompletionsReport {
    fn text(&self) -> String {
        self.script.clone()
    }
}
