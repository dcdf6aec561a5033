//! The models by name.

use crate::choice::words;
use crate::motif::MotifKind;
use crate::nn::{Activation, ConvKind, NetworkConfig};

/// The operators of the paper's MotifNet-m.
pub const DEFAULT_MOTIFS: [MotifKind; 6] = [
    MotifKind::Undirected,
    MotifKind::In,
    MotifKind::Out,
    MotifKind::M5,
    MotifKind::M8,
    MotifKind::M9,
];

/// A model of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// Attention over motif operators.
    MotifnetM,
    /// All products of `in` and `out`.
    MotifnetD,
    /// All products of any operators.
    Polynomial,
    /// Chebyshev polynomials of one operator.
    Chebnet,
    /// One smoothing with one operator a layer.
    Gcn,
    /// No graph.
    Mlp,
    /// No features: labels spread along one operator.
    Labelprop,
}

words!(
    ModelKind,
    "model",
    MotifnetM = "motifnet-m",
    MotifnetD = "motifnet-d",
    Polynomial = "polynomial",
    Chebnet = "chebnet",
    Gcn = "gcn",
    Mlp = "mlp",
    Labelprop = "labelprop",
);

/// A model with its shape and the operators it works on.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelConfig {
    /// Which model.
    pub kind: ModelKind,
    /// p, where the model has an order.
    pub order: usize,
    /// H of MotifNet-m.
    pub heads: usize,
    /// The operators of MotifNet-m and of the full polynomial.
    pub motifs: Vec<MotifKind>,
    /// The one operator of the others.
    pub operator: MotifKind,
    /// How many convolutions.
    pub n_convs: usize,
    /// How many dense layers after them.
    pub n_dense: usize,
    /// Features between the layers.
    pub width: usize,
    /// Between the layers.
    pub activation: Activation,
    /// The share of entries dropped from the input of every layer: one number for all, or one each.
    pub dropout: Vec<f64>,
    /// The most terms of a full polynomial.
    pub most_terms: usize,
}

impl ModelConfig {
    /// The paper's network with this model's convolutions, at order 1.
    pub fn paper(kind: ModelKind) -> Self {
        let network = NetworkConfig::paper(ConvKind::Dense);
        Self {
            kind,
            order: 1,
            heads: 1,
            motifs: DEFAULT_MOTIFS.to_vec(),
            operator: MotifKind::Undirected,
            n_convs: network.n_convs,
            n_dense: network.n_dense,
            width: network.width,
            activation: network.activation,
            dropout: network.dropout,
            most_terms: network.most_terms,
        }
    }

    /// The operators that the model works on.
    pub fn operators(&self) -> Vec<MotifKind> {
        match self.kind {
            ModelKind::MotifnetM | ModelKind::Polynomial => self.motifs.clone(),
            ModelKind::MotifnetD => vec![MotifKind::In, MotifKind::Out],
            ModelKind::Chebnet | ModelKind::Gcn | ModelKind::Labelprop => vec![self.operator],
            ModelKind::Mlp => Vec::new(),
        }
    }

    /// The network, if the model is one: label propagation is none.
    pub fn network(&self) -> Option<NetworkConfig> {
        let order = self.order;
        let conv = match self.kind {
            ModelKind::MotifnetM => ConvKind::Motif { order, heads: self.heads },
            ModelKind::MotifnetD | ModelKind::Polynomial => ConvKind::Polynomial { order },
            ModelKind::Chebnet => ConvKind::Chebyshev { order },
            ModelKind::Gcn => ConvKind::Gcn,
            ModelKind::Mlp => ConvKind::Dense,
            ModelKind::Labelprop => return None,
        };
        Some(NetworkConfig {
            conv,
            n_convs: self.n_convs,
            n_dense: self.n_dense,
            width: self.width,
            activation: self.activation,
            dropout: self.dropout.clone(),
            most_terms: self.most_terms,
        })
    }
}
