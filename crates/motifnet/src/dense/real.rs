//! The numbers that networks are made of.

use std::iter::Sum;
use std::ops::{Add, Div, Neg, Sub, SubAssign};

use crate::sparse::Scalar;

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
    + faer::traits::ComplexField
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
