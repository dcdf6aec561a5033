//! Tables of facts about nodes: a line a node, or an attribute of the nodes of a GML file.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use super::error::quote;
use super::lines::Lines;
use super::options::Column;
use super::text::dialect::{find_delimiter, split};
use super::text::fields::Delimiter;
use super::text::is_empty;
use super::{GraphFormat, ReadError, gml};
use crate::graph::{NodeNames, StringTable};
use crate::io::Input;
use crate::progress::Progress;

/// How many lines tell the delimiter and whether there is a header.
const SAMPLE_LINES: usize = 64;
/// Names of columns that say which node a row is about, the surest first.
const KEY_COLUMNS: [&str; 7] = ["node", "nodeid", "id", "vertex", "vertexid", "nodename", "name"];

/// Facts about nodes as they stand in a file.
#[derive(Debug)]
pub(crate) struct NodeTable {
    /// The file.
    pub(crate) path: PathBuf,
    /// What the columns of values are called; their places, from 1, if they have no names.
    pub(crate) columns: Vec<String>,
    /// The node that each row is about; `None` if the rows stand in node order.
    pub(crate) keys: Option<StringTable>,
    /// Where in the file each row is, from 1.
    pub(crate) lines: Vec<u64>,
    /// The values, row after row.
    pub(crate) values: StringTable,
}

impl NodeTable {
    /// Number of rows.
    pub(crate) fn n_rows(&self) -> usize {
        self.lines.len()
    }

    /// The value in one column of one row.
    pub(crate) fn value(&self, row: usize, column: usize) -> &str {
        self.values.get(row * self.columns.len() + column)
    }
}

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

/// Reads facts about nodes that are called `names`.
///
/// The rows of a text file tell their node in the column that is called so (`node`, `id`, …), else
/// in the first; the rows of a file of one column stand in node order.
pub(crate) fn read_node_table(
    path: &Path,
    wanted: ValueColumns<'_>,
    names: &NodeNames,
    progress: &dyn Progress,
) -> Result<NodeTable, ReadError> {
    let input = Input::open(path, None, progress)?;
    match (GraphFormat::detect(path, input.peek()), wanted) {
        (GraphFormat::Text, _) => read_text(input, wanted),
        (GraphFormat::Gml, ValueColumns::Named(attribute)) => {
            gml::read_node_attribute(input, attribute, names)
        }
        (GraphFormat::Gml, _) => {
            let message = "which attribute of its nodes is meant? Name it, as in file.gml#value";
            Err(ReadError::file(path, message))
        }
        (format, _) => {
            let message = format!("no table of nodes is read from {format} files; use CSV or GML");
            Err(ReadError::file(path, message))
        }
    }
}

/// Where the columns of a text file are.
struct Layout {
    delimiter: Delimiter,
    has_header: bool,
    n_columns: usize,
    key: Option<usize>,
    values: Vec<usize>,
    names: Vec<String>,
}

fn read_text(input: Input<'_>, wanted: ValueColumns<'_>) -> Result<NodeTable, ReadError> {
    let mut lines = Lines::new(input);
    let mut sample = Vec::new();
    while sample.len() < SAMPLE_LINES
        && let Some((number, line)) = lines.next()?
    {
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        if !is_empty(line) {
            sample.push((number, line.to_owned()));
        }
    }
    let Some((first_line, _)) = sample.first() else {
        return Err(ReadError::file(lines.path(), "has no rows; a line a node was expected"));
    };
    let layout = Layout::find(&sample, wanted)
        .map_err(|message| ReadError::line(lines.path(), *first_line, message))?;
    let mut table = NodeTable {
        path: lines.path().to_owned(),
        columns: layout.names.clone(),
        keys: layout.key.map(|_| StringTable::default()),
        lines: Vec::new(),
        values: StringTable::default(),
    };
    for (number, line) in &sample[usize::from(layout.has_header)..] {
        table.push(*number, line, &layout)?;
    }
    while let Some((number, line)) = lines.next()? {
        if !is_empty(line) {
            table.push(number, line, &layout)?;
        }
    }
    Ok(table)
}

impl NodeTable {
    fn push(&mut self, number: u64, line: &[u8], layout: &Layout) -> Result<(), ReadError> {
        let fields = split(line, layout.delimiter)
            .map_err(|bad| ReadError::line(&self.path, number, bad.message()))?;
        if fields.len() != layout.n_columns {
            let message = format!(
                "{} fields, but the first line has {}: {}",
                fields.len(),
                layout.n_columns,
                quote(line)
            );
            return Err(ReadError::line(&self.path, number, message));
        }
        if let (Some(keys), Some(key)) = (&mut self.keys, layout.key) {
            keys.push(&fields[key]);
        }
        for &column in &layout.values {
            self.values.push(&fields[column]);
        }
        self.lines.push(number);
        Ok(())
    }
}

