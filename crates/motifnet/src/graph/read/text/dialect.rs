//! How a text file writes its arcs: delimiter, header, columns. Found from its first lines.

use super::super::columns::{self, Role};
use super::super::options::{Column, ColumnOptions, ReadOptions, WeightColumn};
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
    if let Some(names) = header {
        check_row_names(names, rows, columns)?;
    }

    // Only a pair of known names outweighs the first two places.
    let (source, target) = header.and_then(columns::find_ends).unwrap_or((0, 1));
    let source = choose(columns.source.as_ref(), header, source)?;
    let mut target = choose(columns.target.as_ref(), header, target)?;
    if columns.target.is_none() && target == source {
        target = usize::from(source == 0);
    }
    let mut notes = Vec::new();
    if let (Heading::Guessed, Some(names)) = (heading, header) {
        let names = names.join(", ");
        notes.push(format!(
            "the first line was taken for names of columns ({names}); pass --header no if it is an arc"
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

pub(in super::super) fn split(line: &[u8], delimiter: Delimiter) -> Result<Vec<String>, BadQuote> {
    let text = |field: std::borrow::Cow<'_, [u8]>| String::from_utf8_lossy(&field).into_owned();
    Fields::new(line, delimiter).map(|field| field.map(text)).collect()
}

/// The delimiter that most lines are clearly written with; of those equal in that, the one that splits most
/// lines; of equal ones the first; blanks if none splits any. Not the one that splits all: a bad line is to be
/// reported, not to change how the others are read.
pub(in super::super) fn find_delimiter(lines: &[&[u8]]) -> Delimiter {
    let score = |delimiter: Delimiter| {
        let fields: Vec<_> = lines.iter().map(|line| split(line, delimiter)).collect();
        let is_clear = |(fields, line): (&Result<Vec<String>, _>, &&[u8])| {
            fields.as_ref().is_ok_and(|fields| is_clear(fields, line, delimiter))
        };
        let n_clear = fields.iter().zip(lines).filter(|&pair| is_clear(pair)).count();
        let splits =
            |fields: &&Result<Vec<String>, _>| fields.as_ref().is_ok_and(|fields| fields.len() > 1);
        (n_clear, fields.iter().filter(splits).count())
    };
    let mut best = (Delimiter::Blanks, score(Delimiter::Blanks));
    for byte in DELIMITERS {
        let delimiter = Delimiter::Byte(byte);
        let score = score(delimiter);
        if score.1 > 0 && score >= best.1 {
            best = (delimiter, score);
        }
    }
    let (delimiter, (_, n_split)) = best;
    // Tabs are blanks, too: both kinds were meant where few lines have one and blanks split all lines alike.
    let has_few_tabs = delimiter == Delimiter::Byte(b'\t') && 2 * n_split <= lines.len();
    match has_few_tabs && alike_by_blanks(lines) {
        true => Delimiter::Blanks,
        false => delimiter,
    }
}

/// Whether blanks split all lines into equally many fields, at least two.
fn alike_by_blanks(lines: &[&[u8]]) -> bool {
    let mut counts = lines.iter().map(|line| Fields::new(line, Delimiter::Blanks).count());
    counts.next().is_some_and(|first| first > 1 && counts.all(|count| count == first))
}

/// What may stand between fields beside blanks, the surest last.
const DELIMITERS: [u8; 3] = [b';', b',', b'\t'];

/// Whether the first two fields hold nothing that could be a delimiter, too. Blanks are in many names, so what
/// they split is clear only where no name is.
fn is_clear(fields: &[String], line: &[u8], delimiter: Delimiter) -> bool {
    let [source, target, ..] = fields else { return false };
    let by_blanks = is_clear_by_blanks(line);
    match delimiter {
        Delimiter::Blanks => by_blanks,
        Delimiter::Byte(_) => {
            let is_plain = |field: &String| field.bytes().all(|byte| !DELIMITERS.contains(&byte));
            !by_blanks && is_plain(source) && is_plain(target)
        }
    }
}

/// Whether a line begins with two integers and blanks between and after them, or has two words and what networkx
/// writes of an edge, `{'weight': 2, 'year': 2009}`.
fn is_clear_by_blanks(line: &[u8]) -> bool {
    let mut words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let (Some(source), Some(target)) = (words.next(), words.next()) else { return false };
    let is_integer = |word: &[u8]| {
        let digits = word.strip_prefix(b"-").unwrap_or(word);
        !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    };
    // A tab may come after the second.
    let end = target.iter().position(|&byte| byte == b'\t').unwrap_or(target.len());
    let is_dictionary = |word: &[u8]| word.starts_with(b"{") && line.ends_with(b"}");
    is_integer(source) && is_integer(&target[..end]) || words.next().is_some_and(is_dictionary)
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

/// Refuses rows that all have one field more than the header: where their names were written in front, as R does,
/// every field would be taken for the one before it.
fn check_row_names(
    names: &[String],
    rows: &[Vec<String>],
    columns: &ColumnOptions,
) -> Result<(), String> {
    let is_told = [&columns.source, &columns.target]
        .iter()
        .all(|column| matches!(column, Some(Column::Position(_))));
    let has_one_more = |row: &Vec<String>| {
        row.len() == names.len() + 1 && row.last().is_some_and(|f| !f.is_empty())
    };
    if is_told || rows.is_empty() || !rows.iter().all(has_one_more) {
        return Ok(());
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
