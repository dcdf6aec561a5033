//! Why a search space cannot be searched.

/// What is wrong with a `[tune]` table. Every message names the key, the value and what would do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// A text that is no TOML.
    #[error("the search space is no TOML: {message}")]
    Syntax {
        /// What the parser said.
        message: String,
    },
    /// A table without entries.
    #[error("[tune] has no entries, so there is nothing to try; add one of {allowed}")]
    Nothing {
        /// What may be searched.
        allowed: String,
    },
    /// A key that is none.
    #[error("`{key}` cannot be tuned; the keys of [tune] are {allowed}")]
    UnknownKey {
        /// The key.
        key: String,
        /// What may be searched.
        allowed: String,
    },
    /// Neither choices nor a range.
    #[error(
        "tune.{key} is {found}; give a list of choices{}",
        if *can_range { ", or a range such as { from = …, to = …, log = true }" } else { "" }
    )]
    Form {
        /// The key.
        key: &'static str,
        /// What was found.
        found: String,
        /// Whether a range would do.
        can_range: bool,
    },
    /// A list without choices.
    #[error("tune.{key} is an empty list; give at least one choice, or leave the key out")]
    Empty {
        /// The key.
        key: &'static str,
    },
    /// A choice, or an end of a range, that cannot be.
    #[error("tune.{key}: {found} will not do; give {wanted}")]
    Value {
        /// The key.
        key: &'static str,
        /// What was found.
        found: String,
        /// What would do.
        wanted: &'static str,
    },
    /// A choice, or an end of a range, that the setting cannot have.
    #[error("tune.{key}: {found} will not do; {problem}")]
    Bounds {
        /// The key.
        key: &'static str,
        /// What was found.
        found: String,
        /// What it must be.
        problem: String,
    },
    /// A motif that is none, or stands twice in one choice.
    #[error("tune.{key}: {message}")]
    Motif {
        /// The key.
        key: &'static str,
        /// What is wrong.
        message: String,
    },
    /// A range with a key that none has.
    #[error("tune.{key}: a range has no `{found}`; its keys are from, to and log")]
    RangeKey {
        /// The key.
        key: &'static str,
        /// The key in the range.
        found: String,
    },
    /// A range without one of its ends.
    #[error("tune.{key}: the range has no `{missing}`; add it")]
    RangeEnd {
        /// The key.
        key: &'static str,
        /// `from` or `to`.
        missing: &'static str,
    },
    /// A range that goes down.
    #[error("tune.{key}: the range goes from {from} down to {to}; exchange the two")]
    RangeOrder {
        /// The key.
        key: &'static str,
        /// Its lower end.
        from: f64,
        /// Its upper end.
        to: f64,
    },
    /// A logarithm of zero.
    #[error(
        "tune.{key}: a range with log = true cannot begin at 0; begin above it, or leave out log"
    )]
    LogOfZero {
        /// The key.
        key: &'static str,
    },
    /// A `log` that is neither true nor false.
    #[error("tune.{key}: log is {found}; give true or false")]
    Log {
        /// The key.
        key: &'static str,
        /// What was found.
        found: String,
    },
}
