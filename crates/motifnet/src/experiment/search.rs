//! What to try: random search over hyperparameters.

use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use toml::{Table, Value};

use super::search_error::SearchError;
use crate::graph::generate::stream::{Streams, below, unit};
use crate::motif::MotifKind;
use crate::train::{SETTING_KEYS, SettingBounds};

/// The hyperparameters to search and what each may be, as the table `[tune]` of a TOML file has it:
/// a list of choices, or a range.
///
/// Every hyperparameter of every trial is drawn from a random stream of its own (Bergstra, Bengio,
/// "Random search for hyper-parameter optimization", 2012): a trial is the same however many there
/// are and in whatever order they are run, and a key that is added or taken away leaves the draws
/// of the others as they were.
///
/// ```
/// use motifnet::experiment::SearchSpace;
///
/// #[derive(serde::Deserialize)]
/// struct File {
///     tune: SearchSpace,
/// }
/// let file: File = toml::from_str(
///     "[tune]
///      order = [1, 2, 3]
///      motifs = [['U', 'in', 'out'], ['U', 'in', 'out', 'M5']]
///      heads = { from = 1, to = 8, log = true }
///      lr = { from = 1e-4, to = 1e-2, log = true }
///      dropout = { from = 0.2, to = 0.8 }",
/// )?;
/// let trial = file.tune.sample(7, 0);
/// assert_eq!(trial[0].0, "model.order");
/// assert_eq!(trial, file.tune.sample(7, 0));
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Table")]
pub struct SearchSpace {
    /// In the order of [`PARAMETERS`].
    entries: Vec<(&'static Parameter, Domain)>,
}

/// A hyperparameter that can be searched.
#[derive(Debug, PartialEq)]
struct Parameter {
    /// Its key in `[tune]`, the word of the command line.
    word: &'static str,
    /// Its key in a configuration.
    key: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A whole number of at least so much.
    Whole(i64),
    /// A number above 0.
    Positive,
    /// A number of 0 or above.
    NotNegative,
    /// A number of 0 or above and below 1.
    Share,
    /// A list of motifs.
    Motifs,
}

const fn parameter(word: &'static str, key: &'static str, kind: Kind) -> Parameter {
    Parameter { word, key, kind }
}

/// All that can be searched. A draw does not depend on the place in this list.
static PARAMETERS: [Parameter; 7] = [
    parameter("order", "model.order", Kind::Whole(0)),
    parameter("motifs", "model.motifs", Kind::Motifs),
    parameter("heads", "model.heads", Kind::Whole(1)),
    parameter("width", "model.width", Kind::Whole(1)),
    parameter("dropout", "model.dropout", Kind::Share),
    parameter("lr", "train.lr", Kind::Positive),
    parameter("decay", "train.decay", Kind::NotNegative),
];

/// What a hyperparameter may be.
#[derive(Clone, Debug, PartialEq)]
enum Domain {
    /// One of these, all as likely.
    Choices(Vec<Value>),
    /// A whole number, both ends included; with `log` k is as likely as ln((k + 1)/k).
    Wholes { from: i64, to: i64, log: bool },
    /// A number, itself or its logarithm uniform.
    Reals { from: f64, to: f64, log: bool },
}

impl SearchSpace {
    /// Trial number `trial` of `seed`: the key of every hyperparameter in a configuration, such as
    /// `model.order`, and its value. Time O(entries).
    pub fn sample(&self, seed: u64, trial: u64) -> Vec<(String, Value)> {
        let entries = self.entries.iter().map(|(parameter, domain)| {
            let streams = Streams::new(seed, &format!("tune {}", parameter.word));
            (parameter.key.to_owned(), domain.draw(&mut streams.block(trial)))
        });
        entries.collect()
    }

    /// The key in a configuration of every hyperparameter that is searched.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> {
        self.entries.iter().map(|(parameter, _)| parameter.key)
    }
}

impl TryFrom<Table> for SearchSpace {
    type Error = SearchError;

    fn try_from(table: Table) -> Result<Self, SearchError> {
        let allowed = || PARAMETERS.iter().map(|known| known.word).collect::<Vec<_>>().join(", ");
        let is_known = |key: &str| PARAMETERS.iter().any(|known| known.word == key);
        if let Some(key) = table.keys().find(|key| !is_known(key)) {
            return Err(SearchError::UnknownKey { key: key.clone(), allowed: allowed() });
        }
        let found = PARAMETERS.iter().filter_map(|known| Some((known, table.get(known.word)?)));
        let entries = found
            .map(|(known, value)| Ok((known, known.domain(value)?)))
            .collect::<Result<Vec<_>, SearchError>>()?;
        match entries.is_empty() {
            true => Err(SearchError::Nothing { allowed: allowed() }),
            false => Ok(Self { entries }),
        }
    }
}

impl Parameter {
    fn domain(&self, value: &Value) -> Result<Domain, SearchError> {
        let key = self.word;
        let can_range = self.kind != Kind::Motifs;
        match value {
            Value::Array(choices) if choices.is_empty() => Err(SearchError::Empty { key }),
            Value::Array(choices) => {
                let choices = choices.iter().map(|choice| self.choice(choice));
                Ok(Domain::Choices(choices.collect::<Result<_, _>>()?))
            }
            Value::Table(range) if can_range => self.range(range),
            _ => Err(SearchError::Form { key, found: value.to_string(), can_range }),
        }
    }

