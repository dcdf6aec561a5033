//! A training run as it goes: split by split, kept in its folder.

use std::path::Path;
use std::time::{Duration, Instant};

use motifnet::data::Split;
use motifnet::io::{EventFile, FolderClaim};
use motifnet::train::{
    CHECKPOINT_FILE, CONFIG_FILE, EVENTS_FOLDER, EventObserver, METRICS_FILE, PreparedRun,
    Recorder, RepeatConfig, RepeatReport, RunConfig, RunFolder, RunFolderError, RunReport,
    Settings, TIMING_FILE, TrainState, Trained, TrainedModel, wall_time,
};

use super::plan_report::PlanReport;
use super::train_watch::Watch;
use crate::failure::Failure;
use crate::interrupt::pause_on_interrupt;
use crate::session::Session;

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

/// Refuses a name that is no folder's.
pub(super) fn check_is_folder(out: &Path) -> Result<(), Failure> {
    if out.exists() && !out.is_dir() {
        let message = anyhow::anyhow!("{} is a file, not a folder", out.display());
        return Err(Failure::usage(message).hint("name a folder with --out"));
    }
    Ok(())
}

/// The refusal of a folder that holds something else: two results in one folder would be taken for each other.
pub(super) fn refuse_other(out: &Path, what: &str) -> Failure {
    let message = anyhow::anyhow!("{} holds {what}", out.display());
    Failure::usage(message).hint("name another folder with --out")
}

/// Refuses a folder that holds a run, or files under the names of one's, which were not asked to be replaced.
pub(super) fn check_free(folder: &RunFolder) -> Result<(), Failure> {
    let out = folder.path().display();
    if folder.holds_a_run() {
        return Err(Failure::usage(anyhow::anyhow!("{out} holds a run already")).hint(format!(
            "to go on with it: motifnet train --resume {out}; to replace it, add --force"
        )));
    }
    // A run writes its config.toml first, so without one nothing here was left by a run that was stopped.
    let Some(file) = folder.first_file() else { return Ok(()) };
    let message = anyhow::anyhow!("{} is there already", file.display());
    Err(Failure::usage(message).hint(format!(
        "{out} has no {CONFIG_FILE}, so it is no run's; name another folder, or add --force to replace it"
    )))
}

/// Refuses a part of a run that nothing says the settings of.
fn check_known(folder: &RunFolder) -> Result<(), Failure> {
    let Some(file) = folder.first_file() else { return Ok(()) };
    let message = anyhow::anyhow!(
        "{} is there, and no {CONFIG_FILE} says of which run it is",
        file.display()
    );
    Err(Failure::run(message).hint(format!(
        "put the {CONFIG_FILE} back, or move {} away to have it trained again",
        folder.path().display()
    )))
}

/// Begins a run in its folder: writes what was chosen. What an earlier run left must not be taken for this
/// one's, and is set aside until there is something of this one.
fn begin_folder(folder: &RunFolder, settings: &Settings, begin: Begin) -> Result<(), Failure> {
    if begin == Begin::Resume && folder.holds_a_run() {
        return Ok(());
    }
    if begin != Begin::Replace {
        // What was about to be replaced is there again, and was not asked to be.
        folder.settle().map_err(Failure::run)?;
    }
    match begin {
        Begin::New => check_free(folder)?,
        Begin::Resume if folder.holds_a_run() => return Ok(()),
        Begin::Resume => check_known(folder)?,
        Begin::Replace => {}
    }
    let text = settings.to_absolute_toml();
    let begun = folder.set_aside().and_then(|()| folder.write(CONFIG_FILE, text.as_bytes()));
    begun.map_err(|error| put_back(Failure::run(error), folder.settle()))
}

/// The failure of a run, with what is to be done if the run that it was to replace could not be put back.
fn put_back(failure: Failure, settled: Result<(), RunFolderError>) -> Failure {
    match settled {
        Ok(()) => failure,
        Err(error) => failure.hint(format!(
            "the run that was to be replaced could not be put back ({error}); it is in .replaced, and the \
             same command without --force puts it back"
        )),
    }
}

