//! What the weights of a network say of its operators.

use super::term::Term;
use super::{ConvKind, Network};

/// How much of the attention one operator has, at one place of a MotifNet-m.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct OperatorAttention {
    /// The layer, as `conv1`.
    pub layer: String,
    /// The head, from 1 on.
    pub head: usize,
    /// The order, from 1 on: the how-manieth product.
    pub order: usize,
    /// The operator, from 0 on.
    pub operator: usize,
    /// The mean of α over the features; over the operators these sum to one.
    pub mean: f64,
    /// The standard deviation of α over the features.
    pub deviation: f64,
}

/// The attention of every feature to every operator, at one place of a MotifNet-m.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureAttention {
    /// The layer, as `conv1`.
    pub layer: String,
    /// The head, from 1 on.
    pub head: usize,
    /// The order, from 1 on: the how-manieth product.
    pub order: usize,
    /// α: operators × features; over the operators those of a feature sum to one.
    pub alpha: Vec<Vec<f64>>,
}

/// The attention of every feature at every layer, head and order, in that order; nothing for networks
/// other than MotifNet-m.
///
/// # Panics
/// If there are fewer parameters than the network has.
pub fn feature_attention(network: &Network, parameters: &[f64]) -> Vec<FeatureAttention> {
    let ConvKind::Motif { order, heads } = network.config().conv else { return Vec::new() };
    let mut places = Vec::new();
    for (at, conv) in network.layers().iter().enumerate() {
        let Some(conv) = conv.motif() else { continue };
        for (head, j) in (0..heads).flat_map(|head| (1..=order).map(move |j| (head, j))) {
            let alpha = conv.alpha(parameters, head, j);
            let alpha = alpha.as_rows().iter().map(<[f64]>::to_vec).collect();
            places.push(FeatureAttention {
                layer: layer_name(at),
                head: head + 1,
                order: j,
                alpha,
            });
        }
    }
    places
}

/// The attention of every layer, head, order and operator, in that order; nothing for networks other
/// than MotifNet-m.
///
/// # Panics
/// If there are fewer parameters than the network has.
pub fn attention(network: &Network, parameters: &[f64]) -> Vec<OperatorAttention> {
    let places = feature_attention(network, parameters).into_iter();
    let rows = places.flat_map(|FeatureAttention { layer, head, order, alpha }| {
        alpha.into_iter().enumerate().map(move |(operator, alpha)| {
            let n = alpha.len() as f64;
            let mean = alpha.iter().sum::<f64>() / n;
            let squares: f64 = alpha.iter().map(|alpha| (alpha - mean).powi(2)).sum();
            let deviation = (squares / n).sqrt();
            OperatorAttention { layer: layer.clone(), head, order, operator, mean, deviation }
        })
    });
    rows.collect()
}

/// How large the weights of one term of a full polynomial are.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct TermShare {
    /// The layer, as `conv1`.
    pub layer: String,
    /// The operators, from 0 on, in the order in which they are multiplied with; none for X itself.
    pub operators: Vec<usize>,
    /// ‖Θ‖ / Σ ‖Θ‖ over the terms of the layer, by Frobenius norms.
    pub share: f64,
}

/// The shares of all terms, layer by layer, each term before those that go on from it; nothing for
/// networks other than full polynomials.
///
/// It tells how much the network could make of a term, not what the term holds: a product that is
/// close to zero may have large weights.
///
/// # Panics
/// If there are fewer parameters than the network has.
pub fn term_shares(network: &Network, parameters: &[f64]) -> Vec<TermShare> {
    let ConvKind::Polynomial { .. } = network.config().conv else { return Vec::new() };
    let mut rows = Vec::new();
    for (at, layer) in network.layers()[..network.config().n_convs].iter().enumerate() {
        let Ok(term) = layer.polynomial(parameters, network.n_operators()) else { continue };
        let mut norms = Vec::new();
        add_norms(&term, &mut Vec::new(), &mut norms);
        let total: f64 = norms.iter().map(|(_, norm)| norm).sum();
        rows.extend(norms.into_iter().map(|(operators, norm)| TermShare {
            layer: layer_name(at),
            operators,
            share: if total > 0.0 { norm / total } else { 0.0 },
        }));
    }
    rows
}

fn add_norms(term: &Term<'_>, word: &mut Vec<usize>, norms: &mut Vec<(Vec<usize>, f64)>) {
    let squares = term.theta.iter().flat_map(|theta| theta.iter()).map(|value| value * value);
    norms.push((word.clone(), squares.sum::<f64>().sqrt()));
    for branch in &term.branches {
        word.push(branch.operators.start);
        add_norms(&branch.term, word, norms);
        word.pop();
    }
}

fn layer_name(at: usize) -> String {
    format!("conv{}", at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nn::NetworkConfig;

    fn network(conv: ConvKind) -> Network {
        let config = NetworkConfig { width: 5, ..NetworkConfig::paper(conv) };
        Network::new(&config, 4, 3, 2).unwrap()
    }

    #[test]
    fn attention_has_the_mean_and_the_spread_of_the_softmax() {
        let network = network(ConvKind::Motif { order: 2, heads: 2 });
        let mut parameters = vec![0.0; network.layout().n_parameters()];
        // Head 1, order 2, operator 0 of the first layer: α = ¾ and ¼ by turns.
        let scores = network.layout().tensor("conv1.scores").unwrap().range();
        for (at, score) in parameters[scores][8..12].iter_mut().enumerate() {
            *score = if at % 2 == 0 { 3.0f64.ln() } else { -3.0f64.ln() };
        }
        let rows = attention(&network, &parameters);
        assert_eq!(rows.len(), 2 * 2 * 2 * 2);
        for row in rows {
            let is_moved = (row.layer.as_str(), row.head, row.order) == ("conv1", 1, 2);
            let deviation = if is_moved { 0.25 } else { 0.0 };
            assert!((row.mean - 0.5).abs() < 1e-12, "{row:?}");
            assert!((row.deviation - deviation).abs() < 1e-12, "{row:?}");
        }
    }

    #[test]
    fn terms_have_shares_of_the_norm() {
        let network = network(ConvKind::Polynomial { order: 2 });
        let mut parameters = vec![0.0; network.layout().n_parameters()];
        let theta = network.layout().tensor("conv2.theta").unwrap().range();
        // Terms 2 and 5 of: none, 0, 00, 01, 1, 10, 11.
        parameters[theta.start + 2 * 25] = 3.0;
        parameters[theta.start + 5 * 25] = -1.0;
        let rows = term_shares(&network, &parameters);
        assert_eq!(rows.len(), 14);
        let large: Vec<_> = rows.iter().filter(|row| row.share > 0.0).collect();
        let word = |at: usize| (large[at].layer.as_str(), large[at].operators.as_slice());
        assert_eq!([word(0), word(1)], [("conv2", &[0, 0][..]), ("conv2", &[1, 0][..])]);
        assert_eq!([large[0].share, large[1].share], [0.75, 0.25]);
    }

    #[test]
    fn other_networks_have_neither() {
        let network = Network::new(&NetworkConfig::paper(ConvKind::Gcn), 4, 3, 1).unwrap();
        let parameters = vec![0.0; network.layout().n_parameters()];
        assert!(attention(&network, &parameters).is_empty());
        assert!(term_shares(&network, &parameters).is_empty());
    }
}
