//! The fields of one line.

use std::borrow::Cow;

/// What stands between fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Delimiter {
    /// Exactly one such byte; blanks beside it belong to no field.
    Byte(u8),
    /// Any run of spaces and tabs.
    Blanks,
}

impl Delimiter {
    fn is(self, byte: u8) -> bool {
        match self {
            Self::Byte(delimiter) => byte == delimiter,
            Self::Blanks => matches!(byte, b' ' | b'\t'),
        }
    }

    /// Whether `byte` may stand beside a field without being part of it.
    fn is_padding(self, byte: u8) -> bool {
        matches!(byte, b' ' | b'\t' | b'\r') && self != Self::Byte(byte)
    }
}

/// A quoted field that is not well formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum BadQuote {
    /// The closing quote is missing.
    Open,
    /// Something follows the closing quote.
    Trailing,
}

impl BadQuote {
    pub(in super::super) fn message(self) -> &'static str {
        match self {
            Self::Open => "a quoted field must end on its line; write a quote inside it twice",
            Self::Trailing => {
                "text follows a closing quote; write a quote inside a quoted field twice"
            }
        }
    }
}

/// Walks over the fields of a line; quotes are removed.
pub(super) struct Fields<'a> {
    /// `None` when the last field was given out.
    rest: Option<&'a [u8]>,
    delimiter: Delimiter,
}

impl<'a> Fields<'a> {
    pub(super) fn new(line: &'a [u8], delimiter: Delimiter) -> Self {
        Self { rest: Some(line), delimiter }
    }

    /// Takes a quoted field off `text`, which begins after the opening quote.
    fn quoted(&mut self, text: &'a [u8]) -> Result<Cow<'a, [u8]>, BadQuote> {
        let mut field = Cow::Borrowed(&text[..0]);
        let mut start = 0;
        loop {
            let length =
                text[start..].iter().position(|&byte| byte == b'"').ok_or(BadQuote::Open)?;
            let end = start + length;
            let doubled = text.get(end + 1) == Some(&b'"');
            // Of a doubled quote the first belongs to the field.
            let piece = &text[start..end + usize::from(doubled)];
            if field.is_empty() {
                field = Cow::Borrowed(piece);
            } else {
                field.to_mut().extend_from_slice(piece);
            }
            if !doubled {
                self.rest = self.after_quote(&text[end + 1..])?;
                return Ok(field);
            }
            start = end + 2;
        }
    }

    /// What is left to split after a closing quote; nothing after the last field.
    fn after_quote(&self, text: &'a [u8]) -> Result<Option<&'a [u8]>, BadQuote> {
        let rest = skip_while(text, |byte| self.delimiter.is_padding(byte));
        match (rest, self.delimiter) {
            ([], _) => Ok(None),
            // Blanks are padding and delimiter in one: there must have been some.
            (_, Delimiter::Blanks) if rest.len() < text.len() => Ok(Some(rest)),
            ([first, rest @ ..], Delimiter::Byte(byte)) if *first == byte => Ok(Some(rest)),
            _ => Err(BadQuote::Trailing),
        }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Cow<'a, [u8]>, BadQuote>;

    fn next(&mut self) -> Option<Self::Item> {
        let text = skip_while(self.rest.take()?, |byte| self.delimiter.is_padding(byte));
        if self.delimiter == Delimiter::Blanks && text.is_empty() {
            return None;
        }
        if let [b'"', inner @ ..] = text {
            return Some(self.quoted(inner));
        }
        let end = text.iter().position(|&byte| self.delimiter.is(byte));
        let mut field = text;
        if let Some(end) = end {
            field = &text[..end];
            self.rest = Some(&text[end + 1..]);
        }
        while let [start @ .., last] = field
            && self.delimiter.is_padding(*last)
        {
            field = start;
        }
        Some(Ok(Cow::Borrowed(field)))
    }
}

/// Refuses carriage returns within a line, outside of quotes: where they end lines without a line feed, the whole file
/// is one line, which would be one arc, one header or one comment.
pub(in super::super) fn check_returns(line: &[u8]) -> Result<(), &'static str> {
    let line = line.trim_ascii_end();
    let mut start = 0;
    let mut in_quotes = false;
    while let Some(length) = memchr::memchr2(b'\r', b'"', &line[start..]) {
        match line[start + length] {
            b'"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            _ => {
                return Err(
                    "a carriage return within the line; if lines end with carriage returns \
                            alone, convert them, as by tr '\\r' '\\n'; if it belongs to a name, \
                            put quotes around that",
                );
            }
        }
        start += length + 1;
    }
    Ok(())
}

fn skip_while(text: &[u8], skip: impl Fn(u8) -> bool) -> &[u8] {
    let start = text.iter().position(|&byte| !skip(byte)).unwrap_or(text.len());
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str, delimiter: Delimiter) -> Result<Vec<String>, BadQuote> {
        let text = |field: Cow<'_, [u8]>| String::from_utf8(field.into_owned()).unwrap();
        Fields::new(line.as_bytes(), delimiter).map(|field| field.map(text)).collect()
    }

    #[test]
    fn fields_are_split_trimmed_and_unquoted() {
        const COMMA: Delimiter = Delimiter::Byte(b',');
        const TAB: Delimiter = Delimiter::Byte(b'\t');
        for (line, delimiter, expected) in [
            ("a,b", COMMA, vec!["a", "b"]),
            (" a , b b ,\r", COMMA, vec!["a", "b b", ""]),
            (",", COMMA, vec!["", ""]),
            (r#""a ""b"", c",d"#, COMMA, vec![r#"a "b", c"#, "d"]),
            (r#""" , """""#, COMMA, vec!["", "\""]),
            (r#"a"b,c"#, COMMA, vec!["a\"b", "c"]),
            ("a b\tc\r", TAB, vec!["a b", "c"]),
            ("a\t\tb", TAB, vec!["a", "", "b"]),
            ("  a \t b  ", Delimiter::Blanks, vec!["a", "b"]),
            (r#" "a b" c "d" "#, Delimiter::Blanks, vec!["a b", "c", "d"]),
        ] {
            assert_eq!(split(line, delimiter).unwrap(), expected, "{line:?}");
        }
    }

    #[test]
    fn carriage_returns_stand_at_the_end_or_in_quotes() {
        for line in ["", "1 2", "1 2\r", "1 2\r\r", "a,\"b\rc\"\r", "\"a\"\"\rb\",c"] {
            assert_eq!(check_returns(line.as_bytes()), Ok(()), "{line:?}");
        }
        for line in ["1 2\r3 4\r", "1 2 \r3", "\"a\",b\r\"c\",d", "# nodes: 3\r1 2\r"] {
            assert!(check_returns(line.as_bytes()).is_err(), "{line:?}");
        }
    }

    #[test]
    fn quotes_must_close_before_the_delimiter() {
        for (line, delimiter, expected) in [
            ("\"a,b", Delimiter::Byte(b','), BadQuote::Open),
            ("\"a\"b,c", Delimiter::Byte(b','), BadQuote::Trailing),
            ("\"a\"b c", Delimiter::Blanks, BadQuote::Trailing),
        ] {
            assert_eq!(split(line, delimiter), Err(expected), "{line:?}");
        }
    }
}
