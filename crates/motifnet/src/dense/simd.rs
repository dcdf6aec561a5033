//! Run-time choice of the instruction set.

use pulp::{Arch, Simd, WithSimd};

/// A computation that is compiled once for every instruction set.
///
/// `run` and all that it calls must be `#[inline(always)]`: only what is inlined into the
/// dispatcher is compiled for the wide vectors.
pub(crate) trait Kernel {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs `kernel` as compiled for the widest vectors of this machine.
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    Arch::new().dispatch(Wide(kernel))
}

struct Wide<K>(K);

impl<K: Kernel> WithSimd for Wide<K> {
    type Output = K::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> K::Output {
        self.0.run()
    }
}
