//! A configuration as it is put together: files and single settings over defaults.
//!
//! ```text
//! defaults ← file ← key=value … → RunConfig
//! ```
//!
//! Every setting is checked as it is made, so that what is wrong is told with the key, the value and
//! where it came from.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::run_config::RunConfig;
use super::setting_keys::{SETTING_KEYS, SETTING_TABLES};
use crate::choice::nearest;
use crate::data::rebased;

/// A configuration that is being put together.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    table: Table,
    config: RunConfig,
}

/// What is wrong with a setting.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}; `motifnet config > run.toml` makes one", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no TOML.
    #[error("{}:{line}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What the parser said.
        message: String,
    },
    /// A key that does not exist.
    #[error("{origin}: there is no setting `{key}`; {remedy}")]
    Unknown {
        /// Where it came from.
        origin: String,
        /// The key.
        key: String,
        /// What may have been meant.
        remedy: String,
    },
    /// A value that the key cannot have.
    #[error("{origin}: {key} = {value}: {message}")]
    Value {
        /// Where it came from.
        origin: String,
        /// The key.
        key: String,
        /// The value.
        value: String,
        /// What is wrong with it.
        message: String,
    },
    /// Not of the form key=value.
    #[error("{origin}: {text:?} is no setting; write it as key=value, as in train.lr=0.01")]
    Form {
        /// Where it came from.
        origin: String,
        /// What was found.
        text: String,
    },
}

impl Default for Settings {
    fn default() -> Self {
        let config = RunConfig::default();
        Self { table: to_table(&config), config }
    }
}

impl Settings {
    /// Those of a configuration that is already put together.
    pub(crate) fn of(config: &RunConfig) -> Self {
        Self { table: to_table(config), config: config.clone() }
    }

    /// What they come to.
    pub fn config(&self) -> &RunConfig {
        &self.config
    }

    /// Sets every key that a file has. The names of files in it are relative to its folder.
    ///
    /// # Errors
    /// If the file cannot be read or is no TOML, or a key or a value is wrong.
    pub fn read(&mut self, path: &Path) -> Result<(), SettingError> {
        let table = read_table(path)?;
        self.set_tables(table, path)
    }

    /// Sets every key of the tables that the file `path` has.
    pub(crate) fn set_tables(&mut self, tables: Table, path: &Path) -> Result<(), SettingError> {
        let origin = path.display().to_string();
        let folder = path.parent().unwrap_or(Path::new(""));
        for (name, value) in tables {
            let Value::Table(table) = value else {
                return Err(unknown(&origin, &name));
            };
            for (key, value) in table {
                let value = match value {
                    Value::String(text) if name == "data" => rebased(&key, &text, folder).into(),
                    value => value,
                };
                self.set(&format!("{name}.{key}"), value, &origin)?;
            }
        }
        Ok(())
    }

    /// Sets what `text` says, as `train.lr=0.01`; text needs no quotes.
    ///
    /// # Errors
    /// If it is of another form, or the key or the value is wrong.
    pub fn set_text(&mut self, text: &str, origin: &str) -> Result<(), SettingError> {
        let Some((key, value)) = text.split_once('=') else {
            let (origin, text) = (origin.to_owned(), text.to_owned());
            return Err(SettingError::Form { origin, text });
        };
        let (key, value) = (key.trim(), value.trim());
        // What is a value of TOML is one; anything else is text.
        let parsed = format!("value = {value}").parse::<Table>().ok();
        let parsed = parsed.and_then(|mut table| table.remove("value"));
        let plain = Value::String(value.to_owned());
        let typed = parsed.unwrap_or_else(|| plain.clone());
        match self.set(key, typed.clone(), origin) {
            // A class or a file may be called 7.
            Err(SettingError::Value { .. }) if typed != plain && self.is_text(key) => {
                self.set(key, plain, origin)
            }
            result => result,
        }
    }

    fn is_text(&self, key: &str) -> bool {
        key.starts_with("data.") || self.get(key).is_some_and(Value::is_str)
    }

