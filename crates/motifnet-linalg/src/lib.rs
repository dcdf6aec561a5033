//! The dense kernels of faer that MotifNet uses, for `f32` and `f64`, on one thread.
//!
//! faer's functions are generic, and whoever calls them compiles them: minutes. Here they are
//! compiled once, and the library's own code is not held up by them.

#![forbid(unsafe_code)]

pub use faer::{Accum, MatMut, MatRef};

use faer::Par;
use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, self_adjoint_evd, self_adjoint_evd_scratch};
use faer::linalg::matmul::matmul;

/// Numbers of which matrices can be multiplied.
pub trait Multiply: Copy + Sized + 'static {
    /// C ← factor · A B, or C += factor · A B.
    ///
    /// # Panics
    /// If the sizes do not fit.
    fn multiply(
        c: MatMut<'_, Self>,
        update: Accum,
        a: MatRef<'_, Self>,
        b: MatRef<'_, Self>,
        factor: Self,
    );
}

impl Multiply for f32 {
    fn multiply(
        c: MatMut<'_, f32>,
        update: Accum,
        a: MatRef<'_, f32>,
        b: MatRef<'_, f32>,
        by: f32,
    ) {
        matmul(c, update, a, b, by, Par::Seq);
    }
}

impl Multiply for f64 {
    fn multiply(
        c: MatMut<'_, f64>,
        update: Accum,
        a: MatRef<'_, f64>,
        b: MatRef<'_, f64>,
        by: f64,
    ) {
        matmul(c, update, a, b, by, Par::Seq);
    }
}

/// The eigenvalues of a symmetric `size` × `size` matrix in ascending order and their unit vectors, one
/// after the other; `None` if they are not found. Time O(size³).
///
/// # Panics
/// If the matrix does not have that size.
pub fn symmetric_eigen(matrix: &[f64], size: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    let (mut values, mut vectors) = (vec![0.0; size], vec![0.0; size * size]);
    let wanted = ComputeEigenvectors::Yes;
    let scratch = self_adjoint_evd_scratch::<f64>(size, wanted, Par::Seq, faer::Spec::default());
    self_adjoint_evd(
        MatRef::from_column_major_slice(matrix, size, size),
        DiagMut::from_slice_mut(&mut values),
        Some(MatMut::from_column_major_slice_mut(&mut vectors, size, size)),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        faer::Spec::default(),
    )
    .ok()?;
    Some((values, vectors))
}
