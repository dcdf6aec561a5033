//! `motifnet train`: a model learns the classes of a data set's nodes.

use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::data::{NodeDataset, Split, SplitError, SplitRule, read_source};
use motifnet::train::{CONFIG_FILE, PreparedRun, RunFolder, RunReport, Settings};

use super::train_report::TrainReport;
use super::train_run::{Run, begin_folder};
use super::train_watch::Watch;
use crate::failure::Failure;
use crate::session::Session;
use crate::setting_args::SettingArgs;

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
the model, metrics.json, timing.json. Ctrl-C finishes the epoch, saves and says how to go on.")]
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

    /// Take settings from this file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Make one setting, as train.lr=0.01; any number of times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Go on with the run in this folder, as it was begun
    #[arg(long, value_name = "RUN", conflicts_with_all = ["dataset", "out", "config", "set"])]
    resume: Option<PathBuf>,

    /// Only say what would be done: operators, parameters, memory, time
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,

    #[command(flatten)]
    settings: SettingArgs,
}

/// A run to make.
pub(crate) struct TrainCommand {
    pub(super) settings: Settings,
    pub(super) folder: Option<PathBuf>,
    pub(super) begin: Begin,
    dry_run: bool,
}

/// How a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// Where nothing is yet.
    New,
    /// In place of what is there.
    Replace,
    /// Where it left off.
    Resume,
}

impl TrainArgs {
    pub(crate) fn check(self) -> Result<TrainCommand, Failure> {
        let mut settings = Settings::default();
        if let Some(folder) = self.resume {
            if let Some(flag) = self.settings.first() {
                let message = anyhow::anyhow!("a run goes on as it was begun, without {flag}");
                return Err(Failure::usage(message).hint("for another run, train with --out"));
            }
            let run = RunFolder::open(&folder).map_err(Failure::usage)?;
            settings.read(&run.file(CONFIG_FILE)).map_err(Failure::usage)?;
            let begin = Begin::Resume;
            return Ok(TrainCommand { settings, folder: Some(folder), begin, dry_run: false });
        }
        if let Some(file) = &self.config {
            settings.read(file).map_err(Failure::usage)?;
        }
        for text in &self.set {
            settings.set_text(text, "--set").map_err(Failure::usage)?;
        }
        if let Some(dataset) = &self.dataset {
            let path = dataset.display().to_string();
            settings.set("data.dataset", path.into(), "DATASET").map_err(Failure::usage)?;
        }
        self.settings.apply(&mut settings).map_err(Failure::usage)?;
        let data = &settings.config().data;
        if data.dataset.is_none() && data.arcs.is_none() {
            let message = anyhow::anyhow!("there is no data set to train on");
            return Err(Failure::usage(message)
                .hint("name a folder, or files with --arcs, --features and --labels"));
        }
        let begin = if self.force { Begin::Replace } else { Begin::New };
        if let Some(out) = &self.out {
            check_out(out, begin)?;
        }
        Ok(TrainCommand { settings, folder: self.out, begin, dry_run: self.dry_run })
    }
}

/// Refuses a folder that is none, or that holds a run which was not asked to be replaced.
fn check_out(out: &Path, begin: Begin) -> Result<(), Failure> {
    if out.exists() && !out.is_dir() {
        let message = anyhow::anyhow!("{} is a file, not a folder", out.display());
        return Err(Failure::usage(message).hint("name a folder with --out"));
    }
    if begin == Begin::New && RunFolder::open(out).is_ok() {
        let message = anyhow::anyhow!("{} holds a run already", out.display());
        let resume = format!("motifnet train --resume {}", out.display());
        return Err(Failure::usage(message)
            .hint(format!("to go on with it: {resume}; to replace it, add --force")));
    }
    Ok(())
}

impl TrainCommand {
    pub(crate) fn run(&self, session: &Session) -> Result<TrainReport, Failure> {
        // First of all, so that a wrong name does not cost a long run.
        let folder = match &self.folder {
            Some(path) => Some(begin_folder(path, &self.settings, self.begin)?),
            None => None,
        };
        let mut watch = Watch::start();
        let config = self.settings.config();
        let here = Path::new("");
        let dataset = read_source(&config.data, here, session.progress()).map_err(Failure::run)?;
        session.remark(dataset.contract.to_string().trim_end());
        dataset.notes.iter().for_each(|note| session.note(note));
        let rule = split_rule(&dataset)?;
        // Splits are drawn before any work: one that is not there is told at once.
        let first = config.run.first_split;
        let splits = (first..first + config.run.repeat)
            .map(|number| Ok((number, rule.split(&dataset.labels, number, config.train.seed)?)));
        let splits: Result<Vec<(usize, Split)>, SplitError> = splits.collect();
        let splits = splits.map_err(Failure::run)?;
        let cache = folder.as_ref().map(RunFolder::path);
        let prepared = PreparedRun::new(&dataset, config, cache, session.progress())?;
        for step in &prepared.features().steps {
            session.remark(&format!("features: {step}"));
        }
        prepared.operators().notes.iter().for_each(|note| session.remark(note));
        watch.prepared();

        let report = RunReport::new(&dataset, config, rule.to_string());
        let mut run = Run { command: self, prepared, folder, watch, report, session };
        for (number, split) in &splits {
            run.repeat(*number, split)?;
        }
        Ok(TrainReport { run: run.report, folder: self.folder.clone() })
    }
}

fn split_rule(dataset: &NodeDataset) -> Result<&SplitRule, Failure> {
    dataset.split.as_ref().ok_or_else(|| {
        let message = anyhow::anyhow!("the data set {} has no split of its own", dataset.name);
        Failure::run(message).hint("pass one, as --split 10/10/10 or --split 60/20/20")
    })
}
