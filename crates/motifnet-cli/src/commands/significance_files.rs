//! The tables that significance writes.

use std::path::Path;

use motifnet::graph::NodeNames;
use motifnet::io::{CsvFile, CsvLine, WriteError};
use motifnet::motif::{ClassSignificance, MotifKind, NodeSignificance, Significance};

use super::significance::SignificanceCommand;

/// The files, begun and not yet there: all of them appear, or none.
pub(super) struct SignificanceFiles {
    classes: Option<(String, CsvFile)>,
    nodes: Option<(String, CsvFile)>,
}

const CLASS_COLUMNS: [&str; 10] = [
    "motif",
    "triad",
    "count",
    "mean",
    "sd",
    "z",
    "p_more",
    "p_less",
    "profile",
    "autocorrelation",
];

impl SignificanceFiles {
    pub(super) fn create(command: &SignificanceCommand) -> Result<Self, WriteError> {
        let of_motif =
            |kind: MotifKind| ["", ".mean", ".sd", ".z"].map(|what| format!("{kind}{what}"));
        let motifs = MotifKind::triads().into_iter().flat_map(of_motif);
        let node_columns = ["node".to_owned()].into_iter().chain(motifs);
        let classes = command.output.as_deref();
        let nodes = command.per_node.as_deref();
        Ok(Self {
            classes: classes.map(|path| begin(path, CLASS_COLUMNS)).transpose()?,
            nodes: nodes.map(|path| begin(path, node_columns)).transpose()?,
        })
    }

    /// Fills the files and puts them in their places; their names.
    pub(super) fn write(
        mut self,
        found: &Significance,
        names: &NodeNames,
    ) -> Result<Vec<String>, WriteError> {
        if let Some((_, file)) = &mut self.classes {
            file.write_rows(found.classes.len(), |row, line| {
                class_line(&found.classes[row], line)
            })?;
        }
        if let (Some((_, file)), Some(nodes)) = (&mut self.nodes, &found.nodes) {
            file.write_rows(nodes.len(), |node, line| {
                node_line(&nodes[node], line.text(&names.name(node as u32)))
            })?;
        }
        let files = [self.classes, self.nodes].into_iter().flatten();
        files.map(|(path, file)| file.commit().map(|()| path)).collect()
    }
}

fn begin<S: AsRef<str>>(
    path: &Path,
    columns: impl IntoIterator<Item = S>,
) -> Result<(String, CsvFile), WriteError> {
    Ok((path.display().to_string(), CsvFile::create(path, columns)?))
}

fn class_line<'a>(class: &ClassSignificance, line: CsvLine<'a>) -> CsvLine<'a> {
    let line = line.text(class.name()).text(class.triad).integer(class.count);
    let line = line.double(class.mean).double(class.sd).double(class.z);
    let line = line.double(class.p_more).double(class.p_less);
    line.double(class.profile).double(class.autocorrelation)
}

fn node_line<'a>(node: &NodeSignificance, line: CsvLine<'a>) -> CsvLine<'a> {
    node.iter().fold(line, |line, part| {
        line.integer(part.count).double(part.mean).double(part.sd).double(part.z)
    })
}
