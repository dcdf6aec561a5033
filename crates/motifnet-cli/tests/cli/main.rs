//! The command `motifnet` as a user meets it: what it prints, what it writes, how it refuses.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod census;
mod compare;
mod generate;
mod help;
mod inspect;
mod motifs;
mod streams;
mod support;
mod train;
mod wrong_data;
mod wrong_usage;