impl Layout {
    fn find(sample: &[(u64, Vec<u8>)], wanted: ValueColumns<'_>) -> Result<Self, String> {
        let lines: Vec<&[u8]> = sample.iter().map(|(_, line)| line.as_slice()).collect();
        let delimiter = find_delimiter(&lines);
        let fields = |line: &&[u8]| split(line, delimiter).map_err(|bad| bad.message().to_owned());
        let first = lines.first().map_or(Ok(Vec::new()), fields)?;
        // A second line that cannot be split is reported when its turn comes.
        let second = lines.get(1).and_then(|line| fields(line).ok());
        let asked: Option<Column> = match wanted {
            ValueColumns::Named(name) => {
                Some(name.parse().unwrap_or_else(|never: Infallible| match never {}))
            }
            ValueColumns::TheOther | ValueColumns::All => None,
        };
        let key_named = KEY_COLUMNS
            .iter()
            .find_map(|&known| first.iter().position(|name| plain(name) == known));
        let has_header = match &asked {
            Some(Column::Name(_)) => true,
            _ => key_named.is_some() || heads(&first, second.as_deref()),
        };
        let n_columns = first.len();
        let key = match key_named.filter(|_| has_header) {
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
        let values = match (asked, wanted) {
            (Some(Column::Name(asked)), _) => {
                vec![first.iter().position(|name| *name == asked).ok_or_else(|| {
                    format!("no column is called {asked:?}; the columns are {}", all_names())
                })?]
            }
            (Some(Column::Position(place)), _) if place <= n_columns => vec![place - 1],
            (Some(Column::Position(place)), _) => {
                return Err(format!("column {place} was asked for, but there are {n_columns}"));
            }
            (None, ValueColumns::All) => others,
            (None, _) if others.len() == 1 => others,
            (None, _) if others.is_empty() => {
                return Err("there is no column but that of the nodes".into());
            }
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
        Ok(Self { delimiter, has_header, n_columns, key, values, names })
    }
}

/// Whether a row names the columns, by what stands where the row after it has a node: nothing, or
/// a word where there is then a number.
fn heads(first: &[String], second: Option<&[String]>) -> bool {
    let is_number = |field: &String| field.parse::<f64>().is_ok();
    match (first.first(), second.and_then(<[String]>::first)) {
        (Some(first), Some(second)) => {
            first.is_empty() && !second.is_empty() || !is_number(first) && is_number(second)
        }
        _ => false,
    }
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_support::with_file;
    use super::*;
    use crate::progress::Silent;

    /// The columns, then each row as `node=value,value`.
    fn read(name: &str, text: &str, wanted: ValueColumns<'_>) -> Result<String, String> {
        let names = NodeNames::Indices(9);
        let table = with_file(name, text.as_bytes(), |path| {
            read_node_table(path, wanted, &names, &Silent)
        })?;
        let mut told = vec![table.columns.join(",")];
        for row in 0..table.n_rows() {
            let key = table.keys.as_ref().map_or("", |keys| keys.get(row));
            let values: Vec<&str> =
                (0..table.columns.len()).map(|column| table.value(row, column)).collect();
            told.push(format!("{key}={}", values.join(",")));
        }
        Ok(told.join(" "))
    }

    #[test]
    fn the_columns_of_text_are_found() {
        use ValueColumns::*;
        for (text, wanted, expected) in [
            (",0\n0,5\n1,6\n", TheOther, "0 0=5 1=6"),
            ("0 1\n# a comment\n1 1\n2 21\n", TheOther, "2 0=1 1=1 2=21"),
            ("node_id,a,b\n7,2,x\n8,,\"y, z\"\n", Named("b"), "b 7=x 8=y, z"),
            ("node_id,a,b\n7,2,x\n", All, "a,b 7=2,x"),
            ("a,id\nx,7\n", TheOther, "a 7=x"),
            ("7\tx\ty\n8\tz\tw\n", Named("3"), "3 7=y 8=w"),
            ("5\n6\n", TheOther, "1 =5 =6"),
            ("class\nx\ny\n", Named("class"), "class =x =y"),
            ("id\nx\ny\n", Named("id"), "id x=x y=y"),
            ("\u{feff}id,a\nx,1\n", TheOther, "a x=1"),
        ] {
            assert_eq!(read("t.csv", text, wanted).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_table_is_said() {
        use ValueColumns::*;
        for (text, wanted, expected) in [
            ("", TheOther, "t.csv: has no rows; a line a node was expected"),
            (
                "id,a,b\n1,2,3\n",
                TheOther,
                "t.csv:1: which column is meant? Name it after a #, as in file.csv#a; the columns \
                 are id, a, b",
            ),
            (
                "id,a\n1,2\n",
                Named("c"),
                "t.csv:1: no column is called \"c\"; the columns are id, a",
            ),
            ("id,a\n1,2\n", Named("3"), "t.csv:1: column 3 was asked for, but there are 2"),
            ("id,a\n1,2\n3\n", All, "t.csv:3: 1 fields, but the first line has 2: \"3\""),
            ("id\n1\n", TheOther, "t.csv:1: there is no column but that of the nodes"),
        ] {
            assert_eq!(read("t.csv", text, wanted).unwrap_err(), expected, "{text:?}");
        }
    }

    #[test]
    fn attributes_of_gml_nodes_are_found() {
        let text = "graph [ node [ id 3 value 1 ] node [ id 5 label \"b\" value \"x\" ] \
                    node [ id 4 ] ]";
        let found = read("t.gml", text, ValueColumns::Named("value"));
        assert_eq!(found.unwrap(), "value 3=1 5=x");
        assert_eq!(
            read("t.gml", text, ValueColumns::Named("valu")).unwrap_err(),
            "t.gml: no node has an attribute `valu`; the attributes are id, label, value"
        );
        assert_eq!(
            read("t.gml", text, ValueColumns::TheOther).unwrap_err(),
            "t.gml: which attribute of its nodes is meant? Name it, as in file.gml#value"
        );
    }
}
