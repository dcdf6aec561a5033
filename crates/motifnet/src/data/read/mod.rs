//! Data sets from folders, archives and single files.
//!
//! ```text
//! DatasetSource (+ dataset.toml) → Plan → arcs, names, labels, features as they stand in their files
//!     → the nodes that there are → DiGraph, and everything else in node order → Contract
//! ```
//!
//! Tables tell which node a row is about by the id that the arcs use; arrays and files of one
//! column stand in node order: ascending ids where the arcs have integers; where they have text, the order
//! of the file of `names` if it lists all nodes, else that in which the arcs first mention them, which
//! is told. A list of arcs cannot
//! mention nodes without arcs; such nodes exist if the file of `names` lists them, if an array has a
//! row for every id from 0, or if features or labels tell of them and are believed.

mod array;
mod features;
mod join;
mod labels;
mod masks;
mod names;
mod nodes;
mod plan;
mod sparse;
mod split;

use std::path::Path;

use self::features::{FoundFeatures, SettledFeatures};
use self::join::FoundNames;
pub(super) use self::join::NodeIndex;
use self::labels::FoundLabels;
use self::nodes::FoundNodes;
use self::plan::{FeatureSource, Plan};
use super::contract::{Contract, Told};
use super::{DataError, DatasetSource, Isolated, Labels, NodeDataset};
use crate::graph::read::{FilePart, ValueColumns, read_arcs, read_node_table};
use crate::graph::{DiGraph, NodeNames};
use crate::io::Reading;
use crate::progress::{Progress, Unit};

/// Reads the data set in `folder`, which has a `dataset.toml`, or in one npz archive.
///
/// The description has these keys, all of them text: `name`; `npz`, an archive with everything, or
/// `arcs`, any file of a graph; and `labels`, `features`, `names`, `split` and `isolated`, as
/// [`read_source`] takes them.
///
/// # Errors
/// As [`read_source`].
///
/// ```
/// use motifnet::data::read_dataset;
/// use motifnet::progress::Silent;
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let file = |name, text| std::fs::write(folder.join(name), text);
/// file("dataset.toml", "name = 'trio'\narcs = 'arcs.tsv'\nlabels = 'people.csv#team'")?;
/// file("arcs.tsv", "ann\tbob\nbob\tcat\n")?;
/// file("people.csv", "id,age,team\ncat,31,red\nann,27,blue\n")?;
/// let dataset = read_dataset(folder, &Silent)?;
/// assert_eq!(dataset.labels.classes(), ["blue", "red"]);
/// assert_eq!(dataset.labels.of_nodes(), [Some(0), None, Some(1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_dataset(folder: &Path, progress: &dyn Progress) -> Result<NodeDataset, DataError> {
    let source = DatasetSource { dataset: Some(folder.to_owned()), ..DatasetSource::default() };
    read_source(&source, Path::new(""), progress)
}

/// Reads a data set from its files; relative paths of the source are relative to `base`, those of a
/// `dataset.toml` to its folder.
///
/// - Arcs: any file of a graph. Tables that tell of nodes without arcs are an error, unless
///   `isolated` is [`Isolated::Keep`].
/// - Labels: a column of a CSV or Parquet table, an attribute of GML, or an array. A label is any
///   text; none is an empty field, a missing row or, in arrays of integers, -1. Classes stand in
///   numeric order if all are integers, else in alphabetical order; those that an archive names by
///   `class_names`, in its order.
/// - Features: a CSV or Parquet table, an npy array, a dense or sparse npz, a MatrixMarket file with
///   its rows in node order, or `one-hot`, `degrees` ([`super::Features::degrees`]), `motifs`
///   ([`super::Features::motifs`]) or `roles` ([`super::Features::roles`]).
/// - Split: as [`super::SplitSpec`] is written.
/// - Arrays of an archive with everything: `labels` or `node_labels`; `node_features` or `features`,
///   or a sparse matrix in `attr_data`, `attr_indices`, `attr_indptr` and `attr_shape` (or
///   `attr_matrix.data` and so on); `train_masks`, `val_masks` and `test_masks`, a row a split.
///
/// # Errors
/// If a file cannot be read, the files do not fit together, or a number is infinite or NaN; the
/// message says where.
///
/// ```
/// use motifnet::data::{DatasetSource, read_source};
/// use motifnet::progress::Silent;
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let file = |name, text| std::fs::write(folder.join(name), text);
/// file("arcs.csv", "payer,payee\nann,bob\nbob,cat\ncat,ann\n")?;
/// file("people.csv", "id,age,team\ncat,31,red\nann,27,blue\n")?;
/// let source = DatasetSource {
///     arcs: Some("arcs.csv".into()),
///     source: Some("payer".into()),
///     target: Some("payee".into()),
///     labels: Some("people.csv#team".into()),
///     features: Some("motifs".into()),
///     ..DatasetSource::default()
/// };
/// let dataset = read_source(&source, folder, &Silent)?;
/// assert_eq!(dataset.n_features(), 13);
/// assert_eq!(dataset.contract.direction, "arcs point from column `payer` to column `payee`");
/// assert_eq!((dataset.contract.n_labelled, dataset.contract.n_nodes), (2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_source(
    source: &DatasetSource,
    base: &Path,
    progress: &dyn Progress,
) -> Result<NodeDataset, DataError> {
    let reading = Reading { limit: source.max_decompressed_bytes(), progress };
    let plan = Plan::new(source, base, reading)?;
    let (raw, format) = read_arcs(&plan.arcs, &plan.options, progress)?;
    let names = plan.names.as_ref().map(|file| {
        stage(reading, "read names", &file.path, || read_table(file, &raw.names, reading))
    });
    let names = names.transpose()?;
    let labels = read_labels(&plan, &raw.names, reading)?;
    let features = read_features(&plan, &raw.names, reading)?;

    let mut nodes = FoundNodes::new(raw, format);
    for table in [names.as_ref(), labels.table(), features.table()].into_iter().flatten() {
        nodes.tell_notes(table);
    }
    if let Some(names) = &names {
        nodes.add_listed(names)?;
        nodes.order_as(names);
    }
    if plan.isolated == Isolated::Keep {
        for table in [labels.table(), features.table()].into_iter().flatten() {
            nodes.add_listed(table)?;
        }
    }
    for (path, n_rows) in [labels.rows(), features.rows()].into_iter().flatten() {
        nodes.add_up_to(n_rows, path);
        nodes.tell_order(path);
    }
    let arcs = std::mem::take(&mut nodes.arcs);
    let (graph, cleaning) = DiGraph::build(arcs, &plan.options.build)
        .map_err(|source| DataError::Build { path: plan.arcs.clone(), source })?;
    nodes.notes.extend(cleaning.describe());

    let found = nodes.found_names();
    let told_features = features.describe();
    let SettledFeatures { features, names: feature_names } =
        features.settle(&graph, found, progress)?;
    let labels = labels.settle(found)?;
    let split = split::settle(&plan, &labels, found, reading)?;
    let given_names = match &names {
        None => None,
        Some(table) => names::settle(table, found)?,
    };
    let direction = match plan.options.build.symmetrise {
        true => format!("none: every arc was also turned round ({})", nodes.direction),
        false => nodes.direction,
    };
    let told = Told { direction, cleaning, features: told_features };
    let contract = Contract::new(&graph, &features, &labels, split.as_ref(), told);
    let mut notes = nodes.notes;
    let n_unlabelled = labels.n_nodes() - labels.n_labelled();
    if labels.n_classes() > 0 && n_unlabelled > 0 {
        notes.push(format!("{n_unlabelled} of {} nodes have no label", labels.n_nodes()));
    }
    let names = given_names.unwrap_or(nodes.names);
    let name = plan.name;
    Ok(NodeDataset { name, graph, names, features, feature_names, labels, split, contract, notes })
}