    /// Sets `key`, which `origin` gave.
    ///
    /// # Errors
    /// If the key or the value is wrong; nothing has changed then.
    pub fn set(&mut self, key: &str, value: Value, origin: &str) -> Result<(), SettingError> {
        let known = SETTING_KEYS.iter().find(|known| known.path == key);
        let known = known.ok_or_else(|| unknown(origin, key))?;
        let mut changed = self.table.clone();
        let entry = changed.entry(known.table()).or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(entry) = entry {
            entry.insert(known.name().to_owned(), value.clone());
        }
        let wrong = |message: String| SettingError::Value {
            origin: origin.to_owned(),
            key: key.to_owned(),
            value: match &value {
                // 1e300 and not three hundred digits.
                Value::Float(number) => format!("{number:?}"),
                value => value.to_string(),
            },
            message,
        };
        // What a number must be says more than what its type is called.
        let config: RunConfig = changed.clone().try_into().map_err(|error: toml::de::Error| {
            let of_type = || error.message().trim().to_owned();
            wrong(known.bounds.problem_with(&value).unwrap_or_else(of_type))
        })?;
        // As it is understood: a list of rates may come as text.
        let settings = Self { table: to_table(&config), config };
        let understood = settings.get(key);
        if let Some(message) = understood.and_then(|value| known.bounds.problem_with(value)) {
            return Err(wrong(message));
        }
        *self = settings;
        Ok(())
    }

    fn get(&self, key: &str) -> Option<&Value> {
        let (table, name) = key.split_once('.')?;
        self.table.get(table)?.get(name)
    }

    /// What a flag would have to be given to make the setting.
    pub fn text_of(&self, key: &str) -> Option<String> {
        let plain = |value: &Value| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        self.get(key).map(|value| match value {
            Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(","),
            value => plain(value),
        })
    }

    /// The settings as a file that means the same from everywhere.
    pub fn to_absolute_toml(&self) -> String {
        let data = self.config.data.absolute();
        Self::of(&RunConfig { data, ..self.config.clone() }).to_toml()
    }

    /// The settings as a file, without a word.
    pub fn to_toml(&self) -> String {
        self.text(false)
    }

    /// The settings as a file that says what each means.
    pub fn annotated(&self) -> String {
        self.text(true)
    }

    fn text(&self, annotated: bool) -> String {
        let mut text = String::new();
        for (table, about) in SETTING_TABLES {
            let mut lines = String::new();
            for key in SETTING_KEYS.iter().filter(|key| key.table() == table) {
                let value = self.get(key.path).map(Value::to_string);
                let line = match (value, key.example) {
                    (Some(value), _) => format!("{} = {value}\n", key.name()),
                    (None, Some(example)) if annotated => {
                        format!("# {} = {example}\n", key.name())
                    }
                    (None, _) => continue,
                };
                if annotated {
                    lines += &format!("# {}{}\n", key.about, one_of(key.choices));
                }
                lines += &line;
            }
            if lines.is_empty() {
                continue;
            }
            let between = if text.is_empty() { "" } else { "\n" };
            let about = if annotated { format!("# {about}.\n") } else { String::new() };
            text += &format!("{between}{about}[{table}]\n{lines}");
        }
        text
    }
}

/// The tables of a TOML file.
pub(crate) fn read_table(path: &Path) -> Result<Table, SettingError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| SettingError::Read { path: path.to_owned(), source })?;
    text.parse::<Table>().map_err(|error| {
        let start = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text[..start].matches('\n').count();
        let message = error.message().to_owned();
        SettingError::Syntax { path: path.to_owned(), line, message }
    })
}

fn one_of(choices: &[&str]) -> String {
    if choices.is_empty() { String::new() } else { format!(" ({})", choices.join(", ")) }
}

fn to_table(config: &RunConfig) -> Table {
    Table::try_from(config).expect("a configuration is a table")
}

