//! Tables of facts about nodes: a line or row a node, or an attribute of the nodes of a GML file.

use std::path::{Path, PathBuf};

use super::error::quote;
use super::lines::Lines;
use super::node_columns::{NodeColumns, ValueColumns};
use super::text::delimiter::{find_delimiter, split};
use super::text::fields::{Delimiter, check_returns};
use super::text::{is_comment, is_empty, note_on_comments};
use super::{GraphFormat, ReadError, gml};
use crate::graph::{NodeNames, StringTable};
use crate::io::{Input, Reading};

/// How many lines tell the delimiter and whether there is a header.
const SAMPLE_LINES: usize = 64;

/// Facts about nodes as they stand in a file.
#[derive(Debug)]
pub(crate) struct NodeTable {
    /// The file.
    pub(crate) path: PathBuf,
    /// What the columns of values are called; their places, from 1, if they have no names.
    pub(crate) columns: Vec<String>,
    /// Whether the file names its columns.
    pub(crate) has_names: bool,
    /// What `lines` count.
    pub(crate) row_kind: RowKind,
    /// The node that each row is about; `None` if the rows stand in node order.
    pub(crate) keys: Option<StringTable>,
    /// Where in the file each row is, from 1: its line, or its row in files that have no lines.
    pub(crate) lines: Vec<u64>,
    /// The values, row after row.
    pub(crate) values: StringTable,
    /// What a user should be told about how the file was understood.
    pub(crate) notes: Vec<String>,
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

    /// Where in the file a row is, in words.
    pub(crate) fn place(&self, row: usize) -> String {
        match self.row_kind {
            RowKind::Line => format!("line {}", self.lines[row]),
            RowKind::Row => format!("row {}", self.lines[row]),
        }
    }

    /// An error about a row.
    pub(crate) fn problem(&self, row: usize, message: impl std::fmt::Display) -> ReadError {
        match self.row_kind {
            RowKind::Line => ReadError::line(&self.path, self.lines[row], message.to_string()),
            RowKind::Row => {
                ReadError::file(&self.path, format!("row {}: {message}", self.lines[row]))
            }
        }
    }
}

/// What a file counts its rows by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// Lines of text.
    Line,
    /// Rows of a table or elements of an array, from 1.
    Row,
}

/// Reads facts about nodes that are called `names`.
///
/// The rows of a text or Parquet file tell their node in the column that is called so (`node`,
/// `id`, …), else in the first; the rows of a file of one column stand in node order.
pub(crate) fn read_node_table(
    path: &Path,
    wanted: ValueColumns<'_>,
    names: &NodeNames,
    reading: Reading<'_>,
) -> Result<NodeTable, ReadError> {
    let input = reading.open(path)?;
    match (GraphFormat::detect(path, input.peek()), wanted) {
        (GraphFormat::Text, _) => read_text(input, wanted),
        (GraphFormat::Gml, ValueColumns::Named(attribute)) => {
            gml::read_node_attribute(input, attribute, names)
        }
        (GraphFormat::Gml, _) => {
            let message = "which attribute of its nodes is meant? Name it, as in file.gml#value";
            Err(ReadError::file(path, message))
        }
        #[cfg(feature = "parquet")]
        (GraphFormat::Parquet, _) => super::parquet::read_node_table(input, wanted),
        #[cfg(not(feature = "parquet"))]
        (GraphFormat::Parquet, _) => Err(super::no_parquet(path)),
        (format, _) => {
            let message =
                format!("no table of nodes is read from {format} files; use CSV, Parquet or GML");
            Err(ReadError::file(path, message))
        }
    }
}

/// Where the columns of a text file are.
struct Layout {
    delimiter: Delimiter,
    has_header: bool,
    n_columns: usize,
    columns: NodeColumns,
}

