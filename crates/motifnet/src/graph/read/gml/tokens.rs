//! The words, strings and brackets of a GML file.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::super::ReadError;
use super::super::error::quote;
use super::super::lines::MAX_LINE;
use crate::io::{Input, InputReader};

/// What a GML file is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Open,
    Close,
    /// A key or a number.
    Word(String),
    /// A quoted string, entities replaced.
    Text(String),
}

impl Token {
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Open => "\"[\"".into(),
            Self::Close => "\"]\"".into(),
            Self::Word(text) | Self::Text(text) => quote(text.as_bytes()),
        }
    }
}

/// Reads tokens and counts lines.
pub(super) struct Tokens<'a> {
    path: PathBuf,
    reader: BufReader<InputReader<'a>>,
    line: u64,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(input: Input<'a>) -> Self {
        let path = input.path().to_owned();
        let reader = BufReader::with_capacity(1 << 18, input.into_reader());
        Self { path, reader, line: 1 }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The line that was reached.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    pub(super) fn error(&self, line: u64, message: impl Into<String>) -> ReadError {
        ReadError::line(&self.path, line, message)
    }

    /// The next token and the line it starts on; `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Token)>, ReadError> {
        loop {
            let Some(byte) = self.take_byte()? else { return Ok(None) };
            let line = self.line;
            match byte {
                b'\n' => self.line += 1,
                b'#' => {
                    self.collect_while(|byte| byte != b'\n')?;
                }
                b'[' => return Ok(Some((line, Token::Open))),
                b']' => return Ok(Some((line, Token::Close))),
                b'"' => return Ok(Some((line, Token::Text(self.text()?)))),
                // Blanks, and the bytes of a byte order mark.
                b' ' | b'\t' | b'\r' | 0xef | 0xbb | 0xbf => {}
                0x21..=0x7e => {
                    let mut word = vec![byte];
                    word.extend(self.collect_while(|byte| {
                        byte.is_ascii_graphic() && !matches!(byte, b'[' | b']' | b'"' | b'#')
                    })?);
                    let word = String::from_utf8_lossy(&word).into_owned();
                    return Ok(Some((line, Token::Word(word))));
                }
                _ => {
                    let message = format!("unexpected byte 0x{byte:02x}; is this a GML file?");
                    return Err(self.error(line, message));
                }
            }
        }
    }

    /// The rest of a string whose quote was just opened.
    fn text(&mut self) -> Result<String, ReadError> {
        let start = self.line;
        let bytes = self.collect_while(|byte| byte != b'"')?;
        if self.take_byte()?.is_none() {
            return Err(self.error(start, "a string is not closed; the file may be cut short"));
        }
        self.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            // The format's own encoding is Latin-1, whose characters are the first of Unicode.
            Err(error) => error.as_bytes().iter().map(|&byte| char::from(byte)).collect(),
        };
        Ok(replace_entities(&text))
    }

    fn take_byte(&mut self) -> Result<Option<u8>, ReadError> {
        let byte = self.fill()?.first().copied();
        if byte.is_some() {
            self.reader.consume(1);
        }
        Ok(byte)
    }

    /// Takes bytes as long as `wanted` holds.
    fn collect_while(&mut self, wanted: impl Fn(u8) -> bool) -> Result<Vec<u8>, ReadError> {
        let mut taken = Vec::new();
        loop {
            let buffer = self.fill()?;
            let length = buffer.iter().position(|&byte| !wanted(byte)).unwrap_or(buffer.len());
            let at_end = length < buffer.len() || buffer.is_empty();
            taken.extend_from_slice(&buffer[..length]);
            self.reader.consume(length);
            if taken.len() > MAX_LINE {
                let message = format!("a word of more than {MAX_LINE} bytes; is this a GML file?");
                return Err(self.error(self.line, message));
            }
            if at_end {
                return Ok(taken);
            }
        }
    }

    fn fill(&mut self) -> Result<&[u8], ReadError> {
        // The buffer is asked for twice since a borrow that may be returned lasts to the end.
        if let Err(source) = self.reader.fill_buf() {
            return Err(self.reader.get_ref().error(source).into());
        }
        Ok(self.reader.buffer())
    }
}

/// `&#x10ffff;` has nine characters after the ampersand; some write zeros before the digits.
const LONGEST_ENTITY: usize = 16;

/// Replaces `&amp;`, `&quot;`, `&lt;`, `&gt;`, `&apos;`, `&#38;` and `&#x26;`; what else stands
/// after an ampersand is left as it is.
fn replace_entities(text: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        replaced.push_str(before);
        // Looking further would go through the whole text again for every ampersand.
        let end = after.bytes().take(LONGEST_ENTITY).position(|byte| byte == b';');
        rest = match end.and_then(|end| Some((entity(&after[..end])?, &after[end + 1..]))) {
            Some((character, end)) => {
                replaced.push(character);
                end
            }
            None => {
                replaced.push('&');
                after
            }
        };
    }
    replaced.push_str(rest);
    replaced
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "quot" => Some('"'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_replaced_and_stray_ampersands_kept() {
        let text = "a &amp; b &quot;c&quot; &#8364;&#xe9; R&D; &nosuch; &";
        assert_eq!(replace_entities(text), "a & b \"c\" €é R&D; &nosuch; &");
    }

    #[test]
    fn ampersands_without_end_take_no_longer_than_other_text() {
        // A mebibyte took minutes.
        let text = "&".repeat(MAX_LINE);
        assert_eq!(replace_entities(&text), text);
    }
}
