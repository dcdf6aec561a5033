//! Parquet files: a table with a column of sources, one of targets, perhaps one of weights.
//!
//! Row groups are read in parallel, each in batches of rows.

mod batch;
mod checked_pages;
mod column_type;
mod delta_lengths;
mod file;
mod meter;
mod node_table;
mod shape;
mod shared_file;
mod thrift;

use std::fmt::Display;

use rayon::prelude::*;

use self::batch::{IdColumn, WeightReader};
use self::file::ParquetFile;
pub(super) use self::node_table::read_node_table;
use super::arc_block::{ArcBlock, Id};
use super::columns::{self, Role};
use super::node_ids::number_nodes;
use super::options::{Column, ReadOptions, WeightColumn};
use super::{RawGraph, ReadError};
use crate::io::{Input, catch_panic};

pub(super) fn read(input: Input<'_>, options: &ReadOptions) -> Result<RawGraph, ReadError> {
    let (path, progress) = (input.path().to_owned(), input.progress());
    let whole = |message: String| ReadError::file(&path, message);
    let file = ParquetFile::open(input)?;
    let names = file.column_names();
    let table = Table::choose(&names, options).map_err(whole)?;

    let blocks: Vec<Result<ArcBlock, String>> = file
        .row_groups()
        .into_par_iter()
        .map(|(position, first_row)| {
            let block = unpanicked(|| table.read_group(&file, position, first_row));
            progress.advance(file.group_bytes(position));
            block
        })
        .collect();
    // All are collected before errors are looked at, so that the first in the file is told.
    let blocks = blocks.into_iter().collect::<Result<Vec<_>, _>>();
    let blocks = blocks.map_err(|message| file.error(&path, message))?;
    let (arcs, node_names) = number_nodes(blocks, options.n_nodes, None);
    let end = |place: usize| (place, Some(names[place].as_str()));
    let direction = columns::direction(end(table.source), end(table.target));
    Ok(RawGraph { arcs, direction, names: node_names, notes: table.notes(&names) })
}

fn damaged(error: &impl Display) -> String {
    format!("cannot be read as Parquet: {error}")
}

/// Runs `read`; a panic of the Parquet library, which trusts what files say about themselves more
/// than it should, becomes an error.
fn unpanicked<T>(read: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_panic(read)
        .unwrap_or_else(|| Err("cannot be read as Parquet: the file is damaged".into()))
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
        file: &ParquetFile<'_>,
        position: usize,
        first_row: u64,
    ) -> Result<ArcBlock, String> {
        let group = file.group(position)?;
        let column = |place| file.column(&*group, place);
        let mut sources = IdColumn::new(column(self.source)?)?;
        let mut targets = IdColumn::new(column(self.target)?)?;
        let mut weights = match self.weight {
            None => None,
            Some(place) => Some(WeightReader::new(column(place)?)?),
        };
        let mut block = ArcBlock::default();
        let mut row = first_row;
        loop {
            let n_rows = sources.read(row)?;
            file.meter.add_values(n_rows, 2 + usize::from(weights.is_some()))?;
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

#[cfg(test)]
mod tests;
