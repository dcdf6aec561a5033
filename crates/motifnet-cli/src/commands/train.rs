//! `motifnet train`: a model learns the classes of a data set's nodes.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use motifnet::data::{FeatureConfig, NodeDataset, SplitFractions, SplitRule, read_dataset};
use motifnet::motif::MotifKind;
use motifnet::nn::{Activation, AdamConfig, Decay};
use motifnet::spectral::{LambdaMax, LaplacianConfig, LaplacianForm, Normalization};
use motifnet::train::{ClassWeights, ModelConfig, ModelKind, PreparedRun, RunConfig, TrainConfig};

use super::train_files::RunFolder;
use super::train_report::{TrainReport, Watch};
use crate::failure::Failure;
use crate::session::Session;
use crate::spec_args::{MotifSpecArgs, MotifWord, motifs_of};

/// Train a model on a data set and say how good it is
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  motifnet train data/cora-ml
  motifnet train data/cora-ml --model chebnet --operator out --order 2 --repeat 10
  motifnet train data/telegram --model motifnet-m --heads 4 --order 2 --support edges --out run
  motifnet train data/cora-ml --motifs U,in,out,M5,M8,M9,M10 --split 20/10/70 --seed 7
  motifnet train data/cora-ml --model cayley --order 2 --jacobi 10
  motifnet train data/cora-ml --model spline --eigenvectors 128 --out run

A data set is a folder with a dataset.toml that names its files: arcs, labels, features.
With --out the run is also written to a folder: metrics.json, history.jsonl, timing.json, and for
spectral and spline eigenbasis.npz, which the next run in that folder takes up.")]
pub(crate) struct TrainArgs {
    /// The folder of a data set, with a dataset.toml, or one .npz archive
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,

    /// The model
    #[arg(long, default_value = "motifnet-m", value_name = "MODEL", value_parser = words::<ModelKind>(&ModelKind::ALL.map(ModelKind::name)))]
    model: ModelKind,

    /// The order of its polynomials: how far a layer sees
    #[arg(long, default_value_t = 1, value_name = "P")]
    order: usize,

    /// The operators of motifnet-m and polynomial: motifs, U, in, out, or all
    #[arg(long, value_name = "MOTIFS", value_delimiter = ',', default_value = "U,in,out,M5,M8,M9")]
    motifs: Vec<MotifWord>,

    /// The number of attentions of motifnet-m; 1 is the paper's
    #[arg(long, default_value_t = 1, value_name = "H")]
    heads: usize,

    /// The one operator of all other models: U, out, in or a motif
    #[arg(long, default_value = "U", value_name = "OPERATOR")]
    operator: MotifKind,

    /// Training, validation and test nodes in per cent of the labelled ones [default: the data set's]
    #[arg(long, value_name = "A/B/C")]
    split: Option<SplitFractions>,

    /// Where all draws come from: splits, first weights, dropout
    #[arg(long, default_value_t = 0, value_name = "S")]
    seed: u64,

    /// Train on so many splits, one after the other
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,

    /// Write the run to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    spec: SpecArgs,

    #[command(flatten)]
    network: NetworkArgs,

    #[command(flatten)]
    training: TrainingArgs,
}

/// What motif matrices count and which Laplacian is taken of them.
#[derive(Debug, Args)]
#[command(next_help_heading = "Operators")]
struct SpecArgs {
    #[command(flatten)]
    motif: MotifSpecArgs,

    /// Which Laplacian the model works on: I − N, or 2(I − N)/λ − I
    #[arg(long, default_value = "rescaled", value_name = "FORM", value_parser = words::<LaplacianForm>(&LaplacianForm::ALL.map(LaplacianForm::name)))]
    laplacian: LaplacianForm,

    /// How the adjacency is normalised to N: D^-½WD^-½, or D⁻¹W
    #[arg(long, default_value = "symmetric", value_name = "HOW", value_parser = words::<Normalization>(&Normalization::ALL.map(Normalization::name)))]
    normalization: Normalization,

