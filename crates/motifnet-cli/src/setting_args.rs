//! The settings of a run as flags: all of them are made of the library's table.

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use motifnet::train::{SETTING_KEYS, SettingError, SettingKey, Settings};

/// The settings that were given as flags.
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingArgs {
    /// The key, what was given, and the flag.
    given: Vec<(&'static SettingKey, String)>,
}

impl SettingArgs {
    /// The first flag that was given.
    pub(crate) fn first(&self) -> Option<String> {
        self.given.first().and_then(|(key, _)| key.flag).map(|flag| format!("--{flag}"))
    }

    /// Makes them.
    pub(crate) fn apply(&self, settings: &mut Settings) -> Result<(), SettingError> {
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
        for key in &SETTING_KEYS {
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
