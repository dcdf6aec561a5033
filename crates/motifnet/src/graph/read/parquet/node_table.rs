//! Parquet files as tables of facts about nodes: every value as text, what is null or NaN as none.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use super::super::node_columns::{NodeColumns, ValueColumns};
use super::super::node_table::{NodeTable, RowKind};
use super::super::{Input, ReadError};
use super::batch::ROWS;
use super::column_type::{ReadAs, check, is_unsigned, refused_values};
use super::file::ParquetFile;
use super::meter::{Meter, VALUE_BYTES};
use super::{damaged, unpanicked};
use crate::graph::StringTable;
use crate::io::text::{push_f32, push_f64, push_integer};

pub(in super::super) fn read_node_table(
    input: Input<'_>,
    wanted: ValueColumns<'_>,
) -> Result<NodeTable, ReadError> {
    let (path, progress) = (input.path().to_owned(), input.progress());
    let whole = |message: String| ReadError::file(&path, message);
    let file = ParquetFile::open(input)?;
    let columns = NodeColumns::choose(&file.column_names(), true, wanted).map_err(whole)?;
    let mut table = NodeTable {
        path: path.clone(),
        columns: columns.names.clone(),
        has_names: true,
        row_kind: RowKind::Row,
        keys: columns.key.map(|_| StringTable::default()),
        lines: Vec::new(),
        values: StringTable::default(),
        notes: columns.note.iter().cloned().collect(),
    };
    // Whoever wants all columns wants features.
    let read_as =
        if matches!(wanted, ValueColumns::All) { ReadAs::Features } else { ReadAs::Values };
    for (position, first_row) in file.row_groups() {
        unpanicked(|| read_group(&file, position, first_row, (&columns, read_as), &mut table))
            .map_err(|message| file.error(&path, message))?;
        progress.advance(file.group_bytes(position));
    }
    if table.n_rows() == 0 {
        return Err(whole("has no rows; a row a node was expected".into()));
    }
    Ok(table)
}

/// Adds the rows of one row group; errors name rows of the file, from 1.
fn read_group(
    file: &ParquetFile<'_>,
    position: usize,
    first_row: u64,
    (columns, read_as): (&NodeColumns, ReadAs),
    table: &mut NodeTable,
) -> Result<(), String> {
    let group = file.group(position)?;
    let column = |place, read_as| TextColumn::new(file.column(&*group, place)?, read_as);
    let mut keys = columns.key.map(|place| column(place, ReadAs::Ids)).transpose()?;
    let values = columns.values.iter().map(|&place| column(place, read_as));
    let mut values = values.collect::<Result<Vec<_>, _>>()?;
    let mut row = first_row;
    loop {
        let mut lengths = Vec::with_capacity(values.len() + 1);
        for column in keys.iter_mut().chain(&mut values) {
            lengths.push(column.read(row, &file.meter)?);
        }
        let n_rows = lengths.first().copied().unwrap_or(0);
        if lengths.iter().any(|&length| length != n_rows) {
            return Err(format!("row {row}: the columns differ in length"));
        }
        if n_rows == 0 {
            return Ok(());
        }
        for place in 0..n_rows {
            if let (Some(table), Some(keys)) = (&mut table.keys, &keys) {
                let key = keys.texts.get(place);
                if key.is_empty() {
                    let name = keys.descr.path().string();
                    let row = row + place as u64;
                    return Err(format!("row {row}: column {name} names no node; drop the row"));
                }
                table.push(key);
            }
            for column in &values {
                table.values.push(column.texts.get(place));
            }
            table.lines.push(row + place as u64);
        }
        row += n_rows as u64;
    }
}

/// A column whose values are read as text, a batch at a time.
struct TextColumn {
    reader: ColumnReader,
    descr: ColumnDescPtr,
    levels: Vec<i16>,
    texts: StringTable,
}

impl TextColumn {
    fn new(
        (reader, descr): (ColumnReader, ColumnDescPtr),
        read_as: ReadAs,
    ) -> Result<Self, String> {
        check(&descr, read_as)?;
        Ok(Self { reader, descr, levels: Vec::new(), texts: StringTable::default() })
    }

    /// Reads the next batch, which starts at `row`, and returns its length.
    fn read(&mut self, row: u64, meter: &Meter<'_>) -> Result<usize, String> {
        self.texts = StringTable::default();
        let unsigned = is_unsigned(&self.descr);
        let Self { reader, descr, levels, texts } = self;
        let batch = Batch { descr, levels, texts, row, meter };
        match reader {
            ColumnReader::BoolColumnReader(reader) => {
                batch.read(reader, |&value, text| push_integer(text, u8::from(value)))
            }
            ColumnReader::Int32ColumnReader(reader) if unsigned => {
                batch.read(reader, |&value, text| push_integer(text, value as u32))
            }
            ColumnReader::Int32ColumnReader(reader) => {
                batch.read(reader, |&value, text| push_integer(text, value))
            }
            ColumnReader::Int64ColumnReader(reader) if unsigned => {
                batch.read(reader, |&value, text| push_integer(text, value as u64))
            }
            ColumnReader::Int64ColumnReader(reader) => {
                batch.read(reader, |&value, text| push_integer(text, value))
            }
            // pandas writes NaN where a number is missing.
            ColumnReader::FloatColumnReader(reader) => batch.read(reader, |value, text| {
                if !value.is_nan() {
                    push_f32(text, *value);
                }
            }),
            ColumnReader::DoubleColumnReader(reader) => batch.read(reader, |value, text| {
                if !value.is_nan() {
                    push_f64(text, *value);
                }
            }),
            ColumnReader::ByteArrayColumnReader(reader) => {
                batch.read(reader, |value, text| text.extend_from_slice(value.data()))
            }
            ColumnReader::Int96ColumnReader(_) | ColumnReader::FixedLenByteArrayColumnReader(_) => {
                Err(refused_values(descr, &descr.physical_type().to_string()))
            }
        }
    }
}

/// Where the values of a batch go.
struct Batch<'a> {
    descr: &'a ColumnDescriptor,
    levels: &'a mut Vec<i16>,
    texts: &'a mut StringTable,
    row: u64,
    meter: &'a Meter<'a>,
}

impl Batch<'_> {
    fn read<T: DataType>(
        self,
        reader: &mut ColumnReaderImpl<T>,
        push: impl Fn(&T::T, &mut Vec<u8>),
    ) -> Result<usize, String> {
        let Self { descr, levels, texts, row, meter } = self;
        let mut values = Vec::new();
        levels.clear();
        let read = reader.read_records(ROWS, Some(levels), None, &mut values);
        let (n_records, _, _) = read.map_err(|error| damaged(&error))?;
        let full = descr.max_def_level();
        let mut values = values.iter();
        let mut text = Vec::new();
        for place in 0..n_records {
            text.clear();
            // A column that cannot be null has no levels.
            let is_there = full == 0 || levels.get(place) == Some(&full);
            if is_there && let Some(value) = values.next() {
                push(value, &mut text);
            }
            // One long text of a dictionary may be that of many rows.
            meter.add_kept(text.len() as u64 + VALUE_BYTES)?;
            texts.push(std::str::from_utf8(&text).map_err(|_| {
                let (row, name) = (row + place as u64, descr.path().string());
                format!("row {row}: column {name} is not UTF-8; convert it to UTF-8")
            })?);
        }
        Ok(n_records)
    }
}

#[cfg(test)]
mod tests;
