//! A search as it goes: trial by trial, kept in its folder.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use motifnet::data::NodeDataset;
use motifnet::experiment::{Outcome, RandomSearch, SEARCH_FILE, TRIALS_FILE, Trial, TrialTable};
use motifnet::io::{FolderClaim, Place};
use motifnet::train::{CONFIG_FILE, MotifChoice, RunFolder, Settings, TrainError};

use super::train_run::{Begin, Run, RunOrder};
use super::train_watch::Watch;
use super::tune::{Search, check_out};
use super::tune_report::TuneReport;
use crate::failure::Failure;
use crate::interrupt::pause_on_interrupt;
use crate::read_data::read_data;
use crate::session::Session;

/// A search as it goes.
pub(super) struct Tuning<'a> {
    plan: &'a RandomSearch,
    begin: Begin,
    folder: RunFolder,
    dataset: NodeDataset,
    /// The trials so far.
    table: TrialTable,
    /// What an earlier part of the search has noted.
    before: Option<TrialTable>,
    /// Whether a trial has said how features are made, which is the same for all.
    has_told: bool,
    session: &'a Session,
    pause: &'static AtomicBool,
}

impl<'a> Tuning<'a> {
    /// Makes all trials that are not there yet.
    pub(super) fn run(search: &'a Search, session: &'a Session) -> Result<TuneReport, Failure> {
        let Search { plan, folder, begin } = search;
        // First of all, so that a wrong name does not cost a long search; an earlier one is replaced only
        // when the data is there.
        let (folder, _claim) = RunFolder::claim(folder).map_err(Failure::run)?;
        check_out(folder.path(), *begin)?;
        let config = plan.base.config();
        let dataset = read_data(&config.data, session)?;
        begin_search(&folder, plan, *begin)?;
        let before = match begin {
            Begin::Resume => TrialTable::read(&folder.file(TRIALS_FILE)).map_err(Failure::run)?,
            Begin::New | Begin::Replace => None,
        };
        let table = TrialTable {
            dataset: dataset.name.clone(),
            model: config.model.kind,
            seed: config.train.seed,
            n_trials: plan.n_trials,
            best: None,
            trials: Vec::new(),
        };
        let (begin, pause) = (*begin, pause_on_interrupt(session));
        let has_told = false;
        let mut tuning =
            Self { plan, begin, folder, dataset, table, before, has_told, session, pause };
        for number in 0..plan.n_trials {
            tuning.trial(number)?;
        }
        tuning.report()
    }

    fn trial(&mut self, number: usize) -> Result<(), Failure> {
        let (drawn, settings) = self.plan.trial(number).map_err(Failure::usage)?;
        let folder = RandomSearch::folder_of(number);
        let path = self.folder.file(&folder);
        let (outcome, is_new) = match self.known(number, &drawn, &settings)? {
            Some(outcome) => (outcome, false),
            None => (self.train(number, &path, settings)?, true),
        };
        let trial = Trial { folder, settings: drawn, outcome };
        self.table.add(trial.clone());
        self.folder.write_json(TRIALS_FILE, &self.table).map_err(Failure::run)?;
        if is_new {
            self.tell(&trial);
        }
        Ok(())
    }

    /// What a trial of a search that is taken up came to, if it came to anything.
    fn known(
        &self,
        number: usize,
        drawn: &toml::Table,
        settings: &Settings,
    ) -> Result<Option<Outcome>, Failure> {
        if self.begin != Begin::Resume {
            return Ok(None);
        }
        let place = self.place_of(number);
        if RunFolder::open(place.path()).is_ok() {
            // What a dead process left of its claim goes with ours.
            let (run, _claim) = RunFolder::claim(&place).map_err(Failure::run)?;
            check_settings(&run, settings)?;
            let report = run.read_report().map_err(Failure::run)?;
            let is_whole = |n_repeats| n_repeats == settings.config().run.repeat;
            if let Some(report) = report.filter(|report| is_whole(report.repeats.len())) {
                return Ok(Outcome::of(&report));
            }
        }
        let folder = RandomSearch::folder_of(number);
        let noted = self.before.as_ref().and_then(|before| {
            before.trials.iter().find(|trial| trial.folder == folder && &trial.settings == drawn)
        });
        let noted = noted.map(|trial| trial.outcome.clone());
        // One that came to its end is known from its folder alone: there its model is, too. One that lacked memory
        // may have it now.
        let is_final =
            |outcome: &Outcome| matches!(outcome, Outcome::Failed { lacks_memory: false, .. });
        Ok(noted.filter(is_final))
    }

    /// Trains a trial, from where it was left if it was begun.
    fn train(
        &mut self,
        number: usize,
        path: &Path,
        settings: Settings,
    ) -> Result<Outcome, Failure> {
        if self.pause.load(Ordering::Relaxed) {
            return Err(self.paused(number));
        }
        let folder = RunFolder::claim(self.place_of(number)).map_err(Failure::run);
        let result = folder.and_then(|(folder, _claim)| {
            let watch = Watch::start(Some(self.title(number)));
            let order = RunOrder { settings, folder: Some(folder), begin: self.begin, watch };
            let run = Run::prepare(order, &self.dataset, self.session)?;
            if !std::mem::replace(&mut self.has_told, true) {
                run.tell();
            }
            run.train()
        });
        let failure = match result {
            Ok(report) => {
                return Outcome::of(&report).ok_or_else(|| {
                    Failure::run(anyhow::anyhow!("{} has no validation loss", path.display()))
                });
            }
            Err(failure) => failure,
        };
        if failure.is_paused() {
            return Err(self.paused(number));
        }
        match failure.cause::<TrainError>() {
            Some(error) if error.is_due_to_the_model() => {
                // A bar that the failure left standing is taken down.
                self.session.progress().end();
                let lacks_memory = matches!(error, TrainError::Memory(_));
                Ok(Outcome::Failed { message: error.to_string(), lacks_memory })
            }
            _ => Err(failure.hint(format!("to go on after that: {}", self.resume_line()))),
        }
    }

