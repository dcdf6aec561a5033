//! The models by name.

use super::motif_choice::MotifChoice;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// Rational functions of one symmetric operator.
    Cayley,
    /// A filter for every eigenvector of one symmetric operator.
    Spectral,
    /// Filters that are splines of its eigenvalues.
    Spline,
    /// Gaussians of the degrees of neighbours.
    Monet,
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
    Cayley = "cayley",
    Spectral = "spectral",
    Spline = "spline",
    Monet = "monet",
    Mlp = "mlp",
    Labelprop = "labelprop",
);

impl ModelKind {
    /// Whether it has an order.
    pub fn has_order(self) -> bool {
        matches!(
            self,
            Self::MotifnetM | Self::MotifnetD | Self::Polynomial | Self::Chebnet | Self::Cayley
        )
    }

    /// Whether it works on any operators.
    pub fn has_motifs(self) -> bool {
        matches!(self, Self::MotifnetM | Self::Polynomial)
    }

    /// Whether it works on one operator.
    pub fn has_one_operator(self) -> bool {
        !self.has_motifs() && !matches!(self, Self::MotifnetD | Self::Mlp)
    }

    /// Whether the Laplacian that it works on is for the user to choose: not where the method says which.
    pub fn has_laplacian(self) -> bool {
        matches!(self, Self::MotifnetM | Self::MotifnetD | Self::Polynomial | Self::Chebnet)
    }

    /// Whether the setting `key` of a network or its operators, as `model.order`, means anything to it.
    pub fn heeds(self, key: &str) -> bool {
        match key {
            "model.order" => self.has_order(),
            "model.heads" => self == Self::MotifnetM,
            "model.motifs" => self.has_motifs(),
            "model.operator" => self.has_one_operator(),
            "model.jacobi" => self == Self::Cayley,
            "model.eigenvectors" => self.has_eigenbasis(),
            "model.coefficients" => self == Self::Spline,
            "model.kernels" => self == Self::Monet,
            "model.max_terms" => matches!(self, Self::MotifnetD | Self::Polynomial),
            "operators.laplacian" | "operators.normalization" | "operators.lambda_max" => {
                self.has_laplacian()
            }
            "operators.support" | "operators.instances" | "operators.weights" => self != Self::Mlp,
            _ => true,
        }
    }

    /// Whether what it learns on one graph means anything on another: not what is learnt on the
    /// eigenvectors of one. A spline is a function of the eigenvalue, but the vectors are still those
    /// of the graph it was trained on.
    pub fn can_move(self) -> bool {
        !self.has_eigenbasis()
    }

    /// Whether it computes in eigenvectors.
    pub fn has_eigenbasis(self) -> bool {
        matches!(self, Self::Spectral | Self::Spline)
    }

    /// Whether its operator must be symmetric.
    pub fn needs_symmetry(self) -> bool {
        matches!(self, Self::Cayley | Self::Spectral | Self::Spline)
    }
}

/// A model with its shape and the operators it works on.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ModelConfig {
    /// Which model.
    #[serde(rename = "name")]
    pub kind: ModelKind,
    /// p, where the model has an order.
    pub order: usize,
    /// H of MotifNet-m.
    pub heads: usize,
    /// The operators of MotifNet-m and of the full polynomial.
    pub motifs: MotifChoice,
    /// The one operator of the others.
    pub operator: MotifKind,
    /// Jacobi iterations of CayleyNet.
    #[serde(rename = "jacobi")]
    pub iterations: usize,
    /// Eigenvectors of the spectral networks.
    pub eigenvectors: usize,
    /// B-splines of the spline network.
    pub coefficients: usize,
    /// Gaussians of MoNet.
    pub kernels: usize,
    /// How many convolutions.
    #[serde(rename = "convs")]
    pub n_convs: usize,
    /// How many dense layers after them.
    #[serde(rename = "dense")]
    pub n_dense: usize,
    /// Features between the layers.
    pub width: usize,
    /// Between the layers.
    pub activation: Activation,
    /// The share of entries dropped from the input of every layer: one number for all, or one each.
    #[serde(with = "super::dropout_rates")]
    pub dropout: Vec<f64>,
    /// The most terms of a full polynomial.
    #[serde(rename = "max_terms")]
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
            motifs: MotifChoice::These(DEFAULT_MOTIFS.to_vec()),
            operator: MotifKind::Undirected,
            iterations: 8,
            eigenvectors: 64,
            coefficients: 8,
            kernels: 4,
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
            ModelKind::MotifnetD => vec![MotifKind::In, MotifKind::Out],
            kind if kind.has_motifs() => self.motifs.kinds().to_vec(),
            kind if kind.has_one_operator() => vec![self.operator],
            _ => Vec::new(),
        }
    }

    /// How many matrices the network gets of them.
    pub(super) fn n_matrices(&self) -> usize {
        match self.kind {
            ModelKind::Spectral | ModelKind::Spline => 0,
            ModelKind::Monet => 2,
            _ => self.operators().len(),
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
            ModelKind::Cayley => ConvKind::Cayley { order, iterations: self.iterations },
            ModelKind::Spectral => ConvKind::Spectral { eigenvectors: self.eigenvectors },
            ModelKind::Spline => ConvKind::Spline {
                eigenvectors: self.eigenvectors,
                coefficients: self.coefficients,
            },
            ModelKind::Monet => ConvKind::Monet { kernels: self.kernels },
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
