//! The networks once more, by dense algebra on all rows, one plain step after the other.

use super::dropout::Dropout;
use super::spline::b_splines;
use super::{Activation, ConvKind, Network};
use crate::sparse::OperatorParts;

/// A dense matrix by rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dense {
    pub(super) n_columns: usize,
    pub(super) values: Vec<f64>,
}

impl Dense {
    pub(super) fn new(n_columns: usize, values: Vec<f64>) -> Self {
        Self { n_columns, values }
    }

    fn n_rows(&self) -> usize {
        self.values.len() / self.n_columns
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.n_columns + column]
    }

    fn times(&self, other: &Self) -> Self {
        let (n, m) = (self.n_rows(), other.n_columns);
        let entry = |at: usize| -> f64 {
            (0..self.n_columns).map(|l| self.at(at / m, l) * other.at(l, at % m)).sum()
        };
        Self::new(m, (0..n * m).map(entry).collect())
    }

    fn plus(mut self, other: &Self, factor: f64) -> Self {
        self.values.iter_mut().zip(&other.values).for_each(|(a, b)| *a += factor * b);
        self
    }

    fn scaled_columns(mut self, factors: &[f64]) -> Self {
        let n = self.n_columns;
        self.values.iter_mut().enumerate().for_each(|(at, value)| *value *= factors[at % n]);
        self
    }
}

/// An operator multiplied out.
pub(super) fn dense(parts: &OperatorParts<f64>) -> Dense {
    let n = parts.n_nodes();
    let of = |matrix: &crate::sparse::CsrMatrix<f64>| {
        let mut values = vec![0.0; n * n];
        for (row, column, value) in matrix.entries() {
            values[row * n + column as usize] = *value;
        }
        Dense::new(n, values)
    };
    let products = parts.products.iter().map(|[left, right]| of(left).times(&of(right)));
    products.fold(of(&parts.direct), |sum, product| sum.plus(&product, 1.0))
}

/// What the networks know of a graph, dense.
pub(super) struct DenseGraph {
    pub(super) operators: Vec<Dense>,
    /// Which entries of the first operator are stored.
    pub(super) places: Vec<bool>,
    pub(super) eigenvalues: Vec<f64>,
    pub(super) eigenvectors: Dense,
}

/// The outputs of `network` at every node; (seed, step) say what is dropped.
pub(super) fn outputs(
    network: &Network,
    graph: &DenseGraph,
    parameters: &[f64],
    features: &Dense,
    draw: Option<(u64, u64)>,
) -> Dense {
    let config = network.config();
    let n_layers = config.n_convs + config.n_dense;
    let tensor = |name: &str| {
        let found = network.layout().tensor(name);
        found.map(|tensor| &parameters[tensor.range()])
    };
    let mut h = features.clone();
    for at in 0..n_layers {
        let is_conv = at < config.n_convs;
        let name = match is_conv {
            true => format!("conv{}", at + 1),
            false => format!("dense{}", at + 1 - config.n_convs),
        };
        let rate = config.dropout[at.min(config.dropout.len() - 1)];
        if let (Some((seed, step)), true) = (draw, rate > 0.0) {
            drop_entries(&mut h, &Dropout::new(rate, seed, at, step));
        }
        let bias = tensor(&format!("{name}.bias")).unwrap();
        let weights =
            tensor(&format!("{name}.theta")).or(tensor(&format!("{name}.weight"))).unwrap();
        let n = h.n_columns * bias.len();
        let theta =
            |term: usize| Dense::new(bias.len(), weights[term * n..(term + 1) * n].to_vec());
        let part = |part: &str| tensor(&format!("{name}.{part}")).unwrap_or(&[]);
        let conv = if is_conv { config.conv } else { ConvKind::Dense };
        let zero = Dense::new(bias.len(), vec![0.0; h.n_rows() * bias.len()]);
        h = match conv {
            ConvKind::Spectral { .. } => graph.filtered(&h, bias.len(), |at, _| theta(at)),
            ConvKind::Spline { coefficients, .. } => graph.filtered(&h, bias.len(), |_, value| {
                let splines = b_splines(coefficients, 2.0, value).into_iter().enumerate();
                let zero = Dense::new(bias.len(), vec![0.0; n]);
                splines.fold(zero, |sum, (m, spline)| sum.plus(&theta(m), spline))
            }),
            _ => {
                let terms = basis(conv, graph, &h, &part);
                let terms = terms.iter().enumerate();
                terms.fold(zero, |sum, (term, block)| sum.plus(&block.times(&theta(term)), 1.0))
            }
        };
        for (at, value) in h.values.iter_mut().enumerate() {
            *value += bias[at % bias.len()];
        }
        if at + 1 < n_layers {
            h.values.iter_mut().for_each(|value| *value = activation(config.activation, *value));
        }
    }
    h
}

