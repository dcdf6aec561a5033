//! The command `motifnet`; all of it is in the library beside this file, but for how it ends when memory
//! does.

#[cfg(unix)]
mod allocator;
#[cfg(unix)]
mod memory_net;

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    allocator::save_addresses();
    outlive_file_limit();
    ExitCode::from(motifnet_cli::run_within(std::env::args_os(), &memory_net::spread))
}

/// A write beyond the limit on the size of files is an error from here on, which can be told; by default the system
/// ends the process.
#[cfg(unix)]
fn outlive_file_limit() {
    let nobody_looks = std::sync::Arc::default();
    // Where that cannot be had, it ends as ever.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, nobody_looks);
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    ExitCode::from(motifnet_cli::run(std::env::args_os()))
}
