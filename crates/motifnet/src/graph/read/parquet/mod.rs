//! Parquet files: a table with a column of sources, one of targets, perhaps one of weights.
//!
//! Row groups are read in parallel, each in batches of rows.

mod batch;
mod node_table;
mod shared_file;

use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use rayon::prelude::*;

use self::batch::{IdColumn, WeightReader};
pub(super) use self::node_table::read_node_table;
use self::shared_file::SharedFile;
use super::arc_block::{ArcBlock, Id};
use super::columns::{self, Role};
use super::node_ids::number_nodes;
use super::options::{Column, ReadOptions, WeightColumn};
use super::{RawGraph, ReadError};
use crate::io::Input;

pub(super) fn read(input: Input<'_>, options: &ReadOptions) -> Result<RawGraph, ReadError> {
    let (path, progress) = (input.path().to_owned(), input.progress());
    let whole = |message: String| ReadError::file(&path, message);
    let reader = open(input)?;
    let metadata = reader.metadata();
    let names = column_names(&reader);
    let table = Table::choose(&names, options).map_err(whole)?;

    let blocks: Vec<Result<ArcBlock, String>> = row_groups(&reader)
        .into_par_iter()
        .map(|(position, first_row)| {
            let block = unpanicked(|| table.read_group(&reader, position, first_row));
            let n_bytes = metadata.row_group(position).compressed_size();
            progress.advance(u64::try_from(n_bytes).unwrap_or(0));
            block
        })
        .collect();
    // All are collected before errors are looked at, so that the first in the file is told.
    let blocks = blocks.into_iter().collect::<Result<Vec<_>, _>>().map_err(whole)?;
    let (arcs, node_names) = number_nodes(blocks, options.n_nodes, None);
    let end = |place: usize| (place, Some(names[place].as_str()));
    let direction = columns::direction(end(table.source), end(table.target));
    Ok(RawGraph { arcs, direction, names: node_names, notes: table.notes(&names) })
}

/// Opens a file and reads what it says about itself.
fn open(input: Input<'_>) -> Result<SerializedFileReader<SharedFile>, ReadError> {
    let path = input.path().to_owned();
    let file = input.into_plain_file().ok_or_else(|| {
        let message = "a Parquet file must be a plain file; decompress it first, since Parquet \
                       compresses its columns itself";
        ReadError::file(&path, message)
    })?;
    let whole = |message: String| ReadError::file(&path, message);
    let file = SharedFile::new(file).map_err(|error| whole(damaged(&error)))?;
    unpanicked(|| SerializedFileReader::new(file).map_err(|error| damaged(&error))).map_err(whole)
}

fn column_names(reader: &SerializedFileReader<SharedFile>) -> Vec<String> {
    let schema = reader.metadata().file_metadata().schema_descr();
    schema.columns().iter().map(|column| column.path().string()).collect()
}

/// Every row group and its first row, from 1.
fn row_groups(reader: &SerializedFileReader<SharedFile>) -> Vec<(usize, u64)> {
    let mut first_row = 1;
    let groups = reader.metadata().row_groups().iter().enumerate();
    groups
        .map(|(position, group)| {
            let start = first_row;
            first_row += u64::try_from(group.num_rows()).unwrap_or(0);
            (position, start)
        })
        .collect()
}

fn damaged(error: &ParquetError) -> String {
    format!("cannot be read as Parquet: {error}")
}

/// Runs `read`; a panic of the Parquet library, which trusts what files say about themselves more
/// than it should, becomes an error.
fn unpanicked<T>(read: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(read))
        .unwrap_or_else(|_| Err("cannot be read as Parquet: the file is damaged".into()))
}

/// Which columns are read.
struct Table {
    source: usize,
    target: usize,
    weight: Option<usize>,
    n_nodes: Option<u32>,
}

