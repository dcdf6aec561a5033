//! The command `motifnet`; all of it is in the library beside this file, but for how it ends when memory
//! does.

#[cfg(unix)]
mod allocator;
#[cfg(unix)]
mod memory_net;

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    ExitCode::from(motifnet_cli::run_within(std::env::args_os(), &memory_net::spread))
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    ExitCode::from(motifnet_cli::run(std::env::args_os()))
}
