//! Tables of a few columns, in the format that the name of the file asks for.

use std::borrow::Cow;
use std::path::Path;

use super::{CsvFile, Place, WriteError};

/// A column of a table that is to be written.
pub struct TableColumn<'a> {
    name: String,
    values: ColumnValues<'a>,
}

type Value<'a, T> = Box<dyn Fn(usize) -> T + Sync + 'a>;

enum ColumnValues<'a> {
    Text(Value<'a, Cow<'a, str>>),
    Float(Value<'a, f32>),
}

impl<'a> TableColumn<'a> {
    /// Text, by the number of the row.
    pub fn text(
        name: impl Into<String>,
        value: impl Fn(usize) -> Cow<'a, str> + Sync + 'a,
    ) -> Self {
        Self { name: name.into(), values: ColumnValues::Text(Box::new(value)) }
    }

    /// Numbers, by the number of the row.
    pub fn float(name: impl Into<String>, value: impl Fn(usize) -> f32 + Sync + 'a) -> Self {
        Self { name: name.into(), values: ColumnValues::Float(Box::new(value)) }
    }
}

/// Writes `n_rows` rows to a file, whole or not at all: `.csv` or `.tsv`, compressed if `.gz` or `.zst`
/// follows, or `.parquet`.
///
/// # Errors
/// If the name ends in something else, or the file cannot be written.
///
/// ```
/// use motifnet::io::{TableColumn, write_table};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("t.csv");
/// let columns = [
///     TableColumn::text("node", |row| format!("n{row}").into()),
///     TableColumn::float("half", |row| row as f32 / 2.0),
/// ];
/// write_table(&path, 2, &columns)?;
/// assert_eq!(std::fs::read_to_string(&path)?, "node,half\nn0,0\nn1,0.5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_table(
    place: impl Into<Place>,
    n_rows: usize,
    columns: &[TableColumn<'_>],
) -> Result<(), WriteError> {
    let place = place.into();
    match TableFormat::of(place.path())? {
        TableFormat::Text(delimiter) => write_text(&place, delimiter, n_rows, columns),
        TableFormat::Parquet => write_parquet(&place, n_rows, columns),
    }
}

/// Refuses a name that [`write_table`] would refuse, before the work for it is done.
///
/// # Errors
/// If it ends in none of the endings of tables.
pub fn check_table_name(path: &Path) -> Result<(), WriteError> {
    TableFormat::of(path).map(|_| ())
}

/// How a table is written.
enum TableFormat {
    /// With this between the fields.
    Text(u8),
    Parquet,
}

impl TableFormat {
    fn of(path: &Path) -> Result<Self, WriteError> {
        let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
        let name = name.unwrap_or_default();
        let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
        match plain.rsplit_once('.').map(|(_, ending)| ending) {
            Some("csv") => Ok(Self::Text(b',')),
            Some("tsv") => Ok(Self::Text(b'\t')),
            Some("parquet") if plain == name => Ok(Self::Parquet),
            _ => {
                let allowed = ".csv, .tsv or .parquet";
                Err(WriteError::UnknownEnding { path: path.to_owned(), allowed })
            }
        }
    }
}

fn write_text(
    place: &Place,
    delimiter: u8,
    n_rows: usize,
    columns: &[TableColumn<'_>],
) -> Result<(), WriteError> {
    let header = columns.iter().map(|column| &column.name);
    let mut file = CsvFile::create_delimited(place, delimiter, header)?;
    file.write_rows(n_rows, |row, line| {
        columns.iter().fold(line, |line, column| match &column.values {
            ColumnValues::Text(value) => line.text(&value(row)),
            ColumnValues::Float(value) => line.float(value(row)),
        })
    })?;
    file.commit()
}

#[cfg(feature = "parquet")]
fn write_parquet(
    place: &Place,
    n_rows: usize,
    columns: &[TableColumn<'_>],
) -> Result<(), WriteError> {
    use super::parquet_write::{Column, ParquetTable};

    let kinds: Vec<(&str, &str)> = columns
        .iter()
        .map(|column| match &column.values {
            ColumnValues::Text(_) => (column.name.as_str(), "text"),
            ColumnValues::Float(_) => (column.name.as_str(), "float"),
        })
        .collect();
    let mut table = ParquetTable::create(place, &kinds)?;
    table.write_rows(n_rows, |column, rows| match &columns[column].values {
        ColumnValues::Text(value) => {
            Column::Text(rows.map(|row| value(row).as_bytes().to_vec().into()).collect())
        }
        ColumnValues::Float(value) => Column::Float(rows.map(value).collect()),
    })?;
    table.commit()
}

#[cfg(not(feature = "parquet"))]
fn write_parquet(place: &Place, _: usize, _: &[TableColumn<'_>]) -> Result<(), WriteError> {
    let (format, feature) = ("Parquet", "parquet");
    Err(WriteError::FormatLeftOut { path: place.path().to_owned(), format, feature })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> [TableColumn<'static>; 2] {
        [
            TableColumn::text("a name, quoted", |row| ["x\ty", "z"][row].into()),
            TableColumn::float("p of \"x\"", |row| [0.1, -2.0][row]),
        ]
    }

    #[test]
    fn endings_choose_the_format() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        write_table(&path("t.csv"), 2, &columns()).unwrap();
        let text = std::fs::read_to_string(path("t.csv")).unwrap();
        assert_eq!(text, "\"a name, quoted\",\"p of \"\"x\"\"\"\n\"x\ty\",0.1\nz,-2\n");
        write_table(&path("t.tsv"), 2, &columns()).unwrap();
        let text = std::fs::read_to_string(path("t.tsv")).unwrap();
        assert_eq!(text, "\"a name, quoted\"\t\"p of \"\"x\"\"\"\n\"x\ty\"\t0.1\nz\t-2\n");
        let error = write_table(&path("t.xlsx"), 2, &columns()).unwrap_err().to_string();
        assert!(error.ends_with("t.xlsx: unknown ending; use .csv, .tsv or .parquet"), "{error}");
        assert!(!path("t.xlsx").exists());
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn parquet_takes_any_names_of_columns() {
        use parquet::file::reader::{FileReader, SerializedFileReader};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        write_table(&path, 2, &columns()).unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let rows: Vec<String> =
            reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
        assert_eq!(rows.len(), 2);
        assert!(rows[0].contains("a name, quoted") && rows[0].contains("0.1"), "{rows:?}");
    }
}
