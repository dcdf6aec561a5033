//! The three choices that make a motif matrix: support, instances, weights.

use crate::choice::words;

/// Which pairs of vertices an instance counts for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Support {
    /// All three pairs of an instance, adjacent or not (Benson et al. 2016).
    #[default]
    Pairs,
    /// Only pairs with an arc between them.
    Edges,
}

/// What an instance is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Instances {
    /// Three vertices whose arcs are exactly those of the motif.
    #[default]
    Induced,
    /// The arcs of the motif, whatever other arcs there are among its vertices.
    Subgraph,
}

/// What an instance weighs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weights {
    /// One; arc weights are ignored.
    #[default]
    Count,
    /// The mean of its arcs' weights.
    Mean,
    /// The product of its arcs' weights.
    Product,
    /// One, but every entry is multiplied by w_ij + w_ji, so it is zero where there is no arc
    /// (Monti et al. 2018).
    Scaled,
}

/// The three choices together.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct MotifSpec {
    /// Which pairs an instance counts for.
    pub support: Support,
    /// What an instance is.
    pub instances: Instances,
    /// What an instance weighs.
    pub weights: Weights,
}

words!(Support, "support", Pairs = "pairs", Edges = "edges");
words!(Instances, "instances", Induced = "induced", Subgraph = "subgraph");
words!(Weights, "weights", Count = "count", Mean = "mean", Product = "product", Scaled = "scaled");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_word_is_answered_with_the_right_ones() {
        let message = "sum".parse::<Weights>().unwrap_err().to_string();
        assert_eq!(
            message,
            "\"sum\" is not a choice of `weights`; the choices are count, mean, product, scaled"
        );
    }
}
