//! What a network knows of a graph.

use super::spectral_conv::CutEigenbasis;
use super::{Propagator, ReceptiveField};
use crate::dense::Real;
use crate::sparse::OperatorParts;
use crate::spectral::Eigenbasis;
use std::sync::Arc;

/// A graph as a network sees it: operators on its nodes, and, for networks that compute in them,
/// eigenvectors.
#[derive(Clone, Debug)]
pub struct GraphView<'a, T> {
    /// The operators, in the order of the network.
    pub operators: Vec<&'a OperatorParts<T>>,
    /// The eigenvectors.
    pub eigenbasis: Option<&'a Eigenbasis<T>>,
}

impl<'a, T> GraphView<'a, T> {
    /// Operators alone.
    pub fn of_operators(operators: &[&'a OperatorParts<T>]) -> Self {
        Self { operators: operators.to_vec(), eigenbasis: None }
    }
}

/// A graph cut to a receptive field, in its order.
pub(super) struct CutGraph<T> {
    pub(super) propagator: Arc<Propagator<T>>,
    pub(super) eigenbasis: Option<Arc<CutEigenbasis<T>>>,
}

impl<T: Real> CutGraph<T> {
    pub(super) fn new(graph: &GraphView<'_, T>, field: &ReceptiveField) -> Self {
        let basis =
            graph.eigenbasis.map(|basis| Arc::new(CutEigenbasis::new(basis, field.nodes())));
        Self { propagator: Arc::new(Propagator::new(&graph.operators, field)), eigenbasis: basis }
    }
}
