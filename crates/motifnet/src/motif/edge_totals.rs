//! What every edge carries of every motif: W on the pairs that are edges, and Q there.

use super::dyad::{Dyad, DyadWeights};
use super::edge_view::{OPPOSITE, TRIANGLE, WEDGE};
use super::kind::N_TRIADS;
use super::spec::{Instances, Support, Weights};
use super::{MotifEngine, MotifKind, MotifSpec, PatternEntry, Shape};

/// The sums over the instances of M1 to M13 that a pair of adjacent vertices takes part in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct EdgeTotals {
    /// Weight of all instances that contain the pair: the entry of the `edges` matrix.
    pub(super) instances: [f64; N_TRIADS],
    /// Of each wedge motif, the entry of Q = XᵀY (+ YᵀX): its two leaves are the pair, whether
    /// or not adjacent leaves make an instance.
    pub(super) opposite: [f64; N_TRIADS],
}

/// How the part of a motif's operator that lives on the edges is made of [`EdgeTotals`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EdgeRecipe {
    kind: MotifKind,
    spec: MotifSpec,
    is_pair: bool,
    /// The triad whose totals are taken, by number.
    triad: usize,
    /// How often its instances, and its Q, are taken.
    instances: f64,
    opposite: f64,
}

impl EdgeRecipe {
    pub(super) fn new(kind: MotifKind, spec: &MotifSpec) -> Self {
        // With pairs support the products of a wedge are multiplied out over all pairs, so what
        // they add on the edges is taken off there.
        let taken_off = if has_products(kind, spec) { 1.0 } else { 0.0 };
        let (triad, instances, opposite) = match kind.shape() {
            Shape::Triangle | Shape::Wedge(..) => (kind as usize, 1.0, -taken_off),
            Shape::Leaves(_) => {
                let adjacent_leaves = f64::from(spec.instances == Instances::Subgraph);
                (leaves_of(kind) as usize, 0.0, adjacent_leaves - taken_off)
            }
            Shape::Pair => (0, 0.0, 0.0),
        };
        let is_pair = kind.shape() == Shape::Pair;
        Self { kind, spec: *spec, is_pair, triad, instances, opposite }
    }

    /// Q itself, of the wedge of `kind`.
    pub(super) fn opposite(kind: MotifKind, spec: &MotifSpec) -> Self {
        let triad = leaves_of(kind) as usize;
        Self { kind, spec: *spec, is_pair: false, triad, instances: 0.0, opposite: 1.0 }
    }

    /// The value on an edge.
    pub(super) fn value(&self, totals: &EdgeTotals, dyad: &DyadWeights) -> f64 {
        if self.is_pair {
            return dyad.pair_value(self.kind, &self.spec);
        }
        let value = self.instances * totals.instances[self.triad]
            + self.opposite * totals.opposite[self.triad];
        if self.spec.weights == Weights::Scaled { value * dyad.sum() } else { value }
    }
}

/// The wedge motif whose two leaves `Mcoll` and `Mexpa` join.
fn leaves_of(kind: MotifKind) -> MotifKind {
    match kind {
        MotifKind::Colliders => MotifKind::M10,
        MotifKind::Expanders => MotifKind::M8,
        other => other,
    }
}

/// Whether the matrix has entries off the edges, and so factored products.
pub(super) fn has_products(kind: MotifKind, spec: &MotifSpec) -> bool {
    spec.support == Support::Pairs
        && spec.weights != Weights::Scaled
        && matches!(kind.shape(), Shape::Wedge(..) | Shape::Leaves(_))
}

impl MotifEngine<'_> {
    /// The totals of an edge when every instance weighs one, from the triangle pass.
    pub(super) fn count_totals(
        &self,
        node: usize,
        entry: PatternEntry,
        instances: Instances,
    ) -> EdgeTotals {
        let view = self.view(node, entry);
        let [counts, opposite] =
            [view.counts(), view.opposite()].map(|counts| instances.counts(&counts));
        // Counts are far below 2⁶³, and signed integers convert in one instruction.
        let totals = |counts: [u64; N_TRIADS]| counts.map(|count| count as i64 as f64);
        EdgeTotals { instances: totals(counts), opposite: totals(opposite) }
    }
}

