//! The trainings, side by side, each kept as soon as it is finished.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::claim::Claim;
use super::contestant::Contestant;
use super::entry::Entry;
use super::entry_folder::{EntryFolder, RUNS};
use super::error::PaperError;
use super::plan::PaperPlan;
use super::published::is_cora_full;
use super::results::{EntryResult, PaperResults};
use super::selection::Selection;
use crate::data::{NodeDataset, Split};
use crate::io::{FolderClaim, Place};
use crate::motif::MotifKind;
use crate::progress::{Progress, Unit};
use crate::threads::side_by_side;
use crate::train::{
    PreparedRun, Quiet, Recorder, RepeatReport, RunConfig, RunFolder, RunFolderError, RunReport,
    Settings, TrainError,
};

/// What the trainings of a folder have in common, written before any of them.
pub const PLAN_FILE: &str = "evaluation.toml";

/// The paper's evaluation on a data set, in a folder.
///
/// Trainings run side by side, one a thread: the networks are small, and two trainings on one thread
/// each are sooner done than one after the other on two; fewer where memory holds no more. What comes of them is the
/// same.
pub struct PaperRun<'a> {
    /// What is learnt from.
    pub dataset: &'a NodeDataset,
    /// What is trained.
    pub plan: &'a PaperPlan,
    /// Where every finished training is kept.
    pub folder: &'a Path,
    /// Whether the trainings that are there are removed, once it is known that others can be made.
    pub begins_anew: bool,
    /// Set when the evaluation is to pause.
    pub pause: &'a AtomicBool,
    /// Who is told how far it is.
    pub progress: &'a dyn Progress,
}

/// A contestant at an order, ready to be trained.
struct Prepared<'a> {
    entry: Entry,
    folder: EntryFolder,
    run: PreparedRun<'a>,
    /// What its trainings came to, split by split.
    outcomes: Vec<OnceLock<Outcome>>,
}

/// What a training came to.
enum Outcome {
    Done(RepeatReport),
    /// It cannot be trained: it is too large, or its loss ceased to be a number.
    Failed(String),
}

impl<'a> PaperRun<'a> {
    /// Trains what is not there yet and gives the results; `None` if it was paused.
    ///
    /// # Errors
    /// If the folder holds another evaluation, the data cannot be learnt from, or a file fails.
    pub fn run(&self) -> Result<Option<PaperResults>, PaperError> {
        let splits = self.splits()?;
        let first = self.config(Entry { contestant: Contestant::Candidates, order: 1 }, &[]);
        let shared = PreparedRun::new(self.dataset, &first, None, self.progress)?;
        self.begin(&shared, &splits[0])?;
        let entries = self.plan.entries();
        let (last, early): (Vec<Entry>, Vec<Entry>) =
            entries.iter().partition(|entry| entry.contestant == Contestant::Selected);
        let mut prepared = self.prepare(&early, &shared, &[])?;
        let n_after = last.len() * splits.len();
        if !self.train(&prepared, &splits, n_after)? {
            return Ok(None);
        }
        let selection = select(&prepared)?;
        // These wait for the selection.
        let selected = self.prepare(&last, &shared, &selection.kept)?;
        if !self.train(&selected, &splits, 0)? {
            return Ok(None);
        }
        prepared.extend(selected);
        prepared.sort_by_key(|one| entries.iter().position(|&entry| entry == one.entry));
        self.results(&prepared, selection, &shared).map(Some)
    }

    /// Removes the trainings of an evaluation from the folder; what else is there is left alone.
    fn clear(&self) -> Result<(), PaperError> {
        let entries = self.entry_folders();
        // Another process may go on with one by itself: then none is removed.
        for folder in &entries {
            let _claim = self.claim(folder)?;
            folder.each_split(|_| Ok(()))?;
        }
        for folder in &entries {
            let claim = self.claim(folder)?;
            folder.clear_with_told()?;
            drop(claim);
            folder.remove_if_empty();
        }
        Ok(())
    }

    fn claim(&self, entry: &RunFolder) -> Result<FolderClaim, RunFolderError> {
        let name = Path::new(RUNS).join(entry.path().file_name().unwrap_or_default());
        RunFolder::claim(Place::within(self.folder, name)).map(|(_, claim)| claim)
    }

    /// The folders that are called as an entry of any evaluation.
    fn entry_folders(&self) -> Vec<RunFolder> {
        let entries = std::fs::read_dir(self.folder.join(RUNS)).into_iter().flatten().flatten();
        // Of the entry itself: a link leads to the trainings of another.
        let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        let paths = folders.map(|entry| entry.path());
        let mut paths: Vec<PathBuf> = paths.filter(|path| Entry::is_name(path)).collect();
        paths.sort();
        paths.iter().map(|path| RunFolder::at(path)).collect()
    }

