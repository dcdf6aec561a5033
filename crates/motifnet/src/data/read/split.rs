//! The split of a data set, once its labels are known.

use super::array::{ArrayFile, FileKind};
use super::join::{FoundNames, nodes_of_rows};
use super::masks;
use super::plan::{Plan, ToldSplit};
use super::{read_table, stage};
use crate::data::time::Time;
use crate::data::{DataError, Labels, Split, SplitFractions, SplitRule, SplitSpec};
use crate::graph::StringTable;
use crate::graph::read::{FilePart, NodeTable, RowKind};
use crate::io::Reading;

/// A row and its node in a list that grows by doubling, and the node once more in its part.
const BYTES_A_NODE: usize = 2 * size_of::<(usize, u32)>() + 2 * size_of::<u32>();

/// The rule that `plan` tells, for nodes with these `labels`.
pub(super) fn settle(
    plan: &Plan,
    labels: &Labels,
    names: FoundNames<'_>,
    reading: Reading<'_>,
) -> Result<Option<SplitRule>, DataError> {
    let Some(told) = &plan.split else { return Ok(None) };
    let column = |file: &str| {
        let file = FilePart::new(&told.folder, file);
        stage(reading, "read split", &file.path, || read_column(&file, names, reading))
    };
    Ok(Some(match &told.spec {
        SplitSpec::Fractions(fractions) => SplitRule::Fractions(*fractions),
        SplitSpec::Stratified(fractions) => SplitRule::Stratified(*fractions),
        SplitSpec::PerClass(per_class) => SplitRule::PerClass(*per_class),
        SplitSpec::Masks => match &plan.archive {
            Some(path) => SplitRule::Masks(masks::read(path, labels, reading)?),
            None => return Err(no_archive(told)),
        },
        SplitSpec::Column { file } => {
            let split = by_words(&column(file)?, labels, names)?;
            SplitRule::Column { file: bare(told, file), split }
        }
        SplitSpec::Time { file, fractions } => {
            let split = by_time(&column(file)?, labels, names, fractions)?;
            SplitRule::Time { file: bare(told, file), fractions: *fractions, split }
        }
    }))
}

/// A file and its part without the folder: the same split from wherever it is named.
fn bare(told: &ToldSplit, file: &str) -> String {
    let FilePart { path, part } = FilePart::new(&told.folder, file);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    part.map_or(name.to_string(), |part| format!("{name}#{part}"))
}

fn no_archive(told: &ToldSplit) -> DataError {
    let message = "split = \"masks\" takes them from an archive; name one by `npz`, or give \
                   percentages such as 60/20/20";
    DataError::Told { told_in: told.told_in.clone(), message: message.into() }
}

/// A column of a table, or an array with one value a node.
fn read_column(
    file: &FilePart,
    names: FoundNames<'_>,
    reading: Reading<'_>,
) -> Result<NodeTable, DataError> {
    let mut array = match FileKind::of(&file.path, reading)? {
        FileKind::Npy => ArrayFile::Npy(file.path.clone(), reading),
        FileKind::Npz => {
            let archive = reading.open_archive(&file.path)?;
            ArrayFile::in_archive(archive, file.part.as_deref(), &[])?
        }
        FileKind::MatrixMarket | FileKind::Other => {
            return read_table(file, names.names, reading);
        }
    };
    let (shape, values): (_, StringTable) = if array.is_text()? {
        let strings = array.strings()?;
        (strings.shape, strings.values.iter().collect())
    } else {
        let floats = array.doubles()?;
        (floats.shape, floats.values.iter().map(f64::to_string).collect())
    };
    let n_rows = values.len();
    let n_nodes = names.names.len();
    // A table of one column is a list, too.
    if n_rows != n_nodes || shape.first() != Some(&n_rows) {
        let message =
            format!("an array of shape {shape:?} for {n_nodes} nodes; it needs one value a node");
        return Err(array.problem(message));
    }
    Ok(NodeTable {
        path: file.path.clone(),
        columns: vec![file.part.clone().unwrap_or_default()],
        has_names: false,
        row_kind: RowKind::Row,
        keys: None,
        lines: (1..=n_rows as u64).collect(),
        values,
        notes: Vec::new(),
    })
}

/// The rows that tell something, and the node of each.
fn told_rows(table: &NodeTable, names: FoundNames<'_>) -> Result<Vec<(usize, u32)>, DataError> {
    let n_nodes = names.names.len();
    if table.keys.is_none() && table.n_rows() != n_nodes {
        let message = format!(
            "has {} rows for {n_nodes} nodes; there must be one for every node",
            table.n_rows()
        );
        return Err(DataError::file(&table.path, message));
    }
    let rows = nodes_of_rows(table, names, BYTES_A_NODE)?.into_iter().enumerate();
    Ok(rows.filter(|&(row, _)| !table.value(row, 0).is_empty()).collect())
}

fn by_words(table: &NodeTable, labels: &Labels, names: FoundNames<'_>) -> Result<Split, DataError> {
    let (mut train, mut validation, mut test) = (Vec::new(), Vec::new(), Vec::new());
    for (row, node) in told_rows(table, names)? {
        let word = table.value(row, 0);
        let part = match word.to_ascii_lowercase().as_str() {
            "train" => &mut train,
            "validation" | "val" => &mut validation,
            "test" => &mut test,
            _ => {
                let message =
                    format!("expected train, validation (or val), test or nothing, found {word:?}");
                return Err(table.problem(row, message).into());
            }
        };
        if labels.of(node).is_none() {
            let message = format!(
                "node {:?} is of the part {word:?} but has no label; leave the field empty",
                names.names.name(node)
            );
            return Err(table.problem(row, message).into());
        }
        part.push(node);
    }
    let split = Split::new(labels, train, validation, test);
    split.map_err(|source| DataError::ColumnSplit { path: table.path.clone(), source })
}

fn by_time(
    table: &NodeTable,
    labels: &Labels,
    names: FoundNames<'_>,
    fractions: &SplitFractions,
) -> Result<Split, DataError> {
    let mut times: Vec<Option<Time>> = vec![None; labels.n_nodes()];
    let mut first: Option<(usize, Time)> = None;
    for (row, node) in told_rows(table, names)? {
        let text = table.value(row, 0);
        let time = Time::parse(text).ok_or_else(|| {
            table.problem(row, format!("expected {}, found {text:?}", Time::FORMS))
        })?;
        let &mut (first_row, like) = first.get_or_insert((row, time));
        if !time.is_like(&like) {
            let message = format!(
                "{text:?} cannot be compared with {:?} in {}; write all as numbers or all as dates",
                table.value(first_row, 0),
                table.place(first_row)
            );
            return Err(table.problem(row, message).into());
        }
        times[node as usize] = Some(time);
    }
    let mut missing = labels.labelled().filter(|&node| times[node as usize].is_none()).peekable();
    if missing.peek().is_some() {
        let missing: Vec<u32> = missing.collect();
        let message = format!(
            "{} of {} labelled nodes have no time, such as {}; give them one, or leave their \
             labels out",
            missing.len(),
            labels.n_labelled(),
            names.examples(missing)
        );
        return Err(DataError::file(&table.path, message));
    }
    let split = Split::by_time(labels, &times, fractions);
    split.map_err(|source| DataError::ColumnSplit { path: table.path.clone(), source })
}