    /// λ of the rescaled Laplacian: 2, or its largest eigenvalue
    #[arg(long, default_value = "two", value_name = "WHICH", value_parser = words::<LambdaMax>(&LambdaMax::ALL.map(LambdaMax::name)))]
    lambda_max: LambdaMax,
}

/// The shape of the network.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
struct NetworkArgs {
    /// Features between the layers
    #[arg(long, default_value_t = 130, value_name = "N")]
    width: usize,

    /// Number of convolutions
    #[arg(long, default_value_t = 2, value_name = "N")]
    convs: usize,

    /// Number of dense layers after them
    #[arg(long, default_value_t = 2, value_name = "N")]
    dense: usize,

    /// Share of entries dropped from the input of every layer: one number, or one for each layer
    #[arg(long, default_value = "0.5", value_name = "RATE", value_delimiter = ',')]
    dropout: Vec<f64>,

    /// Between the layers
    #[arg(long, default_value = "relu", value_name = "WHICH", value_parser = words::<Activation>(&Activation::ALL.map(Activation::name)))]
    activation: Activation,

    /// The most terms that a full polynomial may have
    #[arg(long, default_value_t = 1023, value_name = "N")]
    max_terms: usize,

    /// Jacobi iterations of cayley
    #[arg(long, default_value_t = 8, value_name = "N")]
    jacobi: usize,

    /// Eigenvectors that spectral and spline compute in
    #[arg(long, default_value_t = 64, value_name = "K")]
    eigenvectors: usize,

    /// B-splines of a filter of spline
    #[arg(long, default_value_t = 8, value_name = "Q")]
    coefficients: usize,

    /// Gaussians of monet
    #[arg(long, default_value_t = 4, value_name = "M")]
    kernels: usize,

    /// More columns of features than this are reduced to as many by PCA
    #[arg(long, default_value_t = 130, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_features: u32,

    /// Leave the features in their own scale [default: one scale to standard deviation 1]
    #[arg(long)]
    no_scale: bool,
}

/// How it is trained.
#[derive(Debug, Args)]
#[command(next_help_heading = "Training")]
struct TrainingArgs {
    /// The most epochs
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,

    /// Stop after so many epochs without a smaller validation loss
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,

    /// The learning rate
    #[arg(long, default_value_t = 1e-3, value_name = "RATE", value_parser = positive)]
    lr: f64,

    /// The weight decay
    #[arg(long, default_value_t = 1e-3, value_name = "RATE", value_parser = not_negative)]
    decay: f64,

    /// Decay added to the gradient, or apart from it
    #[arg(long, default_value = "l2", value_name = "KIND", value_parser = words::<Decay>(&Decay::ALL.map(Decay::name)))]
    decay_kind: Decay,

    /// Whether all nodes count alike, or all classes
    #[arg(long, default_value = "equal", value_name = "HOW", value_parser = words::<ClassWeights>(&ClassWeights::ALL.map(ClassWeights::name)))]
    class_weights: ClassWeights,

    /// The most memory to take, in megabytes [default: what the machine has]
    #[arg(long, value_name = "MB")]
    memory_limit: Option<u64>,
}

/// One of `names`, shown in the help, as what it stands for.
fn words<T>(names: &[&'static str]) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr + Clone + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    PossibleValuesParser::new(names.to_vec()).try_map(|word| word.parse::<T>())
}

fn positive(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("it must be a number above 0".to_owned()),
    }
}

fn not_negative(word: &str) -> Result<f64, String> {
    match word.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("it must be a number, 0 or above".to_owned()),
    }
}

/// A run to make.
pub(crate) struct TrainCommand {
    dataset: PathBuf,
    split: Option<SplitFractions>,
    seed: u64,
    n_repeats: usize,
    out: Option<PathBuf>,
    run: RunConfig,
}

