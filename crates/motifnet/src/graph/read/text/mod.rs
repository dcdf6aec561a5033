//! Text edge lists: one arc a line.
//!
//! The file is read in blocks of whole lines, several of which are parsed at once; a task that
//! has parsed its block fetches the next. Line numbers and the first error are put together
//! afterwards, so neither depends on the number of threads.

mod block;
mod blocks;
pub(super) mod delimiter;
mod dialect;
mod digits;
pub(super) mod fields;
mod float_ids;

use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use self::block::Parsed;
pub(super) use self::block::{is_comment, is_empty, note_on_comments};
use self::blocks::{BlockError, Blocks};
use self::dialect::{Dialect, Finding};
use self::float_ids::note_on_floats;
use super::error::quote;
use super::lines::{MAX_LINE, too_long};
use super::node_ids::number_nodes;
use super::{RawGraph, ReadError, ReadOptions};
use crate::io::{Input, InputReader};

/// A block stays in a core's cache while it is parsed.
const BLOCK_BYTES: usize = 1 << 20;
/// How many lines tell the dialect, and how far into the file they are looked for.
const SAMPLE_LINES: usize = 64;
const SAMPLE_BYTES: usize = 1 << 16;
const MAX_HEAD_BYTES: usize = 1 << 24;
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

pub(super) fn read(input: Input<'_>, options: &ReadOptions) -> Result<RawGraph, ReadError> {
    read_in_blocks(input, options, BLOCK_BYTES)
}

fn read_in_blocks(
    input: Input<'_>,
    options: &ReadOptions,
    block_bytes: usize,
) -> Result<RawGraph, ReadError> {
    let path = input.path().to_owned();
    let mut reader = input.into_reader();
    let mut head = read_head(&mut reader)?;
    let Start { finding, n_bytes, n_lines } = find_start(&head, options, &path)?;
    let suggested = n_nodes_in_comment(&head);
    let Finding { dialect, has_header, direction, mut notes } = finding;

    head.drain(..n_bytes);
    let mut stream = Cursor::new(head).chain(reader);
    let results = parse_blocks(&mut stream, &dialect, block_bytes);

    let mut blocks = Vec::with_capacity(results.len());
    let mut lines_before = n_lines;
    let (mut arcs_before, mut met_text) = (0, false);
    let (mut n_comments, mut n_top_comments) = (0, 0);
    for result in results {
        match result {
            Ok(parsed) => {
                if let (false, Some(first)) = (met_text, parsed.first_text) {
                    met_text = true;
                    if arcs_before + first.arcs_before > 0 {
                        notes.push(format!(
                            "line {}: node id {} is no integer, so all ids are read as text",
                            lines_before + first.line,
                            quote(first.id.as_bytes())
                        ));
                    }
                }
                // Those at the top are comments for sure.
                let [before_arcs, after] = parsed.n_comments;
                match arcs_before == 0 && !has_header {
                    true => n_top_comments += before_arcs,
                    false => n_comments += before_arcs,
                }
                n_comments += after;
                arcs_before += parsed.block.ends.len();
                lines_before += parsed.n_lines;
                blocks.push(parsed.block);
            }
            Err(Problem::Line(bad)) => {
                return Err(ReadError::line(&path, lines_before + bad.line, bad.message));
            }
            Err(Problem::Input(error)) => return Err(stream.get_ref().1.error(error).into()),
        }
    }
    notes.extend(note_on_comments(n_comments));
    if arcs_before == 0 && n_top_comments > 0 && suggested.is_none() {
        notes.push(
            "there is no arc: all lines begin with # or % and were taken for comments; put quotes around names \
             that begin so"
                .to_owned(),
        );
    }
    let (arcs, names) = number_nodes(blocks, options.n_nodes, suggested);
    notes.extend(note_on_floats(&names));
    Ok(RawGraph { arcs, direction, names, notes })
}

