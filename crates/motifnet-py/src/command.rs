//! The command line, which the package brings along.

use pyo3::prelude::*;

/// Runs `motifnet` with `args`, the name of the program first; gives the code to exit with.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, args: Vec<String>) -> u8 {
    py.detach(|| motifnet_cli::run(args))
}