impl TrainArgs {
    pub(crate) fn check(self) -> Result<TrainCommand, Failure> {
        if let Some(out) = &self.out
            && out.exists()
            && !out.is_dir()
        {
            let message = anyhow::anyhow!("{} is a file, not a folder", out.display());
            return Err(Failure::usage(message).hint("name a folder with --out"));
        }
        let motifs = motifs_of(&self.motifs);
        let NetworkArgs { width, convs, dense, dropout, activation, max_terms, .. } = self.network;
        let NetworkArgs { jacobi, eigenvectors, coefficients, kernels, .. } = self.network;
        let model = ModelConfig {
            kind: self.model,
            order: self.order,
            heads: self.heads,
            motifs,
            operator: self.operator,
            iterations: jacobi,
            eigenvectors,
            coefficients,
            kernels,
            n_convs: convs,
            n_dense: dense,
            width,
            activation,
            dropout,
            most_terms: max_terms,
        };
        let adam = AdamConfig {
            rate: self.training.lr,
            decay: self.training.decay,
            decay_kind: self.training.decay_kind,
            ..AdamConfig::default()
        };
        let run = RunConfig {
            model,
            spec: self.spec.motif.spec(),
            laplacian: LaplacianConfig {
                form: self.spec.laplacian,
                normalization: self.spec.normalization,
                lambda_max: self.spec.lambda_max,
            },
            features: FeatureConfig {
                max_columns: self.network.max_features as usize,
                scale: !self.network.no_scale,
                ..FeatureConfig::default()
            },
            train: TrainConfig {
                adam,
                epochs: self.training.epochs as usize,
                patience: self.training.patience as usize,
                class_weights: self.training.class_weights,
                seed: self.seed,
                memory_limit: self
                    .training
                    .memory_limit
                    .map(|limit| limit.saturating_mul(1_000_000)),
            },
        };
        Ok(TrainCommand {
            dataset: self.dataset,
            split: self.split,
            seed: self.seed,
            n_repeats: self.repeat as usize,
            out: self.out,
            run,
        })
    }
}

impl TrainCommand {
    pub(crate) fn run(&self, session: &Session) -> Result<TrainReport, Failure> {
        // First of all, so that a wrong name does not cost a long run.
        let mut folder = self.out.as_deref().map(RunFolder::create).transpose()?;
        let mut watch = Watch::start();
        let dataset = read_dataset(&self.dataset, session.progress()).map_err(Failure::run)?;
        dataset.notes.iter().for_each(|note| session.note(note));
        let rule = self.rule(&dataset)?;
        // Splits are drawn before any work: one that is not there is told at once.
        let splits =
            (0..self.n_repeats).map(|number| rule.split(&dataset.labels, number, self.seed));
        let splits = splits.collect::<Result<Vec<_>, _>>().map_err(Failure::run)?;
        let cache = folder.as_ref().map(RunFolder::path);
        let prepared = PreparedRun::new(&dataset, &self.run, cache, session.progress())?;
        for step in &prepared.features().steps {
            session.remark(&format!("features: {step}"));
        }
        prepared.operators().notes.iter().for_each(|note| session.remark(note));

        let mut report = TrainReport::new(&dataset, &self.run, rule, self.seed);
        watch.prepared();
        for (number, split) in splits.iter().enumerate() {
            let seed = self.seed.wrapping_add(number as u64);
            let repeat = (number + 1, self.n_repeats);
            let mut observer = watch.observer(repeat, self.run.train.epochs, session);
            let metrics = prepared.run(split, seed, &mut observer)?;
            let history = observer.finish();
            watch.repeated();
            report.add(split, seed, metrics, session, repeat);
            if let Some(folder) = &mut folder {
                folder.write(&report, &history, &watch)?;
            }
        }
        report.folder = folder.map(|folder| folder.path().display().to_string());
        Ok(report)
    }

    fn rule(&self, dataset: &NodeDataset) -> Result<SplitRule, Failure> {
        let own = || dataset.split.clone();
        let chosen = self.split.map(SplitRule::Fractions).or_else(own);
        chosen.ok_or_else(|| {
            let message = anyhow::anyhow!("the data set {} has no split of its own", dataset.name);
            Failure::run(message).hint("pass one, as --split 10/10/10 or --split 60/20/20")
        })
    }
}
