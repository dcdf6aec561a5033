//! Tables as CSV files.

use std::io::Write;
use std::path::Path;

use super::text::{push_csv_field, push_f32, push_f64, push_integer, write_chunks};
use super::{FinishedFile, Place, WholeFile, WriteError};

/// A CSV file in the making (RFC 4180, `\n` line ends): it appears when it is committed, whole or
/// not at all, and is compressed if its name ends in `.gz` or `.zst`.
///
/// ```
/// use motifnet::io::CsvFile;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("squares.csv");
/// let mut file = CsvFile::create(&path, ["name", "square"])?;
/// file.write_rows(3, |row, line| line.text(&format!("n{row}")).integer((row * row) as u64))?;
/// file.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "name,square\nn0,0\nn1,1\nn2,4\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CsvFile {
    file: WholeFile,
    delimiter: u8,
}

/// What names end in that promise something else than a table of text.
const OTHER_ENDINGS: [&str; 12] =
    ["parquet", "npz", "npy", "json", "xlsx", "html", "svg", "png", "bz2", "xz", "zip", "gml"];

/// The ending of a name in small letters, without that of a compression that is ours.
fn ending_of(path: &Path) -> String {
    let of = |path: &Path| {
        path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_lowercase())
    };
    match of(path) {
        ending if ending == "gz" || ending == "zst" => of(&path.with_extension("")),
        ending => ending,
    }
}

impl CsvFile {
    /// Begins a file with a row of column names; tabs stand between fields if its name ends in `.tsv`.
    ///
    /// # Errors
    /// As [`WholeFile::create`], and if the name promises a table that is no text.
    pub fn create<S: AsRef<str>>(
        place: impl Into<Place>,
        header: impl IntoIterator<Item = S>,
    ) -> Result<Self, WriteError> {
        let place = place.into();
        let path = place.path();
        let ending = ending_of(path);
        if OTHER_ENDINGS.contains(&ending.as_str()) {
            let allowed = ".csv or .tsv, with .gz or .zst after it if it is to be compressed";
            return Err(WriteError::UnknownEnding { path: path.to_owned(), allowed });
        }
        let delimiter = if ending == "tsv" { b'\t' } else { b',' };
        Self::create_delimited(&place, delimiter, header)
    }

    /// The same with another character between the fields.
    pub(super) fn create_delimited<S: AsRef<str>>(
        place: &Place,
        delimiter: u8,
        header: impl IntoIterator<Item = S>,
    ) -> Result<Self, WriteError> {
        let mut file = WholeFile::create(place)?;
        let mut text = Vec::new();
        let mut line = CsvLine::new(&mut text, delimiter);
        for name in header {
            line = line.text(name.as_ref());
        }
        text.push(b'\n');
        file.write_all(&text).map_err(|source| WriteError::io(place.path(), source))?;
        Ok(Self { file, delimiter })
    }

    /// Appends rows; `fill(row, line)` puts the fields of one row on its line. Rows are made in
    /// parallel and written in order.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_rows(
        &mut self,
        n_rows: usize,
        fill: impl for<'a> Fn(usize, CsvLine<'a>) -> CsvLine<'a> + Sync,
    ) -> Result<(), WriteError> {
        let delimiter = self.delimiter;
        let written = write_chunks(&mut self.file, n_rows, |rows, text| {
            for row in rows {
                fill(row, CsvLine::new(text, delimiter));
                text.push(b'\n');
            }
        });
        written.map_err(|source| WriteError::io(self.file.path(), source))
    }

    /// Completes the file and puts it in its place.
    ///
    /// # Errors
    /// If a write failed, now or before.
    pub fn commit(self) -> Result<(), WriteError> {
        self.file.commit()
    }

    /// Completes the file, which still lacks its name.
    ///
    /// # Errors
    /// If a write failed, now or before.
    pub fn finish(self) -> Result<FinishedFile, WriteError> {
        self.file.finish()
    }
}

/// One row of a [`CsvFile`].
#[derive(Debug)]
pub struct CsvLine<'a> {
    text: &'a mut Vec<u8>,
    delimiter: u8,
    is_empty: bool,
}

impl<'a> CsvLine<'a> {
    fn new(text: &'a mut Vec<u8>, delimiter: u8) -> Self {
        Self { text, delimiter, is_empty: true }
    }

    fn separate(mut self) -> Self {
        if !std::mem::take(&mut self.is_empty) {
            self.text.push(self.delimiter);
        }
        self
    }

    /// Appends a field, in quotes where a reader could take it for anything else.
    pub fn text(self, field: &str) -> Self {
        let line = self.separate();
        push_csv_field(line.text, field);
        line
    }

    /// Adds a number, with as many digits as give the same bits back.
    pub fn float(self, number: f32) -> Self {
        let line = self.separate();
        push_f32(line.text, number);
        line
    }

    /// The same of a number in 64 bits; the field is left empty where there is none.
    pub fn double(self, number: impl Into<Option<f64>>) -> Self {
        let line = self.separate();
        if let Some(number) = number.into() {
            push_f64(line.text, number);
        }
        line
    }

    /// Appends a field with nothing in it.
    pub fn empty(self) -> Self {
        self.separate()
    }

    /// Appends a whole number.
    pub fn integer(self, number: impl Into<u128>) -> Self {
        let line = self.separate();
        let number = number.into();
        match u64::try_from(number) {
            Ok(number) => push_integer(line.text, number),
            Err(_) => push_integer(line.text, number),
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_not_there_leaves_its_place() {
        let mut text = Vec::new();
        CsvLine::new(&mut text, b',').double(None).double(0.1 + 0.2).double(None);
        assert_eq!(text, b",0.30000000000000004,");
    }

    #[test]
    fn the_ending_of_the_name_says_what_stands_between_fields() {
        let folder = tempfile::tempdir().unwrap();
        let create = |name: &str| CsvFile::create(&folder.path().join(name), ["a\tb", "c"]);
        for (name, expected) in
            [("t.csv", "\"a\tb\",c\n"), ("t.TSV", "\"a\tb\"\tc\n"), ("t.txt", "\"a\tb\",c\n")]
        {
            create(name).unwrap().commit().unwrap();
            assert_eq!(std::fs::read_to_string(folder.path().join(name)).unwrap(), expected);
        }
        for name in ["t.parquet", "t.csv.bz2", "t.npz.gz", "t.XLSX"] {
            let said = create(name).unwrap_err().to_string();
            assert!(said.contains(".csv or .tsv"), "{said}");
        }
    }

    #[test]
    fn fields_are_quoted_and_large_numbers_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let mut file = CsvFile::create(&path, ["a,b", "n"]).unwrap();
        file.write_rows(2, |row, line| line.text("").integer(u128::MAX - row as u128)).unwrap();
        assert!(!path.exists());
        file.commit().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("\"a,b\",n\n\"\",{}\n\"\",{}\n", u128::MAX, u128::MAX - 1));
        let mut file = CsvFile::create(&path, ["a", "b", "c"]).unwrap();
        file.write_rows(1, |_, line| line.empty().double(0.1).empty()).unwrap();
        file.commit().unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b,c\n,0.1,\n");
    }
}
