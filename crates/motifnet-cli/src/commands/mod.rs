//! The subcommands, one file each.

mod census;
mod census_files;
mod compare;
mod compare_report;
mod config;
mod data;
mod data_report;
mod embed;
mod evaluate;
mod explain;
mod explain_report;
mod generate;
mod inspect;
mod inspect_text;
mod motifs;
mod plan_report;
mod predict;
mod train;
mod train_report;
mod train_run;
mod train_watch;

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
    Evaluate(evaluate::EvaluateArgs),
    Predict(predict::PredictArgs),
    Embed(embed::EmbedArgs),
    Explain(explain::ExplainArgs),
    Config(config::ConfigArgs),
    Compare(compare::CompareArgs),
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
    Evaluate(evaluate::EvaluateConfig),
    Predict(Box<predict::PredictConfig>),
    Embed(embed::EmbedConfig),
    Explain(explain::ExplainCommand),
    Settings(Box<config::ConfigCommand>),
    Compare(compare::CompareConfig),
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
            Self::Evaluate(args) => Config::Evaluate(args.check()),
            Self::Predict(args) => Config::Predict(Box::new(args.check()?)),
            Self::Embed(args) => Config::Embed(args.check()),
            Self::Explain(args) => Config::Explain(args.check()),
            Self::Config(args) => Config::Settings(Box::new(args.check()?)),
            Self::Compare(args) => Config::Compare(args.check()?),
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
            Self::Evaluate(config) => session.show(&config.run(session)?),
            Self::Predict(config) => session.show(&config.run(session)?),
            Self::Embed(config) => session.show(&config.run(session)?),
            Self::Explain(config) => session.show(&config.run(session)?),
            Self::Settings(config) => session.show(&config.run()),
            Self::Compare(config) => session.show(&config.run(session)?),
            Self::Generate(config) => session.show(&config.run(session)?),
            Self::Data(config) => config.run(session),
        }
    }
}