    /// A choice, or an end of a range, as it goes to a configuration: whatever is drawn is then a setting.
    fn choice(&self, value: &Value) -> Result<Value, SearchError> {
        let choice = self.typed(value)?;
        let setting = SETTING_KEYS.iter().find(|setting| setting.path == self.key);
        let bounds = setting.map_or(SettingBounds::Any, |setting| setting.bounds);
        match bounds.problem_with(&choice) {
            None => Ok(choice),
            Some(problem) => {
                let found = match value {
                    // 1e300 and not three hundred digits.
                    Value::Float(number) => format!("{number:?}"),
                    value => value.to_string(),
                };
                Err(SearchError::Bounds { key: self.word, found, problem })
            }
        }
    }

    fn typed(&self, value: &Value) -> Result<Value, SearchError> {
        let key = self.word;
        match (self.kind, value) {
            (Kind::Motifs, Value::Array(motifs)) if !motifs.is_empty() => {
                self.check_motifs(motifs)?;
                Ok(value.clone())
            }
            (Kind::Whole(least), &Value::Integer(number)) if number >= least => Ok(value.clone()),
            (Kind::Motifs | Kind::Whole(_), _) => {
                Err(SearchError::Value { key, found: value.to_string(), wanted: self.wanted() })
            }
            _ => self.real(value).map(Value::Float),
        }
    }

    fn real(&self, value: &Value) -> Result<f64, SearchError> {
        let number = match *value {
            Value::Float(number) => Some(number),
            Value::Integer(number) => Some(number as f64),
            _ => None,
        };
        let fits = |number: &f64| {
            number.is_finite()
                && match self.kind {
                    Kind::Positive => *number > 0.0,
                    Kind::NotNegative => *number >= 0.0,
                    Kind::Share => (0.0..1.0).contains(number),
                    Kind::Whole(_) | Kind::Motifs => false,
                }
        };
        number.filter(fits).ok_or_else(|| SearchError::Value {
            key: self.word,
            found: value.to_string(),
            wanted: self.wanted(),
        })
    }

    fn wanted(&self) -> &'static str {
        match self.kind {
            Kind::Whole(0) => "a whole number, 0 or above",
            Kind::Whole(_) => "a whole number, 1 or above",
            Kind::Positive => "a number above 0",
            Kind::NotNegative => "a number, 0 or above",
            Kind::Share => "a number, at least 0 and below 1",
            Kind::Motifs => "a list of motifs as each choice, such as [\"U\", \"in\", \"out\"]",
        }
    }

    fn check_motifs(&self, motifs: &[Value]) -> Result<(), SearchError> {
        let key = self.word;
        let mut seen = Vec::new();
        for motif in motifs {
            let Some(word) = motif.as_str() else {
                let found = motif.to_string();
                return Err(SearchError::Value { key, found, wanted: self.wanted() });
            };
            let kind: MotifKind = word
                .parse()
                .map_err(|error| SearchError::Motif { key, message: format!("{error}") })?;
            if seen.contains(&kind) {
                let message = format!("{word} stands twice in one choice; take one of them out");
                return Err(SearchError::Motif { key, message });
            }
            seen.push(kind);
        }
        Ok(())
    }

    fn range(&self, range: &Table) -> Result<Domain, SearchError> {
        let key = self.word;
        let unknown = range.keys().find(|key| !["from", "to", "log"].contains(&key.as_str()));
        if let Some(found) = unknown {
            return Err(SearchError::RangeKey { key, found: found.clone() });
        }
        let end = |name| range.get(name).ok_or(SearchError::RangeEnd { key, missing: name });
        let (from, to) = (self.choice(end("from")?)?, self.choice(end("to")?)?);
        let log = match range.get("log") {
            None => false,
            Some(&Value::Boolean(log)) => log,
            Some(other) => return Err(SearchError::Log { key, found: other.to_string() }),
        };
        let (low, high) = (number(&from), number(&to));
        if low > high {
            return Err(SearchError::RangeOrder { key, from: low, to: high });
        }
        if log && low == 0.0 {
            return Err(SearchError::LogOfZero { key });
        }
        Ok(match (from, to) {
            (Value::Integer(from), Value::Integer(to)) => Domain::Wholes { from, to, log },
            _ => Domain::Reals { from: low, to: high, log },
        })
    }
}

/// The number that a checked end of a range is.
fn number(value: &Value) -> f64 {
    match *value {
        Value::Integer(number) => number as f64,
        Value::Float(number) => number,
        _ => 0.0,
    }
}

impl Domain {
    fn draw(&self, rng: &mut ChaCha8Rng) -> Value {
        match *self {
            Self::Choices(ref choices) => {
                choices[below(rng, choices.len() as u64) as usize].clone()
            }
            Self::Wholes { from, to, log: false } => {
                // Both are 0 or above, so the difference fits, and the sum is at most `to`.
                Value::Integer(from + below(rng, (to - from) as u64 + 1) as i64)
            }
            Self::Wholes { from, to, log: true } => {
                let drawn = log_uniform(from as f64, to as f64 + 1.0, unit(rng)) as i64;
                Value::Integer(drawn.clamp(from, to))
            }
            Self::Reals { from, to, log: false } => {
                Value::Float((from + (to - from) * unit(rng)).clamp(from, to))
            }
            Self::Reals { from, to, log: true } => {
                Value::Float(log_uniform(from, to, unit(rng)).clamp(from, to))
            }
        }
    }
}

/// The number that lies the share `u` of the way between two others, by their logarithms.
fn log_uniform(from: f64, to: f64, u: f64) -> f64 {
    let start = libm::log(from);
    libm::exp(start + u * (libm::log(to) - start))
}

mod form;
#[cfg(test)]
mod tests;
