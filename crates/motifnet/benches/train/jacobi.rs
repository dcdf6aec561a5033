//! How far Jacobi's iterations of CayleyNet are from the exact solution of their system.

use motifnet::motif::{MotifEngine, MotifKind, MotifSpec, Representation};
use motifnet::sparse::LinearOperator;
use motifnet::spectral::{LaplacianConfig, LaplacianForm, MotifLaplacian};
use serde_json::{Value, json};

use crate::Failure;
use crate::problem::{Problem, random};

const ZOOMS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];
const ITERATIONS: [usize; 7] = [0, 1, 2, 4, 8, 16, 32];

/// A vector of complex numbers: real parts, imaginary parts.
type Complex = [Vec<f64>; 2];

/// ‖z_q − z‖ / ‖z‖ for (hΔ + iI) z = (hΔ − iI) x with a random x, by zoom and iterations.
pub(crate) fn jacobi(problem: &Problem) -> Result<Value, Failure> {
    let graph = problem.graph();
    let engine = MotifEngine::new(graph);
    let spec = MotifSpec::default();
    let operator =
        engine.operators(&[MotifKind::Undirected], &spec, Representation::Auto).remove(0);
    let config = LaplacianConfig { form: LaplacianForm::Plain, ..LaplacianConfig::default() };
    let laplacian = MotifLaplacian::new(operator, config)?;
    let x: Vec<f64> = random(graph.n_nodes(), 1).into_iter().map(f64::from).collect();
    let errors = ZOOMS.map(|h| {
        let exact = exact(&laplacian, h, &x);
        let length = norm(&exact);
        ITERATIONS.map(|iterations| {
            let found = approximate(&laplacian, h, iterations, &x);
            norm(&combined(&found, -1.0, &exact)) / length
        })
    });
    Ok(
        json!({ "graph": problem.name(), "zooms": ZOOMS, "iterations": ITERATIONS, "errors": errors }),
    )
}

/// z = (hΔ − iI)² y with (h²Δ² + I) y = x, which is symmetric and positive: by conjugate gradients, to
/// the rounding of 64 bits.
fn exact(laplacian: &MotifLaplacian, h: f64, x: &[f64]) -> Complex {
    let scaled = |v: &[f64]| laplacian.apply(v, 1).into_iter().map(|v| h * v).collect::<Vec<_>>();
    let system = |v: &[f64]| {
        let twice = scaled(&scaled(v));
        twice.iter().zip(v).map(|(a, b)| a + b).collect::<Vec<_>>()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (mut y, mut residual) = (vec![0.0; x.len()], x.to_vec());
    let mut direction = residual.clone();
    let mut square = dot(&residual, &residual);
    let enough = 1e-28 * square;
    while square > enough {
        let product = system(&direction);
        let step = square / dot(&direction, &product);
        y.iter_mut().zip(&direction).for_each(|(y, d)| *y += step * d);
        residual.iter_mut().zip(&product).for_each(|(r, p)| *r -= step * p);
        let next = dot(&residual, &residual);
        direction.iter_mut().zip(&residual).for_each(|(d, r)| *d = r + next / square * *d);
        square = next;
    }
    // (hΔ − i)² = h²Δ² − 1 − 2ihΔ.
    let once = scaled(&y);
    let real = scaled(&once).iter().zip(&y).map(|(twice, y)| twice - y).collect();
    [real, once.into_iter().map(|v| -2.0 * v).collect()]
}

/// The iterations as the network takes them.
fn approximate(laplacian: &MotifLaplacian, h: f64, iterations: usize, x: &[f64]) -> Complex {
    // N v = v − Δv.
    let neighbours = |v: &Vec<f64>| {
        let product = laplacian.apply(v, 1);
        v.iter().zip(product).map(|(v, p)| v - p).collect::<Vec<_>>()
    };
    let times = |[a, b]: [f64; 2], [x, y]: &Complex| -> Complex {
        let part = |a: f64, x: &[f64], b: f64, y: &[f64]| {
            x.iter().zip(y).map(|(x, y)| a * x + b * y).collect()
        };
        [part(a, x, -b, y), part(a, y, b, x)]
    };
    let start: Complex = [x.to_vec(), vec![0.0; x.len()]];
    let moved = |[re, im]: &Complex| -> Complex { [neighbours(re), neighbours(im)] };
    let right = combined(&times([h, -1.0], &start), -h, &moved(&start));
    let square = h * h + 1.0;
    let omega = [h / square, -1.0 / square];
    let mut z = times(omega, &right);
    for _ in 0..iterations {
        z = times(omega, &combined(&right, h, &moved(&z)));
    }
    z
}

/// x + factor · y.
fn combined(x: &Complex, factor: f64, y: &Complex) -> Complex {
    let part =
        |at: usize| x[at].iter().zip(&y[at]).map(|(x, y)| x + factor * y).collect::<Vec<f64>>();
    [part(0), part(1)]
}

fn norm(x: &Complex) -> f64 {
    x.iter().flatten().map(|x| x * x).sum::<f64>().sqrt()
}
