//! `motifnet config`: every setting of a run, with what it means.

use clap::Args;
use motifnet::train::{RunConfig, Settings};
use serde::Serialize;

use crate::failure::Failure;
use crate::report::Report;
use crate::setting_args::SettingSources;

/// Print the settings of a training run, each with what it means
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet config > run.toml
  motifnet config --model chebnet --order 2 > run.toml
  motifnet config --config run.toml --set train.lr=0.01
  motifnet train --config run.toml --out run

Without flags these are the defaults. A file needs to have only what differs from them.")]
pub(crate) struct ConfigArgs {
    #[command(flatten)]
    settings: SettingSources,
}

/// Settings to print.
pub(crate) struct ConfigCommand {
    settings: Settings,
}

impl ConfigArgs {
    pub(crate) fn check(self) -> Result<ConfigCommand, Failure> {
        Ok(ConfigCommand { settings: self.settings.gather(None)? })
    }
}

impl ConfigCommand {
    pub(crate) fn run(&self) -> ConfigReport {
        ConfigReport { config: self.settings.config().clone(), text: self.settings.annotated() }
    }
}

/// The settings.
#[derive(Serialize)]
pub(crate) struct ConfigReport {
    #[serde(flatten)]
    config: RunConfig,
    #[serde(skip)]
    text: String,
}

impl Report for ConfigReport {
    fn text(&self) -> String {
        self.text.clone()
    }
}
