//! Links that nothing is to be written through.

use std::path::Path;

use super::WriteError;

/// Refuses a symbolic link: what is written there would land elsewhere.
///
/// # Errors
/// If there is a link at `path`.
pub(crate) fn refuse_link(path: &Path) -> Result<(), WriteError> {
    match std::fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => Err(WriteError::IsLink(path.to_owned())),
        _ => Ok(()),
    }
}