fn activation(kind: Activation, z: f64) -> f64 {
    match kind {
        Activation::Relu => z.max(0.0),
        Activation::Elu => z.max(z.min(0.0).exp_m1()),
        Activation::Tanh => z.tanh(),
    }
}

fn drop_entries(h: &mut Dense, dropout: &Dropout) {
    let width = h.n_columns;
    for (node, row) in h.values.chunks_exact_mut(width).enumerate() {
        dropout.for_row(node as u32, width, |start, kept| {
            for (value, &kept) in row[start..].iter_mut().zip(kept) {
                *value *= if kept { dropout.scale() } else { 0.0 };
            }
        });
    }
}

impl DenseGraph {
    /// Σ_l Φ diag(ĝ_{l l'}) Φᵀ x_l for every output l', where `filter` gives the ĝ of an eigenvalue.
    fn filtered(&self, x: &Dense, n_out: usize, filter: impl Fn(usize, f64) -> Dense) -> Dense {
        let (n, vectors) = (x.n_rows(), &self.eigenvectors);
        let mut y = Dense::new(n_out, vec![0.0; n * n_out]);
        for (at, &value) in self.eigenvalues.iter().enumerate() {
            let filter = filter(at, value);
            for l in 0..x.n_columns {
                let along: f64 = (0..n).map(|node| vectors.at(node, at) * x.at(node, l)).sum();
                for node in 0..n {
                    for to in 0..n_out {
                        y.values[node * n_out + to] +=
                            vectors.at(node, at) * along * filter.at(l, to);
                    }
                }
            }
        }
        y
    }
}

/// The matrices that the weights are multiplied with, in the order of the weights.
fn basis<'a>(
    conv: ConvKind,
    graph: &DenseGraph,
    x: &Dense,
    tensor: &impl Fn(&str) -> &'a [f64],
) -> Vec<Dense> {
    let operators = &graph.operators;
    match conv {
        ConvKind::Spectral { .. } | ConvKind::Spline { .. } => unreachable!("filtered elsewhere"),
        ConvKind::Dense => vec![x.clone()],
        ConvKind::Gcn => vec![operators[0].times(x)],
        ConvKind::Cayley { order, iterations } => {
            let h = tensor("zoom")[0].exp().ln_1p();
            let zero = Dense::new(x.n_columns, vec![0.0; x.values.len()]);
            let mut power = [x.clone(), zero];
            let mut terms = vec![x.clone()];
            for _ in 0..order {
                power = jacobi(&operators[0], h, iterations, &power);
                terms.extend(power.clone());
            }
            terms
        }
        ConvKind::Monet { kernels } => {
            (0..kernels).map(|m| gaussian_weights(graph, m, tensor).times(x)).collect()
        }
        ConvKind::Chebyshev { order } => {
            let mut terms = vec![x.clone()];
            for j in 1..=order {
                let product = operators[0].times(&terms[j - 1]);
                terms.push(match j {
                    1 => product,
                    _ => product.clone().plus(&product, 1.0).plus(&terms[j - 2], -1.0),
                });
            }
            terms
        }
        ConvKind::Polynomial { order } => words(operators, x, order),
        ConvKind::Motif { order, heads } => {
            let (n_operators, width) = (operators.len(), x.n_columns);
            let mut terms = vec![x.clone()];
            for head in 0..heads {
                let mut power = x.clone();
                for j in 0..order {
                    let score = |k: usize, f: usize| {
                        tensor("scores")[((head * order + j) * n_operators + k) * width + f].exp()
                    };
                    let alpha = |k: usize, f: usize| {
                        score(k, f) / (0..n_operators).map(|l| score(l, f)).sum::<f64>()
                    };
                    let zero = Dense::new(width, vec![0.0; x.values.len()]);
                    let weighted = |k: usize| {
                        let factors: Vec<f64> = (0..width).map(|f| alpha(k, f)).collect();
                        operators[k].times(&power).scaled_columns(&factors)
                    };
                    power = (0..n_operators).fold(zero, |sum, k| sum.plus(&weighted(k), 1.0));
                    terms.push(power.clone());
                }
            }
            terms
        }
    }
}