/// Reads labels of nodes that are called `names` from `file`, or `file#part`: a column of a CSV or Parquet table,
/// an attribute of GML, or an array, as [`read_source`] does. Nodes that it does not tell of have none. `limit`
/// bounds the bytes that may come out of a compressed file.
///
/// # Errors
/// If it cannot be read, or tells of nodes that are not there.
///
/// ```
/// use motifnet::data::read_node_labels;
/// use motifnet::graph::NodeNames;
/// use motifnet::progress::Silent;
///
/// # let folder = tempfile::tempdir()?;
/// let file = folder.path().join("teams.csv");
/// std::fs::write(&file, "node,team\n2,red\n0,blue\n")?;
/// let file = file.display().to_string();
/// let labels = read_node_labels(&file, &NodeNames::Indices(3), None, &Silent)?;
/// assert_eq!(labels.of_nodes(), [Some(0), None, Some(1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_node_labels(
    file: &str,
    names: &NodeNames,
    limit: Option<u64>,
    progress: &dyn Progress,
) -> Result<Labels, DataError> {
    let file = FilePart::new(Path::new(""), file);
    let reading = Reading { limit, progress };
    let found =
        stage(reading, "read labels", &file.path, || FoundLabels::read(&file, names, reading));
    found?.settle(FoundNames { names, may_lack_nodes: false })
}

/// The labels of the file that tells them, else those of the archive.
fn read_labels(
    plan: &Plan,
    names: &NodeNames,
    reading: Reading<'_>,
) -> Result<FoundLabels, DataError> {
    match (&plan.labels, &plan.archive) {
        (Some(file), _) => {
            stage(reading, "read labels", &file.path, || FoundLabels::read(file, names, reading))
        }
        (None, Some(path)) => {
            stage(reading, "read labels", path, || FoundLabels::read_archive(path, reading))
        }
        (None, None) => Ok(FoundLabels::None),
    }
}

/// The features of the file or the word that tells them, else those of the archive.
fn read_features(
    plan: &Plan,
    names: &NodeNames,
    reading: Reading<'_>,
) -> Result<FoundFeatures, DataError> {
    match (&plan.features, &plan.archive) {
        (Some(FeatureSource::File(file)), _) => stage(reading, "read features", &file.path, || {
            FoundFeatures::read(file, names, reading)
        }),
        (Some(FeatureSource::Graph(made)), _) => Ok(FoundFeatures::Made(*made)),
        (None, Some(path)) => {
            stage(reading, "read features", path, || FoundFeatures::read_archive(path, reading))
        }
        (None, None) => Ok(FoundFeatures::None),
    }
}

/// The table in a file, of the column that is asked for or the only one.
fn read_table(
    file: &FilePart,
    names: &NodeNames,
    reading: Reading<'_>,
) -> Result<crate::graph::read::NodeTable, DataError> {
    let wanted = file.part.as_deref().map_or(ValueColumns::TheOther, ValueColumns::Named);
    Ok(read_node_table(&file.path, wanted, names, reading)?)
}

/// Does `work`, which reads the file at `path`, as a stage of its own.
fn stage<T>(
    Reading { progress, .. }: Reading<'_>,
    name: &str,
    path: &Path,
    work: impl FnOnce() -> Result<T, DataError>,
) -> Result<T, DataError> {
    let n_bytes = std::fs::metadata(path).ok().map(|file| file.len());
    progress.begin(name, n_bytes, Unit::Bytes);
    let result = work();
    progress.end();
    result
}

#[cfg(test)]
mod source_tests;
#[cfg(test)]
mod tests;