fn read_text(input: Input<'_>, wanted: ValueColumns<'_>) -> Result<NodeTable, ReadError> {
    let mut lines = Lines::new(input);
    let (mut sample, mut n_comments) = (Vec::new(), 0);
    let path = lines.path().to_owned();
    let check = |number, line: &[u8]| {
        check_returns(line).map_err(|message| ReadError::line(&path, number, message))
    };
    while sample.len() < SAMPLE_LINES
        && let Some((number, line)) = lines.next()?
    {
        check(number, line)?;
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        if !is_empty(line) {
            sample.push((number, line.to_owned()));
        } else if !sample.is_empty() {
            n_comments += u64::from(is_comment(line));
        }
    }
    let Some((first_line, _)) = sample.first() else {
        return Err(ReadError::file(lines.path(), "has no rows; a line a node was expected"));
    };
    let layout = Layout::find(&sample, wanted)
        .map_err(|message| ReadError::line(lines.path(), *first_line, message))?;
    let mut table = NodeTable {
        path: lines.path().to_owned(),
        columns: layout.columns.names.clone(),
        has_names: layout.has_header,
        row_kind: RowKind::Line,
        keys: layout.columns.key.map(|_| StringTable::default()),
        lines: Vec::new(),
        values: StringTable::default(),
        notes: layout.columns.note.iter().cloned().collect(),
    };
    for (number, line) in &sample[usize::from(layout.has_header)..] {
        table.push(*number, line, &layout)?;
    }
    while let Some((number, line)) = lines.next()? {
        check(number, line)?;
        if !is_empty(line) {
            table.push(number, line, &layout)?;
        }
        n_comments += u64::from(is_comment(line));
    }
    table.notes.extend(note_on_comments(n_comments));
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
        if let (Some(keys), Some(key)) = (&mut self.keys, layout.columns.key) {
            keys.push(&fields[key]);
        }
        for &column in &layout.columns.values {
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
        let has_header = wanted.is_by_name()
            || NodeColumns::key_of(&first).is_some()
            || heads(&first, second.as_deref());
        let columns = NodeColumns::choose(&first, has_header, wanted)?;
        Ok(Self { delimiter, has_header, n_columns: first.len(), columns })
    }
}

/// Whether a row names the columns, by what stands where the row after it has a node: nothing, or
/// a word where there is then a number.
fn heads(first: &[String], second: Option<&[String]>) -> bool {
    // `Nan` and `Inf` are names.
    let is_number = |field: &String| field.parse().is_ok_and(f64::is_finite);
    match (first.first(), second.and_then(<[String]>::first)) {
        (Some(first), Some(second)) => {
            first.is_empty() && !second.is_empty() || !is_number(first) && is_number(second)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::{table_in_words, with_file};
    use super::*;
    use crate::progress::Silent;

    /// The columns, then each row as `node=value,value`.
    fn read(name: &str, text: &str, wanted: ValueColumns<'_>) -> Result<String, String> {
        let names = NodeNames::Indices(9);
        let table = with_file(name, text.as_bytes(), |path| {
            read_node_table(path, wanted, &names, Reading { limit: None, progress: &Silent })
        })?;
        Ok(table_in_words(&table))
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
            (",node,a\n0,x,1\n", All, "a x=1"),
            (",node\n0,x\n", All, "1 x=0"),
        ] {
            assert_eq!(read("t.csv", text, wanted).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn comments_among_the_rows_are_told() {
        let notes = |text: &str| {
            let names = NodeNames::Indices(9);
            let reading = Reading { limit: None, progress: &Silent };
            let read = |path: &Path| read_node_table(path, ValueColumns::All, &names, reading);
            with_file("t.csv", text.as_bytes(), read).unwrap().notes
        };
        let note = "2 lines that begin with # or % after the first row were taken for comments; put \
                    quotes around names that begin so";
        assert_eq!(notes("# top\nid,a\n#rust,1\nx,2\n%go,3\n"), [note]);
        assert!(notes("# top\nid,a\n\"#rust\",1\nx,2\n").is_empty());
        let rows: String = (0..99).map(|row| format!("n{row},1\n")).collect();
        assert_eq!(notes(&format!("id,a\n#x,1\n{rows}#y,1\n")), [note]);
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
            (
                "id,a\r1,2\r3,4\r",
                All,
                "t.csv:1: a carriage return within the line; if lines end with carriage returns \
                 alone, convert them, as by tr '\\r' '\\n'; if it belongs to a name, put quotes \
                 around that",
            ),
            ("id\n1\n", TheOther, "t.csv:1: there is no column but that of the nodes"),
            ("id\n1\n", All, "t.csv:1: there is no column but that of the nodes"),
        ] {
            assert_eq!(read("t.csv", text, wanted).unwrap_err(), expected, "{text:?}");
        }
    }

    #[cfg(not(feature = "parquet"))]
    #[test]
    fn a_build_without_parquet_says_so() {
        assert_eq!(
            read("t.parquet", "PAR1", ValueColumns::All).unwrap_err(),
            "t.parquet: a Parquet file, which this build cannot read; build with the feature \
             `parquet`"
        );
    }

    #[test]
    fn other_files_are_no_tables() {
        assert_eq!(
            read("t.mtx", "%%MatrixMarket", ValueColumns::All).unwrap_err(),
            "t.mtx: no table of nodes is read from mtx files; use CSV, Parquet or GML"
        );
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