/// Reads enough of the file to tell its dialect.
fn read_head(reader: &mut InputReader<'_>) -> Result<Vec<u8>, ReadError> {
    let mut head = Vec::new();
    loop {
        let wanted = SAMPLE_BYTES.max(head.len()) as u64;
        let read = reader.by_ref().take(wanted).read_to_end(&mut head);
        let n = read.map_err(|error| reader.error(error))?;
        let enough = data_lines(&head).take(3).count() == 3;
        if n == 0 || enough || head.len() >= MAX_HEAD_BYTES {
            return Ok(head);
        }
    }
}

/// Lines that hold arcs or the header, each with its place among all lines and where it ends. The
/// last line may be cut.
fn data_lines(head: &[u8]) -> impl Iterator<Item = (u64, usize, &[u8])> {
    let mut end = 0;
    head.split_inclusive(|&byte| byte == b'\n')
        .enumerate()
        .map(move |(number, line)| {
            end += line.len();
            (number as u64, end, line.trim_ascii_end())
        })
        .filter(|(_, _, line)| !block::is_empty(line))
}

/// The number of nodes that a first line `# nodes: N` tells: what a graph is written with here, so
/// that nodes without arcs are not lost.
fn n_nodes_in_comment(head: &[u8]) -> Option<u32> {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let line = head.split(|&byte| byte == b'\n').next()?.trim_ascii();
    let digits = line.strip_prefix(b"# nodes: ")?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// Where the arcs begin.
struct Start {
    finding: Finding,
    n_bytes: usize,
    n_lines: u64,
}

fn find_start(head: &[u8], options: &ReadOptions, path: &Path) -> Result<Start, ReadError> {
    let skipped = if head.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let head = &head[skipped..];
    let mut sample: Vec<_> = data_lines(head).take(SAMPLE_LINES).collect();
    // The last line may go on past the head; it is of use only where there are no others.
    if sample.len() > 2 {
        sample.pop();
    }
    if let Some((number, ..)) = sample.iter().find(|(_, _, line)| line.len() > MAX_LINE) {
        return Err(ReadError::line(path, number + 1, too_long()));
    }
    let lines: Vec<&[u8]> = sample.iter().map(|&(_, _, line)| line).collect();
    let finding = dialect::detect(&lines, options).map_err(|message| {
        let line = sample.first().map_or(1, |&(number, _, _)| number + 1);
        ReadError::line(path, line, message)
    })?;
    Ok(match sample.first() {
        Some(&(number, end, _)) if finding.has_header => {
            Start { finding, n_bytes: skipped + end, n_lines: number + 1 }
        }
        _ => Start { finding, n_bytes: skipped, n_lines: 0 },
    })
}

/// Why parsing stopped.
enum Problem {
    Line(block::BadLine),
    Input(std::io::Error),
}

/// Parses the whole stream; results stand in file order and end with the first error.
fn parse_blocks(
    stream: impl Read + Send,
    dialect: &Dialect,
    block_bytes: usize,
) -> Vec<Result<Parsed, Problem>> {
    let blocks = Mutex::new(Blocks::new(stream, block_bytes));
    let results = Mutex::new(Vec::new());
    let work = || {
        let mut buffer = Vec::new();
        loop {
            let next = lock(&blocks).next_into(&mut buffer);
            let Some((number, block)) = next else { return };
            let result = match block {
                Ok(length) => block::parse(&buffer[..length], dialect).map_err(Problem::Line),
                Err(BlockError::LineTooLong) => {
                    Err(Problem::Line(block::BadLine { line: 1, message: too_long() }))
                }
                Err(BlockError::Io(error)) => Err(Problem::Input(error)),
            };
            if result.is_err() {
                // All earlier blocks were given out, so the first error is among the results.
                lock(&blocks).stop();
            }
            lock(&results).push((number, result));
        }
    };
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| work());
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|&(number, _)| number);
    results.into_iter().map(|(_, result)| result).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
