//! What stands between the fields of a text, found from its first lines.

use std::collections::HashMap;

use super::super::columns::find_ends;
use super::fields::{BadQuote, Delimiter, Fields};

const TAB: u8 = b'\t';
/// What may stand between fields, the surest first: commas and blanks are in many names.
const DELIMITERS: [Delimiter; 4] =
    [Delimiter::Byte(TAB), Delimiter::Byte(b';'), Delimiter::Byte(b','), Delimiter::Blanks];

/// The fields of a line as text.
pub(in super::super) fn split(line: &[u8], delimiter: Delimiter) -> Result<Vec<String>, BadQuote> {
    let text = |field: std::borrow::Cow<'_, [u8]>| String::from_utf8_lossy(&field).into_owned();
    Fields::new(line, delimiter).map(|field| field.map(text)).collect()
}

/// The delimiter of these lines: one by which the first of them names the ends of arcs, if there is such; then the one
/// that most lines are clearly written with; then the one that splits most lines alike; then the surest. A bad line is
/// to be reported, and not to change how the others are read, so no rule asks for all lines.
pub(in super::super) fn find_delimiter(lines: &[&[u8]]) -> Delimiter {
    let lines: Vec<&[u8]> = lines.iter().map(|line| without_dictionary(line)).collect();
    let names_ends = |&delimiter: &Delimiter| {
        let names = lines.first().and_then(|line| split(line, delimiter).ok());
        names.is_some_and(|names| find_ends(&names).is_some())
    };
    let any_does = DELIMITERS.iter().any(names_ends);
    let mut best = (Delimiter::Blanks, Score::default());
    for delimiter in DELIMITERS.into_iter().filter(|it| !any_does || names_ends(it)) {
        let score = Score::of(&lines, delimiter);
        if score > best.1 {
            best = (delimiter, score);
        }
    }
    match best.0 == Delimiter::Byte(TAB) && are_tabs_blanks(&lines) {
        true => Delimiter::Blanks,
        false => best.0,
    }
}

/// What speaks for a delimiter, the weightiest first.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// Lines that are clearly written with it, if most are.
    n_clear: usize,
    /// Lines that it splits into the number of fields that is commonest.
    n_alike: usize,
}

impl Score {
    fn of(lines: &[&[u8]], delimiter: Delimiter) -> Self {
        let n_clear = lines.iter().filter(|line| is_clear(line, delimiter)).count();
        let mut of_count: HashMap<usize, usize> = HashMap::new();
        for count in lines.iter().filter_map(|line| n_fields(line, delimiter)) {
            *of_count.entry(count).or_default() += 1;
        }
        Self {
            n_clear: if 2 * n_clear > lines.len() { n_clear } else { 0 },
            n_alike: of_count.into_values().max().unwrap_or(0),
        }
    }
}

/// Into how many fields a line is split, if it is.
fn n_fields(line: &[u8], delimiter: Delimiter) -> Option<usize> {
    let is_there = match delimiter {
        Delimiter::Byte(byte) => open_place(line, byte).is_some(),
        Delimiter::Blanks => true,
    };
    let n_fields =
        Fields::new(line, delimiter).try_fold(0, |count, field| field.map(|_| count + 1));
    n_fields.ok().filter(|&count| is_there && count > 1)
}

/// Whether a line is written with a delimiter, and the first two fields hold nothing that could be another.
fn is_clear(line: &[u8], delimiter: Delimiter) -> bool {
    if n_fields(line, delimiter).is_none() {
        return false;
    }
    let by_blanks = is_clear_by_blanks(line);
    let Delimiter::Byte(byte) = delimiter else { return by_blanks };
    let is_other = |other: &u8| *other != byte;
    let has_other =
        |field: &String| separators().filter(is_other).any(|it| field.as_bytes().contains(&it));
    // Other separators are in names; tabs are not.
    !by_blanks
        && (byte == TAB
            || split(line, delimiter).is_ok_and(|fields| !fields.iter().take(2).any(has_other)))
}

/// Whether a line is two words or more and nothing else that separates, or two words and a number, such as `1 2 0,5`
/// and the same with a tab before the number.
fn is_clear_by_blanks(line: &[u8]) -> bool {
    let Ok(words) = split(line, Delimiter::Blanks) else { return false };
    let mut open = separators().filter_map(|byte| Some((byte, open_place(line, byte)?))).peekable();
    match &words[..] {
        [_, _, ..] if open.peek().is_none() => true,
        [source, target, number] => {
            // Whether both ends stand before it: a tab ends the second, what is in a number comes after that.
            let is_behind = |(byte, place): (u8, usize)| {
                let n_before =
                    split(&line[..place], Delimiter::Blanks).map_or(0, |them| them.len());
                match byte {
                    TAB => n_before == 2 && is_integer(source) && is_integer(target),
                    _ => n_before == 3,
                }
            };
            is_number(number) && open.all(is_behind)
        }
        _ => false,
    }
}

/// Whether a word is a number, perhaps with a comma for the point; no number begins with zeros.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let whole = digits.split(['.', ',']).next().unwrap_or_default();
    whole.starts_with(|c: char| c.is_ascii_digit())
        && (whole == "0" || !whole.starts_with('0'))
        && digits.replacen(',', ".", 1).parse::<f64>().is_ok()
}

fn separators() -> impl Iterator<Item = u8> {
    DELIMITERS.into_iter().filter_map(|delimiter| match delimiter {
        Delimiter::Byte(byte) => Some(byte),
        Delimiter::Blanks => None,
    })
}

/// Where a byte first stands outside of quotes.
fn open_place(line: &[u8], byte: u8) -> Option<usize> {
    let mut is_quoted = false;
    line.iter().position(|&it| {
        is_quoted ^= it == b'"';
        it == byte && !is_quoted
    })
}

/// A line without what networkx writes of an arc at its end, `{'weight': 2, 'year': 2009}`.
fn without_dictionary(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|&byte| byte == b'{').filter(|_| line.ends_with(b"}"));
    line[..start.unwrap_or(line.len())].trim_ascii_end()
}

/// Whether tabs are blanks like others: some lines have none, blanks split all lines into equally many fields, and what
/// they split off are integers, not the words of names. The first line may be a header.
fn are_tabs_blanks(lines: &[&[u8]]) -> bool {
    let mut counts = lines.iter().map(|line| n_fields(line, Delimiter::Blanks));
    let first = counts.next().flatten();
    let begins_with_integers = |line: &&[u8]| {
        let words = split(line, Delimiter::Blanks).unwrap_or_default();
        words.iter().take(2).all(|word| is_integer(word))
    };
    first.is_some()
        && counts.all(|count| count == first)
        && lines.iter().any(|line| open_place(line, TAB).is_none())
        && lines.iter().skip(1).all(begins_with_integers)
}

fn is_integer(word: &str) -> bool {
    word.parse::<i64>().is_ok()
}

#[cfg(test)]
mod properties;
