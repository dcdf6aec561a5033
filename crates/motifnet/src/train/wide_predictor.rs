//! A trained model that tells why.

use super::predictor::Predictor;
use crate::memory::{MemoryError, Need};
use crate::nn::{ExplainConfig, ExplainError, Explainer, GraphView, NodeExplanation, Purpose};
use crate::progress::Progress;
use crate::sparse::{CsrMatrix, OperatorParts};
use crate::spectral::Eigenbasis;

/// A trained model on a graph in 64 bits, so that the parts of a logit add up.
pub struct WidePredictor<'a> {
    predictor: &'a Predictor<'a>,
    operators: Vec<OperatorParts<f64>>,
    eigenbasis: Option<Eigenbasis<f64>>,
    features: Vec<f64>,
    parameters: Vec<f64>,
}

impl<'a> WidePredictor<'a> {
    pub(super) fn new(predictor: &'a Predictor<'a>) -> Result<Self, MemoryError> {
        let set = predictor.operators();
        need(predictor).check()?;
        let wide =
            |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>();
        Ok(Self {
            predictor,
            operators: set.parts.iter().map(OperatorParts::to_f64).collect(),
            eigenbasis: set.eigenbasis.as_ref().map(Eigenbasis::to_f64),
            features: wide(&predictor.features().values),
            parameters: wide(&predictor.model().parameters),
        })
    }

    /// Splits the logit of `class` at `node` among the operators and the neighbours.
    ///
    /// # Errors
    /// If there is no such node or class, the logit is not a number, or it does not fit in memory.
    pub fn explain(
        &self,
        node: u32,
        class: usize,
        config: &ExplainConfig,
        progress: &dyn Progress,
    ) -> Result<NodeExplanation, ExplainError> {
        let network = &self.predictor.model().network;
        let view = GraphView {
            operators: self.operators.iter().collect(),
            eigenbasis: self.eigenbasis.as_ref(),
        };
        let explainer = Explainer::new(network, &view, &self.features, &self.parameters)?;
        if (node as usize) < explainer.n_nodes() {
            let field = network.field(&[node], &view, explainer.n_nodes());
            let n_bytes = network.pass_bytes(&field, &view, Purpose::Training);
            Need { what: "explaining a node", n_bytes, remedy: REMEDY }.check()?;
        }
        explainer.explain(node, class, config, progress)
    }
}

const REMEDY: &str = "take a smaller graph or a narrower model";

/// Everything anew, of numbers twice as long.
fn need(predictor: &Predictor<'_>) -> Need {
    let set = predictor.operators();
    let matrices =
        set.parts.iter().flat_map(|parts| parts.products.iter().flatten().chain([&parts.direct]));
    let of_operators: usize = matrices.map(CsrMatrix::n_bytes).sum();
    let of_basis = set.eigenbasis.as_ref().map_or(0, |basis| basis.n_nodes() * basis.len());
    let n_numbers = predictor.features().values.len() + predictor.model().parameters.len();
    let n_bytes = 2 * of_operators + size_of::<f64>() * (n_numbers + of_basis);
    Need { what: "a model in 64 bits", n_bytes: n_bytes as u64, remedy: REMEDY }
}
