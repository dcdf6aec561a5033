//! A run that was kept, and the data that its model is asked about.

use std::path::{Path, PathBuf};

use clap::Args;
use motifnet::data::{DatasetSource, GraphFeatures, NodeDataset, Split};
use motifnet::train::{
    CONFIG_FILE, Predictor, RunConfig, RunFolder, Settings, TrainError, TrainedModel,
};

use crate::failure::Failure;
use crate::input_files::InputFiles;
use crate::read_data::{read_data, read_known_data};
use crate::session::Session;

/// A run and its model.
pub(crate) struct LoadedRun {
    pub(crate) folder: RunFolder,
    pub(crate) config: RunConfig,
    pub(crate) model: TrainedModel,
}

impl LoadedRun {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let folder = RunFolder::open(path).map_err(Failure::run)?;
        let mut settings = Settings::default();
        settings.read(&folder.file(CONFIG_FILE)).map_err(Failure::run)?;
        let config = settings.config().clone();
        if config.model.network().is_none() {
            return Err(TrainError::NothingLearnt { model: config.model.kind }.into());
        }
        let model = TrainedModel::read(&folder)?;
        Ok(Self { folder, config, model })
    }

    /// The data that the model was trained on.
    pub(crate) fn own_data(&self, session: &Session) -> Result<NodeDataset, Failure> {
        read_known_data(&self.config.data, session)
    }

    /// The data that is asked about: its own, or another's.
    pub(crate) fn data(&self, new: &NewData, session: &Session) -> Result<NodeDataset, Failure> {
        match new.source(self)? {
            Some(source) => read_data(&source, session),
            None => self.own_data(session),
        }
    }

    /// Refuses an output that would replace the run, its data, or the data that is asked about.
    pub(crate) fn check_output(&self, output: &Path, new: &NewData) -> Result<(), Failure> {
        let inputs = InputFiles::default().with_run(self.folder.path());
        let asked = "a file of the data that is asked about";
        inputs.with_data(&new.named(), asked).check_outputs(&[output])
    }

    /// The nodes that it was trained, stopped and tested by.
    pub(crate) fn split(&self, dataset: &NodeDataset) -> Result<Split, Failure> {
        let rule = dataset.split.as_ref().ok_or_else(|| {
            Failure::run(anyhow::anyhow!("the data of the run has no split any more"))
                .hint("put `split` back into its dataset.toml")
        })?;
        let RunConfig { train, run, .. } = &self.config;
        rule.split(&dataset.labels, run.first_split, train.seed).map_err(Failure::run)
    }

    pub(crate) fn predictor<'a>(
        &'a self,
        dataset: &NodeDataset,
        session: &Session,
    ) -> Result<Predictor<'a>, Failure> {
        let cache = Some(self.folder.path());
        let predictor = Predictor::new(&self.model, dataset, cache, session.progress())?;
        predictor.notes.iter().for_each(|note| session.note(note));
        Ok(predictor)
    }
}

/// Other data than that of the run.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Other data than that of the run")]
pub(crate) struct NewData {
    /// The arcs of another graph, or of the same with more nodes
    #[arg(long, value_name = "FILE")]
    pub(crate) arcs: Option<PathBuf>,

    /// The features of its nodes: FILE or FILE#PART, with the columns of training
    #[arg(long, value_name = "FILE")]
    pub(crate) features: Option<String>,

    /// All its nodes, with arcs or without: FILE or FILE#COLUMN
    #[arg(long, value_name = "FILE", requires = "arcs")]
    pub(crate) names: Option<String>,

    /// Or all of it: a folder with a dataset.toml, or one .npz archive
    #[arg(long, value_name = "PATH", conflicts_with = "arcs")]
    pub(crate) dataset: Option<PathBuf>,
}

impl NewData {
    pub(crate) fn is_none(&self) -> bool {
        self.arcs.is_none() && self.dataset.is_none() && self.features.is_none()
    }

    /// What was named, without what the run adds.
    fn named(&self) -> DatasetSource {
        let Self { arcs, features, names, dataset } = self.clone();
        DatasetSource { arcs, features, names, dataset, ..DatasetSource::default() }
    }

    /// Where other data comes from; `None` if there is none.
    fn source(&self, run: &LoadedRun) -> Result<Option<DatasetSource>, Failure> {
        if self.is_none() {
            return Ok(None);
        }
        let Self { arcs, features, names, dataset } = self.clone();
        let description = &run.model.description;
        if !run.model.pipeline.can_move() {
            let message = anyhow::anyhow!(
                "the features of training were one-hot: they only say which node it is, so it says nothing of \
                 another graph"
            );
            let instead = "train with --features degrees, motifs or roles, or with a table";
            return Err(Failure::usage(message).hint(instead));
        }
        let own = &run.config.data;
        let of_graph =
            |text: &String| text.parse().is_ok_and(|made: GraphFeatures| made.can_move());
        let features = features.or_else(|| description.features.clone().filter(of_graph));
        if features.is_none() && dataset.is_none() {
            let message = anyhow::anyhow!("the model needs the features of the nodes as well");
            return Err(Failure::usage(message).hint("name their file with --features"));
        }
        if dataset.is_some() {
            // It has columns of its own.
            let undirected = own.undirected;
            return Ok(Some(DatasetSource {
                dataset,
                features,
                undirected,
                ..DatasetSource::default()
            }));
        }
        let keeps_graph = arcs.is_none();
        Ok(Some(DatasetSource {
            name: None,
            dataset: own.dataset.clone().filter(|_| keeps_graph),
            arcs: if keeps_graph { own.arcs.clone() } else { arcs },
            features,
            labels: None,
            names: names.or_else(|| own.names.clone().filter(|_| keeps_graph)),
            split: None,
            ..own.clone()
        }))
    }
}

/// The nodes that `names` of the command line mean.
pub(crate) fn find_nodes(dataset: &NodeDataset, names: &[String]) -> Result<Vec<u32>, Failure> {
    let find = |name: &String| {
        dataset.node(name).ok_or_else(|| {
            let example = dataset.names.name(0);
            let message = anyhow::anyhow!("there is no node {name:?} in {}", dataset.name);
            Failure::run(message)
                .hint(format!("nodes are called as in the arcs, such as {example:?}"))
        })
    };
    names.iter().map(find).collect()
}
