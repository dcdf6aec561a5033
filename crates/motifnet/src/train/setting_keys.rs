//! The settings of a run: their keys, their flags and what they mean.

use super::setting_bounds::SettingBounds;
use super::{ClassWeights, ModelKind};
use crate::data::Isolated;
use crate::motif::{Instances, Support, Weights};
use crate::nn::{Activation, Decay};
use crate::spectral::{LambdaMax, LaplacianForm, Normalization};

/// A setting: configuration files, flags and help are made of this table.
#[derive(Clone, Copy, Debug)]
pub struct SettingKey {
    /// Its table and its name, as `train.lr`.
    pub path: &'static str,
    /// The flag that sets it, without dashes; that of a switch which is on begins with `no-`.
    pub flag: Option<&'static str>,
    /// What its value is called; a switch has none.
    pub value: Option<&'static str>,
    /// What it means.
    pub about: &'static str,
    /// The words that it takes, if it takes but some.
    pub choices: &'static [&'static str],
    /// What it could be, for one that has no default.
    pub example: Option<&'static str>,
    /// What it may be, beyond its type.
    pub bounds: SettingBounds,
}

impl SettingKey {
    /// The table that it stands in.
    pub fn table(&self) -> &'static str {
        self.path.split_once('.').map_or("", |(table, _)| table)
    }

    /// Its name in that table.
    pub fn name(&self) -> &'static str {
        self.path.split_once('.').map_or(self.path, |(_, name)| name)
    }

    const fn choices(self, choices: &'static [&'static str]) -> Self {
        Self { choices, ..self }
    }

    const fn bounds(self, bounds: SettingBounds) -> Self {
        Self { bounds, ..self }
    }

    const fn whole(self, least: i64, most: i64) -> Self {
        self.bounds(SettingBounds::Whole(least, most))
    }

    const fn unset(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }
}

const fn valued(
    path: &'static str,
    flag: &'static str,
    value: &'static str,
    about: &'static str,
) -> SettingKey {
    SettingKey {
        path,
        flag: Some(flag),
        value: Some(value),
        about,
        choices: &[],
        example: None,
        bounds: SettingBounds::Any,
    }
}

const fn switch(path: &'static str, flag: &'static str, about: &'static str) -> SettingKey {
    SettingKey {
        path,
        flag: Some(flag),
        value: None,
        about,
        choices: &[],
        example: None,
        bounds: SettingBounds::Any,
    }
}

/// The tables, in the order of the flow of data, and what they are about.
pub const SETTING_TABLES: [(&str, &str); 6] = [
    ("data", "What is learnt from; the names of files are relative to this one"),
    ("features", "What is done with the features, in this order"),
    ("model", "The model and its shape"),
    ("operators", "The matrices that it works on"),
    ("train", "How it is trained"),
    ("run", "How often, and what is kept"),
];

