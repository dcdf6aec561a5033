//! An open Parquet file, and what is asked of it before the Parquet library believes it.

use std::io::BufReader;
use std::path::Path;

use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::schema::types::ColumnDescPtr;

use super::checked_pages::{CheckedPages, check_page_headers};
use super::damaged;
use super::meter::Meter;
use super::shape;
use super::shared_file::SharedFile;
use super::thrift::Numbers;
use super::unpanicked;
use crate::graph::ReadError;
use crate::io::Input;

/// Deeper tables hold no node ids.
const DEEPEST_SCHEMA: usize = 64;
/// What stands after the description of a file: its length and a magic number.
const TAIL: u64 = 8;
/// The description's list of columns and groups of columns, and how many of them a group has.
const SCHEMA: i16 = 2;
const N_CHILDREN: i16 = 5;

/// A file whose description has been read.
pub(super) struct ParquetFile<'a> {
    reader: SerializedFileReader<SharedFile>,
    file: SharedFile,
    pub(super) meter: Meter<'a>,
}

impl<'a> ParquetFile<'a> {
    /// Opens a file and reads what it says about itself.
    pub(super) fn open(input: Input<'a>) -> Result<Self, ReadError> {
        let path = input.path().to_owned();
        let meter = Meter::new(input.limit(), input.progress());
        let file = input.into_plain_file().ok_or_else(|| {
            let message = "a Parquet file must be a plain file; decompress it first, since Parquet \
                           compresses its columns itself";
            ReadError::file(&path, message)
        })?;
        let whole = |message: String| ReadError::file(&path, message);
        let file = SharedFile::new(file).map_err(|error| whole(damaged(&error)))?;
        check_description(&file).map_err(whole)?;
        let reader = || SerializedFileReader::new(file.clone()).map_err(|error| damaged(&error));
        let reader = unpanicked(reader).map_err(whole)?;
        Ok(Self { reader, file, meter })
    }

    pub(super) fn column_names(&self) -> Vec<String> {
        let schema = self.reader.metadata().file_metadata().schema_descr();
        schema.columns().iter().map(|column| column.path().string()).collect()
    }

    /// Every row group and its first row, from 1.
    pub(super) fn row_groups(&self) -> Vec<(usize, u64)> {
        let mut first_row = 1u64;
        let groups = self.reader.metadata().row_groups().iter().enumerate();
        groups
            .map(|(position, group)| {
                let start = first_row;
                let n_rows = u64::try_from(group.num_rows()).unwrap_or(0);
                first_row = first_row.saturating_add(n_rows);
                (position, start)
            })
            .collect()
    }

    /// How many bytes of the file a row group takes.
    pub(super) fn group_bytes(&self, position: usize) -> u64 {
        u64::try_from(self.reader.metadata().row_group(position).compressed_size()).unwrap_or(0)
    }

    pub(super) fn group(&self, position: usize) -> Result<Box<dyn RowGroupReader + '_>, String> {
        self.reader.get_row_group(position).map_err(|error| damaged(&error))
    }

    /// What `message`, with which reading ended, is to the caller.
    pub(super) fn error(&self, path: &Path, message: String) -> ReadError {
        match self.meter.refused() {
            Some(refused) => ReadError::Memory { path: path.to_owned(), source: refused.clone() },
            None => ReadError::file(path, message),
        }
    }

    /// A column of a row group.
    pub(super) fn column(
        &self,
        group: &dyn RowGroupReader,
        place: usize,
    ) -> Result<(ColumnReader, ColumnDescPtr), String> {
        let column = group.metadata().column(place);
        check_page_headers(&self.file, column, &self.meter)?;
        let pages = group.get_column_page_reader(place).map_err(|error| damaged(&error))?;
        let descr = column.column_descr_ptr();
        let pages = CheckedPages::new(pages, descr.max_def_level());
        Ok((get_column_reader(descr.clone(), Box::new(pages)), descr))
    }
}

/// Refuses a description that would take more memory or a deeper stack than its bytes back up.
fn check_description(file: &SharedFile) -> Result<(), String> {
    let length = file.description_length().map_err(|error| damaged(&error))?;
    let start = length.and_then(|length| file.length().checked_sub(length + TAIL));
    // The Parquet library says what is wrong with a file that has none.
    let (Some(length), Some(start)) = (length, start) else { return Ok(()) };
    let numbers = Numbers::of(BufReader::new(file.section(start)), length, shape::FILE)
        .map_err(|error| damaged(&error))?;
    let n_described = numbers.all(SCHEMA).filter(|(field, _)| *field == 0).count() as i64;
    let mut open = vec![1];
    for (field, number) in numbers.all(SCHEMA) {
        match field {
            0 => {
                while open.last() == Some(&0) {
                    open.pop();
                }
                if let Some(left) = open.last_mut() {
                    *left -= 1;
                }
                open.push(0);
            }
            N_CHILDREN if number > n_described => {
                return Err(damaged(&format!(
                    "a group of {number} columns, where {n_described} are described"
                )));
            }
            N_CHILDREN => {
                if let Some(left) = open.last_mut() {
                    *left = number.max(0);
                }
            }
            _ => {}
        }
        if open.len() > DEEPEST_SCHEMA {
            return Err(damaged(&format!("columns more than {DEEPEST_SCHEMA} levels deep")));
        }
    }
    Ok(())
}