/// Refuses a split that was trained with other settings than its run gives it: what it came to would be told as a
/// result of the run.
fn check_split(split: &RunFolder, settings: &Settings, run: &RunFolder) -> Result<(), Failure> {
    let file = split.file(CONFIG_FILE);
    let mut kept = Settings::default();
    kept.read(&file).map_err(Failure::run)?;
    let of = |settings: &Settings| {
        let mut config = settings.config().clone();
        config.data = config.data.absolute();
        config
    };
    let (mut kept, given) = (of(&kept), of(settings));
    // These change no result.
    kept.run =
        RepeatConfig { repeat: kept.run.repeat, first_split: kept.run.first_split, ..given.run };
    kept.train.memory_limit = given.train.memory_limit;
    if split.file(CHECKPOINT_FILE).is_file() {
        // It knows the data by what is in it, wherever it lies by now.
        kept.data = given.data.clone();
    }
    if kept == given {
        return Ok(());
    }
    let of_run = run.file(CONFIG_FILE);
    let message =
        anyhow::anyhow!("{} is not what {} gives this split", file.display(), of_run.display());
    Err(Failure::run(message).hint(format!(
        "put the one that was changed back, or move {} away to have it trained again",
        split.path().display()
    )))
}

/// A run to make.
pub(super) struct RunOrder {
    pub(super) settings: Settings,
    pub(super) folder: Option<RunFolder>,
    pub(super) begin: Begin,
    pub(super) watch: Watch,
}

/// A run as it goes.
pub(super) struct Run<'a> {
    pub(super) settings: Settings,
    pub(super) begin: Begin,
    pub(super) prepared: PreparedRun<'a>,
    /// With their numbers.
    pub(super) splits: Vec<(usize, Split)>,
    pub(super) folder: Option<RunFolder>,
    pub(super) watch: Watch,
    pub(super) report: RunReport,
    pub(super) session: &'a Session,
}

