//! The command `motifnet`.
fn main() {}
