//! What the integration tests share.

use std::path::PathBuf;

/// The folder of real graphs that `MOTIFNET_DATA` names.
pub(crate) fn data_folder() -> Option<PathBuf> {
    std::env::var_os("MOTIFNET_DATA").map(PathBuf::from)
}

/// Says that a test of real graphs does not run.
pub(crate) fn skip() {
    eprintln!("skipped: MOTIFNET_DATA is not set");
}
