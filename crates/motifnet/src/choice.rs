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

/// The choice that takes the fewest changes of a letter to become `word`; the first of several.
pub(crate) fn nearest<'a>(
    word: &str,
    choices: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let changes = |choice: &&str| {
        let mut row: Vec<usize> = (0..=choice.chars().count()).collect();
        for (position, letter) in word.chars().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], position + 1);
            for (place, other) in choice.chars().enumerate() {
                let replaced = diagonal + usize::from(letter != other);
                diagonal = row[place + 1];
                row[place + 1] = replaced.min(row[place] + 1).min(diagonal + 1);
            }
        }
        row.pop()
    };
    choices.into_iter().min_by_key(changes)
}

/// Gives an enum its words.
macro_rules! words {
    ($type:ident, $choice:literal, $($variant:ident = $word:literal),+ $(,)?) => {
        impl $type {
            /// Every choice.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

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

        impl std::str::FromStr for $type {
            type Err = $crate::choice::UnknownChoice;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.into_iter().find(|choice| choice.name() == word);
                found.ok_or_else(|| $crate::choice::UnknownChoice {
                    choice: $choice,
                    found: word.to_owned(),
                    allowed: [$($word),+].join(", "),
                })
            }
        }
    };
}

pub(crate) use words;
