//! A random search, as it is planned.

use std::path::Path;

use toml::{Table, Value};

use super::search::SearchSpace;
use super::search_error::SearchError;
use super::search_file_error::SearchFileError;
use crate::train::{SettingError, Settings, read_table};

/// What a search is, resolved; written first.
pub const SEARCH_FILE: &str = "tune.toml";

/// A random search over the settings of a run; `tune.toml` is this.
///
/// All trials have the seed of the settings, and so the same splits and the same first draws: they
/// differ by what is searched alone. A trial depends on that seed, the space and its number, not on
/// the trials before it, so a search can be broken off, taken up and made longer.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomSearch {
    /// What is not searched.
    pub base: Settings,
    /// What is.
    pub space: SearchSpace,
    /// How many trials there are to be.
    pub n_trials: usize,
}

impl RandomSearch {
    /// The hyperparameters of the trial with a `number`, from 0, and all its settings. Time
    /// O(entries of the space).
    ///
    /// # Errors
    /// If the settings cannot have what the space offers.
    pub fn trial(&self, number: usize) -> Result<(Table, Settings), SettingError> {
        let seed = self.base.config().train.seed;
        let mut settings = self.base.clone();
        let mut drawn = Table::new();
        for (key, value) in self.space.sample(seed, number as u64) {
            settings.set(&key, value.clone(), &format!("trial {}", number + 1))?;
            drawn.insert(key, value);
        }
        Ok((drawn, settings))
    }

    /// The name of the folder of the trial with a `number`, from 0.
    pub fn folder_of(number: usize) -> String {
        format!("trial-{:03}", number + 1)
    }

    /// The search as a file that means the same from everywhere.
    pub fn to_toml(&self) -> String {
        let Self { base, space, n_trials } = self;
        format!("trials = {n_trials}\n\n{space}\n{}", base.to_absolute_toml())
    }

    /// Reads a search that [`to_toml`](Self::to_toml) wrote.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a search.
    pub fn read(path: &Path) -> Result<Self, SearchFileError> {
        let mut tables = read_table(path)?;
        let n_trials = match tables.remove("trials") {
            Some(Value::Integer(number)) if number >= 1 => number as usize,
            found => {
                let found = found.map_or("missing".to_owned(), |found| found.to_string());
                return Err(SearchFileError::Trials { path: path.to_owned(), found });
            }
        };
        let space = take_space(&mut tables, path)?;
        let mut base = Settings::default();
        base.set_tables(tables, path)?;
        Ok(Self { base, space, n_trials })
    }
}

impl SearchSpace {
    /// The space that a text has, such as that of [`default_space`](super::default_space).
    ///
    /// # Errors
    /// If it is no TOML, or has no table `[tune]` that can be searched.
    pub fn parse(text: &str) -> Result<Self, SearchError> {
        let tables = text.parse::<Table>();
        let tables =
            tables.map_err(|error| SearchError::Syntax { message: error.message().to_owned() })?;
        let tune = tables.get("tune").and_then(Value::as_table);
        Self::try_from(tune.cloned().unwrap_or_default())
    }

    /// Reads a space: a TOML file with the table `[tune]` alone.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a space that can be searched.
    pub fn read(path: &Path) -> Result<Self, SearchFileError> {
        let mut tables = read_table(path)?;
        let space = take_space(&mut tables, path);
        match tables.keys().next() {
            Some(name) => {
                Err(SearchFileError::OtherTable { path: path.to_owned(), name: name.clone() })
            }
            None => space,
        }
    }
}

fn take_space(tables: &mut Table, path: &Path) -> Result<SearchSpace, SearchFileError> {
    let path = || path.to_owned();
    let Some(Value::Table(space)) = tables.remove("tune") else {
        return Err(SearchFileError::NoSpace { path: path() });
    };
    SearchSpace::try_from(space).map_err(|source| SearchFileError::Space { path: path(), source })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn search(entries: &str) -> RandomSearch {
        let space = SearchSpace::try_from(entries.parse::<Table>().unwrap()).unwrap();
        RandomSearch { base: Settings::default(), space, n_trials: 3 }
    }

    /// What reading a file of this text gives, without its folder.
    fn read(text: &str) -> Result<RandomSearch, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.toml");
        std::fs::write(&path, text).unwrap();
        let within = format!("{}/", folder.path().display());
        RandomSearch::read(&path).map_err(|error| error.to_string().replace(&within, ""))
    }

    #[test]
    fn trials_differ_by_what_is_searched_alone() {
        let search = search("order = [1, 2, 3, 4, 5]\nlr = { from = 1e-4, to = 1e-2, log = true }");
        let trials: Vec<_> = (0..4).map(|number| search.trial(number).unwrap()).collect();
        for (drawn, settings) in &trials {
            let (order, lr) = (settings.config().model.order, settings.config().train.adam.rate);
            assert_eq!(drawn["model.order"].as_integer(), Some(order as i64));
            assert_eq!(drawn["train.lr"].as_float(), Some(lr));
            let mut same = settings.clone();
            for key in ["model.order", "train.lr"] {
                same.set_text(&format!("{key}={}", search.base.text_of(key).unwrap()), "").unwrap();
            }
            assert_eq!(same, search.base);
        }
        assert!(trials.iter().any(|trial| trial != &trials[0]));
    }

    proptest! {
        /// Ranges and numbers come back to the bit, or a search that is taken up would be another.
        #[test]
        fn a_search_is_read_as_it_was_written(
            low in 1e-9_f64..1.0, wide in 0.0_f64..10.0, log: bool, orders in prop::collection::vec(0..9_i64, 1..4),
            decay in prop::collection::vec(0.0_f64..1e3, 1..4), heads in 1..5_i64, n_trials in 1..1000_usize,
        ) {
            let text = format!(
                "order = {orders:?}\nmotifs = [['U'], ['in', 'M5']]\ndecay = {decay:?}\n\
                 heads = {{ from = {heads}, to = 9, log = {log} }}\n\
                 lr = {{ from = {low:?}, to = {:?}, log = {log} }}", low + wide,
            );
            let written = RandomSearch { n_trials, ..search(&text) };
            let read = read(&written.to_toml()).unwrap();
            prop_assert_eq!(&read, &written);
            prop_assert_eq!(read.trial(7).unwrap(), written.trial(7).unwrap());
        }
    }

    #[test]
    fn what_is_no_search_is_told() {
        for (text, expected) in [
            ("", "tune.toml: trials is missing; give a whole number, 1 or above"),
            ("trials = 0", "tune.toml: trials is 0; give a whole number, 1 or above"),
            ("trials = 'x'", "tune.toml: trials is \"x\"; give a whole number, 1 or above"),
            (
                "trials = 1",
                "tune.toml: there is no table [tune]; `motifnet tune --print-space` prints one",
            ),
            (
                "trials = 1\n[tune]\nlr = []",
                "tune.toml: tune.lr is an empty list; give at least one choice, or leave the key out",
            ),
            (
                "trials = 1\n[tune]\nlr = [1]\n[model]\nordr = 1",
                "tune.toml: there is no setting `model.ordr`; did you mean `model.order`?",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), expected);
        }
        assert!(read("trials = \n").unwrap_err().starts_with("tune.toml:1: "));
    }
}
