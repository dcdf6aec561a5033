//! Several files in one input: each begins with a line `=== name`.
//!
//! Checksums would keep a fuzzer out of what is inside archives; so archives are made of their pieces, with
//! checksums that are right.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::trial::Trial;

const MARK: &[u8] = b"=== ";

/// The pieces of an input and their names; what stands before the first, or has a name that no file should
/// have, is left out.
pub(crate) fn pieces(bytes: &[u8]) -> Vec<(&str, &[u8])> {
    let mut starts: Vec<usize> = Vec::new();
    for at in 0..bytes.len() {
        let begins_line = at == 0 || bytes[at - 1] == b'\n';
        if begins_line && bytes[at..].starts_with(MARK) {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).map(|start| start - 1).chain([bytes.len()]);
    let pieces = starts.iter().zip(ends).filter_map(|(&start, end)| {
        let piece = &bytes[start + MARK.len()..end];
        let name_end = piece.iter().position(|&byte| byte == b'\n').unwrap_or(piece.len());
        let name = std::str::from_utf8(&piece[..name_end]).ok()?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
        let is_name = !name.is_empty() && name.len() < 60 && name.chars().all(is_plain);
        let stays_here = !name.contains("..") && !name.starts_with('/') && name != ".";
        (is_name && stays_here).then(|| (name, piece.get(name_end + 1..).unwrap_or_default()))
    });
    pieces.collect()
}

/// An input of pieces.
pub(crate) fn joined<B: AsRef<[u8]>>(pieces: &[(&str, B)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, (name, piece)) in pieces.iter().enumerate() {
        if number > 0 {
            bytes.push(b'\n');
        }
        bytes.extend([MARK, name.as_bytes(), b"\n", piece.as_ref()].concat());
    }
    bytes
}

/// The archive that an input is: as it stands, or made of its pieces, which are arrays.
pub(crate) fn archive(bytes: &[u8]) -> Vec<u8> {
    match pieces(bytes) {
        pieces if pieces.is_empty() => bytes.to_vec(),
        pieces => archive_of(&pieces),
    }
}

fn archive_of(pieces: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, piece) in pieces {
        // A name that is there already is refused, and the first stays.
        if archive.start_file(format!("{name}.npy"), options).is_ok() {
            archive.write_all(piece).expect("an archive in memory");
        }
    }
    archive.finish().expect("an archive in memory").into_inner()
}

/// Writes the pieces as files; those called `x.npz/array` become archives.
pub(crate) fn write_all(trial: &Trial, bytes: &[u8]) {
    let all = pieces(bytes);
    for &(name, piece) in &all {
        match name.split_once('/') {
            None => {
                trial.file(name, piece);
            }
            Some((file, _)) if file.ends_with(".npz") => {
                let arrays = all.iter().filter_map(|(name, piece)| {
                    let (other, array) = name.split_once('/')?;
                    (other == file && !array.contains('/')).then_some((array, *piece))
                });
                trial.file(file, &archive_of(&arrays.collect::<Vec<_>>()));
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_and_stay_in_their_folder() {
        let both = [("a.csv", "x\n=="), ("b.npz/c", "")];
        let bytes = joined(&both);
        assert_eq!(pieces(&bytes), both.map(|(name, text)| (name, text.as_bytes())));
        assert_eq!(pieces(b"no piece"), []);
        for name in ["../x", "/etc/x", ".", "a b", ""] {
            assert_eq!(pieces(&joined(&[(name, "text")])), [], "{name:?}");
        }
    }
}
