//! Files as programs write them are split by what they were written with.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// What names of nodes look like. No telephone number of three groups: before a number, as in `20 7946 18,5`, it is two
/// nodes and a weight.
fn names() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "[0-9]{1,6}",
        "[A-Z][a-z]{1,6}[0-9]?",
        "[A-Z][a-z]{1,6} [A-Z][a-z]{1,6}",
        "[A-Z][a-z]{1,6}( [A-Z][a-z]{1,6}){0,3}",
        "[A-Z][a-z]{1,6}, [A-Z][a-z]{1,6}",
        "0[0-9]{2} [1-9][0-9]{3} [0-9]{2} [0-9]{2}",
        "[45][0-9]{3} [1-9][0-9]{3} [1-9][0-9]{3} [1-9][0-9]{3}",
    ])
}

/// What stands beside the ends of an arc, if anything does.
fn remarks() -> impl Strategy<Value = Option<&'static str>> {
    prop::sample::select(vec![
        None,
        Some("[1-9][0-9]{0,2}"),
        Some("[1-9]\\.[0-9]{2}"),
        Some("[0-9],[0-9]"),
        Some("[a-z]{1,5}( [a-z]{1,5}){0,3}"),
    ])
}

/// Who writes the file.
#[derive(Clone, Copy, Debug)]
enum Writer {
    /// Quotes what holds the delimiter.
    Careful,
    /// Quotes all that is no number.
    Quoting,
    /// Quotes nothing, since nothing holds the delimiter.
    Plain,
    /// The same with a dictionary at the end of the line.
    Networkx,
}

fn writers() -> impl Strategy<Value = Writer> {
    prop::sample::select(vec![Writer::Careful, Writer::Quoting, Writer::Plain, Writer::Networkx])
}

impl Writer {
    /// A field as it is written; `None` if this writer cannot.
    fn field(self, field: &str, delimiter: Delimiter) -> Option<String> {
        let holds = field.bytes().any(|byte| match delimiter {
            Delimiter::Byte(delimiter) => byte == delimiter,
            Delimiter::Blanks => byte == b' ',
        });
        match self {
            Self::Careful if holds => Some(format!("\"{field}\"")),
            Self::Quoting if field.parse::<f64>().is_err() => Some(format!("\"{field}\"")),
            Self::Plain | Self::Networkx if holds => None,
            _ => Some(field.to_owned()),
        }
    }

    fn line(self, fields: &[String], delimiter: Delimiter) -> Option<String> {
        let between = match delimiter {
            Delimiter::Byte(byte) => char::from(byte).to_string(),
            Delimiter::Blanks => " ".to_owned(),
        };
        let mut fields: Vec<String> =
            fields.iter().map(|field| self.field(field, delimiter)).collect::<Option<_>>()?;
        if matches!(self, Self::Networkx) {
            fields.truncate(2);
            fields.push("{'weight': 2, 'year': 2009}".to_owned());
        }
        Some(fields.join(&between))
    }
}

/// The lines of a file without its header.
fn rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    (names(), names(), remarks()).prop_flat_map(|(source, target, remark)| {
        let remark = vec(remark.unwrap_or("x"), usize::from(remark.is_some()));
        let row = (source, target, remark);
        let fields = |(source, target, remark): (String, String, Vec<String>)| {
            [vec![source, target], remark].concat()
        };
        vec(row.prop_map(fields), 3..40)
    })
}

proptest! {
    #[test]
    fn what_was_written_with_a_delimiter_is_split_by_it(
        rows in rows(),
        delimiter in prop::sample::select(DELIMITERS.to_vec()),
        writer in writers(),
        has_header in any::<bool>(),
    ) {
        let header = ["source", "target", "remark"].map(str::to_owned)[..rows[0].len()].to_vec();
        let lines = std::iter::once(&header).filter(|_| has_header).chain(&rows);
        let lines: Option<Vec<String>> = lines.map(|line| writer.line(line, delimiter)).collect();
        if let Some(lines) = lines {
            let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
            let found = find_delimiter(&lines);
            for (line, row) in lines.iter().skip(usize::from(has_header)).zip(&rows) {
                let fields = split(line, found).unwrap_or_default();
                prop_assert!(fields.len() >= 2 && fields[..2] == row[..2], "{found:?}: {:?}", String::from_utf8_lossy(line));
            }
        }
    }
}