impl Table {
    fn choose(names: &[String], options: &ReadOptions) -> Result<Self, String> {
        if names.len() < 2 {
            return Err(format!(
                "{} columns ({}); arcs need a column of sources and one of targets",
                names.len(),
                names.join(", ")
            ));
        }
        let place = |column: &Column| match column {
            Column::Position(position) if (1..=names.len()).contains(position) => Ok(position - 1),
            Column::Name(name) if names.contains(name) => {
                Ok(names.iter().position(|present| present == name).unwrap_or(0))
            }
            _ => Err(format!("there is no column {column}; the columns are {}", names.join(", "))),
        };
        let default = columns::find_ends(names).unwrap_or((0, 1));
        let asked = &options.columns;
        let source = asked.source.as_ref().map_or(Ok(default.0), place)?;
        let mut target = asked.target.as_ref().map_or(Ok(default.1), place)?;
        if asked.target.is_none() && target == source {
            target = usize::from(source == 0);
        }
        let weight = match &asked.weight {
            WeightColumn::None => None,
            WeightColumn::Column(column) => Some(place(column)?),
            WeightColumn::Auto => columns::find(names, Role::Weight)
                .filter(|&column| column != source && column != target),
        };
        Ok(Self { source, target, weight, n_nodes: options.n_nodes })
    }

    fn notes(&self, names: &[String]) -> Vec<String> {
        let is_used = |column: usize| {
            column == self.source || column == self.target || Some(column) == self.weight
        };
        let ignored: Vec<&str> = (0..names.len())
            .filter(|&column| !is_used(column))
            .map(|column| names[column].as_str())
            .collect();
        if ignored.is_empty() {
            return Vec::new();
        }
        vec![format!("columns not read: {}", ignored.join(", "))]
    }

    /// Reads one row group; errors name rows of the file, from 1.
    fn read_group(
        &self,
        reader: &SerializedFileReader<SharedFile>,
        position: usize,
        first_row: u64,
    ) -> Result<ArcBlock, String> {
        let group = reader.get_row_group(position).map_err(|error| damaged(&error))?;
        for place in [Some(self.source), Some(self.target), self.weight].into_iter().flatten() {
            check_range(group.metadata().column(place))?;
        }
        let column =
            |place| group.get_column_reader(place).map_err(|error: ParquetError| damaged(&error));
        let descr = |place: usize| group.metadata().column(place).column_descr_ptr();
        let mut sources = IdColumn::new(column(self.source)?, descr(self.source))?;
        let mut targets = IdColumn::new(column(self.target)?, descr(self.target))?;
        let mut weights = match self.weight {
            None => None,
            Some(place) => Some(WeightReader::new(column(place)?, descr(place))?),
        };
        let mut block = ArcBlock::default();
        let mut row = first_row;
        loop {
            let n_rows = sources.read(row)?;
            if targets.read(row)? != n_rows {
                return Err(format!("row {row}: the columns differ in length"));
            }
            if let Some(weights) = &mut weights
                && weights.read_into(row, &mut block.weights)? != n_rows
            {
                return Err(format!("row {row}: the columns differ in length"));
            }
            if n_rows == 0 {
                block.ends.shrink();
                return Ok(block);
            }
            for place in 0..n_rows {
                let here = row + place as u64;
                let (source, target) = (sources.id(place, here)?, targets.id(place, here)?);
                self.check_declared([source, target], here)?;
                block.ends.push(source, target);
            }
            row += n_rows as u64;
        }
    }

    fn check_declared(&self, ids: [Id<'_>; 2], row: u64) -> Result<(), String> {
        let Some(n_nodes) = self.n_nodes else { return Ok(()) };
        for id in ids {
            match id {
                Id::Integer(id) if (0..i64::from(n_nodes)).contains(&id) => {}
                Id::Integer(id) => {
                    return Err(format!(
                        "row {row}: node {id} is none of the {n_nodes} declared nodes, from 0 on"
                    ));
                }
                Id::Text(text) => {
                    return Err(format!(
                        "row {row}: node {text:?} is no integer, so nodes cannot be declared by \
                         their number"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Refuses places in the file that the library would panic at.
fn check_range(column: &ColumnChunkMetaData) -> Result<(), String> {
    let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
    if start >= 0 && column.compressed_size() >= 0 {
        return Ok(());
    }
    Err(format!(
        "cannot be read as Parquet: column {} lies at {start} with {} bytes",
        column.column_path().string(),
        column.compressed_size()
    ))
}

#[cfg(test)]
mod tests;
