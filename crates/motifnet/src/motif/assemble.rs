//! From the triangle pass to motif operators.

use std::collections::HashMap;
use std::sync::Arc;

use super::dyad::Dyad;
use super::edge_array::EdgeArray;
use super::edge_totals::{EdgeRecipe, EdgeTotals, has_products};
use super::factor::{Factor, Product, Valuation, row_dots};
use super::operator::{Factored, Form};
use super::spec::{Instances, Weights};
use super::weighted::{EntryWeights, WeightedEdges};
use super::{
    MotifEngine, MotifKind, MotifOperator, MotifSpec, PatternEntry, Relation, Representation, Shape,
};
use crate::sparse::CsrMatrix;

impl MotifEngine<'_> {
    /// The operator of one motif. To have several, [`MotifEngine::operators`] is faster.
    pub fn operator(&self, kind: MotifKind, spec: &MotifSpec) -> MotifOperator {
        let mut operators = self.operators(&[kind], spec, Representation::Auto);
        operators.pop().expect("one operator a motif")
    }

    /// The operators of several motifs, sharing what they have in common.
    ///
    /// Time and memory O(edges) a motif; under the weights `mean` and `product` also one walk
    /// over the common neighbours of every edge.
    pub fn operators(
        &self,
        kinds: &[MotifKind],
        spec: &MotifSpec,
        representation: Representation,
    ) -> Vec<MotifOperator> {
        let told = spec;
        let spec = &self.simplest(spec);
        let mut assembly = Assembly::new(self, spec);
        let on_edges: Vec<MotifKind> =
            kinds.iter().copied().filter(|kind| kind.is_symmetric()).collect();
        let mut values = assembly.edge_values(&on_edges).into_iter();
        let weights = self.graph().outgoing().weights().unwrap_or_default();
        let has_negative_weights =
            spec.weights != Weights::Count && weights.iter().any(|&weight| weight < 0.0);
        let forms = kinds.iter().map(|&kind| {
            let form = if kind.is_symmetric() {
                let (on_edges, opposite) = values.next().expect("values of every symmetric motif");
                choose(assembly.factored(kind, on_edges, opposite), representation)
            } else {
                assembly.arcs(kind)
            };
            MotifOperator::new(kind, *told, has_negative_weights, form)
        });
        forms.collect()
    }

    /// The spec that gives the same numbers with the least work: where no arc has a weight, all weigh 1, and so do their
    /// mean and their product.
    fn simplest(&self, spec: &MotifSpec) -> MotifSpec {
        match spec.weights {
            Weights::Mean | Weights::Product if !self.graph().is_weighted() => {
                MotifSpec { weights: Weights::Count, ..*spec }
            }
            _ => *spec,
        }
    }
}

/// Explicit if that visits at most a quarter of the entries: it then takes less memory too, and an
/// entry that is zero costs a factored operator next to nothing.
fn choose(factored: Factored, representation: Representation) -> Form {
    let explicit = match representation {
        Representation::Explicit => true,
        Representation::Factored => false,
        Representation::Auto => {
            let budget = factored.cost() as u128 / 4;
            let entries = 2 * factored.on_edges.n_not_zero() as u128;
            let terms = || factored.products.iter().map(Product::n_terms).sum::<u128>();
            entries <= budget && entries + terms() <= budget
        }
    };
    if explicit {
        Form::Explicit { matrix: factored.to_csr(), transpose: None }
    } else {
        Form::Factored(factored)
    }
}

/// What the operators of one spec share.
struct Assembly<'a> {
    engine: &'a MotifEngine<'a>,
    spec: &'a MotifSpec,
    /// Where the arcs' weights matter.
    weights: Option<EntryWeights>,
    factors: HashMap<(Relation, Valuation), Arc<Factor>>,
}

/// The part of one motif on the edges, and Q there where it has to be kept.
type EdgeValues = (EdgeArray, Option<EdgeArray>);

impl<'a> Assembly<'a> {
    fn new(engine: &'a MotifEngine<'_>, spec: &'a MotifSpec) -> Self {
        let weights = (spec.weights != Weights::Count)
            .then(|| EntryWeights::new(engine.graph(), engine.pattern()));
        Self { engine, spec, weights, factors: HashMap::new() }
    }

    /// Whether instances have weights of their own, so that triangles must be walked again.
    fn weighs_instances(&self) -> bool {
        matches!(self.spec.weights, Weights::Mean | Weights::Product)
    }

    fn edge_values(&self, kinds: &[MotifKind]) -> Vec<EdgeValues> {
        let engine = self.engine;
        match (&self.weights, self.weighs_instances()) {
            (Some(weights), true) => {
                let edges = WeightedEdges::new(engine, weights, self.spec);
                self.fill(kinds, |node, entry| edges.totals(node, entry))
            }
            _ => {
                let instances = self.spec.instances;
                self.fill(kinds, |node, entry| engine.count_totals(node, entry, instances))
            }
        }
    }

