//! The subcommands, one file each.

mod census;
mod census_files;
mod data;
mod data_report;
mod generate;
mod inspect;
mod inspect_text;
mod motifs;
mod train;
mod train_files;
mod train_report;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

/// What was typed.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Inspect(inspect::InspectArgs),
    Census(census::CensusArgs),
    Motifs(motifs::MotifsArgs),
    Train(Box<train::TrainArgs>),
    #[command(subcommand)]
    Generate(generate::GenerateCommand),
    #[command(subcommand)]
    Data(data::DataCommand),
}

/// What is meant.
pub(crate) enum Config {
    Inspect(inspect::InspectConfig),
    Census(census::CensusConfig),
    Motifs(motifs::MotifsConfig),
    Train(Box<train::TrainCommand>),
    Generate(generate::GenerateConfig),
    Data(data::DataConfig),
}

impl Command {
    pub(crate) fn check(self) -> Result<Config, Failure> {
        Ok(match self {
            Self::Inspect(args) => Config::Inspect(args.check()),
            Self::Census(args) => Config::Census(args.check()?),
            Self::Motifs(args) => Config::Motifs(args.check()?),
            Self::Train(args) => Config::Train(Box::new(args.check()?)),
            Self::Generate(command) => Config::Generate(command.check()?),
            Self::Data(command) => Config::Data(command.check()?),
        })
    }
}

impl Config {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match self {
            Self::Inspect(config) => session.show(&config.run(session)?),
            Self::Census(config) => session.show(&config.run(session)?),
            Self::Motifs(config) => session.show(&config.run(session)?),
            Self::Train(config) => session.show(&config.run(session)?),
            Self::Generate(config) => session.show(&config.run(session)?),
            Self::Data(config) => config.run(session),
        }
    }
}
