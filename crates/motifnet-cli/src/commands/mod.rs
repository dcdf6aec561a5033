//! The subcommands, one file each.

mod census;
mod census_files;
mod cluster;
mod cluster_report;
mod compare;
mod compare_report;
mod completions;
mod config;
mod data;
mod data_report;
mod embed;
mod evaluate;
mod explain;
mod explain_report;
mod generate;
mod generate_citation;
mod inspect;
mod inspect_text;
mod man;
mod motifs;
mod orders;
mod plan_report;
mod predict;
mod report;
mod report_run;
mod reproduce;
mod reproduce_report;
mod significance;
mod significance_files;
mod significance_report;
mod train;
mod train_line;
mod train_prepare;
mod train_report;
mod train_run;
mod train_watch;
mod tune;
mod tune_report;
mod tune_run;

use clap::Subcommand;

use crate::failure::Failure;
use crate::session::Session;

/// What was typed.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Reproduce(Box<reproduce::ReproduceArgs>),
    Inspect(inspect::InspectArgs),
    Census(census::CensusArgs),
    Motifs(motifs::MotifsArgs),
    Significance(significance::SignificanceArgs),
    Cluster(Box<cluster::ClusterArgs>),
    Train(Box<train::TrainArgs>),
    Tune(Box<tune::TuneArgs>),
    Evaluate(evaluate::EvaluateArgs),
    Predict(predict::PredictArgs),
    Embed(embed::EmbedArgs),
    Explain(explain::ExplainArgs),
    Config(config::ConfigArgs),
    Compare(compare::CompareArgs),
    Report(report::ReportArgs),
    #[command(subcommand)]
    Generate(generate::GenerateCommand),
    #[command(subcommand)]
    Data(data::DataCommand),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// What is meant.
pub(crate) enum Config {
    Reproduce(Box<reproduce::ReproduceConfig>),
    Inspect(inspect::InspectConfig),
    Census(census::CensusConfig),
    Motifs(motifs::MotifsConfig),
    Significance(significance::SignificanceCommand),
    Cluster(Box<cluster::ClusterCommand>),
    Train(Box<train::TrainCommand>),
    Tune(Box<tune::TuneCommand>),
    Evaluate(evaluate::EvaluateConfig),
    Predict(Box<predict::PredictConfig>),
    Embed(embed::EmbedConfig),
    Explain(explain::ExplainCommand),
    Settings(Box<config::ConfigCommand>),
    Compare(compare::CompareConfig),
    Report(report::ReportConfig),
    Generate(generate::GenerateConfig),
    Data(data::DataConfig),
    Completions(completions::CompletionsConfig),
    Man(man::ManConfig),
}

impl Command {
    pub(crate) fn check(self) -> Result<Config, Failure> {
        Ok(match self {
            Self::Reproduce(args) => Config::Reproduce(Box::new(args.check()?)),
            Self::Inspect(args) => Config::Inspect(args.check()),
            Self::Census(args) => Config::Census(args.check()?),
            Self::Motifs(args) => Config::Motifs(args.check()?),
            Self::Significance(args) => Config::Significance(args.check()?),
            Self::Cluster(args) => Config::Cluster(Box::new(args.check()?)),
            Self::Train(args) => Config::Train(Box::new(args.check()?)),
            Self::Tune(args) => Config::Tune(Box::new(args.check()?)),
            Self::Evaluate(args) => Config::Evaluate(args.check()),
            Self::Predict(args) => Config::Predict(Box::new(args.check()?)),
            Self::Embed(args) => Config::Embed(args.check()?),
            Self::Explain(args) => Config::Explain(args.check()?),
            Self::Config(args) => Config::Settings(Box::new(args.check()?)),
            Self::Compare(args) => Config::Compare(args.check()?),
            Self::Report(args) => Config::Report(args.check()?),
            Self::Generate(command) => Config::Generate(command.check()?),
            Self::Data(command) => Config::Data(command.check()?),
            Self::Completions(args) => Config::Completions(args.check()),
            Self::Man(args) => Config::Man(args.check()?),
        })
    }
}

impl Config {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match self {
            Self::Reproduce(config) => session.show(&config.run(session)?),
            Self::Inspect(config) => session.show(&config.run(session)?),
            Self::Census(config) => session.show(&config.run(session)?),
            Self::Motifs(config) => session.show(&config.run(session)?),
            Self::Significance(config) => session.show(&config.run(session)?),
            Self::Cluster(config) => session.show(&config.run(session)?),
            Self::Train(config) => session.show(&config.run(session)?),
            Self::Tune(config) => session.show(&config.run(session)?),
            Self::Evaluate(config) => session.show(&config.run(session)?),
            Self::Predict(config) => session.show(&config.run(session)?),
            Self::Embed(config) => session.show(&config.run(session)?),
            Self::Explain(config) => session.show(&config.run(session)?),
            Self::Settings(config) => session.show(&config.run()),
            Self::Compare(config) => session.show(&config.run(session)?),
            Self::Report(config) => session.show(&config.run(session)?),
            Self::Generate(config) => session.show(&config.run(session)?),
            Self::Data(config) => config.run(session),
            Self::Completions(config) => session.show(&config.run()),
            Self::Man(config) => session.show(&config.run()?),
        }
    }
}
