//! `motifnet train`: a model learns the classes of a data set's nodes.

use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::data::{NodeDataset, Split, SplitError, SplitRule};
use motifnet::train::{
    CONFIG_FILE, ModelKind, MotifChoice, PreparedRun, RunConfig, RunFolder, RunReport, Settings,
    select_motifs,
};
use serde::Serialize;

use super::plan_report::PlanReport;
use super::train_report::TrainReport;
use super::train_run::{Run, begin_folder};
use super::train_watch::{Live, Pausing, Watch};
use crate::failure::Failure;
use crate::interrupt::pause_on_interrupt;
use crate::read_data::read_data;
use crate::report::Report;
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
    settings: Settings,
    folder: Option<PathBuf>,
    begin: Begin,
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
    pub(crate) fn run(&self, session: &Session) -> Result<TrainOutcome, Failure> {
        // First of all, so that a wrong name does not cost a long run.
        let folder = match &self.folder {
            Some(path) if !self.dry_run => Some(begin_folder(path, &self.settings, self.begin)?),
            _ => None,
        };
        let outcome = self.run_in(folder.as_ref(), session);
        if let (Err(_), Some(folder), true) = (&outcome, &folder, self.begin != Begin::Resume) {
            folder.discard_unless_begun();
        }
        outcome
    }

    fn run_in(
        &self,
        folder: Option<&RunFolder>,
        session: &Session,
    ) -> Result<TrainOutcome, Failure> {
        let mut watch = Watch::start();
        let dataset = read_data(&self.settings.config().data, session)?;
        let rule = split_rule(&dataset)?;
        // Splits are drawn before any work: one that is not there is told at once.
        let splits = self.splits(rule, &dataset)?;
        let settings = self.choose_motifs(&dataset, &splits[0].1, folder, session)?;
        let config = settings.config();
        let cache = folder.map(RunFolder::path);
        let prepared = PreparedRun::new(&dataset, config, cache, session.progress())?;
        for step in &prepared.features().steps {
            session.remark(&format!("features: {step}"));
        }
        prepared.operators().notes.iter().for_each(|note| session.remark(note));
        watch.prepared();
        if self.dry_run {
            let plan = prepared.plan(&splits[0].1, config.train.seed)?;
            return Ok(TrainOutcome::Planned(PlanReport::new(plan, config, watch.since_start())));
        }

        let report = RunReport::new(&dataset, config, rule.to_string());
        let begin = self.begin;
        let mut run = Run { settings, begin, prepared, folder, watch, report, session };
        for (number, split) in &splits {
            run.repeat(*number, split)?;
        }
        let report = TrainReport { run: run.report, folder: self.folder.clone() };
        Ok(TrainOutcome::Trained(report))
    }

    fn splits(
        &self,
        rule: &SplitRule,
        dataset: &NodeDataset,
    ) -> Result<Vec<(usize, Split)>, Failure> {
        let RunConfig { run, train, .. } = self.settings.config();
        let numbers = run.first_split..run.first_split.saturating_add(run.repeat);
        let splits = numbers
            .map(|number| Ok((number, rule.split(&dataset.labels, number, train.seed)?)))
            .collect::<Result<Vec<_>, SplitError>>();
        splits.map_err(Failure::run)
    }

    /// The settings with the operators that were found, if they are to be found.
    fn choose_motifs(
        &self,
        dataset: &NodeDataset,
        split: &Split,
        folder: Option<&RunFolder>,
        session: &Session,
    ) -> Result<Settings, Failure> {
        let config = self.settings.config();
        let model = &config.model;
        let has_motifs = matches!(model.kind, ModelKind::MotifnetM | ModelKind::Polynomial);
        if model.motifs != MotifChoice::Auto || !has_motifs {
            return Ok(self.settings.clone());
        }
        let mut live = Live::begin("choosing motifs".to_owned(), config.train.epochs, 0, session);
        let mut pausing = Pausing { pause: pause_on_interrupt(), then: &mut live };
        let found = select_motifs(dataset, config, split, &mut pausing, session.progress())?;
        live.finish();
        let Some(found) = found else {
            let message = anyhow::anyhow!("stopped while the motifs were being chosen");
            return Err(Failure::paused(message).hint("nothing is lost but that time"));
        };
        let chosen = MotifChoice::These(found.kept.clone()).to_string();
        let shares = found.attention.iter().map(|(kind, share)| format!("{kind} {share:.3}"));
        session.remark(&format!("attention: {}", shares.collect::<Vec<_>>().join(", ")));
        if !found.too_dense.is_empty() {
            let names: Vec<_> = found.too_dense.iter().map(|kind| kind.name()).collect();
            session.note(&format!("{}: too dense to be tried", names.join(", ")));
        }
        session.remark(&format!("motifs: {chosen}"));
        let mut settings = self.settings.clone();
        settings.set("model.motifs", chosen.into(), "--motifs auto").map_err(Failure::usage)?;
        if let Some(folder) = folder {
            let text = settings.to_absolute_toml();
            folder.write(CONFIG_FILE, text.as_bytes()).map_err(Failure::run)?;
        }
        Ok(settings)
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

fn split_rule(dataset: &NodeDataset) -> Result<&SplitRule, Failure> {
    dataset.split.as_ref().ok_or_else(|| {
        let message = anyhow::anyhow!("the data set {} has no split of its own", dataset.name);
        Failure::run(message).hint("pass one, as --split 10/10/10 or --split 60/20/20")
    })
}
