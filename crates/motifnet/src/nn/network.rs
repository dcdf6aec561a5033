//! The paper's network: convolutions, then dense layers, each with dropout on its input.

use std::ops::Range;

use super::basis_conv::BasisConv;
use super::cayley_conv::CayleyConv;
use super::cheb_conv::Chebyshev;
use super::dense_layer::DenseLayer;
use super::gcn_conv::Smoothed;
use super::graph_view::CutGraph;
use super::layer::{Layer, Widths};
use super::monet_conv::MonetConv;
use super::motif_conv::MotifConv;
use super::network_config::check;
use super::parameters::{Initial, Layout};
use super::polynomial_conv::{Products, n_terms};
use super::spectral_conv::SpectralConv;
use super::term::{NoSplit, Term};
use super::{
    ConvKind, GraphView, NetworkConfig, NetworkError, Propagator, Purpose, ReceptiveField,
};
use super::{cheb_conv, gcn_conv, polynomial_conv};
use crate::dense::{Block, Real};

/// A network with its parameters laid out.
#[derive(Clone, Debug)]
pub struct Network {
    config: NetworkConfig,
    n_operators: usize,
    layout: Layout,
    layers: Vec<LayerSpec>,
}

/// One layer of a network.
#[derive(Clone, Debug)]
pub(super) struct LayerSpec {
    pub(super) widths: Widths,
    pub(super) bias: Range<usize>,
    pub(super) dropout: f64,
    /// How many hops it looks back.
    pub(super) n_hops: usize,
    kind: LayerKind,
}

#[derive(Clone, Debug)]
enum LayerKind {
    Motif(MotifConv),
    Basis(BasisConv, BasisKind),
    Cayley(CayleyConv),
    Spectral(SpectralConv),
    Monet(MonetConv),
    Dense(DenseLayer),
}

/// The bases that have no parameters of their own.
#[derive(Clone, Copy, Debug)]
enum BasisKind {
    Products { order: usize },
    Chebyshev { order: usize },
    Smoothed,
}

impl Network {
    /// Lays out the network of `config` for `n_features` inputs and `n_classes` outputs.
    ///
    /// # Errors
    /// If the numbers make no network.
    pub fn new(
        config: &NetworkConfig,
        n_features: usize,
        n_classes: usize,
        n_operators: usize,
    ) -> Result<Self, NetworkError> {
        check(config, n_features, n_classes, n_operators)?;
        let n_layers = config.n_convs + config.n_dense;
        let mut layout = Layout::default();
        let mut layers = Vec::with_capacity(n_layers);
        let mut input = n_features;
        for at in 0..n_layers {
            let output = if at + 1 == n_layers { n_classes } else { config.width };
            let widths = Widths { input, output };
            let (name, conv) = if at < config.n_convs {
                (format!("conv{}", at + 1), config.conv)
            } else {
                (format!("dense{}", at + 1 - config.n_convs), ConvKind::Dense)
            };
            let kind = LayerKind::new(&name, conv, n_operators, widths, &mut layout);
            let bias = layout.add(format!("{name}.bias"), &[output], Initial::Zero);
            let dropout = config.dropout[at.min(config.dropout.len() - 1)];
            layers.push(LayerSpec { widths, bias, dropout, n_hops: conv.n_hops(), kind });
            input = output;
        }
        Ok(Self { config: config.clone(), n_operators, layout, layers })
    }

    /// Its shape.
    pub fn config(&self) -> &NetworkConfig {
        &self.config
    }

    /// Its parameters.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many products with an operator lie between output and input.
    pub fn n_hops(&self) -> usize {
        self.layers.iter().map(|layer| layer.n_hops).sum()
    }

    /// Number of features that it takes.
    pub fn n_features(&self) -> usize {
        self.layers[0].widths.input
    }

    /// Number of operators that it is given.
    pub fn n_operators(&self) -> usize {
        self.n_operators
    }

    /// Number of classes that it tells apart.
    pub fn n_classes(&self) -> usize {
        self.layers[self.layers.len() - 1].widths.output
    }

