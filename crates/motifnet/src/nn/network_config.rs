//! The shape of a network, and what makes none.

use super::Activation;
use super::monet_conv::MOST_COORDINATES;
use super::polynomial_conv::n_terms;

/// What the convolutions of a network are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum ConvKind {
    /// MotifNet-m: attention over the operators at every order.
    Motif {
        /// p.
        order: usize,
        /// H; 1 is the paper's.
        heads: usize,
    },
    /// All products of up to p operators; on {in, out} MotifNet-d.
    Polynomial {
        /// p.
        order: usize,
    },
    /// Chebyshev polynomials of one operator.
    Chebyshev {
        /// p.
        order: usize,
    },
    /// One product with one operator.
    Gcn,
    /// Rational functions of one symmetric operator, N of the plain Laplacian I − N.
    Cayley {
        /// r.
        order: usize,
        /// Jacobi iterations in place of an inverse.
        iterations: usize,
    },
    /// A filter of its own for every eigenvector.
    Spectral {
        /// k.
        eigenvectors: usize,
    },
    /// Filters that are splines of the eigenvalue.
    Spline {
        /// k.
        eigenvectors: usize,
        /// q: how many B-splines.
        coefficients: usize,
    },
    /// Gaussians of pseudo-coordinates, each coordinate an operator.
    Monet {
        /// M.
        kernels: usize,
    },
    /// None: the layer is dense and sees no graph.
    Dense,
}

impl ConvKind {
    /// How many products with an operator lie between output and input.
    pub fn n_hops(self) -> usize {
        match self {
            Self::Motif { order, .. } | Self::Polynomial { order } | Self::Chebyshev { order } => {
                order
            }
            Self::Cayley { order, iterations } => order * (iterations + 1),
            Self::Gcn | Self::Spectral { .. } | Self::Spline { .. } | Self::Monet { .. } => 1,
            Self::Dense => 0,
        }
    }

    /// How many eigenvectors it computes in.
    pub fn n_eigenvectors(self) -> Option<usize> {
        match self {
            Self::Spectral { eigenvectors } | Self::Spline { eigenvectors, .. } => {
                Some(eigenvectors)
            }
            _ => None,
        }
    }
}

/// The shape of a network.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NetworkConfig {
    /// What the convolutions are.
    pub conv: ConvKind,
    /// How many convolutions.
    pub n_convs: usize,
    /// How many dense layers after them, the last of which gives the classes.
    pub n_dense: usize,
    /// Features between the layers.
    pub width: usize,
    /// Between the layers.
    pub activation: Activation,
    /// The share of entries dropped from the input of every layer: one number for all, or one each.
    pub dropout: Vec<f64>,
    /// The most terms that a full polynomial may have.
    pub most_terms: usize,
}

impl NetworkConfig {
    /// The paper's network with these convolutions.
    pub fn paper(conv: ConvKind) -> Self {
        Self {
            conv,
            n_convs: 2,
            n_dense: 2,
            width: 130,
            activation: Activation::Relu,
            dropout: vec![0.5],
            most_terms: 1023,
        }
    }
}

/// A network that cannot be.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum NetworkError {
    /// The polynomial has too many terms.
    #[error(
        "the full polynomial of order {order} in {n_operators} operators has {} terms, more than the \
         limit of {limit}; lower the order, take fewer operators, use motifnet-m, whose terms grow \
         with the order alone, or raise the limit",
        n_terms.map_or("more than 2⁶⁴".to_owned(), |n| n.to_string())
    )]
    TooManyTerms {
        /// The order.
        order: usize,
        /// Number of operators.
        n_operators: usize,
        /// Number of terms, if it can be counted.
        n_terms: Option<usize>,
        /// The limit.
        limit: usize,
    },
    /// The wrong number of operators.
    #[error("{conv} takes {wanted}, and got {found}")]
    Operators {
        /// The kind of convolution.
        conv: &'static str,
        /// What it takes.
        wanted: &'static str,
        /// How many there were.
        found: usize,
    },
    /// A number that makes no sense.
    #[error("{name} is {value}; {remedy}")]
    Number {
        /// What it is.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        remedy: &'static str,
    },
    /// As many dropout rates as there are layers, or one.
    #[error("there are {found} dropout rates for {n_layers} layers; give one for all, or one each")]
    DropoutRates {
        /// How many there were.
        found: usize,
        /// How many layers there are.
        n_layers: usize,
    },
}