    /// Refuses trainings that no evaluation has made: what is there would be replaced.
    fn check_runs(&self) -> Result<(), PaperError> {
        let runs = self.folder.join(RUNS);
        // The file is written before the first training.
        let is_ours = self.folder.join(PLAN_FILE).is_file();
        let is_empty = match std::fs::read_dir(&runs) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        };
        if is_ours || is_empty {
            Ok(())
        } else {
            Err(PaperError::NoEvaluation { runs, plan: PLAN_FILE })
        }
    }

    /// The folder of the model that operators were selected from.
    pub fn selection_folder(folder: &Path, selection: &Selection) -> RunFolder {
        let entry = Entry { contestant: Contestant::Candidates, order: 1 };
        RunFolder::at(&folder.join(RUNS).join(entry.name())).of_split(selection.split)
    }

    fn splits(&self) -> Result<Vec<Split>, PaperError> {
        let rule = self.dataset.split.as_ref();
        let rule = rule.ok_or_else(|| PaperError::NoSplit(self.dataset.name.clone()))?;
        let seed = self.plan.base.train.seed;
        let split = |number| Ok(rule.split(&self.dataset.labels, number, seed)?);
        (0..self.plan.n_splits).map(split).collect()
    }

    fn config(&self, entry: Entry, selected: &[MotifKind]) -> RunConfig {
        self.plan.config(entry, selected)
    }

    /// Notes what the trainings have in common, or refuses a folder where that is something else.
    fn begin(&self, shared: &PreparedRun<'_>, split: &Split) -> Result<(), PaperError> {
        let fingerprint = shared.fingerprint(split, self.plan.base.train.seed);
        // The data is known by its content, wherever it lies.
        let base = RunConfig { data: Default::default(), ..self.plan.base.clone() };
        let text = format!("# data {fingerprint}\n{}", Settings::of(&base).to_toml());
        self.check_runs()?;
        let folder = RunFolder::create(self.folder)?;
        if self.begins_anew {
            // Their plan stays until they are gone: what is left of them must not be taken for this one's.
            self.clear()?;
            return Ok(folder.write(PLAN_FILE, text.as_bytes())?);
        }
        match std::fs::read_to_string(folder.file(PLAN_FILE)) {
            Ok(kept) if kept == text => Ok(()),
            Ok(_) => Err(PaperError::OtherTrainings(self.folder.to_owned())),
            Err(_) => Ok(folder.write(PLAN_FILE, text.as_bytes())?),
        }
    }

    fn prepare(
        &self,
        entries: &[Entry],
        shared: &PreparedRun<'a>,
        selected: &[MotifKind],
    ) -> Result<Vec<Prepared<'a>>, PaperError> {
        let mut prepared: Vec<Prepared<'a>> = Vec::with_capacity(entries.len());
        for &entry in entries {
            let config = self.config(entry, selected);
            // Entries stand contestant by contestant, so the one before often has the operators.
            let like = prepared.last().map_or(shared, |before| &before.run);
            let run = like.with_model(&config.model, self.progress)?;
            let folder = EntryFolder::new(self.folder, entry, config)?;
            let outcomes = (0..self.plan.n_splits).map(|number| {
                let found = folder.finished(number)?;
                Ok(found.map_or_else(OnceLock::new, |found| Outcome::Done(found).into()))
            });
            let outcomes = outcomes.collect::<Result<_, RunFolderError>>()?;
            prepared.push(Prepared { entry, folder, run, outcomes });
        }
        Ok(prepared)
    }

    /// Trains what is missing, the longest first; `false` if it was paused. `n_after` trainings are to
    /// follow.
    fn train(
        &self,
        prepared: &[Prepared<'_>],
        splits: &[Split],
        n_after: usize,
    ) -> Result<bool, PaperError> {
        let missing = prepared.iter().flat_map(|one| {
            let numbers = (0..splits.len()).filter(|&number| one.outcomes[number].get().is_none());
            numbers.map(move |number| (one, number))
        });
        let mut tasks: Vec<(&Prepared<'_>, usize)> = missing.collect();
        tasks.sort_by_key(|(one, number)| (std::cmp::Reverse(one.entry.cost()), *number));
        let total: u64 = tasks.iter().map(|(one, _)| one.entry.cost()).sum();
        self.progress.begin("training", Some(total), Unit::Steps);
        let failure = Mutex::new(None);
        let most = most_at_once(&tasks, splits)?;
        side_by_side(tasks.len(), most, |task| {
            if self.pause.load(Ordering::Relaxed) || lock(&failure).is_some() {
                return false;
            }
            let (one, number) = tasks[task];
            let (title, n_left) = (one.entry.title(), tasks.len() - task - 1 + n_after);
            self.progress.say(&format!("{title}, split {}; {n_left} to follow", number + 1));
            match self.train_one(one, number, &splits[number]) {
                Ok(Some(outcome)) => {
                    self.progress.advance(one.entry.cost());
                    // Each is trained by one thread, once.
                    one.outcomes[number].set(outcome).is_ok()
                }
                Ok(None) => false,
                Err(error) => {
                    *lock(&failure) = Some(error);
                    false
                }
            }
        })
        .map_err(|error| PaperError::Threads(error.to_string()))?;
        self.progress.end();
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(tasks.iter().all(|(one, number)| one.outcomes[*number].get().is_some())),
        }
    }

    /// One training; `None` if it was paused, and then nothing of it is kept.
    fn train_one(
        &self,
        one: &Prepared<'_>,
        number: usize,
        split: &Split,
    ) -> Result<Option<Outcome>, PaperError> {
        let config = one.run.config();
        let _claim = one.folder.claim_split(number)?;
        let seed = config.train.seed.wrapping_add(number as u64);
        let mut recorder = Recorder {
            folder: None,
            fingerprint: String::new(),
            config: config.train,
            every: Duration::MAX,
            pause: self.pause,
            history: Vec::new(),
            last: Instant::now(),
            then: &mut Quiet,
        };
        let trained = match one.run.run(split, seed, None, &mut recorder) {
            Ok(Some(trained)) => trained,
            Ok(None) => return Ok(None),
            Err(error) if error.is_due_to_the_model() => {
                return Ok(Some(Outcome::Failed(error.to_string())));
            }
            Err(error) => return Err(named(one.entry, number, error)),
        };
        let repeat = RepeatReport::new(number, split, seed, trained.metrics.clone());
        let mut report = self.report(one);
        report.add(repeat.clone());
        one.folder.keep(&one.run, &trained, &recorder.history, &report, number)?;
        Ok(Some(Outcome::Done(repeat)))
    }

    fn report(&self, one: &Prepared<'_>) -> RunReport {
        let split = self.dataset.split.as_ref().map(ToString::to_string).unwrap_or_default();
        RunReport::new(self.dataset, one.run.config(), split)
    }

    fn results(
        &self,
        prepared: &[Prepared<'_>],
        selection: Selection,
        shared: &PreparedRun<'_>,
    ) -> Result<PaperResults, PaperError> {
        let is_cora_full = is_cora_full(self.dataset);
        let mut entries = Vec::with_capacity(prepared.len());
        for one in prepared {
            let mut report = self.report(one);
            done(one).for_each(|training| report.add(training.clone()));
            if report.repeats.len() == self.plan.n_splits {
                one.folder.keep_report(&report)?;
            }
            entries.push(EntryResult::new(one.entry, report, failure(one), is_cora_full));
        }
        let split = self.dataset.split.as_ref().map(ToString::to_string).unwrap_or_default();
        Ok(PaperResults {
            dataset: self.dataset.name.clone(),
            contract: self.dataset.contract.lines(),
            split,
            n_splits: self.plan.n_splits,
            orders: self.plan.orders.clone(),
            seed: self.plan.base.train.seed,
            rate: self.plan.base.train.adam.rate,
            patience: self.plan.base.train.patience,
            is_cora_full,
            features: shared.features().steps.clone(),
            selection,
            claims: Claim::all(&entries),
            entries,
        })
    }
}

/// How many of the trainings fit in memory side by side, each as large as the largest of them; one that does not fit
/// alone says so itself.
fn most_at_once(tasks: &[(&Prepared<'_>, usize)], splits: &[Split]) -> Result<usize, PaperError> {
    let mut most = usize::MAX;
    // The splits of a data set are of a size.
    for (one, number) in tasks.iter().filter(|(_, number)| *number == tasks[0].1) {
        let memory = one.run.memory(&splits[*number])?;
        if let Some(available) = memory.n_bytes_available {
            most = most.min((available / memory.n_bytes.max(1)).max(1) as usize);
        }
    }
    Ok(most)
}

fn done<'p>(one: &'p Prepared<'_>) -> impl Iterator<Item = &'p RepeatReport> {
    one.outcomes.iter().filter_map(|outcome| match outcome.get() {
        Some(Outcome::Done(training)) => Some(training),
        _ => None,
    })
}

fn failure(one: &Prepared<'_>) -> Option<String> {
    one.outcomes.iter().find_map(|outcome| match outcome.get() {
        Some(Outcome::Failed(message)) => Some(message.clone()),
        _ => None,
    })
}

fn select(prepared: &[Prepared<'_>]) -> Result<Selection, PaperError> {
    let over_all = prepared.iter().find(|one| one.entry.contestant == Contestant::Candidates);
    let over_all = over_all.expect("every plan has the candidates");
    let trainings: Vec<&RepeatReport> = done(over_all).collect();
    if let (true, Some(message)) = (trainings.is_empty(), failure(over_all)) {
        return Err(PaperError::NothingSelected(message));
    }
    Selection::new(&over_all.folder, &trainings)
}

fn named(entry: Entry, number: usize, source: TrainError) -> PaperError {
    PaperError::Training { entry: entry.title(), split: number + 1, source: Box::new(source) }
}

/// A training that panicked leaves a failure that is still good.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