    /// The nodes that the outputs of `targets` depend on.
    ///
    /// # Panics
    /// If a target is not a node, or is named twice.
    pub fn field<T>(
        &self,
        targets: &[u32],
        graph: &GraphView<'_, T>,
        n_nodes: usize,
    ) -> ReceptiveField {
        match self.config.conv.n_eigenvectors() {
            Some(_) => ReceptiveField::of_all(targets, self.n_hops(), n_nodes),
            None => ReceptiveField::new(targets, self.n_hops(), &graph.operators, n_nodes),
        }
    }

    /// About how many bytes a [`Pass`](super::Pass) on `field` takes.
    pub fn pass_bytes<T: Real>(
        &self,
        field: &ReceptiveField,
        graph: &GraphView<'_, T>,
        purpose: Purpose,
    ) -> u64 {
        let training = purpose == Purpose::Training;
        let block = |n_rows, width| Block::<T>::n_bytes(n_rows, width);
        let twice = if training { 2 } else { 1 };
        let mut n_bytes = twice * block(field.nodes().len(), self.n_features());
        let mut hops = self.n_hops();
        for layer in &self.layers {
            let outer = hops;
            hops -= layer.n_hops;
            // What lies between input and output: one matrix an order, for training kept by every
            // head, with gradients.
            let between: usize = (hops..outer).map(|hop| field.size(hop)).sum();
            let copies = match &layer.kind {
                LayerKind::Motif(conv) if training => conv.n_heads() + 2,
                _ if training => 2,
                _ => 1,
            };
            n_bytes += match &layer.kind {
                LayerKind::Cayley(conv) => conv.n_bytes::<T>(field, hops, training),
                LayerKind::Spectral(conv) => conv.n_bytes::<T>(),
                LayerKind::Monet(conv) => conv.n_bytes(&graph.operators, field.size(hops)),
                _ => copies * block(between, layer.widths.input),
            };
            n_bytes += twice * block(field.size(hops), layer.widths.output);
        }
        let operators = graph.operators.iter().map(|parts| Propagator::bytes_of(parts));
        let vectors = graph.eigenbasis.map_or(0, |basis| block(field.nodes().len(), basis.len()));
        (n_bytes + vectors + operators.sum::<usize>()) as u64
    }

    pub(super) fn layers(&self) -> &[LayerSpec] {
        &self.layers
    }
}

impl LayerKind {
    fn new(
        name: &str,
        conv: ConvKind,
        n_operators: usize,
        widths: Widths,
        layout: &mut Layout,
    ) -> Self {
        let basis = |kind, n_terms, layout: &mut Layout| {
            Self::Basis(BasisConv::new(name, n_terms, widths, layout), kind)
        };
        match conv {
            ConvKind::Motif { order, heads } => {
                Self::Motif(MotifConv::new(name, [order, heads, n_operators], widths, layout))
            }
            ConvKind::Polynomial { order } => {
                let n_terms = n_terms(n_operators, order).expect("a checked number of terms");
                basis(BasisKind::Products { order }, n_terms, layout)
            }
            ConvKind::Chebyshev { order } => {
                basis(BasisKind::Chebyshev { order }, order + 1, layout)
            }
            ConvKind::Gcn => basis(BasisKind::Smoothed, 1, layout),
            ConvKind::Cayley { order, iterations } => {
                Self::Cayley(CayleyConv::new(name, [order, iterations], widths, layout))
            }
            ConvKind::Spectral { eigenvectors } => {
                Self::Spectral(SpectralConv::new(name, eigenvectors, None, widths, layout))
            }
            ConvKind::Spline { eigenvectors, coefficients } => {
                let n_splines = Some(coefficients);
                Self::Spectral(SpectralConv::new(name, eigenvectors, n_splines, widths, layout))
            }
            ConvKind::Monet { kernels } => {
                Self::Monet(MonetConv::new(name, [kernels, n_operators], widths, layout))
            }
            ConvKind::Dense => Self::Dense(DenseLayer::new(name, widths, layout)),
        }
    }
}

impl LayerSpec {
    /// MotifNet-m, if the layer is that.
    pub(super) fn motif(&self) -> Option<&MotifConv> {
        match &self.kind {
            LayerKind::Motif(conv) => Some(conv),
            _ => None,
        }
    }

