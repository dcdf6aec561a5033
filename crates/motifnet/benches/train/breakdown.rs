//! What an epoch is made of: its kernels, called once more on the same sizes and timed apart.

use std::hint::black_box;
use std::iter::repeat_n;
use std::time::Instant;

use motifnet::dense::{
    Block, Rows, RowsMut, Update, multiply, multiply_by_transpose, multiply_transposed,
};
use motifnet::nn::{ConvKind, Pass, Propagator, ReceptiveField};
use motifnet::sparse::OperatorParts;
use serde::Serialize;
use serde_json::{Value, json};

use crate::milliseconds;
use crate::problem::{Problem, random};

const ROUNDS: usize = 5;

/// The kernels of one sort in an epoch.
#[derive(Serialize)]
pub(crate) struct Part {
    name: &'static str,
    calls: usize,
    ms: f64,
    /// 10⁹ multiplications and additions.
    gflop: f64,
    /// 10⁹ bytes of rows that sweeps gather.
    gathered_gb: f64,
}

/// One call of a kernel; a hop of the receptive field, or the sizes m, k, n of a product.
#[derive(Clone, Copy)]
enum Call {
    Forward(usize),
    /// ChebNet's way back.
    Transposed(usize),
    /// MotifNet-m's: the gradient of the attention, and of the input where it is wanted.
    Backward(usize, bool),
    Multiply([usize; 3]),
    MultiplyTransposed([usize; 3]),
    MultiplyByTranspose([usize; 3]),
}

const NAMES: [&str; 3] = ["sweeps forward", "sweeps backward", "dense products"];

impl Call {
    fn part(self) -> usize {
        match self {
            Self::Forward(_) => 0,
            Self::Transposed(_) | Self::Backward(..) => 1,
            _ => 2,
        }
    }
}

/// The parts of an epoch, the training pass and the validation pass together.
pub(crate) fn parts(
    conv: ConvKind,
    operators: &[&OperatorParts<f32>],
    [training, validation]: [&Pass<f32>; 2],
    problem: &Problem,
) -> [Part; 3] {
    // The paper's network is as wide as its input.
    let widths = [problem.n_features, problem.n_classes];
    let sides = [(training.field(), true), (validation.field(), false)].map(|(field, trains)| {
        (Propagator::new(operators, field), calls(conv, field, widths, trains))
    });
    let fields = [training, validation].map(|pass| pass.field().nodes().len());
    let mut room = Room::new(operators.len(), fields[0].max(fields[1]), widths);
    let mut parts =
        NAMES.map(|name| Part { name, calls: 0, ms: f64::INFINITY, gflop: 0.0, gathered_gb: 0.0 });
    for (propagator, calls) in &sides {
        for &call in calls {
            let part = &mut parts[call.part()];
            part.calls += 1;
            let [flop, gathered] = room.work(propagator, call);
            part.gflop += flop / 1e9;
            part.gathered_gb += gathered / 1e9;
        }
    }
    for _ in 0..ROUNDS {
        let mut taken = [0.0; 3];
        for (propagator, calls) in &sides {
            for &call in calls {
                let start = Instant::now();
                room.run(propagator, call);
                taken[call.part()] += milliseconds(start);
            }
        }
        parts.iter_mut().zip(taken).for_each(|(part, ms)| part.ms = part.ms.min(ms));
    }
    parts
}

/// The kernels that two convolutions and two dense layers call, as the layers do in `nn`.
fn calls(
    conv: ConvKind,
    field: &ReceptiveField,
    [width, n_classes]: [usize; 2],
    trains: bool,
) -> Vec<Call> {
    let order = conv.n_hops();
    let is_motif = matches!(conv, ConvKind::Motif { .. });
    let mut calls = Vec::new();
    for is_first in [true, false] {
        let hops = if is_first { order } else { 0 };
        let sizes = [field.size(hops), width, width];
        let hop = |j: usize| hops + order - j;
        // Without dropout the features never change: what is multiplied with them is kept.
        let n_kept = match (is_first && !trains, is_motif) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => order,
        };
        calls.extend((1 + n_kept..=order).map(|j| Call::Forward(hop(j))));
        calls.extend(repeat_n(Call::Multiply(sizes), order + 1));
        if !trains {
            continue;
        }
        calls.extend(repeat_n(Call::MultiplyTransposed(sizes), order + 1));
        if is_motif {
            let backward = |j| Call::Backward(hop(j), j > 1 || !is_first);
            calls.extend((1..=order).rev().map(backward));
        } else if !is_first {
            calls.extend((1..=order).rev().map(|j| Call::Transposed(hop(j))));
        }
        // Nobody asks for the gradient of the features.
        let n_gradients = match (is_first, is_motif) {
            (true, true) => order,
            (true, false) => 0,
            (false, _) => order + 1,
        };
        calls.extend(repeat_n(Call::MultiplyByTranspose(sizes), n_gradients));
    }
    let n_rows = field.size(0);
    for n_out in [width, n_classes] {
        calls.push(Call::Multiply([n_rows, width, n_out]));
        if trains {
            calls.push(Call::MultiplyTransposed([n_rows, width, n_out]));
            calls.push(Call::MultiplyByTranspose([n_rows, n_out, width]));
        }
    }
    calls
}

