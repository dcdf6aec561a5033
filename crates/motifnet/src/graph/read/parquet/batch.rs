//! Batches of values of one column, converted to ids or weights.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use super::super::arc_block::Id;
use super::column_type::{ReadAs, check, is_unsigned};
use super::damaged;

/// Rows read at a time.
pub(super) const ROWS: usize = 1 << 16;

/// A column of node ids.
pub(super) struct IdColumn {
    reader: ColumnReader,
    descr: ColumnDescPtr,
    unsigned: bool,
    levels: Vec<i16>,
    ids: Ids,
}

enum Ids {
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Text(Vec<ByteArray>),
}

impl IdColumn {
    pub(super) fn new((reader, descr): (ColumnReader, ColumnDescPtr)) -> Result<Self, String> {
        check(&descr, ReadAs::Ids)?;
        let ids = match &reader {
            ColumnReader::Int32ColumnReader(_) => Ids::Int32(Vec::new()),
            ColumnReader::Int64ColumnReader(_) => Ids::Int64(Vec::new()),
            ColumnReader::ByteArrayColumnReader(_) => Ids::Text(Vec::new()),
            _ => {
                return Err(format!(
                    "column {} of type {} cannot hold node ids; cast it to integers or strings",
                    descr.path().string(),
                    descr.physical_type()
                ));
            }
        };
        let unsigned = is_unsigned(&descr);
        Ok(Self { reader, descr, unsigned, levels: Vec::new(), ids })
    }

    /// Reads the next batch, which starts at `row`, and returns its length.
    pub(super) fn read(&mut self, row: u64) -> Result<usize, String> {
        let Self { reader, descr, levels, ids, .. } = self;
        match (reader, ids) {
            (ColumnReader::Int32ColumnReader(reader), Ids::Int32(values)) => {
                read_batch(reader, descr, row, levels, values)
            }
            (ColumnReader::Int64ColumnReader(reader), Ids::Int64(values)) => {
                read_batch(reader, descr, row, levels, values)
            }
            (ColumnReader::ByteArrayColumnReader(reader), Ids::Text(values)) => {
                read_batch(reader, descr, row, levels, values)
            }
            // The forms were matched when the column was opened.
            _ => Ok(0),
        }
    }

    /// The id at a place of the batch, which is `row` of the file.
    pub(super) fn id(&self, place: usize, row: u64) -> Result<Id<'_>, String> {
        match &self.ids {
            Ids::Int32(values) if self.unsigned => Ok(Id::Integer((values[place] as u32).into())),
            Ids::Int32(values) => Ok(Id::Integer(values[place].into())),
            Ids::Int64(values) if self.unsigned && values[place] < 0 => {
                let id = values[place] as u64;
                Err(format!("row {row}: node id {id} is too large; ids go to {}", i64::MAX))
            }
            Ids::Int64(values) => Ok(Id::Integer(values[place])),
            Ids::Text(values) => match std::str::from_utf8(values[place].data()) {
                Ok(text) => Ok(Id::Text(text)),
                Err(_) => Err(format!(
                    "row {row}: the node id in column {} is not UTF-8; convert it to UTF-8",
                    self.descr.path().string()
                )),
            },
        }
    }
}

/// A column of weights.
pub(super) struct WeightReader {
    reader: ColumnReader,
    descr: ColumnDescPtr,
    levels: Vec<i16>,
}

impl WeightReader {
    pub(super) fn new((reader, descr): (ColumnReader, ColumnDescPtr)) -> Result<Self, String> {
        check(&descr, ReadAs::Weights)?;
        Ok(Self { reader, descr, levels: Vec::new() })
    }

    /// Adds the weights of the next batch, which starts at `row`, and returns its length.
    pub(super) fn read_into(&mut self, row: u64, weights: &mut Vec<f32>) -> Result<usize, String> {
        fn read<T: DataType>(
            reader: &mut ColumnReaderImpl<T>,
            descr: &ColumnDescriptor,
            row: u64,
            levels: &mut Vec<i16>,
            weights: &mut Vec<f32>,
            convert: impl Fn(&T::T) -> f32,
        ) -> Result<usize, String> {
            let mut values = Vec::new();
            let n = read_batch(reader, descr, row, levels, &mut values)?;
            weights.extend(values.iter().map(convert));
            Ok(n)
        }
        let Self { reader, descr, levels } = self;
        let unsigned = is_unsigned(descr);
        match reader {
            ColumnReader::FloatColumnReader(reader) => {
                read(reader, descr, row, levels, weights, |&value| value)
            }
            ColumnReader::DoubleColumnReader(reader) => {
                read(reader, descr, row, levels, weights, |&value| value as f32)
            }
            ColumnReader::Int32ColumnReader(reader) if unsigned => {
                read(reader, descr, row, levels, weights, |&value| value as u32 as f32)
            }
            ColumnReader::Int32ColumnReader(reader) => {
                read(reader, descr, row, levels, weights, |&value| value as f32)
            }
            ColumnReader::Int64ColumnReader(reader) if unsigned => {
                read(reader, descr, row, levels, weights, |&value| value as u64 as f32)
            }
            ColumnReader::Int64ColumnReader(reader) => {
                read(reader, descr, row, levels, weights, |&value| value as f32)
            }
            _ => Err(format!(
                "column {} of type {} cannot hold weights; pass --weight none to read no weights",
                descr.path().string(),
                descr.physical_type()
            )),
        }
    }
}

/// Reads up to [`ROWS`] values in place of those in `values`; refuses nulls.
fn read_batch<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    descr: &ColumnDescriptor,
    row: u64,
    levels: &mut Vec<i16>,
    values: &mut Vec<T::T>,
) -> Result<usize, String> {
    levels.clear();
    values.clear();
    let (n_records, n_values, _) =
        reader.read_records(ROWS, Some(levels), None, values).map_err(|error| damaged(&error))?;
    if n_values < n_records || values.len() < n_records {
        let null = levels.iter().position(|&level| level < descr.max_def_level()).unwrap_or(0);
        return Err(format!(
            "row {}: column {} is null; drop such rows or give them a value",
            row + null as u64,
            descr.path().string()
        ));
    }
    Ok(n_records)
}
