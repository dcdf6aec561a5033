//! MatrixMarket coordinate files: entry (i, j) is the arc i → j.

mod matrix;

pub(crate) use self::matrix::{RawMatrix, read_matrix};
use super::error::quote;
use super::lines::Lines;
use super::options::{ReadOptions, WeightColumn};
use super::{RawGraph, ReadError, plausible_nodes};
use crate::graph::{EdgeList, NodeNames};
use crate::io::{Input, InputError, room_for};

pub(super) fn read(input: Input<'_>, options: &ReadOptions) -> Result<RawGraph, ReadError> {
    let mut lines = Lines::new(input);
    let header = Header::read(&mut lines)?;
    if header.form == Form::Array {
        let message = "a matrix in array format; only coordinate format can be read, so write the \
                       matrix as a sparse one";
        return Err(ReadError::line(lines.path(), 1, message));
    }
    let size = Size::read(&mut lines, Form::Coordinate)?;
    let n_nodes =
        size.n_nodes().map_err(|message| ReadError::line(lines.path(), lines.number(), message))?;
    let with_weights = header.has_values && options.columns.weight != WeightColumn::None;

    let mut arcs = EdgeList { n_nodes: n_nodes as usize, ..EdgeList::default() };
    let mut weights = Vec::new();
    let mut found = 0u64;
    let path = lines.path().to_owned();
    while let Some((number, line)) = lines.next()? {
        if is_empty(line) {
            continue;
        }
        let bad = |message| ReadError::line(&path, number, message);
        if found == size.n_entries {
            return Err(bad(format!(
                "entry {} of {} declared; correct the size line",
                found + 1,
                size.n_entries
            )));
        }
        found += 1;
        let entry = Entry::parse(line, &header, &size).map_err(bad)?;
        arcs.sources.push(entry.row);
        arcs.targets.push(entry.column);
        weights.push(entry.value);
        if let (Some(sign), true) = (header.symmetry.mirror_sign(), entry.row != entry.column) {
            arcs.sources.push(entry.column);
            arcs.targets.push(entry.row);
            weights.push(sign * entry.value);
        }
    }
    if found < size.n_entries {
        let message = format!(
            "the size line declares {} entries, but only {found} are there; the file may be cut \
             short",
            size.n_entries
        );
        return Err(ReadError::line(&path, lines.number(), message));
    }
    plausible_nodes(arcs.n_nodes, found, options.n_nodes)
        .map_err(|message| ReadError::file(&path, message))?;
    arcs.weights = with_weights.then_some(weights);
    room_for(u64::from(n_nodes) * size_of::<i64>() as u64)
        .check()
        .map_err(|source| InputError::Memory { path: path.clone(), source })?;
    let mut notes = Vec::new();
    if let Some(note) = header.symmetry.note() {
        notes.push(note.to_owned());
    }
    let names = NodeNames::from_sorted_integers((1..=i64::from(n_nodes)).collect());
    let direction = "entry (i, j) of the matrix is the arc from i to j".to_owned();
    Ok(RawGraph { arcs, direction, names, notes })
}

fn is_empty(line: &[u8]) -> bool {
    matches!(line.trim_ascii().first(), None | Some(b'%'))
}

/// What an entry says about its mirror image.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

impl Symmetry {
    fn mirror_sign(self) -> Option<f32> {
        match self {
            Self::General => None,
            Self::Symmetric => Some(1.0),
            Self::Skew => Some(-1.0),
        }
    }

    fn note(self) -> Option<&'static str> {
        match self {
            Self::General => None,
            Self::Symmetric => {
                Some("the file says symmetric: each entry off the diagonal was read as two arcs")
            }
            Self::Skew => Some(
                "the file says skew-symmetric: each entry was read as two arcs of opposite weight",
            ),
        }
    }
}

/// How the entries are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Those that are not zero, each with its row and column.
    Coordinate,
    /// All of them, column after column.
    Array,
}

struct Header {
    form: Form,
    has_values: bool,
    symmetry: Symmetry,
}

impl Header {
    fn read(lines: &mut Lines<'_>) -> Result<Self, ReadError> {
        let path = lines.path().to_owned();
        let first = lines.next()?.map(|(_, line)| String::from_utf8_lossy(line).into_owned());
        let line = first.unwrap_or_default();
        Self::parse(&line).map_err(|message| ReadError::line(&path, 1, message))
    }

