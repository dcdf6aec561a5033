//! A search space as it is written down.

use std::fmt;

use serde::{Serialize, Serializer};
use toml::{Table, Value};

use super::{Domain, SearchSpace};

/// The table `[tune]` as it is read, a line a key.
impl fmt::Display for SearchSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[tune]")?;
        for (parameter, domain) in &self.entries {
            writeln!(f, "{} = {}", parameter.word, domain.value())?;
        }
        Ok(())
    }
}

impl Serialize for SearchSpace {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let entries = self.entries.iter();
        to.collect_map(entries.map(|(parameter, domain)| (parameter.word, domain.value())))
    }
}

impl Domain {
    fn value(&self) -> Value {
        match *self {
            Self::Choices(ref choices) => Value::Array(choices.clone()),
            Self::Wholes { from, to, log } => range(from.into(), to.into(), log),
            Self::Reals { from, to, log } => range(from.into(), to.into(), log),
        }
    }
}

fn range(from: Value, to: Value, log: bool) -> Value {
    let ends = [("from", from), ("to", to)].into_iter();
    let log = log.then_some(("log", Value::Boolean(true)));
    let entries = ends.chain(log).map(|(key, value)| (key.to_owned(), value));
    Value::Table(entries.collect::<Table>())
}
