//! Data sets from folders.
//!
//! ```text
//! dataset.toml → arcs, names, labels, features as they stand in their files
//!              → the nodes that there are → DiGraph, and everything else in node order
//! ```
//!
//! Tables tell which node a row is about by the id that the arcs use; arrays and files of one
//! column stand in node order (ascending ids where the arcs have integers). A list of arcs cannot
//! mention nodes without arcs; such nodes exist if the file of `names` lists them, or if an array
//! has a row for every id from 0.

mod array;
mod features;
mod join;
mod labels;
mod masks;
mod names;
mod nodes;
mod sparse;

use std::path::Path;

use self::features::FoundFeatures;
use self::labels::FoundLabels;
use self::nodes::FoundNodes;
use super::{DataError, NodeDataset, SplitRule};
use crate::graph::read::{Description, FilePart, ValueColumns, read_arcs, read_node_table};
use crate::graph::{BuildOptions, DiGraph, NodeNames, ReadOptions};
use crate::io::NpzArchive;
use crate::progress::{Progress, Unit};

/// Reads the data set in `folder`, which has a `dataset.toml`, or in one npz archive.
///
/// The description has these keys, all of them text: `name`; `npz`, an archive with everything, or
/// `arcs`, any file of a graph; and `labels`, `features` and `names`, each a file or `file#part`,
/// the part being a column (by its name, or by its place from 1), a GML attribute or an array.
/// `features` may also be `one-hot` or `degrees` ([`super::Features::degrees`]). `split` is
/// percentages of the labelled nodes such as `10/10/10`, or `masks`, those of the archive.
///
/// - Without `labels` no node has a label. A label is any text; none is an empty field, a missing
///   row or, in arrays of integers, -1. Classes stand in numeric order if all are integers, else
///   in alphabetical order; those that an archive names by `class_names`, in its order.
/// - Arrays of the archive: `labels` or `node_labels`; `node_features` or `features`, or a sparse
///   matrix in `attr_data`, `attr_indices`, `attr_indptr` and `attr_shape` (or `attr_matrix.data`
///   and so on); `train_masks`, `val_masks` and `test_masks`, a row a split.
///
/// # Errors
/// If a file cannot be read, the files do not fit together, or a number is infinite or NaN; the
/// message says where.
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
    if folder.is_file() {
        let description = describe_archive(folder, progress)?;
        return read(folder.parent().unwrap_or(Path::new("")), description, progress);
    }
    read(folder, Description::read(folder)?, progress)
}

/// The description that a lone archive would have.
fn describe_archive(path: &Path, progress: &dyn Progress) -> Result<Description, DataError> {
    let archive = NpzArchive::open(path, None, progress)?;
    let text =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    Ok(Description {
        name: text(path.file_stem()),
        npz: text(path.file_name()),
        split: masks::are_in(&archive).then(|| masks::WORD.to_owned()),
        ..Description::default()
    })
}

fn read(
    folder: &Path,
    description: Description,
    progress: &dyn Progress,
) -> Result<NodeDataset, DataError> {
    let arcs_path = description.arcs_file(folder)?;
    let archive = description.npz.is_some().then_some(arcs_path.as_path());
    let part = |text: &String| FilePart::new(folder, text);
    let (raw, format) = read_arcs(&arcs_path, &ReadOptions::default(), progress)?;
    let arc_names = &raw.names;

    let names_file = description.names.as_ref().map(part);
    let names = names_file.map(|file| {
        stage(progress, "read names", &file.path, || read_table(&file, arc_names, progress))
    });
    let names = names.transpose()?;
    let labels = match (description.labels.as_ref().map(part), archive) {
        (Some(file), _) => stage(progress, "read labels", &file.path, || {
            FoundLabels::read(&file, arc_names, progress)
        }),
        (None, Some(path)) => {
            stage(progress, "read labels", path, || FoundLabels::read_archive(path, progress))
        }
        (None, None) => Ok(FoundLabels::None),
    }?;
    let features = match (description.features.as_deref(), archive) {
        (Some("one-hot"), _) => Ok(FoundFeatures::OneHot),
        (Some("degrees"), _) => Ok(FoundFeatures::Degrees),
        (Some(text), _) => {
            let file = FilePart::new(folder, text);
            stage(progress, "read features", &file.path, || {
                FoundFeatures::read(&file, arc_names, progress)
            })
        }
        (None, Some(path)) => {
            stage(progress, "read features", path, || FoundFeatures::read_archive(path, progress))
        }
        (None, None) => Ok(FoundFeatures::None),
    }?;

    let mut nodes = FoundNodes::new(raw, format);
    if let Some(names) = &names {
        nodes.add_listed(names)?;
    }
    for (path, n_rows) in [labels.rows(), features.rows()].into_iter().flatten() {
        nodes.add_up_to(n_rows, path);
    }
    let FoundNodes { arcs, names: arc_names, mut notes, .. } = nodes;
    let (graph, cleaning) = DiGraph::build(arcs, &BuildOptions::default())
        .map_err(|source| DataError::Build { path: arcs_path.clone(), source })?;
    notes.extend(cleaning.describe());

    let features = features.settle(&graph, &arc_names)?;
    let labels = labels.settle(&arc_names)?;
    let n_unlabelled = labels.n_nodes() - labels.n_labelled();
    if labels.n_classes() > 0 && n_unlabelled > 0 {
        notes.push(format!("{n_unlabelled} of {} nodes have no label", labels.n_nodes()));
    }
    let split = match description.split.as_deref() {
        None => None,
        Some(masks::WORD) => {
            let Some(path) = archive else {
                let message = "split = \"masks\" takes them from an archive; name one by `npz`, or \
                               give percentages such as 60/20/20";
                return Err(DataError::file(&Description::path(folder), message));
            };
            Some(SplitRule::Masks(masks::read(path, &labels, progress)?))
        }
        Some(text) => {
            Some(SplitRule::Fractions(text.parse().map_err(|source| DataError::Fractions {
                path: Description::path(folder),
                source,
            })?))
        }
    };
    let names: NodeNames = match names {
        None => arc_names,
        Some(table) => names::settle(&table, arc_names)?,
    };
    let name = description.name.unwrap_or_else(|| {
        folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    });
    Ok(NodeDataset { name, graph, names, features, labels, split, notes })
}

/// The table in a file, of the column that is asked for or the only one.
fn read_table(
    file: &FilePart,
    names: &NodeNames,
    progress: &dyn Progress,
) -> Result<crate::graph::read::NodeTable, DataError> {
    let wanted = file.part.as_deref().map_or(ValueColumns::TheOther, ValueColumns::Named);
    Ok(read_node_table(&file.path, wanted, names, progress)?)
}

/// Does `work`, which reads the file at `path`, as a stage of its own.
fn stage<T>(
    progress: &dyn Progress,
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
mod tests;
