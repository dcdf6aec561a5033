//! `motifnet tune`: which hyperparameters a model learns best with.

use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::experiment::{RandomSearch, SEARCH_FILE, SearchSpace, TRIALS_FILE, default_space};
use motifnet::train::{ModelKind, RunFolder, RunFolderError, Settings};
use serde::Serialize;

use super::train_run::{Begin, check_free, check_is_folder, refuse_other};
use super::tune_report::TuneReport;
use super::tune_run::{Tuning, numbered_folders, trial_folders};
use crate::failure::Failure;
use crate::report::Report;
use crate::session::Session;
use crate::setting_args::SettingSources;

/// Search for the hyperparameters that a model learns best with
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet tune data/cora-ml --out search
  motifnet tune data/telegram --support edges --trials 50 --repeat 3 --out search
  motifnet tune data/cora-ml --model chebnet --order 2 --out search
  motifnet tune --print-space > space.toml
  motifnet tune data/cora-ml --space space.toml --out search
  motifnet tune --resume search
  motifnet tune --resume search --trials 100

A random search: every trial draws order, motifs, heads, width, dropout, lr and decay, as far as the
model has them, and is trained to its end; none is broken off early. The best has the least
validation loss, the mean over the splits of --repeat; test nodes have no say. Without --space
these are tried: orders 1 to 3 (1 and 2 of polynomial), three sets of motifs, 1, 2 or 4 heads, width
32, 64 or 130, dropout 0.2 to 0.7, lr 0.0003 to 0.01 and decay 0.00001 to 0.01 by their logarithms;
a setting that a flag or --set gives is not searched. A space is the table [tune] of a TOML file,
with a list of choices or a range { from, to, log } for every key.

The folder of --out gets tune.toml, the search; trial-001 and so on, each a run as of `motifnet
train --out`; and tune.json, the trials so far. A trial that is too large or diverges is noted as
failed. Ctrl-C gives up the epoch, saves the last whole one and says how to go on; the result is the
same.")]
pub(crate) struct TuneArgs {
    /// The folder of a data set, with a dataset.toml, or one .npz archive
    #[arg(value_name = "DATASET")]
    dataset: Option<PathBuf>,

    /// Keep the search in this folder
    #[arg(long, value_name = "DIR", required_unless_present_any = ["resume", "print_space"])]
    out: Option<PathBuf>,

    /// Replace the search that the folder of --out holds, with all its trials
    #[arg(long, requires = "out")]
    force: bool,

    /// How many trials [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    trials: Option<u32>,

    /// Search what the table [tune] of this file says
    #[arg(long, value_name = "FILE")]
    space: Option<PathBuf>,

    #[command(flatten)]
    settings: SettingSources,

    /// Go on with the search in this folder, as it was begun or with more --trials
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["dataset", "out", "space", "config", "set"]
    )]
    resume: Option<PathBuf>,

    /// Only print what is searched without --space
    #[arg(long, conflicts_with_all = ["resume", "out", "space", "trials"])]
    print_space: bool,
}

const DEFAULT_TRIALS: u32 = 20;

/// What is to be done.
pub(crate) enum TuneCommand {
    Search(Box<Search>),
    PrintSpace(SpaceReport),
}

/// A search to make.
pub(crate) struct Search {
    pub(super) plan: RandomSearch,
    pub(super) folder: PathBuf,
    pub(super) begin: Begin,
}

impl TuneArgs {
    pub(crate) fn check(self) -> Result<TuneCommand, Failure> {
        if let Some(folder) = &self.resume {
            return Ok(TuneCommand::Search(Box::new(self.check_resumed(folder)?)));
        }
        if self.print_space {
            let settings = self.settings.gather(self.dataset.as_deref())?;
            let (space, text) = self.default_space(&settings)?;
            return Ok(TuneCommand::PrintSpace(SpaceReport { tune: space, text }));
        }
        let base = self.settings.gather_run(self.dataset.as_deref())?;
        let space = match &self.space {
            Some(file) => self.read_space(file, &base)?,
            None => self.default_space(&base)?.0,
        };
        let n_trials = self.trials.unwrap_or(DEFAULT_TRIALS) as usize;
        let begin = if self.force { Begin::Replace } else { Begin::New };
        let folder = self.out.unwrap_or_default();
        check_is_folder(&folder)?;
        let inputs = self.settings.inputs(&base);
        let inputs = match &self.space {
            Some(file) => inputs.with(file, "the file of --space"),
            None => inputs,
        };
        inputs.check_out([SEARCH_FILE, TRIALS_FILE].map(|name| folder.join(name)))?;
        let trials = numbered_folders(&folder);
        let files = trials.iter().flat_map(|trial| RunFolder::at(trial).all_files());
        inputs.check_out(files)?;
        if self.force {
            // They are removed with all that is in them.
            trial_folders(&folder).iter().try_for_each(|trial| inputs.check_removed(trial))?;
        }
        let plan = RandomSearch { base, space, n_trials };
        Ok(TuneCommand::Search(Box::new(Search { plan, folder, begin })))
    }