/// A term, then each of its children with all that is below it.
fn words(operators: &[Dense], term: &Dense, depth: usize) -> Vec<Dense> {
    let mut terms = vec![term.clone()];
    if depth > 0 {
        terms.extend(operators.iter().flat_map(|a| words(operators, &a.times(term), depth - 1)));
    }
    terms
}

/// Jacobi's iterations for (hΔ + iI) z = (hΔ − iI) x, as in a textbook, with Δ = I − N; the real and the
/// imaginary part.
pub(super) fn jacobi(n: &Dense, h: f64, iterations: usize, x: &[Dense; 2]) -> [Dense; 2] {
    // (a + ib)(x + iy).
    let times = |[a, b]: [f64; 2], [x, y]: &[Dense; 2]| {
        let zero = |like: &Dense| Dense::new(like.n_columns, vec![0.0; like.values.len()]);
        [zero(x).plus(x, a).plus(y, -b), zero(y).plus(y, a).plus(x, b)]
    };
    let plus = |[x, y]: [Dense; 2], [z, w]: &[Dense; 2]| [x.plus(z, 1.0), y.plus(w, 1.0)];
    let moved = |[x, y]: &[Dense; 2]| [n.times(x), n.times(y)];
    let right = plus(times([h, -1.0], x), &times([-h, 0.0], &moved(x)));
    let square = h * h + 1.0;
    let over_diagonal = [h / square, -1.0 / square];
    let mut z = times(over_diagonal, &right);
    for _ in 0..iterations {
        z = times(over_diagonal, &plus(times([h, 0.0], &moved(&z)), &right));
    }
    z
}

/// Ŵ_m by its definition.
fn gaussian_weights<'a>(
    graph: &DenseGraph,
    m: usize,
    tensor: &impl Fn(&str) -> &'a [f64],
) -> Dense {
    let n = graph.operators[0].n_columns;
    let n_coordinates = graph.operators.len();
    let mut values = vec![0.0; n * n];
    for i in 0..n {
        let neighbours: Vec<usize> = (0..n).filter(|j| graph.places[i * n + j]).collect();
        for &j in &neighbours {
            let mut exponent = 0.0;
            for d in 0..n_coordinates {
                let row = &tensor("projection")[d * n_coordinates..][..n_coordinates];
                let u = row.iter().zip(&graph.operators).map(|(v, of)| v * of.at(i, j));
                let u = (u.sum::<f64>() + tensor("offset")[d]).tanh();
                let at = m * n_coordinates + d;
                let apart = u - tensor("mean")[at];
                exponent -= 0.5 * apart * apart / (tensor("deviation")[at].powi(2) + 1e-6);
            }
            values[i * n + j] = exponent.exp() / neighbours.len() as f64;
        }
    }
    Dense::new(n, values)
}
