//! Arcs of one stretch of a file, under the ids that the file gives the nodes.

use super::interner::Interner;

/// Arcs of one stretch of a file.
#[derive(Default)]
pub(super) struct ArcBlock {
    pub(super) ends: Ends,
    /// As long as the arcs, or empty where the file has no weights.
    pub(super) weights: Vec<f32>,
}

/// The ends of arcs, in the narrowest form that holds the ids met so far.
pub(super) enum Ends {
    /// Ids from 0 to 2³² − 1.
    Narrow { sources: Vec<u32>, targets: Vec<u32> },
    /// Any integers.
    Wide { sources: Vec<i64>, targets: Vec<i64> },
    /// Text; the numbers are places in the table.
    Named { table: Interner, sources: Vec<u32>, targets: Vec<u32> },
}

/// A node id as a file gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Id<'a> {
    Integer(i64),
    Text(&'a str),
}

impl<'a> Id<'a> {
    /// An integer if `text` is one in canonical form (no plus, no leading zero), so that the text
    /// can be had back from the integer.
    pub(super) fn parse(text: &'a str) -> Self {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let may_be_integer = match digits.as_bytes() {
            [b'0'] => digits.len() == text.len(),
            [b'1'..=b'9', ..] => true,
            _ => false,
        };
        if !may_be_integer {
            return Self::Text(text);
        }
        match text.parse() {
            Ok(integer) => Self::Integer(integer),
            Err(_) => Self::Text(text),
        }
    }
}

impl Default for Ends {
    fn default() -> Self {
        Self::Narrow { sources: Vec::new(), targets: Vec::new() }
    }
}

impl Ends {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Narrow { sources, .. } | Self::Named { sources, .. } => sources.len(),
            Self::Wide { sources, .. } => sources.len(),
        }
    }

    /// Adds an arc, turning all that came before into a wider form if it has to be.
    pub(super) fn push(&mut self, source: Id<'_>, target: Id<'_>) {
        if let Self::Named { table, sources, targets } = self {
            sources.push(intern(table, source));
            targets.push(intern(table, target));
            return;
        }
        let (Id::Integer(source_id), Id::Integer(target_id)) = (source, target) else {
            self.name();
            return self.push(source, target);
        };
        match self {
            Self::Narrow { sources, targets } => {
                match (u32::try_from(source_id), u32::try_from(target_id)) {
                    (Ok(source), Ok(target)) => {
                        sources.push(source);
                        targets.push(target);
                    }
                    _ => {
                        self.widen();
                        self.push(source, target);
                    }
                }
            }
            Self::Wide { sources, targets } => {
                sources.push(source_id);
                targets.push(target_id);
            }
            Self::Named { .. } => {}
        }
    }

    /// Makes room for 64-bit ids.
    pub(super) fn widen(&mut self) {
        if let Self::Narrow { sources, targets } = self {
            let wide = |ids: &[u32]| ids.iter().map(|&id| i64::from(id)).collect();
            *self = Self::Wide { sources: wide(sources), targets: wide(targets) };
        }
    }

    /// Turns integers back into the text that they were, numbered by first appearance.
    pub(super) fn name(&mut self) {
        let mut table = Interner::default();
        let mut named = |sources: &mut dyn Iterator<Item = i64>,
                         targets: &mut dyn Iterator<Item = i64>| {
            sources
                .zip(targets)
                .map(|(s, t)| (table.intern(&s.to_string()), table.intern(&t.to_string())))
                .unzip()
        };
        let (sources, targets) = match self {
            Self::Named { .. } => return,
            Self::Narrow { sources, targets } => named(
                &mut sources.iter().map(|&id| i64::from(id)),
                &mut targets.iter().map(|&id| i64::from(id)),
            ),
            Self::Wide { sources, targets } => {
                named(&mut sources.iter().copied(), &mut targets.iter().copied())
            }
        };
        *self = Self::Named { table, sources, targets };
    }

    /// Takes the table of names away and leaves the places in it as if they were ids.
    pub(super) fn take_table(&mut self) -> Interner {
        match std::mem::take(self) {
            Self::Named { table, sources, targets } => {
                *self = Self::Narrow { sources, targets };
                table
            }
            unnamed => {
                *self = unnamed;
                Interner::default()
            }
        }
    }

    /// Gives back memory that was set aside for more arcs.
    pub(super) fn shrink(&mut self) {
        if let Self::Named { table, .. } = self {
            table.shrink();
        }
        match self {
            Self::Narrow { sources, targets } | Self::Named { sources, targets, .. } => {
                sources.shrink_to_fit();
                targets.shrink_to_fit();
            }
            Self::Wide { sources, targets } => {
                sources.shrink_to_fit();
                targets.shrink_to_fit();
            }
        }
    }
}

fn intern(table: &mut Interner, id: Id<'_>) -> u32 {
    match id {
        Id::Text(text) => table.intern(text),
        Id::Integer(integer) => table.intern(&integer.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_canonical_integers_are_integers() {
        for (text, expected) in [
            ("0", Id::Integer(0)),
            ("-17", Id::Integer(-17)),
            ("9223372036854775807", Id::Integer(i64::MAX)),
            ("9223372036854775808", Id::Text("9223372036854775808")),
            ("007", Id::Text("007")),
            ("-0", Id::Text("-0")),
            ("+1", Id::Text("+1")),
            ("1.0", Id::Text("1.0")),
            ("--1", Id::Text("--1")),
            ("-", Id::Text("-")),
        ] {
            assert_eq!(Id::parse(text), expected);
        }
    }

    #[test]
    fn integers_become_the_text_they_were() {
        let mut ends = Ends::default();
        ends.push(Id::Integer(7), Id::Integer(-3));
        ends.push(Id::Integer(1 << 40), Id::Integer(7));
        ends.push(Id::Text("x"), Id::Integer(-3));
        let Ends::Named { table, sources, targets } = ends else { panic!("not named") };
        let (names, _) = Interner::unite(&[table]);
        assert_eq!(names.iter().collect::<Vec<_>>(), ["7", "-3", "1099511627776", "x"]);
        assert_eq!((sources, targets), (vec![0, 2, 3], vec![1, 0, 1]));
    }
}
