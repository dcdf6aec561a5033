//! Writing Parquet tables, a million rows at a time.

use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::{Place, WholeFile, WriteError};

/// Rows held in memory and written together.
const ROW_GROUP: usize = 1 << 20;

/// Some rows of one column.
pub(crate) enum Column {
    /// Of type `integer`.
    Integer(Vec<i64>),
    /// Of type `float`.
    Float(Vec<f32>),
    /// Of type `double`.
    Double(Vec<f64>),
    /// Of type `text`.
    Text(Vec<ByteArray>),
}

/// A table in the making; the file appears when it is committed.
pub(crate) struct ParquetTable {
    path: PathBuf,
    writer: SerializedFileWriter<WholeFile>,
}

impl ParquetTable {
    /// Begins a table with `columns` of a name and a type: integer, float, double or text.
    pub(crate) fn create(
        place: impl Into<Place>,
        columns: &[(&str, &str)],
    ) -> Result<Self, WriteError> {
        let place = place.into();
        let path = place.path();
        let error = |source| WriteError::io(path, into_io(source));
        let field = |&(name, kind): &(&str, &str)| {
            // Built rather than written as a message, in which names may not have blanks.
            let (physical, logical) = match kind {
                "integer" => (PhysicalType::INT64, None),
                "float" => (PhysicalType::FLOAT, None),
                "double" => (PhysicalType::DOUBLE, None),
                _ => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let builder = Type::primitive_type_builder(name, physical);
            let builder = builder.with_repetition(Repetition::REQUIRED);
            builder.with_logical_type(logical).build().map(Arc::new)
        };
        let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>().map_err(error)?;
        let schema =
            Type::group_type_builder("table").with_fields(fields).build().map_err(error)?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file = WholeFile::create_plain(&place)?;
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties));
        Ok(Self { path: path.to_owned(), writer: writer.map_err(error)? })
    }

    /// Writes `n_rows` rows; `values(column, rows)` gives a range of rows of a column, counted
    /// from 0, as the type that the column has.
    pub(crate) fn write_rows(
        &mut self,
        n_rows: usize,
        values: impl Fn(usize, Range<usize>) -> Column,
    ) -> Result<(), WriteError> {
        for start in (0..n_rows).step_by(ROW_GROUP) {
            let rows = start..n_rows.min(start + ROW_GROUP);
            self.write_group(|column| values(column, rows.clone()))
                .map_err(|source| WriteError::io(&self.path, into_io(source)))?;
        }
        Ok(())
    }

    fn write_group(&mut self, values: impl Fn(usize) -> Column) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        let mut number = 0;
        while let Some(mut column) = group.next_column()? {
            match values(number) {
                Column::Integer(values) => {
                    column.typed::<Int64Type>().write_batch(&values, None, None)?
                }
                Column::Float(values) => {
                    column.typed::<FloatType>().write_batch(&values, None, None)?
                }
                Column::Double(values) => {
                    column.typed::<DoubleType>().write_batch(&values, None, None)?
                }
                Column::Text(values) => {
                    column.typed::<ByteArrayType>().write_batch(&values, None, None)?
                }
            };
            column.close()?;
            number += 1;
        }
        group.close()?;
        Ok(())
    }

    /// Completes the table and puts it in its place.
    pub(crate) fn commit(self) -> Result<(), WriteError> {
        let file = self.writer.into_inner();
        file.map_err(|source| WriteError::io(&self.path, into_io(source)))?.commit()
    }
}

fn into_io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        other => io::Error::other(other),
    }
}
