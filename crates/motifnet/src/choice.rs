//! Choices that have a word: the same in the library, on the command line and in configurations.

/// A word that names none of the choices.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{found:?} is not a choice of `{choice}`; the choices are {allowed}")]
pub struct UnknownChoice {
    /// What is chosen, such as `support`.
    pub choice: &'static str,
    /// What was found.
    pub found: String,
    /// What is allowed, separated by commas.
    pub allowed: String,
}

/// The one of `choices` that `word` may have been meant for, if one is much like it.
pub(crate) fn nearest<'a>(
    word: &str,
    choices: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Nothing is much like a word that is so long, and to compare it takes long.
    if word.len() > 64 {
        return None;
    }
    let likeness = |choice: &str| strsim::jaro_winkler(word, choice);
    let best = choices.into_iter().map(|choice| (likeness(choice), choice));
    let best = best.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (best.0 > 0.75).then_some(best.1)
}

/// Gives an enum its words.
macro_rules! words {
    ($type:ident, $choice:literal, $($variant:ident = $word:literal),+ $(,)?) => {
        impl $type {
            /// Every choice.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The words of all of them, in the same order.
            pub const NAMES: [&'static str; Self::ALL.len()] = [$($word),+];

            /// The word for it on the command line, in configurations and in Python.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let word = <String as serde::Deserialize>::deserialize(from)?;
                word.parse().map_err(serde::de::Error::custom)
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::choice::UnknownChoice;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.into_iter().find(|choice| choice.name() == word);
                found.ok_or_else(|| $crate::choice::UnknownChoice {
                    choice: $choice,
                    found: word.to_owned(),
                    allowed: Self::NAMES.join(", "),
                })
            }
        }
    };
}

pub(crate) use words;

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_known_and_nonsense_is_not() {
        let choices = ["train.lr", "train.epochs", "model.order"];
        assert_eq!(nearest("trian.lr", choices), Some("train.lr"));
        assert_eq!(nearest("model.ordr", choices), Some("model.order"));
        assert_eq!(nearest("zzzz", choices), None);
        assert_eq!(nearest("x", []), None);
    }
}