impl Run<'_> {
    fn config(&self) -> &RunConfig {
        self.settings.config()
    }

    /// Says what was asked for in vain, and how features and operators were made.
    pub(super) fn tell(&self) {
        let config = self.config();
        for setting in config.without_effect() {
            let kind = config.model.kind;
            self.session.note(&format!("{setting} is set, and has no effect on {kind}"));
        }
        for step in &self.prepared.features().steps {
            self.session.remark(&format!("features: {step}"));
        }
        self.prepared.operators().notes.iter().for_each(|note| self.session.remark(note));
    }

    /// What it will take.
    pub(super) fn plan(&self) -> Result<PlanReport, Failure> {
        let plan = self.prepared.plan(&self.splits[0].1, self.config().train.seed)?;
        Ok(PlanReport::new(plan, self.config(), self.watch.since_start()))
    }

    /// Trains on all splits. Only now is an earlier run replaced: whatever could be wrong with the data and
    /// the model has been told.
    pub(super) fn train(mut self) -> Result<RunReport, Failure> {
        if let Some(folder) = &self.folder {
            if self.begin == Begin::Resume && folder.holds_a_run() && !folder.has_begun() {
                let path = folder.path().display();
                self.session.remark(&format!(
                    "{path}: stopped before its first checkpoint, so training begins anew"
                ));
            }
            begin_folder(folder, &self.settings, self.begin)?;
        }
        for (number, split) in std::mem::take(&mut self.splits) {
            let trained = self.repeat(number, &split);
            let Some(folder) = &self.folder else {
                trained?;
                continue;
            };
            match trained {
                // From now on there is something to go on from, and the run before is not needed.
                Ok(()) => folder.settle().map_err(Failure::run)?,
                Err(failure) if folder.has_begun() => {
                    return Err(put_back(failure, folder.settle()));
                }
                // It may yet be taken up again.
                Err(failure) if self.begin == Begin::Resume => return Err(failure),
                Err(failure) => return Err(put_back(failure, folder.discard_unless_begun())),
            }
        }
        Ok(self.report)
    }

    /// Trains on one split, or takes up where it was left, or only notes what is already there.
    fn repeat(&mut self, number: usize, split: &Split) -> Result<(), Failure> {
        let seed = self.config().train.seed.wrapping_add(number as u64);
        let (folder, claim) = self.begin_split(number)?;
        let resumed = folder.as_ref().filter(|_| self.begin == Begin::Resume);
        // Refuses a checkpoint of other data, be the split finished or not.
        let start = match resumed {
            Some(folder) => self.prepared.take_up(folder, split, seed)?,
            None => None,
        };
        let learns = self.config().model.network().is_some();
        if let Some(repeat) = finished(resumed, learns)? {
            drop(claim);
            self.report.add(repeat);
            return self.write_report();
        }
        let trained = self.train_split(split, seed, start, folder.as_ref())?;
        self.watch.repeated();
        let repeat = RepeatReport::new(number, split, seed, trained.metrics.clone());
        if let Some(folder) = &folder {
            self.prepared.write_model(&trained, folder)?;
            let report = self.report.of_one(&repeat);
            // A split may have been about to be replaced by itself.
            let written = folder.write_json(METRICS_FILE, &report);
            written.and_then(|()| folder.settle()).map_err(Failure::run)?;
        }
        // A run that tells of all its splits is taken for done, and nobody would tidy up after a kill.
        drop(claim);
        let at @ (_, n_repeats) = self.place();
        if n_repeats > 1 {
            self.watch.tell(at, &repeat.metrics, self.session);
        }
        self.report.add(repeat);
        if let Some(folder) = &self.folder {
            folder.write_json(TIMING_FILE, &self.watch.timing()).map_err(Failure::run)?;
        }
        self.write_report()
    }

    /// Which split it is, from 1, of how many.
    fn place(&self) -> (usize, usize) {
        (self.report.repeats.len() + 1, self.config().run.repeat)
    }

    /// The loop, shown, recorded, and paused when the user says so.
    fn train_split(
        &self,
        split: &Split,
        seed: u64,
        start: Option<TrainState>,
        folder: Option<&RunFolder>,
    ) -> Result<Trained, Failure> {
        let RunConfig { train, run, .. } = self.config();
        let history = match (&start, folder) {
            (Some(state), Some(folder)) => {
                folder.read_history(state.epoch).map_err(Failure::run)?
            }
            _ => Vec::new(),
        };
        let mut live = self.watch.observer(self.place(), train, history.len(), self.session);
        let events = match folder.filter(|_| run.tensorboard) {
            Some(folder) => Some(EventFile::create(folder.place(EVENTS_FOLDER), wall_time())?),
            None => None,
        };
        let mut events = EventObserver { file: events, then: &mut live };
        let mut recorder = Recorder {
            folder,
            fingerprint: self.prepared.fingerprint(split, seed),
            config: *train,
            every: Duration::from_secs_f64(run.checkpoint_seconds),
            pause: pause_on_interrupt(self.session),
            history,
            last: Instant::now(),
            then: &mut events,
        };
        let ended = self.prepared.run(split, seed, start, &mut recorder)?;
        let n_epochs = recorder.history.len();
        live.finish();
        ended.ok_or_else(|| self.paused(n_epochs))
    }

    /// What all splits so far have found.
    fn write_report(&self) -> Result<(), Failure> {
        match &self.folder {
            Some(folder) => folder.write_json(METRICS_FILE, &self.report).map_err(Failure::run),
            None => Ok(()),
        }
    }

    /// Makes the folder of one split, for this process alone, where there are several; else it is that of the
    /// run, which whoever began it has claimed.
    fn begin_split(
        &self,
        number: usize,
    ) -> Result<(Option<RunFolder>, Option<FolderClaim>), Failure> {
        let Some(folder) = &self.folder else { return Ok((None, None)) };
        if self.config().run.repeat == 1 {
            return Ok((Some(folder.clone()), None));
        }
        let mut settings = self.settings.clone();
        for (key, value) in [("run.repeat", 1), ("run.first_split", number as i64)] {
            settings.set(key, value.into(), "--repeat").map_err(Failure::usage)?;
        }
        let (split, claim) = folder.claim_split(number).map_err(Failure::run)?;
        begin_folder(&split, &settings, self.begin)?;
        if self.begin == Begin::Resume {
            check_split(&split, &settings, folder)?;
        }
        Ok((Some(split), Some(claim)))
    }

    fn paused(&self, n_epochs: usize) -> Failure {
        let message = match n_epochs {
            0 => anyhow::anyhow!("stopped before the first epoch was done"),
            _ => anyhow::anyhow!("paused after epoch {n_epochs}"),
        };
        match &self.folder {
            // A new folder goes with the run that it has nothing of.
            Some(folder) if n_epochs == 0 && !folder.has_begun() => {
                Failure::paused(message).hint("nothing is lost but that time")
            }
            Some(folder) => Failure::paused(message)
                .hint(format!("to go on: motifnet train --resume {}", folder.path().display())),
            None => Failure::paused(message)
                .hint("nothing was kept; with --out RUN a run can be taken up again"),
        }
    }
}

/// What a split found that came to its end. One whose model has been lost or damaged since goes on from its checkpoint,
/// which is at the end, and the model is written anew.
fn finished(folder: Option<&RunFolder>, learns: bool) -> Result<Option<RepeatReport>, Failure> {
    let is_whole = |folder: &&RunFolder| !learns || TrainedModel::read(folder).is_ok();
    let Some(folder) = folder.filter(is_whole) else { return Ok(None) };
    let report = folder.read_report().map_err(Failure::run)?;
    Ok(report.and_then(|report| match <[_; 1]>::try_from(report.repeats) {
        Ok([repeat]) => Some(repeat),
        Err(_) => None,
    }))
}
