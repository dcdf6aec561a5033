//! The command `motifnet`; all of it is in the library beside this file.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(motifnet_cli::run(std::env::args_os()))
}
