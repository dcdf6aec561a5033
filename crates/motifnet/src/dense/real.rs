//! The numbers that networks are made of.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A floating-point type that vectors are made of.
pub trait Scalar:
    Copy + Default + Send + Sync + AddAssign + Mul<Output = Self> + bytemuck::Pod + 'static
{
    /// The nearest value to `value`.
    fn from_f64(value: f64) -> Self;
}

impl Scalar for f32 {
    fn from_f64(value: f64) -> Self {
        value as f32
    }
}

impl Scalar for f64 {
    fn from_f64(value: f64) -> Self {
        value
    }
}

/// A real number to compute with: `f32` where it must be fast, `f64` where it must be checked.
pub trait Real:
    Scalar
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + SubAssign
    + Sum
    + motifnet_linalg::Multiply
{
    /// The same number in 64 bits.
    fn to_f64(self) -> f64;
    /// Its square root.
    fn root(self) -> Self;
    /// e to its power.
    fn exponential(self) -> Self;
}

impl Real for f32 {
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    fn exponential(self) -> Self {
        libm::expf(self)
    }
}

impl Real for f64 {
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    fn exponential(self) -> Self {
        libm::exp(self)
    }
}
