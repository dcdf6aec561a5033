//! Parses one block of whole lines.
//!
//! Lines that are nothing but integers (and a plain weight) are taken apart where they stand,
//! eight digits at a time. Whatever else a line may hold (quotes, names, comments, errors) is
//! left to the careful path, line by line.

use std::borrow::Cow;

use super::super::arc_block::{ArcBlock, Ends, Id};
use super::super::error::quote;
use super::super::lines::{MAX_LINE, too_long};
use super::dialect::Dialect;
use super::digits;
use super::fields::{Delimiter, Fields, check_returns};
use crate::io::text::grouped;

/// A parsed block.
pub(super) struct Parsed {
    pub(super) block: ArcBlock,
    pub(super) n_lines: u64,
    pub(super) first_text: Option<FirstText>,
    /// Comments before the first arc of the block, and after it.
    pub(super) n_comments: [u64; 2],
}

/// The first id of a block that is no integer.
pub(super) struct FirstText {
    pub(super) id: String,
    /// Its line in the block, from 1.
    pub(super) line: u64,
    /// How many arcs of the block come before it.
    pub(super) arcs_before: usize,
}

/// What is wrong with which line of a block, from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadLine {
    pub(super) line: u64,
    pub(super) message: String,
}

/// Parses the lines of `bytes`, of which only the last may lack its end.
pub(super) fn parse(bytes: &[u8], dialect: &Dialect) -> Result<Parsed, BadLine> {
    // The shortest arc is two digits, a delimiter and a line end; what is set aside but not
    // written to takes no memory.
    let most = bytes.len() / 4 + 1;
    let mut block = ArcBlock {
        ends: Ends::Narrow { sources: Vec::with_capacity(most), targets: Vec::with_capacity(most) },
        weights: Vec::with_capacity(if dialect.weight.is_some() { most } else { 0 }),
    };
    let fast = digits::FastLines::new(dialect);
    let mut first_text = None;
    let (mut n_lines, mut n_comments) = (0, [0; 2]);
    let mut at = 0;
    while at < bytes.len() {
        if let Some(fast) = &fast {
            let taken = fast.take(bytes, &mut at, &mut block);
            n_lines += taken;
            if at >= bytes.len() {
                break;
            }
        }
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
        n_lines += 1;
        let line = &bytes[at..end];
        let bad = |message| BadLine { line: n_lines, message };
        if let Some(arc) = parse_line(line, dialect).map_err(bad)? {
            let (source, target) = (arc.source.id().map_err(bad)?, arc.target.id().map_err(bad)?);
            if first_text.is_none() {
                let text = [source, target].into_iter().find_map(|id| match id {
                    Id::Text(text) => Some(text.to_owned()),
                    Id::Integer(_) => None,
                });
                let arcs_before = block.ends.len();
                first_text = text.map(|id| FirstText { id, line: n_lines, arcs_before });
            }
            check_declared(dialect, [source, target]).map_err(bad)?;
            block.ends.push(source, target);
            block.weights.extend(arc.weight);
        } else if is_comment(line) {
            n_comments[usize::from(block.ends.len() > 0)] += 1;
        }
        at = end + 1;
    }
    block.ends.shrink();
    block.weights.shrink_to_fit();
    Ok(Parsed { block, n_lines, first_text, n_comments })
}

/// Whether `line` holds no arc: blank, or a comment.
pub(in super::super) fn is_empty(line: &[u8]) -> bool {
    let first = line.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    matches!(first, None | Some(b'#' | b'%'))
}

/// Whether `line` is a comment.
pub(in super::super) fn is_comment(line: &[u8]) -> bool {
    is_empty(line) && !line.trim_ascii().is_empty()
}

/// What a user should be told of comments among the data, which may have been meant for data.
pub(in super::super) fn note_on_comments(n_comments: u64) -> Option<String> {
    let remedy = "put quotes around names that begin so";
    match n_comments {
        0 => None,
        1 => Some(format!(
            "a line that begins with # or % after the first row was taken for a comment; {remedy}"
        )),
        n => Some(format!(
            "{} lines that begin with # or % after the first row were taken for comments; {remedy}",
            grouped(n)
        )),
    }
}

