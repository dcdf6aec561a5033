//! The words that choose what a motif matrix counts, the same as in the library.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use motifnet::motif::{Instances, MotifKind, MotifSpec, Support, Weights};

/// What an instance is.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct InstancesArg {
    /// What an instance of a motif is
    #[arg(
        long,
        value_name = "WHICH",
        default_value = Instances::default().name(),
        value_parser = instances_parser()
    )]
    pub(crate) instances: Instances,
}

/// What an instance weighs.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct WeightsArg {
    /// What an instance of a motif weighs
    #[arg(
        long,
        value_name = "HOW",
        default_value = Weights::default().name(),
        value_parser = weights_parser()
    )]
    pub(crate) weights: Weights,
}

/// Which pairs an instance counts for.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SupportArg {
    /// Which pairs of nodes an instance counts for
    #[arg(
        long,
        value_name = "WHICH",
        default_value = Support::default().name(),
        value_parser = support_parser()
    )]
    pub(crate) support: Support,
}

/// What the entries of a motif matrix count.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct MotifSpecArgs {
    #[command(flatten)]
    support: SupportArg,

    #[command(flatten)]
    instances: InstancesArg,

    #[command(flatten)]
    weights: WeightsArg,
}

impl MotifSpecArgs {
    pub(crate) fn spec(self) -> MotifSpec {
        MotifSpec {
            support: self.support.support,
            instances: self.instances.instances,
            weights: self.weights.weights,
        }
    }
}

fn instances_parser() -> impl TypedValueParser<Value = Instances> {
    PossibleValuesParser::new(Instances::ALL.iter().map(|&instances| {
        PossibleValue::new(instances.name()).help(match instances {
            Instances::Induced => "three nodes whose arcs are exactly those of the motif",
            Instances::Subgraph => "the arcs of the motif, whatever others there are among them",
        })
    }))
    .try_map(|word| word.parse::<Instances>())
}

fn weights_parser() -> impl TypedValueParser<Value = Weights> {
    PossibleValuesParser::new(Weights::ALL.iter().map(|&weights| {
        PossibleValue::new(weights.name()).help(match weights {
            Weights::Count => "one; arc weights are ignored",
            Weights::Mean => "the mean of its arcs' weights",
            Weights::Product => "the product of its arcs' weights",
            Weights::Scaled => "one, and every entry is multiplied by the weights of its own arcs",
        })
    }))
    .try_map(|word| word.parse::<Weights>())
}

fn support_parser() -> impl TypedValueParser<Value = Support> {
    PossibleValuesParser::new(Support::ALL.iter().map(|&support| {
        PossibleValue::new(support.name()).help(match support {
            Support::Pairs => "all three pairs of an instance, adjacent or not",
            Support::Edges => "only pairs with an arc between them",
        })
    }))
    .try_map(|word| word.parse::<Support>())
}

/// One word of `--motif`: a motif, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MotifWord {
    All,
    One(MotifKind),
}

impl std::str::FromStr for MotifWord {
    type Err = motifnet::motif::UnknownMotif;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        if word.trim().eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        word.parse().map(Self::One)
    }
}

/// The motifs that the words name, each once, in the order of their first mention.
pub(crate) fn motifs_of(words: &[MotifWord]) -> Vec<MotifKind> {
    let mut kinds = Vec::new();
    for &word in words {
        let named = match word {
            MotifWord::All => MotifKind::ALL.to_vec(),
            MotifWord::One(kind) => vec![kind],
        };
        for kind in named {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motifs_are_named_once() {
        let words = ["m5", "U", "M5"].map(|word| word.parse().unwrap());
        assert_eq!(motifs_of(&words), [MotifKind::M5, MotifKind::Undirected]);
        let all = ["M8", "ALL"].map(|word| word.parse().unwrap());
        assert_eq!(motifs_of(&all).len(), MotifKind::ALL.len());
    }
}