    fn parse(line: &str) -> Result<Self, String> {
        let lower = line.to_lowercase();
        let words: Vec<&str> = lower.trim_start_matches('\u{feff}').split_whitespace().collect();
        let ["%%matrixmarket", object, form, field, symmetry] = words[..] else {
            return Err(format!(
                "expected \"%%MatrixMarket matrix coordinate <field> <symmetry>\", found {}",
                quote(line.as_bytes())
            ));
        };
        if object != "matrix" {
            return Err(format!("expected a matrix, found {}", quote(object.as_bytes())));
        }
        let form = match form {
            "coordinate" => Form::Coordinate,
            "array" => Form::Array,
            _ => return Err(format!("a matrix in {form} format; it is coordinate or array")),
        };
        let has_values = match field {
            // SciPy writes `unsigned-integer`.
            "real" | "integer" | "unsigned-integer" | "double" => true,
            "pattern" => false,
            _ => {
                return Err(format!(
                    "{field} entries cannot be weights; write real, integer or pattern entries"
                ));
            }
        };
        let symmetry = match symmetry {
            "general" => Symmetry::General,
            // Real numbers are their own conjugates.
            "symmetric" | "hermitian" => Symmetry::Symmetric,
            "skew-symmetric" => Symmetry::Skew,
            _ => {
                return Err(format!(
                    "symmetry {} is not known; it is general, symmetric, skew-symmetric or \
                     hermitian",
                    quote(symmetry.as_bytes())
                ));
            }
        };
        Ok(Self { form, has_values, symmetry })
    }
}

struct Size {
    n_rows: u64,
    n_columns: u64,
    n_entries: u64,
}

impl Size {
    fn read(lines: &mut Lines<'_>, form: Form) -> Result<Self, ReadError> {
        let path = lines.path().to_owned();
        while let Some((number, line)) = lines.next()? {
            if !is_empty(line) {
                return Self::parse(line, form)
                    .map_err(|message| ReadError::line(&path, number, message));
            }
        }
        Err(ReadError::line(&path, lines.number().max(1), "the size line is missing"))
    }

    fn parse(line: &[u8], form: Form) -> Result<Self, String> {
        let text = String::from_utf8_lossy(line);
        let numbers: Option<Vec<u64>> =
            text.split_whitespace().map(|word| word.parse().ok()).collect();
        match (form, numbers.as_deref()) {
            (Form::Coordinate, Some(&[n_rows, n_columns, n_entries])) => {
                Ok(Self { n_rows, n_columns, n_entries })
            }
            (Form::Array, Some(&[n_rows, n_columns])) => {
                let n_entries = n_rows.checked_mul(n_columns);
                let too_many = || format!("a matrix of {n_rows} × {n_columns} is too large");
                Ok(Self { n_rows, n_columns, n_entries: n_entries.ok_or_else(too_many)? })
            }
            (Form::Coordinate, _) => {
                Err(format!("expected rows, columns and entries, found {}", quote(line)))
            }
            (Form::Array, _) => Err(format!("expected rows and columns, found {}", quote(line))),
        }
    }

    /// The number of nodes of the graph whose matrix it is.
    fn n_nodes(&self) -> Result<u32, String> {
        let Self { n_rows, n_columns, .. } = self;
        if n_rows != n_columns {
            return Err(format!(
                "a matrix of {n_rows} × {n_columns}; the matrix of a graph is square"
            ));
        }
        u32::try_from(*n_rows)
            .map_err(|_| format!("{n_rows} nodes; a graph has at most {}", u32::MAX))
    }
}

struct Entry {
    /// From 0.
    row: u32,
    column: u32,
    value: f32,
}

impl Entry {
    fn parse(line: &[u8], header: &Header, size: &Size) -> Result<Self, String> {
        let mut words =
            line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        let expected = if header.has_values { "row, column and value" } else { "row and column" };
        let malformed = || format!("expected {expected}, found {}", quote(line));
        let mut index = |last: u64| -> Result<u32, String> {
            let index = words.next().and_then(parse_index).ok_or_else(malformed)?;
            if index == 0 || index > last {
                return Err(format!(
                    "index {index} is outside the declared matrix; indices go from 1 to {last}"
                ));
            }
            Ok((index - 1) as u32)
        };
        let (row, column) = (index(size.n_rows)?, index(size.n_columns)?);
        let value = if header.has_values {
            let text = words.next().and_then(|word| std::str::from_utf8(word).ok());
            text.and_then(|text| text.parse().ok()).ok_or_else(malformed)?
        } else {
            1.0
        };
        if words.next().is_some() {
            return Err(malformed());
        }
        Ok(Self { row, column, value })
    }
}

