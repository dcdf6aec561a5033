//! How a text file writes its arcs: delimiter, header, columns. Found from its first lines.

use super::super::columns::{self, Role};
use super::super::options::{Column, ReadOptions, WeightColumn};
use super::fields::{BadQuote, Delimiter, Fields};

/// How a text file writes its arcs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) delimiter: Delimiter,
    /// Columns, from 0.
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) weight: Option<usize>,
    /// The nodes are the integers below this, if they were declared.
    pub(super) n_nodes: Option<u32>,
}

/// What the first lines tell.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) dialect: Dialect,
    /// The first of the lines names the columns.
    pub(super) has_header: bool,
    /// Which way arcs point, in words.
    pub(super) direction: String,
    pub(super) notes: Vec<String>,
}

/// Finds the dialect from the first data lines (no comments, no blank lines); the error belongs to
/// the first of them.
pub(super) fn detect(lines: &[&[u8]], options: &ReadOptions) -> Result<Finding, String> {
    let delimiter = match options.delimiter {
        Some(b' ') => Delimiter::Blanks,
        Some(byte) => Delimiter::Byte(byte),
        None => find_delimiter(lines),
    };
    // A row that cannot be split is reported when its turn comes.
    let rows: Vec<Vec<String>> =
        lines.iter().map(|line| split(line, delimiter).unwrap_or_default()).collect();
    let has_header = options.header.unwrap_or_else(|| is_header(&rows, options));
    let (header, rows) = match rows.split_first() {
        Some((first, rest)) if has_header => (Some(first.as_slice()), rest),
        _ => (None, &rows[..]),
    };

    // Only a pair of known names outweighs the first two places.
    let (source, target) = header.and_then(columns::find_ends).unwrap_or((0, 1));
    let columns = &options.columns;
    let source = choose(columns.source.as_ref(), header, source)?;
    let mut target = choose(columns.target.as_ref(), header, target)?;
    if columns.target.is_none() && target == source {
        target = usize::from(source == 0);
    }
    let mut notes = Vec::new();
    let weight = match &columns.weight {
        WeightColumn::None => None,
        WeightColumn::Column(column) => Some(choose(Some(column), header, 0)?),
        WeightColumn::Auto => {
            let found = find_weight(header, rows, source, target);
            if let (Some(column), None) = (found, header) {
                notes.push(format!(
                    "column {} was read as weights; pass --weight none to ignore it",
                    column + 1
                ));
            }
            found
        }
    };
    notes.extend(ignored_columns(header, rows, &[Some(source), Some(target), weight]));
    let dialect = Dialect { delimiter, source, target, weight, n_nodes: options.n_nodes };
    let name = |column: usize| header.and_then(|names| names.get(column)).map(String::as_str);
    let direction = columns::direction((source, name(source)), (target, name(target)));
    Ok(Finding { dialect, has_header, direction, notes })
}

pub(in super::super) fn split(line: &[u8], delimiter: Delimiter) -> Result<Vec<String>, BadQuote> {
    let text = |field: std::borrow::Cow<'_, [u8]>| String::from_utf8_lossy(&field).into_owned();
    Fields::new(line, delimiter).map(|field| field.map(text)).collect()
}

/// The delimiter that splits most lines, the first of equal ones, blanks if none splits any. Not
/// the one that splits all: a bad line is to be reported, not to change how the others are read.
pub(in super::super) fn find_delimiter(lines: &[&[u8]]) -> Delimiter {
    let n_split = |delimiter: Delimiter| {
        let splits = |line: &&&[u8]| split(line, delimiter).is_ok_and(|fields| fields.len() > 1);
        lines.iter().filter(splits).count()
    };
    let mut best = (Delimiter::Blanks, n_split(Delimiter::Blanks));
    for byte in [b';', b',', b'\t'] {
        let delimiter = Delimiter::Byte(byte);
        let n_split = n_split(delimiter);
        if n_split > 0 && n_split >= best.1 {
            best = (delimiter, n_split);
        }
    }
    best.0
}

