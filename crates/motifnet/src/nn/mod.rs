//! Layers, networks, and one optimisation step.
//!
//! A network is described by a [`NetworkConfig`], laid out as one flat vector of numbers by a
//! [`Layout`], and bound by a [`Pass`] to the rows that a loss sees. All of it is generic in the
//! number type: `f32` to train, `f64` for the gradient checks.

mod activation;
mod adam;
mod attention;
mod basis_conv;
mod cayley_conv;
mod cayley_polynomial;
mod cheb_conv;
mod dense_layer;
mod dropout;
mod explain;
mod fixed_products;
mod gcn_conv;
mod graph_view;
mod label_propagation;
mod layer;
mod locality;
mod loss;
mod monet_conv;
mod motif_conv;
mod network;
mod network_config;
#[cfg(test)]
mod oracle;
mod parameters;
mod pass;
mod philox;
mod polynomial_conv;
mod propagator;
#[cfg(test)]
mod properties;
mod receptive_field;
mod spectral_conv;
mod spline;
mod term;
mod theta;

pub use activation::Activation;
pub use adam::{Adam, AdamConfig, Decay};
pub use attention::{
    FeatureAttention, OperatorAttention, TermShare, attention, feature_attention, term_shares,
};
pub use explain::{ExplainConfig, ExplainError, Explainer, GraphSplit, Neighbour, NodeExplanation};
pub use graph_view::GraphView;
pub use label_propagation::{LabelPropagation, propagate_labels};
pub(crate) use loss::largest;
pub use loss::{LossTarget, Scores};
pub use network::Network;
pub use network_config::{ConvKind, NetworkConfig, NetworkError};
pub use parameters::{Layout, TensorSpec};
pub use pass::{Pass, Purpose};
pub use propagator::Propagator;
pub use receptive_field::ReceptiveField;
pub use term::NoSplit;
