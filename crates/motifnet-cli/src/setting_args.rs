//! The settings of a run as flags: all of them are made of the library's table.

use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use motifnet::train::{SETTING_KEYS, SettingError, SettingKey, Settings};

use crate::failure::Failure;
use crate::input_files::InputFiles;

/// Where settings come from: flags over the data set over --set over a file over defaults.
#[derive(Debug, Args)]
pub(crate) struct SettingSources {
    /// Take settings from this file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Make one setting, as train.lr=0.01; any number of times
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    #[command(flatten)]
    flags: SettingArgs,
}

impl SettingSources {
    /// The first flag that was given.
    pub(crate) fn first_flag(&self) -> Option<String> {
        self.flags.first()
    }

    /// What was typed to make a setting: its flag or --set; nothing if the file has it.
    pub(crate) fn typed(&self, key: &str) -> Option<String> {
        let is_set =
            |text: &&String| text.split_once('=').is_some_and(|(set, _)| set.trim() == key);
        let set = self.set.iter().find(is_set).map(|text| format!("--set {text}"));
        self.flags.flag_of(key).or(set)
    }

    /// The settings.
    pub(crate) fn gather(&self, dataset: Option<&Path>) -> Result<Settings, Failure> {
        let mut settings = Settings::default();
        if let Some(file) = &self.config {
            settings.read(file).map_err(Failure::usage)?;
        }
        for text in &self.set {
            settings.set_text(text, "--set").map_err(Failure::usage)?;
        }
        if let Some(dataset) = dataset {
            let path = text_of_path(dataset)?;
            settings.set("data.dataset", path.into(), "DATASET").map_err(Failure::usage)?;
        }
        self.flags.apply(&mut settings).map_err(Failure::usage)?;
        Ok(settings)
    }

    /// The files that are read for a run with these settings.
    pub(crate) fn inputs(&self, settings: &Settings) -> InputFiles {
        let data = &settings.config().data;
        let inputs = InputFiles::default().with_data(data, "a file of the data");
        self.config.iter().fold(inputs, |inputs, file| inputs.with(file, "the file of --config"))
    }

    /// The settings of a run, which has data.
    pub(crate) fn gather_run(&self, dataset: Option<&Path>) -> Result<Settings, Failure> {
        let settings = self.gather(dataset)?;
        let data = &settings.config().data;
        if data.dataset.is_none() && data.arcs.is_none() {
            let message = anyhow::anyhow!("there is no data set to train on");
            return Err(Failure::usage(message)
                .hint("name a folder, or files with --arcs, --features and --labels"));
        }
        Ok(settings)
    }
}

/// A path as a setting has it.
pub(crate) fn text_of_path(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        let message = anyhow::anyhow!("{path:?}: the name is not UTF-8, and settings are text");
        Failure::usage(message).hint("rename it")
    })
}

/// The settings that were given as flags.
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingArgs {
    /// The key, what was given, and the flag.
    given: Vec<(&'static SettingKey, String)>,
}

impl SettingArgs {
    /// The first flag that was given.
    fn first(&self) -> Option<String> {
        self.given.first().and_then(|(key, _)| key.flag).map(|flag| format!("--{flag}"))
    }

    /// The flag that makes a setting, if it was given.
    fn flag_of(&self, key: &str) -> Option<String> {
        let (given, _) = self.given.iter().find(|(given, _)| given.path == key)?;
        given.flag.map(|flag| format!("--{flag}"))
    }

    /// Makes them.
    fn apply(&self, settings: &mut Settings) -> Result<(), SettingError> {
        for (key, value) in &self.given {
            let flag = format!("--{}", key.flag.unwrap_or_default());
            settings.set_text(&format!("{}={value}", key.path), &flag)?;
        }
        Ok(())
    }
}

impl FromArgMatches for SettingArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Vec::new();
        // Clap knows no others, and with debug assertions panics when it is asked about them.
        for key in SETTING_KEYS.iter().filter(|key| key.flag.is_some()) {
            if matches.value_source(key.path) != Some(ValueSource::CommandLine) {
                continue;
            }
            let value = match key.value {
                Some(_) => matches.get_one::<String>(key.path).cloned().unwrap_or_default(),
                None => (!turns_off(key)).to_string(),
            };
            given.push((key, value));
        }
        Ok(Self { given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for SettingArgs {
    fn augment_args(command: Command) -> Command {
        let defaults = Settings::default();
        SETTING_KEYS.iter().fold(command, |command, key| match key.flag {
            Some(flag) => command.arg(arg(key, flag, &defaults)),
            None => command,
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Whether the flag of a switch turns it off.
fn turns_off(key: &SettingKey) -> bool {
    key.flag.is_some_and(|flag| flag.starts_with("no-"))
}

fn arg(key: &'static SettingKey, flag: &'static str, defaults: &Settings) -> Arg {
    let about =
        if turns_off(key) { format!("Do not: {}", lower(key.about)) } else { key.about.into() };
    let arg = Arg::new(key.path).long(flag).help(about).help_heading(heading(key.table()));
    let Some(value) = key.value else { return arg.action(ArgAction::SetTrue) };
    let arg = arg.value_name(value).allow_hyphen_values(true);
    let arg = match key.choices {
        [] => arg,
        choices => arg.value_parser(clap::builder::PossibleValuesParser::new(choices)),
    };
    match defaults.text_of(key.path) {
        Some(default) => arg.default_value(default),
        None => arg,
    }
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

fn heading(table: &str) -> &'static str {
    match table {
        "data" => "Data",
        "features" => "Features",
        "model" => "Model",
        "operators" => "Operators",
        "train" => "Training",
        _ => "Run",
    }
}