    fn fill(
        &self,
        kinds: &[MotifKind],
        totals: impl Fn(usize, PatternEntry) -> EdgeTotals + Sync,
    ) -> Vec<EdgeValues> {
        let pattern = self.engine.pattern();
        let keeps_opposite =
            |kind: MotifKind| self.weighs_instances() && has_products(kind, self.spec);
        let kept = kinds.iter().filter(|&&kind| keeps_opposite(kind));
        let recipes: Vec<EdgeRecipe> = kinds
            .iter()
            .map(|&kind| EdgeRecipe::new(kind, self.spec))
            .chain(kept.map(|&kind| EdgeRecipe::opposite(kind, self.spec)))
            .collect();
        let counts = self.spec.weights == Weights::Count;
        let arrays = EdgeArray::fill(pattern, recipes.len(), counts, |node, entry, values| {
            let totals = totals(node, entry);
            let dyad = match &self.weights {
                Some(weights) => weights.dyad(pattern, entry.position),
                None => Dyad::new(entry.relation, 1.0, 1.0),
            };
            for (value, recipe) in values.iter_mut().zip(&recipes) {
                *value = recipe.value(&totals, dyad.weights());
            }
        });
        let mut arrays = arrays.into_iter();
        let on_edges: Vec<EdgeArray> = arrays.by_ref().take(kinds.len()).collect();
        let with_opposite = on_edges.into_iter().zip(kinds).map(|(on_edges, &kind)| {
            let opposite = if keeps_opposite(kind) { arrays.next() } else { None };
            (on_edges, opposite)
        });
        with_opposite.collect()
    }

    fn factored(
        &mut self,
        kind: MotifKind,
        on_edges: EdgeArray,
        opposite: Option<EdgeArray>,
    ) -> Factored {
        let (products, diagonal) = self.products(kind);
        let pattern = Arc::clone(self.engine.pattern());
        Factored { pattern, on_edges, opposite, products, diagonal }
    }

    /// The terms of Q and its diagonal.
    fn products(&mut self, kind: MotifKind) -> (Vec<Product>, Vec<f64>) {
        let (x, y) = match kind.shape() {
            Shape::Wedge(x, y) => (x, y),
            Shape::Leaves(x) => (x, x),
            Shape::Triangle | Shape::Pair => return (Vec::new(), Vec::new()),
        };
        if !has_products(kind, self.spec) {
            return (Vec::new(), Vec::new());
        }
        use Valuation::{One, Sum};
        let (valuations, scale): (&[_], f64) = match self.spec.weights {
            Weights::Mean => (&[(Sum, One), (One, Sum)], 1.0 / (x.n_arcs() + y.n_arcs()) as f64),
            Weights::Product => (&[(Valuation::Product, Valuation::Product)], 1.0),
            Weights::Count | Weights::Scaled => (&[(One, One)], 1.0),
        };
        let orders = if x == y { vec![(x, y)] } else { vec![(x, y), (y, x)] };
        let mut products = Vec::new();
        let mut diagonal = vec![0.0; self.engine.pattern().n_nodes()];
        for (x, y) in orders {
            for &(of_x, of_y) in valuations {
                let left = self.factor(x.reversed(), of_x);
                let right = self.factor(y, of_y);
                // Induced, a pair has one relation only: leaves seen differently are different.
                if x == y || self.spec.instances == Instances::Subgraph {
                    let back = self.factor(y.reversed(), of_y);
                    for (sum, dot) in diagonal.iter_mut().zip(row_dots(&left, &back)) {
                        *sum += scale * dot;
                    }
                }
                products.push(Product { left, right, scale });
            }
        }
        (products, diagonal)
    }

    fn factor(&mut self, relation: Relation, valuation: Valuation) -> Arc<Factor> {
        let (pattern, instances) = (self.engine.pattern(), self.spec.instances);
        let weights = self.weights.as_ref().filter(|_| valuation != Valuation::One);
        let new = || Factor::new(pattern, relation, instances, valuation, weights);
        Arc::clone(self.factors.entry((relation, valuation)).or_insert_with(|| Arc::new(new())))
    }

    /// `out` and `in`: the arcs themselves.
    fn arcs(&self, kind: MotifKind) -> Form {
        let graph = self.engine.graph();
        let matrix = |adjacency: &crate::graph::Adjacency| {
            let values = match (self.spec.weights, adjacency.weights()) {
                (Weights::Count, _) | (_, None) => vec![1.0; adjacency.neighbors().len()],
                (_, Some(weights)) => weights.iter().copied().map(f64::from).collect(),
            };
            let columns = adjacency.neighbors().to_vec();
            CsrMatrix::new(graph.n_nodes(), adjacency.offsets().to_vec(), columns, values)
        };
        let (outgoing, incoming) = (matrix(graph.outgoing()), matrix(graph.incoming()));
        let (matrix, transpose) =
            if kind == MotifKind::Out { (outgoing, incoming) } else { (incoming, outgoing) };
        Form::Explicit { matrix, transpose: Some(transpose) }
    }
}