fn is_header(rows: &[Vec<String>], options: &ReadOptions) -> bool {
    let Some(first) = rows.first() else { return false };
    let is_named = |column: &Option<Column>| match column {
        Some(Column::Name(name)) => first.contains(name),
        _ => false,
    };
    if columns::find_ends(first).is_some()
        || is_named(&options.columns.source)
        || is_named(&options.columns.target)
    {
        return true;
    }
    let place = |column: &Option<Column>, default| match column {
        // A place of 0 is refused when the columns are chosen.
        Some(Column::Position(position)) => position.saturating_sub(1),
        _ => default,
    };
    let ends = [place(&options.columns.source, 0), place(&options.columns.target, 1)];
    let number = |row: &[String], column: usize| {
        row.get(column).is_some_and(|field| field.parse::<f64>().is_ok())
    };
    let Some(second) = rows.get(1) else { return false };
    ends.iter().all(|&end| !number(first, end) && number(second, end))
}

/// The place of the column that was asked for.
fn choose(
    asked: Option<&Column>,
    header: Option<&[String]>,
    default: usize,
) -> Result<usize, String> {
    match (asked, header) {
        (None, _) => Ok(default),
        (Some(Column::Position(0)), _) => Err("columns are counted from 1, not from 0".into()),
        (Some(Column::Position(position)), _) => Ok(position - 1),
        (Some(Column::Name(name)), Some(names)) => {
            names.iter().position(|present| present == name).ok_or_else(|| {
                format!("no column is called {name:?}; the columns are {}", names.join(", "))
            })
        }
        (Some(Column::Name(name)), None) => Err(format!(
            "column {name:?} was asked for, but this line seems to be no header; pass --header if \
             it is one, or give the column's place, from 1"
        )),
    }
}

/// The column of weights: the one named so, or the third if it holds numbers and nothing speaks
/// against it.
fn find_weight(
    header: Option<&[String]>,
    rows: &[Vec<String>],
    source: usize,
    target: usize,
) -> Option<usize> {
    let numeric = |&column: &usize| {
        let is_number =
            |row: &Vec<String>| row.get(column).is_some_and(|field| field.parse::<f32>().is_ok());
        column != source && column != target && !rows.is_empty() && rows.iter().all(is_number)
    };
    match header {
        None => Some(2).filter(numeric),
        Some(names) => columns::find(names, Role::Weight)
            .filter(numeric)
            .or_else(|| (0..3).filter(|_| names.len() == 3).find(numeric)),
    }
}

/// Tells which columns are not read.
fn ignored_columns(
    header: Option<&[String]>,
    rows: &[Vec<String>],
    used: &[Option<usize>],
) -> Option<String> {
    let n_columns = rows.iter().map(Vec::len).chain(header.map(<[_]>::len)).max().unwrap_or(0);
    let is_used = |column: &usize| used.contains(&Some(*column));
    // A delimiter at the line's end makes an empty last column, of which nobody wants to hear.
    let is_empty = |column: &usize| {
        let empty = |row: &[String]| row.get(*column).is_none_or(String::is_empty);
        rows.iter().all(|row| empty(row)) && header.is_none_or(empty)
    };
    let ignored: Vec<usize> = (0..n_columns).filter(|c| !is_used(c) && !is_empty(c)).collect();
    let name = |column: &usize| match header.and_then(|names| names.get(*column)) {
        Some(name) if !name.is_empty() => format!("{} ({name})", column + 1),
        _ => (column + 1).to_string(),
    };
    match ignored.as_slice() {
        [] => None,
        [one] => Some(format!("column {} is ignored", name(one))),
        [many @ .., last] => {
            let many: Vec<String> = many.iter().map(name).collect();
            Some(format!("columns {} and {} are ignored", many.join(", "), name(last)))
        }
    }
}

#[cfg(test)]
mod tests;