    fn place_of(&self, number: usize) -> Place {
        self.folder.place(RandomSearch::folder_of(number))
    }

    /// Which trial it is, and the best so far.
    fn title(&self, number: usize) -> String {
        let best = self.table.best().and_then(Trial::val_loss);
        let best = best.map_or(String::new(), |loss| format!(", best {loss:.4}"));
        format!("trial {} of {}{best}", number + 1, self.plan.n_trials)
    }

    fn tell(&self, trial: &Trial) {
        let at = format!("trial {} of {}", self.table.trials.len(), self.plan.n_trials);
        match &trial.outcome {
            Outcome::Done { val_loss, val_accuracy, .. } => {
                let is_best = self.table.best.as_ref() == Some(&trial.folder);
                let best = if is_best { ", the best so far" } else { "" };
                self.session.remark(&format!(
                    "{at}: validation loss {val_loss:.4}, accuracy {val_accuracy:.4}{best}"
                ));
            }
            Outcome::Failed { message, .. } => {
                self.session.note(&format!("{at} failed: {message}"));
            }
        }
    }

    fn resume_line(&self) -> String {
        format!("motifnet tune --resume {}", self.folder.path().display())
    }

    fn paused(&self, number: usize) -> Failure {
        let at = format!("paused in trial {} of {}", number + 1, self.plan.n_trials);
        Failure::paused(anyhow::anyhow!(at)).hint(format!("to go on: {}", self.resume_line()))
    }

    fn report(self) -> Result<TuneReport, Failure> {
        let best = self
            .table
            .trials
            .iter()
            .position(|trial| self.table.best.as_ref() == Some(&trial.folder));
        let Some(best) = best else {
            let first = self.table.trials.first().map(|trial| &trial.outcome);
            let why = match first {
                Some(Outcome::Failed { message, .. }) => format!("; the first: {message}"),
                _ => String::new(),
            };
            let lacks_memory =
                |trial: &Trial| matches!(trial.outcome, Outcome::Failed { lacks_memory: true, .. });
            let hint = match self.table.trials.iter().any(lacks_memory) {
                true => format!(
                    "search something smaller, with --space; with more memory: {}",
                    self.resume_line()
                ),
                false => "search something else, with --space".to_owned(),
            };
            let message =
                anyhow::anyhow!("none of the {} trials came to a result{why}", self.plan.n_trials);
            return Err(Failure::run(message).hint(hint));
        };
        let (_, settings) = self.plan.trial(best).map_err(Failure::usage)?;
        Ok(TuneReport::new(self.table, self.folder.path(), &settings))
    }
}

/// Refuses a trial that was begun with other settings than the search gives it now.
fn check_settings(run: &RunFolder, settings: &Settings) -> Result<(), Failure> {
    let file = run.file(CONFIG_FILE);
    let mut kept = Settings::default();
    kept.read(&file).map_err(Failure::run)?;
    let (mut kept, settings) = (kept.config().clone(), settings.config());
    // The trial has found them since.
    if settings.model.motifs == MotifChoice::Auto {
        kept.model.motifs = MotifChoice::Auto;
    }
    if kept == *settings {
        return Ok(());
    }
    let message = anyhow::anyhow!("{} is not what {SEARCH_FILE} gives this trial", file.display());
    Err(Failure::run(message).hint("put the one that was changed back, or tune with --out anew"))
}

/// Clears the folder of a search of what is to be replaced, and writes what it is.
fn begin_search(folder: &RunFolder, plan: &RandomSearch, begin: Begin) -> Result<(), Failure> {
    if begin == Begin::Replace {
        let trials = trial_folders(folder.path());
        // Another process may go on with a trial by itself: then none is removed.
        let claim = |trial: &Path| {
            let name = trial.file_name().unwrap_or_default();
            FolderClaim::take(folder.place(name)).map_err(Failure::run)
        };
        trials.iter().try_for_each(|trial| claim(trial).map(drop))?;
        for trial in trials {
            let _claim = claim(&trial)?;
            std::fs::remove_dir_all(&trial).map_err(|error| {
                Failure::run(error).context(format!("{} cannot be replaced", trial.display()))
            })?;
        }
    }
    if begin != Begin::Resume {
        let table = folder.file(TRIALS_FILE);
        match std::fs::remove_file(&table) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                let context = format!("{} cannot be replaced", table.display());
                return Err(Failure::run(error).context(context));
            }
            _ => {}
        }
    }
    folder.write(SEARCH_FILE, plan.to_toml().as_bytes()).map_err(Failure::run)
}

/// The folders of trials in that of a search, in the order of their names.
pub(super) fn trial_folders(search: &Path) -> Vec<PathBuf> {
    let mut trials = numbered_folders(search);
    trials.retain(|path| RunFolder::open(path).is_ok());
    trials
}

/// All that is called as a trial in the folder of a search, be it one or not, in the order of the names.
pub(super) fn numbered_folders(search: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(search).into_iter().flatten().flatten();
    let is_numbered = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let number = name.strip_prefix("trial-").unwrap_or_default();
        number.len() >= 3 && number.bytes().all(|byte| byte.is_ascii_digit()) && path.is_dir()
    };
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_numbered).collect();
    found.sort();
    found
}