    /// The layer as a polynomial of `n_operators` operators.
    pub(super) fn polynomial<'a>(
        &self,
        parameters: &'a [f64],
        n_operators: usize,
    ) -> Result<Term<'a>, NoSplit> {
        let width = self.widths.input;
        Ok(match &self.kind {
            LayerKind::Motif(conv) => conv.polynomial(parameters),
            LayerKind::Cayley(conv) => conv.polynomial(parameters),
            LayerKind::Spectral(_) => return Err(NoSplit::Eigenvectors),
            LayerKind::Monet(_) => return Err(NoSplit::Coordinates),
            LayerKind::Dense(dense) => Term::leaf(dense.theta(parameters)),
            LayerKind::Basis(conv, kind) => {
                let mut thetas = conv.thetas(parameters);
                match *kind {
                    BasisKind::Products { order } => {
                        polynomial_conv::tree(&mut thetas, n_operators, order, width)
                    }
                    BasisKind::Chebyshev { order } => {
                        let coefficients = cheb_conv::coefficients(order);
                        Term::of_polynomials(thetas, &coefficients, order, width)
                    }
                    BasisKind::Smoothed => gcn_conv::polynomial(thetas, width),
                }
            }
        })
    }

    /// The layer with its output `hops` hops from the loss.
    pub(super) fn bind<T: Real>(
        &self,
        graph: &CutGraph<T>,
        hops: usize,
        input_is_fixed: bool,
        training: bool,
    ) -> Box<dyn Layer<T>> {
        let shared = graph.propagator.clone();
        let n_rows = shared.size(hops);
        let width = self.widths.input;
        match &self.kind {
            LayerKind::Motif(conv) => Box::new(conv.bind(shared, hops, input_is_fixed, training)),
            LayerKind::Cayley(conv) => Box::new(conv.bind(shared, hops, input_is_fixed, training)),
            LayerKind::Spectral(conv) => {
                let basis = graph.eigenbasis.clone().expect("eigenvectors for a spectral network");
                Box::new(conv.bind(basis, n_rows, input_is_fixed))
            }
            LayerKind::Monet(conv) => Box::new(conv.bind(&shared, hops)),
            LayerKind::Dense(dense) => Box::new(dense.bind(n_rows)),
            LayerKind::Basis(conv, kind) => match *kind {
                BasisKind::Products { order } => {
                    let basis = Products::new(shared, order, hops, width);
                    Box::new(conv.bind(basis, n_rows, input_is_fixed))
                }
                BasisKind::Chebyshev { order } => {
                    let basis = Chebyshev::new(shared, order, hops, width);
                    Box::new(conv.bind(basis, n_rows, input_is_fixed))
                }
                BasisKind::Smoothed => {
                    let basis = Smoothed::new(shared, hops, width);
                    Box::new(conv.bind(basis, n_rows, input_is_fixed))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n_parameters(conv: ConvKind, n_operators: usize) -> usize {
        let config = NetworkConfig { most_terms: 1023, ..NetworkConfig::paper(conv) };
        let network = Network::new(&config, 130, 70, n_operators).unwrap();
        network.layout().n_parameters()
    }

    /// Monti, Otness, Bronstein 2018, in thousands: order, ChebNet, MotifNet-m (K = 6), MotifNet-d.
    const TABLE: [[usize; 4]; 8] = [
        [1, 94, 95, 128],
        [2, 128, 131, 263],
        [3, 162, 166, 534],
        [4, 196, 202, 1_074],
        [5, 229, 237, 2_156],
        [6, 263, 272, 4_319],
        [7, 297, 308, 8_646],
        [8, 331, 343, 17_298],
    ];

    #[test]
    fn every_cell_of_the_papers_parameter_table() {
        for [order, cheb, motif, directed] in TABLE {
            for (found, paper, n_terms, n_scores) in [
                (n_parameters(ConvKind::Chebyshev { order }, 1), cheb, order + 1, 0),
                (
                    n_parameters(ConvKind::Motif { order, heads: 1 }, 6),
                    motif,
                    order + 1,
                    260 * 6 * order,
                ),
                (n_parameters(ConvKind::Polynomial { order }, 2), directed, (2 << order) - 1, 0),
            ] {
                assert_eq!(found, 26_460 + 33_800 * n_terms + n_scores);
                assert!(
                    found.abs_diff(paper * 1000) <= 1000,
                    "order {order}: {found} and {paper}K"
                );
            }
        }
    }
}