    fn check_resumed(&self, folder: &Path) -> Result<Search, Failure> {
        if let Some(flag) = self.settings.first_flag() {
            let message = anyhow::anyhow!("a search goes on as it was begun, without {flag}");
            return Err(Failure::usage(message).hint("for another search, tune with --out"));
        }
        let file = folder.join(SEARCH_FILE);
        if !file.is_file() {
            let message =
                anyhow::anyhow!("{}: no search: it has no {SEARCH_FILE}", folder.display());
            return Err(
                Failure::usage(message).hint("name a folder that `motifnet tune --out` wrote")
            );
        }
        let mut plan = RandomSearch::read(&file).map_err(Failure::usage)?;
        if let Some(n_trials) = self.trials.map(|trials| trials as usize) {
            if n_trials < plan.n_trials {
                let message = anyhow::anyhow!(
                    "{}: a search of {} trials does not go on with {n_trials}",
                    folder.display(),
                    plan.n_trials
                );
                return Err(Failure::usage(message).hint("pass more to --trials, or leave it out"));
            }
            plan.n_trials = n_trials;
        }
        Ok(Search { plan, folder: folder.to_owned(), begin: Begin::Resume })
    }

    /// What is searched without --space, and the same as text.
    fn default_space(&self, settings: &Settings) -> Result<(SearchSpace, String), Failure> {
        let model = settings.config().model.kind;
        check_model(model)?;
        let keys = ["model.order", "model.motifs", "model.heads", "model.width", "model.dropout"];
        let keys = keys.into_iter().chain(["train.lr", "train.decay"]);
        let held: Vec<&str> = keys.filter(|key| self.settings.typed(key).is_some()).collect();
        let text = default_space(model, &held);
        let space = SearchSpace::parse(&text).map_err(|error| {
            Failure::usage(error).hint("take out a flag, for what one gives is not searched")
        })?;
        Ok((space, text))
    }

    fn read_space(&self, file: &Path, settings: &Settings) -> Result<SearchSpace, Failure> {
        check_model(settings.config().model.kind)?;
        let space = SearchSpace::read(file).map_err(Failure::usage)?;
        let typed = space.keys().find_map(|key| self.settings.typed(key));
        if let Some(typed) = typed {
            let message = anyhow::anyhow!("{} searches what {typed} gives", file.display());
            return Err(Failure::usage(message).hint("take it out of the one or the other"));
        }
        Ok(space)
    }
}

/// Refuses a model that has no loss to search by.
fn check_model(model: ModelKind) -> Result<(), Failure> {
    if model != ModelKind::Labelprop {
        return Ok(());
    }
    let message = anyhow::anyhow!("{model} learns nothing, so there is nothing to tune");
    Err(Failure::usage(message).hint("choose another --model"))
}

/// Refuses a folder that holds a run, or a search which was not asked to be replaced.
pub(super) fn check_out(out: &Path, begin: Begin) -> Result<(), Failure> {
    if begin == Begin::Resume {
        return Ok(());
    }
    if matches!(RunFolder::open(out), Ok(_) | Err(RunFolderError::SetAside(_))) {
        return Err(refuse_other(out, "a run"));
    }
    if begin == Begin::Replace {
        return Ok(());
    }
    if out.join(SEARCH_FILE).exists() {
        let message = anyhow::anyhow!("{} holds a search already", out.display());
        let resume = format!("motifnet tune --resume {}", out.display());
        return Err(Failure::usage(message)
            .hint(format!("to go on with it: {resume}; to replace it, add --force")));
    }
    // Trials of a search that is gone would be taken for this one's.
    let table = Some(out.join(TRIALS_FILE)).filter(|table| table.exists());
    if let Some(other) = trial_folders(out).first().or(table.as_ref()) {
        let message = anyhow::anyhow!("{} is there already", other.display());
        return Err(Failure::usage(message)
            .hint("name another folder with --out, or add --force to replace all trials"));
    }
    numbered_folders(out).iter().try_for_each(|trial| check_free(&RunFolder::at(trial)))
}

impl TuneCommand {
    pub(crate) fn run(&self, session: &Session) -> Result<TuneOutcome, Failure> {
        match self {
            Self::Search(search) => Tuning::run(search, session).map(TuneOutcome::Found),
            Self::PrintSpace(space) => Ok(TuneOutcome::Space(space.clone())),
        }
    }
}

/// What `tune` came to.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum TuneOutcome {
    Found(TuneReport),
    Space(SpaceReport),
}

impl Report for TuneOutcome {
    fn text(&self) -> String {
        match self {
            Self::Found(report) => report.text(),
            Self::Space(report) => report.text.clone(),
        }
    }
}

/// What is searched.
#[derive(Clone, Serialize)]
pub(crate) struct SpaceReport {
    tune: SearchSpace,
    #[serde(skip)]
    text: String,
}