struct Arc<'a> {
    source: Field<'a>,
    target: Field<'a>,
    weight: Option<f32>,
}

/// The bytes of an id.
struct Field<'a>(Cow<'a, [u8]>);

impl Field<'_> {
    fn id(&self) -> Result<Id<'_>, String> {
        let bytes = &self.0;
        let text = std::str::from_utf8(bytes).map_err(|_| {
            format!("node id {} is not UTF-8; convert the file to UTF-8", quote(bytes))
        })?;
        if text.contains('\0') {
            return Err(format!("node id {} holds a NUL byte; is this a text file?", quote(bytes)));
        }
        Ok(Id::parse(text))
    }
}

fn check_declared(dialect: &Dialect, ids: [Id<'_>; 2]) -> Result<(), String> {
    let Some(n_nodes) = dialect.n_nodes else { return Ok(()) };
    for id in ids {
        match id {
            Id::Integer(id) if (0..i64::from(n_nodes)).contains(&id) => {}
            Id::Integer(id) => {
                return Err(format!(
                    "node {id} is none of the {n_nodes} declared nodes, from 0 on"
                ));
            }
            Id::Text(text) => {
                return Err(format!(
                    "node {} is no integer, so nodes cannot be declared by their number",
                    quote(text.as_bytes())
                ));
            }
        }
    }
    Ok(())
}

fn parse_line<'a>(line: &'a [u8], dialect: &Dialect) -> Result<Option<Arc<'a>>, String> {
    if line.len() > MAX_LINE {
        return Err(too_long());
    }
    // Before comments are left out: a file that is one line may begin as one.
    check_returns(line)?;
    if is_empty(line) {
        return Ok(None);
    }
    let (mut source, mut target, mut weight) = (None, None, None);
    let last = dialect.source.max(dialect.target).max(dialect.weight.unwrap_or(0));
    for (column, field) in Fields::new(line, dialect.delimiter).take(last + 1).enumerate() {
        let field = field.map_err(|bad| bad.message())?;
        if Some(column) == dialect.weight {
            weight = Some(parse_weight(&field)?);
        }
        if column == dialect.source && column == dialect.target {
            source = Some(field.clone());
            target = Some(field);
        } else if column == dialect.source {
            source = Some(field);
        } else if column == dialect.target {
            target = Some(field);
        }
    }
    let (Some(source), Some(target)) = (source, target) else {
        return Err(too_few(line, dialect));
    };
    if let Some(column) = dialect.weight
        && weight.is_none()
    {
        return Err(format!(
            "expected a weight in column {}, found {}; pass --weight none to read no weights",
            column + 1,
            quote(line.trim_ascii())
        ));
    }
    for (id, column) in [(&source, dialect.source), (&target, dialect.target)] {
        if id.is_empty() {
            return Err(format!(
                "the node id in column {} is empty; pass --delimiter if fields are split wrongly",
                column + 1
            ));
        }
    }
    Ok(Some(Arc { source: Field(source), target: Field(target), weight }))
}

fn too_few(line: &[u8], dialect: &Dialect) -> String {
    let expected = match (dialect.source, dialect.target) {
        (0, 1) | (1, 0) => "two node ids".into(),
        (source, target) => format!("node ids in columns {} and {}", source + 1, target + 1),
    };
    let separated = match dialect.delimiter {
        Delimiter::Blanks => "blanks".into(),
        Delimiter::Byte(b'\t') => "tabs".into(),
        Delimiter::Byte(byte) => format!("{:?}", char::from(byte)),
    };
    format!(
        "expected {expected}, found {}; fields are separated by {separated}, pass --delimiter for \
         another",
        quote(line.trim_ascii())
    )
}

fn parse_weight(field: &[u8]) -> Result<f32, String> {
    let number = std::str::from_utf8(field).ok().and_then(|text| text.parse().ok());
    number.ok_or_else(|| {
        format!("expected a weight, found {}; pass --weight none to read no weights", quote(field))
    })
}

#[cfg(test)]
mod tests;
