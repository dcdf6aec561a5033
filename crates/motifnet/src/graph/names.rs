//! What the nodes of a graph were called where they came from.

use std::borrow::Cow;

/// The name of every node, in node order, kept apart from the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeNames {
    /// Node `i` is called `i`: nothing is stored.
    Indices(usize),
    /// Integer names, ascending.
    Integers(Vec<i64>),
    /// Text names, in the order in which they were first met.
    Strings(StringTable),
}

impl NodeNames {
    /// Names for `ids`, which are ascending and distinct: stores nothing if they are 0, 1, 2, ….
    pub fn from_sorted_integers(ids: Vec<i64>) -> Self {
        debug_assert!(ids.is_sorted_by(|a, b| a < b));
        let dense = ids.first().is_none_or(|&first| first == 0)
            && ids.last().is_none_or(|&last| last == ids.len() as i64 - 1);
        if dense { Self::Indices(ids.len()) } else { Self::Integers(ids) }
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        match self {
            Self::Indices(n) => *n,
            Self::Integers(ids) => ids.len(),
            Self::Strings(table) => table.len(),
        }
    }

    /// Whether there is no name at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of `node`.
    ///
    /// # Panics
    /// If `node` is not below [`NodeNames::len`].
    pub fn name(&self, node: u32) -> Cow<'_, str> {
        let node = node as usize;
        match self {
            Self::Indices(n) => {
                assert!(node < *n, "node {node} of {n}");
                Cow::Owned(node.to_string())
            }
            Self::Integers(ids) => Cow::Owned(ids[node].to_string()),
            Self::Strings(table) => Cow::Borrowed(table.get(node)),
        }
    }
}

/// Many strings in one allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StringTable {
    text: String,
    /// `ends[i]` is where string `i` ends in `text`.
    ends: Vec<usize>,
}

impl StringTable {
    /// Appends `string` and returns its position.
    pub fn push(&mut self, string: &str) -> usize {
        self.text.push_str(string);
        self.ends.push(self.text.len());
        self.ends.len() - 1
    }

    /// The string at `position`.
    ///
    /// # Panics
    /// If `position` is not below [`StringTable::len`].
    pub fn get(&self, position: usize) -> &str {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.text[start..self.ends[position]]
    }

    /// Number of strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no string.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All strings in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|position| self.get(position))
    }
}

impl<S: AsRef<str>> FromIterator<S> for StringTable {
    fn from_iter<I: IntoIterator<Item = S>>(strings: I) -> Self {
        let mut table = Self::default();
        for string in strings {
            table.push(string.as_ref());
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_integers_store_nothing() {
        assert_eq!(NodeNames::from_sorted_integers(vec![0, 1, 2]), NodeNames::Indices(3));
        assert_eq!(NodeNames::from_sorted_integers(vec![]), NodeNames::Indices(0));
    }

    #[test]
    fn sparse_integers_keep_their_names() {
        let names = NodeNames::from_sorted_integers(vec![-4, 7, 1_000_000]);
        assert_eq!(names.name(2), "1000000");
        assert_eq!(names.len(), 3);
    }

    #[test]
    fn a_string_table_gives_back_what_it_got_empty_strings_too() {
        let table: StringTable = ["a", "", "größe"].iter().collect();
        assert_eq!(table.iter().collect::<Vec<_>>(), ["a", "", "größe"]);
    }
}