fn parse_index(word: &[u8]) -> Option<u64> {
    word.iter().try_fold(0u64, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 { None } else { value.checked_mul(10)?.checked_add(digit.into()) }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_support::{arcs, read_bytes, read_error, read_text};
    use crate::graph::ReadOptions;

    const GENERAL: &str = "%%MatrixMarket matrix coordinate real general\n";

    #[test]
    fn entries_are_arcs_named_as_in_the_file() {
        let loaded = read_text("a.mtx", &format!("{GENERAL}% by hand\n\n3 3 2\n1 3 2.5\n3 2 -1\n"));
        assert_eq!(arcs(&loaded), "1>3:2.5 3>2:-1");
        assert_eq!(loaded.graph.n_nodes(), 3);
        assert!(loaded.notes.is_empty());
    }

    #[test]
    fn symmetric_entries_are_two_arcs() {
        let text = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n";
        let loaded = read_text("a.mtx", text);
        assert_eq!(arcs(&loaded), "1>2 2>1");
        assert_eq!(loaded.cleaning.self_loops, 1);
        let note = "the file says symmetric: each entry off the diagonal was read as two arcs";
        assert_eq!(loaded.notes, [note]);
    }

    #[test]
    fn skew_symmetric_entries_change_sign() {
        let text = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n";
        assert_eq!(arcs(&read_text("a.mtx", text)), "1>2:-3 2>1:3");
        let text = "%%MatrixMarket matrix coordinate unsigned-integer general\n2 2 1\n2 1 3\n";
        assert_eq!(arcs(&read_text("a.mtx", text)), "2>1:3");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let general = |rest: &str| format!("{GENERAL}{rest}");
        for (text, expected) in [
            (
                "%%MatrixMarket matrix array real general\n2 2\n".into(),
                "a.mtx:1: a matrix in array format; only coordinate format can be read, so write \
                 the matrix as a sparse one",
            ),
            (
                "%%MatrixMarket matrix packed real general\n2 2\n".into(),
                "a.mtx:1: a matrix in packed format; it is coordinate or array",
            ),
            (
                "%%MatrixMarket matrix coordinate complex general\n".into(),
                "a.mtx:1: complex entries cannot be weights; write real, integer or pattern \
                 entries",
            ),
            (
                "%%MatrixMarket matrix coordinate real odd\n".into(),
                "a.mtx:1: symmetry \"odd\" is not known; it is general, symmetric, \
                 skew-symmetric or hermitian",
            ),
            (
                "1 2\n".into(),
                "a.mtx:1: expected \"%%MatrixMarket matrix coordinate <field> <symmetry>\", found \
                 \"1 2\"",
            ),
            (general(""), "a.mtx:1: the size line is missing"),
            (general("3 3\n"), "a.mtx:2: expected rows, columns and entries, found \"3 3\""),
            (general("3 4 1\n"), "a.mtx:2: a matrix of 3 × 4; the matrix of a graph is square"),
            (
                general("99999999999 99999999999 1\n"),
                "a.mtx:2: 99999999999 nodes; a graph has at most 4294967295",
            ),
            (
                general("2 2 1\n1 3 1\n"),
                "a.mtx:3: index 3 is outside the declared matrix; indices go from 1 to 2",
            ),
            (
                general("2 2 1\n0 1 1\n"),
                "a.mtx:3: index 0 is outside the declared matrix; indices go from 1 to 2",
            ),
            (general("2 2 1\n1 2\n"), "a.mtx:3: expected row, column and value, found \"1 2\""),
            (general("2 2 1\n1 2 x\n"), "a.mtx:3: expected row, column and value, found \"1 2 x\""),
            (
                general("2 2 1\n1 2 1\n% more\n2 1 1\n"),
                "a.mtx:5: entry 2 of 1 declared; correct the size line",
            ),
            (
                general("2 2 18446744073709551615\n1 2 1\n"),
                "a.mtx:3: the size line declares 18446744073709551615 entries, but only 1 are \
                 there; the file may be cut short",
            ),
        ] {
            assert_eq!(read_error("a.mtx", &text), expected);
        }
    }
    #[test]
    fn a_size_that_no_arcs_back_up_must_be_meant() {
        let text = format!("{GENERAL}2000000 2000000 1\n1 2 1\n");
        let expected = "a.mtx: declares 2000000 nodes for 1 arcs, which seems a mistake; pass \
                        --nodes 2000000 if it is none";
        assert_eq!(read_error("a.mtx", &text), expected);
        let options = ReadOptions { n_nodes: Some(2_000_000), ..ReadOptions::default() };
        let loaded = read_bytes("a.mtx", text.as_bytes(), &options).unwrap();
        assert_eq!(loaded.graph.n_nodes(), 2_000_000);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(
            size in "[0-9]{1,3} [0-9]{1,3} [0-9]{1,20}",
            body in "[0-9 .eE%a\\n\\r-]{0,60}",
        ) {
            let text = format!("{GENERAL}{size}\n{body}");
            let _ = read_bytes("a.mtx", text.as_bytes(), &ReadOptions::default());
        }
    }
}