/// Numbers for every kernel to work on.
struct Room {
    width: usize,
    alpha: Block<f32>,
    d_alpha: Block<f32>,
    theta: Vec<f32>,
    d_theta: Vec<f32>,
    /// As wide as the features, and as the classes.
    x: [Block<f32>; 2],
    g: [Block<f32>; 2],
    y: [Block<f32>; 2],
}

impl Room {
    fn new(n_operators: usize, n_rows: usize, widths: [usize; 2]) -> Self {
        let block = |width: usize, seed| {
            Block::copy_of(Rows::new(&random(n_rows * width, seed), [n_rows, width]))
        };
        let [width, widest] = [widths[0], widths[0].max(widths[1])];
        Self {
            width,
            alpha: Block::filled(n_operators, width, 1.0 / n_operators as f32),
            d_alpha: Block::zeros(n_operators, width),
            theta: random(widest * widest, 1),
            d_theta: vec![0.0; widest * widest],
            x: widths.map(|width| block(width, 2)),
            g: widths.map(|width| block(width, 3)),
            y: widths.map(|width| block(width, 4)),
        }
    }

    fn run(&mut self, propagator: &Propagator<f32>, call: Call) {
        let Self { width, alpha, d_alpha, theta, d_theta, x, g, y } = self;
        let at = |columns: usize| usize::from(columns != *width);
        let rows = |hops| propagator.size(hops);
        let all = 0..propagator.n_operators();
        match call {
            Call::Forward(hop) => {
                let (x, mut y) = (x[0].as_rows().first(rows(hop + 1)), y[0].as_mut());
                propagator.forward(hop, all, alpha.as_rows(), x, y.first(rows(hop)));
            }
            Call::Transposed(hop) => {
                let (g, mut y) = (g[0].as_rows().first(rows(hop)), y[0].as_mut());
                let into = y.first(rows(hop + 1));
                let alpha = alpha.as_rows();
                propagator.forward_transposed(hop, all, alpha, g, Update::Replace, into);
            }
            Call::Backward(hop, into_input) => {
                let (x, g) = (x[0].as_rows().first(rows(hop + 1)), g[0].as_rows().first(rows(hop)));
                let mut y = y[0].as_mut();
                let into = into_input.then(|| (Update::Replace, y.first(rows(hop + 1))));
                let blocks = [alpha.as_rows(), x, g];
                propagator.backward(hop, all, blocks, into, d_alpha.as_mut());
            }
            Call::Multiply([m, k, n]) => {
                let (a, b) = (x[at(k)].as_rows().first(m), Rows::new(&theta[..k * n], [k, n]));
                multiply(a, b, Update::Add, y[at(n)].as_mut().first(m));
            }
            Call::MultiplyTransposed([m, k, n]) => {
                let (a, b) = (x[at(k)].as_rows().first(m), g[at(n)].as_rows().first(m));
                let into = RowsMut::new(&mut d_theta[..k * n], [k, n]);
                multiply_transposed(a, b, Update::Replace, into);
            }
            Call::MultiplyByTranspose([m, k, n]) => {
                let (a, b) = (g[at(k)].as_rows().first(m), Rows::new(&theta[..n * k], [n, k]));
                multiply_by_transpose(a, b, Update::Add, y[at(n)].as_mut().first(m));
            }
        }
        black_box((&y, &d_theta, &d_alpha));
    }

    /// Operations, and bytes that are gathered: a way back visits the entries of the way there.
    fn work(&self, propagator: &Propagator<f32>, call: Call) -> [f64; 2] {
        match call {
            Call::Forward(hop) | Call::Transposed(hop) | Call::Backward(hop, _) => {
                let numbers = (propagator.n_entries(hop) * self.width) as f64;
                [2.0 * numbers, 4.0 * numbers]
            }
            Call::Multiply(sizes)
            | Call::MultiplyTransposed(sizes)
            | Call::MultiplyByTranspose(sizes) => {
                [2.0 * sizes.iter().product::<usize>() as f64, 0.0]
            }
        }
    }
}

/// What the machine can do, to compare with: a product of large matrices, and reading and writing
/// what is in no cache.
pub(crate) fn machine() -> Value {
    use rayon::prelude::*;

    let side = 1024;
    let [a, b, mut c] = [1, 2, 3].map(|seed| random(side * side, seed));
    let least = |run: &mut dyn FnMut()| {
        let taken = (0..ROUNDS).map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        });
        taken.fold(f64::INFINITY, f64::min)
    };
    let product = least(&mut || {
        let rows = |values| Rows::new(values, [side; 2]);
        multiply(rows(&a), rows(&b), Update::Replace, RowsMut::new(&mut c, [side; 2]));
    });
    let from = vec![1.0f32; 1 << 26];
    let mut to = vec![0.0f32; 1 << 26];
    let copy = least(&mut || {
        let chunks = to.par_chunks_mut(1 << 18).zip(from.par_chunks(1 << 18));
        chunks.for_each(|(to, from)| to.copy_from_slice(from));
        black_box(&to);
    });
    json!({
        "product_gflop_s": 2.0 * (side as f64).powi(3) / product / 1e9,
        "copy_gb_s": 2.0 * size_of_val(&from[..]) as f64 / copy / 1e9,
    })
}
