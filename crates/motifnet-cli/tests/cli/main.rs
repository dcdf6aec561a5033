//! The command `motifnet` as a user meets it: what it prints, what it writes, how it refuses.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod census;
mod cluster;
mod compare;
mod concurrency;
#[cfg(feature = "fetch")]
mod data;
mod generate;
mod help;
mod inspect;
#[cfg(unix)]
mod kept;
mod kept_inputs;
#[cfg(unix)]
mod links;
#[cfg(feature = "fetch")]
#[path = "../../../motifnet/tests/support/loopback.rs"]
mod loopback;
mod memory;
mod motifs;
#[cfg(unix)]
mod own_files;
mod predict;
mod report;
mod reproduce;
mod resume;
mod shell;
mod significance;
mod streams;
mod support;
mod train;
mod tune;
mod wrong_data;
mod wrong_usage;
