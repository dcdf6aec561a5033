//! What stands between the fields of a text, found from its first lines.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::columns::find_ends;
use super::fields::{BadQuote, Delimiter, Fields};

const TAB: u8 = b'\t';
/// What may stand between fields, the surest first: commas and blanks are in many names.
const DELIMITERS: [Delimiter; 4] =
    [Delimiter::Byte(TAB), Delimiter::Byte(b';'), Delimiter::Byte(b','), Delimiter::Blanks];

/// The fields of a line as text.
pub(in super::super) fn split(line: &[u8], delimiter: Delimiter) -> Result<Vec<String>, BadQuote> {
    let text = |field: Cow<'_, [u8]>| String::from_utf8_lossy(&field).into_owned();
    Fields::new(line, delimiter).map(|field| field.map(text)).collect()
}

/// The delimiter of these lines: one by which the first of them names the ends of arcs, if there is such; then the one
/// that most lines are clearly written with; then the one that splits most lines alike; then the surest. A bad line is
/// to be reported, and not to change how the others are read, so no rule asks for all lines.
pub(in super::super) fn find_delimiter(lines: &[&[u8]]) -> Delimiter {
    let lines: Vec<Line> = lines.iter().map(|line| Line::new(line)).collect();
    let names_ends = |&delimiter: &Delimiter| {
        let names = lines.first().and_then(|line| split(line.text, delimiter).ok());
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
    fn of(lines: &[Line<'_>], delimiter: Delimiter) -> Self {
        let n_clear = lines.iter().filter(|line| line.is_clear(delimiter)).count();
        let mut of_count: HashMap<usize, usize> = HashMap::new();
        for count in lines.iter().filter_map(|line| line.n_fields(delimiter)) {
            *of_count.entry(count).or_default() += 1;
        }
        Self {
            n_clear: if 2 * n_clear > lines.len() { n_clear } else { 0 },
            n_alike: of_count.into_values().max().unwrap_or(0),
        }
    }
}

/// A line of the file.
struct Line<'a> {
    text: &'a [u8],
    /// Whether it is clearly written with blanks, and so with nothing else.
    is_by_blanks: bool,
}

impl<'a> Line<'a> {
    fn new(line: &'a [u8]) -> Self {
        let text = without_dictionary(line);
        Self { text, is_by_blanks: is_clear_by_blanks(text) }
    }

    /// Into how many fields it is split, if it is.
    fn n_fields(&self, delimiter: Delimiter) -> Option<usize> {
        let is_there = match delimiter {
            Delimiter::Byte(byte) => open_place(self.text, byte).is_some(),
            Delimiter::Blanks => true,
        };
        let mut fields = Fields::new(self.text, delimiter);
        let n_fields = fields.try_fold(0, |count, field| field.map(|_| count + 1));
        n_fields.ok().filter(|&count| is_there && count > 1)
    }

    /// Whether it is written with a delimiter, and its first two fields hold nothing that could be another.
    fn is_clear(&self, delimiter: Delimiter) -> bool {
        let Delimiter::Byte(byte) = delimiter else { return self.is_by_blanks };
        let holds_another = |field: Cow<'_, [u8]>| {
            separators().filter(|&other| other != byte).any(|other| field.contains(&other))
        };
        // Other separators are in names; tabs are not.
        !self.is_by_blanks
            && self.n_fields(delimiter).is_some()
            && (byte == TAB
                || !Fields::new(self.text, delimiter).take(2).flatten().any(holds_another))
    }
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
fn are_tabs_blanks(lines: &[Line<'_>]) -> bool {
    let mut counts = lines.iter().map(|line| line.n_fields(Delimiter::Blanks));
    let first = counts.next().flatten();
    let begins_with_integers = |line: &Line<'_>| {
        let words = split(line.text, Delimiter::Blanks).unwrap_or_default();
        words.iter().take(2).all(|word| is_integer(word))
    };
    first.is_some()
        && counts.all(|count| count == first)
        && lines.iter().any(|line| open_place(line.text, TAB).is_none())
        && lines.iter().skip(1).all(begins_with_integers)
}

fn is_integer(word: &str) -> bool {
    word.parse::<i64>().is_ok()
}

#[cfg(test)]
mod properties;
