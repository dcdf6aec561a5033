//! The models that the paper compares, and ours beside them.

use crate::choice::words;
use crate::motif::MotifKind;
use crate::train::{CANDIDATES, DEFAULT_MOTIFS, ModelConfig, ModelKind, MotifChoice};

/// Heads of the MotifNet-m that has several.
pub const HEADS: usize = 4;

/// A model of the paper's evaluation, at any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Contestant {
    /// ChebNet on the graph without direction.
    ChebnetU,
    /// MotifNet-m with the six operators of the paper.
    MotifnetM,
    /// ChebNet along the arcs.
    ChebnetW,
    /// ChebNet against the arcs.
    ChebnetWt,
    /// MotifNet-d.
    MotifnetD,
    /// Ours: MotifNet-m with M10 as well, which the paper found relevant and left out for its density.
    WithM10,
    /// Ours: MotifNet-m with the operators that the selection found.
    Selected,
    /// Ours: MotifNet-m with several heads.
    Heads,
    /// MotifNet-m over all sixteen candidates, from which operators are selected.
    Candidates,
}

words!(
    Contestant,
    "contestant",
    ChebnetU = "chebnet-u",
    MotifnetM = "motifnet-m",
    ChebnetW = "chebnet-w",
    ChebnetWt = "chebnet-wt",
    MotifnetD = "motifnet-d",
    WithM10 = "motifnet-m-m10",
    Selected = "motifnet-m-selected",
    Heads = "motifnet-m-heads",
    Candidates = "motifnet-m-all",
);

impl Contestant {
    /// What it is called where people read.
    pub fn title(self) -> String {
        match self {
            Self::ChebnetU => "ChebNet U".to_owned(),
            Self::MotifnetM => "MotifNet-m".to_owned(),
            Self::ChebnetW => "ChebNet W".to_owned(),
            Self::ChebnetWt => "ChebNet Wᵀ".to_owned(),
            Self::MotifnetD => "MotifNet-d".to_owned(),
            Self::WithM10 => "MotifNet-m with M10".to_owned(),
            Self::Selected => "MotifNet-m, selected".to_owned(),
            Self::Heads => format!("MotifNet-m, {HEADS} heads"),
            Self::Candidates => "MotifNet-m, all operators".to_owned(),
        }
    }

    /// Whether the paper does not have it.
    pub fn is_ours(self) -> bool {
        matches!(self, Self::WithM10 | Self::Selected | Self::Heads)
    }

    /// The largest order that it is trained at: those of Fig. 5 go to 8, those of Fig. 6 to 5.
    pub fn largest_order(self) -> usize {
        match self {
            Self::ChebnetU | Self::MotifnetM => 8,
            Self::Candidates => 1,
            _ => 5,
        }
    }

    /// Its model at an order; `selected` are the operators of [`Contestant::Selected`].
    pub(super) fn model(
        self,
        order: usize,
        selected: &[MotifKind],
        base: &ModelConfig,
    ) -> ModelConfig {
        let of = |kind| ModelConfig { kind, order, heads: 1, ..base.clone() };
        let chebnet = |operator| ModelConfig { operator, ..of(ModelKind::Chebnet) };
        let motifnet = |motifs: &[MotifKind]| ModelConfig {
            motifs: MotifChoice::These(motifs.to_vec()),
            ..of(ModelKind::MotifnetM)
        };
        match self {
            Self::ChebnetU => chebnet(MotifKind::Undirected),
            Self::ChebnetW => chebnet(MotifKind::Out),
            Self::ChebnetWt => chebnet(MotifKind::In),
            Self::MotifnetD => of(ModelKind::MotifnetD),
            Self::MotifnetM => motifnet(&DEFAULT_MOTIFS),
            Self::WithM10 => motifnet(&[&DEFAULT_MOTIFS[..], &[MotifKind::M10]].concat()),
            Self::Selected => motifnet(selected),
            Self::Heads => ModelConfig { heads: HEADS, ..motifnet(&DEFAULT_MOTIFS) },
            Self::Candidates => motifnet(&CANDIDATES),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_are_those_of_the_paper() {
        let base = ModelConfig::paper(ModelKind::MotifnetM);
        let model = |contestant: Contestant| contestant.model(3, &[MotifKind::M5], &base);
        let n_operators =
            |contestant| (model(contestant).operators().len(), model(contestant).heads);
        assert_eq!(n_operators(Contestant::ChebnetU), (1, 1));
        assert_eq!(n_operators(Contestant::MotifnetM), (6, 1));
        assert_eq!(n_operators(Contestant::MotifnetD), (2, 1));
        assert_eq!(n_operators(Contestant::WithM10), (7, 1));
        assert_eq!(n_operators(Contestant::Selected), (1, 1));
        assert_eq!(n_operators(Contestant::Heads), (6, HEADS));
        assert_eq!(n_operators(Contestant::Candidates), (16, 1));
        assert_eq!(model(Contestant::ChebnetWt).operators(), [MotifKind::In]);
        assert!(Contestant::ALL.iter().all(|&contestant| model(contestant).order == 3));
    }
}