/// All settings, table by table.
#[rustfmt::skip]
pub const SETTING_KEYS: [SettingKey; 54] = [
    SettingKey { path: "data.dataset", flag: None, value: Some("PATH"), about: "A folder with a dataset.toml, one .npz archive, or the name of a known data set", choices: &[], example: None, bounds: SettingBounds::Any }.unset("\"cora-ml\""),
    valued("data.name", "name", "NAME", "What the data set is called").unset("\"payments\""),
    valued("data.arcs", "arcs", "FILE", "The arcs, in any format of a graph").unset("\"arcs.csv\""),
    valued("data.source", "source", "COLUMN", "The column where arcs start: its name, or its place from 1").unset("\"from\""),
    valued("data.target", "target", "COLUMN", "The column where arcs end").unset("\"to\""),
    valued("data.weight", "weight", "COLUMN", "The column with the weights of arcs, or none").unset("\"amount\""),
    valued("data.features", "features", "FILE", "A table or an array with a row for every node (FILE, FILE#PART), or one-hot, degrees, motifs, roles").unset("\"features.csv\""),
    valued("data.labels", "labels", "FILE", "The classes of the nodes: FILE or FILE#COLUMN").unset("\"labels.csv#class\""),
    valued("data.names", "names", "FILE", "All nodes there are, with arcs or without: FILE or FILE#COLUMN").unset("\"nodes.csv#id\""),
    valued("data.split", "split", "SPLIT", "Which nodes are for training, validation and test: 60/20/20, stratified 60/20/20, 20 per class, masks, FILE#COLUMN, FILE#TIME 60/20/20").unset("\"60/20/20\"").bounds(SettingBounds::Split),
    switch("data.undirected", "undirected", "Add the reverse of every arc").unset("true"),
    valued("data.isolated", "isolated", "HOW", "What becomes of nodes with features or labels but no arcs").choices(&Isolated::NAMES).unset("\"keep\""),
    valued("data.max_decompressed", "max-decompressed", "MB", "The most that may come out of a compressed file, in megabytes [default: 64000]").whole(1, 1_000_000_000_000).unset("64000"),
    switch("features.tf_idf", "tf-idf", "Weigh columns by how rare they are, as words of texts"),
    switch("features.normalize_rows", "normalize-rows", "Divide every row of features by its sum"),
    switch("features.standardize", "standardize", "Bring every column of features to mean 0 and standard deviation 1"),
    valued("features.max_columns", "max-features", "N", "More columns of features than this are reduced to as many by PCA").whole(1, 100_000),
    switch("features.scale", "no-scale", "Bring all features to standard deviation 1, by one factor"),
    valued("model.name", "model", "MODEL", "The model").choices(&ModelKind::NAMES),
    valued("model.order", "order", "P", "The order of its polynomials: how far a layer sees").whole(0, 100),
    valued("model.motifs", "motifs", "MOTIFS", "The operators of motifnet-m and polynomial: motifs, U, in, out; or all; or auto, to find out"),
    valued("model.heads", "heads", "H", "The number of attentions of motifnet-m; 1 is the paper's").whole(1, 1000),
    valued("model.operator", "operator", "OPERATOR", "The one operator of all other models: U, out, in or a motif"),
    valued("model.convs", "convs", "N", "Number of convolutions").whole(0, 100),
    valued("model.dense", "dense", "N", "Number of dense layers after them").whole(0, 100),
    valued("model.width", "width", "N", "Features between the layers").whole(1, 100_000),
    valued("model.activation", "activation", "WHICH", "Between the layers").choices(&Activation::NAMES),
    valued("model.dropout", "dropout", "RATE", "Share of entries dropped from the input of every layer: one number, or one for each layer").bounds(SettingBounds::Share),
    valued("model.max_terms", "max-terms", "N", "The most terms that a full polynomial may have").whole(1, 1_000_000),
    valued("model.jacobi", "jacobi", "N", "Jacobi iterations of cayley").whole(1, 10_000),
    valued("model.eigenvectors", "eigenvectors", "K", "Eigenvectors that spectral and spline compute in").whole(1, 100_000),
    valued("model.coefficients", "coefficients", "Q", "B-splines of a filter of spline").whole(1, 10_000),
    valued("model.kernels", "kernels", "M", "Gaussians of monet").whole(1, 1000),
    valued("operators.support", "support", "WHICH", "Which pairs of nodes an instance of a motif counts for: all three, or those with an arc").choices(&Support::NAMES),
    valued("operators.instances", "instances", "WHICH", "What an instance is: exactly the arcs of the motif, or those and any others").choices(&Instances::NAMES),
    valued("operators.weights", "weights", "HOW", "What an instance weighs").choices(&Weights::NAMES),
    valued("operators.laplacian", "laplacian", "FORM", "Which Laplacian the model works on: I − N, or 2(I − N)/λ − I").choices(&LaplacianForm::NAMES),
    valued("operators.normalization", "normalization", "HOW", "How the adjacency is normalised to N: D^-½WD^-½, or D⁻¹W").choices(&Normalization::NAMES),
    valued("operators.lambda_max", "lambda-max", "WHICH", "λ of the rescaled Laplacian: 2, or its largest eigenvalue").choices(&LambdaMax::NAMES),
    valued("train.epochs", "epochs", "N", "The most epochs").whole(1, 1_000_000_000),
    valued("train.patience", "patience", "N", "Stop after so many epochs without a smaller validation loss").whole(1, 1_000_000_000),
    valued("train.lr", "lr", "RATE", "The learning rate").bounds(SettingBounds::Positive),
    valued("train.decay", "decay", "RATE", "The weight decay").bounds(SettingBounds::Between(0.0, 1e9)),
    valued("train.decay_kind", "decay-kind", "KIND", "Decay added to the gradient, or apart from it").choices(&Decay::NAMES),
    valued("train.beta1", "beta1", "RATE", "How slowly Adam's mean of the gradients changes").bounds(SettingBounds::Share),
    valued("train.beta2", "beta2", "RATE", "How slowly Adam's mean of their squares changes").bounds(SettingBounds::Share),
    valued("train.epsilon", "epsilon", "X", "Keeps Adam's quotient finite").bounds(SettingBounds::Positive),
    valued("train.class_weights", "class-weights", "HOW", "Whether all nodes count alike, or all classes").choices(&ClassWeights::NAMES),
    valued("train.seed", "seed", "S", "Where all draws come from: splits, first weights, dropout").whole(0, i64::MAX),
    SettingKey { path: "train.memory_limit", flag: None, value: Some("SIZE"), about: "The most memory to take for training: 500MB, 2GB, or a number of megabytes; --memory-limit bounds the whole command", choices: &[], example: None, bounds: SettingBounds::Any }.unset("\"8GB\""),
    valued("run.repeat", "repeat", "N", "Train on so many splits, one after the other").whole(1, 10_000),
    valued("run.first_split", "first-split", "N", "The number of the first of them, from 0").whole(0, 1_000_000_000),
    valued("run.checkpoint_seconds", "checkpoint-seconds", "S", "Keep a checkpoint every so many seconds").bounds(SettingBounds::Between(0.0, 1e9)),
    switch("run.tensorboard", "tensorboard", "Write TensorBoard's event files as well"),
];
