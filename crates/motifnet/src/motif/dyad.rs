//! The arcs between two adjacent vertices and what they weigh.

use super::spec::{Instances, Weights};
use super::{MotifKind, MotifSpec, Relation};

/// Weights of the arcs of one relation: those of an arc, or of the two of a mutual pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DyadWeights {
    relation: Relation,
    sum: f64,
    product: f64,
}

impl DyadWeights {
    /// Of the arc to the other vertex and the arc back, where the relation has them.
    pub(super) fn new(relation: Relation, forward: f64, backward: f64) -> Self {
        let (sum, product) = match relation {
            Relation::Out => (forward, forward),
            Relation::In => (backward, backward),
            Relation::Both => (forward + backward, forward * backward),
        };
        Self { relation, sum, product }
    }

    pub(super) fn sum(&self) -> f64 {
        self.sum
    }

    pub(super) fn product(&self) -> f64 {
        self.product
    }

    pub(super) fn n_arcs(&self) -> usize {
        self.relation.n_arcs()
    }

    /// What an instance made of these pairs weighs.
    pub(super) fn weigh(dyads: &[&Self], weights: Weights) -> f64 {
        match weights {
            Weights::Product => dyads.iter().map(|dyad| dyad.product).product(),
            Weights::Mean => {
                let n_arcs: usize = dyads.iter().map(|dyad| dyad.n_arcs()).sum();
                dyads.iter().map(|dyad| dyad.sum).sum::<f64>() / n_arcs as f64
            }
            Weights::Count | Weights::Scaled => 1.0,
        }
    }

    /// The entry of `U`, `Ms` and `Md` for this pair.
    pub(super) fn pair_value(&self, kind: MotifKind, spec: &MotifSpec) -> f64 {
        let mutual = self.relation == Relation::Both;
        let n_instances = match (kind, spec.instances) {
            (MotifKind::Single, Instances::Induced) => usize::from(!mutual),
            (MotifKind::Single, Instances::Subgraph) => self.n_arcs(),
            (MotifKind::Double, _) => usize::from(mutual),
            _ => 1,
        };
        match (kind, spec.weights) {
            (_, Weights::Count) => n_instances as f64,
            (MotifKind::Undirected, _) => self.sum,
            (_, Weights::Scaled) => n_instances as f64 * self.sum,
            (MotifKind::Double, Weights::Mean) if mutual => self.sum / 2.0,
            (MotifKind::Double, Weights::Product) if mutual => self.product,
            (MotifKind::Single, _) if n_instances > 0 => self.sum,
            _ => 0.0,
        }
    }
}

/// A pair of adjacent vertices as the first sees the second, and what each way of taking it as
/// part of an instance weighs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dyad {
    whole: DyadWeights,
    forward: f64,
    backward: f64,
    /// A mutual pair taken as one arc or the other.
    singles: [DyadWeights; 2],
}

impl Dyad {
    pub(super) fn new(relation: Relation, forward: f64, backward: f64) -> Self {
        Self {
            whole: DyadWeights::new(relation, forward, backward),
            forward,
            backward,
            singles: [Relation::Out, Relation::In]
                .map(|single| DyadWeights::new(single, forward, backward)),
        }
    }

    pub(super) fn reversed(&self) -> Self {
        Self::new(self.whole.relation.reversed(), self.backward, self.forward)
    }

    pub(super) fn weights(&self) -> &DyadWeights {
        &self.whole
    }

    /// The relations that the pair can stand for in an instance: only its own in an induced one,
    /// also each single arc of a mutual pair in a subgraph.
    pub(super) fn parts(
        &self,
        instances: Instances,
    ) -> impl Iterator<Item = (Relation, &DyadWeights)> {
        let mutual = self.whole.relation == Relation::Both;
        let singles =
            if mutual && instances == Instances::Subgraph { &self.singles[..] } else { &[] };
        singles.iter().chain([&self.whole]).map(|weights| (weights.relation, weights))
    }
}
