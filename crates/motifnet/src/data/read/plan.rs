//! What is read from where: a source, with what its folder or archive says for the rest.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::masks;
use crate::data::{DataError, DatasetSource, GraphFeatures, Isolated, SplitSpec};
use crate::graph::read::{ColumnOptions, Description, FilePart};
use crate::graph::{BuildOptions, ReadOptions};
use crate::io::Reading;

/// Every file of a data set, found.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) name: String,
    pub(super) arcs: PathBuf,
    /// How the arcs are read.
    pub(super) options: ReadOptions,
    /// The archive whose arrays tell what no other file does.
    pub(super) archive: Option<PathBuf>,
    pub(super) labels: Option<FilePart>,
    pub(super) features: Option<FeatureSource>,
    pub(super) names: Option<FilePart>,
    pub(super) split: Option<ToldSplit>,
    pub(super) isolated: Isolated,
}

/// Where features come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FeatureSource {
    Graph(GraphFeatures),
    File(FilePart),
}

impl FeatureSource {
    fn new(folder: &Path, text: &str) -> Self {
        match text.parse() {
            Ok(made) => Self::Graph(made),
            Err(_) => Self::File(FilePart::new(folder, text)),
        }
    }
}

/// A split, and where it was told.
#[derive(Debug)]
pub(super) struct ToldSplit {
    pub(super) spec: SplitSpec,
    /// What its file is relative to.
    pub(super) folder: PathBuf,
    /// The description that tells it; `None` if the caller does.
    pub(super) told_in: Option<PathBuf>,
}

impl ToldSplit {
    fn new(text: &str, folder: &Path, told_in: Option<PathBuf>) -> Result<Self, DataError> {
        match SplitSpec::from_str(text) {
            Ok(spec) => Ok(Self { spec, folder: folder.to_owned(), told_in }),
            Err(source) => Err(DataError::Split { told_in, source }),
        }
    }
}

impl Plan {
    /// The plan for a source whose relative paths are relative to `base`.
    pub(super) fn new(
        source: &DatasetSource,
        base: &Path,
        reading: Reading<'_>,
    ) -> Result<Self, DataError> {
        let mut plan = match &source.dataset {
            Some(path) => Self::of_dataset(&base.join(path), source.arcs.is_none(), reading)?,
            None => Self::of_arcs(source, base)?,
        };
        if let Some(name) = &source.name {
            plan.name.clone_from(name);
        }
        if let Some(arcs) = &source.arcs {
            plan.arcs = base.join(arcs);
        }
        let part = |text: &String| FilePart::new(base, text);
        plan.labels = source.labels.as_ref().map(part).or(plan.labels);
        plan.names = source.names.as_ref().map(part).or(plan.names);
        let features = source.features.as_ref().map(|text| FeatureSource::new(base, text));
        plan.features = features.or(plan.features);
        if let Some(text) = &source.split {
            plan.split = Some(ToldSplit::new(text, base, None)?);
        }
        if source.isolated == Isolated::Keep {
            plan.isolated = Isolated::Keep;
        }
        plan.options = read_options(source, reading);
        Ok(plan)
    }

    /// What a folder or an archive says; the arcs may be missing if others are taken.
    fn of_dataset(path: &Path, needs_arcs: bool, reading: Reading<'_>) -> Result<Self, DataError> {
        if path.is_file() {
            return Self::of_archive(path, reading);
        }
        let told_in = Description::path(path);
        let description = Description::read(path)?;
        let arcs = match description.arcs_file(path) {
            Ok(arcs) => arcs,
            Err(error) if needs_arcs => return Err(error.into()),
            Err(_) => PathBuf::new(),
        };
        let part = |text: &String| FilePart::new(path, text);
        let split = description.split.as_deref();
        let split = split.map(|text| ToldSplit::new(text, path, Some(told_in.clone())));
        let isolated = description.isolated.as_deref().map(Isolated::from_str).transpose();
        let isolated = isolated.map_err(|error| DataError::Told {
            told_in: Some(told_in.clone()),
            message: error.to_string(),
        })?;
        let own_name = || {
            // `.` has no name, but is a folder that has.
            let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            whole.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        };
        Ok(Self {
            name: description.name.clone().unwrap_or_else(own_name),
            archive: description.npz.as_ref().map(|text| part(text).path),
            arcs,
            options: ReadOptions::default(),
            labels: description.labels.as_ref().map(part),
            features: description.features.as_ref().map(|text| FeatureSource::new(path, text)),
            names: description.names.as_ref().map(part),
            split: split.transpose()?,
            isolated: isolated.unwrap_or_default(),
        })
    }

    /// What a lone archive says.
    fn of_archive(path: &Path, reading: Reading<'_>) -> Result<Self, DataError> {
        let archive = reading.open_archive(path)?;
        let split = masks::are_in(&archive).then(|| ToldSplit {
            spec: SplitSpec::Masks,
            folder: PathBuf::new(),
            told_in: None,
        });
        Ok(Self {
            name: path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into()),
            archive: Some(path.to_owned()),
            split,
            ..Self::of_file(path)
        })
    }

    fn of_arcs(source: &DatasetSource, base: &Path) -> Result<Self, DataError> {
        let Some(arcs) = &source.arcs else {
            let message = "neither `dataset` nor `arcs` says where the arcs are; name a data set \
                           by the one, or a file of arcs by the other";
            return Err(DataError::Told { told_in: None, message: message.into() });
        };
        Ok(Self::of_file(&base.join(arcs)))
    }

    /// A file of arcs, and nothing else.
    fn of_file(arcs: &Path) -> Self {
        // The name up to its endings, of which there may be two, as in arcs.tsv.gz.
        let name = arcs.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        let stem = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(&name);
        Self {
            name: stem.to_owned(),
            arcs: arcs.to_owned(),
            options: ReadOptions::default(),
            archive: None,
            labels: None,
            features: None,
            names: None,
            split: None,
            isolated: Isolated::Refuse,
        }
    }
}

fn read_options(source: &DatasetSource, reading: Reading<'_>) -> ReadOptions {
    // Any text names a column.
    fn parsed<T: FromStr<Err = std::convert::Infallible>>(text: &str) -> T {
        text.parse().unwrap_or_else(|never: std::convert::Infallible| match never {})
    }
    ReadOptions {
        build: BuildOptions { symmetrise: source.undirected, ..BuildOptions::default() },
        columns: ColumnOptions {
            source: source.source.as_deref().map(parsed),
            target: source.target.as_deref().map(parsed),
            weight: source.weight.as_deref().map(parsed).unwrap_or_default(),
        },
        max_decompressed_bytes: reading.limit,
        ..ReadOptions::default()
    }
}