fn unknown(origin: &str, key: &str) -> SettingError {
    let paths = || SETTING_KEYS.iter().map(|known| known.path);
    // Often only the table is forgotten.
    let in_a_table = SETTING_KEYS.iter().find(|known| known.name() == key).map(|known| known.path);
    let remedy = match in_a_table.or_else(|| nearest(key, paths())) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "`motifnet config` lists them all".to_owned(),
    };
    SettingError::Unknown { origin: origin.to_owned(), key: key.to_owned(), remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        settings.set_text(text, "--set").map_err(|error| error.to_string())?;
        Ok(settings)
    }

    #[test]
    fn every_key_is_a_setting_and_every_setting_has_a_key() {
        let defaults = to_table(&RunConfig::default());
        for (table, values) in &defaults {
            assert!(SETTING_TABLES.iter().any(|(known, _)| known == table), "{table}");
            for name in values.as_table().unwrap().keys() {
                let path = format!("{table}.{name}");
                assert!(SETTING_KEYS.iter().any(|key| key.path == path), "{path} is not described");
            }
        }
        for key in &SETTING_KEYS {
            let table = defaults.get(key.table()).and_then(Value::as_table);
            let has_default = table.is_some_and(|table| table.contains_key(key.name()));
            assert_eq!(has_default, key.example.is_none(), "{}", key.path);
            if let Some(example) = key.example {
                set(&format!("{}={example}", key.path)).unwrap();
            }
        }
    }

    #[test]
    fn the_annotated_default_reads_as_the_default() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.toml");
        let changed = set("train.lr=0.25").unwrap();
        for settings in [Settings::default(), changed] {
            for text in [settings.annotated(), settings.to_toml()] {
                std::fs::write(&path, text).unwrap();
                let mut read = Settings::default();
                read.read(&path).unwrap();
                assert_eq!(read, settings);
            }
        }
    }

    #[test]
    fn text_needs_no_quotes() {
        assert_eq!(set("train.lr = 0.5").unwrap().config().train.adam.rate, 0.5);
        assert_eq!(set("model.name=gcn").unwrap().config().model.kind.name(), "gcn");
        assert_eq!(set("model.motifs=U,M5").unwrap().config().model.motifs.kinds().len(), 2);
        assert_eq!(set("model.dropout=[0.1, 0.2]").unwrap().config().model.dropout, [0.1, 0.2]);
        assert_eq!(set("data.arcs=7").unwrap().config().data.arcs, Some("7".into()));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, expected) in [
            ("train.lrate=1", "--set: there is no setting `train.lrate`; did you mean `train.lr`?"),
            ("epochs=1", "--set: there is no setting `epochs`; did you mean `train.epochs`?"),
            (
                "zzzzzz.zzzzzzz=1",
                "--set: there is no setting `zzzzzz.zzzzzzz`; `motifnet config` lists them all",
            ),
            ("lr", "--set: \"lr\" is no setting; write it as key=value, as in train.lr=0.01"),
            (
                "train.epochs=many",
                "--set: train.epochs = \"many\": invalid type: string \"many\", expected usize",
            ),
            (
                "train.seed=9223372036854775808",
                "--set: train.seed = \"9223372036854775808\": it must be a whole number from 0 to \
                 9223372036854775807",
            ),
            (
                "train.epochs=-1",
                "--set: train.epochs = -1: it must be a whole number from 1 to 1000000000",
            ),
            (
                "train.epochs=0",
                "--set: train.epochs = 0: it must be a whole number from 1 to 1000000000",
            ),
            ("train.lr=-1", "--set: train.lr = -1: it must be a number above 0"),
            (
                "run.checkpoint_seconds=1e300",
                "--set: run.checkpoint_seconds = 1e300: it must be a number from 0 to 1000000000",
            ),
            (
                "operators.support=arcs",
                "--set: operators.support = \"arcs\": \"arcs\" is not a choice of `support`; the \
                 choices are pairs, edges",
            ),
        ] {
            assert_eq!(set(text).unwrap_err(), expected);
        }
    }

    #[test]
    fn files_are_told_with_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.toml");
        let message = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let error = Settings::default().read(&path).unwrap_err().to_string();
            error.replace(&format!("{}/", folder.path().display()), "")
        };
        assert!(message("[train]\nlr = \n").starts_with("run.toml:2: "));
        assert_eq!(
            message("lr = 1\n"),
            "run.toml: there is no setting `lr`; did you mean `train.lr`?"
        );
        assert_eq!(
            message("[model]\nordr = 1\n"),
            "run.toml: there is no setting `model.ordr`; did you mean `model.order`?"
        );
    }
}
