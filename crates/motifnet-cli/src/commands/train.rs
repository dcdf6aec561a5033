//! `motifnet train`: a model learns the classes of a data set's nodes.

use std::path::PathBuf;

use clap::Args;
use motifnet::experiment::SEARCH_FILE;
use motifnet::train::{CONFIG_FILE, RunFolder, Settings};
use serde::Serialize;

use super::plan_report::PlanReport;
use super::train_report::TrainReport;
use super::train_run::{Begin, Run, RunOrder, check_free, check_is_folder, refuse_other};
use super::train_watch::Watch;
use crate::failure::Failure;
use crate::read_data::read_data;
use crate::report::Report;
use crate::session::Session;
use crate::setting_args::SettingSources;

/// Train a model on a data set and say how good it is
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet train data/cora-ml --out run
  motifnet train --arcs arcs.csv --features people.csv --labels people.csv#team --out run
  motifnet train data/cora-ml --model chebnet --operator out --order 2 --repeat 10
  motifnet train data/telegram --heads 4 --order 2 --support edges --out run
  motifnet train data/cora-ml --motifs auto --split 20/10/70 --seed 7
  motifnet train --config run.toml --set train.lr=0.01 --out run
  motifnet train --resume run

A data set is a folder with a dataset.toml that names its files, one .npz archive, or files named one
by one. Settings come from flags and --set over the file of --config over defaults; `motifnet config`
prints them all. With --out the run is kept in a folder: config.toml, history.jsonl, checkpoints,
the model, metrics.json, timing.json. Ctrl-C gives up the epoch, saves the last whole one and says
how to go on.")]
pub(crate) struct TrainArgs {
    /// The folder of a data set, with a dataset.toml, or one .npz archive
    #[arg(value_name = "DATASET")]
    dataset: Option<PathBuf>,

    /// Keep the run in this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Replace the run that the folder of --out holds
    #[arg(long, requires = "out")]
    force: bool,

    #[command(flatten)]
    settings: SettingSources,

    /// Go on with the run in this folder, as it was begun
    #[arg(long, value_name = "RUN", conflicts_with_all = ["dataset", "out", "config", "set"])]
    resume: Option<PathBuf>,

    /// Only say what would be done: operators, parameters, memory, time
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
}

/// A run to make.
pub(crate) struct TrainCommand {
    settings: Settings,
    folder: Option<PathBuf>,
    begin: Begin,
    dry_run: bool,
}

impl TrainArgs {
    pub(crate) fn check(self) -> Result<TrainCommand, Failure> {
        if let Some(folder) = self.resume {
            if let Some(flag) = self.settings.first_flag() {
                let message = anyhow::anyhow!("a run goes on as it was begun, without {flag}");
                return Err(Failure::usage(message).hint("for another run, train with --out"));
            }
            let run = RunFolder::open(&folder).map_err(Failure::usage)?;
            let mut settings = Settings::default();
            settings.read(&run.file(CONFIG_FILE)).map_err(Failure::usage)?;
            let begin = Begin::Resume;
            return Ok(TrainCommand { settings, folder: Some(folder), begin, dry_run: false });
        }
        let settings = self.settings.gather_run(self.dataset.as_deref())?;
        let begin = if self.force { Begin::Replace } else { Begin::New };
        if let Some(out) = &self.out {
            check_is_folder(out)?;
            self.settings.inputs(&settings).check_out(RunFolder::at(out).all_files())?;
        }
        Ok(TrainCommand { settings, folder: self.out, begin, dry_run: self.dry_run })
    }
}

impl TrainCommand {
    pub(crate) fn run(&self, session: &Session) -> Result<TrainOutcome, Failure> {
        // First of all, so that a wrong name does not cost a long run.
        let claimed = match &self.folder {
            Some(path) if !self.dry_run => Some(RunFolder::claim(path).map_err(Failure::run)?),
            _ => None,
        };
        if let Some((folder, _)) = claimed.as_ref().filter(|_| self.begin != Begin::Resume) {
            // What a killed process was about to replace is there again.
            folder.settle().map_err(Failure::run)?;
        }
        // Only now: a run that is still being made is for its own process to talk about.
        if let Some(path) = &self.folder {
            if self.begin != Begin::Resume && path.join(SEARCH_FILE).is_file() {
                return Err(refuse_other(path, "a search"));
            }
            if self.begin == Begin::New {
                check_free(&RunFolder::at(path))?;
            }
        }
        let (folder, _claim) = claimed.unzip();
        self.run_in(folder, session)
    }

    fn run_in(
        &self,
        folder: Option<RunFolder>,
        session: &Session,
    ) -> Result<TrainOutcome, Failure> {
        let watch = Watch::start(None);
        let dataset = read_data(&self.settings.config().data, session)?;
        let settings = self.settings.clone();
        let order = RunOrder { settings, folder, begin: self.begin, watch };
        let run = Run::prepare(order, &dataset, session)?;
        run.tell();
        if self.dry_run {
            return Ok(TrainOutcome::Planned(run.plan()?));
        }
        let report = TrainReport { run: run.train()?, folder: self.folder.clone() };
        Ok(TrainOutcome::Trained(report))
    }
}

/// What `train` came to.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum TrainOutcome {
    Trained(TrainReport),
    Planned(PlanReport),
}

impl Report for TrainOutcome {
    fn text(&self) -> String {
        match self {
            Self::Trained(report) => report.text(),
            Self::Planned(report) => report.text(),
        }
    }
}
