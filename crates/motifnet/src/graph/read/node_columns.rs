//! Which columns of a table tell the node of a row and what is known of it.

use std::convert::Infallible;

use super::options::Column;

/// Names of columns that say which node a row is about, the surest first; the last is what pandas
/// calls an index without a name.
const KEY_COLUMNS: [&str; 8] =
    ["node", "nodeid", "id", "vertex", "vertexid", "nodename", "name", "indexlevel0"];

/// Which columns hold the values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueColumns<'a> {
    /// This one, by its name or its place from 1.
    Named(&'a str),
    /// The one beside the nodes.
    TheOther,
    /// All but the one of the nodes.
    All,
}

impl ValueColumns<'_> {
    fn asked(self) -> Option<Column> {
        match self {
            Self::Named(name) => {
                Some(name.parse().unwrap_or_else(|never: Infallible| match never {}))
            }
            Self::TheOther | Self::All => None,
        }
    }

    /// Whether a column is asked for by its name.
    pub(super) fn is_by_name(self) -> bool {
        matches!(self.asked(), Some(Column::Name(_)))
    }
}

/// The places, from 0, of the columns that are read.
#[derive(Debug)]
pub(super) struct NodeColumns {
    /// The column of the nodes; `None` if the rows stand in node order.
    pub(super) key: Option<usize>,
    /// The columns of the values.
    pub(super) values: Vec<usize>,
    /// What the columns of the values are called.
    pub(super) names: Vec<String>,
    /// What a user should be told of columns that are left out.
    pub(super) note: Option<String>,
}

impl NodeColumns {
    /// The column whose name says that it holds nodes.
    pub(super) fn key_of(names: &[String]) -> Option<usize> {
        KEY_COLUMNS.iter().find_map(|&known| names.iter().position(|name| plain(name) == known))
    }

    /// The columns of a table whose first row is `first`; it names them if there is a header.
    pub(super) fn choose(
        first: &[String],
        has_header: bool,
        wanted: ValueColumns<'_>,
    ) -> Result<Self, String> {
        let n_columns = first.len();
        let key = match Self::key_of(first).filter(|_| has_header) {
            Some(key) => Some(key),
            None if n_columns == 1 => None,
            None => Some(0),
        };
        let name = |&column: &usize| match first.get(column) {
            Some(name) if has_header && !name.is_empty() => name.clone(),
            _ => (column + 1).to_string(),
        };
        let all_names =
            || (0..n_columns).map(|column| name(&column)).collect::<Vec<_>>().join(", ");
        let others: Vec<usize> = (0..n_columns).filter(|&column| Some(column) != key).collect();
        let mut left_out = Vec::new();
        let values = match (wanted.asked(), wanted) {
            (Some(Column::Name(asked)), _) => {
                vec![first.iter().position(|name| *name == asked).ok_or_else(|| {
                    format!("no column is called {asked:?}; the columns are {}", all_names())
                })?]
            }
            (Some(Column::Position(place)), _) if place <= n_columns => vec![place - 1],
            (Some(Column::Position(place)), _) => {
                return Err(format!("column {place} was asked for, but there are {n_columns}"));
            }
            (None, _) if others.is_empty() => {
                return Err("there is no column but that of the nodes".into());
            }
            (None, ValueColumns::All) => {
                let is_index = |&column: &usize| has_header && names_an_index(&first[column]);
                let (indices, values): (Vec<usize>, Vec<usize>) =
                    others.iter().copied().partition(is_index);
                // Where there is nothing else, it is what was meant.
                match values.is_empty() {
                    true => others,
                    false => {
                        left_out = indices;
                        values
                    }
                }
            }
            (None, _) if others.len() == 1 => others,
            (None, _) => {
                return Err(format!(
                    "which column is meant? Name it after a #, as in file.csv#{}; the columns are \
                     {}",
                    name(&others[0]),
                    all_names()
                ));
            }
        };
        let names = values.iter().map(name).collect();
        let note = left_out.first().map(|&column| {
            let place = column + 1;
            format!("column {place} is the index of a table and was left out; give it a name if it is meant")
        });
        Ok(Self { key, values, names, note })
    }
}

/// Whether a column is called what pandas calls an index without a name: not at all, or by its level.
fn names_an_index(name: &str) -> bool {
    name.is_empty() || plain(name).starts_with("indexlevel")
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_of_the_nodes_is_found_by_its_name() {
        for (names, expected) in [
            (vec!["age", "Node_ID"], Some(1)),
            (vec!["name", "id"], Some(1)),
            (vec!["age", "__index_level_0__"], Some(1)),
            (vec!["age", "size"], None),
        ] {
            let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
            assert_eq!(NodeColumns::key_of(&names), expected, "{names:?}");
        }
    }
}