/// Adds up the weights of the instances on one edge, common neighbour by common neighbour.
pub(super) struct WeightedTotals<'a> {
    spec: &'a MotifSpec,
    /// The edge, seen from each end.
    here: Dyad,
    there: Dyad,
    totals: EdgeTotals,
    /// Weight and number of the wedges centred at each end, with the other end as a leaf and the
    /// second leaf of each relation, that the common neighbours make up.
    adjacent_leaves: [[WedgeSum; 9]; 2],
}

#[derive(Clone, Copy, Default)]
struct WedgeSum {
    weight: f64,
    count: u64,
}

impl WeightedTotals<'_> {
    pub(super) fn new(spec: &MotifSpec, here: Dyad) -> WeightedTotals<'_> {
        WeightedTotals {
            spec,
            here,
            there: here.reversed(),
            totals: EdgeTotals::default(),
            adjacent_leaves: [[WedgeSum::default(); 9]; 2],
        }
    }

    /// A common neighbour, as each end of the edge sees it.
    pub(super) fn add(&mut self, here_third: Dyad, there_third: Dyad) {
        let weigh = |dyads: &[&DyadWeights]| DyadWeights::weigh(dyads, self.spec.weights);
        let instances = self.spec.instances;
        for (a, first) in here_third.parts(instances) {
            for (b, second) in there_third.parts(instances) {
                for (r, edge) in self.here.parts(instances) {
                    let class = &TRIANGLE[r as usize][3 * a as usize + b as usize];
                    self.totals.instances[class.motif as usize] += weigh(&[edge, first, second]);
                }
                let wedge = OPPOSITE[3 * a as usize + b as usize];
                self.totals.opposite[wedge as usize] += weigh(&[first, second]);
            }
        }
        for (end, edge, third) in [(0, &self.here, &here_third), (1, &self.there, &there_third)] {
            for (x, first) in edge.parts(instances) {
                for (y, second) in third.parts(instances) {
                    let sum = &mut self.adjacent_leaves[end][3 * x as usize + y as usize];
                    sum.weight += weigh(&[first, second]);
                    sum.count += 1;
                }
            }
        }
    }

    /// The totals, given what each end has of neighbours.
    pub(super) fn finish(mut self, around_here: &Around, around_there: &Around) -> EdgeTotals {
        let instances = self.spec.instances;
        if instances == Instances::Subgraph {
            for (total, opposite) in self.totals.instances.iter_mut().zip(self.totals.opposite) {
                *total += opposite;
            }
        }
        for (end, edge, around) in [(0, &self.here, around_here), (1, &self.there, around_there)] {
            for (x, first) in edge.parts(instances) {
                for (y, relation) in super::Relation::ALL.into_iter().enumerate() {
                    let own = edge.parts(instances).find(|(view, _)| *view == relation);
                    let mut rest = around.wedges(first, y, self.spec.weights);
                    if let Some((_, own)) = own {
                        rest.weight -= DyadWeights::weigh(&[first, own], self.spec.weights);
                        rest.count -= 1;
                    }
                    if instances == Instances::Induced {
                        let adjacent = self.adjacent_leaves[end][3 * x as usize + y];
                        rest.weight -= adjacent.weight;
                        rest.count -= adjacent.count;
                    }
                    // Where no wedge is left the difference of sums is rounding alone.
                    if rest.count > 0 {
                        let class = &WEDGE[x as usize][y];
                        self.totals.instances[class.motif as usize] += rest.weight;
                    }
                }
            }
        }
        self.totals
    }
}

/// The neighbours of a node by relation: how many, and the sums of their weights.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    count: [u64; 3],
    sum: [f64; 3],
    product: [f64; 3],
}

impl Around {
    pub(super) fn add(&mut self, dyad: &Dyad, instances: Instances) {
        for (view, weights) in dyad.parts(instances) {
            self.count[view as usize] += 1;
            self.sum[view as usize] += weights.sum();
            self.product[view as usize] += weights.product();
        }
    }

    /// All wedges of a leaf `first` with a second leaf of relation number `second`.
    fn wedges(&self, first: &DyadWeights, second: usize, weights: Weights) -> WedgeSum {
        let count = self.count[second];
        let weight = match weights {
            Weights::Product => first.product() * self.product[second],
            Weights::Mean => {
                let n_arcs = first.n_arcs() + super::Relation::ALL[second].n_arcs();
                (first.sum() * count as f64 + self.sum[second]) / n_arcs as f64
            }
            Weights::Count | Weights::Scaled => count as f64,
        };
        WedgeSum { weight, count }
    }
}