/// Refuses what makes no network.
pub(super) fn check(
    config: &NetworkConfig,
    n_features: usize,
    n_classes: usize,
    n_operators: usize,
) -> Result<(), NetworkError> {
    let number = |name, value: String, remedy| Err(NetworkError::Number { name, value, remedy });
    let operators =
        |conv, wanted| Err(NetworkError::Operators { conv, wanted, found: n_operators });
    match config.conv {
        ConvKind::Motif { heads: 0, .. } => {
            return number("the number of heads", "0".to_owned(), "take 1, as the paper, or more");
        }
        ConvKind::Motif { .. } if n_operators == 0 => {
            return operators("motifnet-m", "at least one operator");
        }
        ConvKind::Polynomial { order } => {
            if n_operators == 0 {
                return operators("the full polynomial", "at least one operator");
            }
            let (n_terms, limit) = (n_terms(n_operators, order), config.most_terms);
            if n_terms.is_none_or(|n_terms| n_terms > limit) {
                return Err(NetworkError::TooManyTerms { order, n_operators, n_terms, limit });
            }
        }
        ConvKind::Chebyshev { .. } if n_operators != 1 => {
            return operators("chebnet", "one operator");
        }
        ConvKind::Gcn if n_operators != 1 => return operators("gcn", "one operator"),
        ConvKind::Cayley { .. } if n_operators != 1 => return operators("cayley", "one operator"),
        ConvKind::Monet { .. } if !(1..=MOST_COORDINATES).contains(&n_operators) => {
            return operators("monet", "one to four coordinates");
        }
        ConvKind::Monet { kernels: 0 } => {
            return number("the number of kernels", "0".to_owned(), "take at least one");
        }
        ConvKind::Spectral { eigenvectors: 0 } | ConvKind::Spline { eigenvectors: 0, .. } => {
            return number("the number of eigenvectors", "0".to_owned(), "take at least one");
        }
        ConvKind::Spline { coefficients: 0, .. } => {
            return number(
                "the number of spline coefficients",
                "0".to_owned(),
                "take at least one",
            );
        }
        _ => {}
    }
    let n_layers = config.n_convs + config.n_dense;
    for (name, value, least) in [
        ("the number of layers", n_layers, 1),
        ("the width", config.width, 1),
        ("the number of features", n_features, 1),
        ("the number of classes", n_classes, 1),
    ] {
        if value < least {
            return number(name, value.to_string(), "it must be at least 1");
        }
    }
    if ![1, n_layers].contains(&config.dropout.len()) {
        let found = config.dropout.len();
        return Err(NetworkError::DropoutRates { found, n_layers });
    }
    for &rate in &config.dropout {
        if !(0.0..1.0).contains(&rate) {
            return number("a dropout rate", rate.to_string(), "it must be at least 0 and below 1");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::Network;

    #[test]
    fn what_makes_no_network_is_refused() {
        let paper = NetworkConfig::paper;
        let cheb = || paper(ConvKind::Chebyshev { order: 1 });
        for (config, n_operators, expected) in [
            (
                paper(ConvKind::Polynomial { order: 4 }),
                6,
                "the full polynomial of order 4 in 6 operators has 1555 terms, more than the limit of \
                 1023; lower the order, take fewer operators, use motifnet-m, whose terms grow with \
                 the order alone, or raise the limit",
            ),
            (
                paper(ConvKind::Motif { order: 1, heads: 0 }),
                6,
                "the number of heads is 0; take 1, as the paper, or more",
            ),
            (cheb(), 2, "chebnet takes one operator, and got 2"),
            (
                NetworkConfig { dropout: vec![1.0], ..cheb() },
                1,
                "a dropout rate is 1; it must be at least 0 and below 1",
            ),
            (
                NetworkConfig { dropout: vec![0.5, 0.5], ..cheb() },
                1,
                "there are 2 dropout rates for 4 layers; give one for all, or one each",
            ),
        ] {
            let error = Network::new(&config, 130, 70, n_operators).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
