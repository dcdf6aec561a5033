//! The readers of motifnet on bytes that nobody meant for them.
//!
//! ```text
//! bytes → Target → reader, watched by a Trial: no panic, no second of work, no memory beyond what was read
//! ```
//!
//! `targets` has a file for each kind of thing that is read. `tests/replay.rs` runs every target on its seeds
//! and on the files in `corpus`, as an ordinary test; `cargo xtask soak fuzz` has libFuzzer look for more
//! through `fuzz/`, whose programs are one line each.

#![forbid(unsafe_code)]

mod pieces;
mod seed;
mod target;
mod targets;
mod trial;

pub use seed::Seed;
pub use target::Target;
pub use targets::{TARGETS, target};

/// Memory is counted in every program that this crate is part of.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Runs the target called `name`: what a program of libFuzzer is made of.
///
/// # Panics
/// If there is none, or if its reader does not hold what is asked of it.
pub fn run(name: &str, bytes: &[u8]) {
    let target = target(name).unwrap_or_else(|| panic!("there is no target {name:?}"));
    target.try_on(bytes, true);
}
