//! Random directed graphs from a seed.
//!
//! Every model has a `…Config` and a `generate(&config, seed)`. All draws come from ChaCha
//! streams, one for each block of fixed size, so a seed gives the same arcs for any number of
//! threads and on every platform.
//!
//! ```
//! use motifnet::graph::generate::rmat::{self, RmatConfig};
//!
//! let config = RmatConfig { n_nodes: 1024, n_arcs: 5000, ..RmatConfig::default() };
//! let arcs = rmat::generate(&config, 7)?;
//! assert_eq!(arcs.len(), 5000);
//! assert_eq!(arcs, rmat::generate(&config, 7)?);
//! # Ok::<(), motifnet::graph::generate::GenerateError>(())
//! ```

mod bernoulli;
mod distinct;
pub mod dsbm;
pub mod erdos_renyi;
mod error;
mod poisson;
pub mod rmat;
pub(crate) mod stream;

pub use error::GenerateError;

use crate::memory::Need;

/// More arcs than this (128 GiB of them) are taken for a slip of the keyboard.
const MAX_ARCS: u64 = 1 << 34;

/// Refuses more arcs than are meant, or than there is memory for: every one is drawn as a cell of the matrix, sorted
/// out and split into its ends.
fn check_arcs(expected: f64) -> Result<(), GenerateError> {
    if expected > MAX_ARCS as f64 {
        return Err(GenerateError::Oversized(expected));
    }
    let remedy = "generate fewer arcs";
    Ok(Need { what: "drawing the arcs", n_bytes: (32.0 * expected) as u64, remedy }.check()?)
}

/// Refuses more nodes than a 32-bit node number can tell apart.
fn check_nodes(n_nodes: u128) -> Result<(), GenerateError> {
    if n_nodes > u128::from(u32::MAX) {
        return Err(GenerateError::TooManyNodes(n_nodes));
    }
    Ok(())
}

/// Number of arcs without loops that `n_nodes` (checked) nodes can have.
fn n_possible_arcs(n_nodes: usize) -> u64 {
    let n = n_nodes as u64;
    n * n.saturating_sub(1)
}

#[cfg(test)]
mod testing {
    use crate::graph::EdgeList;

    /// Runs `work` on a pool of `threads` threads.
    pub(super) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    /// Asserts that there are no loops, no repeats and no node outside.
    pub(super) fn assert_simple(arcs: &EdgeList) {
        let mut pairs: Vec<_> = arcs.sources.iter().zip(&arcs.targets).collect();
        assert!(pairs.iter().all(|(source, target)| source != target), "a loop");
        assert!(pairs.iter().all(|(s, t)| (**s.max(t) as usize) < arcs.n_nodes), "outside");
        pairs.sort_unstable();
        pairs.dedup();
        assert_eq!(pairs.len(), arcs.len(), "a repeat");
    }

    /// The first arcs as text, so that a change of the stream is noticed.
    pub(super) fn first_arcs(arcs: &EdgeList, n: usize) -> String {
        let weight = |i: usize| {
            arcs.weights.as_ref().map_or_else(String::new, |weights| format!(":{}", weights[i]))
        };
        (0..n.min(arcs.len()))
            .map(|i| format!("{}>{}{}", arcs.sources[i], arcs.targets[i], weight(i)))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Asserts that a count lies within five standard deviations of its expectation. Seeds are
    /// fixed, so this cannot fail by chance from one run to the next.
    pub(super) fn assert_within_5_sigma(count: f64, mean: f64, variance: f64) {
        let z = (count - mean) / variance.sqrt();
        assert!(z.abs() < 5.0, "{count} where {mean} is expected: z = {z}");
    }
}
