//! How a text file writes its arcs: delimiter, header, columns. Found from its first lines.

use std::borrow::Cow;

use super::super::columns::{self, Role};
use super::super::options::{Column, ColumnOptions, ReadOptions, WeightColumn};
use super::delimiter::{find_delimiter, split};
use super::fields::Delimiter;

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
    let heading = match options.header {
        Some(true) => Heading::Names,
        Some(false) => Heading::None,
        None => Heading::of(&rows, options),
    };
    let has_header = heading != Heading::None;
    let (header, rows) = match rows.split_first() {
        Some((first, rest)) if has_header => (Some(first.as_slice()), rest),
        _ => (None, &rows[..]),
    };
    let columns = &options.columns;
    let header = header.map(|names| above_columns(names, heading, rows, columns)).transpose()?;
    let header = header.as_deref();

    // Only a pair of known names outweighs the first two places.
    let (source, target) = header.and_then(columns::find_ends).unwrap_or((0, 1));
    let source = choose(columns.source.as_ref(), header, source)?;
    let mut target = choose(columns.target.as_ref(), header, target)?;
    if columns.target.is_none() && target == source {
        target = usize::from(source == 0);
    }
    let mut notes = Vec::new();
    if let (Heading::Guessed, Some(names)) = (heading, header) {
        let more = if names.len() > MOST_NAMED { ", …" } else { "" };
        let names = names[..names.len().min(MOST_NAMED)].join(", ");
        notes.push(format!(
            "the first line was taken for names of columns ({names}{more}); pass --header no if it is an arc"
        ));
    }
    let weight = match &columns.weight {
        WeightColumn::None => None,
        WeightColumn::Column(column) => Some(choose(Some(column), header, 0)?),
        WeightColumn::Auto => {
            let found = find_weight(header, rows, source, target);
            if let Some(column) = found.filter(|&column| !says_weight(header, column)) {
                notes.push(format!(
                    "column {} was read as weights; pass --weight none to ignore it",
                    place_and_name(header, column)
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

/// What the first line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heading {
    /// An arc.
    None,
    /// Names of columns that say so.
    Names,
    /// Names of columns, since they are none of the numbers that come after them.
    Guessed,
}

impl Heading {
    fn of(rows: &[Vec<String>], options: &ReadOptions) -> Self {
        let Some(first) = rows.first() else { return Self::None };
        let is_named = |column: &Option<Column>| match column {
            Some(Column::Name(name)) => first.contains(name),
            _ => false,
        };
        if columns::find_ends(first).is_some()
            || is_named(&options.columns.source)
            || is_named(&options.columns.target)
        {
            return Self::Names;
        }
        let place = |column: &Option<Column>, default| match column {
            // A place of 0 is refused when the columns are chosen.
            Some(Column::Position(position)) => position.saturating_sub(1),
            _ => default,
        };
        let ends = [place(&options.columns.source, 0), place(&options.columns.target, 1)];
        let number = |row: &[String], column: usize| {
            // `Nan` and `Inf` are names.
            let field = row.get(column).and_then(|field| field.parse::<f64>().ok());
            field.is_some_and(f64::is_finite)
        };
        let Some(second) = rows.get(1) else { return Self::None };
        match ends.iter().all(|&end| !number(first, end) && number(second, end)) {
            true => Self::Guessed,
            false => Self::None,
        }
    }
}

/// The header with a name for every column. Where all rows have one field more, either their names were written in
/// front, as R does, and have none themselves, or the last column has none: the places of the ends tell which.
fn above_columns<'a>(
    names: &'a [String],
    heading: Heading,
    rows: &[Vec<String>],
    columns: &ColumnOptions,
) -> Result<Cow<'a, [String]>, String> {
    let has_one_more = |row: &Vec<String>| {
        row.len() == names.len() + 1 && row.last().is_some_and(|f| !f.is_empty())
    };
    if rows.is_empty() || !rows.iter().all(has_one_more) {
        return Ok(names.into());
    }
    let ends = [&columns.source, &columns.target];
    if ends.iter().all(|column| matches!(column, Some(Column::Position(2..)))) {
        return Ok([&[String::new()], names].concat().into());
    }
    let is_told = ends.iter().all(|column| matches!(column, Some(Column::Position(_))));
    // R numbers the rows, and keeps their numbers where it leaves some out.
    let numbers: Option<Vec<u64>> = rows.iter().map(|row| row.first()?.parse().ok()).collect();
    let are_numbered = numbers.is_some_and(|them| them.windows(2).all(|pair| pair[0] < pair[1]));
    if is_told || heading != Heading::Names || !are_numbered {
        return Ok(names.into());
    }
    Err(format!(
        "{} names, but the rows have {} fields; if these begin with the names of rows, pass --source 2 --target \
         3, and if the header lacks its last name, --source 1 --target 2",
        names.len(),
        names.len() + 1
    ))
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
            // Not one before the ends, as an index is.
            .or_else(|| Some(2).filter(|_| names.len() == 3 && source.max(target) == 1))
            .filter(numeric),
    }
}

/// Whether a column is called what weights are.
fn says_weight(header: Option<&[String]>, column: usize) -> bool {
    let name = header.and_then(|names| names.get(column));
    name.is_some_and(|name| columns::role(name) == Some(Role::Weight))
}

/// The place of a column, from 1, and its name if it has one.
fn place_and_name(header: Option<&[String]>, column: usize) -> String {
    match header.and_then(|names| names.get(column)) {
        Some(name) if !name.is_empty() => format!("{} ({name})", column + 1),
        _ => (column + 1).to_string(),
    }
}

/// As many columns are named that are not read.
const MOST_NAMED: usize = 10;

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
    let shown = &ignored[..ignored.len().min(MOST_NAMED)];
    let mut words: Vec<String> =
        shown.iter().map(|&column| place_and_name(header, column)).collect();
    if ignored.len() > shown.len() {
        words.push(format!("{} more", ignored.len() - shown.len()));
    }
    let last = words.pop()?;
    Some(match words.is_empty() {
        true => format!("column {last} is ignored"),
        false => format!("columns {} and {last} are ignored", words.join(", ")),
    })
}

#[cfg(test)]
mod tests;
